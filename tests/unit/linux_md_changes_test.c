/*
 * An array whose files change: sync actions that begin, move and end, two sources that contradict
 * each other, members that are not what they seem.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "machine_raid1.h"
#include "raidtop/memory.h"
#include "raidtop/text.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

/* ---- arrays that move ---- */

static void set_progress(const struct machine_files *m, const char *progress, const char *action,
			 const char *speed)
{
	char text[512];

	text_format(text, sizeof(text), HEAD ARRAY "%s" TAIL, progress);
	machine_write(m, "proc/mdstat", text);
	machine_write(m, MD "/sync_action", action);
	machine_write(m, MD "/sync_speed", speed);
}

static void start_check(const struct machine_files *m)
{
	set_progress(m,
		     "      [=>...................]  check =  8.6% (5632/64512) finish=0.6min "
		     "speed=1536K/sec\n",
		     "check\n", "768\n");
	machine_write(m, MD "/sync_completed", "4096 / 129024\n");
}

static void a_check_moves_and_ends(void **state)
{
	struct raid1_machine b;
	size_t before;

	(void)state;
	raid1_init(&b, start_check);
	assert_int_equal(raid1_array(&b)->action.kind, ACTION_CHECK);
	assert_int_equal(raid1_array(&b)->action.percent_tenths, 86);
	assert_int_equal(raid1_array(&b)->action.done_bytes, 5632 * 1024);
	assert_int_equal(raid1_array(&b)->action.speed_bytes_per_sec, 768 * 1024);
	set_progress(&b.files,
		     "      [==========>..........]  check = 50.3% (32448/64512) finish=0.1min "
		     "speed=4096K/sec\n",
		     "check\n", "4000\n");
	machine_write(&b.files, MD "/mismatch_cnt", "128\n");
	raid1_tick(&b);
	assert_int_equal(raid1_array(&b)->action.percent_tenths, 503);
	assert_int_equal(raid1_array(&b)->action.speed_bytes_per_sec, 4000 * 1024);
	assert_int_equal(raid1_array(&b)->mismatch_count, 128);
	assert_false(raid1_is_dirty(&b));
	before = memory_allocations();
	raid1_tick(&b);
	assert_int_equal(memory_allocations(), before);
	set_progress(&b.files, "", "idle\n", "none\n");
	raid1_tick(&b);
	assert_int_equal(raid1_array(&b)->action.kind, ACTION_NONE);
	assert_int_equal(raid1_array(&b)->action.percent_tenths, UNKNOWN_I32);
	/* Members may have another state now. */
	assert_true(raid1_is_dirty(&b));
	raid1_release(&b);
}

static void wait_for_a_write(const struct machine_files *m)
{
	machine_write(m, MD "/array_state", "read-auto\n");
	set_progress(m, "      \tresync=PENDING\n", "idle\n", "none\n");
}

/* Nothing tells that an array is no longer read-only. */
static void a_pending_array_is_written(void **state)
{
	struct raid1_machine b;

	(void)state;
	raid1_init(&b, wait_for_a_write);
	assert_int_equal(raid1_array(&b)->readonly, ARRAY_AUTO_READ_ONLY);
	assert_int_equal(raid1_array(&b)->action.kind, ACTION_RESYNC);
	assert_int_equal(raid1_array(&b)->action.state, ACTION_PENDING);
	raid1_tick(&b);
	assert_int_equal(raid1_array(&b)->action.state, ACTION_PENDING);
	assert_false(raid1_is_dirty(&b));
	machine_write(&b.files, MD "/array_state", "active\n");
	raid1_tick(&b);
	assert_int_equal(raid1_array(&b)->readonly, ARRAY_READ_WRITE);
	assert_true(raid1_is_dirty(&b));
	raid1_release(&b);
}

static void pull_vdb(const struct machine_files *m)
{
	machine_delete(m, VIRTUAL "/vdb");
}

