/*
 * Rates between snapshots: widths and wraps, every reason for a gap, sums that count each byte
 * once, arrays that count nothing, and a replay that comes to the same bits.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "raidtop/memory.h"
#include "raidtop/rates.h"
#include "raidtop/text.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))
#define SECOND UINT64_C(1000000)
#define MS UINT64_C(1000)
#define MIB 1048576
#define ALL_COUNTERS ((1u << COUNTER_COUNT) - 1)

/* ---- one counter ---- */

static const struct growth_case {
	const char *name;
	enum counter_kind kind;
	uint64_t before, after;
	int r;
	uint64_t growth;
} growth_cases[] = {
	{ "idle", COUNTER_KIND_64, 7, 7, 0, 0 },
	{ "grows", COUNTER_KIND_64, 7, 12, 0, 5 },
	{ "beyond 32 bits", COUNTER_KIND_64, 0xffffffff, 0x100000004, 0, 5 },
	{ "made anew (sysstat#355, BUGS 36)", COUNTER_KIND_64, 1000, 3, -ESTALE, 99 },
	{ "falls for one sample (sysstat#312, BUGS 37)", COUNTER_KIND_64, 8000, 7999, -ESTALE, 99 },
	{ "a time grows", COUNTER_KIND_MS32, 7 * MS, 12 * MS, 0, 5 * MS },
	{ "a time wraps (beats#30480, BUGS 32)", COUNTER_KIND_MS32, 4294617635 * MS, 1024485 * MS,
	  0, 1374146 * MS },
	{ "a time wraps onto 0", COUNTER_KIND_MS32, 4294967295 * MS, 0, 0, MS },
	{ "a time wider than 32 bits falls", COUNTER_KIND_MS32, 4294967296 * MS, 5 * MS, -ESTALE,
	  99 },
};

static void growth_of_counters(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(growth_cases); i++) {
		const struct growth_case *c = &growth_cases[i];
		uint64_t growth = 99; /* must stay untouched on failure */

		print_message("  %s\n", c->name);
		assert_int_equal(counter_growth(c->kind, c->before, c->after, &growth), c->r);
		assert_int_equal(growth, c->growth);
	}
}

/* ---- a machine to measure ---- */

struct bench {
	struct topology t;
	struct snapshot s;
	struct rates *rates;
	const struct tick *tick;
};

static void bench_init(struct bench *b)
{
	topology_init(&b->t);
	snapshot_init(&b->s);
	b->rates = rates_new();
	b->tick = NULL;
}

static void bench_release(struct bench *b)
{
	rates_free(b->rates);
	snapshot_release(&b->s);
	topology_release(&b->t);
}

static struct counters *counters_of(struct bench *b, int slot)
{
	return &b->s.devices[slot];
}

static void add(struct bench *b, int slot, enum counter which, uint64_t growth)
{
	struct counters *c = counters_of(b, slot);

	counters_set(c, which, c->value[which] + growth);
}

/* All devices there, all counters at `value`. */
static void bench_start(struct bench *b, uint64_t value)
{
	snapshot_reset(&b->s, b->t.n_devices);
	for (size_t i = 0; i < b->t.n_devices; i++) {
		for (enum counter c = 0; c < COUNTER_COUNT; c++)
			b->s.devices[i].value[c] = value;
		b->s.devices[i].valid = ALL_COUNTERS;
	}
	b->s.elapsed_us = SECOND;
	b->s.boottime_us = 500 * SECOND;
	b->tick = rates_step(b->rates, &b->t, &b->s);
}

/* Time goes on by so much, awake; then a tick. */
static void bench_step(struct bench *b, uint64_t us)
{
	b->s.elapsed_us += us;
	if (b->s.boottime_us != UNKNOWN_U64)
		b->s.boottime_us += us;
	b->tick = rates_step(b->rates, &b->t, &b->s);
}

static const struct figures *figures(const struct bench *b, int slot)
{
	return &b->tick->devices[slot];
}

static void assert_rate(const struct figures *f, enum rate which, double value)
{
	assert_true(figures_has(f, which));
	if (!(fabs(f->value[which] - value) <= 1e-9 + value * 1e-12))
		fail_msg("%s is %g, not %g", rate_descriptions[which].column, f->value[which],
			 value);
}

static struct member *add_member(struct array *a, const char *name, int device,
				 enum member_state state)
{
	struct member *m = array_add_member(a, name);

	m->device = device;
	m->state = state;
	return m;
}

/* ---- rates ---- */

