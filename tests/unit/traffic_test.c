/* Sums over a window: what goes in comes out, gaps empty it, too little is not enough. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "raidtop/traffic.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))
#define SECOND_US 1000000ULL

static const struct traffic second = {
	.known = true,
	.time_us = SECOND_US,
	.read_bytes = 1e6,
	.write_bytes = 2e6,
	.read_ios = 10,
	.write_ios = 20,
	.read_us = 40e3,
	.write_us = 100e3,
	.queue_us = 3e6,
	.busy_us = 0.5e6,
	.inflight_before = UNKNOWN_U64,
	.inflight = 3,
};

static void add_second(struct traffic_window *w, const struct traffic *t)
{
	traffic_window_add(w, t);
	traffic_window_close(w);
}

/* ---- from rates ---- */

static struct figures figures_of(uint32_t without)
{
	struct figures f = { .gap = GAP_NONE };
	static const double values[RATE_COUNT] = {
		[RATE_READ_BYTES] = 4e6, [RATE_WRITE_BYTES] = 2e6, [RATE_READ_IOS] = 100,
		[RATE_WRITE_IOS] = 50,   [RATE_READ_AWAIT] = 2.5,  [RATE_WRITE_AWAIT] = 8,
		[RATE_QUEUE] = 1.5,      [RATE_UTIL] = 80,
	};

	for (int r = 0; r < RATE_COUNT; r++) {
		if (without >> r & 1)
			continue;
		f.value[r] = values[r];
		f.valid |= 1u << r;
	}
	counters_set(&f.totals, COUNTER_INFLIGHT, 7);
	return f;
}

static void rates_become_sums(void **state)
{
	struct figures f = figures_of(0);
	struct traffic t;

	(void)state;
	traffic_from_figures(&t, &f, 500000);
	assert_true(t.known && !t.derived);
	assert_int_equal(t.time_us, 500000);
	assert_true(t.read_bytes == 2e6 && t.write_bytes == 1e6);
	assert_true(t.read_ios == 50 && t.write_ios == 25);
	assert_true(fabs(t.read_us - 125e3) < 1e-6 && fabs(t.write_us - 200e3) < 1e-6);
	assert_true(fabs(t.queue_us - 750e3) < 1e-6 && fabs(t.busy_us - 400e3) < 1e-6);
	assert_int_equal(t.inflight, 7);
	assert_true(t.inflight_before == UNKNOWN_U64);
	assert_true(fabs(traffic_read_await_ms(&t) - 2.5) < 1e-9);
	assert_true(fabs(traffic_write_await_ms(&t) - 8) < 1e-9);
	assert_true(fabs(traffic_mean_inflight(&t) - 1.5) < 1e-9);
	assert_true(fabs(traffic_busy_pct(&t) - 80) < 1e-9);
}

/* Kernels that count no times; an interval in which nothing completed; a gap. */
static void what_is_not_known_stays_so(void **state)
{
	struct figures f = figures_of(1u << RATE_READ_AWAIT | 1u << RATE_QUEUE);
	struct traffic t;

	(void)state;
	traffic_from_figures(&t, &f, SECOND_US);
	assert_true(t.known && isnan(t.read_us) && isnan(t.queue_us));
	assert_true(isnan(traffic_read_await_ms(&t)) && isnan(traffic_mean_inflight(&t)));
	assert_true(traffic_write_await_ms(&t) > 0);
	f.value[RATE_READ_IOS] = 0;
	traffic_from_figures(&t, &f, SECOND_US);
	assert_true(t.read_us == 0);
	assert_true(isnan(traffic_read_await_ms(&t)));
	f.totals.valid = 0;
	traffic_from_figures(&t, &f, SECOND_US);
	assert_true(t.inflight == UNKNOWN_U64);
	f.gap = GAP_SUSPEND;
	traffic_from_figures(&t, &f, SECOND_US);
	assert_false(t.known);
	f.gap = GAP_NONE;
	traffic_from_figures(&t, &f, 0);
	assert_false(t.known);
}

/* ---- windows ---- */

static void a_window_is_ten_seconds(void **state)
{
	struct traffic_window w = { .n = 0 };
	struct traffic sum;

	(void)state;
	for (int i = 1; i <= 60; i++) {
		add_second(&w, &second);
		traffic_window_sum(&w, &sum);
		assert_int_equal(sum.known, i >= 10);
		if (!sum.known)
			continue;
		assert_int_equal(sum.time_us, 10 * SECOND_US);
		assert_true(sum.read_bytes == 1e7 && sum.write_bytes == 2e7);
		assert_true(sum.read_ios == 100 && sum.write_ios == 200);
		assert_true(traffic_mean_inflight(&sum) == 3);
		assert_true(traffic_read_await_ms(&sum) == 4 && traffic_write_await_ms(&sum) == 5);
		assert_true(traffic_busy_pct(&sum) == 50);
	}
}

/* At least ten seconds, however short or long they are. */
static void seconds_of_any_length(void **state)
{
	static const struct {
		uint64_t us, window_us;
	} cases[] = { { 667000, 15 * 667000 },
		      { 990000, 11 * 990000 },
		      { 1010000, 10 * 1010000 },
		      { 3000000, 4 * 3000000 },
		      { 60000000, 60000000 } };

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct traffic_window w = { .n = 0 };
		struct traffic t = second, sum;

		t.time_us = cases[i].us;
		for (int k = 0; k < 40; k++)
			add_second(&w, &t);
		traffic_window_sum(&w, &sum);
		assert_true(sum.known);
		assert_int_equal(sum.time_us, cases[i].window_us);
	}
}

