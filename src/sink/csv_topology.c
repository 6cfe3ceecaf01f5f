/*
 * What a recording tells about the equipment. Beside each slot of the topology lies a copy of
 * what was written of it; the lines are the difference between the two. A device that is told
 * for the first time differs from one of which nothing is known, so that the same comparison
 * writes the beginning, a change, and all of it at a keyframe.
 */
#include <stdlib.h>
#include <string.h>

#include "csv.h"
#include "raidtop/fields.h"
#include "raidtop/memory.h"
#include "raidtop/number.h"

/* Fields that identify a device: written in lines of kind `device`, the others as facts. */
static const char *const identity_keys[] = { "device_kind", "serial", "wwn", "uuid" };

static bool is_identity(const struct field *f)
{
	for (size_t i = 0; i < sizeof(identity_keys) / sizeof(identity_keys[0]); i++) {
		if (strcmp(f->key, identity_keys[i]) == 0)
			return true;
	}
	return false;
}

static bool moves_between_surveys(const struct field *f)
{
	return f->moves && !f->is_state && f->owner != FIELD_OF_MEMBER;
}

/* Most devices are no arrays: what only those have comes last in `moving`. */
void csv_topology_init(struct csv *csv)
{
	topology_init(&csv->defaults);
	topology_init(&csv->written);
	topology_add_array(&csv->defaults, "");
	csv->moving = memory_new(n_fields, sizeof(csv->moving[0]));
	for (size_t i = 0; i < n_fields; i++) {
		const struct field *f = &fields[i];

		if (moves_between_surveys(f) && f->owner != FIELD_OF_ARRAY)
			csv->moving[csv->n_moving++] = f;
	}
	csv->n_moving_of_all = csv->n_moving;
	for (size_t i = 0; i < n_fields; i++) {
		if (moves_between_surveys(&fields[i]) && fields[i].owner == FIELD_OF_ARRAY)
			csv->moving[csv->n_moving++] = &fields[i];
	}
}

void csv_topology_release(struct csv *csv)
{
	for (size_t i = 0; i < csv->n_devices; i++) {
		free(csv->devices[i].members);
		free(csv->devices[i].on);
	}
	free(csv->devices);
	free(csv->moving);
	topology_release(&csv->defaults);
	topology_release(&csv->written);
}

void csv_topology_forget(struct csv *csv)
{
	for (size_t i = 0; i < csv->n_devices; i++)
		csv->devices[i].is_written = csv->devices[i].was_sampled = false;
	csv->generation = UINT64_MAX; /* none is like it: all is compared */
}

static void grow(struct csv *csv)
{
	size_t n = csv->topology->n_devices;

	if (n <= csv->n_devices)
		return;
	csv->devices = memory_resize(csv->devices, n, sizeof(csv->devices[0]));
	memset(&csv->devices[csv->n_devices], 0, (n - csv->n_devices) * sizeof(csv->devices[0]));
	csv->n_devices = n;
}

/* ---- devices and facts ---- */

static void write_identity(struct csv *csv, const struct device *d, const char *state,
			   const char *key, const char *value)
{
	csv_line_begin(csv, RECORD_DEVICE);
	record_line_set_text(&csv->line, COLUMN_NAME, d->name);
	if (d->parent >= 0 && (size_t)d->parent < csv->topology->n_devices)
		record_line_set_text(&csv->line, COLUMN_PARENT,
				     csv->topology->devices[d->parent]->name);
	record_line_set_text(&csv->line, COLUMN_STATE, state);
	record_line_set_text(&csv->line, COLUMN_KEY, key);
	record_line_set_text(&csv->line, COLUMN_VALUE, value);
	csv_line_end(csv);
}

static void write_fact(struct csv *csv, const struct device *d, const char *key, const char *value)
{
	csv_line_begin(csv, RECORD_FACT);
	record_line_set_text(&csv->line, COLUMN_NAME, d->name);
	record_line_set_text(&csv->line, COLUMN_KEY, key);
	record_line_set_text(&csv->line, COLUMN_VALUE, value);
	csv_line_end(csv);
}

static const void *owner_in(enum field_owner owner, const struct device *d)
{
	switch (owner) {
	case FIELD_OF_DEVICE:
		return d;
	case FIELD_OF_DISK:
		return &d->disk;
	case FIELD_OF_ARRAY:
		return d->array;
	case FIELD_OF_MEMBER:
		break;
	}
	return NULL;
}

/* Writes the field where it is not what was written; returns whether it did. */
static bool write_field(struct csv *csv, const struct field *f, const struct device *d,
			const struct device *written)
{
	const void *now = owner_in(f->owner, d), *before = owner_in(f->owner, written);
	char value[FIELD_VALUE_BYTES];

	if (!now || !before || field_equal(f, now, before))
		return false;
	field_format(f, now, value, sizeof(value));
	if (is_identity(f))
		write_identity(csv, d, "present", f->key, value);
	else
		write_fact(csv, d, f->key, value);
	return true;
}

