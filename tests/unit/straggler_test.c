/* Who is named a straggler, after how many seconds, and who never is (WISHES.md 40). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>

#include "raidtop/memory.h"
#include "raidtop/straggler.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))
#define MAX 6

struct bench {
	struct array array;
	struct member members[MAX];
	struct traffic seconds[MAX];
	struct straggler_trail trails[MAX];
	float scratch[MAX];
};

/* One second of a member: requests, their await, and how busy it was. */
struct load {
	double read_ios, read_ms, write_ios, write_ms, busy_pct;
};

static struct traffic second_of(const struct load *l)
{
	return (struct traffic){
		.known = true,
		.time_us = 1000000,
		.read_bytes = l->read_ios * 65536,
		.write_bytes = l->write_ios * 65536,
		.read_ios = l->read_ios,
		.write_ios = l->write_ios,
		.read_us = l->read_ios * l->read_ms * 1e3,
		.write_us = l->write_ios * l->write_ms * 1e3,
		.busy_us = l->busy_pct * 1e4,
	};
}

static void set_up(struct bench *b, const char *level, size_t n, const struct load *loads)
{
	*b = (struct bench){ .array = { .raid_disks = n, .working = n, .n_members = n } };
	snprintf(b->array.level, sizeof(b->array.level), "%s", level);
	b->array.members = b->members;
	for (size_t i = 0; i < n; i++) {
		b->members[i].state = MEMBER_IN_SYNC;
		b->members[i].device = 10 + (int)i;
		b->members[i].role = (int32_t)i;
		b->seconds[i] = second_of(&loads[i]);
	}
}

static void step(struct bench *b, int n_seconds)
{
	for (int i = 0; i < n_seconds; i++)
		straggler_step(b->trails, &b->array, b->seconds, b->scratch);
}

/* Bit i: member i is named. */
static unsigned int named(const struct bench *b)
{
	unsigned int bits = 0;

	for (size_t i = 0; i < b->array.n_members; i++)
		bits |= (unsigned int)straggler_is_named(&b->trails[i]) << i;
	return bits;
}

/* ---- one second, over and over ---- */

static const struct straggler_case {
	const char *name;
	const char *level;
	size_t n;
	struct load loads[MAX];
	unsigned int named;
} straggler_cases[] = {
	{ "healthy",
	  "raid5",
	  4,
	  { { 100, 4, 50, 5, 80 },
	    { 100, 4.4, 50, 5, 80 },
	    { 100, 4.2, 50, 5.5, 80 },
	    { 100, 5, 50, 6, 82 } },
	  0 },
	{ "one at half speed, all at 10 MB/s",
	  "raid0",
	  3,
	  { { 160, 1.1, 0, 0, 20 }, { 160, 78.8, 0, 0, 100 }, { 160, 1.1, 0, 0, 20 } },
	  2 },
	{ "10 ms more",
	  "raid6",
	  5,
	  { { 100, 1, 0, 0, 9 },
	    { 100, 1, 0, 0, 9 },
	    { 100, 11, 0, 0, 60 },
	    { 100, 1, 0, 0, 9 },
	    { 100, 1, 0, 0, 9 } },
	  4 },
	{ "just twice",
	  "raid5",
	  3,
	  { { 20, 4, 0, 0, 50 }, { 20, 4, 0, 0, 50 }, { 20, 8, 0, 0, 50 } },
	  4 },
	{ "not quite twice",
	  "raid5",
	  3,
	  { { 20, 4, 0, 0, 50 }, { 20, 4, 0, 0, 50 }, { 20, 7.9, 0, 0, 50 } },
	  0 },
	{ "twice, but not a millisecond",
	  "raid5",
	  3,
	  { { 20, 0.4, 0, 0, 50 }, { 20, 0.4, 0, 0, 50 }, { 20, 1.3, 0, 0, 50 } },
	  0 },
	{ "seven requests say nothing",
	  "raid5",
	  3,
	  { { 20, 4, 0, 0, 50 }, { 20, 4, 0, 0, 50 }, { 7, 40, 0, 0, 50 } },
	  0 },
	{ "eight do",
	  "raid5",
	  3,
	  { { 20, 4, 0, 0, 50 }, { 20, 4, 0, 0, 50 }, { 8, 40, 0, 0, 50 } },
	  4 },
	{ "peers of too few requests are none",
	  "raid5",
	  3,
	  { { 3, 4, 0, 0, 50 }, { 3, 4, 0, 0, 50 }, { 20, 40, 0, 0, 50 } },
	  0 },
	{ "two members: against the other one",
	  "raid0",
	  2,
	  { { 20, 4, 0, 0, 50 }, { 20, 9, 0, 0, 50 } },
	  2 },
	{ "writes",
	  "raid10",
	  4,
	  { { 0, 0, 50, 5, 50 }, { 0, 0, 50, 5, 50 }, { 0, 0, 50, 5, 50 }, { 0, 0, 50, 25, 50 } },
	  8 },
	{ "a mirror that reads beside one that only writes",
	  "raid10",
	  2,
	  { { 200, 9, 50, 0.2, 70 }, { 0, 0, 50, 0.2, 30 } },
	  0 },
	{ "the fast one is not named",
	  "raid5",
	  4,
	  { { 50, 9, 0, 0, 50 }, { 50, 9, 0, 0, 50 }, { 50, 9, 0, 0, 50 }, { 50, 1, 0, 0, 50 } },
	  0 },
	{ "two of five",
	  "raid5",
	  5,
	  { { 50, 4, 0, 0, 50 },
	    { 50, 40, 0, 0, 50 },
	    { 50, 4, 0, 0, 50 },
	    { 50, 40, 0, 0, 50 },
	    { 50, 4, 0, 0, 50 } },
	  10 },
	{ "busy alone",
	  "raid0",
	  3,
	  { { 5, 1, 0, 0, 30 }, { 5, 1, 0, 0, 95 }, { 5, 1, 0, 0, 60 } },
	  2 },
	{ "not busy enough",
	  "raid0",
	  3,
	  { { 5, 1, 0, 0, 30 }, { 5, 1, 0, 0, 89 }, { 5, 1, 0, 0, 60 } },
	  0 },
	{ "the others are busy too",
	  "raid0",
	  3,
	  { { 5, 1, 0, 0, 61 }, { 5, 1, 0, 0, 95 }, { 5, 1, 0, 0, 61 } },
	  0 },
	{ "no sign at mirrors: one reads",
	  "raid1",
	  2,
	  { { 500, 1, 0, 0, 99 }, { 0, 0, 0, 0, 0 } },
	  0 },
	{ "raid1 reads where each has its part",
	  "raid1",
	  2,
	  { { 90, 4, 0, 0, 60 }, { 10, 40, 0, 0, 60 } },
	  2 },
	{ "and where one has not", "raid1", 2, { { 91, 4, 0, 0, 60 }, { 9, 40, 0, 0, 60 } }, 0 },
	{ "raid1 writes", "raid1", 2, { { 900, 4, 50, 2, 60 }, { 9, 40, 50, 30, 60 } }, 2 },
	{ "linear: nobody is asked alike",
	  "linear",
	  2,
	  { { 50, 4, 0, 0, 50 }, { 50, 40, 0, 0, 99 } },
	  0 },
	{ "others without any time", "raid0", 2, { { 50, 0, 0, 0, 0 }, { 50, 5, 0, 0, 50 } }, 2 },
	{ "one member", "raid1", 1, { { 50, 40, 50, 40, 99 } }, 0 },
};

