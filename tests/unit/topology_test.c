/* The topology by itself: how devices are found, and which device takes which slot and name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "raidtop/events.h"
#include "raidtop/text.h"
#include "raidtop/topology.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))
#define GB 1000000000ULL

static void everything_new_is_unknown(void **state)
{
	struct topology t;
	struct device *d;
	struct member *m;

	(void)state;
	topology_init(&t);
	d = topology_add_array(&t, "md0");
	assert_true(d->present);
	assert_false(d->minor_interest);
	assert_string_equal(d->name, "md0");
	assert_string_equal(d->kernel_name, "md0");
	assert_true(d->size_bytes == UNKNOWN_U64 && d->diskseq == UNKNOWN_U64);
	assert_int_equal(d->parent, NO_SLOT);
	assert_int_equal(d->counts_io, TRUTH_UNKNOWN);
	assert_int_equal(d->disk.temperature_mc, UNKNOWN_I32);
	assert_int_equal(d->array->state, ARRAY_STATE_UNKNOWN);
	assert_int_equal(d->array->bitmap, TRUTH_UNKNOWN);
	assert_int_equal(d->array->action.kind, ACTION_NONE);
	assert_int_equal(d->array->action.percent_tenths, UNKNOWN_I32);
	assert_true(d->array->degraded == UNKNOWN_U64);
	m = array_add_member(d->array, "sda1");
	assert_int_equal(m->device, NO_SLOT);
	assert_int_equal(m->slot, UNKNOWN_I32);
	assert_int_equal(m->state, MEMBER_STATE_UNKNOWN);
	topology_release(&t);
	assert_int_equal(t.n_devices, 0);
}

static void devices_are_found(void **state)
{
	struct topology t;
	struct device *d;

	(void)state;
	topology_init(&t);
	d = topology_add_device(&t, DEVICE_DISK, "sda");
	d->major = 8;
	d = topology_add_device(&t, DEVICE_PARTITION, "sda1");
	d->major = 8;
	d->minor = 1;
	d->parent = 0;
	topology_add_device(&t, DEVICE_DISK, "sdb");
	d = topology_add_array(&t, "md0");
	array_add_member(d->array, "sda1")->device = 1;
	array_add_member(d->array, "gone");

	assert_int_equal(topology_find(&t, "sda1"), 1);
	assert_int_equal(topology_find(&t, "sd"), NO_SLOT);
	assert_int_equal(topology_find_number(&t, 8, 1), 1);
	assert_int_equal(topology_find_number(&t, 8, 2), NO_SLOT);
	assert_int_equal(topology_find_number(&t, 0, 0), NO_SLOT);
	assert_int_equal(topology_disk_of(&t, 1), 0);
	assert_int_equal(topology_disk_of(&t, 2), 2);
	assert_int_equal(topology_disk_of(&t, 99), NO_SLOT);
	assert_int_equal(topology_disk_of(&t, NO_SLOT), NO_SLOT);
	assert_true(topology_is_member(&t, 0));
	assert_true(topology_is_member(&t, 1));
	assert_false(topology_is_member(&t, 2));
	assert_false(topology_is_member(&t, NO_SLOT));

	t.devices[1]->present = false;
	assert_int_equal(topology_find(&t, "sda1"), NO_SLOT);
	assert_int_equal(topology_find_number(&t, 8, 1), NO_SLOT);
	t.devices[3]->present = false;
	assert_false(topology_is_member(&t, 0));
	topology_release(&t);
}

/* ---- identity ---- */

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

/* ---- how devices hang together ---- */

static void survey_disk(struct topology *held, const char *disk, const char *partition)
{
	struct topology fresh;
	struct device *d;

	topology_init(&fresh);
	if (partition) {
		/* Before its disk: the order of a survey means nothing. */
		d = topology_add_device(&fresh, DEVICE_PARTITION, partition);
		d->parent = 1;
		text_copy(d->disk.serial, sizeof(d->disk.serial), "A");
	}
	d = topology_add_device(&fresh, DEVICE_DISK, disk);
	text_copy(d->disk.serial, sizeof(d->disk.serial), "A");
	topology_adopt(held, &fresh, NULL);
	topology_release(&fresh);
}

static void partitions_follow_their_disk(void **state)
{
	struct topology held;

	(void)state;
	topology_init(&held);
	survey_disk(&held, "sda", "sda1");
	assert_int_equal(held.n_devices, 2);
	assert_int_equal(held.devices[topology_find(&held, "sda1")]->parent,
			 topology_find(&held, "sda"));
	survey_disk(&held, "sdb", NULL); /* its partitions are not read yet */
	survey_disk(&held, "sdb", "sdb1");
	assert_int_equal(held.n_devices, 2);
	assert_int_equal(topology_find(&held, "sdb1"), 0);
	assert_int_equal(held.devices[0]->parent, 1);
	survey_disk(&held, "sdb", "sdb2");
	assert_int_equal(held.n_devices, 3);
	assert_int_equal(topology_find(&held, "sdb2"), 2);
	assert_int_equal(held.devices[2]->parent, 1);
	topology_release(&held);
}

