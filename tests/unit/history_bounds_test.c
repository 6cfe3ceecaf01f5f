/* What the history holds at most, and the trend of temperatures. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "history_ticker.h"
#include "raidtop/memory.h"

/* ---- bounds ---- */

static void the_oldest_go_first(void **state)
{
	struct ticker m;

	(void)state;
	ticker_init(&m, 5, 1);
	ticker_begin(&m, 0);
	for (int i = 1; i <= 8; i++)
		ticker_sample(&m, SECOND, i);
	assert_int_equal(history_begin_us(m.h), 3 * SECOND);
	MEANS(&m, SECOND, -1, -1, 4, 5, 6, 7, 8);
	history_free(m.h);
}

static void an_hour_of_64_devices_is_below_16_mb(void **state)
{
	struct ticker m;
	size_t bytes;

	(void)state;
	ticker_init(&m, 3600, MAX_DEVICES);
	ticker_begin(&m, 0);
	for (int i = 0; i < 36000; i++) {
		ticker_sample(&m, TENTH, i);
		for (int slot = 0; i % 100 == 0 && slot < MAX_DEVICES; slot++)
			history_add_temperature(m.h, slot, m.tick.elapsed_us, 30000 + i);
	}
	bytes = history_memory_bytes(m.h);
	print_message("  %.1f MB at 10 Hz with temperatures\n", (double)bytes / 1e6);
	assert_true(bytes < 16000000);
	assert_true(bytes > MAX_DEVICES * 3600 * 2 * sizeof(float)); /* it is counted at all */
	assert_int_equal(history_begin_us(m.h), 0);
	history_free(m.h);
}

/* A thousand devices and more: the bound holds, and the newest time is kept. */
static void many_devices_are_kept_for_less_long(void **state)
{
	enum { MANY = 2000, SAMPLES = 1500 };
	struct figures *devices = calloc(MANY, sizeof(*devices));
	struct history *h = history_new(3600);
	struct tick tick = { .devices = devices, .n_devices = 1, .interval_us = TENTH };
	struct history_cell c[60];

	(void)state;
	assert_non_null(devices);
	for (int i = 1; i <= SAMPLES; i++) {
		tick.elapsed_us += TENTH;
		tick.n_devices = i < SAMPLES / 2 ? 1 : MANY; /* then they come, all at once */
		ticker_set(&tick.total, i, 0);
		for (size_t k = 0; k < tick.n_devices; k++)
			ticker_set(&devices[k], i, 0);
		history_add(h, &tick);
		assert_true(history_memory_bytes(h) <= HISTORY_BYTES_MAX);
		assert_int_equal(history_is_shortened(h), i >= SAMPLES / 2);
	}
	print_message("  %zu devices for %.0f s in %.1f MB\n", history_devices(h),
		      (double)history_span_us(h) / 1e6, (double)history_memory_bytes(h) / 1e6);
	assert_int_equal(history_devices(h), MANY);
	assert_true(history_span_us(h) >= 600 * SECOND && history_span_us(h) < 3600 * SECOND);
	/* What was there before they came is still there. */
	history_read(h, 0, SERIES_READ, history_end_us(h), SECOND, c, 60);
	for (int i = 0; i < 60; i++)
		assert_near((double)c[i].max, SAMPLES - 10.0 * (59 - i));
	history_read(h, HISTORY_TOTAL, SERIES_READ, 60 * SECOND, SECOND, c, 10);
	for (int i = 0; i < 10; i++)
		assert_near((double)c[i].max, 600 - 10.0 * (9 - i));
	history_reset(h);
	assert_false(history_is_shortened(h));
	history_free(h);
	free(devices);
}

static void a_tick_allocates_nothing(void **state)
{
	static const uint64_t intervals_us[] = { TENTH, SECOND, 5 * SECOND };

	(void)state;
	for (size_t i = 0; i < COUNT(intervals_us); i++) {
		struct ticker m;
		size_t before;

		ticker_init(&m, 600, 8);
		ticker_begin(&m, 0);
		for (int k = 0; k < 20; k++)
			ticker_sample(&m, intervals_us[i], 100);
		history_add_temperature(m.h, 0, m.tick.elapsed_us, 30000);
		before = memory_allocations();
		for (int k = 0; k < 1000; k++) {
			ticker_sample(&m, intervals_us[i], 100);
			history_add_temperature(m.h, 0, m.tick.elapsed_us, 30000);
			MEANS(&m, SECOND, 100, 100, 100);
		}
		assert_int_equal(memory_allocations() - before, 0);
		history_free(m.h);
	}
}

