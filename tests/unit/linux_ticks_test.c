/*
 * Ticks and surveys of a made-up machine whose files change: counters, sync actions, devices that
 * come and go without any event, two sources of md that contradict each other.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "machine_files.h"
#include "raidtop/memory.h"
#include "raidtop/text.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

#define VIRTUAL "sys/devices/virtual/block"
#define MD VIRTUAL "/md0/md"

/* A raid1 of two disks at rest. */
struct bench {
	struct machine_files files;
	struct provider *provider;
	struct topology held;
	struct snapshot snapshot;
};

#define HEAD "Personalities : [raid1] \n"
#define ARRAY "md0 : active raid1 vdb[1] vda[0]\n      64512 blocks super 1.2 [2/2] [UU]\n"
#define TAIL "      \nunused devices: <none>\n"
#define LINE_VDA " 254       0 vda 303 16211 136008 411 48 390 3356 29 0 244 453 0 0 0 0 41 12\n"
#define LINE_VDB " 254      16 vdb 280 16212 135854 375 49 405 3484 25 0 244 411 0 0 0 0 41 10\n"
#define LINE_MD0 "   9       0 md0 198 0 11432 96 40 0 5120 40 0 96 136 0 0 0 0 0 0\n"

static void add_block(const struct machine_files *m, const char *name, const char *number)
{
	char path[128], target[128];

	text_format(path, sizeof(path), "sys/block/%s", name);
	text_format(target, sizeof(target), "../devices/virtual/block/%s", name);
	machine_link(m, path, target);
	text_format(path, sizeof(path), VIRTUAL "/%s/dev", name);
	machine_write(m, path, number);
	text_format(path, sizeof(path), VIRTUAL "/%s/size", name);
	machine_write(m, path, "131072\n");
}

static void add_member(const struct machine_files *m, const char *name, const char *slot,
		       const char *state)
{
	char path[128], target[128];

	text_format(path, sizeof(path), MD "/dev-%s/slot", name);
	machine_write(m, path, slot);
	text_format(path, sizeof(path), MD "/dev-%s/state", name);
	machine_write(m, path, state);
	text_format(path, sizeof(path), MD "/dev-%s/block", name);
	text_format(target, sizeof(target), "../../../%s", name);
	machine_link(m, path, target);
	text_format(path, sizeof(path), VIRTUAL "/%s/holders/md0", name);
	machine_link(m, path, "../../md0");
}

static void make_machine(const struct machine_files *m)
{
	add_block(m, "vda", "254:0\n");
	add_block(m, "vdb", "254:16\n");
	add_block(m, "md0", "9:0\n");
	add_member(m, "vda", "0\n", "in_sync\n");
	add_member(m, "vdb", "1\n", "in_sync\n");
	machine_write(m, MD "/level", "raid1\n");
	machine_write(m, MD "/raid_disks", "2\n");
	machine_write(m, MD "/degraded", "0\n");
	machine_write(m, MD "/array_state", "clean\n");
	machine_write(m, MD "/sync_action", "idle\n");
	machine_write(m, MD "/sync_completed", "none\n");
	machine_write(m, MD "/sync_speed", "none\n");
	machine_write(m, "proc/mdstat", HEAD ARRAY TAIL);
	machine_write(m, "proc/diskstats", LINE_VDA LINE_VDB LINE_MD0);
}

static void survey(struct bench *b)
{
	struct topology fresh;

	machine_survey(b->provider, &fresh);
	topology_adopt(&b->held, &fresh, NULL);
	topology_release(&fresh);
}

static void tick(struct bench *b)
{
	assert_int_equal(b->provider->ops->sample(b->provider, &b->held, &b->snapshot), 0);
}

static bool is_dirty(const struct bench *b)
{
	return b->provider->ops->dirty(b->provider);
}

/* `make` NULL: the machine as it is. */
static void bench_init(struct bench *b, void (*change)(const struct machine_files *m))
{
	machine_make(&b->files);
	make_machine(&b->files);
	if (change)
		change(&b->files);
	b->provider = machine_provider(&b->files);
	topology_init(&b->held);
	snapshot_init(&b->snapshot);
	survey(b);
}

static void bench_release(struct bench *b)
{
	snapshot_release(&b->snapshot);
	topology_release(&b->held);
	provider_free(b->provider);
	machine_remove(&b->files);
}

