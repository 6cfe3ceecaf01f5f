/* The band behind a curve: low and peak as STATISTICS.md defines them. */
#ifndef RAIDTOP_BANDS_H
#define RAIDTOP_BANDS_H

#include <stdbool.h>
#include <stddef.h>

#include "raidtop/history.h"

struct band {
	size_t n;   /* values that it rests on; 0: nothing known */
	double low; /* 5th percentile by nearest rank where n >= 20, else the minimum */
	double mean;
	double peak; /* 95th, else the maximum */
	double min, max;
	bool from_quantiles; /* n >= 20 */
};

/*
 * Of the known cells' values (their means; min and max from the cells' extremes). `scratch`
 * has room for `n` floats. No allocation.
 */
void band_compute(struct band *band, const struct history_cell *cells, size_t n, float *scratch);

/* Of plain values, which it sorts in place. No NAN. No allocation. */
void band_of_values(struct band *band, float *values, size_t n);

#endif