/* Takes over `d` as written; members are kept apart. The copy has room for an array's fields. */
static void copy_device(struct device *written, const struct device *d)
{
	struct array *array = written->array;

	*written = *d;
	written->array = array;
	if (!d->array)
		return;
	*array = *d->array;
	array->members = NULL;
	array->n_members = 0;
}

/* Makes the copy one of a device of which nothing is known but its name. */
static void forget_device(struct csv *csv, struct csv_device *c, const struct device *d)
{
	if (!c->device)
		c->device = topology_add_array(&csv->written, d->name);
	copy_device(c->device, csv->defaults.devices[0]);
	c->device->kind = d->kind;
	c->device->parent = d->parent;
	text_copy(c->device->name, sizeof(c->device->name), d->name);
	text_copy(c->device->kernel_name, sizeof(c->device->kernel_name), d->name);
	c->n_members = 0;
	c->n_on = 0;
}

static void write_kind(struct csv *csv, const struct device *d)
{
	static const char key[] = "device_kind";
	const struct field *f = field_find(FIELD_OF_DEVICE, key, sizeof(key) - 1);
	char value[FIELD_VALUE_BYTES];

	field_format(f, d, value, sizeof(value));
	write_identity(csv, d, "present", key, value);
}

static void write_device(struct csv *csv, struct csv_device *c, const struct device *d, bool again)
{
	bool changed = false;

	/* The line `device_kind` begins a device: what was told before it holds no more. */
	if (!c->is_written || again || c->device->parent != d->parent) {
		forget_device(csv, c, d);
		write_kind(csv, d);
		c->is_written = true;
	}
	for (size_t i = 0; i < n_fields; i++) {
		if (fields[i].owner != FIELD_OF_MEMBER && !fields[i].is_state)
			changed |= write_field(csv, &fields[i], d, c->device);
	}
	if (changed)
		copy_device(c->device, d);
}

/* ---- links ---- */

static void write_link(struct csv *csv, const struct device *array, const struct member *m,
		       const char *key, const char *value)
{
	const char *state = m ? member_state_name(m->state) : NULL;

	csv_line_begin(csv, RECORD_LINK);
	record_line_set_text(&csv->line, COLUMN_NAME, m ? m->name : "");
	record_line_set_text(&csv->line, COLUMN_PARENT, array->name);
	record_line_set_text(&csv->line, COLUMN_STATE, state ? state : "");
	record_line_set_text(&csv->line, COLUMN_KEY, key);
	record_line_set_text(&csv->line, COLUMN_VALUE, value);
	csv_line_end(csv);
}

static const struct device *device_at(const struct topology *t, int slot)
{
	return slot >= 0 && (size_t)slot < t->n_devices ? t->devices[slot] : NULL;
}

/* The slot that a reader finds by the member's name alone, be its device there or gone. */
static int slot_of_name(const struct topology *t, const char *name)
{
	for (size_t i = 0; name[0] && i < t->n_devices; i++) {
		if (strcmp(t->devices[i]->name, name) == 0)
			return (int)i;
	}
	return NO_SLOT;
}

static void describe_member(const struct topology *t, const struct member *m,
			    struct csv_member *ret)
{
	const struct device *d = device_at(t, m->device);

	ret->member = *m;
	/* A name is one slot's alone: the usual case needs no search. */
	ret->names_device = !(d && m->name[0] && strcmp(d->name, m->name) == 0) &&
			    m->device != slot_of_name(t, m->name);
	text_copy(ret->device, sizeof(ret->device), d && ret->names_device ? d->name : "");
}

static bool is_same_member(const struct csv_member *a, const struct csv_member *b)
{
	for (size_t i = 0; i < n_fields; i++) {
		if (fields[i].owner == FIELD_OF_MEMBER &&
		    !field_equal(&fields[i], &a->member, &b->member))
			return false;
	}
	return a->names_device == b->names_device && strcmp(a->device, b->device) == 0;
}

static void write_member(struct csv *csv, const struct device *array, const struct csv_member *c)
{
	const struct member *m = &c->member;
	const struct device *disk =
		device_at(csv->topology, topology_disk_of(csv->topology, m->device));
	char value[FIELD_VALUE_BYTES];

	/* The table has the slot first; it opens a member and is written in any case. */
	for (size_t i = 0; i < n_fields; i++) {
		const struct field *f = &fields[i];

		if (f->owner != FIELD_OF_MEMBER || f->is_state)
			continue;
		field_format(f, m, value, sizeof(value));
		if (value[0] || strcmp(f->key, "slot") == 0)
			write_link(csv, array, m, f->key, value);
	}
	if (disk)
		write_link(csv, array, m, "disk", disk->name);
	if (c->names_device)
		write_link(csv, array, m, "device", c->device);
}