static struct array *array_of(const struct bench *b)
{
	int slot = topology_find(&b->held, "md0");

	assert_int_not_equal(slot, NO_SLOT);
	assert_non_null(b->held.devices[slot]->array);
	return b->held.devices[slot]->array;
}

static const struct counters *counters_of(const struct bench *b, const char *name)
{
	int slot = topology_find(&b->held, name);

	assert_int_not_equal(slot, NO_SLOT);
	return &b->snapshot.devices[slot];
}

/* ---- counters ---- */

static void counters_are_taken(void **state)
{
	struct bench b;
	uint64_t before_us;

	(void)state;
	bench_init(&b, NULL);
	tick(&b);
	assert_int_equal(counters_of(&b, "vda")->value[COUNTER_READ_BYTES], 136008 * 512);
	assert_int_equal(counters_of(&b, "md0")->value[COUNTER_WRITE_IOS], 40);
	assert_int_equal(b.snapshot.segment, 1);
	before_us = b.snapshot.elapsed_us;
	machine_write(
		&b.files, "proc/diskstats",
		" 254       0 vda 304 16211 136016 411 48 390 3356 29 0 244 453 0 0 0 0 41 12\n" LINE_VDB
			LINE_MD0);
	tick(&b);
	assert_int_equal(counters_of(&b, "vda")->value[COUNTER_READ_BYTES], 136016 * 512);
	assert_true(b.snapshot.elapsed_us > before_us);
	assert_true(b.snapshot.boottime_us != UNKNOWN_U64);
	assert_true(b.snapshot.realtime_ms > 0);
	assert_false(is_dirty(&b));
	bench_release(&b);
}

static void no_allocation_in_a_tick(void **state)
{
	struct bench b;
	size_t before;

	(void)state;
	bench_init(&b, NULL);
	tick(&b);
	before = memory_allocations();
	for (int i = 0; i < 1000; i++)
		tick(&b);
	assert_int_equal(memory_allocations(), before);
	bench_release(&b);
}

/* Where no event comes, the lines tell. */
static void devices_without_events(void **state)
{
	struct bench b;

	(void)state;
	bench_init(&b, NULL);
	tick(&b);
	assert_false(is_dirty(&b));
	/* One comes... */
	machine_write(&b.files, "proc/diskstats",
		      LINE_VDA LINE_VDB LINE_MD0 " 254      32 vdc 1 0 8 0 0 0 0 0 0 0 0\n");
	tick(&b);
	assert_true(is_dirty(&b));
	survey(&b);
	/* ...that sysfs does not have yet: once more, and then not for ever. */
	tick(&b);
	assert_true(is_dirty(&b));
	survey(&b);
	tick(&b);
	assert_false(is_dirty(&b));
	add_block(&b.files, "vdc", "254:32\n");
	survey(&b);
	tick(&b);
	assert_int_equal(counters_of(&b, "vdc")->value[COUNTER_READ_BYTES], 8 * 512);
	/* ...and one goes. */
	machine_delete(&b.files, "sys/block/vdc");
	machine_write(&b.files, "proc/diskstats", LINE_VDA LINE_VDB LINE_MD0);
	tick(&b);
	assert_false(counters_has(counters_of(&b, "vdc"), COUNTER_READ_BYTES));
	assert_true(is_dirty(&b));
	survey(&b);
	assert_int_equal(topology_find(&b.held, "vdc"), NO_SLOT);
	tick(&b);
	bench_release(&b);
}

/* WISHES.md 17: the paths of a multipath NVMe head have lines, and are left out. */
static void lines_left_out_on_purpose(void **state)
{
	struct bench b;

	(void)state;
	bench_init(&b, NULL);
	machine_write(&b.files, "proc/diskstats",
		      LINE_VDA LINE_VDB LINE_MD0 " 259       1 nvme0c0n1 1 0 8 0 0 0 0 0 0 0 0\n");
	survey(&b);
	tick(&b);
	assert_false(is_dirty(&b));
	bench_release(&b);
}

