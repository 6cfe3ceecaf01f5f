/*
 * Quantiles by nearest rank are the same whatever the order, so a plain sort in the caller's
 * memory does it; the C library's may allocate. Medians are the customary ones: with an even
 * number of values the mean of both middle ones, so that they do not lean to one side.
 */
#include "raidtop/quantile.h"

/* Shell's sort with Ciura's gaps; a window of a screen has some hundreds of values. */
void quantile_sort(float *values, size_t n)
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

double quantile_nearest_rank(const float *sorted, size_t n, size_t percent)
{
	size_t rank = (n * percent + 99) / 100;

	return (double)sorted[rank - 1];
}

double quantile_median(const float *sorted, size_t n)
{
	return ((double)sorted[(n - 1) / 2] + (double)sorted[n / 2]) / 2;
}

/* Where the first value not below `value` lies. */
static size_t find(const float *sorted, size_t n, float value)
{
	size_t low = 0;

	while (low < n) {
		size_t middle = low + (n - low) / 2;

		if (sorted[middle] < value)
			low = middle + 1;
		else
			n = middle;
	}
	return low;
}

double quantile_median_without(const float *sorted, size_t n, float value)
{
	size_t out = find(sorted, n, value), left = n - 1;
	size_t below = (left - 1) / 2, above = left / 2;

	below += below >= out;
	above += above >= out;
	return ((double)sorted[below] + (double)sorted[above]) / 2;
}