static bool members_differ(const struct csv *csv, const struct csv_device *c, const struct array *a)
{
	if (c->n_members != a->n_members)
		return true;
	for (size_t i = 0; i < a->n_members; i++) {
		struct csv_member now;

		describe_member(csv->topology, &a->members[i], &now);
		if (!is_same_member(&c->members[i], &now))
			return true;
	}
	return false;
}

/* The members of an array are told as one list: the line `members` opens it. */
static void write_members(struct csv *csv, struct csv_device *c, const struct device *d)
{
	const struct array *a = d->array;
	char count[NUMBER_BYTES];

	if (!a || !members_differ(csv, c, a))
		return;
	if (c->members_size < a->n_members) {
		c->members = memory_resize(c->members, a->n_members, sizeof(c->members[0]));
		c->members_size = a->n_members;
	}
	c->n_members = a->n_members;
	number_format_u64(count, a->n_members);
	write_link(csv, d, NULL, "members", count);
	for (size_t i = 0; i < a->n_members; i++) {
		describe_member(csv->topology, &a->members[i], &c->members[i]);
		write_member(csv, d, &c->members[i]);
	}
}

/* ---- which array a device serves ---- */

static void note_array(struct csv *csv, int slot, int array, enum member_state state)
{
	struct csv_device *c = &csv->devices[slot];

	if (c->array == array)
		return; /* by another of its partitions */
	c->array = c->array == ARRAY_NONE ? array : ARRAY_SEVERAL;
	c->member = c->array == ARRAY_SEVERAL ? MEMBER_STATE_UNKNOWN : state;
}

static void find_arrays(struct csv *csv)
{
	const struct topology *t = csv->topology;

	for (size_t i = 0; i < csv->n_devices; i++) {
		csv->devices[i].array = ARRAY_NONE;
		csv->devices[i].member = MEMBER_STATE_UNKNOWN;
	}
	for (size_t i = 0; i < t->n_devices; i++) {
		const struct array *a = t->devices[i]->present ? t->devices[i]->array : NULL;

		for (size_t k = 0; a && k < a->n_members; k++) {
			int slot = a->members[k].device, disk = topology_disk_of(t, slot);

			if (a->members[k].state == MEMBER_HELD)
				continue; /* it serves the volumes of that container */
			if (device_at(t, slot))
				note_array(csv, slot, (int)i, a->members[k].state);
			if (disk != slot && device_at(t, disk))
				note_array(csv, disk, (int)i, a->members[k].state);
		}
	}
}

/*
 * Partitions and things like ram disks are told only where an array or another device rests on
 * them; once told, they stay while they are there.
 */
static bool is_told(const struct csv *csv, size_t slot)
{
	const struct device *d = csv->topology->devices[slot];

	if (!d->present)
		return false;
	if (csv->devices[slot].is_written)
		return true;
	return (d->kind != DEVICE_PARTITION && !d->minor_interest) ||
	       csv->devices[slot].array != ARRAY_NONE || csv->devices[slot].carries;
}

/* A device that went, or that got another name, which to a reader is another device. */
static void write_gone(struct csv *csv, struct csv_device *c, const struct device *d)
{
	if (!c->is_written || (d->present && strcmp(c->device->name, d->name) == 0))
		return;
	write_identity(csv, c->device, "gone", "", "");
	c->is_written = c->was_sampled = false;
}

static void write_all(struct csv *csv, bool again)
{
	const struct topology *t = csv->topology;

	grow(csv);
	find_arrays(csv);
	csv_stands_find(csv);
	for (size_t i = 0; i < t->n_devices; i++)
		write_gone(csv, &csv->devices[i], t->devices[i]);
	for (size_t i = 0; i < t->n_devices; i++) {
		if (is_told(csv, i))
			write_device(csv, &csv->devices[i], t->devices[i], again);
	}
	for (size_t i = 0; i < t->n_devices; i++) {
		if (csv->devices[i].is_written)
			write_members(csv, &csv->devices[i], t->devices[i]);
	}
	csv_stands_write(csv);
	csv->generation = t->generation;
}

/* The fields that may change with any tick. */
static void write_moving(struct csv *csv)
{
	for (size_t i = 0; i < csv->n_devices; i++) {
		struct csv_device *c = &csv->devices[i];
		const struct device *d = csv->topology->devices[i];
		size_t n = d->array ? csv->n_moving : csv->n_moving_of_all;
		bool changed = false;

		if (!c->is_written)
			continue;
		for (size_t k = 0; k < n; k++)
			changed |= write_field(csv, csv->moving[k], d, c->device);
		if (changed)
			copy_device(c->device, d);
	}
}

void csv_topology_write(struct csv *csv, bool again)
{
	if (again || csv->generation != csv->topology->generation ||
	    csv->n_devices < csv->topology->n_devices)
		write_all(csv, again);
	else
		write_moving(csv);
}
