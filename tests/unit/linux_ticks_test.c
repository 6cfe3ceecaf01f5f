/*
 * Ticks and surveys of a machine whose files change: counters, devices that come and go without any
 * event, files that are missing.
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

/* ---- counters ---- */

static void counters_are_taken(void **state)
{
	struct raid1_machine b;
	uint64_t before_us;

	(void)state;
	raid1_init(&b, NULL);
	raid1_tick(&b);
	assert_int_equal(raid1_counters(&b, "vda")->value[COUNTER_READ_BYTES], 136008 * 512);
	assert_int_equal(raid1_counters(&b, "md0")->value[COUNTER_WRITE_IOS], 40);
	assert_int_equal(b.snapshot.segment, 1);
	before_us = b.snapshot.elapsed_us;
	machine_write(&b.files, "proc/diskstats",
		      " 254       0 vda 304 16211 136016 411 48 390 3356 29 0 244 453\n" LINE_VDB
			      LINE_MD0);
	raid1_tick(&b);
	assert_int_equal(raid1_counters(&b, "vda")->value[COUNTER_READ_BYTES], 136016 * 512);
	assert_true(b.snapshot.elapsed_us > before_us);
	assert_true(b.snapshot.boottime_us != UNKNOWN_U64);
	assert_true(b.snapshot.realtime_ms > 0);
	assert_false(raid1_is_dirty(&b));
	raid1_release(&b);
}

static void no_allocation_in_a_tick(void **state)
{
	struct raid1_machine b;
	size_t before;

	(void)state;
	raid1_init(&b, NULL);
	raid1_tick(&b);
	before = memory_allocations();
	for (int i = 0; i < 1000; i++)
		raid1_tick(&b);
	assert_int_equal(memory_allocations(), before);
	raid1_release(&b);
}

/* Where no event comes, the lines tell. */
static void devices_without_events(void **state)
{
	struct raid1_machine b;

	(void)state;
	raid1_init(&b, NULL);
	raid1_tick(&b);
	assert_false(raid1_is_dirty(&b));
	/* One comes... */
	machine_write(&b.files, "proc/diskstats",
		      LINE_VDA LINE_VDB LINE_MD0 " 254      32 vdc 1 0 8 0 0 0 0 0 0 0 0\n");
	raid1_tick(&b);
	assert_true(raid1_is_dirty(&b));
	raid1_survey(&b);
	/* ...that sysfs does not have yet: once more, and then not for ever. */
	raid1_tick(&b);
	assert_true(raid1_is_dirty(&b));
	raid1_survey(&b);
	raid1_tick(&b);
	assert_false(raid1_is_dirty(&b));
	raid1_add_block(&b.files, "vdc", "254:32\n");
	raid1_survey(&b);
	raid1_tick(&b);
	assert_int_equal(raid1_counters(&b, "vdc")->value[COUNTER_READ_BYTES], 8 * 512);
	/* ...and one goes. */
	machine_delete(&b.files, "sys/block/vdc");
	machine_write(&b.files, "proc/diskstats", LINE_VDA LINE_VDB LINE_MD0);
	raid1_tick(&b);
	assert_false(counters_has(raid1_counters(&b, "vdc"), COUNTER_READ_BYTES));
	assert_true(raid1_is_dirty(&b));
	raid1_survey(&b);
	assert_int_equal(topology_find(&b.held, "vdc"), NO_SLOT);
	raid1_tick(&b);
	raid1_release(&b);
}

/* A path of a multipath NVMe head has a line; it may lack a directory. */
static void lines_left_out_on_purpose(void **state)
{
	struct raid1_machine b;

	(void)state;
	raid1_init(&b, NULL);
	machine_write(&b.files, "proc/diskstats",
		      LINE_VDA LINE_VDB LINE_MD0 " 259       1 nvme0c0n1 1 0 8 0 0 0 0 0 0 0 0\n");
	raid1_survey(&b);
	raid1_tick(&b);
	assert_false(raid1_is_dirty(&b));
	raid1_release(&b);
}

