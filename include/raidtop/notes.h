/*
 * Notes: how a series wavers, in the words that people write beside a figure by hand, as
 * "(dips down to 160 MB/s)" or "(peak: 130+ MB/s low: 90+ MB/s)".
 */
#ifndef RAIDTOP_NOTES_H
#define RAIDTOP_NOTES_H

#include <stdbool.h>
#include <stddef.h>

#include "raidtop/bands.h"
#include "raidtop/seconds.h"
#include "raidtop/units.h"

/*
 * Dips: runs of values below 0.8 times the median of the (up to) 30 values before each. There is
 * none in the first 5 values, of the series or after a gap, none in the last value (it may have
 * ended early), and none at all where fewer than 30 values are known.
 */
struct dips {
	size_t count;
	size_t n_values; /* in all of them */
	double seconds;  /* the same as time: n_values slots */
	double deepest;  /* bytes per second; 0 where count is 0 */
};

/* No allocation; the time grows with the number of values alone. */
void dips_find(struct dips *dips, const struct seconds *series);

/* In the order in which they are tried: the first that applies is the note. */
enum note_kind {
	NOTE_NONE,          /* fewer than two values, or all of them 0 */
	NOTE_DEMAND_VARIES, /* load was not demanded all the time: a lull says nothing */
	NOTE_WILD,          /* coefficient of variation >= 15 % */
	NOTE_DIPS,          /* there are dips, and they fill at most 20 % of the time */
	NOTE_PEAK_LOW,      /* CV >= 10 % */
	NOTE_PEAK,    /* as above, and of peak and low only the peak is >= 15 % off the mean */
	NOTE_LOW,     /* the same of the low */
	NOTE_VARYING, /* CV >= 5 % */
	NOTE_STEADY,
};

struct note {
	enum note_kind kind;
	struct band band;     /* n, low, peak, ... of the known values */
	struct dips dips;     /* known whatever the kind, but no dips where demand varies */
	double mean;          /* of the series: bytes over time */
	double variation_pct; /* standard deviation (n - 1) in percent of the values' mean */
};

/* `scratch` has room for as many floats as the series has values. No allocation. */
void note_compute(struct note *note, const struct seconds *series, float *scratch);

/* How a note is written. */
struct note_style {
	enum units units;
	bool with_unit; /* "160 MB/s", or "160" where a heading tells the unit */
	const char *to; /* between two ends: "-", or a dash where the terminal has one */
};

/*
 * "(dips down to 160 MB/s)", "(wildly fluctuating 120-200 MB/s)", "(peak: 130+ MB/s low: 90+
 * MB/s)", "varying", "steady", "demand varies", or "" where there is nothing to say. Peak and low
 * are rounded down to a multiple of 5 (below 10, where that would say nothing, of 0.5, below 1 of
 * 0.05); other figures are whole from 10 on, with two digits below. Writes at most `size` bytes
 * and returns the length.
 */
size_t note_format(char *buf, size_t size, const struct note *note, const struct note_style *style);

#endif