/* The number is another device's already, the survey of it still to come. */
static void number_under_another_name(void **state)
{
	struct bench b;

	(void)state;
	bench_init(&b, NULL);
	machine_write(&b.files, "proc/diskstats",
		      " 254       0 vdz 1 0 8 0 0 0 0 0 0 0 0\n" LINE_VDB LINE_MD0);
	tick(&b);
	assert_int_equal(counters_of(&b, "vda")->valid, 0);
	assert_int_equal(counters_of(&b, "vdb")->value[COUNTER_READ_IOS], 280);
	bench_release(&b);
}

static void without_files(void **state)
{
	static const char *const missing[] = { "proc/diskstats", "proc/mdstat", "proc",
					       VIRTUAL "/md0/md/sync_action", VIRTUAL "/vda" };

	(void)state;
	for (size_t i = 0; i < COUNT(missing); i++) {
		struct bench b;

		print_message("  %s\n", missing[i]);
		bench_init(&b, NULL);
		machine_delete(&b.files, missing[i]);
		tick(&b);
		survey(&b);
		tick(&b);
		bench_release(&b);
	}
}

/* A bug report with no sysfs: names, numbers, counters and what mdstat prints. */
static void only_lines(void **state)
{
	struct bench b;
	const struct device *d;

	(void)state;
	bench_init(&b, NULL);
	machine_delete(&b.files, "sys");
	machine_write(&b.files, "proc/diskstats",
		      LINE_VDA " 254       1 vda1 1 2 3 4\n" LINE_VDB LINE_MD0);
	topology_release(&b.held);
	topology_init(&b.held);
	survey(&b);
	tick(&b);
	d = b.held.devices[topology_find(&b.held, "vda1")];
	assert_int_equal(d->kind, DEVICE_PARTITION);
	assert_int_equal(d->parent, topology_find(&b.held, "vda"));
	assert_int_equal(counters_of(&b, "vda1")->value[COUNTER_WRITE_BYTES], 4 * 512);
	assert_string_equal(array_of(&b)->level, "raid1");
	assert_int_equal(array_of(&b)->n_members, 2);
	assert_int_equal(array_of(&b)->members[0].device, topology_find(&b.held, "vdb"));
	assert_int_equal(counters_of(&b, "md0")->value[COUNTER_READ_IOS], 198);
	bench_release(&b);
}

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
	struct bench b;
	size_t before;

	(void)state;
	bench_init(&b, start_check);
	assert_int_equal(array_of(&b)->action.kind, ACTION_CHECK);
	assert_int_equal(array_of(&b)->action.percent_tenths, 86);
	assert_int_equal(array_of(&b)->action.done_bytes, 5632 * 1024);
	assert_int_equal(array_of(&b)->action.speed_bytes_per_sec, 768 * 1024);
	set_progress(&b.files,
		     "      [==========>..........]  check = 50.3% (32448/64512) finish=0.1min "
		     "speed=4096K/sec\n",
		     "check\n", "4000\n");
	machine_write(&b.files, MD "/mismatch_cnt", "128\n");
	tick(&b);
	assert_int_equal(array_of(&b)->action.percent_tenths, 503);
	assert_int_equal(array_of(&b)->action.speed_bytes_per_sec, 4000 * 1024);
	assert_int_equal(array_of(&b)->mismatch_count, 128);
	assert_false(is_dirty(&b));
	before = memory_allocations();
	tick(&b);
	assert_int_equal(memory_allocations(), before);
	set_progress(&b.files, "", "idle\n", "none\n");
	tick(&b);
	assert_int_equal(array_of(&b)->action.kind, ACTION_NONE);
	assert_int_equal(array_of(&b)->action.percent_tenths, UNKNOWN_I32);
	/* Members may have another state now. */
	assert_true(is_dirty(&b));
	bench_release(&b);
}

static void wait_for_a_write(const struct machine_files *m)
{
	machine_write(m, MD "/array_state", "read-auto\n");
	set_progress(m, "      \tresync=PENDING\n", "idle\n", "none\n");
}