/* md counts on a disk that is gone; then a request fails, and no event tells of it. */
static void an_array_breaks_in_silence(void **state)
{
	struct raid1_machine b;

	(void)state;
	raid1_init(&b, pull_vdb);
	assert_int_equal(raid1_array(&b)->state, ARRAY_ACTIVE);
	assert_int_equal(raid1_array(&b)->members[1].device, NO_SLOT);
	machine_write(&b.files, "proc/diskstats", LINE_VDA LINE_MD0);
	raid1_tick(&b);
	raid1_survey(&b);
	raid1_tick(&b);
	assert_false(raid1_is_dirty(&b));
	machine_write(&b.files, MD "/array_state", "broken\n");
	raid1_tick(&b);
	assert_int_equal(raid1_array(&b)->state, ARRAY_BROKEN);
	assert_true(raid1_is_dirty(&b)); /* members may have another state now */
	raid1_survey(&b);
	raid1_tick(&b);
	assert_false(raid1_is_dirty(&b));
	raid1_release(&b);
}

/* Two sources read at two moments. */
static const struct race {
	const char *name, *progress, *action, *completed;
	enum action_kind kind;
	enum action_state state;
	int32_t percent_tenths;
} races[] = {
	{ "ended between the two",
	  "      [>....]  check =  1.5% (1/64) finish=0.1min speed=9K/sec\n", "idle\n", "none\n",
	  ACTION_NONE, ACTION_RUNNING, UNKNOWN_I32 },
	{ "begun between the two", "", "recover\n", "64512 / 129024\n", ACTION_RECOVERY,
	  ACTION_RUNNING, 500 },
	{ "begun, no progress yet", "", "recover\n", "none\n", ACTION_RECOVERY, ACTION_RUNNING,
	  UNKNOWN_I32 },
	{ "delayed, mdstat silent (BUGS.md 10)", "", "check\n", "delayed\n", ACTION_CHECK,
	  ACTION_DELAYED, UNKNOWN_I32 },
	{ "delayed, mdstat calls it a resync", "      \tresync=DELAYED\n", "recover\n", "delayed\n",
	  ACTION_RECOVERY, ACTION_DELAYED, UNKNOWN_I32 },
	{ "a repair is a resync to mdstat",
	  "      [>....]  resync =  1.5% (1/64) finish=0.1min speed=9K/sec\n", "repair\n",
	  "0 / 128\n", ACTION_REPAIR, ACTION_RUNNING, 15 },
	{ "stalled (BUGS.md 26)",
	  "      [>....]  resync =  0.0% (1/64) finish=25176161501.3min speed=0K/sec\n", "resync\n",
	  "0 / 128\n", ACTION_RESYNC, ACTION_STALLED, 0 },
	{ "run by another host", "      \tresync=REMOTE\n", "idle\n", "none\n", ACTION_RESYNC,
	  ACTION_REMOTE, UNKNOWN_I32 },
	{ "more done than there is", "", "check\n", "200 / 100\n", ACTION_CHECK, ACTION_RUNNING,
	  UNKNOWN_I32 },
	{ "of nothing", "", "check\n", "0 / 0\n", ACTION_CHECK, ACTION_RUNNING, UNKNOWN_I32 },
	{ "no sync_action: mdstat stands in",
	  "      [>....]  check =  1.5% (1/64) finish=0.1min speed=9K/sec\n", "", "", ACTION_CHECK,
	  ACTION_RUNNING, 15 },
};

static void two_moments(void **state)
{
	struct raid1_machine b;

	(void)state;
	raid1_init(&b, NULL);
	for (size_t i = 0; i < COUNT(races); i++) {
		const struct action *a;

		print_message("  %s\n", races[i].name);
		set_progress(&b.files, races[i].progress, races[i].action, "9\n");
		machine_write(&b.files, MD "/sync_completed", races[i].completed);
		raid1_survey(&b);
		a = &raid1_array(&b)->action;
		assert_int_equal(a->kind, races[i].kind);
		assert_int_equal(a->state, races[i].state);
		assert_int_equal(a->percent_tenths, races[i].percent_tenths);
		if (races[i].state == ACTION_STALLED)
			assert_int_equal(a->finish_s, UNKNOWN_U64);
	}
	raid1_release(&b);
}

/* ---- members that are not what they seem ---- */

