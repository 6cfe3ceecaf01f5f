/*
 * Captured machines, read through --root: what each capture was made to show, and what must be true
 * of all of them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine_files.h"
#include "raidtop/fields.h"
#include "raidtop/text.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

/* ---- facts ---- */

/* The fields of one device; "" stands for unknown. */
static const struct fact {
	const char *capture, *device, *key, *value;
} facts[] = {
	/* levels, layouts, chunks: all of mdadm's are in linux_mdadm_test */
	{ "raid5", "md0", "level", "raid5" },
	{ "raid5", "md0", "layout", "left-symmetric" },
	{ "raid5", "md0", "chunk_bytes", "65536" },
	{ "raid5", "md0", "size_bytes", "132120576" },
	{ "raid5", "md0", "stripe_cache_size", "256" },
	{ "raid10-f2", "md0", "layout", "f2" },
	{ "raid10-o2", "md0", "layout", "o2" },
	{ "raid10-n3", "md0", "layout", "n3" },
	{ "raid4", "md0", "layout", "" },
	{ "raid0", "md0", "slots", "" },
	{ "raid0", "md0", "working", "" },
	{ "linear", "md0", "level", "linear" },
	{ "linear", "md0", "chunk_bytes", "" },
	{ "linear", "md0", "degraded", "" },
	{ "raid1-2", "md0", "chunk_bytes", "" },
	{ "faulty", "md0", "level", "faulty" },
	{ "build-raid0", "md0", "metadata", "non-persistent" },
	{ "metadata", "md0", "metadata", "0.90" },
	{ "metadata", "md0", "uuid", "3a2e8606:2b624c85:c3f27057:f2341394" },
	{ "metadata", "md2", "metadata", "1.1" },
	/* states */
	{ "raid1-degraded", "md0", "slots", "_UU" },
	{ "raid1-degraded", "md0", "degraded", "1" },
	{ "raid1-degraded", "md0", "working", "2" },
	{ "raid5.broken", "md0", "state", "broken" },
	{ "raid5.broken", "md0", "slots", "U__" },
	{ "raid0-broken", "md0", "state", "broken" },
	{ "inactive", "md0", "state", "inactive" },
	{ "inactive", "md0", "level", "" },
	{ "inactive", "md0", "uuid", "" },
	{ "inactive", "md0", "size_bytes", "66060288" },
	{ "inactive", "md0", "counts_io", "" },
	{ "auto-read-only", "md0", "readonly", "auto-read-only" },
	{ "auto-read-only.read-only", "md0", "readonly", "read-only" },
	{ "raid1-2", "md0", "readonly", "" },
	{ "raid1-bitmap", "md0", "bitmap", "true" },
	{ "raid1-bitmap-file", "md0", "bitmap", "true" },
	{ "raid1-2", "md0", "bitmap", "false" },
	{ "raid5-ppl", "md0", "consistency_policy", "ppl" },
	{ "raid5-journal", "md0", "consistency_policy", "journal" },
	{ "inactive", "md0", "consistency_policy", "" },
	{ "check.frozen", "md0", "frozen", "true" },
	{ "check.frozen", "md0", "action", "" },
	{ "raid5", "md0", "frozen", "false" },
	{ "raid0", "md0", "frozen", "" },
	{ "check.mismatches", "md0", "mismatch_count", "2560" },
	/* containers and their volumes */
	{ "imsm", "md127", "state", "inactive" },
	{ "imsm", "md127", "metadata", "external:imsm" },
	{ "imsm", "md126", "metadata", "external:/md127/0" },
	{ "imsm", "md126", "layout", "left-asymmetric" },
	{ "ddf", "md126", "level", "raid1" },
	{ "imsm", "md127", "level", "container" },
	{ "imsm", "md127", "size_bytes", "" }, /* mdstat prints 3315 blocks: metadata */
	{ "imsm", "md127", "container", "" },
	{ "imsm", "md127", "spares", "" }, /* which of its disks failed, md does not say */
	{ "imsm", "md126", "spares", "0" },
	{ "imsm", "md126", "container", "md127" },
	{ "imsm", "md126", "container_volume", "0" },
	{ "imsm.building", "md126", "container", "md127" },
	{ "ddf", "md125", "container", "md127" },
	{ "ddf", "md125", "container_volume", "1" },
	{ "ddf", "md127", "metadata", "external:ddf" },
	{ "ddf", "md127", "level", "container" },
	{ "raid5", "md0", "container", "" },
	{ "raid5", "md0", "container_volume", "" },
	/* spares, journal, bitmap, stripe cache, limits, reshape */
	{ "raid1-degraded", "md0", "spares", "0" }, /* BUGS.md 24: never one, and never -1 */
	{ "raid1-spare", "md0", "spares", "2" },
	{ "raid1-degraded.failed", "md0", "spares", "0" },
	{ "raid5-journal", "md0", "journal_mode", "write-through" },
	{ "raid5", "md0", "journal_mode", "" },
	{ "raid1-bitmap", "md0", "bitmap_location", "internal" },
	{ "raid1-2", "md0", "bitmap_location", "" },
	{ "raid1-2", "md0", "bitmap_chunk_bytes", "" },
	{ "raid5", "md0", "stripe_cache_active", "0" },
	{ "raid1-2", "md0", "stripe_cache_active", "" },
	{ "check", "md0", "sync_min_bytes_per_sec", "204800" },
	{ "check", "md0", "sync_min_is_local", "false" },
	{ "check", "md0", "sync_max_is_local", "false" },
	{ "raid0", "md0", "sync_max_bytes_per_sec", "" },
	{ "reshape", "md0", "reshape_position_bytes", "1572864" },
	{ "reshape.done", "md0", "reshape_position_bytes", "" },
	/* actions: which one from sysfs, how far from mdstat */
	{ "check", "md0", "action", "check" },
	{ "check.repair", "md0", "action", "repair" },
	{ "raid1-3.resync", "md0", "action", "resync" },
	{ "raid5.building", "md0", "action", "recovery" },
	{ "reshape", "md0", "action", "reshape" },
	{ "reshape", "md0", "raid_disks", "4" }, /* BUGS.md 11, WISHES.md 21: sysfs has "4 (3)" */
	{ "reshape", "md0", "raid_disks_before", "3" },
	{ "reshape.done", "md0", "raid_disks_before", "" },
	{ "delayed", "md0", "action_state", "" },
	{ "delayed", "md1", "action", "resync" },
	{ "delayed", "md1", "action_state", "delayed" },
	{ "pending", "md0", "action", "resync" },
	{ "pending", "md0", "action_state", "pending" },
	{ "check-partial", "md0", "action_finish_s", "36" },
	{ "check-partial", "md0", "action_speed_bytes_per_sec", "786432" },
	/* disks */
	{ "raid5", "vda", "serial", "RIG0" },
	{ "raid5", "vda", "transport", "virtio" },
	{ "raid5", "vda", "model", "" },
	{ "raid5", "vda", "rotational", "true" },
	{ "raid5", "vda", "temperature_c", "" },
	{ "raid5", "vda", "temperature_why", "virtual disks have no sensor" },
	{ "ddf", "sda", "transport", "scsi" },
	{ "ddf", "sda", "model", "QEMU HARDDISK" },
	{ "temps", "nvme0n1", "transport", "nvme" },
	{ "temps", "nvme0n1", "model", "QEMU NVMe Ctrl" },
	{ "temps", "nvme0n1", "serial", "RIG2" },
	{ "temps", "nvme0n1", "firmware", "7.2.22" },
	{ "temps", "nvme0n1", "wwn", "nvme.1b36-52494732-51454d55204e564d65204374726c-00000001" },
	{ "temps", "nvme0n1", "rotational", "false" },
	{ "temps", "nvme0n1", "temperature_c", "49.9" },
	{ "temps", "nvme0n1", "temperature_why", "" },
	{ "temps", "sda", "transport", "ata" }, /* a PIIX adapter: perhaps SATA, perhaps not */
	{ "temps", "sdb", "transport", "sata" },
	{ "temps", "sdb", "serial", "RIG0" }, /* from its T10 name, without udev */
	{ "temps", "sdb", "firmware", "2.5+" },
	{ "temps", "sdb", "temperature_c", "31.0" },
	/* a partition has its disk's equipment and its own size */
	{ "mixed", "nvme0n1p1", "device_kind", "partition" },
	{ "mixed", "nvme0n1p1", "model", "QEMU NVMe Ctrl" },
	{ "mixed", "nvme0n1p1", "temperature_c", "49.9" },
	{ "mixed", "nvme0n1p1", "size_bytes", "50331648" },
	/* device-mapper counts, though its queues say no */
	{ "md-on-dm", "dm-0", "counts_io", "" },
	{ "md-on-dm", "dm-0", "transport", "dm" },
	/* loops and ram disks: of interest with something in them */
	{ "loop", "loop0", "minor_interest", "false" },
	{ "loop", "loop2", "minor_interest", "true" },
	{ "wide", "ram0", "minor_interest", "false" },
};

