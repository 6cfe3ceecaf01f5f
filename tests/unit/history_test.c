/* The history: seconds from samples, cells from seconds, gaps, segments, bounds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "raidtop/history.h"
#include "raidtop/memory.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))
#define SECOND UINT64_C(1000000)
#define TENTH (SECOND / 10)
#define MAX_DEVICES 64

/* ---- ticks ---- */

struct machine {
	struct history *h;
	struct figures devices[MAX_DEVICES];
	struct tick tick;
};

static void machine_init(struct machine *m, unsigned int seconds, size_t n_devices)
{
	memset(m, 0, sizeof(*m));
	m->h = history_new(seconds);
	m->tick.devices = m->devices;
	m->tick.n_devices = n_devices;
	m->tick.segment = 1;
}

static void set(struct figures *f, double read, double write)
{
	f->value[RATE_READ_BYTES] = read;
	f->value[RATE_WRITE_BYTES] = write;
	f->valid = 1u << RATE_READ_BYTES | 1u << RATE_WRITE_BYTES;
	f->gap = GAP_NONE;
}

static void add_at(struct machine *m, uint64_t elapsed_us, uint64_t interval_us, enum gap gap)
{
	m->tick.elapsed_us = elapsed_us;
	m->tick.interval_us = interval_us;
	m->tick.gap = gap;
	history_add(m->h, &m->tick);
}

/* The first tick, at a time. */
static void begin(struct machine *m, uint64_t elapsed_us)
{
	add_at(m, elapsed_us, 0, GAP_FIRST);
}

/* A sample of all devices and the total, `read` and twice that. */
static void sample(struct machine *m, uint64_t interval_us, double read)
{
	for (size_t i = 0; i < m->tick.n_devices; i++)
		set(&m->devices[i], read, 2 * read);
	set(&m->tick.total, read, 2 * read);
	add_at(m, m->tick.elapsed_us + interval_us, interval_us, GAP_NONE);
}

static void gap(struct machine *m, uint64_t interval_us, enum gap why)
{
	for (size_t i = 0; i < m->tick.n_devices; i++)
		m->devices[i].valid = 0;
	m->tick.total.valid = 0;
	add_at(m, m->tick.elapsed_us + interval_us, interval_us, why);
}

static void assert_near(double value, double wanted)
{
	if (!(fabs(value - wanted) <= 1e-4 * fabs(wanted) + 1e-6))
		fail_msg("%g is not %g", value, wanted);
}

static void assert_cell(const struct history_cell *c, double mean, double min, double max)
{
	assert_true(c->known);
	assert_near((double)c->mean, mean);
	assert_near((double)c->min, min);
	assert_near((double)c->max, max);
}

/* Reads cells that end at the newest time and compares their means; a negative one is a gap. */
static void assert_means(const struct machine *m, uint64_t cell_us, const double *wanted, size_t n)
{
	struct history_cell cells[64];

	assert_true(n <= COUNT(cells));
	history_read(m->h, 0, SERIES_READ, history_end_us(m->h), cell_us, cells, n);
	for (size_t i = 0; i < n; i++) {
		if (cells[i].known != (wanted[i] >= 0))
			fail_msg("cell %zu is %s", i, cells[i].known ? "known" : "unknown");
		if (cells[i].known)
			assert_near((double)cells[i].mean, wanted[i]);
	}
}

#define MEANS(m, cell_us, ...)                                    \
	assert_means(m, cell_us, (const double[]){ __VA_ARGS__ }, \
		     COUNT(((const double[]){ __VA_ARGS__ })))

/* ---- one-second samples ---- */

static void a_second_is_a_cell(void **state)
{
	struct machine m;

	(void)state;
	machine_init(&m, 60, 2);
	assert_int_equal(history_end_us(m.h), 0);
	MEANS(&m, SECOND, -1, -1);
	begin(&m, 0);
	MEANS(&m, SECOND, -1, -1);
	for (int i = 1; i <= 5; i++)
		sample(&m, SECOND, 100 * i);
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
	struct machine m;

	(void)state;
	machine_init(&m, 60, 1);
	begin(&m, 250);
	for (size_t i = 0; i < COUNT(late_us); i++) {
		uint64_t next = (i + 1) * SECOND + late_us[i];

		at = m.tick.elapsed_us;
		sample(&m, next - at, 100.0 * (double)(i + 1));
	}
	MEANS(&m, SECOND, 100, 200, 300, 400, 500, 600, 700, 800);
	history_free(m.h);
}

