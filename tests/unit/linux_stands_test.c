/*
 * What rests on what, from sysfs and mountinfo: maps, loop devices, the paths of an NVMe disk. The
 * sum counts each byte once, live and in the replay of what was recorded.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app/session.h"
#include "machine_files.h"
#include "raidtop/clock.h"
#include "raidtop/text.h"
#include "recording_support.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))
#define PCI "sys/devices/pci0000:00"
#define BLOCK "sys/devices/virtual/block"
#define SUBSYSTEM "sys/devices/virtual/nvme-subsystem/nvme-subsys0"

static const struct {
	const char *path, *text;
} attributes[] = {
	{ PCI "/ata1/block/sda/dev", "8:0\n" },
	{ PCI "/ata1/block/sda/sda1/dev", "8:1\n" },
	{ PCI "/ata1/block/sda/sda1/partition", "1\n" },
	{ PCI "/ata2/block/sdb/dev", "8:16\n" },
	{ BLOCK "/dm-0/dev", "253:0\n" },
	{ BLOCK "/dm-0/dm/name", "vg-root\n" },
	{ BLOCK "/dm-0/slaves/sda1/dev", "8:1\n" },
	{ BLOCK "/dm-1/dev", "253:1\n" },
	{ BLOCK "/dm-1/slaves/ram0/dev", "1:0\n" },
	{ BLOCK "/ram0/dev", "1:0\n" },
	{ BLOCK "/ram1/dev", "1:1\n" },
	{ BLOCK "/loop0/dev", "7:0\n" },
	{ BLOCK "/loop0/loop/backing_file", "/srv/a.img\n" }, /* on dm-0 by its number */
	{ BLOCK "/loop1/dev", "7:1\n" },
	{ BLOCK "/loop1/loop/backing_file", "/home/b.img (deleted)\n" }, /* by the source */
	{ BLOCK "/loop2/dev", "7:2\n" },
	{ BLOCK "/loop2/loop/backing_file", "/dev/sdb\n" },
	{ BLOCK "/loop3/dev", "7:3\n" },
	{ BLOCK "/loop3/loop/backing_file", "/tmp/c.img\n" }, /* on no device: a leaf */
	{ BLOCK "/loop4/dev", "7:4\n" },
	{ BLOCK "/loop4/loop/backing_file", "/raw/d.img\n" }, /* by the map's name */
	{ SUBSYSTEM "/nvme0n1/dev", "259:0\n" },
	{ SUBSYSTEM "/nvme0n1/wwid", "eui.01\n" },
	{ SUBSYSTEM "/nvme0n2/dev", "259:1\n" },
	{ SUBSYSTEM "/nvme0n2/wwid", "eui.02\n" },
	{ PCI "/nvme/nvme0/nvme0c0n1/hidden", "1\n" },
	{ PCI "/nvme/nvme0/nvme0c0n1/wwid", "eui.01\n" },
	{ PCI "/nvme/nvme1/nvme0c1n1/hidden", "1\n" },
	{ PCI "/nvme/nvme1/nvme0c1n1/wwid", "eui.01\n" },
	{ PCI "/nvme/nvme1/other/hidden", "1\n" }, /* told by the wwid alone */
	{ PCI "/nvme/nvme1/other/wwid", "eui.02\n" },
	{ PCI "/nvme/nvme1/nvme7c1n1/hidden", "1\n" }, /* leads nowhere */
	{ PCI "/nvme/nvme1/nvme7c1n1/wwid", "eui.07\n" },
	{ "proc/mdstat", "Personalities : \nunused devices: <none>\n" },
	{ "proc/self/mountinfo", "27 1 8:1 / / rw - ext4 /dev/sda1 rw\n"
				 "28 27 253:0 / /srv rw - ext4 /dev/mapper/vg-root rw\n"
				 "29 27 0:40 / /home rw - btrfs /dev/sdb rw\n"
				 "30 27 0:41 / /tmp rw - tmpfs tmpfs rw\n"
				 "31 27 0:42 / /raw rw - btrfs /dev/mapper/vg-root rw\n" },
};

