/* Every reason for a gap, what follows it, and where totals begin again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "rates_bench.h"
#include "raidtop/memory.h"

/* ---- gaps ---- */

/* What is done to the machine before a tick, and what the tick then says. */
static void nothing(struct bench *b)
{
	(void)b;
}

static void miss_ticks(struct bench *b)
{
	b->s.missed_ticks = 3;
}

static void sleep_an_hour(struct bench *b)
{
	b->s.boottime_us += 3600 * SECOND;
}

static void sleep_half_a_second(struct bench *b)
{
	b->s.boottime_us += SECOND / 2;
}

static void drift(struct bench *b)
{
	b->s.boottime_us += SECOND / 2 - 1;
}

static void forget_boottime(struct bench *b)
{
	b->s.boottime_us = UNKNOWN_U64;
}

static void lose_requests(struct bench *b)
{
	bench_counters(b, 0)->value[COUNTER_READ_IOS]--;
}

static void lose_flushes(struct bench *b)
{
	bench_counters(b, 0)->value[COUNTER_FLUSH_IOS] = 0;
}

/* BUGS 33, diskstats/33: all of it smaller; the times alone would pass for wrapped. */
static void plug_again(struct bench *b)
{
	for (enum counter c = 0; c < COUNTER_COUNT; c++)
		bench_counters(b, 0)->value[c] = 10;
}

static void lose_busy_time(struct bench *b)
{
	bench_counters(b, 0)->value[COUNTER_BUSY_US] = 10 * SECOND;
}

static void wrap_busy_time(struct bench *b)
{
	bench_counters(b, 0)->value[COUNTER_BUSY_US] = 100 * MS;
}

static void fewer_in_flight(struct bench *b)
{
	bench_counters(b, 0)->value[COUNTER_INFLIGHT] = 0;
}

static void unplug(struct bench *b)
{
	b->t.devices[0]->present = false;
}

static void lose_line(struct bench *b)
{
	bench_counters(b, 0)->valid = 0;
}

static void statistics_off(struct bench *b)
{
	b->t.devices[0]->counts_io = TRUTH_NO;
}

static void new_segment(struct bench *b)
{
	b->s.segment = 2;
	b->s.elapsed_us = 0;
}

static void new_segment_and_missed(struct bench *b)
{
	new_segment(b);
	b->s.missed_ticks = 1;
}

static void clock_stands(struct bench *b)
{
	b->s.elapsed_us -= SECOND;
	b->s.boottime_us -= SECOND;
}

static void clock_goes_back(struct bench *b)
{
	b->s.elapsed_us -= 2 * SECOND;
	b->s.boottime_us -= 2 * SECOND;
}

static void missed_and_plugged_again(struct bench *b)
{
	miss_ticks(b);
	plug_again(b);
}

static const struct gap_case {
	const char *name;
	void (*happens)(struct bench *b);
	enum gap tick, device;
	uint64_t interval_us;
} gap_cases[] = {
	{ "nothing happens", nothing, GAP_NONE, GAP_NONE, SECOND },
	{ "ticks were missed", miss_ticks, GAP_MISSED, GAP_MISSED, SECOND },
	{ "the machine slept an hour (WISHES 29)", sleep_an_hour, GAP_SUSPEND, GAP_SUSPEND,
	  SECOND },
	{ "it slept half a second", sleep_half_a_second, GAP_SUSPEND, GAP_SUSPEND, SECOND },
	{ "the clocks drift by less", drift, GAP_NONE, GAP_NONE, SECOND },
	{ "no boottime clock", forget_boottime, GAP_NONE, GAP_NONE, SECOND },
	{ "one counter falls", lose_requests, GAP_NONE, GAP_RESET, SECOND },
	{ "a counter that no rate needs falls", lose_flushes, GAP_NONE, GAP_RESET, SECOND },
	{ "all counters fall (telegraf#17408)", plug_again, GAP_NONE, GAP_RESET, SECOND },
	{ "busy falls too far for a wrap", lose_busy_time, GAP_NONE, GAP_RESET, SECOND },
	{ "busy wraps", wrap_busy_time, GAP_NONE, GAP_NONE, SECOND },
	{ "fewer requests in flight are no reset", fewer_in_flight, GAP_NONE, GAP_NONE, SECOND },
	{ "unplugged", unplug, GAP_NONE, GAP_ABSENT, SECOND },
	{ "no line in diskstats", lose_line, GAP_NONE, GAP_ABSENT, SECOND },
	{ "queue/iostats is 0 (WISHES 2, BUGS 41)", statistics_off, GAP_NONE, GAP_ABSENT, SECOND },
	{ "another segment", new_segment, GAP_SEGMENT, GAP_SEGMENT, 0 },
	{ "another segment, ticks missed", new_segment_and_missed, GAP_MISSED, GAP_MISSED, 0 },
	{ "the clock stands", clock_stands, GAP_CLOCK, GAP_CLOCK, 0 },
	{ "the clock goes back", clock_goes_back, GAP_CLOCK, GAP_CLOCK, 0 },
	{ "the first reason counts", missed_and_plugged_again, GAP_MISSED, GAP_MISSED, SECOND },
};