static void rates_are_growth_by_measured_time(void **state)
{
	struct bench b;
	const struct figures *f;

	(void)state;
	bench_init(&b);
	topology_add_device(&b.t, DEVICE_DISK, "sda");
	bench_start(&b, 1000);
	add(&b, 0, COUNTER_READ_BYTES, 3000000);
	add(&b, 0, COUNTER_READ_IOS, 60);
	add(&b, 0, COUNTER_READ_US, 90 * MS);
	add(&b, 0, COUNTER_WRITE_BYTES, 1500000);
	add(&b, 0, COUNTER_WRITE_IOS, 3);
	add(&b, 0, COUNTER_WRITE_US, 6 * MS);
	add(&b, 0, COUNTER_BUSY_US, 750 * MS);
	add(&b, 0, COUNTER_QUEUE_US, 4500 * MS);
	bench_step(&b, 3 * SECOND / 2);
	f = figures(&b, 0);
	assert_int_equal(b.tick->interval_us, 3 * SECOND / 2);
	assert_int_equal(b.tick->gap, GAP_NONE);
	assert_int_equal(f->gap, GAP_NONE);
	assert_false(f->derived);
	assert_rate(f, RATE_READ_BYTES, 2e6);
	assert_rate(f, RATE_WRITE_BYTES, 1e6);
	assert_rate(f, RATE_READ_IOS, 40);
	assert_rate(f, RATE_WRITE_IOS, 2);
	assert_rate(f, RATE_READ_AWAIT, 1.5);
	assert_rate(f, RATE_WRITE_AWAIT, 2);
	assert_rate(f, RATE_QUEUE, 3);
	assert_rate(f, RATE_UTIL, 50);
	bench_release(&b);
}

/* The kernel counts in jiffies: BUGS 38, sysstat#412. */
static void busy_may_exceed_the_clock(void **state)
{
	struct bench b;

	(void)state;
	bench_init(&b);
	topology_add_device(&b.t, DEVICE_DISK, "sda");
	bench_start(&b, 1000);
	add(&b, 0, COUNTER_BUSY_US, 104 * MS);
	bench_step(&b, SECOND / 10);
	assert_rate(figures(&b, 0), RATE_UTIL, 104);
	bench_release(&b);
}

static void nothing_completed_has_no_await(void **state)
{
	struct bench b;

	(void)state;
	bench_init(&b);
	topology_add_device(&b.t, DEVICE_DISK, "sda");
	bench_start(&b, 1000);
	add(&b, 0, COUNTER_QUEUE_US, 2 * SECOND);
	bench_step(&b, SECOND);
	assert_false(figures_has(figures(&b, 0), RATE_READ_AWAIT));
	assert_false(figures_has(figures(&b, 0), RATE_WRITE_AWAIT));
	assert_rate(figures(&b, 0), RATE_READ_IOS, 0);
	assert_rate(figures(&b, 0), RATE_QUEUE, 2);
	bench_release(&b);
}

static void what_a_partition_of_old_kernels_lacks_is_unknown(void **state)
{
	struct bench b;

	(void)state;
	bench_init(&b);
	topology_add_device(&b.t, DEVICE_PARTITION, "sda1");
	bench_start(&b, 1000);
	counters_of(&b, 0)->valid = 1u << COUNTER_READ_IOS | 1u << COUNTER_READ_BYTES |
				    1u << COUNTER_WRITE_IOS | 1u << COUNTER_WRITE_BYTES;
	bench_step(&b, SECOND);
	add(&b, 0, COUNTER_WRITE_BYTES, 4096);
	bench_step(&b, SECOND);
	assert_int_equal(figures(&b, 0)->valid, 1u << RATE_READ_BYTES | 1u << RATE_WRITE_BYTES |
							1u << RATE_READ_IOS | 1u << RATE_WRITE_IOS);
	assert_rate(figures(&b, 0), RATE_WRITE_BYTES, 4096);
	bench_release(&b);
}

/* BUGS 39 and diskstats/26: an old md counts requests, its times are all 0. */
static void times_that_are_not_kept_are_unknown(void **state)
{
	static const struct {
		const char *name;
		bool array;
		uint64_t ios, busy_us;
		bool known;
	} cases[] = {
		{ "an array that did one request", true, 1, 0, false },
		{ "an array that did nothing", true, 0, 0, true },
		{ "an array with times", true, 1000, MS, true },
		{ "a disk that is new", false, 900, 0, true },
		{ "a disk without times", false, 1000, 0, false },
		{ "a disk with times", false, 5000, MS, true },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct bench b;

		print_message("  %s\n", cases[i].name);
		bench_init(&b);
		if (cases[i].array)
			topology_add_array(&b.t, "md0");
		else
			topology_add_device(&b.t, DEVICE_DISK, "ram0");
		bench_start(&b, 0);
		add(&b, 0, COUNTER_READ_IOS, cases[i].ios);
		add(&b, 0, COUNTER_BUSY_US, cases[i].busy_us);
		bench_step(&b, SECOND);
		assert_rate(figures(&b, 0), RATE_READ_IOS, (double)cases[i].ios);
		assert_int_equal(figures_has(figures(&b, 0), RATE_UTIL), cases[i].known);
		assert_int_equal(figures_has(figures(&b, 0), RATE_QUEUE), cases[i].known);
		bench_release(&b);
	}
}

