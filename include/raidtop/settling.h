/*
 * When a series has settled: how much of its beginning is warm-up, and whether rounds of a test
 * have reached a steady state.
 */
#ifndef RAIDTOP_SETTLING_H
#define RAIDTOP_SETTLING_H

#include <stdbool.h>
#include <stddef.h>

enum warmup_state {
	WARMUP_UNKNOWN, /* fewer than 10 values, or a gap among them */
	WARMUP_SETTLED,
	WARMUP_NOT_SETTLED, /* the best cut is the last one allowed, half of the series */
};

struct warmup {
	enum warmup_state state;
	size_t n_values; /* at the beginning; what to leave out, or to show and keep */
};

/*
 * MSER-5 (White, Cobb, Spratt: doi 10.1177/003754979706900601 and later): z are the k means of 5
 * values each, and the warm-up is the d <= k/2 of them for which the error of the mean of the
 * others, sum over j > d of (z_j - mean)^2 / (k - d)^2, is smallest; the fewest of equal ones.
 * Values are any figure, one a second; NAN (a gap) anywhere makes it unknown: give it a stretch
 * (seconds_find_stretch). No allocation; the time grows with `n` alone.
 */
void warmup_find(struct warmup *warmup, const float *values, size_t n);

#define STEADY_STATE_ROUNDS 5

/*
 * SNIA Solid State Storage Performance Test Specification 2.0.2, 2.1.24: a window of 5 rounds is
 * steady where its largest value is at most 20 % of the mean above its smallest, and the line
 * fitted to it by least squares rises or falls by at most 10 % of the mean.
 */
struct steady_state {
	bool steady;
	double mean;
	double range_pct; /* (maximum - minimum) in percent of the mean */
	double slope;     /* of the line, in the value's unit a round */
	double line_pct; /* how far the line rises or falls in the window, in percent of the mean */
};

/* False, and nothing written, where the mean is not above 0 or a round is not known (NAN). */
bool steady_state_judge(struct steady_state *ret, const double rounds[STEADY_STATE_ROUNDS]);

#endif
