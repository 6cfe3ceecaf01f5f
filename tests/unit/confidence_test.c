/*
 * Does the interval hold what it promises? On autoregressive noise the mean's variance is known:
 * of many series from one source, about 95 % of the intervals must cover the true mean.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "raidtop/confidence.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))
#define MAX 3600
#define SERIES 1000
#define MEAN 200.0
#define DEVIATION 10.0
#define TURN 6.283185307179586

static float values[MAX];

static uint64_t seed;

/* Above 0, below 1. */
static double any_part(void)
{
	uint64_t x;

	seed = seed * 6364136223846793005u + 1442695040888963407u;
	x = (seed ^ seed >> 32) * 0xd6e8feb86659fd93u;
	x ^= x >> 32;
	return ((double)(x >> 11) + 0.5) / 9007199254740992.0;
}

static double any_normal(void)
{
	return sqrt(-2 * log(any_part())) * cos(TURN * any_part());
}

/* Each value keeps a part `phi` of how far the one before was off the mean. */
static void fill_noise(size_t n, double phi)
{
	double off = any_normal();

	for (size_t i = 0; i < n; i++) {
		values[i] = (float)(MEAN + DEVIATION * off);
		off = phi * off + sqrt(1 - phi * phi) * any_normal();
	}
}

/* Of the mean of n such values: the sum of all their covariances. */
static double variance_of_mean(size_t n, double phi)
{
	double sum = 1;

	for (size_t lag = 1; lag < n; lag++)
		sum += 2 * (1 - (double)lag / (double)n) * pow(phi, (double)lag);
	return DEVIATION * DEVIATION * sum / (double)n;
}

/* ---- many series ---- */

static const struct noise_case {
	double phi;
	size_t n;
} noise_cases[] = {
	{ -0.3, 300 }, { 0, 60 },    { 0, 600 },    { 0.3, 300 },   { 0.5, 600 },
	{ 0.6, 1200 }, { 0.7, 600 }, { 0.8, 1200 }, { 0.85, 3600 }, { 0.95, 3600 },
};

struct outcome {
	size_t n_covering, n_reliable, n_reliable_covering;
	double half_width; /* mean */
};

static struct outcome try_many(const struct noise_case *c)
{
	struct outcome o = { .half_width = 0 };

	for (int i = 0; i < SERIES; i++) {
		struct confidence got;
		bool covers, reliable;

		fill_noise(c->n, c->phi);
		confidence_compute(&got, values, c->n);
		covers = fabs(got.mean - MEAN) <= got.half_width;
		reliable = got.state == CONFIDENCE_RELIABLE;
		o.n_covering += covers;
		o.n_reliable += reliable;
		o.n_reliable_covering += covers && reliable;
		o.half_width += got.half_width / SERIES;
	}
	return o;
}

static bool is_90_to_98_pct(size_t part, size_t of)
{
	return part * 100 >= of * 90 && part * 100 <= of * 98;
}

static void intervals_cover_the_mean_as_often_as_they_say(void **state)
{
	(void)state;
	seed = 1;
	for (size_t i = 0; i < COUNT(noise_cases); i++) {
		const struct noise_case *c = &noise_cases[i];
		double right = 2.05 * sqrt(variance_of_mean(c->n, c->phi)); /* t of 28 degrees */
		struct outcome o = try_many(c);

		print_message("  phi %.2f, %zu values: %zu of %d cover, %zu of %zu reliable ones, "
			      "half width %.2f of the right one\n",
			      c->phi, c->n, o.n_covering, SERIES, o.n_reliable_covering,
			      o.n_reliable, o.half_width / right);
		assert_true(is_90_to_98_pct(o.n_covering, SERIES));
		assert_true(o.n_reliable >= SERIES * 3 / 4);
		assert_true(is_90_to_98_pct(o.n_reliable_covering, o.n_reliable));
		assert_true(o.half_width / right > 0.85 && o.half_width / right < 1.15);
	}
}

/* What the interval of independent values would be is far too narrow. */
static void the_naive_interval_is_three_to_four_times_too_narrow(void **state)
{
	double widths = 0;

	(void)state;
	seed = 2;
	for (int i = 0; i < 100; i++) {
		struct confidence got;

		fill_noise(MAX, 0.85);
		confidence_compute(&got, values, MAX);
		widths += got.half_width / (1.96 * DEVIATION / sqrt(MAX)) / 100;
	}
	print_message("  %.2f times\n", widths);
	assert_true(widths > 3 && widths < 4);
}

