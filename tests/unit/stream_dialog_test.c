/* The stream dialog: which targets it offers, and the specification that its fields make. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "app/stream_dialog.h"
#include "raidtop/terminal.h"
#include "raidtop/text.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

/* md0 is mounted twice, its partition once, at a place with a blank; another disk elsewhere. */
static const char mountinfo[] =
	"22 1 254:0 / / rw,relatime - ext4 /dev/vda rw\n"
	"36 22 9:0 / /mnt/md0 rw,relatime shared:1 - xfs /dev/md0 rw,attr2\n"
	"37 22 259:7 / /srv/two\\040words rw - ext4 /dev/md0p1 rw\n"
	"38 22 9:0 /sub /export rw - xfs /dev/md0 rw\n"
	"39 22 9:00 / /nonsense";

static struct topology topology;
static struct dialog dialog;
static int md0;

static int make_machine(void **state)
{
	struct device *d;

	(void)state;
	topology_init(&topology);
	memset(&dialog, 0, sizeof(dialog));
	d = topology_add_device(&topology, DEVICE_DISK, "vda");
	d->major = 254;
	d = topology_add_array(&topology, "md0");
	md0 = (int)topology.n_devices - 1;
	d->major = 9;
	d = topology_add_device(&topology, DEVICE_PARTITION, "md0p1");
	d->major = 259;
	d->minor = 7;
	d->parent = md0;
	stream_dialog_open(&dialog, &topology, md0, mountinfo);
	return 0;
}

static int drop_machine(void **state)
{
	(void)state;
	stream_dialog_release(&dialog);
	topology_release(&topology);
	return 0;
}

static void test_targets(void **state)
{
	static const char *const offered[] = { "/dev/md0", "/mnt/md0", "/srv/two words",
					       "/export" };
	const struct dialog_field *f = dialog_find(&dialog, "target");

	(void)state;
	assert_int_equal(f->n_values, COUNT(offered));
	for (size_t i = 0; i < COUNT(offered); i++)
		assert_string_equal(f->values[i], offered[i]);
	assert_string_equal(f->text, "/dev/md0");
}

/* As it comes up, it is what most people want first: one direct sequential read of the device. */
static void test_default(void **state)
{
	struct stream_spec spec;
	char why[256];

	(void)state;
	assert_int_equal(stream_dialog_spec(&dialog, &spec, why, sizeof(why)), 0);
	assert_string_equal(spec.workload, "seq-read");
	assert_string_equal(spec.target, "/dev/md0");
	assert_int_equal(spec.access, STREAM_DIRECT);
	assert_int_equal(spec.time_ns, 0);
	assert_int_equal(spec.block_bytes, 0);
}

static void test_fields(void **state)
{
	static const char *const texts[][2] = {
		{ "workload", "rand-write" },
		{ "target", "/mnt/a,b\\c" },
		{ "copies", "3" },
		{ "block", "8k" },
		{ "depth", "16" },
		{ "sync", "each" },
		{ "size", "2G" },
		{ "time", "90s" },
		{ "rate", "10MB" },
		{ "more", "seed=7,keep=1" },
	};
	struct stream_spec spec;
	char why[256];

	(void)state;
	for (size_t i = 0; i < COUNT(texts); i++)
		dialog_set(dialog_find(&dialog, texts[i][0]), texts[i][1]);
	if (stream_dialog_spec(&dialog, &spec, why, sizeof(why)) < 0)
		fail_msg("%s", why);
	assert_string_equal(spec.workload, "rand-write");
	assert_string_equal(spec.target, "/mnt/a,b\\c");
	assert_int_equal(spec.copies, 3);
	assert_int_equal(spec.block_bytes, 8192);
	assert_int_equal(spec.depth, 16);
	assert_int_equal(spec.sync, STREAM_SYNC_EACH);
	assert_int_equal(spec.size_bytes, 2ULL << 30);
	assert_int_equal(spec.time_ns, 90000000000ULL);
	assert_int_equal(spec.rate_per_sec, 10000000);
	assert_int_equal(spec.seed, 7);
	assert_true(spec.keep);
}

/* What is wrong is told by the field's name, which is the key's. */
static void test_wrong(void **state)
{
	static const char *const cases[][2] = {
		{ "copies", "no" }, { "block", "7x" }, { "time", "soon" },
		{ "rate", "fast" }, { "target", "" },
	};
	struct stream_spec spec;
	char why[256];

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct dialog_field *f = dialog_find(&dialog, cases[i][0]);
		char before[DIALOG_TEXT_BYTES];

		text_copy(before, sizeof(before), f->text);
		dialog_set(f, cases[i][1]);
		assert_int_equal(stream_dialog_spec(&dialog, &spec, why, sizeof(why)), -22);
		if (!strstr(why, cases[i][0]))
			fail_msg("%s: %s", cases[i][0], why);
		dialog_set(f, before);
	}
}

/* Opened for another device it keeps what was entered, but for the target. */
static void test_again(void **state)
{
	(void)state;
	dialog_set(dialog_find(&dialog, "block"), "64k");
	stream_dialog_open(&dialog, &topology, 0, mountinfo);
	assert_string_equal(dialog_find(&dialog, "block")->text, "64k");
	assert_string_equal(dialog_find(&dialog, "target")->text, "/dev/vda");
	assert_int_equal(dialog_find(&dialog, "target")->n_values, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_targets, make_machine, drop_machine),
		cmocka_unit_test_setup_teardown(test_default, make_machine, drop_machine),
		cmocka_unit_test_setup_teardown(test_fields, make_machine, drop_machine),
		cmocka_unit_test_setup_teardown(test_wrong, make_machine, drop_machine),
		cmocka_unit_test_setup_teardown(test_again, make_machine, drop_machine),
	};

	return cmocka_run_group_tests_name("stream_dialog", tests, NULL, NULL);
}
