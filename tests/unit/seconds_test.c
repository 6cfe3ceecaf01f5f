/* One-second values from samples of any length, gaps, and the stretches between them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "raidtop/seconds.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))
#define MS 1000ULL
#define GAP 0 /* a sample of no time stands for a gap in the tables */
#define MAX 32

/* Samples in milliseconds, each of so many bytes; what values (bytes per second) they make. */
static const struct fold_case {
	const char *name;
	uint64_t interval_ms;
	struct {
		uint64_t ms;
		double bytes;
	} samples[12];
	size_t n_samples;
	float values[8];
	size_t n_values;
	double mean;
} fold_cases[] = {
	{ "a sample a second is a value",
	  1000,
	  { { 1000, 100 }, { 1000, 300 }, { 1000, 200 } },
	  3,
	  { 100, 300, 200 },
	  3,
	  200 },
	{ "the measured time counts, not the nominal",
	  1000,
	  { { 1250, 100 }, { 800, 100 } },
	  2,
	  { 80, 125 },
	  2,
	  200 / 2.05 },
	{ "finer samples are summed",
	  250,
	  { { 250, 10 },
	    { 250, 0 },
	    { 250, 30 },
	    { 250, 0 },
	    { 250, 10 },
	    { 250, 10 },
	    { 250, 10 },
	    { 250, 10 } },
	  8,
	  { 40, 40 },
	  2,
	  40 },
	{ "bytes and times are, not rates",
	  500,
	  { { 200, 100 }, { 800, 100 } },
	  2,
	  { 200 },
	  1,
	  200 },
	{ "a slot shorter than half is merged with the next",
	  1000,
	  { { 1000, 100 }, { 300, 90 }, { 1000, 40 }, { 1000, 50 } },
	  4,
	  { 100, 100, 50 },
	  3,
	  280 / 3.3 },
	{ "one of half the length is not",
	  1000,
	  { { 500, 50 }, { 1000, 40 } },
	  2,
	  { 100, 40 },
	  2,
	  60 },
	{ "above a second a value is the interval's",
	  5000,
	  { { 5000, 500 }, { 2400, 240 }, { 5000, 500 } },
	  3,
	  { 100, 100 },
	  2,
	  100 },
	{ "a gap ends a slot, and is in no other",
	  500,
	  { { 500, 50 }, { GAP, 0 }, { 500, 10 }, { 500, 10 } },
	  4,
	  { 100, NAN, 20 },
	  3,
	  70 / 1.5 },
	{ "a short rest before a gap is no value, but counts in the mean",
	  100,
	  { { 1000, 100 }, { 400, 900 }, { GAP, 0 }, { 1000, 100 } },
	  4,
	  { 100, NAN, 100 },
	  3,
	  1100 / 2.4 },
	{ "nothing", 1000, { { GAP, 0 } }, 1, { NAN }, 1, NAN },
};

static void assert_same(double got, double expected)
{
	if (isnan(expected))
		assert_true(isnan(got));
	else
		assert_true(fabs(got - expected) <= 1e-6 * fabs(expected));
}

static size_t fold_all(const struct fold_case *c, struct seconds_fold *fold, float *values)
{
	size_t n = 0;

	seconds_fold_init(fold, c->interval_ms * MS);
	for (size_t i = 0; i < c->n_samples; i++) {
		uint64_t us = c->samples[i].ms * MS;

		if (us > 0) {
			n += seconds_fold_add(fold, c->samples[i].bytes, us, true, &values[n]);
		} else {
			n += seconds_fold_end(fold, &values[n]);
			values[n++] = NAN;
		}
	}
	return n + seconds_fold_end(fold, &values[n]);
}

static void samples_are_folded(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(fold_cases); i++) {
		const struct fold_case *c = &fold_cases[i];
		struct seconds_fold fold;
		float values[MAX];

		print_message("  %s\n", c->name);
		assert_int_equal(fold_all(c, &fold, values), c->n_values);
		for (size_t k = 0; k < c->n_values; k++)
			assert_same((double)values[k], (double)c->values[k]);
		assert_same(seconds_fold_mean(&fold), c->mean);
	}
}

