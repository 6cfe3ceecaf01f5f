/* Where things lie: mount lines, device chains of a made-up sysfs, device-mapper's own words. */
#include "load_support.h"

#include "load/place_parts.h"
#include "machine_files.h"

/* ---- mountinfo ---- */

static const struct mount_case {
	const char *name;
	const char *line;
	bool taken;
	const char *mount_point, *type, *source, *options;
	bool read_only;
} mount_cases[] = {
	{ "plain", "36 27 9:0 / /mnt/md0 rw,relatime shared:1 - ext4 /dev/md0 rw,stripe=64", true,
	  "/mnt/md0", "ext4", "/dev/md0", "rw,relatime", false },
	{ "no optional field", "36 27 9:0 / /mnt rw - xfs /dev/md0 rw", true, "/mnt", "xfs",
	  "/dev/md0", "rw", false },
	{ "many optional fields", "36 27 9:0 / /mnt rw shared:1 master:2 x:3 - xfs /dev/md0 rw",
	  true, "/mnt", "xfs", "/dev/md0", "rw", false },
	{ "escapes", "36 27 9:0 / /mnt/a\\040b\\134c\\011 rw - xfs /dev/d\\040e rw", true,
	  "/mnt/a b\\c\t", "xfs", "/dev/d e", "rw", false },
	{ "half an escape", "36 27 9:0 / /mnt/a\\04 rw - xfs /dev/d\\ rw", true, "/mnt/a\\04",
	  "xfs", "/dev/d\\", "rw", false },
	{ "read-only mount", "36 27 9:0 / /mnt ro,nosuid - xfs /dev/md0 rw", true, "/mnt", "xfs",
	  "/dev/md0", "ro,nosuid", true },
	{ "read-only filesystem", "36 27 9:0 / /mnt rw - xfs /dev/md0 ro,noquota", true, "/mnt",
	  "xfs", "/dev/md0", "rw", true },
	{ "errors=remount-ro is not ro", "36 27 9:0 / /mnt rw - ext4 /dev/md0 rw,errors=ro-x", true,
	  "/mnt", "ext4", "/dev/md0", "rw", false },
	{ "another mount", "37 27 9:0 / /mnt rw - xfs /dev/md0 rw", false, "", "", "", "", false },
	{ "number as a prefix", "360 27 9:0 / /mnt rw - xfs /dev/md0 rw", false, "", "", "", "",
	  false },
	{ "cut off", "36 27 9:0 / /mnt rw", false, "", "", "", "", false },
	{ "cut off behind the dash", "36 27 9:0 / /mnt rw - xfs", false, "", "", "", "", false },
	{ "nothing", "", false, "", "", "", "", false },
};

static void mount_lines(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(mount_cases) / sizeof(mount_cases[0]); i++) {
		const struct mount_case *c = &mount_cases[i];
		struct place p = PLACE_INIT;
		char line[256];

		print_message("  %s\n", c->name);
		p.mount_id = 36;
		text_copy(line, sizeof(line), c->line);
		assert_int_equal(place_mount_take_line(&p, line), c->taken);
		assert_string_equal(p.mount_point, c->mount_point);
		assert_string_equal(p.type, c->type);
		assert_string_equal(p.source, c->source);
		assert_string_equal(p.options, c->options);
		assert_int_equal(p.read_only, c->read_only);
	}
}

/* ---- device-mapper ---- */