/* Where one value hardly differs from the next, a few minutes say little, and that is told. */
static void too_correlated_is_unreliable(void **state)
{
	static const struct noise_case cases[] = { { 0.99, 120 }, { 0.99, 600 }, { 0.95, 300 } };

	(void)state;
	seed = 3;
	for (size_t i = 0; i < COUNT(cases); i++)
		assert_true(try_many(&cases[i]).n_reliable < SERIES / 50);
	for (size_t i = 0; i < MAX; i++)
		values[i] = (float)i; /* a ramp has no mean to be sure of */
	for (size_t n = CONFIDENCE_BATCHES_MIN; n <= MAX; n += 97) {
		struct confidence got;

		confidence_compute(&got, values, n);
		assert_int_equal(got.state, CONFIDENCE_UNRELIABLE);
		assert_int_equal(got.n_batches, CONFIDENCE_BATCHES_MIN);
		assert_true(got.lag1 >= 0.2);
		assert_true(got.half_width > 0);
	}
}

/* ---- single ones ---- */

static void a_constant_is_sure(void **state)
{
	struct confidence got;

	(void)state;
	for (size_t i = 0; i < 100; i++)
		values[i] = 213;
	confidence_compute(&got, values, 100);
	assert_int_equal(got.state, CONFIDENCE_RELIABLE);
	assert_true(got.mean == 213 && got.half_width == 0 && got.lag1 == 0);
	assert_int_equal(got.n_batches, 30);
	assert_int_equal(got.batch_length, 3);
}

/* 20 values -1 and 1 in turn: no batch is longer than one, s^2 = 20/19, t of 19 degrees 2.093. */
static void an_interval_by_hand(void **state)
{
	struct confidence got;

	(void)state;
	for (size_t i = 0; i < 20; i++)
		values[i] = i % 2 ? 1 : -1;
	confidence_compute(&got, values, 20);
	assert_int_equal(got.state, CONFIDENCE_RELIABLE);
	assert_true(fabs(got.mean) < 1e-12);
	assert_true(fabs(got.lag1 - -0.95) < 1e-12);
	assert_true(fabs(got.half_width - 2.093 * sqrt(20.0 / 19 / 20)) < 1e-4);
}

/* What is left over is left out at the beginning: 29 of 89 values, as 30 batches are of 2 each. */
static void batches_end_with_the_series(void **state)
{
	struct confidence got;

	(void)state;
	for (size_t i = 0; i < 89; i++)
		values[i] = i < 29 ? (i % 2 ? 1000 : -1000) : i % 2 ? 9 : 11;
	confidence_compute(&got, values, 89);
	assert_int_equal(got.state, CONFIDENCE_RELIABLE);
	assert_int_equal(got.n_batches, 30);
	assert_int_equal(got.batch_length, 2);
	assert_true(got.mean == 10 && got.half_width == 0);
}

static void nothing_is_known_of_few_values_or_gaps(void **state)
{
	struct confidence got;

	(void)state;
	seed = 5;
	fill_noise(100, 0);
	confidence_compute(&got, values, 19);
	assert_int_equal(got.state, CONFIDENCE_UNKNOWN);
	confidence_compute(&got, values, 20);
	assert_int_not_equal(got.state, CONFIDENCE_UNKNOWN);
	values[40] = NAN;
	confidence_compute(&got, values, 100);
	assert_int_equal(got.state, CONFIDENCE_UNKNOWN);
}

/* The number of batches, whatever the length. */
static void batches_are_20_to_30(void **state)
{
	(void)state;
	seed = 6;
	for (size_t n = CONFIDENCE_BATCHES_MIN; n < 2000; n += 13) {
		struct confidence got;

		fill_noise(n, 0.8);
		confidence_compute(&got, values, n);
		assert_in_range(got.n_batches, CONFIDENCE_BATCHES_MIN, CONFIDENCE_BATCHES_MAX);
		assert_true(got.n_batches * got.batch_length <= n);
		assert_true(n - got.n_batches * got.batch_length < got.n_batches);
	}
}

static void repeats(void **state)
{
	(void)state;
	assert_true(confidence_of_range(0) == 0);
	assert_true(confidence_of_range(1) == 0);
	assert_true(confidence_of_range(2) == 0.5);
	assert_true(confidence_of_range(6) == 0.96875);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(intervals_cover_the_mean_as_often_as_they_say),
		cmocka_unit_test(the_naive_interval_is_three_to_four_times_too_narrow),
		cmocka_unit_test(too_correlated_is_unreliable),
		cmocka_unit_test(a_constant_is_sure),
		cmocka_unit_test(an_interval_by_hand),
		cmocka_unit_test(batches_end_with_the_series),
		cmocka_unit_test(nothing_is_known_of_few_values_or_gaps),
		cmocka_unit_test(batches_are_20_to_30),
		cmocka_unit_test(repeats),
	};

	return cmocka_run_group_tests_name("confidence", tests, NULL, NULL);
}
