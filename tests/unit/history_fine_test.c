/* Samples below a second: what they are summed up to, and shown as while they are young. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "history_ticker.h"

static void tenths_become_seconds(void **state)
{
	struct history_cell c[2];
	struct ticker m;

	(void)state;
	ticker_init(&m, 60, 1);
	ticker_begin(&m, 300);
	for (int i = 0; i < 20; i++)
		ticker_sample(&m, TENTH, i == 14 ? 0 : 100);
	history_read(m.h, 0, SERIES_READ, history_end_us(m.h), SECOND, c, 2);
	assert_cell(&c[0], 100, 100, 100);
	assert_cell(&c[1], 90, 0, 100);
	MEANS(&m, TENTH, 100, 100, 100, 100, 0, 100, 100, 100, 100, 100);
	history_free(m.h);
}

/* The mean of a second weighs its samples by their time. */
static void unequal_samples_are_weighed(void **state)
{
	struct history_cell c;
	struct ticker m;

	(void)state;
	ticker_init(&m, 60, 1);
	ticker_begin(&m, 0);
	ticker_sample(&m, 7 * TENTH, 100);
	ticker_sample(&m, 3 * TENTH, 200);
	history_read(m.h, 0, SERIES_READ, history_end_us(m.h), SECOND, &c, 1);
	assert_cell(&c, 130, 100, 200);
	history_free(m.h);
}

static void a_second_that_is_not_over_is_shown(void **state)
{
	struct ticker m;

	(void)state;
	ticker_init(&m, 60, 1);
	ticker_begin(&m, 0);
	for (int i = 0; i < 10; i++)
		ticker_sample(&m, TENTH, 100);
	MEANS(&m, SECOND, -1, 100);
	ticker_sample(&m, TENTH, 300);
	MEANS(&m, SECOND, 100, 300);
	ticker_sample(&m, TENTH, 100);
	MEANS(&m, SECOND, 100, 200);
	history_free(m.h);
}

/* Odd intervals: each second is of whole samples, none shorter than half, no byte lost. */
static void odd_intervals_lose_nothing(void **state)
{
	static const uint64_t intervals_us[] = { 100000, 130000, 250000, 300000,
						 400000, 600000, 700000, 850000 };

	(void)state;
	for (size_t i = 0; i < COUNT(intervals_us); i++) {
		struct history_cell cells[200];
		struct ticker m;
		double sum = 0;

		print_message("  %u us\n", (unsigned int)intervals_us[i]);
		ticker_init(&m, 300, 1);
		ticker_begin(&m, 0);
		while (m.tick.elapsed_us < 100 * SECOND)
			ticker_sample(&m, intervals_us[i], 1000);
		history_read(m.h, 0, SERIES_READ, 100 * SECOND, SECOND, cells, 100);
		for (int k = 0; k < 100; k++) {
			assert_true(cells[k].known);
			sum += (double)cells[k].mean;
		}
		assert_near(sum, 100 * 1000);
		history_free(m.h);
	}
}

static void fine_samples_older_than_five_minutes_are_folded(void **state)
{
	struct history_cell c[10];
	struct ticker m;

	(void)state;
	ticker_init(&m, 3600, 1);
	ticker_begin(&m, 0);
	for (int i = 0; i < 4000; i++)
		ticker_sample(&m, TENTH, i % 10 == 3 ? 0 : 100);
	history_read(m.h, 0, SERIES_READ, 400 * SECOND, TENTH, c, 10);
	for (int i = 0; i < 10; i++)
		assert_near((double)c[i].mean, i == 3 ? 0 : 100);
	history_read(m.h, 0, SERIES_READ, 90 * SECOND, TENTH, c, 10);
	for (int i = 0; i < 10; i++)
		assert_cell(&c[i], 90, 0, 100);
	history_free(m.h);
}

static void a_fine_gap_is_not_filled_from_its_second(void **state)
{
	struct ticker m;

	(void)state;
	ticker_init(&m, 60, 1);
	ticker_begin(&m, 0);
	for (int i = 0; i < 20; i++) {
		if (i == 15) { /* the device was made anew: no rate for one sample */
			m.devices[0].valid = 0;
			ticker_tick(&m, m.tick.elapsed_us + TENTH, TENTH, GAP_NONE);
		} else {
			ticker_sample(&m, TENTH, 100);
		}
	}
	MEANS(&m, TENTH, 100, 100, 100, 100, 100, -1, 100, 100, 100, 100);
	MEANS(&m, SECOND, 100, 100);
	history_free(m.h);
}

static void sampling_may_change_its_pace(void **state)
{
	struct history_cell c[4];
	struct ticker m;

	(void)state;
	ticker_init(&m, 60, 1);
	ticker_begin(&m, 0);
	ticker_sample(&m, SECOND, 100);
	for (int i = 0; i < 10; i++)
		ticker_sample(&m, TENTH, i < 5 ? 100 : 300);
	ticker_sample(&m, SECOND, 400);
	history_read(m.h, 0, SERIES_READ, history_end_us(m.h), SECOND, c, 3);
	assert_cell(&c[0], 100, 100, 100); /* alone, its own extremes */
	assert_cell(&c[1], 200, 100, 300);
	assert_cell(&c[2], 400, 400, 400);
	MEANS(&m, SECOND / 2, 100, 100, 100, 300, 400, 400);
	history_free(m.h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tenths_become_seconds),
		cmocka_unit_test(unequal_samples_are_weighed),
		cmocka_unit_test(a_second_that_is_not_over_is_shown),
		cmocka_unit_test(odd_intervals_lose_nothing),
		cmocka_unit_test(fine_samples_older_than_five_minutes_are_folded),
		cmocka_unit_test(a_fine_gap_is_not_filled_from_its_second),
		cmocka_unit_test(sampling_may_change_its_pace),
	};

	return cmocka_run_group_tests_name("history_fine", tests, NULL, NULL);
}
