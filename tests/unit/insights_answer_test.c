/* Who is said to give no answer, what that blocks, and what is told of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "insights_bench.h"
#include "raidtop/text.h"

static void steps(struct insights_bench *b, int n)
{
	for (int i = 0; i < n; i++)
		insights_bench_step(b, SECOND);
}

static uint64_t silent_s(const struct insights_bench *b, int slot)
{
	const struct device_insights *d = insights_device(b->insights, slot);

	assert_int_equal(d->no_answer, d->silent_us > 0);
	return d->silent_us / SECOND;
}

static void assert_blocked(const struct insights_bench *b, int array, int by, uint64_t seconds)
{
	const struct array_insights *a = insights_array(b->insights, array);

	assert_int_equal(a->blocked_by, by);
	assert_int_equal(a->blocked_us, seconds * SECOND);
}

static void a_hung_member(void **state)
{
	struct insights_bench b;

	(void)state;
	insights_bench_init(&b);
	insights_bench_read(&b, 90);
	insights_bench_wait(&b, SLOT_SDB, 2);
	steps(&b, 1);
	steps(&b, 2);
	assert_int_equal(silent_s(&b, SLOT_SDB), 0);
	assert_blocked(&b, SLOT_MD0, NO_SLOT, 0);
	insights_bench_assert_told(&b, "");
	steps(&b, 1);
	assert_int_equal(silent_s(&b, SLOT_SDB), 3);
	assert_blocked(&b, SLOT_MD0, SLOT_SDB, 3);
	insights_bench_assert_told(&b, "no_answer sdb md0: sdb: no answer for 3 s; "
				       "md0 is blocked by it");
	steps(&b, 9);
	assert_int_equal(silent_s(&b, SLOT_SDB), 12);
	assert_blocked(&b, SLOT_MD0, SLOT_SDB, 12);
	assert_int_equal(silent_s(&b, SLOT_SDA), 0);
	assert_int_equal(silent_s(&b, SLOT_MD0), 0);
	insights_bench_assert_told(&b, "");
	insights_bench_wait(&b, SLOT_SDB, 0);
	bench_add(&b.machine, SLOT_SDB, COUNTER_READ_IOS, 2);
	steps(&b, 1);
	assert_int_equal(silent_s(&b, SLOT_SDB), 0);
	assert_blocked(&b, SLOT_MD0, NO_SLOT, 0);
	insights_bench_assert_told(&b, "answer sdb md0: sdb answers again after 12 s");
	steps(&b, 30);
	insights_bench_assert_told(&b, "");
	insights_bench_release(&b);
}

/* That it is busy and its peers are not makes it no straggler, and md0's standstill is no news. */
static void a_hung_member_is_told_once(void **state)
{
	struct insights_bench b;

	(void)state;
	insights_bench_init(&b);
	for (int i = 0; i < 30; i++) {
		insights_bench_read(&b, 90);
		insights_bench_step(&b, SECOND);
	}
	insights_bench_wait(&b, SLOT_SDB, 4);
	for (int i = 0; i < 40; i++) {
		insights_bench_move(&b, SLOT_SDB, &(struct second){ .busy_pct = 100 });
		insights_bench_step(&b, SECOND);
		assert_int_equal(insights_array(b.insights, SLOT_MD0)->straggler, NO_MEMBER);
	}
	insights_bench_assert_told(&b, "no_answer sdb md0: sdb: no answer for 3 s; "
				       "md0 is blocked by it");
	insights_bench_assert_told(&b, "");
	insights_bench_release(&b);
}

static void a_disk_in_no_array(void **state)
{
	struct insights_bench b;

	(void)state;
	insights_bench_init(&b);
	insights_bench_wait(&b, SLOT_SDD, 1);
	steps(&b, 5);
	assert_int_equal(silent_s(&b, SLOT_SDD), 4);
	assert_blocked(&b, SLOT_MD0, NO_SLOT, 0);
	insights_bench_assert_told(&b, "no_answer sdd : sdd: no answer for 3 s");
	insights_bench_wait(&b, SLOT_SDD, 0);
	steps(&b, 1);
	insights_bench_assert_told(&b, "answer sdd : sdd answers again after 4 s");
	/* One that nobody looks at: an optical drive. */
	b.machine.t.devices[SLOT_SDD]->minor_interest = true;
	insights_bench_wait(&b, SLOT_SDD, 1);
	steps(&b, 5);
	assert_int_equal(silent_s(&b, SLOT_SDD), 4);
	insights_bench_assert_told(&b, "");
	insights_bench_release(&b);
}

/* One cause, one sentence: of the partition that is the member, neither of disk nor of array. */
static void a_partition_and_its_disk_and_its_array(void **state)
{
	struct insights_bench b;

	(void)state;
	insights_bench_init(&b);
	insights_bench_wait(&b, SLOT_SDC, 1);
	insights_bench_wait(&b, SLOT_SDC1, 1);
	insights_bench_wait(&b, SLOT_MD0, 1); /* newer kernels count it there too */
	steps(&b, 6);
	assert_int_equal(silent_s(&b, SLOT_SDC1), 5);
	assert_int_equal(silent_s(&b, SLOT_SDC), 0);
	assert_int_equal(silent_s(&b, SLOT_MD0), 0);
	assert_blocked(&b, SLOT_MD0, SLOT_SDC1, 5);
	insights_bench_assert_told(&b, "no_answer sdc1 md0: sdc1: no answer for 3 s; "
				       "md0 is blocked by it");
	insights_bench_assert_told(&b, "");
	/* The array is left waiting, and by nobody's fault but its own. */
	for (int slot = SLOT_SDC; slot <= SLOT_SDC1; slot++) {
		bench_add(&b.machine, slot, COUNTER_READ_IOS, 1);
		insights_bench_wait(&b, slot, 0);
	}
	steps(&b, 1);
	insights_bench_assert_told(&b, "answer sdc1 md0: sdc1 answers again after 5 s");
	insights_bench_assert_told(&b, "no_answer md0 : md0: no answer for 6 s");
	assert_int_equal(silent_s(&b, SLOT_MD0), 6);
	insights_bench_release(&b);
}

