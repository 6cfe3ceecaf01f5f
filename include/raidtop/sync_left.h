/*
 * How long a resync, recovery, check, repair or reshape still takes: what remains over the mean
 * speed of the last 30 s. The kernel's own estimate stands beside it (struct action).
 */
#ifndef RAIDTOP_SYNC_LEFT_H
#define RAIDTOP_SYNC_LEFT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "raidtop/topology.h"

#define SYNC_LEFT_SPAN_US 30000000ULL
#define SYNC_LEFT_POINTS 36

/* Of one array. Plain memory; all zero is a fresh one. */
struct sync_left {
	struct sync_point {
		uint64_t elapsed_us, done_bytes;
	} points[SYNC_LEFT_POINTS]; /* at least 0.9 s apart */
	size_t n_points;            /* since the action began */
	struct sync_point newest;
	enum action_kind kind;
	uint64_t total_bytes;
};

/*
 * What the action says at `elapsed_us`. Another kind, another total, less done than before, a
 * time that went back: it begins anew. An action that does not run, or whose progress is not
 * known, clears it.
 */
void sync_left_step(struct sync_left *s, uint64_t elapsed_us, const struct action *action);

/*
 * The mean speed of one member over the last 30 s, or since the action began where that is less.
 * False, and nothing written, where there are not two moments yet.
 */
bool sync_left_speed(const struct sync_left *s, double *ret_bytes_per_sec);

/* The time left at that speed, rounded down; false as above, and where nothing moves. */
bool sync_left_ns(const struct sync_left *s, uint64_t *ret_ns);

#endif
