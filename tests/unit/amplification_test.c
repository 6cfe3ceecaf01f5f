/* Ratios of an array and its members: what was measured, what the levels promise, what is blank. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "raidtop/amplification.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))
#define WINDOW_US 10000000ULL
#define MAX 8
#define MB 1e6

/* An array of n members in sync, whose windows sum up to what is said, evenly. */
struct bench {
	struct array array;
	struct member members[MAX];
	struct traffic self, windows[MAX];
};

static struct traffic window_of(double read_bytes, double write_bytes)
{
	return (struct traffic){
		.known = true,
		.time_us = WINDOW_US,
		.read_bytes = read_bytes,
		.write_bytes = write_bytes,
		.read_ios = read_bytes / 65536,
		.write_ios = write_bytes / 65536,
		.inflight_before = 4,
		.inflight = 4,
	};
}

static void set_up(struct bench *b, const char *level, size_t n, double reads, double writes,
		   double member_reads, double member_writes)
{
	memset(b, 0, sizeof(*b));
	snprintf(b->array.level, sizeof(b->array.level), "%s", level);
	b->array.state = ARRAY_ACTIVE;
	b->array.raid_disks = b->array.working = n;
	b->array.members = b->members;
	b->array.n_members = n;
	b->self = window_of(reads, writes);
	for (size_t i = 0; i < n; i++) {
		b->members[i].state = MEMBER_IN_SYNC;
		b->windows[i] = window_of(member_reads / (double)n, member_writes / (double)n);
	}
}

static struct amplification compute(const struct bench *b)
{
	struct amplification a;

	amplification_compute(&a, &b->array, &b->self, b->windows);
	return a;
}

static bool same(double got, double expected)
{
	return isnan(expected) ? isnan(got) : fabs(got - expected) < 1e-9;
}

/* ---- measured ---- */

/* Bytes of the array and of its members, in MB; what STATISTICS.md says of such a load. */
static const struct measured_case {
	const char *name;
	const char *level;
	size_t n;
	double reads, writes, member_reads, member_writes;
	double r, w, amplified_reads;
	enum rmw rmw;
} measured_cases[] = {
	{ "full stripe, raid5 of 3", "raid5", 3, 0, 400, 0, 600, 0, 1.5, NAN, RMW_NONE },
	{ "full stripe, raid6 of 6", "raid6", 6, 0, 400, 0, 600, 0, 1.5, NAN, RMW_NONE },
	{ "buffered sequential", "raid5", 3, 0, 400, 12, 606, 0.03, 1.515, NAN, RMW_NONE },
	{ "just none", "raid5", 5, 0, 400, 39.6, 600, 0.099, 1.5, NAN, RMW_NONE },
	{ "partly", "raid5", 5, 0, 400, 40, 600, 0.1, 1.5, NAN, RMW_PARTLY },
	{ "just partly", "raid5", 5, 0, 400, 119.6, 600, 0.299, 1.5, NAN, RMW_PARTLY },
	{ "fully", "raid5", 5, 0, 400, 120, 600, 0.3, 1.5, NAN, RMW_FULL },
	{ "half a chunk off", "raid4", 5, 0, 400, 180, 700, 0.45, 1.75, NAN, RMW_FULL },
	{ "4 KiB random, raid5", "raid5", 5, 0, 100, 200, 200, 2, 2, NAN, RMW_FULL },
	{ "4 KiB random, raid6", "raid6", 6, 0, 100, 290, 300, 2.9, 3, NAN, RMW_FULL },
	{ "the array's own reads are not counted", "raid5", 5, 300, 400, 302, 500, 0.005, 1.25,
	  302.0 / 300, RMW_NONE },
	{ "nor is what the stripe cache served", "raid5", 5, 300, 400, 240, 500, 0, 1.25, 0.8,
	  RMW_NONE },
	{ "reads alone", "raid5", 5, 300, 0, 300, 0, NAN, NAN, 1, RMW_UNKNOWN },
	{ "udev reads after a raw write: too little", "raid5", 3, 0, 1, 4, 1.5, NAN, NAN, NAN,
	  RMW_UNKNOWN },
	{ "a trickle that shows 4.6 is blank", "raid6", 6, 0, 9.9, 0, 45.5, NAN, NAN, NAN,
	  RMW_UNKNOWN },
	{ "raid1 has no parity", "raid1", 3, 0, 400, 0, 1200, NAN, 3, NAN, RMW_UNKNOWN },
	{ "raid10", "raid10", 4, 0, 400, 0, 800, NAN, 2, NAN, RMW_UNKNOWN },
};