/* A disk whose counters are all near the wrap of times; it has been measured once. */
static void start_near_wrap(struct bench *b)
{
	bench_init(b);
	topology_add_device(&b->t, DEVICE_DISK, "sda");
	topology_add_device(&b->t, DEVICE_DISK, "sdb");
	bench_start(b, 4294967000 * MS);
	bench_add(b, 0, COUNTER_READ_BYTES, 1);
	bench_step(b, SECOND);
	assert_int_equal(bench_figures(b, 0)->gap, GAP_NONE);
}

static void gaps_have_reasons(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(gap_cases); i++) {
		const struct gap_case *c = &gap_cases[i];
		struct bench b;

		print_message("  %s\n", c->name);
		start_near_wrap(&b);
		c->happens(&b);
		bench_step(&b, b.s.segment == 1 ? SECOND : 0);
		assert_int_equal(b.tick->gap, c->tick);
		assert_int_equal(b.tick->total.gap, c->tick);
		assert_int_equal(b.tick->interval_us, c->interval_us);
		assert_int_equal(bench_figures(&b, 0)->gap, c->device);
		assert_int_equal(bench_figures(&b, 0)->valid != 0, c->device == GAP_NONE);
		assert_int_equal(bench_figures(&b, 1)->gap,
				 c->tick); /* the other disk minds its own */
		bench_release(&b);
	}
}

static void after_a_gap_there_is_a_new_baseline(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(gap_cases); i++) {
		const struct gap_case *c = &gap_cases[i];
		struct bench b;

		print_message("  %s\n", c->name);
		start_near_wrap(&b);
		c->happens(&b);
		bench_step(&b, b.s.segment == 1 ? SECOND : 0);
		b.s.missed_ticks = 0;
		if (bench_counters(&b, 0)->valid == 0 || !b.t.devices[0]->present ||
		    b.t.devices[0]->counts_io == TRUTH_NO) {
			b.t.devices[0]->present = true;
			b.t.devices[0]->counts_io = TRUTH_UNKNOWN;
			bench_counters(&b, 0)->valid = ALL_COUNTERS;
			bench_step(&b, SECOND);
			assert_int_equal(bench_figures(&b, 0)->gap, GAP_FIRST);
		}
		bench_add(&b, 0, COUNTER_READ_BYTES, 5000);
		bench_step(&b, SECOND);
		assert_int_equal(bench_figures(&b, 0)->gap, GAP_NONE);
		assert_rate(bench_figures(&b, 0), RATE_READ_BYTES, 5000);
		bench_release(&b);
	}
}

/* WISHES 14, BUGS 43: what counters say since boot is no rate. */
static void the_first_tick_has_no_rate(void **state)
{
	struct bench b;

	(void)state;
	bench_init(&b);
	topology_add_device(&b.t, DEVICE_DISK, "sda");
	bench_start(&b, 123456789);
	assert_int_equal(b.tick->gap, GAP_FIRST);
	assert_int_equal(b.tick->interval_us, 0);
	assert_int_equal(bench_figures(&b, 0)->gap, GAP_FIRST);
	assert_int_equal(bench_figures(&b, 0)->valid, 0);
	assert_int_equal(bench_figures(&b, 0)->totals.value[COUNTER_READ_BYTES], 123456789);
	bench_step(&b, SECOND);
	assert_int_equal(bench_figures(&b, 0)->gap, GAP_NONE);
	rates_reset(b.rates);
	bench_step(&b, SECOND);
	assert_int_equal(b.tick->gap, GAP_FIRST);
	bench_release(&b);
}

static void totals_begin_again_with_the_counters(void **state)
{
	struct bench b;

	(void)state;
	start_near_wrap(&b);
	plug_again(&b);
	bench_step(&b, SECOND);
	for (enum counter c = 0; c < COUNTER_COUNT; c++)
		assert_int_equal(bench_figures(&b, 0)->totals.value[c], 10);
	lose_line(&b);
	bench_step(&b, SECOND);
	assert_int_equal(bench_figures(&b, 0)->totals.valid, 0);
	bench_release(&b);
}

static void a_device_that_comes_later_has_a_first_tick_of_its_own(void **state)
{
	struct bench b;

	(void)state;
	bench_init(&b);
	topology_add_device(&b.t, DEVICE_DISK, "sda");
	bench_start(&b, 1000);
	topology_add_device(&b.t, DEVICE_DISK, "sdb");
	b.s.devices = memory_resize(b.s.devices, 2, sizeof(*b.s.devices));
	b.s.devices[1] = b.s.devices[0];
	b.s.n_devices = 2;
	bench_add(&b, 0, COUNTER_READ_BYTES, 7);
	bench_step(&b, SECOND);
	assert_int_equal(bench_figures(&b, 0)->gap, GAP_NONE);
	assert_int_equal(bench_figures(&b, 1)->gap, GAP_FIRST);
	assert_rate(&b.tick->total, RATE_READ_BYTES, 7);
	bench_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gaps_have_reasons),
		cmocka_unit_test(after_a_gap_there_is_a_new_baseline),
		cmocka_unit_test(the_first_tick_has_no_rate),
		cmocka_unit_test(totals_begin_again_with_the_counters),
		cmocka_unit_test(a_device_that_comes_later_has_a_first_tick_of_its_own),
	};

	return cmocka_run_group_tests_name("rates_gaps", tests, NULL, NULL);
}