/* WISHES 3: bytes per refresh are no bytes per second. */
static void the_interval_does_not_change_the_rate(void **state)
{
	static const uint64_t intervals_us[] = { 100000, 250000, 1000000, 5000000 };

	(void)state;
	for (size_t i = 0; i < COUNT(intervals_us); i++) {
		struct bench b;

		bench_init(&b);
		topology_add_device(&b.t, DEVICE_DISK, "sda");
		bench_start(&b, 0);
		add(&b, 0, COUNTER_READ_BYTES, 100 * intervals_us[i]);
		bench_step(&b, intervals_us[i]);
		assert_rate(figures(&b, 0), RATE_READ_BYTES, 100e6);
		bench_release(&b);
	}
}

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
	counters_of(b, 0)->value[COUNTER_READ_IOS]--;
}

static void lose_flushes(struct bench *b)
{
	counters_of(b, 0)->value[COUNTER_FLUSH_IOS] = 0;
}

/* BUGS 33, diskstats/33: all of it smaller; the times alone would pass for wrapped. */
static void plug_again(struct bench *b)
{
	for (enum counter c = 0; c < COUNTER_COUNT; c++)
		counters_of(b, 0)->value[c] = 10;
}

static void lose_busy_time(struct bench *b)
{
	counters_of(b, 0)->value[COUNTER_BUSY_US] = 10 * SECOND;
}

static void wrap_busy_time(struct bench *b)
{
	counters_of(b, 0)->value[COUNTER_BUSY_US] = 100 * MS;
}

static void fewer_in_flight(struct bench *b)
{
	counters_of(b, 0)->value[COUNTER_INFLIGHT] = 0;
}

static void unplug(struct bench *b)
{
	b->t.devices[0]->present = false;
}

static void lose_line(struct bench *b)
{
	counters_of(b, 0)->valid = 0;
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
	{ "the machine slept an hour", sleep_an_hour, GAP_SUSPEND, GAP_SUSPEND, SECOND },
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
	{ "queue/iostats is 0 (btop#499, BUGS 41)", statistics_off, GAP_NONE, GAP_ABSENT, SECOND },
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
	add(b, 0, COUNTER_READ_BYTES, 1);
	bench_step(b, SECOND);
	assert_int_equal(figures(b, 0)->gap, GAP_NONE);
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
		assert_int_equal(figures(&b, 0)->gap, c->device);
		assert_int_equal(figures(&b, 0)->valid != 0, c->device == GAP_NONE);
		assert_int_equal(figures(&b, 1)->gap, c->tick); /* the other disk minds its own */
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
		if (counters_of(&b, 0)->valid == 0 || !b.t.devices[0]->present ||
		    b.t.devices[0]->counts_io == TRUTH_NO) {
			b.t.devices[0]->present = true;
			b.t.devices[0]->counts_io = TRUTH_UNKNOWN;
			counters_of(&b, 0)->valid = ALL_COUNTERS;
			bench_step(&b, SECOND);
			assert_int_equal(figures(&b, 0)->gap, GAP_FIRST);
		}
		add(&b, 0, COUNTER_READ_BYTES, 5000);
		bench_step(&b, SECOND);
		assert_int_equal(figures(&b, 0)->gap, GAP_NONE);
		assert_rate(figures(&b, 0), RATE_READ_BYTES, 5000);
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
	assert_int_equal(figures(&b, 0)->gap, GAP_FIRST);
	assert_int_equal(figures(&b, 0)->valid, 0);
	assert_int_equal(figures(&b, 0)->totals.value[COUNTER_READ_BYTES], 123456789);
	bench_step(&b, SECOND);
	assert_int_equal(figures(&b, 0)->gap, GAP_NONE);
	rates_reset(b.rates);
	bench_step(&b, SECOND);
	assert_int_equal(b.tick->gap, GAP_FIRST);
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
	add(&b, 0, COUNTER_READ_BYTES, 7);
	bench_step(&b, SECOND);
	assert_int_equal(figures(&b, 0)->gap, GAP_NONE);
	assert_int_equal(figures(&b, 1)->gap, GAP_FIRST);
	assert_rate(&b.tick->total, RATE_READ_BYTES, 7);
	bench_release(&b);
}