/* Nothing tells that an array is no longer read-only. */
static void a_pending_array_is_written(void **state)
{
	struct bench b;

	(void)state;
	bench_init(&b, wait_for_a_write);
	assert_int_equal(array_of(&b)->readonly, ARRAY_AUTO_READ_ONLY);
	assert_int_equal(array_of(&b)->action.kind, ACTION_RESYNC);
	assert_int_equal(array_of(&b)->action.state, ACTION_PENDING);
	tick(&b);
	assert_int_equal(array_of(&b)->action.state, ACTION_PENDING);
	assert_false(is_dirty(&b));
	machine_write(&b.files, MD "/array_state", "active\n");
	tick(&b);
	assert_int_equal(array_of(&b)->readonly, ARRAY_READ_WRITE);
	assert_true(is_dirty(&b));
	bench_release(&b);
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
	struct bench b;

	(void)state;
	bench_init(&b, NULL);
	for (size_t i = 0; i < COUNT(races); i++) {
		const struct action *a;

		print_message("  %s\n", races[i].name);
		set_progress(&b.files, races[i].progress, races[i].action, "9\n");
		machine_write(&b.files, MD "/sync_completed", races[i].completed);
		survey(&b);
		a = &array_of(&b)->action;
		assert_int_equal(a->kind, races[i].kind);
		assert_int_equal(a->state, races[i].state);
		assert_int_equal(a->percent_tenths, races[i].percent_tenths);
		if (races[i].state == ACTION_STALLED)
			assert_int_equal(a->finish_s, UNKNOWN_U64);
	}
	bench_release(&b);
}

/* ---- members that are not what they seem ---- */

static void pull_and_replace(const struct machine_files *m)
{
	/* The array still holds the old vdb; the new one under that name holds nothing. */
	machine_delete(m, VIRTUAL "/vdb");
	add_block(m, "vdb", "254:16\n");
	machine_write(m, VIRTUAL "/vdb/holders/none", "");
}

static void another_disk_under_the_same_name(void **state)
{
	struct bench b;

	(void)state;
	bench_init(&b, pull_and_replace);
	assert_string_equal(array_of(&b)->members[1].name, "vdb");
	assert_int_equal(array_of(&b)->members[1].device, NO_SLOT);
	assert_int_not_equal(topology_find(&b.held, "vdb"), NO_SLOT);
	assert_int_equal(array_of(&b)->members[0].device, topology_find(&b.held, "vda"));
	bench_release(&b);
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
	struct bench b;

	(void)state;
	bench_init(&b, claim_nonsense);
	a = array_of(&b);
	assert_int_equal(a->degraded, 0); /* mdstat's */
	assert_int_equal(a->chunk_bytes, UNKNOWN_U64);
	assert_int_equal(a->n_members, 2);
	assert_true(text_is_clean(a->level));
	for (size_t i = 0; i < a->n_members; i++)
		assert_true(text_is_clean(a->members[i].name));
	assert_int_equal(b.held.devices[topology_find(&b.held, "vda")]->size_bytes, UNKNOWN_U64);
	tick(&b);
	bench_release(&b);
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
	struct bench b;

	(void)state;
	bench_init(&b, many_places);
	assert_int_equal(array_of(&b)->n_members, COUNT(states));
	for (size_t i = 0; i < COUNT(states); i++) {
		assert_int_equal(array_of(&b)->members[i].role, i);
		assert_int_equal(array_of(&b)->members[i].state, states[i]);
	}
	bench_release(&b);
}

/* Links of /dev/md name an array where there is no udev to ask. */
static void name_from_dev_md(void **state)
{
	struct bench b;

	(void)state;
	bench_init(&b, NULL);
	assert_string_equal(array_of(&b)->alias, "");
	machine_link(&b.files, "dev/md/other", "../md1");
	machine_link(&b.files, "dev/md/backup", "../md0");
	survey(&b);
	assert_string_equal(array_of(&b)->alias, "backup");
	bench_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counters_are_taken),
		cmocka_unit_test(no_allocation_in_a_tick),
		cmocka_unit_test(devices_without_events),
		cmocka_unit_test(lines_left_out_on_purpose),
		cmocka_unit_test(number_under_another_name),
		cmocka_unit_test(without_files),
		cmocka_unit_test(only_lines),
		cmocka_unit_test(a_check_moves_and_ends),
		cmocka_unit_test(a_pending_array_is_written),
		cmocka_unit_test(two_moments),
		cmocka_unit_test(another_disk_under_the_same_name),
		cmocka_unit_test(nonsense_in_sysfs),
		cmocka_unit_test(places_that_nothing_fills),
		cmocka_unit_test(name_from_dev_md),
	};

	return cmocka_run_group_tests_name("linux ticks", tests, NULL, NULL);
}
