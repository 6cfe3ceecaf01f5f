/* Arrays that count nothing: what their members say of them, and what they do not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "rates_bench.h"
#include "raidtop/text.h"

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
		bench_add_member(md->array, b->t.devices[i]->name, i,
				 i == 2 ? c->third : MEMBER_IN_SYNC);
	return md;
}

static void move_members(struct bench *b, uint64_t read, uint64_t written)
{
	for (int i = 0; i < 3; i++) {
		bench_add(b, i, COUNTER_READ_BYTES, read);
		bench_add(b, i, COUNTER_WRITE_BYTES, written);
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
		assert_int_equal(bench_figures(&b, 3)->gap, GAP_FIRST);
		move_members(&b, 10 * MIB, 20 * MIB);
		bench_step(&b, SECOND);
		assert_derived(bench_figures(&b, 3), c);
		assert_int_equal(bench_figures(&b, 3)->totals.valid, 0);
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
		assert_rate(bench_figures(&b, 3), RATE_READ_BYTES, 0); /* members are idle too */
		assert_false(bench_figures(&b, 3)->derived);
		move_members(&b, 10 * MIB, 20 * MIB);
		bench_step(&b, SECOND);
		assert_derived(bench_figures(&b, 3), c);
		assert_true(bench_figures(&b, 3)->totals.valid != 0);
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
	assert_false(bench_figures(&b, 3)->derived);
	assert_rate(bench_figures(&b, 3), RATE_WRITE_BYTES, 0);
	move_members(&b, 0, 2 * MIB); /* that is more than md writes of its own */
	bench_step(&b, SECOND);
	assert_true(bench_figures(&b, 3)->derived);
	move_members(&b, 0, 0); /* and it stays so */
	bench_step(&b, SECOND);
	assert_true(bench_figures(&b, 3)->derived);
	bench_add(&b, 3, COUNTER_WRITE_IOS, 1); /* until it counts */
	bench_add(&b, 3, COUNTER_WRITE_BYTES, 4096);
	bench_step(&b, SECOND);
	assert_false(bench_figures(&b, 3)->derived);
	assert_rate(bench_figures(&b, 3), RATE_WRITE_BYTES, 4096);
	bench_release(&b);
}

static void a_linear_array_is_known_not_to_count(void **state)
{
	struct bench b;

	(void)state;
	start_level(&b, "linear");
	bench_add(&b, 0, COUNTER_WRITE_BYTES, 4096);
	bench_step(&b, SECOND);
	assert_true(bench_figures(&b, 3)->derived);
	assert_rate(bench_figures(&b, 3), RATE_WRITE_BYTES, 4096);
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
	assert_false(bench_figures(&b, 3)->derived);
	assert_rate(bench_figures(&b, 3), RATE_WRITE_BYTES, 0);
	b.t.devices[3]->array->action.state =
		ACTION_DELAYED; /* then it is not md that moves them */
	move_members(&b, 50 * MIB, 50 * MIB);
	bench_step(&b, SECOND);
	assert_true(bench_figures(&b, 3)->derived);
	bench_release(&b);
}

static void an_array_that_once_counted_is_idle(void **state)
{
	struct bench b;

	(void)state;
	start_level(&b, "raid0");
	bench_add(&b, 3, COUNTER_READ_IOS, 5);
	bench_step(&b, SECOND);
	move_members(&b, 50 * MIB, 50 * MIB); /* somebody reads the members themselves */
	bench_step(&b, SECOND);
	assert_false(bench_figures(&b, 3)->derived);
	assert_rate(bench_figures(&b, 3), RATE_READ_BYTES, 0);
	bench_release(&b);
}

static void an_array_is_not_derived_from_some_of_its_members(void **state)
{
	struct bench b;

	(void)state;
	start_level(&b, "linear");
	b.t.devices[3]->counts_io = TRUTH_NO;
	move_members(&b, MIB, MIB);
	bench_counters(&b, 1)->value[COUNTER_READ_IOS] = 0;
	bench_counters(&b, 1)->valid = 0;
	bench_step(&b, SECOND);
	assert_int_equal(bench_figures(&b, 3)->gap, GAP_ABSENT);
	assert_int_equal(bench_figures(&b, 3)->valid, 0);
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
	bench_add_member(outer->array, "md0", 1, MEMBER_IN_SYNC);
	bench_add_member(inner->array, "sda", 2, MEMBER_IN_SYNC);
	bench_start(&b, 0);
	for (int i = 0; i < 2; i++) {
		bench_add(&b, 2, COUNTER_READ_BYTES, 5000);
		bench_step(&b, SECOND);
		assert_true(bench_figures(&b, 0)->derived);
		assert_rate(bench_figures(&b, 0), RATE_READ_BYTES, 5000);
		assert_rate(bench_figures(&b, 1), RATE_READ_BYTES, 5000);
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
		bench_add_member(md->array, i ? "md0" : "md1", 1 - i, MEMBER_IN_SYNC);
	}
	bench_start(&b, 0);
	bench_step(&b, SECOND);
	assert_rate(bench_figures(&b, 0), RATE_READ_BYTES, 0);
	bench_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arrays_without_statistics_get_their_members),
		cmocka_unit_test(arrays_that_count_nothing_are_noticed),
		cmocka_unit_test(superblocks_are_no_sign),
		cmocka_unit_test(a_linear_array_is_known_not_to_count),
		cmocka_unit_test(a_resync_is_no_sign),
		cmocka_unit_test(an_array_that_once_counted_is_idle),
		cmocka_unit_test(an_array_is_not_derived_from_some_of_its_members),
		cmocka_unit_test(arrays_of_such_arrays_are_derived_too),
		cmocka_unit_test(a_loop_of_arrays_ends),
	};

	return cmocka_run_group_tests_name("rates_derived", tests, NULL, NULL);
}