/* A member that waits a second less than its array: the array is not blamed in the meantime. */
static void an_array_that_began_to_wait_first(void **state)
{
	struct insights_bench b;

	(void)state;
	insights_bench_init(&b);
	insights_bench_wait(&b, SLOT_MD0, 1);
	steps(&b, 1);
	insights_bench_wait(&b, SLOT_SDA, 1);
	steps(&b, 3);
	assert_int_equal(silent_s(&b, SLOT_MD0), 0);
	insights_bench_assert_told(&b, "");
	steps(&b, 1);
	assert_int_equal(silent_s(&b, SLOT_MD0), 0);
	insights_bench_assert_told(&b, "no_answer sda md0: sda: no answer for 3 s; "
				       "md0 is blocked by it");
	insights_bench_release(&b);
}

static void an_array_on_the_array(void **state)
{
	struct insights_bench b;
	struct array *upper;

	(void)state;
	insights_bench_init(&b);
	upper = topology_add_array(&b.machine.t, "md9")->array;
	upper->state = ARRAY_ACTIVE;
	text_copy(upper->level, sizeof(upper->level), "linear");
	bench_add_member(upper, "md0", SLOT_MD0, MEMBER_IN_SYNC);
	snapshot_reset(&b.machine.s, SLOT_COUNT + 1);
	bench_start(&b.machine, 100000);
	for (int i = 0; i <= SLOT_COUNT; i++)
		insights_bench_wait(&b, i, 0);
	steps(&b, 1);
	insights_bench_wait(&b, SLOT_SDA, 1);
	steps(&b, 5);
	assert_blocked(&b, SLOT_MD0, SLOT_SDA, 4);
	assert_blocked(&b, SLOT_COUNT, SLOT_SDA, 4);
	insights_bench_assert_told(&b, "no_answer sda md0: sda: no answer for 3 s; "
				       "md0 is blocked by it");
	insights_bench_assert_told(&b, "");
	insights_bench_release(&b);
}

/* Missed ticks and a sleep do not hide it, as cumulative counts are compared. */
static void a_gap_in_the_middle(void **state)
{
	struct insights_bench b;

	(void)state;
	insights_bench_init(&b);
	insights_bench_wait(&b, SLOT_SDB, 1);
	steps(&b, 2);
	b.machine.s.missed_ticks = 4;
	insights_bench_step(&b, 5 * SECOND);
	b.machine.s.missed_ticks = 0;
	assert_int_equal(b.machine.tick->gap, GAP_MISSED);
	assert_int_equal(silent_s(&b, SLOT_SDB), 6);
	insights_bench_assert_told(&b, "no_answer sdb md0: sdb: no answer for 6 s; "
				       "md0 is blocked by it");
	b.machine.s.boottime_us += 3600 * SECOND;
	steps(&b, 1);
	assert_int_equal(b.machine.tick->gap, GAP_SUSPEND);
	assert_int_equal(silent_s(&b, SLOT_SDB), 7);
	insights_bench_assert_told(&b, "");
	insights_bench_release(&b);
}

/* What is no more, or is another one, did not answer. */
static void it_ends_without_an_answer(void **state)
{
	static const char *const ways[] = { "gone", "made anew", "a new segment", "reset",
					    "a new segment with a later clock, ticks missed" };

	(void)state;
	for (size_t i = 0; i < COUNT(ways); i++) {
		struct insights_bench b;

		print_message("  %s\n", ways[i]);
		insights_bench_init(&b);
		insights_bench_wait(&b, SLOT_SDB, 1);
		steps(&b, 5);
		insights_bench_assert_told(&b, "no_answer sdb md0: sdb: no answer for 3 s; "
					       "md0 is blocked by it");
		if (i == 0) {
			b.machine.t.devices[SLOT_SDB]->present = false;
			bench_counters(&b.machine, SLOT_SDB)->valid = 0;
		} else if (i == 1) {
			memset(bench_counters(&b.machine, SLOT_SDB)->value, 0,
			       sizeof(b.machine.s.devices[0].value));
		} else if (i == 2) {
			b.machine.s.segment++;
			b.machine.s.elapsed_us = 0;
		} else if (i == 4) {
			b.machine.s.segment++;
			b.machine.s.missed_ticks = 2;
		} else {
			insights_reset(b.insights);
			assert_int_equal(silent_s(&b, SLOT_SDB), 0);
			assert_int_equal(insights_array(b.insights, SLOT_MD0)->n_members, 0);
		}
		steps(&b, 1);
		assert_int_equal(silent_s(&b, SLOT_SDB), 0);
		assert_blocked(&b, SLOT_MD0, NO_SLOT, 0);
		insights_bench_assert_told(&b, "");
		insights_bench_release(&b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_hung_member),
		cmocka_unit_test(a_hung_member_is_told_once),
		cmocka_unit_test(a_disk_in_no_array),
		cmocka_unit_test(a_partition_and_its_disk_and_its_array),
		cmocka_unit_test(an_array_that_began_to_wait_first),
		cmocka_unit_test(an_array_on_the_array),
		cmocka_unit_test(a_gap_in_the_middle),
		cmocka_unit_test(it_ends_without_an_answer),
	};

	return cmocka_run_group_tests_name("insights_answer", tests, NULL, NULL);
}
