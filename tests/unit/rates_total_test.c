/*
 * The sum of what moves counts each byte once: devices that rest on others, and disks with several
 * paths.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "rates_bench.h"

#define NONE         \
	{            \
		0, 0 \
	}

/* Device number i, of the kind given by a letter, reads 1 << i bytes. */
static const struct total_case {
	const char *name;
	const char *kinds; /* d disk, p partition of the disk before, a array, m ram, - gone disk */
	struct stand stands[4];  /* { 0, 0 } ends */
	struct stand members[4]; /* of an array */
	uint64_t leaves;
} total_cases[] = {
	{ "disks", "dd", { NONE }, { NONE }, 3 },
	{ "a map on a disk (WISHES 9)", "dd", { { 1, 0 } }, { NONE }, 1 },
	{ "a map on a partition (BUGS 40)", "dpd", { { 2, 1 } }, { NONE }, 1 },
	{ "a map on an array (WISHES 9: members + md + dm)",
	  "ddad",
	  { { 3, 2 } },
	  { { 2, 0 }, { 2, 1 } },
	  3 },
	{ "an array on maps", "ddda", { { 2, 0 } }, { { 3, 1 }, { 3, 2 } }, 3 },
	{ "a multipath map on its paths (WISHES 18)", "ddd", { { 2, 0 }, { 2, 1 } }, { NONE }, 3 },
	{ "maps on maps", "dddd", { { 1, 0 }, { 2, 1 }, { 3, 2 } }, { NONE }, 1 },
	{ "two maps on one disk", "ddd", { { 1, 0 }, { 2, 0 } }, { NONE }, 1 },
	{ "a loop device on a map on an array",
	  "daddd",
	  { { 2, 1 }, { 3, 2 } },
	  { { 1, 0 } },
	  1 | 1 << 4 },
	{ "a map on what is gone", "-d", { { 1, 0 } }, { NONE }, 2 },
	{ "a map on a gone and a present one", "-dd", { { 2, 0 }, { 2, 1 } }, { NONE }, 2 },
	{ "a map that is gone", "d-", { { 1, 0 } }, { NONE }, 1 },
	{ "a ram disk (WISHES 19)", "md", { NONE }, { NONE }, 2 },
	{ "a map on a ram disk", "md", { { 1, 0 } }, { NONE }, 1 },
	{ "an array on a ram disk", "ma", { NONE }, { { 1, 0 } }, 1 },
	{ "two that rest on each other", "ddd", { { 0, 1 }, { 1, 0 } }, { NONE }, 4 },
	{ "a map on nothing that there is", "dd", { { 1, 7 } }, { NONE }, 3 },
};

static void build(struct bench *b, const struct total_case *c)
{
	bench_init(b);
	for (const char *kind = c->kinds; *kind; kind++) {
		char name[2] = { *kind, '\0' };
		struct device *d;

		if (*kind == 'a')
			d = topology_add_array(&b->t, name);
		else
			d = topology_add_device(
				&b->t, *kind == 'p' ? DEVICE_PARTITION : DEVICE_DISK, name);
		d->present = *kind != '-';
		d->minor_interest = *kind == 'm';
		if (*kind == 'p')
			d->parent = (int)b->t.n_devices - 2;
	}
	for (const struct stand *s = c->stands; s->device != s->on; s++)
		topology_add_stand(&b->t, s->device, s->on);
	for (const struct stand *s = c->members; s->device != s->on; s++)
		bench_add_member(b->t.devices[s->device]->array, "x", s->on, MEMBER_IN_SYNC);
}

static void each_byte_once(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(total_cases); i++) {
		const struct total_case *c = &total_cases[i];
		struct bench b;

		print_message("  %s\n", c->name);
		build(&b, c);
		bench_start(&b, 1000);
		for (int k = 0; k < (int)b.t.n_devices; k++)
			bench_add(&b, k, COUNTER_READ_BYTES, 1u << k);
		bench_step(&b, SECOND);
		assert_rate(&b.tick->total, RATE_READ_BYTES, (double)c->leaves);
		bench_release(&b);
	}
}

/* ---- a disk with several paths ---- */

enum { HEAD, PATH_A, PATH_B };

static void build_head(struct bench *b, uint64_t head_ios)
{
	bench_init(b);
	topology_add_device(&b->t, DEVICE_DISK, "nvme0n1");
	topology_add_device(&b->t, DEVICE_PATH, "nvme0c0n1")->parent = HEAD;
	topology_add_device(&b->t, DEVICE_PATH, "nvme0c1n1")->parent = HEAD;
	bench_start(b, 1000);
	for (enum counter c = 0; c < COUNTER_COUNT; c++)
		bench_counters(b, HEAD)->value[c] = c == COUNTER_READ_IOS ? head_ios : 0;
	bench_step(b, SECOND);
}