static void both_directions_and_the_total_are_kept(void **state)
{
	struct history_cell c;
	struct machine m;

	(void)state;
	machine_init(&m, 60, 2);
	begin(&m, 0);
	sample(&m, SECOND, 100);
	set(&m.devices[1], 7, 8);
	set(&m.tick.total, 107, 208);
	add_at(&m, 2 * SECOND, SECOND, GAP_NONE);
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
	struct machine m;

	(void)state;
	machine_init(&m, 60, 1);
	begin(&m, 0);
	for (int i = 0; i < 15; i++)
		sample(&m, SECOND, i == 7 ? 10 : 100);
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
	struct machine m;

	(void)state;
	machine_init(&m, 60, 1);
	begin(&m, 0);
	for (int i = 0; i < 24; i++)
		sample(&m, SECOND, i * i);
	history_read(m.h, 0, SERIES_READ, history_end_us(m.h), 3 * SECOND, before, 8);
	for (int moved = 1; moved <= 6; moved++) {
		sample(&m, SECOND, 5);
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

/* ---- finer samples ---- */

static void tenths_become_seconds(void **state)
{
	struct history_cell c[2];
	struct machine m;

	(void)state;
	machine_init(&m, 60, 1);
	begin(&m, 300);
	for (int i = 0; i < 20; i++)
		sample(&m, TENTH, i == 14 ? 0 : 100);
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
	struct machine m;

	(void)state;
	machine_init(&m, 60, 1);
	begin(&m, 0);
	sample(&m, 7 * TENTH, 100);
	sample(&m, 3 * TENTH, 200);
	history_read(m.h, 0, SERIES_READ, history_end_us(m.h), SECOND, &c, 1);
	assert_cell(&c, 130, 100, 200);
	history_free(m.h);
}

static void a_second_that_is_not_over_is_shown(void **state)
{
	struct machine m;

	(void)state;
	machine_init(&m, 60, 1);
	begin(&m, 0);
	for (int i = 0; i < 10; i++)
		sample(&m, TENTH, 100);
	MEANS(&m, SECOND, -1, 100);
	sample(&m, TENTH, 300);
	MEANS(&m, SECOND, 100, 300);
	sample(&m, TENTH, 100);
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
		struct machine m;
		double sum = 0;

		print_message("  %u us\n", (unsigned int)intervals_us[i]);
		machine_init(&m, 300, 1);
		begin(&m, 0);
		while (m.tick.elapsed_us < 100 * SECOND)
			sample(&m, intervals_us[i], 1000);
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
	struct machine m;

	(void)state;
	machine_init(&m, 3600, 1);
	begin(&m, 0);
	for (int i = 0; i < 4000; i++)
		sample(&m, TENTH, i % 10 == 3 ? 0 : 100);
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
	struct machine m;

	(void)state;
	machine_init(&m, 60, 1);
	begin(&m, 0);
	for (int i = 0; i < 20; i++) {
		if (i == 15) { /* the device was made anew: no rate for one sample */
			m.devices[0].valid = 0;
			add_at(&m, m.tick.elapsed_us + TENTH, TENTH, GAP_NONE);
		} else {
			sample(&m, TENTH, 100);
		}
	}
	MEANS(&m, TENTH, 100, 100, 100, 100, 100, -1, 100, 100, 100, 100);
	MEANS(&m, SECOND, 100, 100);
	history_free(m.h);
}

static void sampling_may_change_its_pace(void **state)
{
	struct history_cell c[4];
	struct machine m;

	(void)state;
	machine_init(&m, 60, 1);
	begin(&m, 0);
	sample(&m, SECOND, 100);
	for (int i = 0; i < 10; i++)
		sample(&m, TENTH, i < 5 ? 100 : 300);
	sample(&m, SECOND, 400);
	history_read(m.h, 0, SERIES_READ, history_end_us(m.h), SECOND, c, 3);
	assert_cell(&c[0], 100, 100, 100); /* alone, its own extremes */
	assert_cell(&c[1], 200, 100, 300);
	assert_cell(&c[2], 400, 400, 400);
	MEANS(&m, SECOND / 2, 100, 100, 100, 300, 400, 400);
	history_free(m.h);
}

/* ---- coarser samples ---- */

static void long_intervals_leave_no_holes(void **state)
{
	struct machine m;

	(void)state;
	machine_init(&m, 60, 1);
	begin(&m, 200);
	sample(&m, 5 * SECOND, 100);
	sample(&m, 5 * SECOND, 200);
	MEANS(&m, SECOND, 100, 100, 100, 100, 100, 200, 200, 200, 200, 200);
	MEANS(&m, 2 * SECOND, 100, 100, 100, 200, 200);
	MEANS(&m, 10 * SECOND, 150);
	MEANS(&m, TENTH, 200, 200, 200);
	history_free(m.h);
}

/* ---- gaps ---- */

static void gaps_are_gaps(void **state)
{
	struct machine m;

	(void)state;
	machine_init(&m, 60, 1);
	begin(&m, 0);
	sample(&m, SECOND, 100);
	gap(&m, 3 * SECOND, GAP_MISSED);
	sample(&m, SECOND, 200);
	gap(&m, SECOND, GAP_SUSPEND);
	sample(&m, SECOND, 300);
	MEANS(&m, SECOND, 100, -1, -1, -1, 200, -1, 300);
	history_free(m.h);
}

static void a_gap_ends_the_second_before_it(void **state)
{
	struct machine m;

	(void)state;
	machine_init(&m, 60, 1);
	begin(&m, 0);
	for (int i = 0; i < 4; i++)
		sample(&m, TENTH, 100);
	gap(&m, 6 * TENTH + 2 * SECOND, GAP_MISSED);
	for (int i = 0; i < 10; i++)
		sample(&m, TENTH, 200);
	MEANS(&m, SECOND, 100, -1, -1, 200);
	history_free(m.h);
}

static void one_device_may_have_a_gap_of_its_own(void **state)
{
	struct history_cell c[3];
	struct machine m;

	(void)state;
	machine_init(&m, 60, 2);
	begin(&m, 0);
	sample(&m, SECOND, 100);
	m.devices[1].valid = 0;
	m.devices[1].gap = GAP_RESET;
	add_at(&m, 2 * SECOND, SECOND, GAP_NONE);
	sample(&m, SECOND, 100);
	MEANS(&m, SECOND, 100, 100, 100);
	history_read(m.h, 1, SERIES_READ, 3 * SECOND, SECOND, c, 3);
	assert_true(c[0].known && !c[1].known && c[2].known);
	history_free(m.h);
}

static void a_clock_that_goes_back_adds_nothing(void **state)
{
	struct machine m;

	(void)state;
	machine_init(&m, 60, 1);
	begin(&m, 0);
	sample(&m, SECOND, 100);
	sample(&m, SECOND, 200);
	add_at(&m, SECOND, 0, GAP_CLOCK);
	assert_int_equal(history_end_us(m.h), 2 * SECOND);
	MEANS(&m, SECOND, 100, 200);
	history_free(m.h);
}

/* ---- segments ---- */

static void times_run_on_over_segments(void **state)
{
	struct machine m;

	(void)state;
	machine_init(&m, 60, 1);
	begin(&m, 0);
	sample(&m, SECOND, 100);
	sample(&m, SECOND + 400, 200);
	m.tick.segment = 2;
	begin(&m, 700);
	assert_int_equal(history_end_us(m.h), 4 * SECOND + 700);
	sample(&m, SECOND, 300);
	MEANS(&m, SECOND, 100, 200, -1, -1, 300);
	history_free(m.h);
}

static void a_segment_that_begins_late_comes_no_later(void **state)
{
	struct machine m;

	(void)state;
	machine_init(&m, 60, 1);
	begin(&m, 500 * SECOND);
	sample(&m, SECOND, 100);
	assert_int_equal(history_end_us(m.h), 501 * SECOND);
	m.tick.segment = 2;
	begin(&m, 9000 * SECOND + 5);
	sample(&m, SECOND, 300);
	MEANS(&m, SECOND, 100, -1, 300);
	history_reset(m.h);
	assert_int_equal(history_end_us(m.h), 0);
	begin(&m, 9002 * SECOND);
	assert_int_equal(history_end_us(m.h), 9002 * SECOND);
	MEANS(&m, SECOND, -1, -1, -1);
	history_free(m.h);
}

/* ---- bounds ---- */

static void the_oldest_go_first(void **state)
{
	struct machine m;

	(void)state;
	machine_init(&m, 5, 1);
	begin(&m, 0);
	for (int i = 1; i <= 8; i++)
		sample(&m, SECOND, i);
	assert_int_equal(history_begin_us(m.h), 3 * SECOND);
	MEANS(&m, SECOND, -1, -1, 4, 5, 6, 7, 8);
	history_free(m.h);
}

static void an_hour_of_64_devices_is_below_16_mb(void **state)
{
	struct machine m;
	size_t bytes;

	(void)state;
	machine_init(&m, 3600, MAX_DEVICES);
	begin(&m, 0);
	for (int i = 0; i < 36000; i++) {
		sample(&m, TENTH, i);
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

static void a_tick_allocates_nothing(void **state)
{
	static const uint64_t intervals_us[] = { TENTH, SECOND, 5 * SECOND };

	(void)state;
	for (size_t i = 0; i < COUNT(intervals_us); i++) {
		struct machine m;
		size_t before;

		machine_init(&m, 600, 8);
		begin(&m, 0);
		for (int k = 0; k < 20; k++)
			sample(&m, intervals_us[i], 100);
		history_add_temperature(m.h, 0, m.tick.elapsed_us, 30000);
		before = memory_allocations();
		for (int k = 0; k < 1000; k++) {
			sample(&m, intervals_us[i], 100);
			history_add_temperature(m.h, 0, m.tick.elapsed_us, 30000);
			MEANS(&m, SECOND, 100, 100, 100);
		}
		assert_int_equal(memory_allocations() - before, 0);
		history_free(m.h);
	}
}

static void devices_that_never_counted_take_no_room(void **state)
{
	struct machine m;
	size_t bytes;

	(void)state;
	machine_init(&m, 3600, 1);
	begin(&m, 0);
	bytes = history_memory_bytes(m.h);
	gap(&m, SECOND, GAP_NONE);
	assert_true(history_memory_bytes(m.h) < bytes + 1000);
	history_free(m.h);
}

static void odd_questions_have_empty_answers(void **state)
{
	struct history_cell c[3];
	struct machine m;

	(void)state;
	machine_init(&m, 0, 1);
	begin(&m, 0);
	sample(&m, SECOND, 100);
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
	struct machine m;

	(void)state;
	machine_init(&m, 3600, 1);
	begin(&m, 0);
	for (int i = 0; i < 60; i++) {
		sample(&m, SECOND, 1);
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
	struct machine m;

	(void)state;
	machine_init(&m, 3600, 1);
	begin(&m, 0);
	for (int i = 0; i < 120; i++) {
		sample(&m, SECOND, 1);
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
	struct machine m;

	(void)state;
	machine_init(&m, 360, 1);
	begin(&m, 0);
	history_add_temperature(m.h, 0, 0, 99000);
	for (int i = 0; i < 1000; i++) {
		sample(&m, SECOND, 1);
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
		cmocka_unit_test(a_second_is_a_cell),
		cmocka_unit_test(ticks_that_come_late_do_not_blur),
		cmocka_unit_test(both_directions_and_the_total_are_kept),
		cmocka_unit_test(wide_cells_keep_the_dip),
		cmocka_unit_test(cells_keep_their_values_when_the_picture_moves),
		cmocka_unit_test(tenths_become_seconds),
		cmocka_unit_test(unequal_samples_are_weighed),
		cmocka_unit_test(a_second_that_is_not_over_is_shown),
		cmocka_unit_test(odd_intervals_lose_nothing),
		cmocka_unit_test(fine_samples_older_than_five_minutes_are_folded),
		cmocka_unit_test(a_fine_gap_is_not_filled_from_its_second),
		cmocka_unit_test(sampling_may_change_its_pace),
		cmocka_unit_test(long_intervals_leave_no_holes),
		cmocka_unit_test(gaps_are_gaps),
		cmocka_unit_test(a_gap_ends_the_second_before_it),
		cmocka_unit_test(one_device_may_have_a_gap_of_its_own),
		cmocka_unit_test(a_clock_that_goes_back_adds_nothing),
		cmocka_unit_test(times_run_on_over_segments),
		cmocka_unit_test(a_segment_that_begins_late_comes_no_later),
		cmocka_unit_test(the_oldest_go_first),
		cmocka_unit_test(an_hour_of_64_devices_is_below_16_mb),
		cmocka_unit_test(a_tick_allocates_nothing),
		cmocka_unit_test(devices_that_never_counted_take_no_room),
		cmocka_unit_test(odd_questions_have_empty_answers),
		cmocka_unit_test(temperatures_have_a_trend),
		cmocka_unit_test(a_sleeping_disk_has_no_temperature),
		cmocka_unit_test(old_temperatures_are_forgotten),
	};

	return cmocka_run_group_tests_name("history", tests, NULL, NULL);
}