/* ---- totals ---- */

static void times_go_on_past_their_width(void **state)
{
	struct bench b;
	uint64_t base = 4294967000 * MS;

	(void)state;
	bench_init(&b);
	topology_add_device(&b.t, DEVICE_DISK, "sda");
	bench_start(&b, base);
	for (int i = 1; i <= 3; i++) {
		counters_of(&b, 0)->value[COUNTER_READ_US] =
			(base + (uint64_t)i * 2000000000 * MS) % (MS << 32);
		add(&b, 0, COUNTER_READ_IOS, 1);
		b.s.missed_ticks = i == 2; /* a gap does not stop them */
		bench_step(&b, SECOND);
		assert_int_equal(figures(&b, 0)->totals.value[COUNTER_READ_US],
				 base + (uint64_t)i * 2000000000 * MS);
	}
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
		assert_int_equal(figures(&b, 0)->totals.value[c], 10);
	lose_line(&b);
	bench_step(&b, SECOND);
	assert_int_equal(figures(&b, 0)->totals.valid, 0);
	bench_release(&b);
}

/* ---- the sum of disks ---- */

/* WISHES 8 and 9, BUGS 40: partitions, arrays and what lies on a disk are not counted again. */
static void each_byte_is_counted_once(void **state)
{
	struct bench b;
	struct device *md;
	int sda, sda1, sdb, ram, loop;

	(void)state;
	bench_init(&b);
	sda = 0, topology_add_device(&b.t, DEVICE_DISK, "sda");
	sda1 = 1, topology_add_device(&b.t, DEVICE_PARTITION, "sda1")->parent = sda;
	sdb = 2, topology_add_device(&b.t, DEVICE_DISK, "sdb");
	ram = 3, topology_add_device(&b.t, DEVICE_DISK, "ram0")->minor_interest = true;
	loop = 4, topology_add_device(&b.t, DEVICE_DISK, "loop0")->minor_interest = true;
	md = topology_add_array(&b.t, "md0");
	add_member(md->array, "sda1", sda1, MEMBER_IN_SYNC);
	add_member(md->array, "loop0", loop, MEMBER_IN_SYNC);
	topology_add_device(&b.t, DEVICE_DISK, "gone")->present = false;
	bench_start(&b, 1000);
	for (int i = 0; i < (int)b.t.n_devices; i++) {
		add(&b, i, COUNTER_READ_BYTES, 1u << i);
		add(&b, i, COUNTER_READ_IOS, 2);
		add(&b, i, COUNTER_READ_US, 8 * MS);
		add(&b, i, COUNTER_QUEUE_US, SECOND / 2);
		counters_of(&b, i)->value[COUNTER_INFLIGHT] = 5;
	}
	bench_step(&b, SECOND);
	assert_rate(&b.tick->total, RATE_READ_BYTES, (double)(1 << sda | 1 << sdb | 1 << loop));
	assert_rate(&b.tick->total, RATE_READ_IOS, 6);
	assert_rate(&b.tick->total, RATE_READ_AWAIT, 4);
	assert_rate(&b.tick->total, RATE_QUEUE, 1.5);
	assert_false(figures_has(&b.tick->total, RATE_UTIL));
	assert_int_equal(b.tick->total.totals.value[COUNTER_INFLIGHT], 15);
	md->present = false; /* then loop0 carries nothing that is watched */
	bench_step(&b, SECOND);
	add(&b, loop, COUNTER_READ_BYTES, 100);
	add(&b, ram, COUNTER_READ_BYTES, 100);
	add(&b, sdb, COUNTER_READ_BYTES, 9);
	bench_step(&b, SECOND);
	assert_rate(&b.tick->total, RATE_READ_BYTES, 9);
	assert_int_equal(b.tick->total.totals.value[COUNTER_READ_BYTES],
			 (1 << sda | 1 << sdb | 1 << loop) + 9);
	bench_release(&b);
}

static void without_a_disk_there_is_no_sum(void **state)
{
	struct bench b;

	(void)state;
	bench_init(&b);
	topology_add_device(&b.t, DEVICE_PARTITION, "sda1");
	bench_start(&b, 1000);
	bench_step(&b, SECOND);
	assert_int_equal(b.tick->gap, GAP_NONE);
	assert_int_equal(b.tick->total.gap, GAP_ABSENT);
	assert_int_equal(b.tick->total.valid, 0);
	bench_release(&b);
}