static void check_fact(struct topology *t, const struct fact *f)
{
	const enum field_owner owners[] = { FIELD_OF_DEVICE, FIELD_OF_DISK, FIELD_OF_ARRAY };
	int slot = topology_find(t, f->device);
	char value[FIELD_VALUE_BYTES] = "";
	const struct field *field = NULL;

	print_message("  %s %s %s\n", f->capture, f->device, f->key);
	assert_int_not_equal(slot, NO_SLOT);
	for (size_t i = 0; i < COUNT(owners) && !field; i++) {
		const void *owner = field_owner_of(owners[i], t->devices[slot]);

		field = field_find(owners[i], f->key, strlen(f->key));
		if (field && owner)
			field_format(field, owner, value, sizeof(value));
	}
	assert_non_null(field);
	assert_string_equal(value, f->value);
}

/* Facts stand together by capture: each is unpacked once for a row of them. */
static void facts_of_captures(void **state)
{
	const char *open = NULL;
	struct machine_files m;
	struct topology t;

	(void)state;
	for (size_t i = 0; i < COUNT(facts); i++) {
		if (open && strcmp(open, facts[i].capture) != 0) {
			topology_release(&t);
			open = NULL;
		}
		if (!open) {
			struct provider *p;

			if (!machine_unpack(&m, facts[i].capture))
				skip();
			p = machine_provider(&m);
			machine_survey(p, &t);
			provider_free(p);
			machine_remove(&m);
			open = facts[i].capture;
		}
		check_fact(&t, &facts[i]);
	}
	topology_release(&t);
}