static void who_is_named(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(straggler_cases); i++) {
		const struct straggler_case *c = &straggler_cases[i];
		struct bench b;

		print_message("  %s\n", c->name);
		set_up(&b, c->level, c->n, c->loads);
		for (int s = 1; s <= 15; s++) {
			step(&b, 1);
			assert_int_equal(named(&b), s >= 5 ? c->named : 0);
		}
	}
}

/* ---- in time ---- */

static const struct load slow_one[] = { { 100, 4, 0, 0, 50 },
					{ 100, 4, 0, 0, 50 },
					{ 100, 11.6, 0, 0, 50 } };

static void five_of_the_last_ten_seconds(void **state)
{
	static const struct load all_alike[] = { { 100, 4, 0, 0, 50 },
						 { 100, 4, 0, 0, 50 },
						 { 100, 4, 0, 0, 50 } };
	struct bench b, even;

	(void)state;
	set_up(&b, "raid5", 3, slow_one);
	set_up(&even, "raid5", 3, all_alike);
	for (int i = 0; i < 40; i++) { /* every other second */
		straggler_step(b.trails, &b.array, i % 2 ? b.seconds : even.seconds, b.scratch);
		assert_int_equal(named(&b), i >= 9 ? 4 : 0);
	}
	for (int i = 0; i < 40; i++) { /* every third: four of ten at most */
		straggler_step(b.trails, &b.array, i % 3 ? even.seconds : b.seconds, b.scratch);
		if (i >= 9)
			assert_int_equal(named(&b), 0);
	}
	step(&b, 10);
	assert_int_equal(named(&b), 4);
	for (int i = 1; i <= 10; i++) { /* well again */
		straggler_step(b.trails, &b.array, even.seconds, b.scratch);
		assert_int_equal(named(&b), i <= 5 ? 4 : 0);
	}
}

static void it_is_told_how_far_it_stands_apart(void **state)
{
	static const struct load busy_one[] = { { 5, 1, 0, 0, 30 },
						{ 5, 1, 0, 0, 95 },
						{ 5, 1, 0, 0, 60 } };
	struct bench b;

	(void)state;
	set_up(&b, "raid5", 3, slow_one);
	step(&b, 1);
	assert_true(fabs(b.trails[2].await_times - 2.9) < 1e-6);
	assert_true(b.trails[2].busy_pct == 0);
	b.seconds[2].write_ios = 10; /* worse in writes than in reads */
	b.seconds[2].write_us = 400e3;
	b.seconds[0].write_ios = b.seconds[1].write_ios = 10;
	b.seconds[0].write_us = b.seconds[1].write_us = 40e3;
	step(&b, 1);
	assert_true(fabs(b.trails[2].await_times - 10) < 1e-6);
	set_up(&b, "raid0", 3, busy_one);
	step(&b, 1);
	assert_true(b.trails[1].await_times == 0 && b.trails[1].busy_pct == 95);
}

