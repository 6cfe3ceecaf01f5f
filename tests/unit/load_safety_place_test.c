/*
 * The rules about where a target lies, on made-up places: a directory whose mount is not there,
 * thin pools, arrays that are not whole, and what one may say to write all the same.
 */
#include "load_support.h"

#include "load/safety.h"
#include "machine_files.h"

static const struct workload reader = { .name = "seq-read" };
static const struct workload writer = { .name = "seq-write", .writes = true };

struct asked {
	struct stream_spec spec;
	struct place place;
	struct safety_case c;
};

/* A directory that may be written to, on md0 of two disks. */
static void ask_of(struct asked *a, struct place_device *devices, size_t n)
{
	*a = (struct asked){ .spec = read_of("/mnt/md0/x"), .place = PLACE_INIT };
	text_copy(a->place.mount_point, sizeof(a->place.mount_point), "/mnt/md0");
	text_copy(a->place.type, sizeof(a->place.type), "ext4");
	text_copy(a->place.options, sizeof(a->place.options), "rw");
	a->place.devices = devices;
	a->place.n_devices = n;
	a->place.complete = true;
	a->c = (struct safety_case){
		.spec = &a->spec,
		.workload = &reader,
		.kind = SHARED_TARGET_DIRECTORY,
		.resolved = "/mnt/md0/x",
		.st = { .st_mode = S_IFDIR | 0755 },
		.place = &a->place,
		.diskseq = UNKNOWN_U64,
		.fd = -1,
		.root = "/nowhere",
	};
}

static void says(const struct asked *a, int r, const char *what)
{
	char why[160] = "";

	assert_int_equal(safety_check(&a->c, why, sizeof(why)), r);
	assert_in(why, what);
	assert_int_equal(why[0] != '\0', r < 0);
	assert_true(strlen(why) < sizeof(why) - 1); /* not cut off */
}

static struct place_device array_in(unsigned int state)
{
	return (struct place_device){
		.name = "md0", .level = "raid1", .kind = PLACE_MD, .above = -1, .state = state
	};
}

static const struct array_case {
	const char *name;
	unsigned int state;
	bool allowed;
	int r;
	const char *says;
} array_cases[] = {
	{ "whole", 0, false, 0, "" },
	{ "degraded", PLACE_DEGRADED, false, -EPERM, "md0 is degraded" },
	{ "degraded, allowed", PLACE_DEGRADED, true, 0, "" },
	{ "recovering", PLACE_RECOVERING, false, -EPERM, "md0 is being rebuilt" },
	{ "recovering, allowed", PLACE_RECOVERING | PLACE_DEGRADED, true, 0, "" },
	{ "auto-read-only", PLACE_AUTO_READ_ONLY, false, -EPERM, "mdadm --readwrite" },
	{ "read-only", PLACE_READ_ONLY, false, -EPERM, "md0 is read-only" },
	{ "read-only, allowed", PLACE_READ_ONLY, true, -EPERM, "make it writable" },
	{ "hidden", PLACE_STATE_HIDDEN, false, -EPERM, "does not show its state" },
	{ "hidden, allowed", PLACE_STATE_HIDDEN, true, 0, "" },
};

static void arrays(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(array_cases) / sizeof(array_cases[0]); i++) {
		const struct array_case *c = &array_cases[i];
		struct place_device d = array_in(c->state);
		struct asked a;

		print_message("  %s\n", c->name);
		ask_of(&a, &d, 1);
		a.spec.allow_degraded = c->allowed;
		says(&a, c->r, c->says);
		a.c.kind = SHARED_TARGET_READ; /* a file on it may be read all the same */
		a.c.st.st_mode = S_IFREG | 0644;
		says(&a, 0, "");
	}
}

static void an_array_below_another(void **state)
{
	struct place_device d[2] = { array_in(0), array_in(PLACE_DEGRADED) };
	struct asked a;

	(void)state;
	text_copy(d[1].name, sizeof(d[1].name), "md7");
	d[1].above = 0;
	ask_of(&a, d, 2);
	says(&a, -EPERM, "md7 is degraded");
}

static void what_cannot_all_be_seen(void **state)
{
	struct place_device d = array_in(0);
	struct asked a;

	(void)state;
	ask_of(&a, &d, 1);
	a.place.complete = false;
	says(&a, -EPERM, "what lies below md0 is not all to be seen");
	a.spec.allow_degraded = true;
	says(&a, 0, "");
}

static const struct thin_case {
	const char *name;
	enum place_thin thin;
	const char *allow;
	int r;
	const char *says;
} thin_cases[] = {
	{ "thin", PLACE_THIN, "", -EPERM, "vg-t is thin: its pool may run full" },
	{ "VDO", PLACE_VDO, "", -EPERM, "--allow-thin-write vg-t" },
	{ "origin", PLACE_SNAPSHOT_ORIGIN, "", -EPERM, "has snapshots" },
	{ "snapshot", PLACE_SNAPSHOT, "", -EPERM, "is a snapshot" },
	{ "hidden", PLACE_THIN_HIDDEN, "", -EPERM, "only root sees" },
	{ "another pool", PLACE_THIN, "vg/other", -EPERM, "is thin" },
	{ "the disk below", PLACE_THIN, "sda", -EPERM, "is thin" },
	{ "the volume", PLACE_THIN, "vg-t", 0, "" },
	{ "the volume, LVM's way", PLACE_THIN, "vg/t", 0, "" },
	{ "the volume's node", PLACE_THIN, "/dev/vg/t", 0, "" },
	{ "the pool", PLACE_THIN, "vg/pool", 0, "" },
	{ "the kernel's name", PLACE_THIN, "dm-3", 0, "" },
};

