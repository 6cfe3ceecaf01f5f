/*
 * The same captured machines twice: through real libudev and libsensors, which umockdev shows them
 * to, and as plain files below a --root. Both must tell the same; udev may know more. And devices
 * that come and go, with the events that udevd would send.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <umockdev.h>
#include <unistd.h>

#include "machine_files.h"
#include "machine_udev.h"
#include "raidtop/clock.h"
#include "raidtop/fields.h"
#include "raidtop/file.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

/* ---- the machine, twice ---- */

struct twins {
	struct machine_files files;
	UMockdevTestbed *testbed;
	struct machine_files mock; /* of the testbed, for its /proc */
};

static void copy_to_mock(const struct twins *w, const char *path)
{
	struct buffer text = BUFFER_INIT;
	char full[PATH_MAX];

	text_format(full, sizeof(full), "%s/%s", w->files.dir, path);
	if (file_read(full, 16 * 1024 * 1024, &text) == 0)
		machine_write_bytes(&w->mock, path, buffer_text(&text), text.len);
	buffer_release(&text);
}

static bool twins_make(struct twins *w, const char *capture)
{
	struct buffer description = BUFFER_INIT;
	GError *error = NULL;
	char *root;

	if (!machine_unpack(&w->files, capture))
		return false;
	machine_describe(&w->files, capture, &description);
	w->testbed = umockdev_testbed_new();
	if (!umockdev_testbed_add_from_string(w->testbed, buffer_text(&description), &error))
		fail_msg("%s: %s", capture, error->message);
	buffer_release(&description);
	root = umockdev_testbed_get_root_dir(w->testbed);
	text_copy(w->mock.dir, sizeof(w->mock.dir), root);
	g_free(root);
	copy_to_mock(w, "proc/mdstat");
	copy_to_mock(w, "proc/diskstats");
	return true;
}

static void twins_remove(struct twins *w)
{
	g_object_unref(w->testbed);
	machine_remove(&w->files);
}

static struct provider *mock_provider(uint64_t temperature_ns)
{
	struct provider_options options = { .root = "", .temperature_ns = temperature_ns };
	struct provider *p = NULL;
	char why[256] = "";

	assert_int_equal(provider_system_new(&options, &p, why, sizeof(why)), 0);
	return p;
}

/* ---- what only udev knows ---- */

static const struct fact {
	const char *capture, *device;
	enum field_owner owner;
	const char *key, *value;
} facts[] = {
	{ "named", "md127", FIELD_OF_ARRAY, "alias", "my" },
	{ "named", "md_home", FIELD_OF_ARRAY, "alias", "home" },
	{ "partitions", "md127", FIELD_OF_ARRAY, "alias", "data" },
	{ "imsm", "md126", FIELD_OF_ARRAY, "alias", "vol0" },
	{ "imsm", "md126", FIELD_OF_ARRAY, "uuid", "096eb62f:54c809f1:334172f2:b3b37913" },
	{ "ddf", "sda", FIELD_OF_DISK, "serial", "RIG0" },
	{ "mixed", "sda", FIELD_OF_DISK, "serial", "RIG5" },
	{ "temps", "sdb", FIELD_OF_DISK, "serial", "RIG0" },
	{ "temps", "sdb", FIELD_OF_DISK, "model", "QEMU HARDDISK" },
	{ "temps", "sdb", FIELD_OF_DISK, "temperature_c", "31.0" },
	{ "temps", "nvme1n1", FIELD_OF_DISK, "temperature_c", "49.9" },
};

static void check_facts(const char *capture, const struct topology *t)
{
	for (size_t i = 0; i < COUNT(facts); i++) {
		const struct fact *f = &facts[i];
		const struct field *field = field_find(f->owner, f->key, strlen(f->key));
		char value[FIELD_VALUE_BYTES];
		int slot;

		if (strcmp(f->capture, capture) != 0)
			continue;
		slot = topology_find(t, f->device);
		assert_int_not_equal(slot, NO_SLOT);
		field_format(field, field_owner_of(f->owner, t->devices[slot]), value,
			     sizeof(value));
		assert_string_equal(value, f->value);
	}
}

/* ---- both readings agree ---- */