/* ---- arrays that count nothing ---- */

static const struct derived_case {
	const char *name, *level, *layout;
	enum action_kind action;
	uint64_t degraded;
	enum member_state third; /* of three members, each reading 10 and writing 20 MiB/s */
	double read, write;      /* in MiB/s; -1 unknown */
} derived_cases[] = {
	{ "linear", "linear", "", ACTION_NONE, UNKNOWN_U64, MEMBER_IN_SYNC, 30, 60 },
	{ "raid0", "raid0", "", ACTION_NONE, UNKNOWN_U64, MEMBER_IN_SYNC, 30, 60 },
	{ "raid1", "raid1", "", ACTION_NONE, 0, MEMBER_IN_SYNC, 30, 20 },
	{ "raid1 with a spare", "raid1", "", ACTION_NONE, 0, MEMBER_SPARE, 20, 20 },
	{ "raid1 with a failed member", "raid1", "", ACTION_NONE, 1, MEMBER_FAULTY, 20, 20 },
	{ "raid1 that is rebuilt", "raid1", "", ACTION_RECOVERY, 1, MEMBER_REBUILDING, -1, -1 },
	{ "raid10", "raid10", "n2", ACTION_NONE, 0, MEMBER_IN_SYNC, 30, 30 },
	{ "raid10, far and near", "raid10", "n2,f2", ACTION_NONE, 0, MEMBER_IN_SYNC, 30, 15 },
	{ "raid10, degraded", "raid10", "n2", ACTION_NONE, 1, MEMBER_FAULTY, 20, -1 },
	{ "raid10, layout unknown", "raid10", "", ACTION_NONE, 0, MEMBER_IN_SYNC, 30, -1 },
	{ "raid5", "raid5", "left-symmetric", ACTION_NONE, 0, MEMBER_IN_SYNC, -1, -1 },
	{ "level unknown", "", "", ACTION_NONE, 0, MEMBER_IN_SYNC, -1, -1 },
};

static struct device *three_members(struct bench *b, const struct derived_case *c)
{
	struct device *md;

	bench_init(b);
	for (int i = 0; i < 3; i++)
		topology_add_device(&b->t, DEVICE_DISK, (const char *[]){ "sda", "sdb", "sdc" }[i]);
	md = topology_add_array(&b->t, "md0");
	md->array->state = ARRAY_ACTIVE;
	md->array->action.kind = c->action;
	md->array->degraded = c->degraded;
	text_copy(md->array->level, sizeof(md->array->level), c->level);
	text_copy(md->array->layout, sizeof(md->array->layout), c->layout);
	for (int i = 0; i < 3; i++)
		add_member(md->array, b->t.devices[i]->name, i, i == 2 ? c->third : MEMBER_IN_SYNC);
	return md;
}

static void move_members(struct bench *b, uint64_t read, uint64_t written)
{
	for (int i = 0; i < 3; i++) {
		add(b, i, COUNTER_READ_BYTES, read);
		add(b, i, COUNTER_WRITE_BYTES, written);
	}
}

static void assert_derived(const struct figures *f, const struct derived_case *c)
{
	bool any = c->read >= 0 || c->write >= 0;

	assert_int_equal(f->gap, any ? GAP_NONE : GAP_ABSENT);
	assert_int_equal(f->derived, any);
	assert_int_equal(figures_has(f, RATE_READ_BYTES), c->read >= 0);
	assert_int_equal(figures_has(f, RATE_WRITE_BYTES), c->write >= 0);
	if (c->read >= 0)
		assert_rate(f, RATE_READ_BYTES, c->read * MIB);
	if (c->write >= 0)
		assert_rate(f, RATE_WRITE_BYTES, c->write * MIB);
	assert_false(figures_has(f, RATE_READ_IOS)); /* split and merged on the way */
	assert_false(figures_has(f, RATE_UTIL));
}

static void arrays_without_statistics_get_their_members(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(derived_cases); i++) {
		const struct derived_case *c = &derived_cases[i];
		struct bench b;

		print_message("  %s\n", c->name);
		three_members(&b, c)->counts_io = TRUTH_NO;
		bench_start(&b, 0);
		assert_int_equal(figures(&b, 3)->gap, GAP_FIRST);
		move_members(&b, 10 * MIB, 20 * MIB);
		bench_step(&b, SECOND);
		assert_derived(figures(&b, 3), c);
		assert_int_equal(figures(&b, 3)->totals.valid, 0);
		bench_release(&b);
	}
}

