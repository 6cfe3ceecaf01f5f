/*
 * How sure a mean is. One-second values of a disk are correlated, so an interval that takes them
 * for independent is several times too narrow (3 to 4 times on real series); means of long batches
 * are nearly independent.
 */
#ifndef RAIDTOP_CONFIDENCE_H
#define RAIDTOP_CONFIDENCE_H

#include <stdbool.h>
#include <stddef.h>

#define CONFIDENCE_BATCHES_MIN 20
#define CONFIDENCE_BATCHES_MAX 30

enum confidence_state {
	CONFIDENCE_UNKNOWN,    /* fewer than 20 values, or a gap among them */
	CONFIDENCE_UNRELIABLE, /* "interval unreliable": batches are correlated however long */
	CONFIDENCE_RELIABLE,
};

struct confidence {
	enum confidence_state state;
	double mean;       /* of the values that are in batches */
	double half_width; /* of the interval of 95 %: mean - half_width to mean + half_width */
	double lag1;       /* correlation of batch means with the next, at the last length tried */
	size_t n_batches;  /* 20 to 30 */
	size_t batch_length; /* values in each; those left over, at the beginning, are left out */
};

/*
 * By batch means (Law and Carson: doi 10.1287/opre.27.5.1011, simplified): the length of a batch
 * doubles from one value until the lag-1 correlation of the batch means is below 0.2; then as many
 * batches as there can be of at least that length, 30 at most, and Student's t at 95 % for them.
 * With fewer than 20 batches the interval is unreliable; it is then that of 20 batches, so that it
 * can be shown as such. Values are any figure, one a second; a NAN anywhere makes it unknown: give
 * it a stretch (seconds_find_stretch) without its warm-up. No allocation.
 *
 * On autoregressive noise 92 to 96 % of the intervals cover the true mean, down to correlations
 * that fade within a thirtieth of the series; of shorter ones the test lets some pass as reliable
 * that are too narrow.
 */
void confidence_compute(struct confidence *ret, const float *values, size_t n);

/*
 * The probability that the median of all runs that could be lies between the smallest and the
 * largest of `n` independent ones: 1 - 2^(1 - n); 6 runs give 0.97. 0 for no run.
 */
double confidence_of_range(size_t n_runs);

#endif