/* The number is another device's already, the survey of it still to come. */
static void number_under_another_name(void **state)
{
	struct raid1_machine b;

	(void)state;
	raid1_init(&b, NULL);
	machine_write(&b.files, "proc/diskstats",
		      " 254       0 vdz 1 0 8 0 0 0 0 0 0 0 0\n" LINE_VDB LINE_MD0);
	raid1_tick(&b);
	assert_int_equal(raid1_counters(&b, "vda")->valid, 0);
	assert_int_equal(raid1_counters(&b, "vdb")->value[COUNTER_READ_IOS], 280);
	raid1_release(&b);
}

static void without_files(void **state)
{
	static const char *const missing[] = { "proc/diskstats", "proc/mdstat", "proc",
					       VIRTUAL "/md0/md/sync_action", VIRTUAL "/vda" };

	(void)state;
	for (size_t i = 0; i < COUNT(missing); i++) {
		struct raid1_machine b;

		print_message("  %s\n", missing[i]);
		raid1_init(&b, NULL);
		machine_delete(&b.files, missing[i]);
		raid1_tick(&b);
		raid1_survey(&b);
		raid1_tick(&b);
		raid1_release(&b);
	}
}

/* A bug report with no sysfs: names, numbers, counters and what mdstat prints. */
static void only_lines(void **state)
{
	struct raid1_machine b;
	const struct device *d;

	(void)state;
	raid1_init(&b, NULL);
	machine_delete(&b.files, "sys");
	machine_write(&b.files, "proc/diskstats",
		      LINE_VDA " 254       1 vda1 1 2 3 4\n" LINE_VDB LINE_MD0);
	topology_release(&b.held);
	topology_init(&b.held);
	raid1_survey(&b);
	raid1_tick(&b);
	d = b.held.devices[topology_find(&b.held, "vda1")];
	assert_int_equal(d->kind, DEVICE_PARTITION);
	assert_int_equal(d->parent, topology_find(&b.held, "vda"));
	assert_int_equal(raid1_counters(&b, "vda1")->value[COUNTER_WRITE_BYTES], 4 * 512);
	assert_string_equal(raid1_array(&b)->level, "raid1");
	assert_int_equal(raid1_array(&b)->n_members, 2);
	assert_int_equal(raid1_array(&b)->members[0].device, topology_find(&b.held, "vdb"));
	assert_int_equal(raid1_counters(&b, "md0")->value[COUNTER_READ_IOS], 198);
	raid1_release(&b);
}

static const char *serial_of(const struct raid1_machine *b, const char *name)
{
	int slot = topology_find(&b->held, name);

	assert_int_not_equal(slot, NO_SLOT);
	return b->held.devices[slot]->disk.serial;
}

/* Reading it is a request to a virtio disk, which may hang by now; another disk is asked. */
static void serial_is_asked_once(void **state)
{
	struct raid1_machine b;

	(void)state;
	raid1_init(&b, NULL);
	machine_write(&b.files, VIRTUAL "/vda/serial", "FIRST\n");
	raid1_survey(&b);
	assert_string_equal(serial_of(&b, "vda"), "FIRST");
	machine_write(&b.files, VIRTUAL "/vda/serial", "SECOND\n");
	raid1_survey(&b);
	assert_string_equal(serial_of(&b, "vda"), "FIRST");
	machine_write(&b.files, VIRTUAL "/vda/diskseq", "7\n");
	raid1_survey(&b);
	assert_string_equal(serial_of(&b, "vda"), "SECOND");
	raid1_release(&b);
}

/* ---- replaced disks ---- */

static void number_them(const struct machine_files *m)
{
	machine_write(m, VIRTUAL "/vda/diskseq", "7\n");
	machine_write(m, VIRTUAL "/vdb/diskseq", "8\n");
}

/*
 * WISHES.md 38 and 13: no event, and lines that do not tell: the same name, the same number. It is
 * another disk all the same, with a slot and a name of its own, and the old one's figures end.
 */
static void replaced_without_an_event(void **state)
{
	struct raid1_machine b;
	int old, slot;

	(void)state;
	raid1_init(&b, number_them);
	for (int i = 0; i < 10; i++)
		raid1_tick(&b);
	assert_false(raid1_is_dirty(&b));
	old = topology_find(&b.held, "vda");
	machine_write(&b.files, VIRTUAL "/vda/diskseq", "9\n");
	raid1_tick(&b);
	assert_true(raid1_is_dirty(&b));
	raid1_survey(&b);
	slot = topology_find(&b.held, "vda");
	assert_int_not_equal(slot, old);
	assert_string_equal(b.held.devices[slot]->name, "vda#2");
	assert_false(b.held.devices[old]->present);
	raid1_tick(&b);
	assert_false(raid1_is_dirty(&b));
	assert_int_equal(b.snapshot.devices[old].valid, 0);
	assert_true(counters_has(raid1_counters(&b, "vda"), COUNTER_READ_BYTES));
	raid1_release(&b);
}

