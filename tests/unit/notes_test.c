/* Dips and words: known series, and properties of any series. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "raidtop/memory.h"
#include "raidtop/notes.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))
#define MAX 512
#define SECOND_US 1000000ULL
#define MB 1e6f

static float values[MAX], scratch[MAX];

static const struct note_style plain = { UNITS_SI, true, "-" };

static struct seconds series_of(size_t n, bool demanded)
{
	double sum = 0;
	size_t known = 0;

	for (size_t i = 0; i < n; i++)
		if (!isnan(values[i])) {
			sum += (double)values[i];
			known++;
		}
	return (struct seconds){ values, n, SECOND_US, known ? sum / (double)known : (double)NAN,
				 demanded };
}

/* ---- known series ---- */

/* A pattern in MB/s, repeated until there are n values. */
static const struct word_case {
	const char *name;
	float pattern[64];
	size_t period, n;
	enum note_kind kind;
	const char *text;
} word_cases[] = {
	{ "nothing", { 0 }, 1, 0, NOTE_NONE, "" },
	{ "one value", { 100 }, 1, 1, NOTE_NONE, "" },
	{ "nothing moved", { 0 }, 1, 60, NOTE_NONE, "" },
	{ "constant", { 213 }, 1, 60, NOTE_STEADY, "steady" },
	{ "CV 4.9 %", { 188, 200, 212 }, 3, 120, NOTE_STEADY, "steady" },
	{ "CV 5.1 %", { 187.5f, 200, 212.5f }, 3, 120, NOTE_VARYING, "varying" },
	{ "CV 9.8 %", { 176, 200, 224 }, 3, 120, NOTE_VARYING, "varying" },
	{ "CV 10.2 %, both less than 15 % off: both are named",
	  { 175, 200, 225 },
	  3,
	  120,
	  NOTE_PEAK_LOW,
	  "(peak: 225+ MB/s low: 175+ MB/s)" },
	{ "CV 14.9 %",
	  { 163.5f, 200, 236.5f },
	  3,
	  120,
	  NOTE_PEAK_LOW,
	  "(peak: 235+ MB/s low: 160+ MB/s)" },
	{ "CV 15.1 %", { 163, 200, 237 }, 3, 120, NOTE_WILD, "(wildly fluctuating 163-237 MB/s)" },
	{ "both are 15 % off",
	  { 168, 200, 234 },
	  3,
	  120,
	  NOTE_PEAK_LOW,
	  "(peak: 230+ MB/s low: 165+ MB/s)" },
	{ "the peak alone is", { 190, 190, 244 }, 3, 120, NOTE_PEAK, "(peak: 240+ MB/s)" },
	{ "the low alone is", { 161, 200, 215 }, 3, 120, NOTE_LOW, "(low: 160+ MB/s)" },
	{ "90 to 130, as of old",
	  { 110, 131.2f, 110, 90.4f },
	  4,
	  120,
	  NOTE_PEAK_LOW,
	  "(peak: 130+ MB/s low: 90+ MB/s)" },
	{ "120 to 200, as of old",
	  { 160, 188, 200, 188, 160, 132, 120, 132 },
	  8,
	  120,
	  NOTE_WILD,
	  "(wildly fluctuating 120-200 MB/s)" },
	{ "few values: minimum and maximum",
	  { 100, 200, 300 },
	  3,
	  12,
	  NOTE_WILD,
	  "(wildly fluctuating 100-300 MB/s)" },
	{ "a dip",
	  { 213, 213, 213, 213, 213, 213, 213, 213, 213, 213, 213, 213, 160, 213, 213 },
	  15,
	  60,
	  NOTE_DIPS,
	  "(dips down to 160 MB/s)" },
	{ "dips before peak and low",
	  { 210, 210, 210, 210, 159.6f },
	  5,
	  100,
	  NOTE_DIPS,
	  "(dips down to 160 MB/s)" },
	{ "dips that fill a quarter are none",
	  { 210, 210, 210, 150 },
	  4,
	  120,
	  NOTE_LOW,
	  "(low: 150+ MB/s)" },
	{ "wild before dips",
	  { 210, 210, 210, 210, 210, 210, 210, 20 },
	  8,
	  120,
	  NOTE_WILD,
	  "(wildly fluctuating 20-210 MB/s)" },
};