/* ---- members ---- */

/* name:place:number:flags:state, "-" for unknown, in the topology's order. */
static const struct members_case {
	const char *capture, *array, *members;
} members_cases[] = {
	{ "raid5", "md0", "vda:0:0::in_sync vdb:1:1::in_sync vdc:2:3::in_sync" },
	{ "raid1-spare", "md0",
	  "vda:0:0::in_sync vdb:1:1::in_sync vdc:-:2:S:spare vdd:-:3:S:spare" },
	{ "raid1-degraded", "md0", ":0:-::missing vdb:1:1::in_sync vdc:2:2::in_sync" },
	{ "raid1-degraded.failed", "md0",
	  ":0:-::missing vdb:1:1::in_sync vdc:2:2::in_sync vda:-:0:F:faulty" },
	{ "raid1-degraded.rebuilding", "md0",
	  "vda:0:3::rebuilding vdb:1:1::in_sync vdc:2:2::in_sync" },
	{ "raid1-replace", "md0",
	  "vda:0:0::in_sync vdb:1:1::in_sync vdd:1:3:R:rebuilding vdc:2:2::in_sync" },
	{ "raid5-journal", "md0",
	  "vda:0:1::in_sync vdb:1:2::in_sync vdc:2:3::in_sync vdd:-:0:J:journal" },
	{ "raid1-writemostly", "md0", "vda:0:0::in_sync vdb:1:1:W:in_sync vdc:2:2:W:in_sync" },
	{ "raid5.broken", "md0", "vda:0:0::in_sync vdb:1:1:F:faulty :2:-::missing" },
	{ "inactive", "md0", "vda:-:0:S:spare" },
	{ "nested", "md0", "md1:0:0::in_sync md2:1:1::in_sync" },
	{ "ddf", "md126", "sdb:0:0::in_sync sda:1:1::in_sync" },
	{ "ddf", "md127", "sda:-:0:S:held sdb:-:1:S:held sdc:-:2:S:held" },
};

static void describe_number(struct buffer *b, int32_t value)
{
	if (value == UNKNOWN_I32)
		buffer_add_text(b, "-");
	else
		buffer_format(b, "%d", value);
}

static void describe_members(struct buffer *b, const struct array *a)
{
	buffer_reset(b);
	for (size_t i = 0; i < a->n_members; i++) {
		const struct member *m = &a->members[i];
		char flags[16];

		member_flags_format(flags, m->flags, ',');
		buffer_format(b, "%s%s:", i ? " " : "", m->name);
		describe_number(b, m->role);
		buffer_add_text(b, ":");
		describe_number(b, m->slot);
		buffer_format(b, ":%s:%s", flags, member_state_name(m->state));
	}
}

