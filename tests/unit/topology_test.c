/* The topology by itself: how devices are found, how they hang together, what is a change. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "raidtop/text.h"
#include "raidtop/topology.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(everything_new_is_unknown),
		cmocka_unit_test(devices_are_found),
		cmocka_unit_test(partitions_follow_their_disk),
		cmocka_unit_test(impossible_indices_become_none),
		cmocka_unit_test(a_pulled_disk_stays_a_member),
		cmocka_unit_test(what_moves_is_no_change),
		cmocka_unit_test(temperatures_read_meanwhile_are_kept),
	};

	return cmocka_run_group_tests_name("topology", tests, NULL, NULL);
}
