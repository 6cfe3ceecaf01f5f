/* Ranks and medians against plain counting, which is slow and obviously right. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "raidtop/quantile.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))
#define MAX 64

static uint64_t seed = 1;

/* Small whole numbers, so that many are equal. */
static float any_value(void)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (float)(seed >> 33 & 15);
}

static size_t count_below(const float *values, size_t n, float value)
{
	size_t below = 0;

	for (size_t i = 0; i < n; i++)
		below += values[i] < value;
	return below;
}

static void sorting_keeps_all_and_orders_them(void **state)
{
	(void)state;
	for (size_t n = 0; n <= MAX; n++) {
		float values[MAX], sorted[MAX];

		for (size_t i = 0; i < n; i++)
			sorted[i] = values[i] = any_value();
		quantile_sort(sorted, n);
		for (size_t i = 1; i < n; i++)
			assert_true(sorted[i - 1] <= sorted[i]);
		for (int value = 0; value <= 16; value++)
			assert_int_equal(count_below(sorted, n, (float)value),
					 count_below(values, n, (float)value));
	}
}

/* The smallest value that so many percent do not exceed. */
static void a_rank_is_what_it_says(void **state)
{
	(void)state;
	for (size_t n = 1; n <= MAX; n++) {
		float sorted[MAX];

		for (size_t i = 0; i < n; i++)
			sorted[i] = any_value();
		quantile_sort(sorted, n);
		for (size_t percent = 1; percent <= 100; percent++) {
			float got = (float)quantile_nearest_rank(sorted, n, percent);
			size_t below = count_below(sorted, n, got);
			size_t up_to = count_below(sorted, n, got + 0.5f);

			assert_true(up_to * 100 >= percent * n);
			assert_true(below * 100 < percent * n);
		}
	}
}

static const struct median_case {
	const char *name;
	float sorted[5];
	size_t n;
	double median;
} median_cases[] = {
	{ "one", { 7 }, 1, 7 },
	{ "two: between them", { 7, 10 }, 2, 8.5 },
	{ "three: the middle one", { 1, 2, 90 }, 3, 2 },
	{ "four", { 1, 2, 4, 90 }, 4, 3 },
	{ "five, equal ones", { 0, 3, 3, 3, 90 }, 5, 3 },
};

static void medians(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(median_cases); i++) {
		const struct median_case *c = &median_cases[i];

		print_message("  %s\n", c->name);
		assert_true(quantile_median(c->sorted, c->n) == c->median);
	}
}

static void a_median_without_one_is_that_of_the_others(void **state)
{
	(void)state;
	for (size_t n = 2; n <= MAX; n++) {
		float sorted[MAX], others[MAX];

		for (size_t i = 0; i < n; i++)
			sorted[i] = any_value();
		quantile_sort(sorted, n);
		for (size_t out = 0; out < n; out++) {
			size_t k = 0;

			for (size_t i = 0; i < n; i++)
				if (i != out)
					others[k++] = sorted[i];
			assert_true(quantile_median_without(sorted, n, sorted[out]) ==
				    quantile_median(others, k));
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sorting_keeps_all_and_orders_them),
		cmocka_unit_test(a_rank_is_what_it_says),
		cmocka_unit_test(medians),
		cmocka_unit_test(a_median_without_one_is_that_of_the_others),
	};

	return cmocka_run_group_tests_name("quantile", tests, NULL, NULL);
}
