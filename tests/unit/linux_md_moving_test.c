/*
 * What of an array is read between surveys: limits, stripe cache, position of a reshape. From
 * descriptors that stay open, no more of them than what runs has a use for.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>

#include "machine_raid1.h"
#include "raidtop/memory.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))
#define KIB UINT64_C(1024)

static size_t open_descriptors(void)
{
	DIR *d = opendir("/proc/self/fd");
	size_t n = 0;

	assert_non_null(d);
	while (readdir(d))
		n++;
	closedir(d);
	return n;
}

static void start_check(const struct machine_files *m)
{
	machine_write(m, MD "/sync_action", "check\n");
	machine_write(m, MD "/sync_completed", "4096 / 129024\n");
	machine_write(m, MD "/sync_speed_min", "1000 (system)\n");
	machine_write(m, MD "/sync_speed_max", "200000 (system)\n");
}

static void limits_change_while_a_check_runs(void **state)
{
	const struct array *a;
	struct raid1_machine b;
	size_t before;

	(void)state;
	raid1_init(&b, start_check);
	a = raid1_array(&b);
	assert_int_equal(a->sync_min_bytes_per_sec, 1000 * KIB);
	assert_int_equal(a->sync_max_bytes_per_sec, 200000 * KIB);
	assert_int_equal(a->sync_max_is_local, TRUTH_NO);
	raid1_tick(&b);
	machine_write(&b.files, MD "/sync_speed_max", "2000 (local)\n");
	before = memory_allocations();
	raid1_tick(&b);
	assert_int_equal(memory_allocations(), before);
	assert_int_equal(a->sync_min_bytes_per_sec, 1000 * KIB);
	assert_int_equal(a->sync_min_is_local, TRUTH_NO);
	assert_int_equal(a->sync_max_bytes_per_sec, 2000 * KIB);
	assert_int_equal(a->sync_max_is_local, TRUTH_YES);
	assert_false(raid1_is_dirty(&b)); /* no change of the topology */
	raid1_release(&b);
}

static const struct limit_case {
	const char *text;
	uint64_t bytes_per_sec;
	enum truth is_local;
} limit_cases[] = {
	{ "1000 (system)\n", 1000 * KIB, TRUTH_NO },
	{ "1000 (local)\n", 1000 * KIB, TRUTH_YES },
	{ "0 (local)\n", 0, TRUTH_YES },
	{ "1000\n", 1000 * KIB, TRUTH_UNKNOWN },
	{ "1000 (elsewhere)\n", 1000 * KIB, TRUTH_UNKNOWN },
	{ "1000(local)\n", UNKNOWN_U64, TRUTH_UNKNOWN },
	{ "-5 (local)\n", UNKNOWN_U64, TRUTH_UNKNOWN },
	{ "18446744073709551614 (local)\n", UNKNOWN_U64, TRUTH_UNKNOWN },
	{ "\033[2J (system)\n", UNKNOWN_U64, TRUTH_UNKNOWN },
	{ "", UNKNOWN_U64, TRUTH_UNKNOWN },
};

static void limits_are_read(void **state)
{
	struct raid1_machine b;

	(void)state;
	raid1_init(&b, NULL);
	for (size_t i = 0; i < COUNT(limit_cases); i++) {
		print_message("  '%s'\n", limit_cases[i].text);
		machine_write(&b.files, MD "/sync_speed_min", limit_cases[i].text);
		raid1_survey(&b);
		assert_int_equal(raid1_array(&b)->sync_min_bytes_per_sec,
				 limit_cases[i].bytes_per_sec);
		assert_int_equal(raid1_array(&b)->sync_min_is_local, limit_cases[i].is_local);
	}
	raid1_release(&b);
}

static void become_raid5(const struct machine_files *m)
{
	machine_write(m, MD "/level", "raid5\n");
	machine_write(m, MD "/stripe_cache_size", "256\n");
	machine_write(m, MD "/stripe_cache_active", "7\n");
}