static const struct table_case {
	const char *type, *status;
	enum place_thin thin;
	unsigned int state;
	const char *level;
} table_cases[] = {
	{ "linear", "", PLACE_THICK, 0, "linear" },
	{ "crypt", "", PLACE_THICK, 0, "crypt" },
	{ "thin", "20480 20479", PLACE_THIN, 0, "thin" },
	{ "thin-pool", "0 11/1024 160/1600 - rw", PLACE_THIN, 0, "thin-pool" },
	{ "vdo", "/dev/x normal", PLACE_VDO, 0, "vdo" },
	{ "snapshot", "16/1000 16", PLACE_SNAPSHOT, 0, "snapshot" },
	{ "snapshot-origin", "", PLACE_SNAPSHOT_ORIGIN, 0, "snapshot-origin" },
	{ "raid", "raid1 2 AA 65536/65536 idle 0 0 -", PLACE_THICK, 0, "raid1" },
	{ "raid", "raid1 2 AD 65536/65536 idle 0 0 -", PLACE_THICK, PLACE_DEGRADED, "raid1" },
	{ "raid", "raid5_ls 3 AAa 100/65536 recover 0 0 -", PLACE_THICK, PLACE_RECOVERING,
	  "raid5_ls" },
	{ "raid", "raid1 2 AA 100/65536 check 0 0 -", PLACE_THICK, 0, "raid1" },
	{ "raid", "raid0 2 AA 0/0 idle 0 0 -", PLACE_THICK, 0, "raid0" },
	{ "raid", "", PLACE_THICK, PLACE_STATE_HIDDEN | PLACE_RECOVERING, "raid" },
	{ "mirror", "2 253:1 253:2 100/100 1 AA 3 disk 253:0 A", PLACE_THICK, 0, "mirror" },
	{ "mirror", "2 253:1 253:2 99/100 1 AA 1 core", PLACE_THICK, PLACE_RECOVERING, "mirror" },
	{ "mirror", "2 253:1 253:2 100/100 1 AD 1 core", PLACE_THICK, PLACE_DEGRADED, "mirror" },
	{ "mirror", "x", PLACE_THICK, PLACE_STATE_HIDDEN, "mirror" },
};

static void tables(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(table_cases) / sizeof(table_cases[0]); i++) {
		const struct table_case *c = &table_cases[i];
		struct place_device d = { .kind = PLACE_DM };

		print_message("  %s %s\n", c->type, c->status);
		place_dm_take_target(&d, c->type, c->status);
		assert_int_equal(d.thin, c->thin);
		assert_int_equal(d.state, c->state);
		if (strcmp(c->type, "raid") != 0 || c->status[0])
			assert_string_equal(d.level, c->level);
	}
}

static void uuids(void **state)
{
	static const struct {
		const char *uuid;
		enum place_thin thin;
	} cases[] = {
		{ "LVM-abcdef", PLACE_THICK },
		{ "LVM-abcdef-tpool", PLACE_THIN },
		{ "LVM-abcdef-tdata", PLACE_THIN },
		{ "LVM-abcdef-vpool", PLACE_VDO },
		{ "LVM-abcdef-real", PLACE_SNAPSHOT_ORIGIN },
		{ "LVM-abcdef-cow", PLACE_SNAPSHOT },
		{ "VDO-abcdef", PLACE_VDO },
		{ "CRYPT-LUKS2-abcdef-name", PLACE_THICK },
		{ "mpath-36005", PLACE_THICK },
		{ "DMRAID-nvidia_x", PLACE_THICK },
		{ "", PLACE_THIN_HIDDEN },
		{ "docker-pool", PLACE_THIN_HIDDEN },
		{ "lvm-abcdef", PLACE_THIN_HIDDEN },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct place_device d = { .kind = PLACE_DM };

		print_message("  '%s'\n", cases[i].uuid);
		place_dm_take_uuid(&d, cases[i].uuid);
		assert_int_equal(d.thin, cases[i].thin);
	}
}

/* ---- chains ---- */

/* Numbers that no device of this machine has, so that no table of a real one is asked for. */
struct block {
	const char *name, *number;
	const char *parent;        /* of a partition */
	const char *slaves[3];     /* names */
	const char *attributes[9]; /* name, text, ... */
};

static const char *dir_of(const struct block *b)
{
	static char dir[128];

	text_format(dir, sizeof(dir), "sys/devices/%s%s%s", b->parent ? b->parent : "",
		    b->parent ? "/" : "", b->name);
	return dir;
}