static void words_of_known_series(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(word_cases); i++) {
		const struct word_case *c = &word_cases[i];
		struct seconds s;
		struct note note;
		char text[80];

		for (size_t k = 0; k < c->n; k++)
			values[k] = c->pattern[k % c->period] * MB;
		s = series_of(c->n, true);
		note_compute(&note, &s, scratch);
		print_message("  %s (%.1f %%)\n", c->name, note.variation_pct);
		assert_int_equal(note.kind, c->kind);
		assert_int_equal(note_format(text, sizeof(text), &note, &plain), strlen(c->text));
		assert_string_equal(text, c->text);
	}
}

static void without_demand_a_lull_is_nothing(void **state)
{
	struct note note;
	struct seconds s;
	char text[80];

	(void)state;
	for (size_t i = 0; i < 60; i++)
		values[i] = i == 40 ? 0 : 200 * MB;
	s = series_of(60, false);
	note_compute(&note, &s, scratch);
	assert_int_equal(note.kind, NOTE_DEMAND_VARIES);
	assert_int_equal(note.dips.count, 0);
	note_format(text, sizeof(text), &note, &plain);
	assert_string_equal(text, "demand varies");
	s.demanded = true;
	note_compute(&note, &s, scratch);
	assert_int_equal(note.kind, NOTE_DIPS);
	assert_int_equal(note.dips.count, 1);
}

