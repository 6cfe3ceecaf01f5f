/* Low and peak by nearest rank, and what they rest on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "raidtop/bands.h"
#include "raidtop/memory.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))
#define MAX 4000

static struct history_cell cells[MAX];
static float scratch[MAX];

/* `n` known cells of 1, 2, ... n in an order without order; each varies by 0.5 around that. */
static void fill(size_t n)
{
	for (size_t i = 0; i < n; i++) {
		float value = (float)(i * 7919 % n + 1); /* 7919 is prime and divides no n below */

		cells[i] = (struct history_cell){ true, value, value - 0.5f, value + 0.5f };
	}
}

static const struct band_case {
	size_t n;
	bool from_quantiles;
	double low, mean, peak;
} band_cases
	[] = {
		{ 1, false, 1, 1, 1 },
		{ 2, false, 1, 1.5, 2 },
		{ 3, false, 1, 2, 3 },
		{ 19, false, 1, 10, 19 },
		{ 20, true, 1, 10.5, 19 }, /* ranks: 5 % of 20 is the 1st, 95 % the 19th */
		{ 21, true, 2, 11, 20 },   /* 1.05 and 19.95 are rounded up */
		{ 30, true, 2, 15.5, 29 },
		{ 40, true, 2, 20.5, 38 },
		{ 100, true, 5, 50.5, 95 },
		{ 101, true, 6, 51, 96 },
		{ 3600, true, 180, 1800.5, 3420 },
	};

static void bands_are_by_nearest_rank(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(band_cases); i++) {
		const struct band_case *c = &band_cases[i];
		struct band b;

		print_message("  %zu values\n", c->n);
		fill(c->n);
		band_compute(&b, cells, c->n, scratch);
		assert_int_equal(b.n, c->n);
		assert_int_equal(b.from_quantiles, c->from_quantiles);
		assert_true(b.low == c->low);
		assert_true(b.mean == c->mean);
		assert_true(b.peak == c->peak);
		assert_true(b.min == 0.5);
		assert_true(b.max == (double)c->n + 0.5);
	}
}

static void unknown_cells_do_not_count(void **state)
{
	struct band b;

	(void)state;
	fill(30);
	for (size_t i = 0; i < 30; i++)
		if (cells[i].mean < 15 || cells[i].mean > 20)
			cells[i].known = false;
	band_compute(&b, cells, 30, scratch);
	assert_int_equal(b.n, 6);
	assert_false(b.from_quantiles);
	assert_true(b.low == 15 && b.peak == 20 && b.mean == 17.5);
	assert_true(b.min == 14.5 && b.max == 20.5);
}

static void nothing_known_is_no_band(void **state)
{
	struct band b;

	(void)state;
	memset(cells, 0, sizeof(cells));
	band_compute(&b, cells, 30, scratch);
	assert_int_equal(b.n, 0);
	band_compute(&b, cells, 0, NULL);
	assert_int_equal(b.n, 0);
}

/* One value in twenty may be an outlier without moving the band. */
static void an_outlier_is_in_the_extremes_only(void **state)
{
	struct band b;

	(void)state;
	for (size_t i = 0; i < 60; i++)
		cells[i] = (struct history_cell){ true, 100, 100, 100 };
	cells[11] = (struct history_cell){ true, 1, 0, 2 };
	cells[40] = (struct history_cell){ true, 900, 800, 1000 };
	band_compute(&b, cells, 60, scratch);
	assert_true(b.low == 100 && b.peak == 100);
	assert_true(b.min == 0 && b.max == 1000);
}

static void no_allocation(void **state)
{
	size_t before = memory_allocations();
	struct band b;

	(void)state;
	fill(3600);
	band_compute(&b, cells, 3600, scratch);
	assert_int_equal(memory_allocations() - before, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bands_are_by_nearest_rank),
		cmocka_unit_test(unknown_cells_do_not_count),
		cmocka_unit_test(nothing_known_is_no_band),
		cmocka_unit_test(an_outlier_is_in_the_extremes_only),
		cmocka_unit_test(no_allocation),
	};

	return cmocka_run_group_tests_name("bands", tests, NULL, NULL);
}
