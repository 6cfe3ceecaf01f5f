/*
 * A series of one-second values: what dips, words, warm-up and confidence are judged on.
 *
 * A value is bytes per second over a slot, a second of finer samples or one sample where they are
 * a second apart or more; it is NAN where there is none (a gap), and no reader carries anything
 * across a gap. Bytes and times of a slot's samples are summed, so a value is right however
 * unequal they were; the mean of a series is all bytes over all time, not the mean of its values.
 */
#ifndef RAIDTOP_SECONDS_H
#define RAIDTOP_SECONDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "raidtop/history.h"

/* The memory of the values is the caller's. */
struct seconds {
	const float *values; /* bytes per second, >= 0; NAN: a gap */
	size_t n;
	uint64_t slot_us; /* nominal: a second, or the interval where it is longer: to be told */
	double mean;      /* bytes per second; NAN: not known */
	/*
	 * Load was asked for all the time: a stream of raidtop itself ran, or requests were in
	 * flight throughout each slot. Only then a lull is the device's doing.
	 */
	bool demanded;
};

/* The slot that is not over, and the sums of all samples: a series while it grows. */
struct seconds_fold {
	uint64_t slot_us, interval_us; /* nominal */
	double bytes;                  /* of the open slot */
	uint64_t time_us;
	double all_bytes;
	uint64_t all_us;
	bool demanded; /* in all samples so far */
};

/* For samples that come every `interval_us` (0 counts as a second). */
void seconds_fold_init(struct seconds_fold *fold, uint64_t interval_us);

/*
 * Adds a sample: so many bytes in so much measured time. `demanded`: see struct seconds, of this
 * sample. Returns whether a slot is over, its value in *ret_value, untouched otherwise. A slot is
 * over where half a nominal sample more would be beyond its nominal length: one that is shorter
 * than half of it goes on into the next.
 */
bool seconds_fold_add(struct seconds_fold *fold, double bytes, uint64_t time_us, bool demanded,
		      float *ret_value);

/*
 * At a gap, and at the end: the open slot ends here. As above; a rest shorter than half a slot is
 * no value, but counts in the mean. After a gap the caller appends a NAN.
 */
bool seconds_fold_end(struct seconds_fold *fold, float *ret_value);

/* All bytes over all time, bytes per second; NAN where there was none. */
double seconds_fold_mean(const struct seconds_fold *fold);

/*
 * A series of what the history holds, read with cells of a slot's length; unknown cells are gaps.
 * `values` has room for `n` and must last as long as the series. The mean is the values' mean
 * (cells are equally long). Whether load was demanded, the history does not know: false.
 */
void seconds_from_cells(struct seconds *ret, const struct history_cell *cells, size_t n,
			uint64_t cell_us, float *values);

/*
 * The longest stretch without a gap, the later of equal ones: its length, 0 where no value is
 * known, and where it begins in *ret_first.
 */
size_t seconds_find_stretch(const float *values, size_t n, size_t *ret_first);

#endif