/* The value below which a part of a normal distribution lies, by halving. */
static double normal_quantile(double part)
{
	double low = -9, high = 9;

	while (high - low > 1e-9) {
		double middle = (low + high) / 2;

		if (erfc(-middle / sqrt(2)) / 2 < part)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* What the limits were calibrated on: notes of old taken as P5 and P95 of a normal series. */
static void limits_are_those_of_the_old_notes(void **state)
{
	static const struct {
		double low, peak, variation_pct;
		bool wild;
	} cases[] = { { 120, 200, 15, true }, { 90, 130, 11, false } };

	(void)state;
	for (size_t c = 0; c < COUNT(cases); c++) {
		double mean = (cases[c].low + cases[c].peak) / 2;
		double deviation = (cases[c].peak - mean) / normal_quantile(0.95);
		struct seconds s;
		struct note note;

		for (size_t i = 0; i < 500; i++) /* 211 is prime: an order without order */
			values[i] =
				(float)(mean + deviation * normal_quantile(
								   ((double)(i * 211 % 500) + 0.5) /
								   500)) *
				MB;
		s = series_of(500, true);
		note_compute(&note, &s, scratch);
		print_message("  %.0f-%.0f: CV %.2f %%\n", note.band.low / 1e6,
			      note.band.peak / 1e6, note.variation_pct);
		assert_true(fabs(note.variation_pct - cases[c].variation_pct) < 0.5);
		assert_true(fabs(note.band.low / 1e6 - cases[c].low) < 0.5);
		assert_true(fabs(note.band.peak / 1e6 - cases[c].peak) < 0.5);
		assert_int_equal(note.kind == NOTE_WILD, cases[c].wild);
	}
}

static const struct text_case {
	const char *name;
	struct note note;
	struct note_style style;
	const char *text;
} text_cases[] = {
	{ "no unit, a dash",
	  { .kind = NOTE_WILD, .band = { .low = 120.4e6, .peak = 199.6e6 } },
	  { UNITS_SI, false, "\u2013" },
	  "(wildly fluctuating 120\u2013200)" },
	{ "MiB/s",
	  { .kind = NOTE_DIPS, .dips = { .count = 1, .deepest = 1048576 * 158.4 } },
	  { UNITS_IEC, true, "-" },
	  "(dips down to 158 MiB/s)" },
	{ "multiples of 5 in the unit that is shown",
	  { .kind = NOTE_PEAK_LOW, .band = { .low = 1048576 * 94.9, .peak = 1048576 * 130 } },
	  { UNITS_IEC, false, "-" },
	  "(peak: 130+ low: 90+)" },
	{ "rounded down, never up",
	  { .kind = NOTE_PEAK_LOW, .band = { .low = 89.9e6, .peak = 134.9e6 } },
	  { UNITS_SI, true, "-" },
	  "(peak: 130+ MB/s low: 85+ MB/s)" },
	{ "a multiple stays",
	  { .kind = NOTE_PEAK, .band = { .peak = 155e6 } },
	  { UNITS_SI, true, "-" },
	  "(peak: 155+ MB/s)" },
	{ "small ones",
	  { .kind = NOTE_LOW, .band = { .low = 14.9e6 } },
	  { UNITS_SI, true, "-" },
	  "(low: 10+ MB/s)" },
	{ "below ten",
	  { .kind = NOTE_LOW, .band = { .low = 9.4e6 } },
	  { UNITS_SI, true, "-" },
	  "(low: 9.0+ MB/s)" },
	{ "below one",
	  { .kind = NOTE_LOW, .band = { .low = 0.88e6 } },
	  { UNITS_SI, true, "-" },
	  "(low: 0.85+ MB/s)" },
	{ "nothing",
	  { .kind = NOTE_LOW, .band = { .low = 0 } },
	  { UNITS_SI, true, "-" },
	  "(low: 0.00+ MB/s)" },
	{ "thousands",
	  { .kind = NOTE_PEAK_LOW, .band = { .low = 12344e6, .peak = 17001e6 } },
	  { UNITS_SI, true, "-" },
	  "(peak: 17000+ MB/s low: 12340+ MB/s)" },
};

static void texts(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(text_cases); i++) {
		const struct text_case *c = &text_cases[i];
		char text[80], small[6];

		print_message("  %s\n", c->name);
		assert_int_equal(note_format(text, sizeof(text), &c->note, &c->style),
				 strlen(c->text));
		assert_string_equal(text, c->text);
		assert_true(note_format(small, sizeof(small), &c->note, &c->style) < sizeof(small));
		assert_int_equal(strncmp(small, c->text, strlen(small)), 0);
	}
}

/* ---- dips ---- */

/* A constant series with one fall: where it begins, how long it is, and what is found. */
static const struct dip_case {
	const char *name;
	size_t n, at, length;
	float level; /* of 200 */
	size_t count, n_values;
} dip_cases[] = {
	{ "none", 60, 0, 0, 200, 0, 0 },
	{ "one", 60, 40, 1, 100, 1, 1 },
	{ "three seconds", 60, 40, 3, 0, 1, 3 },
	{ "at 0.8 it is none", 60, 40, 3, 160, 0, 0 },
	{ "below it is", 60, 40, 3, 159.9f, 1, 3 },
	{ "in the first 5 s", 60, 0, 5, 100, 0, 0 },
	{ "on the 6th", 60, 5, 1, 100, 1, 1 },
	{ "in the last slot", 60, 59, 1, 100, 0, 0 },
	{ "up to the last slot", 60, 57, 3, 100, 1, 2 },
	{ "29 values", 29, 20, 2, 100, 0, 0 },
	{ "30 values", 30, 20, 2, 100, 1, 2 },
	{ "a fall for good is one until the old level is forgotten", 100, 50, 50, 100, 1, 16 },
};

static void one_fall_of_a_constant(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(dip_cases); i++) {
		const struct dip_case *c = &dip_cases[i];
		struct seconds s;
		struct dips dips;

		for (size_t k = 0; k < c->n; k++)
			values[k] = (k >= c->at && k < c->at + c->length ? c->level : 200) * MB;
		s = series_of(c->n, true);
		dips_find(&dips, &s);
		print_message("  %s: %zu, %zu values\n", c->name, dips.count, dips.n_values);
		assert_int_equal(dips.count, c->count);
		assert_int_equal(dips.n_values, c->n_values);
		assert_true(dips.seconds == (double)c->n_values);
		assert_true(dips.deepest == (c->count ? (double)(c->level * MB) : 0));
	}
}

