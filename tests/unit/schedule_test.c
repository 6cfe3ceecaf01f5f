#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "app/schedule.h"

#define MS 1000000ULL

/* The clock at each look, and what the schedule says then. Interval 100 ms, started at 1000 ms. */
static const struct look {
	const char *name;
	uint64_t now_ms;
	bool due;
	uint32_t missed;
	uint64_t late_so_far, missed_so_far;
	uint64_t wait_ms; /* after it */
} looks[] = {
	{ "at once", 1000, true, 0, 0, 0, 100 },
	{ "too early", 1099, false, 0, 0, 0, 1 },
	{ "on time", 1100, true, 0, 0, 0, 100 },
	{ "a tenth late is on time", 1210, true, 0, 0, 0, 90 },
	{ "lateness does not add up", 1300, true, 0, 0, 0, 100 },
	{ "late", 1450, true, 0, 1, 0, 50 },
	{ "one missed", 1600, true, 1, 1, 1, 100 },
	{ "stopped for ten seconds", 11735, true, 100, 2, 101, 65 },
	{ "no ticks in a row to make up", 11735, false, 0, 2, 101, 65 },
};

static void deadlines_are_absolute(void **state)
{
	struct schedule s;

	(void)state;
	schedule_start(&s, 100 * MS, 1000 * MS);
	for (size_t i = 0; i < sizeof(looks) / sizeof(looks[0]); i++) {
		const struct look *l = &looks[i];
		uint32_t missed = 0;

		print_message("  %s\n", l->name);
		assert_int_equal(schedule_take(&s, l->now_ms * MS, &missed), l->due);
		assert_int_equal(missed, l->missed);
		assert_int_equal(s.late, l->late_so_far);
		assert_int_equal(s.missed, l->missed_so_far);
		assert_int_equal(schedule_wait_ns(&s, l->now_ms * MS), l->wait_ms * MS);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(deadlines_are_absolute) };

	return cmocka_run_group_tests_name("schedule", tests, NULL, NULL);
}
