/*
 * Order statistics of plain values: nearest ranks and medians. No value may be NAN: callers leave
 * gaps out. Nothing here allocates.
 */
#ifndef RAIDTOP_QUANTILE_H
#define RAIDTOP_QUANTILE_H

#include <stddef.h>

/* Sorts in place, smallest first. */
void quantile_sort(float *values, size_t n);

/*
 * Of sorted values, n >= 1, 1 <= percent <= 100: the smallest one that so many percent of all do
 * not exceed (nearest rank); always one that occurred.
 */
double quantile_nearest_rank(const float *sorted, size_t n, size_t percent);

/* Of sorted values, n >= 1: the middle one, or the mean of the two in the middle. */
double quantile_median(const float *sorted, size_t n);

/* As above, n >= 2, of all but one; `value` is the one left out, and among them. */
double quantile_median_without(const float *sorted, size_t n, float value);

#endif