/* What udev has asked the disk or mdadm for, and sysfs does not have. */
static bool udev_may_know_more(const struct field *f)
{
	static const char *const keys[] = { "alias", "uuid", "serial" };

	for (size_t i = 0; i < COUNT(keys); i++)
		if (strcmp(f->key, keys[i]) == 0)
			return true;
	return false;
}

static void compare_owner(enum field_owner kind, const void *files, const void *mock)
{
	for (size_t i = 0; i < n_fields; i++) {
		char by_files[FIELD_VALUE_BYTES], by_udev[FIELD_VALUE_BYTES];

		if (fields[i].owner != kind)
			continue;
		field_format(&fields[i], files, by_files, sizeof(by_files));
		field_format(&fields[i], mock, by_udev, sizeof(by_udev));
		if (by_files[0] || !udev_may_know_more(&fields[i]))
			assert_string_equal(by_files, by_udev);
	}
}

static void compare_members(const struct array *files, const struct array *mock)
{
	assert_int_equal(files->n_members, mock->n_members);
	for (size_t i = 0; i < files->n_members; i++) {
		compare_owner(FIELD_OF_MEMBER, &files->members[i], &mock->members[i]);
		assert_int_equal(files->members[i].device, mock->members[i].device);
	}
}

static void compare_devices(const struct device *files, const struct device *mock)
{
	compare_owner(FIELD_OF_DEVICE, files, mock);
	compare_owner(FIELD_OF_DISK, &files->disk, &mock->disk);
	assert_int_equal(files->major, mock->major);
	assert_int_equal(files->minor, mock->minor);
	assert_int_equal(files->diskseq, mock->diskseq);
	assert_int_equal(files->parent, mock->parent);
	assert_int_equal(files->array != NULL, mock->array != NULL);
	if (!files->array)
		return;
	compare_owner(FIELD_OF_ARRAY, files->array, mock->array);
	compare_members(files->array, mock->array);
}

static bool compare_capture(const char *capture)
{
	struct provider *by_files, *by_udev;
	struct topology files, mock;
	struct twins w;

	print_message("  %s\n", capture);
	if (!twins_make(&w, capture))
		return false;
	by_files = machine_provider(&w.files);
	by_udev = mock_provider(UINT64_MAX);
	machine_survey(by_files, &files);
	machine_survey(by_udev, &mock);
	assert_int_equal(files.n_devices, mock.n_devices);
	for (size_t i = 0; i < files.n_devices; i++)
		compare_devices(files.devices[i], mock.devices[i]);
	check_facts(capture, &mock);
	topology_release(&files);
	topology_release(&mock);
	provider_free(by_files);
	provider_free(by_udev);
	twins_remove(&w);
	return true;
}

/* Each for a way of being attached, named, held, or gone. */
static void as_by_files(void **state)
{
	static const char *const captures[] = {
		"raid5",    "nested",  "temps",        "temps-pulled",   "mixed",   "named",
		"ddf",      "imsm",    "metadata",     "loop",           "wide",    "md-on-dm",
		"stopped",  "reshape", "raid0-broken", "removed-norule", "delayed", "partitions",
		"inactive", "no-md",   "multipath",
	};

	(void)state;
	for (size_t i = 0; i < COUNT(captures); i++)
		if (!compare_capture(captures[i]))
			skip();
}

/* The moments of one case below tests/roots; returns how many. */
static size_t compare_moments(const char *name)
{
	char capture[PATH_MAX];
	size_t n = 0;

	for (;; n++) {
		text_format(capture, sizeof(capture), ROOTS "/%s/t%zu", name, n);
		if (access(capture, R_OK) < 0)
			return n;
		assert_true(compare_capture(capture));
	}
}

static void as_by_files_of_our_guest(void **state)
{
	struct dirent *entry;
	size_t n = 0;
	DIR *roots = opendir(ROOTS);

	(void)state;
	assert_non_null(roots);
	while ((entry = readdir(roots)))
		if (entry->d_name[0] != '.')
			n += compare_moments(entry->d_name);
	closedir(roots);
	assert_true(n >= 40);
}

/* ---- hotplug ---- */