static void pools(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(thin_cases) / sizeof(thin_cases[0]); i++) {
		const struct thin_case *c = &thin_cases[i];
		struct place_device d[3] = {
			{ .name = "dm-3", .alias = "vg-t", .kind = PLACE_DM, .above = -1 },
			{ .name = "dm-2", .alias = "vg-pool-tpool", .kind = PLACE_DM, .above = 0 },
			{ .name = "sda", .kind = PLACE_DISK, .above = 1, .major = 4001 },
		};
		struct asked a;

		print_message("  %s\n", c->name);
		d[0].thin = d[1].thin = c->thin;
		d[0].major = d[1].major = 4010;
		ask_of(&a, d, 3);
		text_copy(a.spec.allow_thin_write, sizeof(a.spec.allow_thin_write), c->allow);
		says(&a, c->r, c->says);
	}
}

static void where_it_is_said_to_lie(void **state)
{
	struct place_device d = array_in(0);
	struct asked a;

	(void)state;
	ask_of(&a, &d, 1);
	text_copy(a.spec.on, sizeof(a.spec.on), "md0");
	says(&a, 0, "");
	text_copy(a.spec.on, sizeof(a.spec.on), "md1");
	says(&a, -EXDEV, "does not lie on md1 but here: /mnt/md0: ext4 on md0 (raid1)");
	a.place.n_devices = 0;
	text_copy(a.spec.on, sizeof(a.spec.on), "md0");
	says(&a, -EXDEV, "does not lie on md0 but here");
}

static void mounts(void **state)
{
	struct place_device d = array_in(0);
	struct asked a;

	(void)state;
	ask_of(&a, &d, 1);
	a.place.read_only = true;
	says(&a, -EROFS, "lies on /mnt/md0, which is mounted read-only");
	a.place.read_only = false;
	a.place.mount_point[0] = '\0';
	says(&a, -ESTALE, "lies on no mount that can be seen");
	ask_of(&a, &d, 1);
	text_copy(a.place.type, sizeof(a.place.type), "sysfs");
	a.c.workload = &writer;
	says(&a, -EPERM, "lies on sysfs, which keeps no files");
	text_copy(a.place.type, sizeof(a.place.type), "tmpfs"); /* told, and allowed */
	says(&a, 0, "");
}

/* /mnt/md0 is to be mounted, and the stream would fill the disk of / instead. */
static void what_is_to_be_mounted(void **state)
{
	static const struct {
		const char *fstab, *resolved, *on;
		int r;
	} cases[] = {
		{ "/dev/md0 /mnt/md0 ext4 defaults 0 0\n", "/mnt/md0", "", -ENODEV },
		{ "/dev/md0 /mnt/md0 ext4 defaults 0 0\n", "/mnt/md0/x", "", -ENODEV },
		{ "/dev/md0 /mnt/md0/ ext4 defaults 0 0\n", "/mnt/md0/x", "", -ENODEV },
		{ "/dev/md0\t/mnt/md0\text4\tnoauto\n", "/mnt/md0", "", -ENODEV },
		{ "/dev/md0 /mnt/md0 ext4 defaults 0 0\n", "/mnt/md0", "md0", 0 },
		{ "/dev/md0 /mnt/md0 ext4 defaults 0 0\n", "/mnt/md01", "", 0 },
		{ "/dev/md0 /mnt/md0 ext4 defaults 0 0\n", "/mnt", "", 0 },
		{ "# /dev/md0 /mnt/md0 ext4 defaults 0 0\n", "/mnt/md0", "", 0 },
		{ "/dev/sda1 / ext4 defaults 0 0\n/dev/sda2 none swap sw 0 0\n", "/mnt/md0", "",
		  0 },
		{ "/dev/md0 /mnt/a\\040b ext4 defaults 0 0\n", "/mnt/a b/c", "", -ENODEV },
		{ "", "/mnt/md0", "", 0 },
	};
	struct place_device d = array_in(0);

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct machine_files m;
		struct asked a;

		print_message("  %s of %s\n", cases[i].resolved, cases[i].fstab);
		machine_make(&m);
		machine_write(&m, "etc/fstab", cases[i].fstab);
		ask_of(&a, &d, 1);
		a.c.root = m.dir;
		text_copy(a.place.mount_point, sizeof(a.place.mount_point), "/");
		text_copy(a.c.resolved, sizeof(a.c.resolved), cases[i].resolved);
		text_copy(a.spec.on, sizeof(a.spec.on), cases[i].on);
		says(&a, cases[i].r, cases[i].r < 0 ? "is not mounted (/: ext4 on md0" : "");
		text_copy(a.place.mount_point, sizeof(a.place.mount_point), cases[i].resolved);
		says(&a, 0, ""); /* once it is mounted */
		machine_remove(&m);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arrays),
		cmocka_unit_test(an_array_below_another),
		cmocka_unit_test(what_cannot_all_be_seen),
		cmocka_unit_test(pools),
		cmocka_unit_test(where_it_is_said_to_lie),
		cmocka_unit_test(mounts),
		cmocka_unit_test(what_is_to_be_mounted),
	};

	return cmocka_run_group_tests_name("load_safety_place", tests, NULL, NULL);
}
