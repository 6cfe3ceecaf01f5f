/* Warm-up and steady state: the published vector, and series whose answer is known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "raidtop/settling.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))
#define MAX 600

static float values[MAX];

/* ---- warm-up ---- */

/* The first `at` values rise from `first` to `last` in a line; all others are 200. */
static const struct warmup_case {
	const char *name;
	size_t n, at;
	float first, last;
	enum warmup_state state;
	size_t n_values;
} warmup_cases[] = {
	{ "nothing", 0, 0, 0, 0, WARMUP_UNKNOWN, 0 },
	{ "nine values", 9, 0, 0, 0, WARMUP_UNKNOWN, 0 },
	{ "constant, ten values", 10, 0, 0, 0, WARMUP_SETTLED, 0 },
	{ "constant", 300, 0, 0, 0, WARMUP_SETTLED, 0 },
	{ "two levels", 300, 20, 100, 100, WARMUP_SETTLED, 20 },
	{ "the higher first, as with a cache", 300, 60, 900, 900, WARMUP_SETTLED, 60 },
	{ "from the middle of five values", 300, 23, 100, 100, WARMUP_SETTLED, 25 },
	{ "a ramp that ends", 300, 50, 0, 200, WARMUP_SETTLED, 50 },
	{ "a ramp that does not", 300, 300, 0, 200, WARMUP_NOT_SETTLED, 150 },
	{ "the second level from the middle on", 300, 150, 100, 100, WARMUP_NOT_SETTLED, 150 },
	{ "just before the middle", 300, 145, 100, 100, WARMUP_SETTLED, 145 },
	{ "the last four do not count", 304, 20, 100, 100, WARMUP_SETTLED, 20 },
};

static void warmups_of_known_series(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(warmup_cases); i++) {
		const struct warmup_case *c = &warmup_cases[i];
		struct warmup w;

		for (size_t k = 0; k < c->n; k++)
			values[k] = k >= c->at ? 200
					       : c->first + (c->last - c->first) * (float)k /
								    (float)c->at;
		warmup_find(&w, values, c->n);
		print_message("  %s: %zu values\n", c->name, w.n_values);
		assert_int_equal(w.state, c->state);
		assert_int_equal(w.n_values, c->n_values);
	}
}

static void a_gap_makes_it_unknown(void **state)
{
	static const size_t places[] = { 0, 7, 50, 99 };
	struct warmup w;

	(void)state;
	for (size_t i = 0; i < COUNT(places); i++) {
		for (size_t k = 0; k < 100; k++)
			values[k] = k == places[i] ? NAN : 100;
		warmup_find(&w, values, 100);
		assert_int_equal(w.state, WARMUP_UNKNOWN);
	}
}

static uint64_t seed = 9;

static double any_part(void)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (double)(seed >> 11) / 9007199254740992.0;
}

/* The formula word for word, for one d. */
static double error_of_cut(size_t k, size_t d)
{
	double z[MAX / 5], mean = 0, squares = 0;

	for (size_t j = 0; j < k; j++) {
		z[j] = 0;
		for (size_t i = 0; i < 5; i++)
			z[j] += (double)values[5 * j + i] / 5;
	}
	for (size_t j = d; j < k; j++)
		mean += z[j] / (double)(k - d);
	for (size_t j = d; j < k; j++)
		squares += (z[j] - mean) * (z[j] - mean);
	return squares / (double)((k - d) * (k - d));
}

/* No other cut has a smaller error than the one that was found. */
static void warmups_of_any_series(void **state)
{
	size_t settled = 0;

	(void)state;
	for (int round = 0; round < 200; round++) {
		size_t n = 10 + (size_t)(any_part() * (MAX - 10)), k = n / 5;
		double rise = any_part(), slow = 1 + 100 * any_part();
		struct warmup w;

		for (size_t i = 0; i < n; i++)
			values[i] = (float)(200 - 200 * rise * exp(-(double)i / slow) +
					    40 * any_part());
		warmup_find(&w, values, n);
		for (size_t d = 0; d <= k / 2; d++)
			assert_true(error_of_cut(k, w.n_values / 5) <=
				    error_of_cut(k, d) * (1 + 1e-9));
		assert_int_equal(w.state == WARMUP_NOT_SETTLED, w.n_values / 5 == k / 2);
		settled += w.state == WARMUP_SETTLED;
	}
	print_message("  %zu of 200 are settled\n", settled);
	assert_true(settled > 100);
}

/* ---- steady state ---- */

static const struct steady_case {
	const char *name;
	double rounds[STEADY_STATE_ROUNDS];
	double mean, range_pct, slope, line_pct;
	bool steady;
} steady_cases[] = {
	{ "SNIA's own", { 228.90, 240.21, 240.60, 240.71, 240.71 }, 238.23, 5.0, 2.41, 4.0, true },
	{ "constant", { 7, 7, 7, 7, 7 }, 7, 0, 0, 0, true },
	{ "a rise of 10 %: at the limit", { 95, 97.5, 100, 102.5, 105 }, 100, 10, 2.5, 10, true },
	{ "a rise above it", { 94.5, 97.25, 100, 102.75, 105.5 }, 100, 11, 2.75, 11, false },
	{ "a fall above it", { 105.5, 102.75, 100, 97.25, 94.5 }, 100, 11, -2.75, 11, false },
	{ "a range of 20 %: at the limit", { 100, 110, 100, 90, 100 }, 100, 20, -2, 8, true },
	{ "a range above it, without a trend",
	  { 100, 100, 125, 100, 100 },
	  105,
	  23.8,
	  0,
	  0,
	  false },
};

static void steady_states(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(steady_cases); i++) {
		const struct steady_case *c = &steady_cases[i];
		struct steady_state s;

		assert_true(steady_state_judge(&s, c->rounds));
		print_message("  %s: mean %.2f, range %.1f %%, slope %.2f, line %.1f %%\n", c->name,
			      s.mean, s.range_pct, s.slope, s.line_pct);
		assert_true(fabs(s.mean - c->mean) < 0.005);
		assert_true(fabs(s.range_pct - c->range_pct) < 0.05);
		assert_true(fabs(s.slope - c->slope) < 0.005);
		assert_true(fabs(s.line_pct - c->line_pct) < 0.05 + 1e-9);
		assert_int_equal(s.steady, c->steady);
	}
}

static void without_a_mean_nothing_is_judged(void **state)
{
	static const double nothing[STEADY_STATE_ROUNDS] = { 0 };
	static const double unknown[STEADY_STATE_ROUNDS] = { 1, 1, NAN, 1, 1 };
	struct steady_state s = { .mean = 99 };

	(void)state;
	assert_false(steady_state_judge(&s, nothing));
	assert_false(steady_state_judge(&s, unknown));
	assert_true(s.mean == 99);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(warmups_of_known_series),
		cmocka_unit_test(a_gap_makes_it_unknown),
		cmocka_unit_test(warmups_of_any_series),
		cmocka_unit_test(steady_states),
		cmocka_unit_test(without_a_mean_nothing_is_judged),
	};

	return cmocka_run_group_tests_name("settling", tests, NULL, NULL);
}