/* Its line is there and stays 0 while the members move. */
static void arrays_that_count_nothing_are_noticed(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(derived_cases); i++) {
		const struct derived_case *c = &derived_cases[i];
		struct bench b;

		if (c->action != ACTION_NONE)
			continue; /* below */
		print_message("  %s\n", c->name);
		three_members(&b, c);
		bench_start(&b, 0);
		bench_step(&b, SECOND);
		assert_rate(figures(&b, 3), RATE_READ_BYTES, 0); /* members are idle too */
		assert_false(figures(&b, 3)->derived);
		move_members(&b, 10 * MIB, 20 * MIB);
		bench_step(&b, SECOND);
		assert_derived(figures(&b, 3), c);
		assert_true(figures(&b, 3)->totals.valid != 0);
		bench_release(&b);
	}
}

static void start_level(struct bench *b, const char *level)
{
	const struct derived_case c = { .level = level, .layout = "", .third = MEMBER_IN_SYNC };

	three_members(b, &c);
	bench_start(b, 0);
}

static void superblocks_are_no_sign(void **state)
{
	struct bench b;

	(void)state;
	start_level(&b, "raid1");
	move_members(&b, 0, 8192);
	bench_step(&b, SECOND);
	assert_false(figures(&b, 3)->derived);
	assert_rate(figures(&b, 3), RATE_WRITE_BYTES, 0);
	move_members(&b, 0, 2 * MIB); /* that is more than md writes of its own */
	bench_step(&b, SECOND);
	assert_true(figures(&b, 3)->derived);
	move_members(&b, 0, 0); /* and it stays so */
	bench_step(&b, SECOND);
	assert_true(figures(&b, 3)->derived);
	add(&b, 3, COUNTER_WRITE_IOS, 1); /* until it counts */
	add(&b, 3, COUNTER_WRITE_BYTES, 4096);
	bench_step(&b, SECOND);
	assert_false(figures(&b, 3)->derived);
	assert_rate(figures(&b, 3), RATE_WRITE_BYTES, 4096);
	bench_release(&b);
}

static void a_linear_array_is_known_not_to_count(void **state)
{
	struct bench b;

	(void)state;
	start_level(&b, "linear");
	add(&b, 0, COUNTER_WRITE_BYTES, 4096);
	bench_step(&b, SECOND);
	assert_true(figures(&b, 3)->derived);
	assert_rate(figures(&b, 3), RATE_WRITE_BYTES, 4096);
	bench_release(&b);
}

static void a_resync_is_no_sign(void **state)
{
	struct bench b;

	(void)state;
	start_level(&b, "raid1");
	b.t.devices[3]->array->action.kind = ACTION_RESYNC;
	move_members(&b, 50 * MIB, 50 * MIB);
	bench_step(&b, SECOND);
	assert_false(figures(&b, 3)->derived);
	assert_rate(figures(&b, 3), RATE_WRITE_BYTES, 0);
	b.t.devices[3]->array->action.state =
		ACTION_DELAYED; /* then it is not md that moves them */
	move_members(&b, 50 * MIB, 50 * MIB);
	bench_step(&b, SECOND);
	assert_true(figures(&b, 3)->derived);
	bench_release(&b);
}

static void an_array_that_once_counted_is_idle(void **state)
{
	struct bench b;

	(void)state;
	start_level(&b, "raid0");
	add(&b, 3, COUNTER_READ_IOS, 5);
	bench_step(&b, SECOND);
	move_members(&b, 50 * MIB, 50 * MIB); /* somebody reads the members themselves */
	bench_step(&b, SECOND);
	assert_false(figures(&b, 3)->derived);
	assert_rate(figures(&b, 3), RATE_READ_BYTES, 0);
	bench_release(&b);
}

static void an_array_is_not_derived_from_some_of_its_members(void **state)
{
	struct bench b;

	(void)state;
	start_level(&b, "linear");
	b.t.devices[3]->counts_io = TRUTH_NO;
	move_members(&b, MIB, MIB);
	counters_of(&b, 1)->value[COUNTER_READ_IOS] = 0;
	counters_of(&b, 1)->valid = 0;
	bench_step(&b, SECOND);
	assert_int_equal(figures(&b, 3)->gap, GAP_ABSENT);
	assert_int_equal(figures(&b, 3)->valid, 0);
	bench_release(&b);
}

