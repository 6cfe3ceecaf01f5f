/* Which device of a survey takes which slot and name: identity over replugging. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "raidtop/text.h"
#include "raidtop/topology.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))
#define GB 1000000000ULL

struct spec {
	const char *name, *serial, *wwn, *model, *uuid; /* uuid: it is an array */
	uint64_t diskseq;                               /* 0: unknown */
	uint32_t minor;                                 /* of major 8; 0: number unknown */
	uint64_t size;                                  /* 0: unknown */
};

static const struct identity_case {
	const char *what;
	struct spec was;
	bool away; /* a survey without it lies between */
	struct spec is;
	bool same;
	const char *name; /* afterwards */
} identities[] = {
	{ "nothing is known but the name",
	  { .name = "sda" },
	  false,
	  { .name = "sda" },
	  true,
	  "sda" },
	{ "the same after it was away, on a kernel that does not number disks",
	  { .name = "sda", .minor = 1 },
	  true,
	  { .name = "sda", .minor = 1 },
	  true,
	  "sda" },
	{ "another number",
	  { .name = "sda", .minor = 1 },
	  false,
	  { .name = "sda", .minor = 2 },
	  false,
	  "sda#2" },
	{ "another name",
	  { .name = "sda", .minor = 1 },
	  false,
	  { .name = "sdb", .minor = 1 },
	  false,
	  "sdb" },
	{ "another diskseq",
	  { .name = "sda", .diskseq = 1 },
	  false,
	  { .name = "sda", .diskseq = 2 },
	  false,
	  "sda#2" },
	{ "the same diskseq under another name",
	  { .name = "sda", .diskseq = 1 },
	  false,
	  { .name = "sdb", .diskseq = 1 },
	  true,
	  "sdb" },
	{ "plugged in again: the serial tells",
	  { .name = "sda", .serial = "A", .diskseq = 1 },
	  true,
	  { .name = "sda", .serial = "A", .diskseq = 2 },
	  true,
	  "sda" },
	{ "plugged in again under another name",
	  { .name = "sda", .serial = "A", .diskseq = 1 },
	  true,
	  { .name = "sdb", .serial = "A", .diskseq = 2 },
	  true,
	  "sdb" },
	{ "the WWN tells",
	  { .name = "sda", .wwn = "W" },
	  true,
	  { .name = "sdb", .wwn = "W" },
	  true,
	  "sdb" },
	{ "another disk under the name",
	  { .name = "sda", .serial = "A", .diskseq = 1 },
	  false,
	  { .name = "sda", .serial = "B", .diskseq = 2 },
	  false,
	  "sda#2" },
	{ "another disk, on a kernel that does not number them",
	  { .name = "sda", .serial = "A" },
	  false,
	  { .name = "sda", .serial = "B" },
	  false,
	  "sda#2" },
	{ "the serial is known only now",
	  { .name = "sda", .diskseq = 1 },
	  false,
	  { .name = "sda", .serial = "A", .diskseq = 1 },
	  true,
	  "sda" },
	{ "the serial is known better now",
	  { .name = "sda", .serial = "A", .diskseq = 1 },
	  false,
	  { .name = "sda", .serial = "USB-A", .diskseq = 1 },
	  true,
	  "sda" },
	{ "the serial cannot be read any more",
	  { .name = "sda", .serial = "A", .minor = 1 },
	  false,
	  { .name = "sda", .minor = 1 },
	  true,
	  "sda" },
	{ "one without a serial after one with",
	  { .name = "sda", .serial = "A", .minor = 1 },
	  true,
	  { .name = "sda", .minor = 1 },
	  false,
	  "sda#2" },
	{ "one with a serial after one without",
	  { .name = "sda", .minor = 1 },
	  true,
	  { .name = "sda", .serial = "A", .minor = 1 },
	  false,
	  "sda#2" },
	{ "one serial, two logical units",
	  { .name = "sda", .serial = "A", .wwn = "1" },
	  true,
	  { .name = "sdb", .serial = "A", .wwn = "2" },
	  false,
	  "sdb" },
	{ "a serial that all bridges have: another size",
	  { .name = "sda", .serial = "0123456789", .size = 500 * GB },
	  true,
	  { .name = "sdb", .serial = "0123456789", .size = 750 * GB },
	  false,
	  "sdb" },
	{ "a serial that all bridges have: another model",
	  { .name = "sda", .serial = "0123456789", .model = "WD" },
	  true,
	  { .name = "sda", .serial = "0123456789", .model = "ST" },
	  false,
	  "sda#2" },
	{ "it was resized",
	  { .name = "sda", .serial = "A", .diskseq = 1, .size = GB },
	  false,
	  { .name = "sda", .serial = "A", .diskseq = 1, .size = 2 * GB },
	  true,
	  "sda" },
	{ "an array assembled again",
	  { .name = "md0", .uuid = "U", .diskseq = 1 },
	  true,
	  { .name = "md0", .uuid = "U", .diskseq = 2 },
	  true,
	  "md0" },
	{ "an array assembled under another name",
	  { .name = "md127", .uuid = "U", .diskseq = 1 },
	  true,
	  { .name = "md0", .uuid = "U", .diskseq = 2 },
	  true,
	  "md0" },
	{ "another array under the name",
	  { .name = "md0", .uuid = "U", .diskseq = 1 },
	  false,
	  { .name = "md0", .uuid = "V", .diskseq = 2 },
	  false,
	  "md0#2" },
	{ "another array on the same md device",
	  { .name = "md0", .uuid = "U", .diskseq = 1 },
	  false,
	  { .name = "md0", .uuid = "V", .diskseq = 1 },
	  false,
	  "md0#2" },
	{ "an array that grew",
	  { .name = "md0", .uuid = "U", .size = GB },
	  true,
	  { .name = "md1", .uuid = "U", .size = 2 * GB },
	  true,
	  "md1" },
	{ "an array is no disk",
	  { .name = "x", .uuid = "U", .minor = 1 },
	  false,
	  { .name = "x", .minor = 1 },
	  false,
	  "x#2" },
	{ "the kernel says that the disk became an array",
	  { .name = "dm-0", .diskseq = 1 },
	  false,
	  { .name = "dm-0", .uuid = "U", .diskseq = 1 },
	  true,
	  "dm-0" },
};

