/*
 * Samples never come exactly when they should. One second after the other is filled with the
 * samples at hand, none is cut in two, and a second ends with the sample nearest to its end; so a
 * series keeps step with the samples, and an early or late one changes a slot's length, never the
 * truth of its value. A gap ends a slot wherever it stands.
 */
#include "raidtop/seconds.h"

#include <math.h>

#include "raidtop/clock.h"

void seconds_fold_init(struct seconds_fold *fold, uint64_t interval_us)
{
	*fold = (struct seconds_fold){
		.slot_us = interval_us > US_PER_SEC ? interval_us : US_PER_SEC,
		.interval_us = interval_us ? interval_us : US_PER_SEC,
		.demanded = true,
	};
}

static float close_slot(struct seconds_fold *fold)
{
	double value = fold->bytes * (double)US_PER_SEC / (double)fold->time_us;

	fold->bytes = 0;
	fold->time_us = 0;
	return (float)value;
}

bool seconds_fold_add(struct seconds_fold *fold, double bytes, uint64_t time_us, bool demanded,
		      float *ret_value)
{
	fold->bytes += bytes;
	fold->time_us += time_us;
	fold->all_bytes += bytes;
	fold->all_us += time_us;
	fold->demanded = fold->demanded && demanded;
	if (fold->time_us + fold->interval_us / 2 < fold->slot_us)
		return false;
	*ret_value = close_slot(fold);
	return true;
}

bool seconds_fold_end(struct seconds_fold *fold, float *ret_value)
{
	if (fold->time_us == 0 || fold->time_us < fold->slot_us / 2) {
		fold->bytes = 0;
		fold->time_us = 0;
		return false;
	}
	*ret_value = close_slot(fold);
	return true;
}

double seconds_fold_mean(const struct seconds_fold *fold)
{
	return fold->all_us ? fold->all_bytes * (double)US_PER_SEC / (double)fold->all_us
			    : (double)NAN;
}

void seconds_from_cells(struct seconds *ret, const struct history_cell *cells, size_t n,
			uint64_t cell_us, float *values)
{
	double sum = 0;
	size_t known = 0;

	for (size_t i = 0; i < n; i++) {
		values[i] = cells[i].known ? cells[i].mean : NAN;
		if (!cells[i].known)
			continue;
		sum += (double)cells[i].mean;
		known++;
	}
	*ret = (struct seconds){
		.values = values,
		.n = n,
		.slot_us = cell_us,
		.mean = known ? sum / (double)known : (double)NAN,
	};
}

size_t seconds_find_stretch(const float *values, size_t n, size_t *ret_first)
{
	size_t longest = 0, length = 0;

	*ret_first = 0;
	for (size_t i = 0; i < n; i++) {
		length = isnan(values[i]) ? 0 : length + 1;
		if (length == 0 || length < longest)
			continue;
		longest = length;
		*ret_first = i + 1 - length;
	}
	return longest;
}