static void move_paths(struct bench *b)
{
	for (int path = PATH_A; path <= PATH_B; path++) {
		bench_add(b, path, COUNTER_READ_BYTES, 1000000);
		bench_add(b, path, COUNTER_READ_IOS, 10);
		bench_add(b, path, COUNTER_READ_US, 30 * MS);
		bench_add(b, path, COUNTER_QUEUE_US, SECOND);
		bench_add(b, path, COUNTER_BUSY_US, 900 * MS);
		bench_counters(b, path)->value[COUNTER_INFLIGHT] = 4;
	}
	bench_step(b, SECOND);
}

/* WISHES 17, corpus/diskstats 17: zeros, while a path moves 17 million sectors. */
static void a_head_of_zeros_has_the_sum_of_its_paths(void **state)
{
	const struct figures *head;
	struct bench b;

	(void)state;
	build_head(&b, 0);
	move_paths(&b);
	head = bench_figures(&b, HEAD);
	assert_true(head->derived);
	assert_int_equal(head->gap, GAP_NONE);
	assert_rate(head, RATE_READ_BYTES, 2e6);
	assert_rate(head, RATE_READ_IOS, 20);
	assert_rate(head, RATE_READ_AWAIT, 3);
	assert_rate(head, RATE_QUEUE, 2);
	assert_false(figures_has(head, RATE_UTIL)); /* the paths' overlap */
	assert_int_equal(head->totals.value[COUNTER_INFLIGHT], 8);
	assert_int_equal(head->totals.value[COUNTER_READ_BYTES], 0); /* its own, as they are */
	assert_rate(&b.tick->total, RATE_READ_BYTES, 2e6);
	assert_int_equal(b.tick->total.totals.value[COUNTER_INFLIGHT], 8);
	bench_release(&b);
}

static void a_head_that_counts_is_believed(void **state)
{
	struct bench b;

	(void)state;
	build_head(&b, 1);
	bench_add(&b, HEAD, COUNTER_READ_BYTES, 3000000);
	move_paths(&b);
	assert_false(bench_figures(&b, HEAD)->derived);
	assert_rate(bench_figures(&b, HEAD), RATE_READ_BYTES, 3e6);
	assert_rate(&b.tick->total, RATE_READ_BYTES, 3e6);
	bench_release(&b);
}

static void a_head_whose_statistics_are_off_has_its_paths(void **state)
{
	struct bench b;

	(void)state;
	build_head(&b, 5);
	b.t.devices[HEAD]->counts_io = TRUTH_NO;
	move_paths(&b);
	assert_true(bench_figures(&b, HEAD)->derived);
	assert_rate(bench_figures(&b, HEAD), RATE_READ_BYTES, 2e6);
	bench_release(&b);
}

/* A path that is new moved bytes that nobody knows; one that is gone moves none. */
static void paths_come_and_go(void **state)
{
	struct bench b;

	(void)state;
	build_head(&b, 0);
	bench_counters(&b, PATH_B)->valid = 0;
	bench_step(&b, SECOND);
	bench_add(&b, PATH_A, COUNTER_READ_BYTES, 500000);
	bench_step(&b, SECOND);
	assert_rate(bench_figures(&b, HEAD), RATE_READ_BYTES, 5e5);
	bench_counters(&b, PATH_B)->valid = ALL_COUNTERS;
	move_paths(&b);
	assert_int_equal(bench_figures(&b, HEAD)->gap, GAP_FIRST);
	assert_int_equal(bench_figures(&b, HEAD)->valid, 0);
	move_paths(&b);
	assert_rate(bench_figures(&b, HEAD), RATE_READ_BYTES, 2e6);
	b.t.devices[PATH_B]->present = false;
	move_paths(&b);
	assert_rate(bench_figures(&b, HEAD), RATE_READ_BYTES, 1e6);
	bench_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_byte_once),
		cmocka_unit_test(a_head_of_zeros_has_the_sum_of_its_paths),
		cmocka_unit_test(a_head_that_counts_is_believed),
		cmocka_unit_test(a_head_whose_statistics_are_off_has_its_paths),
		cmocka_unit_test(paths_come_and_go),
	};

	return cmocka_run_group_tests_name("rates_total", tests, NULL, NULL);
}