static void samples_make_a_second(void **state)
{
	struct traffic_window w = { .n = 0 };
	struct traffic t = second, last;

	(void)state;
	t.time_us = SECOND_US / 4;
	for (uint64_t i = 0; i < 4; i++) {
		t.inflight = i;
		traffic_window_add(&w, &t);
	}
	traffic_window_last(&w, &last);
	assert_false(last.known);
	traffic_window_close(&w);
	traffic_window_last(&w, &last);
	assert_true(last.known);
	assert_int_equal(last.time_us, SECOND_US);
	assert_true(last.read_bytes == 4e6);
	assert_int_equal(last.inflight, 3);
}

static void a_gap_empties_it(void **state)
{
	struct traffic gap = { .known = false, .time_us = SECOND_US / 2 };
	struct traffic_window w = { .n = 0 };
	struct traffic sum, half = second;

	(void)state;
	half.time_us = SECOND_US / 2;
	for (int i = 0; i < 20; i++)
		add_second(&w, &second);
	traffic_window_add(&w, &half);
	traffic_window_add(&w, &gap);
	traffic_window_close(&w);
	traffic_window_last(&w, &sum);
	assert_false(sum.known);
	for (int i = 0; i < 10; i++) {
		traffic_window_sum(&w, &sum);
		assert_false(sum.known);
		add_second(&w, &second);
	}
	traffic_window_sum(&w, &sum);
	assert_true(sum.known);
	traffic_window_close(&w); /* a second in which nothing came */
	traffic_window_sum(&w, &sum);
	assert_false(sum.known);
}

/* What was in flight before a window is what the second before it left. */
static void in_flight_at_both_ends(void **state)
{
	struct traffic_window w = { .n = 0 };
	struct traffic t = second, sum;

	(void)state;
	for (uint64_t i = 0; i < 10; i++) {
		t.inflight = 100 + i;
		add_second(&w, &t);
	}
	traffic_window_sum(&w, &sum);
	assert_true(sum.inflight_before == UNKNOWN_U64);
	t.inflight = 110;
	add_second(&w, &t);
	traffic_window_sum(&w, &sum);
	assert_int_equal(sum.inflight_before, 100);
	assert_int_equal(sum.inflight, 110);
}

static void devices_beside_each_other(void **state)
{
	struct traffic sum = { .known = true, .time_us = SECOND_US }, t = second;

	(void)state;
	t.inflight_before = 2;
	traffic_add_beside(&sum, &t);
	traffic_add_beside(&sum, &t);
	assert_true(sum.known);
	assert_int_equal(sum.time_us, SECOND_US);
	assert_true(sum.read_bytes == 2e6 && sum.write_bytes == 4e6 && sum.busy_us == 1e6);
	assert_true(sum.inflight_before == 4 && sum.inflight == 6);
	traffic_add_beside(&sum, &second); /* not known before it */
	assert_true(sum.known && sum.inflight_before == UNKNOWN_U64 && sum.inflight == 9);
	t.time_us++;
	traffic_add_beside(&sum, &t);
	assert_false(sum.known);
}

/* ---- enough, even ---- */

static void enough_for_a_ratio(void **state)
{
	static const struct {
		bool known;
		uint64_t time_us;
		double bytes;
		bool enough;
	} cases[] = {
		{ true, 10000000, 1e7, true },      { true, 10000000, 0.99e7, false },
		{ true, 9999999, 1e9, false },      { false, 10000000, 1e9, false },
		{ true, 11000000, 1.05e7, false },  { true, 10000000, NAN, false },
		{ true, 10000000, 8388607, false },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct traffic t = { .known = cases[i].known, .time_us = cases[i].time_us };

		assert_int_equal(traffic_is_enough(&t, cases[i].bytes), cases[i].enough);
	}
}

static void even_is_five_percent(void **state)
{
	static const struct {
		uint64_t before, after;
		double ios;
		bool even;
	} cases[] = {
		{ 0, 5, 100, true },
		{ 0, 6, 100, false },
		{ 6, 0, 100, false },
		{ 5, 0, 100, true },
		{ 64, 64, 0, true },
		{ 0, 1, 0, false },
		{ UNKNOWN_U64, 90, 100, true },
		{ 90, UNKNOWN_U64, 100, true },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct traffic t = { .known = true,
				     .read_ios = cases[i].ios / 2,
				     .write_ios = cases[i].ios / 2,
				     .inflight_before = cases[i].before,
				     .inflight = cases[i].after };

		assert_int_equal(traffic_is_even(&t), cases[i].even);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rates_become_sums),
		cmocka_unit_test(what_is_not_known_stays_so),
		cmocka_unit_test(a_window_is_ten_seconds),
		cmocka_unit_test(seconds_of_any_length),
		cmocka_unit_test(samples_make_a_second),
		cmocka_unit_test(a_gap_empties_it),
		cmocka_unit_test(in_flight_at_both_ends),
		cmocka_unit_test(devices_beside_each_other),
		cmocka_unit_test(enough_for_a_ratio),
		cmocka_unit_test(even_is_five_percent),
	};

	return cmocka_run_group_tests_name("traffic", tests, NULL, NULL);
}
