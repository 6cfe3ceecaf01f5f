/*
 * Changes of level: the second in which a series of one-second values went to another level and
 * stayed there, for the event of that name. For arrays and streams; the load of a single disk
 * changes with every request. (Not the RAID level.)
 *
 * Page's CUSUM (doi 10.1093/biomet/41.1-2.100): what values are above the level by more than k is
 * summed up, and what they are below it; a sum above h is an alarm. sigma is estimated from the
 * first differences, which a change of level hardly touches: 1.4826 times their median absolute
 * deviation, over the square root of 2, and at least 2 % of the level. k = 0.5 sigma, h = 10 sigma
 * (with 5, correlated values give a false mark every minute). An alarm alone is no change: the
 * medians of the 10 values before and the 10 after must be at least 15 % of the former apart.
 * Where traffic is below 1 MB/s, percentages are of 1 MB/s.
 */
#ifndef RAIDTOP_LEVEL_CHANGE_H
#define RAIDTOP_LEVEL_CHANGE_H

#include <stdbool.h>
#include <stddef.h>

#define LEVEL_SIDE 10     /* values before and after a change that are compared */
#define LEVEL_BASELINE 40 /* values that level and sigma are estimated from, at most */

/* A sum of what values are beyond the level on one side. */
struct level_sum {
	double sum;
	size_t run; /* values since it was last nothing */
};

/* Of one series; plain memory, no pointers. All zero is a fresh one. */
struct level_watch {
	float ring[LEVEL_BASELINE]; /* the newest values since the last gap */
	size_t n_values;            /* in all since then */
	size_t n_level;             /* of them since the last change */
	size_t n_baseline;          /* of them since the baseline began */
	double level, sigma;        /* of the baseline, once it has LEVEL_SIDE values */
	struct level_sum above, below;
	size_t n_alarmed; /* after an alarm: values since that sum began; 0: no alarm */
};

struct level_change {
	size_t n_values_ago;  /* the first value of the new level; 0 would be the newest */
	double before, after; /* medians, in the value's unit */
};

/*
 * Adds a value (bytes per second; NAN, a gap, begins anew). Returns whether a change is certain
 * now, and tells it in *ret, which is untouched otherwise. That takes about 14 values from the
 * change on, more where it hardly stands out. No allocation; a quiet value costs a few additions.
 */
bool level_watch_add(struct level_watch *watch, float value, struct level_change *ret);

#endif