static void impossible_indices_become_none(void **state)
{
	static const int parents[] = { -5, 0, 1, 2, 99, INT32_MAX };
	struct topology held, fresh;

	(void)state;
	topology_init(&held);
	for (size_t i = 0; i < COUNT(parents); i++) {
		struct device *d;

		topology_init(&fresh);
		topology_add_device(&fresh, DEVICE_PARTITION, "sda1")->parent = parents[i];
		topology_add_device(&fresh, DEVICE_PARTITION, "sda2")->parent = 0;
		d = topology_add_array(&fresh, "md0");
		d->parent = 0;
		array_add_member(d->array, "sda1")->device = 77;
		array_add_member(d->array, "sda2")->device = -3;
		topology_adopt(&held, &fresh, NULL);
		topology_release(&fresh);
		d = held.devices[topology_find(&held, "md0")];
		assert_int_equal(d->parent, NO_SLOT);
		assert_int_equal(d->array->members[0].device, NO_SLOT);
		assert_int_equal(d->array->members[1].device, NO_SLOT);
		assert_int_equal(held.devices[topology_find(&held, "sda2")]->parent, NO_SLOT);
		assert_int_equal(held.devices[topology_find(&held, "sda1")]->parent,
				 parents[i] == 2 ? topology_find(&held, "md0") : NO_SLOT);
	}
	topology_release(&held);
}

/* md goes on naming a disk that was pulled; its slot is known all the same. */
static void a_pulled_disk_stays_a_member(void **state)
{
	struct topology held, fresh;
	struct device *md;

	(void)state;
	topology_init(&held);
	for (int round = 0; round < 2; round++) {
		topology_init(&fresh);
		md = topology_add_array(&fresh, "md0");
		array_add_member(md->array, "sda");
		array_add_member(md->array, "sdx"); /* never seen */
		if (round == 0) {
			topology_add_device(&fresh, DEVICE_DISK, "sda");
			md->array->members[0].device = 1;
		}
		topology_adopt(&held, &fresh, NULL);
		topology_release(&fresh);
	}
	assert_false(held.devices[1]->present);
	assert_int_equal(held.devices[0]->array->members[0].device, 1);
	assert_int_equal(held.devices[0]->array->members[1].device, NO_SLOT);
	topology_release(&held);
}

/* ---- what is a change ---- */

static struct topology *one_array(struct topology *t, int32_t temperature_mc, int32_t percent)
{
	struct device *d;

	topology_init(t);
	d = topology_add_device(t, DEVICE_DISK, "sda");
	d->disk.temperature_mc = temperature_mc;
	d = topology_add_array(t, "md0");
	array_add_member(d->array, "sda")->device = 0;
	d->array->action.kind = ACTION_CHECK;
	d->array->action.percent_tenths = percent;
	d->array->action.done_bytes = (uint64_t)percent;
	d->array->action.speed_bytes_per_sec = (uint64_t)percent;
	d->array->action.finish_s = (uint64_t)percent;
	return t;
}

static void what_moves_is_no_change(void **state)
{
	struct topology held, fresh;
	uint64_t generation;

	(void)state;
	topology_init(&held);
	assert_true(topology_adopt(&held, one_array(&fresh, 38000, 10), NULL));
	topology_release(&fresh);
	generation = held.generation;
	assert_true(generation > 0);
	assert_false(topology_adopt(&held, one_array(&fresh, 39000, 20), NULL));
	topology_release(&fresh);
	assert_int_equal(held.generation, generation);
	assert_int_equal(held.devices[0]->disk.temperature_mc, 39000);
	assert_int_equal(held.devices[1]->array->action.percent_tenths, 20);
	assert_int_equal(held.devices[1]->array->action.finish_s, 20);

	one_array(&fresh, 39000, 20);
	fresh.devices[1]->array->members[0].flags = MEMBER_FLAG_FAULTY;
	assert_true(topology_adopt(&held, &fresh, NULL));
	topology_release(&fresh);
	assert_int_equal(held.generation, generation + 1);
	topology_release(&held);
}

static void temperatures_read_meanwhile_are_kept(void **state)
{
	struct topology held, fresh;

	(void)state;
	topology_init(&held);
	topology_adopt(&held, one_array(&fresh, UNKNOWN_I32, 0), NULL);
	topology_release(&fresh);
	held.devices[0]->disk.temperature_mc = 41500;
	held.devices[0]->disk.temperature_at_us = 7000000;
	assert_false(topology_adopt(&held, one_array(&fresh, UNKNOWN_I32, 0), NULL));
	topology_release(&fresh);
	assert_int_equal(held.devices[0]->disk.temperature_mc, 41500);
	assert_int_equal(held.devices[0]->disk.temperature_at_us, 7000000);

	/* But not over a time when the disk was away. */
	topology_init(&fresh);
	topology_adopt(&held, &fresh, NULL);
	topology_release(&fresh);
	topology_adopt(&held, one_array(&fresh, UNKNOWN_I32, 0), NULL);
	topology_release(&fresh);
	assert_int_equal(held.devices[0]->disk.temperature_mc, UNKNOWN_I32);
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
		cmocka_unit_test(everything_new_is_unknown),
		cmocka_unit_test(devices_are_found),
		cmocka_unit_test(the_same_device_finds_its_slot),
		cmocka_unit_test(disks_that_change_places),
		cmocka_unit_test(two_paths_to_one_disk_are_two_devices),
		cmocka_unit_test(a_third_path_takes_the_latest_slot),
		cmocka_unit_test(a_name_given_up_goes_to_nobody_else),
		cmocka_unit_test(one_name_twice),
		cmocka_unit_test(a_long_name_still_gets_its_number),
		cmocka_unit_test(partitions_follow_their_disk),
		cmocka_unit_test(impossible_indices_become_none),
		cmocka_unit_test(a_pulled_disk_stays_a_member),
		cmocka_unit_test(what_moves_is_no_change),
		cmocka_unit_test(temperatures_read_meanwhile_are_kept),
		cmocka_unit_test(what_was_known_once_stays_known),
		cmocka_unit_test(pointers_to_devices_stay_good),
	};

	return cmocka_run_group_tests_name("topology", tests, NULL, NULL);
}
