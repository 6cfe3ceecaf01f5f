/*
 * Traffic: what one device moved in one span of time. Figures that relate an array and its
 * members are ratios of sums over a sliding window, never of rates of one moment: md counts bytes
 * when a request is submitted, disks when it completes.
 */
#ifndef RAIDTOP_TRAFFIC_H
#define RAIDTOP_TRAFFIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "raidtop/rates.h"

/* A window is at least so long; it holds figures where at least so much moved, and so fast. */
#define TRAFFIC_WINDOW_US 10000000ULL
#define TRAFFIC_WINDOW_BYTES 8388608.0
#define TRAFFIC_MIN_PER_SEC 1e6

/* Sums; a field that is not known is NAN. */
struct traffic {
	bool known;   /* false: a gap in it, no field means anything */
	bool derived; /* of an array that counts nothing: from its members */
	uint64_t time_us;
	double read_bytes, write_bytes;
	double read_ios, write_ios;
	double read_us, write_us; /* of all requests that completed */
	double queue_us;          /* in flight times time: over time_us, the mean in flight */
	double busy_us;
	uint64_t inflight_before; /* sampled at both ends; UNKNOWN_U64 */
	uint64_t inflight;
};

/* Of one interval, from its rates; inflight_before is not known. */
void traffic_from_figures(struct traffic *t, const struct figures *f, uint64_t interval_us);

/* Adds what came next; a sum begins as all zero but `known`. */
void traffic_add(struct traffic *sum, const struct traffic *next);

/*
 * Adds what another device moved in the same span: time_us stays. Where that is not the same, the
 * sum is not known. It begins as all zero but `known` and time_us.
 */
void traffic_add_beside(struct traffic *sum, const struct traffic *other);

/* The mean number of requests in flight, the mean milliseconds of one; NAN: not known. */
double traffic_mean_inflight(const struct traffic *t);
double traffic_read_await_ms(const struct traffic *t);
double traffic_write_await_ms(const struct traffic *t);
double traffic_busy_pct(const struct traffic *t);

/*
 * Whether `bytes` of a window are enough for a ratio: 10 s, 8 MiB, 1 MB/s. (Of a trickle the
 * superblocks and bitmaps are most: it shows 4.6 where 3 is right.)
 */
bool traffic_is_enough(const struct traffic *window, double bytes);

/*
 * Whether requests came and went alike: the sampled number in flight changed by at most 5 % of
 * those that completed in the window. True where it is not known.
 */
bool traffic_is_even(const struct traffic *window);

#define TRAFFIC_SLOTS 16 /* of which the shortest, of 2/3 s, still make 10 s */

/* The newest seconds of one device. Plain memory; all zero is an empty one. */
struct traffic_window {
	struct traffic slots[TRAFFIC_SLOTS];
	size_t n;            /* since the last gap */
	struct traffic open; /* the second that is not over; time_us 0: nothing yet */
};

/*
 * Adds a sample to the open second. When that is over, the caller closes it, for all devices at
 * once, so that an array's window and its members' stay one: a seconds_fold of no bytes tells
 * when. A sample that is not known makes its second a gap, and a gap empties the window.
 */
void traffic_window_add(struct traffic_window *w, const struct traffic *sample);
void traffic_window_close(struct traffic_window *w);

/* The second that was closed last; `known` false where it was a gap. */
void traffic_window_last(const struct traffic_window *w, struct traffic *ret);

/* The newest seconds that make TRAFFIC_WINDOW_US; `known` false where there are not so many. */
void traffic_window_sum(const struct traffic_window *w, struct traffic *ret);

#endif
