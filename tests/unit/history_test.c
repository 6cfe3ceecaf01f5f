/* The history of samples a second apart and more: cells, gaps, segments. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "history_ticker.h"

/* ---- one-second samples ---- */

static void a_second_is_a_cell(void **state)
{
	struct ticker m;

	(void)state;
	ticker_init(&m, 60, 2);
	assert_int_equal(history_end_us(m.h), 0);
	MEANS(&m, SECOND, -1, -1);
	ticker_begin(&m, 0);
	MEANS(&m, SECOND, -1, -1);
	for (int i = 1; i <= 5; i++)
		ticker_sample(&m, SECOND, 100 * i);
	MEANS(&m, SECOND, -1, 100, 200, 300, 400, 500);
	assert_int_equal(history_end_us(m.h), 5 * SECOND);
	assert_int_equal(history_begin_us(m.h), 0);
	history_free(m.h);
}

/* A tick comes some hundred microseconds late: no value may be doubled, lost or blurred. */
static void ticks_that_come_late_do_not_blur(void **state)
{
	static const uint64_t late_us[] = { 300, 900, 100, 40000, 200, 90000, 0, 500 };
	uint64_t at = 0;
	struct ticker m;

	(void)state;
	ticker_init(&m, 60, 1);
	ticker_begin(&m, 250);
	for (size_t i = 0; i < COUNT(late_us); i++) {
		uint64_t next = (i + 1) * SECOND + late_us[i];

		at = m.tick.elapsed_us;
		ticker_sample(&m, next - at, 100.0 * (double)(i + 1));
	}
	MEANS(&m, SECOND, 100, 200, 300, 400, 500, 600, 700, 800);
	history_free(m.h);
}

static void both_directions_and_the_total_are_kept(void **state)
{
	struct history_cell c;
	struct ticker m;

	(void)state;
	ticker_init(&m, 60, 2);
	ticker_begin(&m, 0);
	ticker_sample(&m, SECOND, 100);
	ticker_set(&m.devices[1], 7, 8);
	ticker_set(&m.tick.total, 107, 208);
	ticker_tick(&m, 2 * SECOND, SECOND, GAP_NONE);
	history_read(m.h, 1, SERIES_READ, 2 * SECOND, SECOND, &c, 1);
	assert_cell(&c, 7, 7, 7);
	history_read(m.h, 1, SERIES_WRITE, 2 * SECOND, SECOND, &c, 1);
	assert_cell(&c, 8, 8, 8);
	history_read(m.h, HISTORY_TOTAL, SERIES_WRITE, 2 * SECOND, SECOND, &c, 1);
	assert_cell(&c, 208, 208, 208);
	history_read(m.h, 1, SERIES_READ, SECOND, SECOND, &c, 1);
	assert_cell(&c, 100, 100, 100);
	history_read(m.h, 2, SERIES_READ, SECOND, SECOND, &c, 1);
	assert_false(c.known);
	history_read(m.h, -1, SERIES_READ, SECOND, SECOND, &c, 1);
	assert_false(c.known);
	history_free(m.h);
}

static void wide_cells_keep_the_dip(void **state)
{
	struct history_cell cells[3];
	struct ticker m;

	(void)state;
	ticker_init(&m, 60, 1);
	ticker_begin(&m, 0);
	for (int i = 0; i < 15; i++)
		ticker_sample(&m, SECOND, i == 7 ? 10 : 100);
	history_read(m.h, 0, SERIES_READ, 15 * SECOND, 5 * SECOND, cells, 3);
	assert_cell(&cells[0], 100, 100, 100);
	assert_cell(&cells[1], 82, 10, 100);
	assert_cell(&cells[2], 100, 100, 100);
	history_free(m.h);
}

/* Whatever the end, a cell that is over says the same. */
static void cells_keep_their_values_when_the_picture_moves(void **state)
{
	struct history_cell before[8], after[8];
	struct ticker m;

	(void)state;
	ticker_init(&m, 60, 1);
	ticker_begin(&m, 0);
	for (int i = 0; i < 24; i++)
		ticker_sample(&m, SECOND, i * i);
	history_read(m.h, 0, SERIES_READ, history_end_us(m.h), 3 * SECOND, before, 8);
	for (int moved = 1; moved <= 6; moved++) {
		ticker_sample(&m, SECOND, 5);
		history_read(m.h, 0, SERIES_READ, history_end_us(m.h), 3 * SECOND, after, 8);
		for (int i = 0; i < 8 - (moved + 2) / 3; i++) {
			const struct history_cell *c = &before[i + (moved + 2) / 3];

			assert_true(c->known && after[i].known);
			assert_true(after[i].mean == c->mean && after[i].min == c->min &&
				    after[i].max == c->max);
		}
	}
	history_free(m.h);
}

/* ---- coarser samples ---- */