static void a_stripe_cache_fills(void **state)
{
	const struct array *a;
	struct raid1_machine b;

	(void)state;
	raid1_init(&b, become_raid5);
	a = raid1_array(&b);
	assert_int_equal(a->stripe_cache_active, 7);
	machine_write(&b.files, MD "/stripe_cache_active", "301\n");
	raid1_tick(&b);
	assert_int_equal(a->stripe_cache_active, 301);
	assert_int_equal(a->stripe_cache_size, 256);
	assert_false(raid1_is_dirty(&b));
	machine_write(&b.files, MD "/stripe_cache_active", "none\n");
	raid1_tick(&b);
	assert_int_equal(a->stripe_cache_active, UNKNOWN_U64);
	raid1_release(&b);
}

static void start_reshape(const struct machine_files *m)
{
	become_raid5(m);
	start_check(m);
	machine_write(m, MD "/sync_action", "reshape\n");
	machine_write(m, MD "/raid_disks", "3 (2)\n");
	machine_write(m, MD "/reshape_position", "2048\n");
}

static void a_reshape_moves(void **state)
{
	const struct array *a;
	struct raid1_machine b;

	(void)state;
	raid1_init(&b, start_reshape);
	a = raid1_array(&b);
	assert_int_equal(a->raid_disks, 3);
	assert_int_equal(a->raid_disks_before, 2);
	assert_int_equal(a->reshape_position_bytes, 2048 * 512);
	machine_write(&b.files, MD "/reshape_position", "8192\n");
	raid1_tick(&b);
	assert_int_equal(a->reshape_position_bytes, 8192 * 512);
	machine_write(&b.files, MD "/reshape_position", "none\n");
	machine_write(&b.files, MD "/raid_disks", "3\n");
	machine_write(&b.files, MD "/sync_action", "idle\n");
	raid1_tick(&b);
	assert_true(raid1_is_dirty(&b));
	raid1_survey(&b);
	assert_int_equal(raid1_array(&b)->reshape_position_bytes, UNKNOWN_U64);
	assert_int_equal(raid1_array(&b)->raid_disks_before, UNKNOWN_U64);
	raid1_release(&b);
}

/* One for the stripe cache, one for each file that a sync action moves; none more with any tick. */
static const struct descriptors_case {
	const char *name;
	void (*change)(const struct machine_files *m);
	size_t n;
} descriptors_cases[] = {
	{ "an idle raid1", NULL, 0 },
	{ "an idle raid5", become_raid5, 1 },
	{ "a check on a raid1", start_check, 7 }, /* it has no mismatch_cnt here */
	{ "a reshape", start_reshape, 9 },
};

static void descriptors_stay_open(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(descriptors_cases); i++) {
		size_t start = open_descriptors(), surveyed;
		struct raid1_machine b;

		print_message("  %s\n", descriptors_cases[i].name);
		raid1_init(&b, descriptors_cases[i].change);
		machine_write(&b.files, "proc/mdstat", ""); /* reading it again opens nothing */
		raid1_survey(&b);
		surveyed = open_descriptors();
		raid1_tick(&b);
		for (int tick = 0; tick < 5; tick++) { /* and that of diskstats */
			assert_int_equal(open_descriptors() - surveyed, descriptors_cases[i].n + 1);
			raid1_tick(&b);
		}
		raid1_survey(&b);
		raid1_tick(&b);
		assert_int_equal(open_descriptors() - surveyed, descriptors_cases[i].n + 1);
		raid1_release(&b);
		assert_int_equal(open_descriptors(), start);
	}
}

/* What was not there is not looked for in vain each tick, and found after the next survey. */
static void an_attribute_comes(void **state)
{
	struct raid1_machine b;

	(void)state;
	raid1_init(&b, start_check);
	raid1_tick(&b);
	machine_write(&b.files, MD "/mismatch_cnt", "128\n");
	raid1_tick(&b);
	assert_int_equal(raid1_array(&b)->mismatch_count, UNKNOWN_U64);
	raid1_survey(&b);
	machine_write(&b.files, MD "/mismatch_cnt", "256\n");
	raid1_tick(&b);
	assert_int_equal(raid1_array(&b)->mismatch_count, 256);
	raid1_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(limits_change_while_a_check_runs),
		cmocka_unit_test(limits_are_read),
		cmocka_unit_test(a_stripe_cache_fills),
		cmocka_unit_test(a_reshape_moves),
		cmocka_unit_test(descriptors_stay_open),
		cmocka_unit_test(an_attribute_comes),
	};

	return cmocka_run_group_tests_name("linux md moving", tests, NULL, NULL);
}
