/* Rates between snapshots: widths and wraps, measured time, sums that count each byte once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <cmocka.h>

#include "rates_bench.h"

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
	{ "a time wraps (WISHES 15, BUGS 32)", COUNTER_KIND_MS32, 4294617635 * MS, 1024485 * MS, 0,
	  1374146 * MS },
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

/* ---- rates ---- */

static void rates_are_growth_by_measured_time(void **state)
{
	struct bench b;
	const struct figures *f;

	(void)state;
	bench_init(&b);
	topology_add_device(&b.t, DEVICE_DISK, "sda");
	bench_start(&b, 1000);
	bench_add(&b, 0, COUNTER_READ_BYTES, 3000000);
	bench_add(&b, 0, COUNTER_READ_IOS, 60);
	bench_add(&b, 0, COUNTER_READ_US, 90 * MS);
	bench_add(&b, 0, COUNTER_WRITE_BYTES, 1500000);
	bench_add(&b, 0, COUNTER_WRITE_IOS, 3);
	bench_add(&b, 0, COUNTER_WRITE_US, 6 * MS);
	bench_add(&b, 0, COUNTER_BUSY_US, 750 * MS);
	bench_add(&b, 0, COUNTER_QUEUE_US, 4500 * MS);
	bench_step(&b, 3 * SECOND / 2);
	f = bench_figures(&b, 0);
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
	bench_add(&b, 0, COUNTER_BUSY_US, 104 * MS);
	bench_step(&b, SECOND / 10);
	assert_rate(bench_figures(&b, 0), RATE_UTIL, 104);
	bench_release(&b);
}

static void nothing_completed_has_no_await(void **state)
{
	struct bench b;

	(void)state;
	bench_init(&b);
	topology_add_device(&b.t, DEVICE_DISK, "sda");
	bench_start(&b, 1000);
	bench_add(&b, 0, COUNTER_QUEUE_US, 2 * SECOND);
	bench_step(&b, SECOND);
	assert_false(figures_has(bench_figures(&b, 0), RATE_READ_AWAIT));
	assert_false(figures_has(bench_figures(&b, 0), RATE_WRITE_AWAIT));
	assert_rate(bench_figures(&b, 0), RATE_READ_IOS, 0);
	assert_rate(bench_figures(&b, 0), RATE_QUEUE, 2);
	bench_release(&b);
}

static void what_a_partition_of_old_kernels_lacks_is_unknown(void **state)
{
	struct bench b;

	(void)state;
	bench_init(&b);
	topology_add_device(&b.t, DEVICE_PARTITION, "sda1");
	bench_start(&b, 1000);
	bench_counters(&b, 0)->valid = 1u << COUNTER_READ_IOS | 1u << COUNTER_READ_BYTES |
				       1u << COUNTER_WRITE_IOS | 1u << COUNTER_WRITE_BYTES;
	bench_step(&b, SECOND);
	bench_add(&b, 0, COUNTER_WRITE_BYTES, 4096);
	bench_step(&b, SECOND);
	assert_int_equal(bench_figures(&b, 0)->valid,
			 1u << RATE_READ_BYTES | 1u << RATE_WRITE_BYTES | 1u << RATE_READ_IOS |
				 1u << RATE_WRITE_IOS);
	assert_rate(bench_figures(&b, 0), RATE_WRITE_BYTES, 4096);
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
		bench_add(&b, 0, COUNTER_READ_IOS, cases[i].ios);
		bench_add(&b, 0, COUNTER_BUSY_US, cases[i].busy_us);
		bench_step(&b, SECOND);
		assert_rate(bench_figures(&b, 0), RATE_READ_IOS, (double)cases[i].ios);
		assert_int_equal(figures_has(bench_figures(&b, 0), RATE_UTIL), cases[i].known);
		assert_int_equal(figures_has(bench_figures(&b, 0), RATE_QUEUE), cases[i].known);
		bench_release(&b);
	}
}

/* BUGS 39, atop#47: the counter goes on in an idle NVMe disk; it stays what it is. */
static void a_busy_time_that_is_no_load_is_no_util(void **state)
{
	struct bench b;

	(void)state;
	bench_init(&b);
	topology_add_device(&b.t, DEVICE_DISK, "nvme0n1")->busy_is_load = TRUTH_NO;
	bench_start(&b, 1000);
	bench_add(&b, 0, COUNTER_BUSY_US, SECOND);
	bench_add(&b, 0, COUNTER_QUEUE_US, SECOND);
	bench_step(&b, SECOND);
	assert_false(figures_has(bench_figures(&b, 0), RATE_UTIL));
	assert_rate(bench_figures(&b, 0), RATE_QUEUE, 1);
	assert_int_equal(bench_figures(&b, 0)->totals.value[COUNTER_BUSY_US], 1000 + SECOND);
	bench_release(&b);
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
		bench_add(&b, 0, COUNTER_READ_BYTES, 100 * intervals_us[i]);
		bench_step(&b, intervals_us[i]);
		assert_rate(bench_figures(&b, 0), RATE_READ_BYTES, 100e6);
		bench_release(&b);
	}
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
		bench_counters(&b, 0)->value[COUNTER_READ_US] =
			(base + (uint64_t)i * 2000000000 * MS) % (MS << 32);
		bench_add(&b, 0, COUNTER_READ_IOS, 1);
		b.s.missed_ticks = i == 2; /* a gap does not stop them */
		bench_step(&b, SECOND);
		assert_int_equal(bench_figures(&b, 0)->totals.value[COUNTER_READ_US],
				 base + (uint64_t)i * 2000000000 * MS);
	}
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
	bench_add_member(md->array, "sda1", sda1, MEMBER_IN_SYNC);
	bench_add_member(md->array, "loop0", loop, MEMBER_IN_SYNC);
	topology_add_device(&b.t, DEVICE_DISK, "gone")->present = false;
	bench_start(&b, 1000);
	for (int i = 0; i < (int)b.t.n_devices; i++) {
		bench_add(&b, i, COUNTER_READ_BYTES, 1u << i);
		bench_add(&b, i, COUNTER_READ_IOS, 2);
		bench_add(&b, i, COUNTER_READ_US, 8 * MS);
		bench_add(&b, i, COUNTER_QUEUE_US, SECOND / 2);
		bench_counters(&b, i)->value[COUNTER_INFLIGHT] = 5;
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
	bench_add(&b, loop, COUNTER_READ_BYTES, 100);
	bench_add(&b, ram, COUNTER_READ_BYTES, 100);
	bench_add(&b, sdb, COUNTER_READ_BYTES, 9);
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
		cmocka_unit_test(a_busy_time_that_is_no_load_is_no_util),
		cmocka_unit_test(the_interval_does_not_change_the_rate),
		cmocka_unit_test(times_go_on_past_their_width),
		cmocka_unit_test(each_byte_is_counted_once),
		cmocka_unit_test(without_a_disk_there_is_no_sum),
		cmocka_unit_test(every_gap_and_column_has_a_name),
	};

	return cmocka_run_group_tests_name("rates", tests, NULL, NULL);
}
