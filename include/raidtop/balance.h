/*
 * Balance: how an array's reads and writes are spread over its members. Shares are facts and
 * always shown; whether they are right can be said only of mirrors, and only with a deep queue: a
 * healthy raid1 gives one stream to one mirror (100/0), two to two (50/50/0), and random reads
 * that come one at a time to one.
 */
#ifndef RAIDTOP_BALANCE_H
#define RAIDTOP_BALANCE_H

#include <stddef.h>

#include "raidtop/topology.h"
#include "raidtop/traffic.h"

enum balance_verdict {
	BALANCE_UNKNOWN,      /* too little was read, or nothing is to be said of the level */
	BALANCE_FAIR,         /* no mirror reads less than half a fair share */
	BALANCE_FEW_REQUESTS, /* one does: "one stream: one mirror serves it (normal)" */
	BALANCE_UNEVEN,       /* one does, with a mean in flight of at least twice the mirrors */
};

struct balance {
	enum balance_verdict reads; /* judged at raid1 and raid10 only */
	double fair_pct;            /* of the mirrors that read: in sync and not write-mostly */
	size_t least;               /* which member of the array reads the least of them */
};

/*
 * Of one window: `self` is the array's, members[i] that of array->members[i]. Writes the members'
 * shares in percent into read_pct[i] and write_pct[i] (room for n_members); NAN for a member that
 * carries no data, and for all of a direction in which they moved too little together
 * (traffic_is_enough) or unevenly (traffic_is_even).
 */
void balance_compute(struct balance *ret, const struct array *array, const struct traffic *self,
		     const struct traffic *members, double *read_pct, double *write_pct);

#endif