static void long_intervals_leave_no_holes(void **state)
{
	struct ticker m;

	(void)state;
	ticker_init(&m, 60, 1);
	ticker_begin(&m, 200);
	ticker_sample(&m, 5 * SECOND, 100);
	ticker_sample(&m, 5 * SECOND, 200);
	MEANS(&m, SECOND, 100, 100, 100, 100, 100, 200, 200, 200, 200, 200);
	MEANS(&m, 2 * SECOND, 100, 100, 100, 200, 200);
	MEANS(&m, 10 * SECOND, 150);
	MEANS(&m, TENTH, 200, 200, 200);
	history_free(m.h);
}

/* ---- gaps ---- */

static void gaps_are_gaps(void **state)
{
	struct ticker m;

	(void)state;
	ticker_init(&m, 60, 1);
	ticker_begin(&m, 0);
	ticker_sample(&m, SECOND, 100);
	ticker_gap(&m, 3 * SECOND, GAP_MISSED);
	ticker_sample(&m, SECOND, 200);
	ticker_gap(&m, SECOND, GAP_SUSPEND);
	ticker_sample(&m, SECOND, 300);
	MEANS(&m, SECOND, 100, -1, -1, -1, 200, -1, 300);
	history_free(m.h);
}

static void a_gap_ends_the_second_before_it(void **state)
{
	struct ticker m;

	(void)state;
	ticker_init(&m, 60, 1);
	ticker_begin(&m, 0);
	for (int i = 0; i < 4; i++)
		ticker_sample(&m, TENTH, 100);
	ticker_gap(&m, 6 * TENTH + 2 * SECOND, GAP_MISSED);
	for (int i = 0; i < 10; i++)
		ticker_sample(&m, TENTH, 200);
	MEANS(&m, SECOND, 100, -1, -1, 200);
	history_free(m.h);
}

static void one_device_may_have_a_gap_of_its_own(void **state)
{
	struct history_cell c[3];
	struct ticker m;

	(void)state;
	ticker_init(&m, 60, 2);
	ticker_begin(&m, 0);
	ticker_sample(&m, SECOND, 100);
	m.devices[1].valid = 0;
	m.devices[1].gap = GAP_RESET;
	ticker_tick(&m, 2 * SECOND, SECOND, GAP_NONE);
	ticker_sample(&m, SECOND, 100);
	MEANS(&m, SECOND, 100, 100, 100);
	history_read(m.h, 1, SERIES_READ, 3 * SECOND, SECOND, c, 3);
	assert_true(c[0].known && !c[1].known && c[2].known);
	history_free(m.h);
}

static void a_clock_that_goes_back_adds_nothing(void **state)
{
	struct ticker m;

	(void)state;
	ticker_init(&m, 60, 1);
	ticker_begin(&m, 0);
	ticker_sample(&m, SECOND, 100);
	ticker_sample(&m, SECOND, 200);
	ticker_tick(&m, SECOND, 0, GAP_CLOCK);
	assert_int_equal(history_end_us(m.h), 2 * SECOND);
	MEANS(&m, SECOND, 100, 200);
	history_free(m.h);
}

/* ---- segments ---- */

static void times_run_on_over_segments(void **state)
{
	struct ticker m;

	(void)state;
	ticker_init(&m, 60, 1);
	ticker_begin(&m, 0);
	ticker_sample(&m, SECOND, 100);
	ticker_sample(&m, SECOND + 400, 200);
	m.tick.segment = 2;
	ticker_begin(&m, 700);
	assert_int_equal(history_end_us(m.h), 4 * SECOND + 700);
	ticker_sample(&m, SECOND, 300);
	MEANS(&m, SECOND, 100, 200, -1, -1, 300);
	history_free(m.h);
}

static void a_segment_that_begins_late_comes_no_later(void **state)
{
	struct ticker m;

	(void)state;
	ticker_init(&m, 60, 1);
	ticker_begin(&m, 500 * SECOND);
	ticker_sample(&m, SECOND, 100);
	assert_int_equal(history_end_us(m.h), 501 * SECOND);
	m.tick.segment = 2;
	ticker_begin(&m, 9000 * SECOND + 5);
	ticker_sample(&m, SECOND, 300);
	MEANS(&m, SECOND, 100, -1, 300);
	history_reset(m.h);
	assert_int_equal(history_end_us(m.h), 0);
	ticker_begin(&m, 9002 * SECOND);
	assert_int_equal(history_end_us(m.h), 9002 * SECOND);
	MEANS(&m, SECOND, -1, -1, -1);
	history_free(m.h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_second_is_a_cell),
		cmocka_unit_test(ticks_that_come_late_do_not_blur),
		cmocka_unit_test(both_directions_and_the_total_are_kept),
		cmocka_unit_test(wide_cells_keep_the_dip),
		cmocka_unit_test(cells_keep_their_values_when_the_picture_moves),
		cmocka_unit_test(long_intervals_leave_no_holes),
		cmocka_unit_test(gaps_are_gaps),
		cmocka_unit_test(a_gap_ends_the_second_before_it),
		cmocka_unit_test(one_device_may_have_a_gap_of_its_own),
		cmocka_unit_test(a_clock_that_goes_back_adds_nothing),
		cmocka_unit_test(times_run_on_over_segments),
		cmocka_unit_test(a_segment_that_begins_late_comes_no_later),
	};

	return cmocka_run_group_tests_name("history", tests, NULL, NULL);
}