static void a_long_interval_makes_long_dips(void **state)
{
	struct seconds s;
	struct dips dips;

	(void)state;
	for (size_t k = 0; k < 40; k++)
		values[k] = k == 20 || k == 21 || k == 30 ? 1 : 9;
	s = series_of(40, true);
	s.slot_us = 5 * SECOND_US;
	dips_find(&dips, &s);
	assert_int_equal(dips.count, 2);
	assert_true(dips.seconds == 15);
}

/* A gap ends a dip, and what was before it is no measure for what comes after. */
static void gaps_part_a_series(void **state)
{
	struct seconds s;
	struct dips dips;

	(void)state;
	for (size_t k = 0; k < 80; k++)
		values[k] = k < 40 ? 200 : 50; /* after a gap another level is no dip */
	values[40] = NAN;
	s = series_of(80, true);
	dips_find(&dips, &s);
	assert_int_equal(dips.count, 0);

	for (size_t k = 20; k < 23; k++)
		values[k] = 100;
	values[21] = NAN; /* the dip before it; the one after is in the first 5 s */
	dips_find(&dips, &s);
	assert_int_equal(dips.count, 1);
	assert_int_equal(dips.n_values, 1);
}

/* ---- properties of any series ---- */

static uint64_t seed = 4;

static double any_part(void)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (double)(seed >> 11) / 9007199254740992.0;
}

/* A wandering series with jumps, falls and gaps. */
static size_t any_series(void)
{
	size_t n = (size_t)(any_part() * MAX);
	double level = 10 + 190 * any_part(), noise = 0.3 * any_part() * any_part();
	double falls = any_part() * 0.3 * any_part(), gaps = any_part() < 0.5 ? 0 : 0.02;

	for (size_t i = 0; i < n; i++) {
		double value = level * (1 + noise * (2 * any_part() - 1));

		if (any_part() < 0.01)
			level = 10 + 190 * any_part();
		if (any_part() < falls)
			value *= any_part();
		values[i] = any_part() < gaps ? NAN : (float)(value * 1e6);
	}
	return n;
}

