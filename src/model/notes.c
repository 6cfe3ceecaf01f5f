/*
 * Each value is judged against what was usual just before it, the median of the 30 values before,
 * so that a slow drift is no dip and a lasting fall is one for as long as the old level is
 * remembered. The limits of the words are calibrated on notes written by hand long ago: 120-200
 * was called wildly fluctuating (a coefficient of variation of 15 %), 90-130 a peak and a low
 * (11 %).
 */
#include "raidtop/notes.h"

#include <math.h>
#include <string.h>

#include "raidtop/number.h"
#include "raidtop/quantile.h"
#include "raidtop/text.h"

#define DIP_BELOW 0.8    /* times the median */
#define DIP_MEMORY 30    /* values that the median is of */
#define DIP_WARM_UP 5    /* values before the first that can be one */
#define DIP_VALUES 30    /* a series of fewer has none */
#define DIPS_TIME_PCT 20 /* dips that fill more of the time are no exception */
#define WILD_PCT 15      /* coefficients of variation */
#define PEAK_LOW_PCT 10
#define VARYING_PCT 5
#define OFF_MEAN 0.15 /* a peak or low so far off is worth naming alone */

#define FIGURE_BYTES 48 /* a number and its unit */

/* ---- dips ---- */

/* The last values of a stretch, in the order they came and in their size's. */
struct memory {
	float came[DIP_MEMORY], sorted[DIP_MEMORY];
	size_t n, next;
};

static size_t place_of(const struct memory *m, float value)
{
	size_t i = 0;

	while (i < m->n && m->sorted[i] < value)
		i++;
	return i;
}

static void forget(struct memory *m, float value)
{
	size_t i = place_of(m, value);

	m->n--;
	memmove(&m->sorted[i], &m->sorted[i + 1], (m->n - i) * sizeof(float));
}

static void remember(struct memory *m, float value)
{
	size_t i;

	if (m->n == DIP_MEMORY)
		forget(m, m->came[m->next]);
	m->came[m->next] = value;
	m->next = (m->next + 1) % DIP_MEMORY;
	i = place_of(m, value);
	memmove(&m->sorted[i + 1], &m->sorted[i], (m->n - i) * sizeof(float));
	m->sorted[i] = value;
	m->n++;
}

static bool is_dip(const struct memory *m, float value)
{
	return m->n >= DIP_WARM_UP && (double)value < DIP_BELOW * quantile_median(m->sorted, m->n);
}

static size_t count_known(const struct seconds *series, size_t *ret_last)
{
	size_t known = 0;

	*ret_last = 0;
	for (size_t i = 0; i < series->n; i++)
		if (!isnan(series->values[i])) {
			*ret_last = i;
			known++;
		}
	return known;
}

static void add_dip(struct dips *dips, float value, bool begins)
{
	if (dips->n_values == 0 || (double)value < dips->deepest)
		dips->deepest = (double)value;
	dips->n_values++;
	dips->count += begins;
}

void dips_find(struct dips *dips, const struct seconds *series)
{
	struct memory memory = { .n = 0 };
	bool in_dip = false;
	size_t last;

	*dips = (struct dips){ .count = 0 };
	if (count_known(series, &last) < DIP_VALUES)
		return;
	for (size_t i = 0; i < last; i++) {
		float value = series->values[i];
		bool before = in_dip;

		in_dip = !isnan(value) && is_dip(&memory, value);
		if (in_dip)
			add_dip(dips, value, !before);
		if (isnan(value))
			memory.n = memory.next = 0;
		else
			remember(&memory, value);
	}
	dips->seconds = (double)dips->n_values * (double)series->slot_us / 1e6;
}

/* ---- words ---- */

static double variation_pct(const float *values, size_t n, double mean)
{
	double squares = 0;

	for (size_t i = 0; i < n; i++)
		squares += ((double)values[i] - mean) * ((double)values[i] - mean);
	return 100 * sqrt(squares / (double)(n - 1)) / mean;
}

static enum note_kind peak_or_low(const struct note *note)
{
	bool peak = note->band.peak >= note->mean * (1 + OFF_MEAN);
	bool low = note->band.low <= note->mean * (1 - OFF_MEAN);