/* A linear array of linear arrays, the outer one in the lower slot. */
static void arrays_of_such_arrays_are_derived_too(void **state)
{
	struct device *outer, *inner;
	struct bench b;

	(void)state;
	bench_init(&b);
	outer = topology_add_array(&b.t, "md1");
	inner = topology_add_array(&b.t, "md0");
	topology_add_device(&b.t, DEVICE_DISK, "sda");
	text_copy(outer->array->level, sizeof(outer->array->level), "linear");
	text_copy(inner->array->level, sizeof(inner->array->level), "linear");
	outer->array->state = inner->array->state = ARRAY_ACTIVE;
	add_member(outer->array, "md0", 1, MEMBER_IN_SYNC);
	add_member(inner->array, "sda", 2, MEMBER_IN_SYNC);
	bench_start(&b, 0);
	for (int i = 0; i < 2; i++) {
		add(&b, 2, COUNTER_READ_BYTES, 5000);
		bench_step(&b, SECOND);
		assert_true(figures(&b, 0)->derived);
		assert_rate(figures(&b, 0), RATE_READ_BYTES, 5000);
		assert_rate(figures(&b, 1), RATE_READ_BYTES, 5000);
	}
	assert_rate(&b.tick->total, RATE_READ_BYTES, 5000);
	bench_release(&b);
}

static void a_loop_of_arrays_ends(void **state)
{
	struct device *md;
	struct bench b;

	(void)state;
	bench_init(&b);
	for (int i = 0; i < 2; i++) {
		md = topology_add_array(&b.t, i ? "md1" : "md0");
		text_copy(md->array->level, sizeof(md->array->level), "linear");
		md->array->state = ARRAY_ACTIVE;
		add_member(md->array, i ? "md0" : "md1", 1 - i, MEMBER_IN_SYNC);
	}
	bench_start(&b, 0);
	bench_step(&b, SECOND);
	assert_rate(figures(&b, 0), RATE_READ_BYTES, 0);
	bench_release(&b);
}

/* ---- replay ---- */

#define DEVICES 6
#define TICKS 3000

static uint64_t next_random(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return *seed >> 33;
}

/* Disks 0..3, md0 on the first two that counts, md1 on the others that does not. */
static void build(struct bench *b)
{
	struct device *md;

	bench_init(b);
	for (int i = 0; i < 4; i++)
		topology_add_device(&b->t, DEVICE_DISK, (const char *[]){ "a", "b", "c", "d" }[i]);
	for (int i = 0; i < 2; i++) {
		md = topology_add_array(&b->t, i ? "md1" : "md0");
		md->array->state = ARRAY_ACTIVE;
		text_copy(md->array->level, sizeof(md->array->level), "raid0");
		add_member(md->array, "x", 2 * i, MEMBER_IN_SYNC);
		add_member(md->array, "y", 2 * i + 1, MEMBER_IN_SYNC);
	}
	snapshot_reset(&b->s, DEVICES);
	b->s.boottime_us = 77;
}

/* A second of a machine to which everything happens. */
static void live_tick(struct bench *b, uint64_t *seed)
{
	for (int i = 0; i < DEVICES; i++) {
		struct counters *c = counters_of(b, i);
		bool is_there = c->valid != 0;

		if (next_random(seed) % 50 == 0)
			c->valid = is_there ? 0 : ALL_COUNTERS;
		if (next_random(seed) % 100 == 0)
			memset(c->value, 0, sizeof(c->value));
		if (i == 5) { /* counts nothing */
			memset(c->value, 0, sizeof(c->value));
			continue;
		}
		for (enum counter k = 0; k < COUNTER_COUNT; k++) {
			c->value[k] += next_random(seed) % 1000000 * MS;
			if (counter_descriptions[k].kind == COUNTER_KIND_MS32)
				c->value[k] %= MS << 32;
		}
	}
	b->s.missed_ticks = next_random(seed) % 40 == 0;
	b->s.boottime_us += next_random(seed) % 40 == 0 ? SECOND : 0;
	if (next_random(seed) % 200 == 0) {
		b->s.segment++;
		b->s.elapsed_us = 0;
	}
	bench_step(b, SECOND + next_random(seed) % 1000);
}

static void assert_same_figures(const struct figures *a, const struct figures *b)
{
	assert_int_equal(a->gap, b->gap);
	assert_int_equal(a->valid, b->valid);
	assert_int_equal(a->derived, b->derived);
	assert_int_equal(a->totals.valid, b->totals.valid);
	for (enum rate k = 0; k < RATE_COUNT; k++)
		if (figures_has(a, k))
			assert_memory_equal(&a->value[k], &b->value[k], sizeof(double));
	for (enum counter c = 0; c < COUNTER_COUNT; c++)
		if (counters_has(&a->totals, c))
			assert_int_equal(a->totals.value[c], b->totals.value[c]);
}