static const struct block *find_block(const struct block *all, const char *name)
{
	for (; all->name; all++) {
		if (strcmp(all->name, name) == 0)
			return all;
	}
	fail_msg("no %s", name);
	return NULL;
}

static void make_block(const struct machine_files *m, const struct block *all,
		       const struct block *b)
{
	char path[256], target[256];

	text_format(path, sizeof(path), "%s/dev", dir_of(b));
	machine_write(m, path, b->number);
	text_format(path, sizeof(path), "%s/slaves/.none", dir_of(b));
	machine_write(m, path, "");
	text_format(path, sizeof(path), "sys/dev/block/%s", b->number);
	text_format(target, sizeof(target), "%s/%s", m->dir, dir_of(b));
	machine_link(m, path, target);
	if (b->parent) {
		text_format(path, sizeof(path), "%s/partition", dir_of(b));
		machine_write(m, path, "1\n");
	}
	for (size_t i = 0; b->attributes[i]; i += 2) {
		text_format(path, sizeof(path), "%s/%s", dir_of(b), b->attributes[i]);
		machine_write(m, path, b->attributes[i + 1]);
	}
	for (size_t i = 0; b->slaves[i]; i++) {
		text_format(path, sizeof(path), "%s/slaves/%s", dir_of(b), b->slaves[i]);
		text_format(target, sizeof(target), "%s/%s", m->dir,
			    dir_of(find_block(all, b->slaves[i])));
		machine_link(m, path, target);
	}
}

#define MD(level, state, degraded, action)                                           \
	{                                                                            \
		"md/level", level "\n", "md/array_state", state "\n", "md/degraded", \
			degraded "\n", "md/sync_action", action "\n"                 \
	}
#define DISKS                                                                          \
	{ .name = "sda", .number = "4001:0" }, { .name = "sdb", .number = "4001:16" }, \
		{ .name = "sda1", .number = "4001:1", .parent = "sda" },               \
		{ .name = "sdb1", .number = "4001:17", .parent = "sdb" },              \
	{                                                                              \
		.name = NULL                                                           \
	}

