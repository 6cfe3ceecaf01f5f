/*
 * Stragglers: the member of an array that stands apart from its peers on the slow side. Megabytes
 * per second do not tell it, as striped members move in step (one at half speed: all at 10.0 MB/s,
 * but await 78.8 ms against 1.1); its await does.
 */
#ifndef RAIDTOP_STRAGGLER_H
#define RAIDTOP_STRAGGLER_H

#include <stdbool.h>
#include <stdint.h>

#include "raidtop/topology.h"
#include "raidtop/traffic.h"

/* What one member did in the last 10 s. Plain memory; all zero at first. */
struct straggler_trail {
	int device;         /* of whom it is: a trail of another begins anew */
	bool comparable;    /* in the newest second */
	uint16_t late;      /* bit i: it was late i seconds ago */
	double await_times; /* the newest late second: its await, in medians of the others */
	double busy_pct;    /* where it was late by being busy alone, else 0 */
};

/*
 * One second of an array: seconds[i] is that of array->members[i], and so is trails[i]; `scratch`
 * has room for n_members. A member is late in a second where
 *  its await, of at least 8 requests, is at least twice the median of the other comparable
 *  members (with two, of the other one) and 1 ms above it; reads and writes are compared apart;
 *  or, at raid0, 4, 5, 6 and 10, it is at least 90 % busy and the others' median is at most 60 %.
 * Comparable are members that are asked alike: all, but of raid1 the reads only where each member
 * has at least 10 % of them. Spares, write-mostly, journal, rebuilding and replaced members and
 * replacements are left out. While the array is syncing, and at other levels, trails are cleared.
 * No allocation.
 */
void straggler_step(struct straggler_trail *trails, const struct array *array,
		    const struct traffic *seconds, float *scratch);

/* Whether it was late in 5 of the last 10 s. */
bool straggler_is_named(const struct straggler_trail *trail);

#endif