static void devices_that_never_counted_take_no_room(void **state)
{
	struct ticker m;
	size_t bytes;

	(void)state;
	ticker_init(&m, 3600, 1);
	ticker_begin(&m, 0);
	bytes = history_memory_bytes(m.h);
	ticker_gap(&m, SECOND, GAP_NONE);
	assert_true(history_memory_bytes(m.h) < bytes + 1000);
	history_free(m.h);
}

static void odd_questions_have_empty_answers(void **state)
{
	struct history_cell c[3];
	struct ticker m;

	(void)state;
	ticker_init(&m, 0, 1);
	ticker_begin(&m, 0);
	ticker_sample(&m, SECOND, 100);
	history_read(m.h, 0, SERIES_READ, SECOND, 0, c, 3);
	assert_false(c[0].known || c[1].known || c[2].known);
	history_read(m.h, 0, SERIES_READ, 0, SECOND, c, 3);
	assert_false(c[0].known || c[1].known);
	history_read(m.h, 0, SERIES_READ, 900 * SECOND, SECOND, c, 3);
	assert_false(c[0].known || c[1].known || c[2].known);
	history_read(m.h, 0, SERIES_READ, SECOND, SECOND, c, 0);
	history_read_temperature(m.h, 0, SECOND, SECOND, c, 3);
	assert_false(c[0].known || c[1].known || c[2].known);
	history_free(m.h);
	history_free(NULL);
}

/* ---- temperatures ---- */

static void temperatures_have_a_trend(void **state)
{
	struct history_cell c[6];
	struct ticker m;

	(void)state;
	ticker_init(&m, 3600, 1);
	ticker_begin(&m, 0);
	for (int i = 0; i < 60; i++) {
		ticker_sample(&m, SECOND, 1);
		if (i % 10 == 9)
			history_add_temperature(m.h, 0, m.tick.elapsed_us, 30000 + 100 * i);
	}
	history_read_temperature(m.h, 0, 60 * SECOND, 20 * SECOND, c, 3);
	assert_cell(&c[0], 30900, 30900, 30900);
	assert_cell(&c[1], 32400, 31900, 32900);
	assert_cell(&c[2], 34400, 33900, 34900);
	history_read_temperature(m.h, 0, 60 * SECOND, SECOND, c, 6);
	for (int i = 0; i < 6; i++)
		assert_true(c[i].known);
	history_free(m.h);
}

static void a_sleeping_disk_has_no_temperature(void **state)
{
	struct history_cell c[12];
	struct ticker m;

	(void)state;
	ticker_init(&m, 3600, 1);
	ticker_begin(&m, 0);
	for (int i = 0; i < 120; i++) {
		ticker_sample(&m, SECOND, 1);
		if (i < 20 || i >= 100)
			history_add_temperature(m.h, 0, m.tick.elapsed_us, -5000);
	}
	history_read_temperature(m.h, 0, 120 * SECOND, 10 * SECOND, c, 12);
	assert_cell(&c[1], -5000, -5000, -5000);
	assert_true(c[2].known && c[4].known); /* believed for half a minute */
	for (int i = 6; i < 10; i++)
		assert_false(c[i].known);
	assert_true(c[10].known && c[11].known);
	history_free(m.h);
}

static void old_temperatures_are_forgotten(void **state)
{
	struct history_cell c[1];
	struct ticker m;

	(void)state;
	ticker_init(&m, 360, 1);
	ticker_begin(&m, 0);
	history_add_temperature(m.h, 0, 0, 99000);
	for (int i = 0; i < 1000; i++) {
		ticker_sample(&m, SECOND, 1);
		history_add_temperature(m.h, 0, m.tick.elapsed_us, 30000);
	}
	history_read_temperature(m.h, 0, SECOND, SECOND, c, 1);
	assert_false(c[0].known);
	history_read_temperature(m.h, 0, 1000 * SECOND, SECOND, c, 1);
	assert_cell(&c[0], 30000, 30000, 30000);
	history_free(m.h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_oldest_go_first),
		cmocka_unit_test(an_hour_of_64_devices_is_below_16_mb),
		cmocka_unit_test(many_devices_are_kept_for_less_long),
		cmocka_unit_test(a_tick_allocates_nothing),
		cmocka_unit_test(devices_that_never_counted_take_no_room),
		cmocka_unit_test(odd_questions_have_empty_answers),
		cmocka_unit_test(temperatures_have_a_trend),
		cmocka_unit_test(a_sleeping_disk_has_no_temperature),
		cmocka_unit_test(old_temperatures_are_forgotten),
	};

	return cmocka_run_group_tests_name("history_bounds", tests, NULL, NULL);
}