	if (peak == low)
		return NOTE_PEAK_LOW;
	return peak ? NOTE_PEAK : NOTE_LOW;
}

static enum note_kind choose(const struct note *note)
{
	if (note->variation_pct >= WILD_PCT)
		return NOTE_WILD;
	if (note->dips.count > 0 && note->dips.n_values * 100 <= note->band.n * DIPS_TIME_PCT)
		return NOTE_DIPS;
	if (note->variation_pct >= PEAK_LOW_PCT)
		return peak_or_low(note);
	return note->variation_pct >= VARYING_PCT ? NOTE_VARYING : NOTE_STEADY;
}

void note_compute(struct note *note, const struct seconds *series, float *scratch)
{
	size_t n = 0;

	*note = (struct note){ .kind = NOTE_NONE, .mean = series->mean };
	for (size_t i = 0; i < series->n; i++)
		if (!isnan(series->values[i]))
			scratch[n++] = series->values[i];
	band_of_values(&note->band, scratch, n);
	if (isnan(note->mean))
		note->mean = note->band.mean;
	if (n < 2 || !(note->band.mean > 0))
		return;
	note->variation_pct = variation_pct(scratch, n, note->band.mean);
	if (!series->demanded) {
		note->kind = NOTE_DEMAND_VARIES;
		return;
	}
	dips_find(&note->dips, series);
	note->kind = choose(note);
}

/* ---- writing ---- */

static double rounded_down(double value)
{
	double step = value >= 10 ? 5 : value >= 1 ? 0.5 : 0.05;

	return floor(value / step + 1e-6) *
	       step; /* 155.000002 stands for 155, as does 154.999998 */
}

/* A figure as people write it by hand: whole, unless that would leave one digit. */
static void write_number(char *number, double value)
{
	unsigned int digits = value >= 9.95 ? 0 : value >= 0.995 ? 1 : 2;

	number_format_double(number, value, digits);
}

static void write_figure(char *buf, size_t size, double value, const char *unit)
{
	char number[NUMBER_BYTES];

	write_number(number, value);
	text_format(buf, size, "%s%s", number, unit);
}

/* "130+ MB/s" */
static void write_rounded(char *buf, size_t size, double value, const char *unit)
{
	char number[NUMBER_BYTES];

	write_number(number, rounded_down(value));
	text_format(buf, size, "%s+%s", number, unit);
}

/* The notes that consist of figures. */
static void write_figures(char *buf, size_t size, const struct note *note,
			  const struct note_style *style, const char *unit)
{
	double low = units_rate(style->units, note->band.low);
	double peak = units_rate(style->units, note->band.peak);
	char first[FIGURE_BYTES], second[FIGURE_BYTES];

	if (note->kind == NOTE_DIPS) {
		write_figure(first, sizeof(first), units_rate(style->units, note->dips.deepest),
			     unit);
		text_format(buf, size, "(dips down to %s)", first);
	} else if (note->kind == NOTE_WILD) {
		write_figure(first, sizeof(first), low, "");
		write_figure(second, sizeof(second), peak, unit);
		text_format(buf, size, "(wildly fluctuating %s%s%s)", first, style->to, second);
	} else {
		write_rounded(first, sizeof(first), peak, unit);
		write_rounded(second, sizeof(second), low, unit);
		if (note->kind == NOTE_PEAK)
			text_format(buf, size, "(peak: %s)", first);
		else if (note->kind == NOTE_LOW)
			text_format(buf, size, "(low: %s)", second);
		else
			text_format(buf, size, "(peak: %s low: %s)", first, second);
	}
}

size_t note_format(char *buf, size_t size, const struct note *note, const struct note_style *style)
{
	static const char *const words[] = {
		[NOTE_NONE] = "",
		[NOTE_DEMAND_VARIES] = "demand varies",
		[NOTE_VARYING] = "varying",
		[NOTE_STEADY] = "steady",
	};
	char unit[FIGURE_BYTES] = "";

	if (size == 0)
		return 0;
	if (style->with_unit)
		text_format(unit, sizeof(unit), " %s", units_rate_name(style->units));
	if (words[note->kind])
		text_copy(buf, size, words[note->kind]);
	else
		write_figures(buf, size, note, style, unit);
	return strlen(buf);
}