static const struct chain_case {
	const char *name;
	const char *says;
	bool complete;
	unsigned int state; /* of the first device */
	struct block blocks[9];
} chain_cases[] = {
	{ "disk", "sda", true, 0, { { .name = "sda", .number = "4001:0" }, { .name = NULL } } },
	{ "partition",
	  "sda1",
	  true,
	  0,
	  { { .name = "sda1", .number = "4001:1", .parent = "sda" }, DISKS } },
	{ "raid1 of partitions",
	  "md0 (raid1 of sda1, sdb1)",
	  true,
	  0,
	  { { .name = "md0",
	      .number = "4009:0",
	      .slaves = { "sda1", "sdb1" },
	      .attributes = MD("raid1", "clean", "0", "idle") },
	    DISKS } },
	{ "degraded and recovering",
	  "md0 (raid1 degraded recovering of sda)",
	  true,
	  PLACE_DEGRADED | PLACE_RECOVERING,
	  { { .name = "md0",
	      .number = "4009:0",
	      .slaves = { "sda" },
	      .attributes = MD("raid1", "active", "1", "recover") },
	    DISKS } },
	{ "auto-read-only",
	  "md0 (raid1 auto-read-only of sda)",
	  true,
	  PLACE_AUTO_READ_ONLY,
	  { { .name = "md0",
	      .number = "4009:0",
	      .slaves = { "sda" },
	      .attributes = MD("raid1", "read-auto", "0", "idle") },
	    DISKS } },
	{ "read-only",
	  "md0 (raid1 read-only of sda)",
	  true,
	  PLACE_READ_ONLY,
	  { { .name = "md0",
	      .number = "4009:0",
	      .slaves = { "sda" },
	      .attributes = MD("raid1", "readonly", "0", "idle") },
	    DISKS } },
	{ "a check only reads",
	  "md0 (raid1 of sda)",
	  true,
	  0,
	  { { .name = "md0",
	      .number = "4009:0",
	      .slaves = { "sda" },
	      .attributes = MD("raid1", "clean", "0", "check") },
	    DISKS } },
	{ "an array under an array",
	  "md2 (raid0 of md0 (raid1 of sda), md1 (raid1 degraded of sdb))",
	  true,
	  0,
	  { { .name = "md2",
	      .number = "4009:2",
	      .slaves = { "md0", "md1" },
	      .attributes = MD("raid0", "clean", "0", "idle") },
	    { .name = "md0",
	      .number = "4009:0",
	      .slaves = { "sda" },
	      .attributes = MD("raid1", "clean", "0", "idle") },
	    { .name = "md1",
	      .number = "4009:1",
	      .slaves = { "sdb" },
	      .attributes = MD("raid1", "clean", "1", "idle") },
	    DISKS } },
	{ "LVM on it",
	  "vg-data (mapped of md0 (raid1 of sda))",
	  true,
	  0,
	  { { .name = "dm-0",
	      .number = "4010:0",
	      .slaves = { "md0" },
	      .attributes = { "dm/name", "vg-data\n", "dm/uuid", "LVM-abc\n" } },
	    { .name = "md0",
	      .number = "4009:0",
	      .slaves = { "sda" },
	      .attributes = MD("raid1", "clean", "0", "idle") },
	    DISKS } },
	{ "LVM's RAID without root",
	  "vg-r (mapped of vg-r_rimage_0 (mapped of sda))",
	  true,
	  PLACE_STATE_HIDDEN,
	  { { .name = "dm-1",
	      .number = "4010:1",
	      .slaves = { "dm-2" },
	      .attributes = { "dm/name", "vg-r\n", "dm/uuid", "LVM-abc\n" } },
	    { .name = "dm-2",
	      .number = "4010:2",
	      .slaves = { "sda" },
	      .attributes = { "dm/name", "vg-r_rimage_0\n", "dm/uuid", "LVM-abd\n" } },
	    DISKS } },
	{ "a name that steers a terminal",
	  "?[31m (mapped)",
	  true,
	  0,
	  { { .name = "dm-0",
	      .number = "4010:0",
	      .slaves = { NULL },
	      .attributes = { "dm/name", "\033[31m\n", "dm/uuid", "LVM-a\n" } },
	    { .name = NULL } } },
	{ "an array that goes away",
	  "md0 (array)",
	  true,
	  PLACE_STATE_HIDDEN,
	  { { .name = "md0", .number = "4009:0", .slaves = { NULL }, .attributes = { "md/x", "" } },
	    { .name = NULL } } },
};

static void chains(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(chain_cases) / sizeof(chain_cases[0]); i++) {
		const struct chain_case *c = &chain_cases[i];
		struct place p = { .is_device = true };
		struct machine_files m;
		char says[256];
		uint64_t major, minor;
		const char *number = c->blocks[0].number;

		print_message("  %s\n", c->name);
		machine_make(&m);
		for (const struct block *b = c->blocks; b->name; b++)
			make_block(&m, c->blocks, b);
		number_parse_u64(number, 4, &major);
		number_parse_u64(number + 5, strlen(number + 5), &minor);
		place_find_devices(&p, m.dir, (uint32_t)major, (uint32_t)minor);
		place_describe(&p, says, sizeof(says));
		assert_string_equal(says, c->says);
		assert_int_equal(p.complete, c->complete);
		assert_int_equal(p.devices[0].state, c->state);
		place_release(&p);
		machine_remove(&m);
	}
}