static struct device *put(struct topology *t, const struct spec *s)
{
	struct device *d = s->uuid ? topology_add_array(t, s->name)
				   : topology_add_device(t, DEVICE_DISK, s->name);

	text_copy(d->disk.serial, sizeof(d->disk.serial), s->serial ? s->serial : "");
	text_copy(d->disk.wwn, sizeof(d->disk.wwn), s->wwn ? s->wwn : "");
	text_copy(d->disk.model, sizeof(d->disk.model), s->model ? s->model : "");
	if (s->uuid)
		text_copy(d->array->uuid, sizeof(d->array->uuid), s->uuid);
	d->diskseq = s->diskseq ? s->diskseq : UNKNOWN_U64;
	d->major = s->minor ? 8 : 0;
	d->minor = s->minor;
	d->size_bytes = s->size ? s->size : UNKNOWN_U64;
	return d;
}

/* Adopts a survey that found these. */
static bool survey(struct topology *held, const struct spec *specs, size_t n)
{
	struct topology fresh;
	bool changed;

	topology_init(&fresh);
	for (size_t i = 0; i < n; i++)
		put(&fresh, &specs[i]);
	changed = topology_adopt(held, &fresh, NULL);
	topology_release(&fresh);
	return changed;
}

static void the_same_device_finds_its_slot(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(identities); i++) {
		const struct identity_case *c = &identities[i];
		struct topology held;
		int slot;

		print_message("  %s\n", c->what);
		topology_init(&held);
		assert_true(survey(&held, &c->was, 1));
		if (c->away)
			assert_true(survey(&held, NULL, 0));
		survey(&held, &c->is, 1);
		slot = topology_find(&held, c->is.name);
		assert_int_equal(held.n_devices, c->same ? 1 : 2);
		assert_int_equal(slot, c->same ? 0 : 1);
		assert_string_equal(held.devices[slot]->name, c->name);
		if (!c->same) {
			assert_false(held.devices[0]->present);
			assert_string_equal(held.devices[0]->name, c->was.name);
		}
		assert_false(survey(&held, &c->is, 1));
		topology_release(&held);
	}
}

static void disks_that_change_places(void **state)
{
	static const struct spec before[] = { { .name = "sda", .serial = "A" },
					      { .name = "sdb", .serial = "B" } };
	static const struct spec after[] = { { .name = "sda", .serial = "B" },
					     { .name = "sdb", .serial = "A" } };
	struct topology held;

	(void)state;
	topology_init(&held);
	survey(&held, before, 2);
	survey(&held, after, 2);
	assert_int_equal(held.n_devices, 2);
	assert_string_equal(held.devices[0]->kernel_name, "sdb");
	assert_string_equal(held.devices[1]->kernel_name, "sda");
	/* The recording knows A as sda: neither name may change its owner. */
	assert_string_equal(held.devices[0]->name, "sdb#2");
	assert_string_equal(held.devices[1]->name, "sda#2");
	survey(&held, before, 2);
	assert_string_equal(held.devices[0]->name, "sda");
	assert_string_equal(held.devices[1]->name, "sdb");
	topology_release(&held);
}

/* Whether the kernel numbers its disks or not: each path keeps its slot by its name. */
static void two_paths_to_one_disk_are_two_devices(void **state)
{
	(void)state;
	for (uint64_t seq = 0; seq < 2; seq++) {
		const struct spec both[] = { { .name = "sda", .wwn = "W", .diskseq = seq },
					     { .name = "sdb", .wwn = "W", .diskseq = 2 * seq } };
		struct topology held;

		topology_init(&held);
		survey(&held, both, 2);
		assert_int_equal(held.n_devices, 2);
		assert_false(survey(&held, both, 2));
		assert_true(survey(&held, both + 1, 1));
		assert_false(held.devices[0]->present);
		assert_true(held.devices[1]->present);
		assert_false(survey(&held, both + 1, 1));
		survey(&held, both, 2);
		assert_int_equal(held.n_devices, 2);
		assert_int_equal(topology_find(&held, "sda"), 0);
		assert_int_equal(topology_find(&held, "sdb"), 1);
		topology_release(&held);
	}
}