static void measured_ratios(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(measured_cases); i++) {
		const struct measured_case *c = &measured_cases[i];
		struct amplification a;
		struct bench b;

		set_up(&b, c->level, c->n, c->reads * MB, c->writes * MB, c->member_reads * MB,
		       c->member_writes * MB);
		a = compute(&b);
		print_message("  %s: r* %.3f, w %.3f\n", c->name, a.extra_reads, a.writes);
		assert_true(same(a.extra_reads, c->r));
		assert_true(same(a.writes, c->w));
		assert_true(same(a.reads, c->amplified_reads));
		assert_int_equal(a.rmw, c->rmw);
	}
}

/* ---- who counts, and when nothing is said ---- */

static void set_up_usual(struct bench *b)
{
	set_up(b, "raid5", 5, 300 * MB, 400 * MB, 500 * MB, 600 * MB);
}

static void assert_blank(const struct bench *b, const char *why)
{
	struct amplification a = compute(b);

	print_message("  %s\n", why);
	assert_true(isnan(a.reads) && isnan(a.writes) && isnan(a.extra_reads));
	assert_int_equal(a.rmw, RMW_UNKNOWN);
}

static void blank_where_nothing_can_be_said(void **state)
{
	struct bench b;

	(void)state;
	set_up_usual(&b);
	assert_true(compute(&b).writes == 1.5);
	assert_int_equal(compute(&b).rmw, RMW_FULL);
	b.array.action = (struct action){ .kind = ACTION_CHECK, .state = ACTION_RUNNING };
	assert_blank(&b, "a check runs");
	set_up_usual(&b);
	b.self.derived = true;
	assert_blank(&b, "the array counts nothing");
	set_up_usual(&b);
	b.self.known = false;
	assert_blank(&b, "a gap of the array");
	set_up_usual(&b);
	b.windows[3].known = false;
	assert_blank(&b, "a gap of a member");
	set_up_usual(&b);
	b.windows[3].time_us -= 1;
	assert_blank(&b, "a member has another window");
	set_up_usual(&b);
	b.self.time_us = 9999999;
	for (size_t i = 0; i < 5; i++)
		b.windows[i].time_us = 9999999;
	assert_blank(&b, "less than 10 s");
	set_up_usual(&b);
	b.self.inflight = 4 + 700;
	assert_blank(&b, "submitted, not yet completed: the array");
	set_up_usual(&b);
	b.windows[0].inflight = 4 + 1000;
	assert_blank(&b, "and its members");
	set_up_usual(&b);
	b.array.n_members = 0;
	assert_blank(&b, "no members");
}

/* What only r* is too good for. */
static void without_parity_in_order_there_is_no_r(void **state)
{
	struct bench b;

	(void)state;
	set_up_usual(&b);
	b.array.degraded = 1;
	assert_true(compute(&b).writes == 1.5);
	assert_int_equal(compute(&b).rmw, RMW_UNKNOWN);
	b.array.degraded = b.array.working = UNKNOWN_U64;
	assert_int_equal(compute(&b).rmw, RMW_UNKNOWN);
	set_up_usual(&b);
	b.array.action = (struct action){ .kind = ACTION_RESYNC, .state = ACTION_PENDING };
	assert_true(compute(&b).writes == 1.5);
	assert_int_equal(compute(&b).rmw, RMW_UNKNOWN);
	set_up_usual(&b);
	for (size_t i = 0; i < 5; i++)
		b.windows[i].read_bytes = NAN;
	assert_int_equal(compute(&b).rmw, RMW_UNKNOWN);
	assert_true(compute(&b).writes == 1.5);
}

static void members_that_count(void **state)
{
	static const struct {
		enum member_state state;
		double w;
	} cases[] = { { MEMBER_IN_SYNC, 1.5 }, { MEMBER_JOURNAL, 1.5 }, { MEMBER_REBUILDING, 1.5 },
		      { MEMBER_SPARE, 1.2 },   { MEMBER_FAULTY, 1.2 },  { MEMBER_MISSING, 1.2 } };

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct bench b;

		set_up_usual(&b);
		b.members[2].state = cases[i].state;
		assert_true(same(compute(&b).writes, cases[i].w));
		b.windows[2].known = false; /* a member that does not count may be unknown */
		assert_int_equal(isnan(compute(&b).writes), cases[i].w == 1.5);
	}
}

/* ---- expected ---- */