/* ---- who is left out ---- */

static void only_members_that_are_asked_alike(void **state)
{
	static const struct {
		const char *name;
		enum member_state state;
		uint32_t flags;
		bool known;
	} cases[] = {
		{ "spare", MEMBER_SPARE, MEMBER_FLAG_SPARE, true },
		{ "write-mostly", MEMBER_IN_SYNC, MEMBER_FLAG_WRITE_MOSTLY, true },
		{ "journal", MEMBER_JOURNAL, MEMBER_FLAG_JOURNAL, true },
		{ "rebuilding", MEMBER_REBUILDING, 0, true },
		{ "faulty", MEMBER_FAULTY, MEMBER_FLAG_FAULTY, true },
		{ "replacement", MEMBER_IN_SYNC, MEMBER_FLAG_REPLACEMENT, true },
		{ "missing", MEMBER_MISSING, 0, true },
		{ "without figures", MEMBER_IN_SYNC, 0, false },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct bench b;

		print_message("  %s\n", cases[i].name);
		set_up(&b, "raid5", 3, slow_one);
		b.members[2].state = cases[i].state;
		b.members[2].flags = cases[i].flags;
		b.seconds[2].known = cases[i].known;
		step(&b, 10);
		assert_int_equal(named(&b), 0);
	}
}

static void a_replaced_member_is_left_out(void **state)
{
	struct bench b;

	(void)state;
	set_up(&b, "raid5", 3, slow_one);
	b.members[0].flags = MEMBER_FLAG_REPLACEMENT;
	b.members[0].role = 2;
	step(&b, 10);
	assert_int_equal(named(&b), 0);
}

static void while_it_syncs_nobody_is_named(void **state)
{
	struct bench b;

	(void)state;
	set_up(&b, "raid5", 3, slow_one);
	step(&b, 10);
	assert_int_equal(named(&b), 4);
	b.array.action = (struct action){ .kind = ACTION_CHECK, .state = ACTION_RUNNING };
	step(&b, 1);
	assert_int_equal(named(&b), 0);
	b.array.action.kind = ACTION_NONE;
	step(&b, 4);
	assert_int_equal(named(&b), 0);
	step(&b, 1);
	assert_int_equal(named(&b), 4);
}

static void another_device_begins_anew(void **state)
{
	struct bench b;

	(void)state;
	set_up(&b, "raid5", 3, slow_one);
	step(&b, 10);
	b.members[2].device = 99;
	step(&b, 4);
	assert_int_equal(named(&b), 0);
	step(&b, 1);
	assert_int_equal(named(&b), 4);
}

/* Awaits of healthy members vary alike, with a hiccup now and then; none stands apart for long. */
static void healthy_members_are_not_named(void **state)
{
	uint64_t seed = 3;
	size_t hiccups = 0;
	struct bench b;

	(void)state;
	for (size_t n = 2; n <= MAX; n++) {
		struct load loads[MAX];

		for (size_t i = 0; i < n; i++)
			loads[i] = (struct load){ 100, 4, 100, 6, 70 };
		set_up(&b, "raid5", n, loads);
		for (int s = 0; s < 3600; s++) {
			for (size_t i = 0; i < n; i++) {
				double part;

				seed = seed * 6364136223846793005u + 1442695040888963407u;
				part = (double)(seed >> 11) / 9007199254740992.0;
				loads[i].read_ms = 3 + 2.5 * part;
				loads[i].write_ms = 10 - 4 * part;
				if (part < 0.02) {
					loads[i].read_ms = 60;
					hiccups++;
				}
				b.seconds[i] = second_of(&loads[i]);
			}
			step(&b, 1);
			assert_int_equal(named(&b), 0);
		}
	}
	assert_true(hiccups > 1000);
}

static void no_allocation(void **state)
{
	size_t before = memory_allocations();
	struct bench b;

	(void)state;
	set_up(&b, "raid5", 3, slow_one);
	step(&b, 100);
	assert_int_equal(memory_allocations() - before, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(who_is_named),
		cmocka_unit_test(five_of_the_last_ten_seconds),
		cmocka_unit_test(it_is_told_how_far_it_stands_apart),
		cmocka_unit_test(only_members_that_are_asked_alike),
		cmocka_unit_test(a_replaced_member_is_left_out),
		cmocka_unit_test(while_it_syncs_nobody_is_named),
		cmocka_unit_test(another_device_begins_anew),
		cmocka_unit_test(healthy_members_are_not_named),
		cmocka_unit_test(no_allocation),
	};

	return cmocka_run_group_tests_name("straggler", tests, NULL, NULL);
}