/* Whatever the samples, no byte is lost and none counted twice. */
static void all_bytes_are_in_the_values(void **state)
{
	uint64_t seed = 7;

	(void)state;
	for (unsigned int interval_ms = 10; interval_ms <= 3000; interval_ms += 37) {
		double in_values = 0, bytes = 0;
		uint64_t slot_begin = 0, now = 0;
		struct seconds_fold fold;
		float value;

		seconds_fold_init(&fold, interval_ms * MS);
		for (int i = 0; i < 300; i++) {
			uint64_t us;

			seed = seed * 6364136223846793005u + 1442695040888963407u;
			us = interval_ms * MS / 2 + (seed >> 33) % (interval_ms * MS);
			now += us;
			bytes += 4096;
			if (!seconds_fold_add(&fold, 4096, us, true, &value))
				continue;
			assert_true(now - slot_begin + interval_ms * MS / 2 >= fold.slot_us);
			in_values += (double)value * (double)(now - slot_begin) / 1e6;
			slot_begin = now;
		}
		assert_true(fabs(in_values + fold.bytes - bytes) < 1e-3 * bytes);
		assert_true(fabs(seconds_fold_mean(&fold) - bytes * 1e6 / (double)now) < 1e-3);
	}
}

static void one_lull_without_demand_is_remembered(void **state)
{
	struct seconds_fold fold;
	float value;

	(void)state;
	seconds_fold_init(&fold, 100 * MS);
	for (int i = 0; i < 50; i++)
		seconds_fold_add(&fold, 1, 100 * MS, true, &value);
	assert_true(fold.demanded);
	seconds_fold_add(&fold, 0, 100 * MS, false, &value);
	seconds_fold_add(&fold, 1, 100 * MS, true, &value);
	assert_false(fold.demanded);
}

static void a_value_is_written_only_where_a_slot_is_over(void **state)
{
	struct seconds_fold fold;
	float value = -1;

	(void)state;
	seconds_fold_init(&fold, 100 * MS);
	assert_false(seconds_fold_end(&fold, &value));
	assert_false(seconds_fold_add(&fold, 5, 100 * MS, true, &value));
	assert_false(seconds_fold_end(&fold, &value));
	assert_true(value == -1);
}

static void cells_of_the_history(void **state)
{
	static const struct history_cell cells[] = { { false, 5, 5, 5 },
						     { true, 100, 90, 110 },
						     { true, 300, 0, 400 },
						     { false, 0, 0, 0 } };
	float values[COUNT(cells)];
	struct seconds s;

	(void)state;
	seconds_from_cells(&s, cells, COUNT(cells), 1000 * MS, values);
	assert_int_equal(s.n, 4);
	assert_int_equal(s.slot_us, 1000 * MS);
	assert_true(isnan(s.values[0]) && isnan(s.values[3]));
	assert_true(s.values[1] == 100 && s.values[2] == 300);
	assert_true(s.mean == 200);
	assert_false(s.demanded);
	seconds_from_cells(&s, cells, 1, 1000 * MS, values);
	assert_true(isnan(s.mean));
}

static const struct stretch_case {
	const char *name;
	float values[8];
	size_t n, first, length;
} stretch_cases[] = {
	{ "nothing", { 0 }, 0, 0, 0 },
	{ "all", { 1, 2, 3 }, 3, 0, 3 },
	{ "gaps alone", { NAN, NAN }, 2, 0, 0 },
	{ "before a gap", { 1, 2, NAN, 3 }, 4, 0, 2 },
	{ "between gaps", { 1, NAN, 1, 2, 3, NAN, 1, 2 }, 8, 2, 3 },
	{ "the later of equal ones", { 1, 2, NAN, 3, 4, NAN }, 6, 3, 2 },
};

static void stretches(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(stretch_cases); i++) {
		const struct stretch_case *c = &stretch_cases[i];
		size_t first = 99;

		print_message("  %s\n", c->name);
		assert_int_equal(seconds_find_stretch(c->values, c->n, &first), c->length);
		assert_int_equal(first, c->first);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples_are_folded),
		cmocka_unit_test(all_bytes_are_in_the_values),
		cmocka_unit_test(one_lull_without_demand_is_remembered),
		cmocka_unit_test(a_value_is_written_only_where_a_slot_is_over),
		cmocka_unit_test(cells_of_the_history),
		cmocka_unit_test(stretches),
	};

	return cmocka_run_group_tests_name("seconds", tests, NULL, NULL);
}