/* Before Linux 5.15 there is no diskseq, but a device that is made anew has another inode. */
static void replaced_on_an_old_kernel(void **state)
{
	struct raid1_machine b;

	(void)state;
	raid1_init(&b, NULL);
	machine_write(&b.files, VIRTUAL "/vda/serial", "FIRST\n");
	raid1_survey(&b);
	raid1_tick(&b);
	assert_false(raid1_is_dirty(&b));
	/* Its folder made anew beside the old one, which keeps its inode from being used again. */
	machine_move(&b.files, VIRTUAL "/vda", "gone");
	raid1_add_block(&b.files, "vda", "254:0\n");
	machine_write(&b.files, VIRTUAL "/vda/serial", "SECOND\n");
	raid1_tick(&b);
	assert_true(raid1_is_dirty(&b));
	raid1_survey(&b);
	assert_string_equal(serial_of(&b, "vda"), "SECOND");
	assert_string_equal(b.held.devices[topology_find(&b.held, "vda")]->name, "vda#2");
	raid1_release(&b);
}

enum { LOOPS = 100, DEVICES = LOOPS + 3, BY_FOLDER = 16, BY_DISKSEQ = 2 };

static void init_with_loops(struct raid1_machine *b)
{
	char name[16], path[64];

	raid1_init(b, NULL);
	for (int i = 0; i < LOOPS; i++) {
		text_format(name, sizeof(name), "loop%d", i);
		text_format(path, sizeof(path), "7:%d\n", i);
		raid1_add_block(&b->files, name, path);
		text_format(path, sizeof(path), VIRTUAL "/loop%d/diskseq", i);
		machine_write(&b->files, path, "5\n");
	}
	raid1_survey(b);
	raid1_tick(b);
	raid1_survey(b);
	raid1_tick(b);
	assert_false(raid1_is_dirty(b));
}

static int ticks_until_dirty(struct raid1_machine *b, int most)
{
	int ticks = 0;

	while (!raid1_is_dirty(b) && ticks < most) {
		raid1_tick(b);
		ticks++;
	}
	assert_true(raid1_is_dirty(b));
	return ticks;
}

/*
 * However many there are, each has its turn within a time that is known, and a tick looks at a few
 * only. Set up anew, a loop device has another diskseq and is otherwise the same.
 */
static void each_has_its_turn(void **state)
{
	const int most = (LOOPS + BY_DISKSEQ - 1) / BY_DISKSEQ;
	struct raid1_machine b;

	(void)state;
	for (int i = 0; i < LOOPS; i += 33) {
		char path[64];

		init_with_loops(&b);
		text_format(path, sizeof(path), VIRTUAL "/loop%d/diskseq", i);
		machine_write(&b.files, path, "6\n");
		ticks_until_dirty(&b, most);
		raid1_release(&b);
	}
}

/* A disk that is made anew, on any kernel, has another folder, which is seen sooner. */
static void each_folder_has_its_turn(void **state)
{
	const int most = (DEVICES + BY_FOLDER - 1) / BY_FOLDER;
	struct raid1_machine b;

	(void)state;
	init_with_loops(&b);
	machine_move(&b.files, VIRTUAL "/loop50", "gone");
	raid1_add_block(&b.files, "loop50", "7:50\n");
	machine_write(&b.files, VIRTUAL "/loop50/diskseq", "5\n");
	ticks_until_dirty(&b, most);
	raid1_release(&b);
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
		cmocka_unit_test(serial_is_asked_once),
		cmocka_unit_test(replaced_without_an_event),
		cmocka_unit_test(replaced_on_an_old_kernel),
		cmocka_unit_test(each_has_its_turn),
		cmocka_unit_test(each_folder_has_its_turn),
	};

	return cmocka_run_group_tests_name("linux ticks", tests, NULL, NULL);
}
