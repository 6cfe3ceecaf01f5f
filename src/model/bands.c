/*
 * Quantiles by nearest rank: the smallest value that so many percent of all do not exceed, always
 * one that occurred. They are the same whatever the order, so a plain sort in the caller's memory
 * does it; the C library's may allocate.
 */
#include "raidtop/bands.h"

/* From so many values on, the 5th and 95th percentile are neither extreme. */
#define QUANTILES_FROM 20

/* Shell's sort with Ciura's gaps; a window of a screen has some hundreds of values. */
static void sort(float *values, size_t n)
{
	static const size_t gaps[] = { 3548, 1577, 701, 301, 132, 57, 23, 10, 4, 1 };

	for (size_t g = 0; g < sizeof(gaps) / sizeof(gaps[0]); g++)
		for (size_t gap = gaps[g], i = gap; i < n; i++) {
			float value = values[i];
			size_t k = i;

			for (; k >= gap && values[k - gap] > value; k -= gap)
				values[k] = values[k - gap];
			values[k] = value;
		}
}

/* Of sorted values; 1 <= percent <= 100. */
static double nearest_rank(const float *values, size_t n, size_t percent)
{
	size_t rank = (n * percent + 99) / 100;

	return (double)values[rank - 1];
}

void band_compute(struct band *band, const struct history_cell *cells, size_t n, float *scratch)
{
	double sum = 0;

	*band = (struct band){ .n = 0 };
	for (size_t i = 0; i < n; i++) {
		const struct history_cell *c = &cells[i];

		if (!c->known)
			continue;
		if (band->n == 0 || (double)c->min < band->min)
			band->min = (double)c->min;
		if (band->n == 0 || (double)c->max > band->max)
			band->max = (double)c->max;
		sum += (double)c->mean;
		scratch[band->n++] = c->mean;
	}
	if (band->n == 0)
		return;
	band->mean = sum / (double)band->n;
	band->from_quantiles = band->n >= QUANTILES_FROM;
	sort(scratch, band->n);
	band->low = band->from_quantiles ? nearest_rank(scratch, band->n, 5) : (double)scratch[0];
	band->peak = band->from_quantiles ? nearest_rank(scratch, band->n, 95)
					  : (double)scratch[band->n - 1];
}