static const char *const links[][2] = {
	{ "sda", "../devices/pci0000:00/ata1/block/sda" },
	{ "sdb", "../devices/pci0000:00/ata2/block/sdb" },
	{ "dm-0", "../devices/virtual/block/dm-0" },
	{ "dm-1", "../devices/virtual/block/dm-1" },
	{ "ram0", "../devices/virtual/block/ram0" },
	{ "ram1", "../devices/virtual/block/ram1" },
	{ "loop0", "../devices/virtual/block/loop0" },
	{ "loop1", "../devices/virtual/block/loop1" },
	{ "loop2", "../devices/virtual/block/loop2" },
	{ "loop3", "../devices/virtual/block/loop3" },
	{ "loop4", "../devices/virtual/block/loop4" },
	{ "nvme0n1", "../devices/virtual/nvme-subsystem/nvme-subsys0/nvme0n1" },
	{ "nvme0n2", "../devices/virtual/nvme-subsystem/nvme-subsys0/nvme0n2" },
	{ "nvme0c0n1", "../devices/pci0000:00/nvme/nvme0/nvme0c0n1" },
	{ "nvme0c1n1", "../devices/pci0000:00/nvme/nvme1/nvme0c1n1" },
	{ "other", "../devices/pci0000:00/nvme/nvme1/other" },
	{ "nvme7c1n1", "../devices/pci0000:00/nvme/nvme1/nvme7c1n1" },
};

/* In the order of their lines; each reads 1 << its place sectors a tick. */
static const struct {
	const char *name;
	unsigned int major, minor;
	bool is_leaf, counts;
} lines[] = {
	{ "sda", 8, 0, true, true },         { "sda1", 8, 1, false, true },
	{ "sdb", 8, 16, true, true },        { "dm-0", 253, 0, false, true },
	{ "dm-1", 253, 1, false, true },     { "ram0", 1, 0, true, true },
	{ "ram1", 1, 1, false, true },       { "loop0", 7, 0, false, true },
	{ "loop1", 7, 1, false, true },      { "loop2", 7, 2, false, true },
	{ "loop3", 7, 3, true, true },       { "loop4", 7, 4, false, true },
	{ "nvme0n1", 259, 0, false, false }, { "nvme0c0n1", 0, 0, true, true },
	{ "nvme0c1n1", 0, 0, true, true },   { "nvme0n2", 259, 1, true, true },
	{ "other", 0, 0, false, true },      { "nvme7c1n1", 0, 0, false, true },
};

static void write_counters(const struct machine_files *m, unsigned int tick, size_t n)
{
	char text[4096];
	size_t len = 0;

	for (size_t i = 0; i < n; i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len,
					"%4u %4u %s %u 0 %u 7 0 0 0 0 0 7 7\n", lines[i].major,
					lines[i].minor, lines[i].name, lines[i].counts ? tick : 0,
					lines[i].counts ? tick << i : 0);
	machine_write(m, "proc/diskstats", text);
}

static void build(struct machine_files *m)
{
	machine_make(m);
	for (size_t i = 0; i < COUNT(attributes); i++)
		machine_write(m, attributes[i].path, attributes[i].text);
	for (size_t i = 0; i < COUNT(links); i++) {
		char path[64];

		snprintf(path, sizeof(path), "sys/block/%s", links[i][0]);
		machine_link(m, path, links[i][1]);
	}
	write_counters(m, 1, COUNT(lines));
}

static void assert_stands(const struct topology *t, const char *name, const char *on)
{
	int slot = topology_find(t, name);
	char found[128] = "";

	assert_true(slot >= 0);
	for (size_t i = 0; i < t->n_stands; i++)
		if (t->stands[i].device == slot)
			snprintf(found + strlen(found), sizeof(found) - strlen(found), "%s ",
				 t->devices[t->stands[i].on]->name);
	assert_string_equal(found, on);
}

static void assert_relations(const struct topology *t)
{
	assert_stands(t, "sda", "");
	assert_stands(t, "dm-0", "sda1 ");
	assert_stands(t, "dm-1", "ram0 ");
	assert_stands(t, "loop0", "dm-0 ");
	assert_stands(t, "loop1", "sdb ");
	assert_stands(t, "loop2", "sdb ");
	assert_stands(t, "loop3", "");
	assert_stands(t, "loop4", "dm-0 ");
	assert_int_equal(t->devices[topology_find(t, "nvme0c0n1")]->parent,
			 topology_find(t, "nvme0n1"));
	assert_int_equal(t->devices[topology_find(t, "nvme0c1n1")]->parent,
			 topology_find(t, "nvme0n1"));
	assert_int_equal(t->devices[topology_find(t, "other")]->parent,
			 topology_find(t, "nvme0n2"));
	assert_int_equal(topology_find(t, "nvme7c1n1"), NO_SLOT);
}

static uint64_t sectors_of_leaves(void)
{
	uint64_t sectors = 0;

	for (size_t i = 0; i < COUNT(lines); i++)
		sectors += lines[i].is_leaf ? UINT64_C(1) << i : 0;
	return sectors;
}

static void tick_session(struct session *s, const struct machine_files *m, unsigned int tick,
			 size_t n_lines)
{
	char why[256] = "";

	usleep(2000);
	write_counters(m, tick, n_lines);
	assert_int_equal(session_tick(s, 0, why, sizeof(why)), 0);
	assert_string_equal(why, "");
}