static void pull_and_replace(const struct machine_files *m)
{
	/* The array still holds the old vdb; the new one under that name holds nothing. */
	machine_delete(m, VIRTUAL "/vdb");
	raid1_add_block(m, "vdb", "254:16\n");
	machine_write(m, VIRTUAL "/vdb/holders/none", "");
}

/* WISHES.md 11: members are known by their numbers, not by names that pass on. */
static void another_disk_under_the_same_name(void **state)
{
	struct raid1_machine b;

	(void)state;
	raid1_init(&b, pull_and_replace);
	assert_string_equal(raid1_array(&b)->members[1].name, "vdb");
	assert_int_equal(raid1_array(&b)->members[1].device, NO_SLOT);
	assert_int_not_equal(topology_find(&b.held, "vdb"), NO_SLOT);
	assert_int_equal(raid1_array(&b)->members[0].device, topology_find(&b.held, "vda"));
	raid1_release(&b);
}

static void claim_nonsense(const struct machine_files *m)
{
	machine_write(m, MD "/raid_disks", "18446744073709551614\n");
	machine_write(m, MD "/degraded", "99999999999999999999\n");
	machine_write(m, MD "/chunk_size", "-4096\n");
	machine_write(m, MD "/dev-vda/slot", "4294967296\n");
	machine_write(m, MD "/dev-vdb/state", "in_sync\033[2J,faulty\n");
	machine_write(m, MD "/level", "raid1\033]0;title\a\n");
	machine_write(m, MD "/dev-\033[31m/slot", "0\n");
	machine_write(m, VIRTUAL "/vda/size", "18446744073709551615\n");
}

static void nonsense_in_sysfs(void **state)
{
	const struct array *a;
	struct raid1_machine b;

	(void)state;
	raid1_init(&b, claim_nonsense);
	a = raid1_array(&b);
	assert_int_equal(a->degraded, 0); /* mdstat's */
	assert_int_equal(a->chunk_bytes, UNKNOWN_U64);
	assert_int_equal(a->n_members, 2);
	assert_true(text_is_clean(a->level));
	for (size_t i = 0; i < a->n_members; i++)
		assert_true(text_is_clean(a->members[i].name));
	assert_int_equal(b.held.devices[topology_find(&b.held, "vda")]->size_bytes, UNKNOWN_U64);
	raid1_tick(&b);
	raid1_release(&b);
}

static void many_places(const struct machine_files *m)
{
	machine_write(m, MD "/raid_disks", "5\n");
	machine_write(m, MD "/degraded", "3\n");
	machine_write(m, MD "/dev-vdb/slot", "3\n");
}

static void places_that_nothing_fills(void **state)
{
	static const enum member_state states[] = { MEMBER_IN_SYNC, MEMBER_MISSING, MEMBER_MISSING,
						    MEMBER_IN_SYNC, MEMBER_MISSING };
	struct raid1_machine b;

	(void)state;
	raid1_init(&b, many_places);
	assert_int_equal(raid1_array(&b)->n_members, COUNT(states));
	for (size_t i = 0; i < COUNT(states); i++) {
		assert_int_equal(raid1_array(&b)->members[i].role, i);
		assert_int_equal(raid1_array(&b)->members[i].state, states[i]);
	}
	raid1_release(&b);
}

/* Links of /dev/md name an array where there is no udev to ask. */
static void name_from_dev_md(void **state)
{
	struct raid1_machine b;

	(void)state;
	raid1_init(&b, NULL);
	assert_string_equal(raid1_array(&b)->alias, "");
	machine_link(&b.files, "dev/md/other", "../md1");
	machine_link(&b.files, "dev/md/backup", "../md0");
	raid1_survey(&b);
	assert_string_equal(raid1_array(&b)->alias, "backup");
	raid1_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_check_moves_and_ends),
		cmocka_unit_test(a_pending_array_is_written),
		cmocka_unit_test(an_array_breaks_in_silence),
		cmocka_unit_test(two_moments),
		cmocka_unit_test(another_disk_under_the_same_name),
		cmocka_unit_test(nonsense_in_sysfs),
		cmocka_unit_test(places_that_nothing_fills),
		cmocka_unit_test(name_from_dev_md),
	};

	return cmocka_run_group_tests_name("linux md changes", tests, NULL, NULL);
}
