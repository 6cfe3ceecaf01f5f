/*
 * Both questions are about the mean of what is left: a warm-up is cut off where that makes the
 * mean's error smallest, and rounds are steady where neither their range nor their trend would
 * move it much. The sum of squares for every possible cut is built from the end backwards, one
 * value after the other (Welford), so one pass answers them all and nothing large is subtracted
 * from something large.
 */
#include "raidtop/settling.h"

#include <math.h>

#define BATCH 5
#define RANGE_PCT 20
#define LINE_PCT 10

static double batch_mean(const float *values, size_t batch)
{
	double sum = 0;

	for (size_t i = 0; i < BATCH; i++)
		sum += (double)values[batch * BATCH + i];
	return sum / BATCH;
}

void warmup_find(struct warmup *warmup, const float *values, size_t n)
{
	size_t k = n / BATCH, bound = k / 2, best = 0;
	double mean = 0, squares = 0, least = INFINITY;

	*warmup = (struct warmup){ WARMUP_UNKNOWN, 0 };
	if (bound == 0)
		return;
	for (size_t d = k; d-- > 0;) {
		double z = batch_mean(values, d), off = z - mean, left = (double)(k - d);

		mean += off / left;
		squares += off * (z - mean);
		if (d > bound || squares / (left * left) > least)
			continue;
		least = squares / (left * left);
		best = d;
	}
	if (isnan(squares))
		return;
	warmup->state = best == bound ? WARMUP_NOT_SETTLED : WARMUP_SETTLED;
	warmup->n_values = best * BATCH;
}

bool steady_state_judge(struct steady_state *ret, const double rounds[STEADY_STATE_ROUNDS])
{
	double min = INFINITY, max = -INFINITY, sum = 0, moment = 0, squares = 0, mean, slope;

	for (int i = 0; i < STEADY_STATE_ROUNDS; i++) {
		double x = i - (STEADY_STATE_ROUNDS - 1) / 2.0;

		min = rounds[i] < min ? rounds[i] : min;
		max = rounds[i] > max ? rounds[i] : max;
		sum += rounds[i];
		moment += x * rounds[i];
		squares += x * x;
	}
	mean = sum / STEADY_STATE_ROUNDS;
	if (!(mean > 0))
		return false;
	slope = moment / squares;
	*ret = (struct steady_state){
		.mean = mean,
		.range_pct = 100 * (max - min) / mean,
		.slope = slope,
		.line_pct = 100 * fabs(slope) * (STEADY_STATE_ROUNDS - 1) / mean,
	};
	ret->steady = ret->range_pct <= RANGE_PCT && ret->line_pct <= LINE_PCT;
	return true;
}