/* A path under a third name is the one that was there last, or the newest of those. */
static void a_third_path_takes_the_latest_slot(void **state)
{
	static const struct spec both[] = { { .name = "sda", .wwn = "W" },
					    { .name = "sdb", .wwn = "W" } };
	static const struct spec third = { .name = "sdc", .wwn = "W" };
	static const struct {
		size_t first, n; /* which are left in the survey before */
		int slot;
	} cases[] = { { 0, 2, 1 }, { 0, 1, 0 }, { 1, 1, 1 }, { 0, 0, 1 } };

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct topology held;

		topology_init(&held);
		survey(&held, both, 2);
		survey(&held, both + cases[i].first, cases[i].n);
		survey(&held, &third, 1);
		assert_int_equal(topology_find(&held, "sdc"), cases[i].slot);
		topology_release(&held);
	}
}

static void a_name_given_up_goes_to_nobody_else(void **state)
{
	static const struct spec was = { .name = "sda", .serial = "A" };
	static const struct spec after[] = { { .name = "sda", .serial = "B" },
					     { .name = "sdc", .serial = "A" } };
	struct topology held;

	(void)state;
	topology_init(&held);
	survey(&held, &was, 1);
	survey(&held, NULL, 0);
	survey(&held, after, 2);
	assert_int_equal(topology_find(&held, "sdc"), 0);
	assert_string_equal(held.devices[0]->name, "sdc");
	assert_string_equal(held.devices[1]->name, "sda#2");
	topology_release(&held);
}

/* A survey should not have one name twice, but a broken tree below --root may. */
static void one_name_twice(void **state)
{
	static const struct spec twins[] = { { .name = "sda" }, { .name = "sda" } };
	struct topology held;

	(void)state;
	topology_init(&held);
	survey(&held, twins, 2);
	assert_int_equal(held.n_devices, 2);
	assert_string_equal(held.devices[0]->name, "sda");
	assert_string_equal(held.devices[1]->name, "sda#2");
	assert_false(survey(&held, twins, 2));
	topology_release(&held);
}

static void a_long_name_still_gets_its_number(void **state)
{
	char name[DEVICE_NAME_BYTES];
	struct spec s = { .name = name, .diskseq = 1 };
	struct topology held;

	(void)state;
	memset(name, 'x', sizeof(name));
	name[sizeof(name) - 1] = '\0';
	topology_init(&held);
	for (s.diskseq = 1; s.diskseq <= 12; s.diskseq++)
		survey(&held, &s, 1);
	assert_int_equal(held.n_devices, 12);
	assert_string_equal(held.devices[0]->name, name);
	assert_string_equal(held.devices[11]->name + sizeof(name) - 6, "xx#12");
	topology_release(&held);
}

static void what_was_known_once_stays_known(void **state)
{
	static const struct spec known = { .name = "sda", .serial = "A", .diskseq = 1 };
	static const struct spec unread = { .name = "sda", .diskseq = 1 };
	static const struct spec back = { .name = "sdb", .serial = "A", .diskseq = 2 };
	struct topology held;

	(void)state;
	topology_init(&held);
	survey(&held, &known, 1);
	assert_false(survey(&held, &unread, 1));
	assert_string_equal(held.devices[0]->disk.serial, "A");
	survey(&held, NULL, 0);
	survey(&held, &back, 1);
	assert_int_equal(held.n_devices, 1);
	topology_release(&held);
}

static void pointers_to_devices_stay_good(void **state)
{
	struct spec specs[100];
	char names[COUNT(specs)][8];
	struct topology held;
	struct device *first;

	(void)state;
	for (size_t i = 0; i < COUNT(specs); i++) {
		text_format(names[i], sizeof(names[i]), "sd%zu", i);
		specs[i] = (struct spec){ .name = names[i] };
	}
	topology_init(&held);
	survey(&held, specs, 1);
	first = held.devices[0];
	survey(&held, specs, COUNT(specs));
	assert_ptr_equal(held.devices[0], first);
	assert_string_equal(first->name, "sd0");
	topology_release(&held);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_same_device_finds_its_slot),
		cmocka_unit_test(disks_that_change_places),
		cmocka_unit_test(two_paths_to_one_disk_are_two_devices),
		cmocka_unit_test(a_third_path_takes_the_latest_slot),
		cmocka_unit_test(a_name_given_up_goes_to_nobody_else),
		cmocka_unit_test(one_name_twice),
		cmocka_unit_test(a_long_name_still_gets_its_number),
		cmocka_unit_test(what_was_known_once_stays_known),
		cmocka_unit_test(pointers_to_devices_stay_good),
	};

	return cmocka_run_group_tests_name("topology match", tests, NULL, NULL);
}
