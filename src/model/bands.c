/*
 * A band rests on the values in sight. Few of them have no percentile that is not an extreme, so
 * then it is the extremes, and told to be. What lies outside, a cell's smallest and largest
 * sample, is kept apart for those who ask.
 */
#include "raidtop/bands.h"

#include "raidtop/quantile.h"

/* From so many values on, the 5th and 95th percentile are neither extreme. */
#define QUANTILES_FROM 20

void band_of_values(struct band *band, float *values, size_t n)
{
	double sum = 0;

	*band = (struct band){ .n = n };
	if (n == 0)
		return;
	for (size_t i = 0; i < n; i++)
		sum += (double)values[i];
	quantile_sort(values, n);
	band->mean = sum / (double)n;
	band->min = (double)values[0];
	band->max = (double)values[n - 1];
	band->from_quantiles = n >= QUANTILES_FROM;
	band->low = band->from_quantiles ? quantile_nearest_rank(values, n, 5) : band->min;
	band->peak = band->from_quantiles ? quantile_nearest_rank(values, n, 95) : band->max;
}

void band_compute(struct band *band, const struct history_cell *cells, size_t n, float *scratch)
{
	float min = 0, max = 0;
	size_t known = 0;

	for (size_t i = 0; i < n; i++) {
		const struct history_cell *c = &cells[i];

		if (!c->known)
			continue;
		if (known == 0 || c->min < min)
			min = c->min;
		if (known == 0 || c->max > max)
			max = c->max;
		scratch[known++] = c->mean;
	}
	band_of_values(band, scratch, known);
	band->min = (double)min;
	band->max = (double)max;
}