/* WISHES 8, 9, 17, 18, 19 and BUGS 40. */
static void each_byte_once_live_and_replayed(void **state)
{
	const char *path = scratch_path("stands.csv");
	struct machine_files m;
	struct session s;
	struct player p;
	char why[256];
	double seconds, total[2];

	(void)state;
	build(&m);
	session_init(&s, machine_provider(&m), false, NS_PER_SEC, 60);
	assert_int_equal(session_record_start(&s, path, false, why, sizeof(why)), 0);
	for (unsigned int tick = 1; tick <= 3; tick++)
		tick_session(&s, &m, tick, COUNT(lines));
	assert_relations(&s.topology);
	assert_true(s.tick->devices[topology_find(&s.topology, "nvme0n1")].derived);
	seconds = (double)s.tick->interval_us / 1e6;
	total[0] = s.tick->total.value[RATE_READ_BYTES] * seconds / 512;
	assert_true(total[0] > (double)sectors_of_leaves() - 0.5 &&
		    total[0] < (double)sectors_of_leaves() + 0.5);
	assert_int_equal(session_record_stop(&s, why, sizeof(why)), 0);
	player_open(&p, path);
	for (int tick = 1; tick <= 3; tick++)
		assert_int_equal(player_step(&p), 0);
	assert_relations(&p.topology);
	assert_true(p.tick->total.value[RATE_READ_BYTES] == s.tick->total.value[RATE_READ_BYTES]);
	assert_true(p.tick->devices[topology_find(&p.topology, "nvme0n1")].derived);
	player_close(&p);
	session_release(&s);
	machine_remove(&m);
}

/* Maps come and go; a recording tells the list anew. */
static void what_changes_is_told(void **state)
{
	const char *path = scratch_path("changes.csv");
	struct machine_files m;
	struct session s;
	struct player p;
	char why[256];

	(void)state;
	build(&m);
	session_init(&s, machine_provider(&m), false, NS_PER_SEC, 60);
	assert_int_equal(session_record_start(&s, path, false, why, sizeof(why)), 0);
	tick_session(&s, &m, 1, COUNT(lines));
	machine_delete(&m, BLOCK "/dm-0/slaves/sda1");
	machine_write(&m, BLOCK "/dm-0/slaves/sdb/dev", "8:16\n");
	machine_write(&m, BLOCK "/dm-0/slaves/sda/dev", "8:0\n");
	machine_delete(&m, BLOCK "/loop2/loop");
	tick_session(&s, &m, 2, COUNT(lines) - 1); /* a line that is gone makes a survey due */
	tick_session(&s, &m, 3, COUNT(lines) - 1);
	assert_stands(&s.topology, "dm-0", "sda sdb ");
	assert_stands(&s.topology, "loop2", "");
	assert_int_equal(session_record_stop(&s, why, sizeof(why)), 0);
	player_open(&p, path);
	assert_int_equal(player_step(&p), 0);
	assert_relations(&p.topology);
	assert_int_equal(player_step(&p), 0);
	assert_int_equal(player_step(&p), 0);
	assert_stands(&p.topology, "dm-0", "sda sdb ");
	assert_stands(&p.topology, "loop2", "");
	player_close(&p);
	session_release(&s);
	machine_remove(&m);
}

/* Without sysfs, the names of lines are all there is. */
static void paths_among_lines(void **state)
{
	struct machine_files m;
	struct provider *p;
	struct topology t;

	(void)state;
	machine_make(&m);
	machine_write(
		&m, "proc/diskstats",
		"   0       0 nvme3c33n1 682 0 16148 59 67891 258573 17174264 58210 0 584 36052\n"
		" 259      13 nvme3n1 0 0 0 0 0 0 0 0 0 0 0\n"
		"   0       0 nvme4c1n1 1 0 8 1 0 0 0 0 0 1 1\n");
	p = machine_provider(&m);
	machine_survey(p, &t);
	assert_int_equal(t.n_devices, 3);
	assert_int_equal(t.devices[0]->kind, DEVICE_PATH);
	assert_int_equal(t.devices[0]->parent, 1);
	assert_int_equal(t.devices[1]->kind, DEVICE_DISK);
	assert_false(t.devices[2]->present);
	topology_release(&t);
	provider_free(p);
	machine_remove(&m);
}

static int begin(void **state)
{
	(void)state;
	return scratch_make() ? 0 : -1;
}

static int end(void **state)
{
	(void)state;
	scratch_remove();
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_byte_once_live_and_replayed),
		cmocka_unit_test(what_changes_is_told),
		cmocka_unit_test(paths_among_lines),
	};

	return cmocka_run_group_tests_name("linux_stands", tests, begin, end);
}