static int by_size(const void *a, const void *b)
{
	const float *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* The definition word for word: the 30 values before, sorted anew for each value. */
static bool is_below_its_past(size_t at)
{
	float past[30];
	size_t n = 0;
	double median;

	for (size_t i = at; i > 0 && n < 30 && !isnan(values[i - 1]); i--)
		past[n++] = values[i - 1];
	if (n < 5 || isnan(values[at]))
		return false;
	qsort(past, n, sizeof(float), by_size);
	median = ((double)past[(n - 1) / 2] + (double)past[n / 2]) / 2;
	return (double)values[at] < 0.8 * median;
}

static struct dips dips_by_definition(size_t n)
{
	struct dips dips = { .count = 0 };
	size_t known = 0, last = 0;
	bool before = false;

	for (size_t i = 0; i < n; i++)
		if (!isnan(values[i])) {
			known++;
			last = i;
		}
	for (size_t i = 0; known >= 30 && i < last; i++) {
		bool now = is_below_its_past(i);

		if (now && (dips.n_values == 0 || (double)values[i] < dips.deepest))
			dips.deepest = (double)values[i];
		dips.count += now && !before;
		dips.n_values += now;
		before = now;
	}
	return dips;
}

static void dips_of_any_series_are_as_defined(void **state)
{
	size_t n_with = 0;

	(void)state;
	for (int round = 0; round < 400; round++) {
		struct seconds s = series_of(any_series(), true);
		struct dips expected = dips_by_definition(s.n), got;

		dips_find(&got, &s);
		assert_int_equal(got.count, expected.count);
		assert_int_equal(got.n_values, expected.n_values);
		assert_true(got.deepest == expected.deepest);
		assert_true(got.count <= got.n_values && got.n_values <= s.n);
		n_with += got.count > 0;
	}
	assert_true(n_with > 100 && n_with < 400);
}

static bool kind_is_right(const struct note *note)
{
	double cv = note->variation_pct;
	bool dips =
		note->dips.count > 0 && (double)note->dips.n_values <= 0.2 * (double)note->band.n;
	bool peak_off = note->band.peak >= 1.15 * note->mean;
	bool low_off = note->band.low <= 0.85 * note->mean;

	switch (note->kind) {
	case NOTE_NONE:
		return note->band.n < 2;
	case NOTE_DEMAND_VARIES:
		return false;
	case NOTE_WILD:
		return cv >= 15;
	case NOTE_DIPS:
		return cv < 15 && dips;
	case NOTE_PEAK_LOW:
		return cv < 15 && cv >= 10 && !dips && peak_off == low_off;
	case NOTE_PEAK:
		return cv < 15 && cv >= 10 && !dips && peak_off && !low_off;
	case NOTE_LOW:
		return cv < 15 && cv >= 10 && !dips && !peak_off && low_off;
	case NOTE_VARYING:
		return cv < 10 && cv >= 5 && !dips;
	case NOTE_STEADY:
		return cv < 5 && !dips;
	}
	return false;
}

/* Each series has the one word whose conditions it meets, and all words occur. */
static void words_of_any_series(void **state)
{
	size_t seen[NOTE_STEADY + 1] = { 0 };

	(void)state;
	for (int round = 0; round < 4000; round++) {
		struct seconds s = series_of(any_series(), true);
		struct note note;

		note_compute(&note, &s, scratch);
		assert_true(kind_is_right(&note));
		seen[note.kind]++;
	}
	for (int kind = 0; kind <= NOTE_STEADY; kind++)
		print_message("  kind %d: %zu times\n", kind, seen[kind]);
	for (int kind = 0; kind <= NOTE_STEADY; kind++)
		assert_true(seen[kind] > 0 || kind == NOTE_DEMAND_VARIES);
}

/* The words do not depend on how large the figures are (doubling is exact). */
static void words_do_not_depend_on_the_scale(void **state)
{
	(void)state;
	for (int round = 0; round < 400; round++) {
		struct seconds s = series_of(any_series(), true);
		struct note once, twice;

		note_compute(&once, &s, scratch);
		for (size_t i = 0; i < s.n; i++)
			values[i] *= 2;
		s.mean *= 2;
		note_compute(&twice, &s, scratch);
		assert_int_equal(once.kind, twice.kind);
		assert_int_equal(once.dips.n_values, twice.dips.n_values);
		assert_true(twice.dips.deepest == 2 * once.dips.deepest);
		assert_true(twice.variation_pct == once.variation_pct);
	}
}

static void no_allocation(void **state)
{
	size_t before = memory_allocations();
	struct seconds s = series_of(any_series(), true);
	struct note note;
	char text[80];

	(void)state;
	note_compute(&note, &s, scratch);
	note_format(text, sizeof(text), &note, &plain);
	assert_int_equal(memory_allocations() - before, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_of_known_series),
		cmocka_unit_test(without_demand_a_lull_is_nothing),
		cmocka_unit_test(limits_are_those_of_the_old_notes),
		cmocka_unit_test(texts),
		cmocka_unit_test(one_fall_of_a_constant),
		cmocka_unit_test(a_long_interval_makes_long_dips),
		cmocka_unit_test(gaps_part_a_series),
		cmocka_unit_test(dips_of_any_series_are_as_defined),
		cmocka_unit_test(words_of_any_series),
		cmocka_unit_test(words_do_not_depend_on_the_scale),
		cmocka_unit_test(no_allocation),
	};

	return cmocka_run_group_tests_name("notes", tests, NULL, NULL);
}