static void a_replay_of_totals_gives_the_same_bits(void **state)
{
	struct bench live, replay;
	uint64_t seed = 42;
	size_t rates = 0, gaps = 0, derived = 0;

	(void)state;
	build(&live);
	build(&replay);
	replay.s.unwrapped = true;
	for (int n = 0; n < TICKS; n++) {
		live_tick(&live, &seed);
		replay.s.elapsed_us = live.s.elapsed_us;
		replay.s.boottime_us = live.s.boottime_us;
		replay.s.segment = live.s.segment;
		replay.s.missed_ticks = live.s.missed_ticks;
		for (int i = 0; i < DEVICES; i++)
			replay.s.devices[i] = figures(&live, i)->totals;
		replay.tick = rates_step(replay.rates, &replay.t, &replay.s);
		assert_int_equal(live.tick->gap, replay.tick->gap);
		assert_int_equal(live.tick->interval_us, replay.tick->interval_us);
		for (int i = 0; i < DEVICES; i++) {
			assert_same_figures(figures(&live, i), figures(&replay, i));
			rates += figures(&live, i)->gap == GAP_NONE;
			gaps += figures(&live, i)->gap == GAP_RESET;
			derived += figures(&live, i)->derived;
		}
		assert_same_figures(&live.tick->total, &replay.tick->total);
	}
	print_message("  %zu rates, %zu resets, %zu derived\n", rates, gaps, derived);
	assert_true(rates > TICKS && gaps > TICKS / 100 && derived > TICKS / 4);
	bench_release(&live);
	bench_release(&replay);
}

static void a_tick_allocates_nothing(void **state)
{
	uint64_t seed = 7;
	struct bench b;
	size_t before;

	(void)state;
	build(&b);
	live_tick(&b, &seed);
	before = memory_allocations();
	for (int i = 0; i < 1000; i++)
		live_tick(&b, &seed);
	assert_int_equal(memory_allocations() - before, 0);
	bench_release(&b);
}

static void every_gap_and_column_has_a_name(void **state)
{
	(void)state;
	for (enum gap g = GAP_NONE; g <= GAP_CLOCK; g++)
		assert_int_equal(gap_name(g)[0] == '\0', g == GAP_NONE);
	for (enum rate k = 0; k < RATE_COUNT; k++)
		assert_true(rate_descriptions[k].column[0] &&
			    rate_descriptions[k].column_scale > 0);
	for (enum counter c = 0; c < COUNTER_COUNT; c++)
		assert_true(counter_descriptions[c].column[0]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(growth_of_counters),
		cmocka_unit_test(rates_are_growth_by_measured_time),
		cmocka_unit_test(busy_may_exceed_the_clock),
		cmocka_unit_test(nothing_completed_has_no_await),
		cmocka_unit_test(what_a_partition_of_old_kernels_lacks_is_unknown),
		cmocka_unit_test(times_that_are_not_kept_are_unknown),
		cmocka_unit_test(the_interval_does_not_change_the_rate),
		cmocka_unit_test(gaps_have_reasons),
		cmocka_unit_test(after_a_gap_there_is_a_new_baseline),
		cmocka_unit_test(the_first_tick_has_no_rate),
		cmocka_unit_test(a_device_that_comes_later_has_a_first_tick_of_its_own),
		cmocka_unit_test(times_go_on_past_their_width),
		cmocka_unit_test(totals_begin_again_with_the_counters),
		cmocka_unit_test(each_byte_is_counted_once),
		cmocka_unit_test(without_a_disk_there_is_no_sum),
		cmocka_unit_test(arrays_without_statistics_get_their_members),
		cmocka_unit_test(arrays_that_count_nothing_are_noticed),
		cmocka_unit_test(superblocks_are_no_sign),
		cmocka_unit_test(a_linear_array_is_known_not_to_count),
		cmocka_unit_test(a_resync_is_no_sign),
		cmocka_unit_test(an_array_that_once_counted_is_idle),
		cmocka_unit_test(an_array_is_not_derived_from_some_of_its_members),
		cmocka_unit_test(arrays_of_such_arrays_are_derived_too),
		cmocka_unit_test(a_loop_of_arrays_ends),
		cmocka_unit_test(a_replay_of_totals_gives_the_same_bits),
		cmocka_unit_test(a_tick_allocates_nothing),
		cmocka_unit_test(every_gap_and_column_has_a_name),
	};

	return cmocka_run_group_tests_name("rates", tests, NULL, NULL);
}