/* Waits as the event loop does, until a survey is due. */
static bool wait_until_dirty(struct provider *p, uint64_t timeout_ns)
{
	uint64_t end_ns = clock_monotonic_ns() + timeout_ns;

	while (!p->ops->dirty(p) && clock_monotonic_ns() < end_ns) {
		struct pollfd fds[PROVIDER_MAX_FDS];
		size_t n = p->ops->poll_fds(p, fds);

		if (poll(fds, n, 10) > 0)
			p->ops->dispatch(p, fds, n);
	}
	return p->ops->dirty(p);
}

static void survey_again(struct provider *p, struct topology *held)
{
	struct topology fresh;

	machine_survey(p, &fresh);
	topology_adopt(held, &fresh, NULL);
	topology_release(&fresh);
}

#define DISK "/sys/devices/pci0000:00/0000:00:06.0/virtio4/block/vdc"

static void disks_come_and_go(void **state)
{
	struct provider *p;
	struct topology held;
	struct snapshot s;
	struct twins w;
	int slot;

	(void)state;
	if (!twins_make(&w, "raid1-3"))
		skip();
	p = mock_provider(0);
	topology_init(&held);
	snapshot_init(&s);
	assert_true(p->ops->dirty(p));
	survey_again(p, &held);
	assert_false(p->ops->dirty(p));
	slot = topology_find(&held, "vdc");
	assert_int_not_equal(slot, NO_SLOT);

	umockdev_testbed_uevent(w.testbed, DISK, "remove");
	umockdev_testbed_remove_device(w.testbed, DISK);
	/* Read in the middle of it: what is gone is unknown, or still what it was. */
	assert_int_equal(p->ops->sample(p, &held, &s), 0);
	assert_true(wait_until_dirty(p, 5 * NS_PER_SEC));
	survey_again(p, &held);
	assert_int_equal(topology_find(&held, "vdc"), NO_SLOT);
	assert_false(held.devices[slot]->present);
	assert_int_equal(p->ops->sample(p, &held, &s), 0);
	assert_int_equal(s.devices[slot].valid, 0);

	umockdev_testbed_add_from_string(
		w.testbed,
		"P: /devices/virtual/block/vdz\nN: vdz\nE: DEVTYPE=disk\nE: SUBSYSTEM=block\n"
		"E: DEVNAME=/dev/vdz\nE: MAJOR=252\nE: MINOR=16\nA: dev=252:16\nA: size=2048\n",
		NULL);
	umockdev_testbed_uevent(w.testbed, "/sys/devices/virtual/block/vdz", "add");
	assert_true(wait_until_dirty(p, 5 * NS_PER_SEC));
	survey_again(p, &held);
	assert_int_not_equal(topology_find(&held, "vdz"), NO_SLOT);
	assert_int_not_equal(topology_find(&held, "vdz"), slot);

	snapshot_release(&s);
	topology_release(&held);
	provider_free(p);
	twins_remove(&w);
}

/* A thousand events, taken in as they come, are one survey. */
static void storm_of_events(void **state)
{
	struct pollfd fds[PROVIDER_MAX_FDS];
	struct provider *p;
	struct topology t;
	struct twins w;

	(void)state;
	if (!twins_make(&w, "raid1-3"))
		skip();
	p = mock_provider(0);
	machine_survey(p, &t);
	topology_release(&t);
	for (int i = 0; i < 1000; i++) {
		size_t n = p->ops->poll_fds(p, fds);

		umockdev_testbed_uevent(w.testbed, DISK, i % 2 ? "add" : "remove");
		if (i % 5 == 0 && poll(fds, n, 1000) > 0) /* the mock's socket holds few */
			p->ops->dispatch(p, fds, n);
	}
	assert_true(wait_until_dirty(p, 5 * NS_PER_SEC));
	machine_survey(p, &t);
	topology_release(&t);
	assert_false(p->ops->dirty(p));
	assert_int_equal(poll(fds, p->ops->poll_fds(p, fds), 0), 0);
	provider_free(p);
	twins_remove(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(as_by_files),
		cmocka_unit_test(as_by_files_of_our_guest),
		cmocka_unit_test(disks_come_and_go),
		cmocka_unit_test(storm_of_events),
	};

	return cmocka_run_group_tests_name("linux, mocked", tests, NULL, NULL);
}