/* Links of sysfs are not ours: a ring must end, and it is not taken for complete. */
static void a_ring_ends(void **state)
{
	static const struct block ring[] = {
		{ .name = "dm-0",
		  .number = "4010:0",
		  .slaves = { "dm-1" },
		  .attributes = { "dm/uuid", "LVM-a\n" } },
		{ .name = "dm-1",
		  .number = "4010:1",
		  .slaves = { "dm-0" },
		  .attributes = { "dm/uuid", "LVM-b\n" } },
		{ .name = NULL },
	};
	struct place p = { .is_device = true };
	struct machine_files m;

	(void)state;
	machine_make(&m);
	make_block(&m, ring, &ring[0]);
	make_block(&m, ring, &ring[1]);
	place_find_devices(&p, m.dir, 4010, 0);
	assert_false(p.complete);
	assert_true(p.n_devices > 2 && p.n_devices < 100);
	place_release(&p);
	place_find_devices(&p, m.dir, 4010, 77); /* nor is what sysfs does not know */
	assert_false(p.complete);
	assert_int_equal(p.n_devices, 1);
	assert_string_equal(p.devices[0].name, "4010:77");
	place_release(&p);
	machine_remove(&m);
}

static void names_of_a_device(void **state)
{
	static const struct {
		const char *alias, *name;
		bool same;
	} cases[] = {
		{ "vg-data", "vg-data", true },
		{ "vg-data", "vg/data", true },
		{ "vg-data", "/dev/vg/data", true },
		{ "vg-data", "/dev/mapper/vg-data", true },
		{ "vg-data", "dm-3", true },
		{ "vg-data", "vg-dat", false },
		{ "vg-data", "vg/dat", false },
		{ "vg-data", "data", false },
		{ "vg-data", "", false },
		{ "vg-pool-tpool", "vg/pool", true },
		{ "vg-pool-tpool", "vg-pool", true },
		{ "vg-pool_tdata", "vg/pool", false },
		{ "my--vg-a--b", "my-vg/a-b", true },
		{ "my--vg-a--b", "my/vg-a-b", false },
		{ "", "", false },
		{ "", "/dev/null", false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct place_device d = { .name = "dm-3", .major = 4010, .minor = 3 };

		print_message("  %s: '%s'\n", cases[i].alias, cases[i].name);
		text_copy(d.alias, sizeof(d.alias), cases[i].alias);
		assert_int_equal(place_device_is(&d, cases[i].name), cases[i].same);
	}
}

/* ---- this machine ---- */

static void a_directory_here(void **state)
{
	struct place p = PLACE_INIT;
	int fd = open(test_dir, O_PATH | O_CLOEXEC);
	struct stat st;
	char says[256], expected[600];

	(void)state;
	skip_without_a_mount();
	assert_int_equal(place_find(&p, fd, ""), 0);
	assert_int_equal(fstat(fd, &st), 0);
	assert_int_equal(p.number, st.st_dev);
	assert_true(p.mount_id != UNKNOWN_U64);
	assert_true(p.mount_point[0] == '/');
	assert_false(p.is_device);
	place_describe(&p, says, sizeof(says));
	text_format(expected, sizeof(expected), "%s: %s on ", p.mount_point, p.type);
	assert_in(says, expected);
	place_release(&p);
	close(fd);
}

static void what_has_no_device(void **state)
{
	struct place p = PLACE_INIT;
	int fd = open("/proc", O_PATH | O_CLOEXEC);
	char says[256];

	(void)state;
	assert_int_equal(place_find(&p, fd, ""), 0);
	assert_string_equal(p.type, "proc");
	assert_int_equal(p.n_devices, 0);
	assert_null(place_main_device(&p));
	place_describe(&p, says, sizeof(says));
	assert_in(says, "/proc: proc on no device (proc), mounted ");
	place_describe(&p, says, 8);
	assert_int_equal(strlen(says), 7);
	place_release(&p);
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mount_lines),
		cmocka_unit_test(tables),
		cmocka_unit_test(uuids),
		cmocka_unit_test(chains),
		cmocka_unit_test(a_ring_ends),
		cmocka_unit_test(names_of_a_device),
		cmocka_unit_test(a_directory_here),
		cmocka_unit_test(what_has_no_device),
	};

	return cmocka_run_group_tests_name("load_place", tests, make_test_dir, remove_test_dir);
}
