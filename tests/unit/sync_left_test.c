/* Time left of a resync: constant, slowing down, standing, begun anew. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "raidtop/memory.h"
#include "raidtop/sync_left.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))
#define SECOND_US 1000000ULL
#define SECOND_NS 1000000000ULL
#define MB 1000000ULL
#define TOTAL (100000 * MB)

static struct action action_of(uint64_t done)
{
	return (struct action){ .kind = ACTION_RESYNC,
				.state = ACTION_RUNNING,
				.done_bytes = done,
				.total_bytes = TOTAL };
}

static void step(struct sync_left *s, uint64_t us, uint64_t done)
{
	struct action a = action_of(done);

	sync_left_step(s, us, &a);
}

static bool is_clear(const struct sync_left *s)
{
	double speed = -1;
	uint64_t ns = 99;
	bool known = sync_left_speed(s, &speed) || sync_left_ns(s, &ns);

	return !known && speed == -1 && ns == 99;
}

/* Whatever the interval, a constant speed is found, and the time left with it. */
static void a_constant_speed(void **state)
{
	static const uint64_t intervals_us[] = {
		100000, 250000, 400000, 1000000, 5000000, 60000000
	};

	(void)state;
	for (size_t i = 0; i < COUNT(intervals_us); i++) {
		struct sync_left s = { .n_points = 0 };

		for (uint64_t k = 0; k < 600; k++) {
			uint64_t us = 7 * SECOND_US + k * intervals_us[i], ns;
			uint64_t done = 200 * MB + k * intervals_us[i] * 20; /* 20 MB/s */
			double speed;

			if (done > TOTAL)
				break;
			step(&s, us, done);
			if (k == 0) {
				assert_true(is_clear(&s));
				continue;
			}
			assert_true(sync_left_speed(&s, &speed));
			assert_true(fabs(speed - 20e6) < 1);
			assert_true(sync_left_ns(&s, &ns));
			assert_true(fabs((double)ns / 1e9 - (double)(TOTAL - done) / 20e6) < 1e-3);
		}
	}
}

/* 30 s after it slowed down, the old speed is forgotten; before, it is the mean of both. */
static void the_last_thirty_seconds_count(void **state)
{
	struct sync_left s = { .n_points = 0 };
	uint64_t done = 0;

	(void)state;
	for (uint64_t t = 0; t <= 200; t++) {
		double speed, fast = t <= 100 ? 30 : t < 130 ? (double)(130 - t) : 0;

		step(&s, t * SECOND_US, done);
		done += t < 100 ? 100 * MB : 10 * MB;
		if (t == 0)
			continue;
		assert_true(sync_left_speed(&s, &speed));
		assert_true(fabs(speed - (fast * 100e6 + (30 - fast) * 10e6) / 30) < 1);
	}
}

static void one_that_stands_has_no_end(void **state)
{
	struct sync_left s = { .n_points = 0 };
	double speed;
	uint64_t ns;

	(void)state;
	for (uint64_t t = 0; t < 40; t++)
		step(&s, t * SECOND_US, t < 5 ? t * MB : 5 * MB);
	assert_true(sync_left_speed(&s, &speed));
	assert_true(speed == 0);
	assert_false(sync_left_ns(&s, &ns));
	step(&s, 41 * SECOND_US, 5 * MB + 1); /* a byte in 30 s: the time is beyond 64 bits */
	assert_true(sync_left_speed(&s, &speed) && speed > 0);
	assert_false(sync_left_ns(&s, &ns));
}

static void done_is_no_time_left(void **state)
{
	struct sync_left s = { .n_points = 0 };
	uint64_t ns = 99;

	(void)state;
	step(&s, 0, TOTAL - MB);
	step(&s, SECOND_US, TOTAL);
	assert_true(sync_left_ns(&s, &ns));
	assert_int_equal(ns, 0);
	step(&s, 2 * SECOND_US, TOTAL + 1);
	assert_false(sync_left_ns(&s, &ns));
}

static const struct anew_case {
	const char *name;
	struct action action;
	uint64_t us;
} anew_cases[] = {
	{ "another kind",
	  { .kind = ACTION_CHECK,
	    .state = ACTION_RUNNING,
	    .done_bytes = 90 * MB,
	    .total_bytes = TOTAL },
	  40 * SECOND_US },
	{ "another total",
	  { .kind = ACTION_RESYNC,
	    .state = ACTION_RUNNING,
	    .done_bytes = 90 * MB,
	    .total_bytes = TOTAL + 1 },
	  40 * SECOND_US },
	{ "less done",
	  { .kind = ACTION_RESYNC,
	    .state = ACTION_RUNNING,
	    .done_bytes = MB,
	    .total_bytes = TOTAL },
	  40 * SECOND_US },
	{ "time went back",
	  { .kind = ACTION_RESYNC,
	    .state = ACTION_RUNNING,
	    .done_bytes = 90 * MB,
	    .total_bytes = TOTAL },
	  3 * SECOND_US },
	{ "none",
	  { .kind = ACTION_NONE, .done_bytes = 90 * MB, .total_bytes = TOTAL },
	  40 * SECOND_US },
	{ "delayed",
	  { .kind = ACTION_RESYNC,
	    .state = ACTION_DELAYED,
	    .done_bytes = 90 * MB,
	    .total_bytes = TOTAL },
	  40 * SECOND_US },
	{ "progress unknown",
	  { .kind = ACTION_RESYNC,
	    .state = ACTION_RUNNING,
	    .done_bytes = UNKNOWN_U64,
	    .total_bytes = TOTAL },
	  40 * SECOND_US },
	{ "total unknown",
	  { .kind = ACTION_RESYNC,
	    .state = ACTION_RUNNING,
	    .done_bytes = 90 * MB,
	    .total_bytes = UNKNOWN_U64 },
	  40 * SECOND_US },
};

static void it_begins_anew(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(anew_cases); i++) {
		const struct anew_case *c = &anew_cases[i];
		struct sync_left s = { .n_points = 0 };

		print_message("  %s\n", c->name);
		for (uint64_t t = 0; t < 40; t++)
			step(&s, t * SECOND_US, 2 * t * MB);
		assert_false(is_clear(&s));
		sync_left_step(&s, c->us, &c->action);
		assert_true(is_clear(&s));
	}
}

static void no_allocation(void **state)
{
	size_t before = memory_allocations();
	struct sync_left s = { .n_points = 0 };

	(void)state;
	for (uint64_t t = 0; t < 1000; t++)
		step(&s, t * SECOND_US, t * MB);
	assert_int_equal(memory_allocations() - before, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_constant_speed),
		cmocka_unit_test(the_last_thirty_seconds_count),
		cmocka_unit_test(one_that_stands_has_no_end),
		cmocka_unit_test(done_is_no_time_left),
		cmocka_unit_test(it_begins_anew),
		cmocka_unit_test(no_allocation),
	};

	return cmocka_run_group_tests_name("sync_left", tests, NULL, NULL);
}
