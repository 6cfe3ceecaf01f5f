/*
 * No answer: a device with requests in flight that completes none. It blocks its array while the
 * array's own counters look idle, and no await shows it, as awaits are of requests that completed.
 */
#ifndef RAIDTOP_NO_ANSWER_H
#define RAIDTOP_NO_ANSWER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "raidtop/snapshot.h"
#include "raidtop/topology.h"

#define NO_ANSWER_US 3000000ULL

/* Of one device. Plain memory; all zero is a fresh one. */
struct answer_watch {
	bool waiting;         /* requests were in flight at the last step */
	uint64_t n_completed; /* requests of all kinds, cumulative */
	uint64_t since_us;    /* from when on nothing completed though requests were in flight */
	uint64_t silent_us;   /* how long that is */
};

/*
 * What the counters say at `elapsed_us`. Missed ticks do no harm, as it is the cumulative counts
 * that are compared. Without a sampled in-flight count nothing is known and it begins anew, and so
 * it does where the time went back; the caller clears it where a new segment begins.
 */
void answer_watch_step(struct answer_watch *watch, uint64_t elapsed_us,
		       const struct counters *counters);

/* "no answer for N s", N being silent_us: from 3 s on. */
bool answer_is_missing(const struct answer_watch *watch);

/*
 * The member that blocks an array, of several the one that is silent longest; -1 where none does.
 * `watches` are by slot of the topology, n of them. Members that carry nothing of the array any
 * more, or not yet (faulty, spare), block nothing.
 */
int answer_find_blocking(const struct array *array, const struct answer_watch *watches, size_t n);

#endif
