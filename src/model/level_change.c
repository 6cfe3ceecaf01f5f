/*
 * Three steps. A baseline is estimated from its first 10 values, and again when it has 20 and 40.
 * CUSUM gives an alarm when values stay beyond it, and the sum began to grow about where the
 * change was. When there are enough values after that, the sides of places nearby are compared: a
 * dip gives an alarm too, but leaves both medians alike. Of the places whose medians are far
 * enough apart, the change is where the means are furthest apart: they are sharper, as a median
 * does not move while up to half a side is on the wrong level. Whatever came out of it, a new
 * baseline begins; and no side reaches back across a change.
 */
#include "raidtop/level_change.h"

#include <math.h>

#include "raidtop/quantile.h"

#define SIGMA_OF_MAD 1.4826 /* of a normal distribution */
#define SIGMA_MIN 0.02      /* of the level */
#define K 0.5               /* sigmas */
#define H 10
#define APART 0.15      /* of the level before */
#define NEARBY 5        /* values on both sides of where the sum began */
#define WAIT_AT_MOST 30 /* values from there on */
#define TRICKLE_PER_SEC 1e6

/* The value so many before the newest. */
static float value_ago(const struct level_watch *w, size_t ago)
{
	return w->ring[(w->n_values - 1 - ago) % LEVEL_BASELINE];
}

static double scale_of(double level)
{
	return level > TRICKLE_PER_SEC ? level : TRICKLE_PER_SEC;
}

/* ---- baseline ---- */

static double median_of(float *values, size_t n)
{
	quantile_sort(values, n);
	return quantile_median(values, n);
}

/* From the first differences of the newest n values; `scratch` has room for them. */
static double estimate_sigma(const struct level_watch *w, size_t n, float *scratch)
{
	double middle;

	for (size_t i = 0; i + 1 < n; i++)
		scratch[i] = value_ago(w, i) - value_ago(w, i + 1);
	middle = median_of(scratch, n - 1);
	for (size_t i = 0; i + 1 < n; i++)
		scratch[i] = (float)fabs((double)scratch[i] - middle);
	return SIGMA_OF_MAD * median_of(scratch, n - 1) / sqrt(2);
}

static void learn(struct level_watch *w)
{
	size_t n = w->n_baseline < LEVEL_BASELINE ? w->n_baseline : LEVEL_BASELINE;
	float scratch[LEVEL_BASELINE];
	double least;

	for (size_t i = 0; i < n; i++)
		scratch[i] = value_ago(w, i);
	w->level = median_of(scratch, n);
	w->sigma = estimate_sigma(w, n, scratch);
	least = SIGMA_MIN * scale_of(w->level);
	if (w->sigma < least)
		w->sigma = least;
}

static void begin_baseline(struct level_watch *w, size_t n)
{
	w->n_baseline = n;
	w->above = w->below = (struct level_sum){ 0 };
	w->n_alarmed = 0;
	learn(w);
}

/* ---- alarm ---- */

/* Returns whether there is an alarm. */
static bool sum_up(struct level_sum *s, double beyond, double sigma)
{
	s->sum += beyond - K * sigma;
	s->run++;
	if (s->sum <= 0)
		*s = (struct level_sum){ 0 };
	return s->sum > H * sigma;
}

/* ---- sides ---- */

struct side {
	double median, mean;
};

/* Of the LEVEL_SIDE values that end so many before the newest. */
static struct side side_ending(const struct level_watch *w, size_t ago)
{
	float values[LEVEL_SIDE];
	double sum = 0;

	for (size_t i = 0; i < LEVEL_SIDE; i++) {
		values[i] = value_ago(w, ago + i);
		sum += (double)values[i];
	}
	return (struct side){ median_of(values, LEVEL_SIDE), sum / LEVEL_SIDE };
}

/* How far the means are apart, 0 where the medians are not; the side after ends `ago`. */
static double distance_of_sides(const struct level_watch *w, size_t ago, struct level_change *ret)
{
	struct side before, after;

	if (ago + 2 * LEVEL_SIDE > w->n_level || ago + 2 * LEVEL_SIDE > LEVEL_BASELINE)
		return 0;
	before = side_ending(w, ago + LEVEL_SIDE);
	after = side_ending(w, ago);
	if (fabs(after.median - before.median) < APART * scale_of(before.median))
		return 0;
	*ret = (struct level_change){ ago + LEVEL_SIDE - 1, before.median, after.median };
	return fabs(after.mean - before.mean);
}

/* From NEARBY values before the sum began on. */
static bool find_change(const struct level_watch *w, struct level_change *ret)
{
	double furthest = 0;

	for (size_t ago = 0; ago + LEVEL_SIDE <= w->n_alarmed + NEARBY; ago++) {
		struct level_change change = { 0 };
		double distance = distance_of_sides(w, ago, &change);

		if (distance <= furthest)
			continue;
		furthest = distance;
		*ret = change;
	}
	return furthest > 0;
}

/* Where the newest place is the best one so far, the next may be better yet. */
static bool end_alarm(struct level_watch *w, struct level_change *ret)
{
	struct level_change change = { 0 };
	bool found = find_change(w, &change);

	if (found && change.n_values_ago < LEVEL_SIDE && w->n_alarmed < WAIT_AT_MOST)
		return false;
	if (found) {
		*ret = change;
		w->n_level = change.n_values_ago + 1;
	}
	begin_baseline(w, found ? w->n_level : LEVEL_SIDE);
	return found;
}

static void sum_up_value(struct level_watch *w, double value)
{
	bool rises = sum_up(&w->above, value - w->level, w->sigma);
	bool falls = sum_up(&w->below, w->level - value, w->sigma);

	if (rises)
		w->n_alarmed = w->above.run;
	else if (falls)
		w->n_alarmed = w->below.run;
}

bool level_watch_add(struct level_watch *w, float value, struct level_change *ret)
{
	if (isnan(value)) {
		*w = (struct level_watch){ .n_values = 0 };
		return false;
	}
	w->ring[w->n_values++ % LEVEL_BASELINE] = value;
	w->n_level++;
	w->n_baseline++;
	if (w->n_alarmed > 0) {
		w->n_alarmed++;
	} else {
		if (w->n_baseline == LEVEL_SIDE || w->n_baseline == LEVEL_BASELINE / 2 ||
		    w->n_baseline == LEVEL_BASELINE)
			learn(w);
		if (w->n_baseline > LEVEL_SIDE)
			sum_up_value(w, (double)value);
	}
	return w->n_alarmed >= LEVEL_SIDE + NEARBY && end_alarm(w, ret);
}