static const struct expected_case {
	const char *name;
	const char *level, *layout, *policy;
	size_t n, lost;
	enum rmw rmw;
	double ratio;
} expected_cases[] = {
	{ "linear", "linear", "", "", 3, 0, RMW_UNKNOWN, 1 },
	{ "raid0", "raid0", "", "", 4, 0, RMW_UNKNOWN, 1 },
	{ "raid1, two mirrors", "raid1", "", "", 2, 0, RMW_UNKNOWN, 2 },
	{ "raid1, three", "raid1", "", "", 3, 0, RMW_UNKNOWN, 3 },
	{ "raid1, one of three lost", "raid1", "", "", 3, 1, RMW_UNKNOWN, 2 },
	{ "raid10 n2", "raid10", "n2", "", 4, 0, RMW_UNKNOWN, 2 },
	{ "raid10 f2", "raid10", "f2", "", 4, 0, RMW_UNKNOWN, 2 },
	{ "raid10 o2", "raid10", "o2", "", 4, 0, RMW_UNKNOWN, 2 },
	{ "raid10 n3", "raid10", "n3", "", 6, 0, RMW_UNKNOWN, 3 },
	{ "raid10 n2, one of four lost", "raid10", "n2", "", 4, 1, RMW_UNKNOWN, 1.5 },
	{ "raid10, layout unknown", "raid10", "", "", 4, 0, RMW_UNKNOWN, NAN },
	{ "raid5 of 3", "raid5", "left-symmetric", "resync", 3, 0, RMW_NONE, 1.5 },
	{ "raid5 of 5", "raid5", "left-symmetric", "bitmap", 5, 0, RMW_NONE, 1.25 },
	{ "raid5 of 5, not yet judged", "raid5", "left-symmetric", "bitmap", 5, 0, RMW_UNKNOWN,
	  1.25 },
	{ "raid5 of 5, one lost", "raid5", "left-symmetric", "", 5, 1, RMW_UNKNOWN, 1 },
	{ "raid5, two lost", "raid5", "left-symmetric", "", 5, 2, RMW_UNKNOWN, NAN },
	{ "raid5, read-modify-write", "raid5", "left-symmetric", "", 5, 0, RMW_FULL, 2 },
	{ "raid5, partly", "raid5", "left-symmetric", "", 5, 0, RMW_PARTLY, NAN },
	{ "raid4", "raid4", "", "", 5, 0, RMW_NONE, 1.25 },
	{ "raid4, read-modify-write", "raid4", "", "", 5, 0, RMW_FULL, 2 },
	{ "raid6 of 6", "raid6", "left-symmetric", "", 6, 0, RMW_NONE, 1.5 },
	{ "raid6 of 6, one lost", "raid6", "left-symmetric", "", 6, 1, RMW_NONE, 1.25 },
	{ "raid6 of 6, two lost", "raid6", "left-symmetric", "", 6, 2, RMW_NONE, 1 },
	{ "raid6, read-modify-write", "raid6", "left-symmetric", "", 6, 0, RMW_FULL, 3 },
	{ "PPL", "raid5", "left-symmetric", "ppl", 3, 0, RMW_NONE, 1.56 },
	{ "journal with its disk", "raid5", "left-symmetric", "journal", 3, 0, RMW_NONE, 3.06 },
	{ "journal, parts of stripes", "raid5", "left-symmetric", "journal", 3, 0, RMW_FULL, NAN },
	{ "another level", "faulty", "", "", 1, 0, RMW_UNKNOWN, NAN },
};

static void expected_ratios(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(expected_cases); i++) {
		const struct expected_case *c = &expected_cases[i];
		struct array a = { .raid_disks = c->n,
				   .working = c->n - c->lost,
				   .degraded = c->lost };
		double ratio, writes;

		snprintf(a.level, sizeof(a.level), "%s", c->level);
		snprintf(a.layout, sizeof(a.layout), "%s", c->layout);
		snprintf(a.consistency_policy, sizeof(a.consistency_policy), "%s", c->policy);
		ratio = amplification_expected_writes(&a, c->rmw);
		writes = amplification_writes_of_members(&a, c->rmw, 300);
		print_message("  %s: %.2f\n", c->name, ratio);
		assert_true(same(ratio, c->ratio));
		assert_true(same(writes, 300 / c->ratio));
	}
}

static void bytes_of_a_cache(void **state)
{
	struct traffic t = window_of(50 * MB, 0);

	(void)state;
	assert_true(same(amplification_cache_pct(200 * MB, &t), 75));
	assert_true(same(amplification_cache_pct(50 * MB, &t), 0));
	assert_true(same(amplification_cache_pct(20 * MB, &t), 0)); /* others read too */
	assert_true(isnan(amplification_cache_pct(5 * MB, &t)));
	t.inflight = 4000;
	assert_true(isnan(amplification_cache_pct(200 * MB, &t)));
	t = window_of(NAN, 0);
	assert_true(isnan(amplification_cache_pct(200 * MB, &t)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(measured_ratios),
		cmocka_unit_test(blank_where_nothing_can_be_said),
		cmocka_unit_test(without_parity_in_order_there_is_no_r),
		cmocka_unit_test(members_that_count),
		cmocka_unit_test(expected_ratios),
		cmocka_unit_test(bytes_of_a_cache),
	};

	return cmocka_run_group_tests_name("amplification", tests, NULL, NULL);
}