static void members_of_captures(void **state)
{
	struct buffer b = BUFFER_INIT;

	(void)state;
	for (size_t i = 0; i < COUNT(members_cases); i++) {
		const struct members_case *c = &members_cases[i];
		struct machine_files m;
		struct provider *p;
		struct topology t;

		print_message("  %s %s\n", c->capture, c->array);
		if (!machine_unpack(&m, c->capture))
			skip();
		p = machine_provider(&m);
		machine_survey(p, &t);
		describe_members(&b, t.devices[topology_find(&t, c->array)]->array);
		assert_string_equal(buffer_text(&b), c->members);
		topology_release(&t);
		provider_free(p);
		machine_remove(&m);
	}
	buffer_release(&b);
}

/* ---- what is true of all ---- */

static void check_member(const struct topology *t, const struct member *m)
{
	if (m->state == MEMBER_MISSING) {
		assert_string_equal(m->name, "");
		assert_int_equal(m->device, NO_SLOT);
		return;
	}
	assert_true(m->name[0] != '\0');
	if (m->device != NO_SLOT)
		assert_string_equal(t->devices[m->device]->kernel_name, m->name);
}

static void check_device(const struct topology *t, size_t slot)
{
	const struct device *d = t->devices[slot];

	assert_true(d->present);
	assert_int_equal(topology_find_number(t, d->major, d->minor), (int)slot);
	assert_int_equal(topology_find(t, d->kernel_name), (int)slot);
	assert_int_equal(d->kind == DEVICE_PARTITION, d->parent != NO_SLOT);
	assert_int_equal(d->kind == DEVICE_ARRAY, d->array != NULL);
	if (d->kind == DEVICE_DISK)
		assert_int_equal(d->disk.temperature_mc == UNKNOWN_I32,
				 d->disk.temperature_why[0] != '\0');
	if (!d->array)
		return;
	assert_string_equal(d->array->kind, "md");
	if (d->array->slots[0])
		assert_int_equal(strlen(d->array->slots), d->array->raid_disks);
	for (size_t i = 0; i < d->array->n_members; i++)
		check_member(t, &d->array->members[i]);
}

/* Every device of a capture has counters in the capture's diskstats. */
static void check_counters(struct provider *p, struct topology *t)
{
	struct snapshot s;

	snapshot_init(&s);
	assert_int_equal(p->ops->sample(p, t, &s), 0);
	assert_int_equal(s.n_devices, t->n_devices);
	for (size_t i = 0; i < t->n_devices; i++)
		assert_true(counters_has(&s.devices[i], COUNTER_READ_BYTES) &&
			    counters_has(&s.devices[i], COUNTER_QUEUE_US));
	snapshot_release(&s);
}

static void all_captures(void **state)
{
	char **names;
	size_t n = machine_captures(&names);

	(void)state;
	if (n == 0)
		skip();
	for (size_t c = 0; c < n; c++) {
		struct machine_files m;
		struct provider *p;
		struct topology t;

		print_message("  %s\n", names[c]);
		assert_true(machine_unpack(&m, names[c]));
		p = machine_provider(&m);
		machine_survey(p, &t);
		for (size_t i = 0; i < t.n_devices; i++)
			check_device(&t, i);
		check_counters(p, &t);
		assert_false(p->ops->dirty(p));
		topology_release(&t);
		provider_free(p);
		machine_remove(&m);
	}
	machine_captures_free(names, n);
}

/* An array that was stopped leaves md5 in sysfs; so does one whose disks were all pulled. */
static void stopped_arrays_are_gone(void **state)
{
	struct machine_files m;
	struct provider *p;
	struct topology t;

	(void)state;
	if (!machine_unpack(&m, "stopped"))
		skip();
	p = machine_provider(&m);
	machine_survey(p, &t);
	assert_int_equal(topology_find(&t, "md5"), NO_SLOT);
	assert_int_not_equal(topology_find(&t, "vda"), NO_SLOT);
	topology_release(&t);
	provider_free(p);
	machine_remove(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(facts_of_captures),
		cmocka_unit_test(members_of_captures),
		cmocka_unit_test(all_captures),
		cmocka_unit_test(stopped_arrays_are_gone),
	};

	return cmocka_run_group_tests_name("linux captures", tests, NULL, NULL);
}
