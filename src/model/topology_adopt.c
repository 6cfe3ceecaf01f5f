/*
 * A survey says how things are; adopting it finds out what that means for what is already held.
 * Each device of the survey is exchanged with what its slot held, so that afterwards the slots
 * are up to date and the survey holds what was before: the difference is what happened.
 */
#include "topology_adopt.h"

#include <stdlib.h>
#include <string.h>

#include "raidtop/fields.h"
#include "raidtop/memory.h"
#include "raidtop/text.h"

/* ---- indices of the survey become slots ---- */

/* md goes on naming a disk that was pulled: its slot is the one that the member had. */
static int slot_of_lost_member(const struct topology *held, const struct array *was,
			       const struct member *m, const bool *found)
{
	for (size_t i = 0; was && m->name[0] && i < was->n_members; i++) {
		const struct member *before = &was->members[i];

		if (before->device != NO_SLOT && !found[before->device] &&
		    strcmp(held->devices[before->device]->kernel_name, m->name) == 0)
			return before->device;
	}
	return NO_SLOT;
}

static void translate_members(const struct topology *held, struct topology *fresh,
			      const int *slot_of, size_t i, const bool *found)
{
	const struct array *was = held->devices[slot_of[i]]->array;
	struct array *a = fresh->devices[i]->array;

	for (size_t k = 0; a && k < a->n_members; k++) {
		struct member *m = &a->members[k];

		if (m->device >= 0 && (size_t)m->device < fresh->n_devices) {
			const struct device *d = fresh->devices[m->device];

			text_copy(m->name, sizeof(m->name), d->name);
			m->device = slot_of[m->device];
			continue;
		}
		if (fresh->names_hold)
			continue; /* a recording says itself which device it is */
		m->device = slot_of_lost_member(held, was, m, found);
		if (m->device != NO_SLOT)
			text_copy(m->name, sizeof(m->name), held->devices[m->device]->name);
	}
}

static void translate(const struct topology *held, struct topology *fresh, const int *slot_of)
{
	bool *found = memory_new(held->n_devices, sizeof(*found)); /* by slot */

	for (size_t i = 0; i < fresh->n_devices; i++)
		found[slot_of[i]] = true;
	for (size_t i = 0; i < fresh->n_devices; i++) {
		struct device *d = fresh->devices[i];

		if (d->parent != NO_SLOT)
			d->parent = slot_of[d->parent];
		translate_members(held, fresh, slot_of, i, found);
	}
	free(found);
}

/* ---- what rests on what ---- */

static int compare_stands(const void *a, const void *b)
{
	const struct stand *left = a, *right = b;

	if (left->device != right->device)
		return left->device < right->device ? -1 : 1;
	return (left->on > right->on) - (left->on < right->on);
}

/* Indices of the survey become slots; sorted, each but once. Some may be out of a bad recording. */
static void translate_stands(struct topology *fresh, const int *slot_of)
{
	size_t n = 0;

	for (size_t i = 0; i < fresh->n_stands; i++) {
		const struct stand *s = &fresh->stands[i];

		if ((size_t)s->device < fresh->n_devices && (size_t)s->on < fresh->n_devices)
			fresh->stands[n++] = (struct stand){ slot_of[s->device], slot_of[s->on] };
	}
	if (n)
		qsort(fresh->stands, n, sizeof(fresh->stands[0]), compare_stands);
	fresh->n_stands = 0;
	for (size_t i = 0; i < n; i++)
		if (i == 0 ||
		    compare_stands(&fresh->stands[fresh->n_stands - 1], &fresh->stands[i]) != 0)
			fresh->stands[fresh->n_stands++] = fresh->stands[i];
}

/* Returns whether they changed. */
static bool exchange_stands(struct topology *held, struct topology *fresh)
{
	struct stand *was = held->stands;
	size_t n_was = held->n_stands;

	held->stands = fresh->stands;
	held->n_stands = fresh->n_stands;
	fresh->stands = was;
	fresh->n_stands = n_was;
	return n_was != held->n_stands ||
	       (n_was && memcmp(was, held->stands, n_was * sizeof(*was)) != 0);
}

/* ---- what a survey does not know but is known ---- */

static void keep_text(char *dst, size_t size, const char *known)
{
	if (!dst[0])
		text_copy(dst, size, known);
}

/* A disk's papers do not change; a survey may have been too early to read them. */
static void keep_id(struct device *is, const struct device *was)
{
	keep_text(is->disk.model, sizeof(is->disk.model), was->disk.model);
	keep_text(is->disk.serial, sizeof(is->disk.serial), was->disk.serial);
	keep_text(is->disk.wwn, sizeof(is->disk.wwn), was->disk.wwn);
	keep_text(is->disk.firmware, sizeof(is->disk.firmware), was->disk.firmware);
	if (is->array && was->array)
		keep_text(is->array->uuid, sizeof(is->array->uuid), was->array->uuid);
}

/* Temperatures are read into the slots between surveys. */
static void keep_temperature(struct disk *is, const struct disk *was)
{
	if (is->temperature_mc != UNKNOWN_I32)
		return;
	if (is->temperature_max_mc == UNKNOWN_I32)
		is->temperature_max_mc = was->temperature_max_mc;
	if (is->temperature_crit_mc == UNKNOWN_I32)
		is->temperature_crit_mc = was->temperature_crit_mc;
	if (is->asleep == TRUTH_UNKNOWN)
		is->asleep = was->asleep;
	if (was->temperature_mc != UNKNOWN_I32) {
		is->temperature_mc = was->temperature_mc;
		is->temperature_at_us = was->temperature_at_us;
		text_copy(is->temperature_why, sizeof(is->temperature_why), was->temperature_why);
	} else {
		keep_text(is->temperature_why, sizeof(is->temperature_why), was->temperature_why);
	}
}

/* ---- what counts as a change ---- */

static bool fields_differ(enum field_owner owner, const void *a, const void *b)
{
	for (size_t i = 0; i < n_fields; i++)
		if (fields[i].owner == owner && !fields[i].moves && !field_equal(&fields[i], a, b))
			return true;
	return false;
}

static bool arrays_differ(const struct array *a, const struct array *b)
{
	if (!a || !b)
		return a != b;
	if (a->n_members != b->n_members || fields_differ(FIELD_OF_ARRAY, a, b))
		return true;
	for (size_t i = 0; i < a->n_members; i++)
		if (a->members[i].device != b->members[i].device ||
		    fields_differ(FIELD_OF_MEMBER, &a->members[i], &b->members[i]))
			return true;
	return false;
}

static bool devices_differ(const struct device *a, const struct device *b)
{
	return a->present != b->present || a->parent != b->parent || a->major != b->major ||
	       a->minor != b->minor || a->diskseq != b->diskseq ||
	       fields_differ(FIELD_OF_DEVICE, a, b) ||
	       fields_differ(FIELD_OF_DISK, &a->disk, &b->disk) ||
	       arrays_differ(a->array, b->array);
}

/* ---- the adoption ---- */

static bool take_text(char *held, const char *fresh, size_t size)
{
	if (strcmp(held, fresh) == 0)
		return false;
	text_copy(held, size, fresh);
	return true;
}

/* A slot for each device that has none: empty until the exchange. */
static void add_slots(struct topology *held, const struct topology *fresh, int *slot_of)
{
	for (size_t i = 0; i < fresh->n_devices; i++) {
		struct device *d;

		if (slot_of[i] != NO_SLOT)
			continue;
		d = topology_add_device(held, fresh->devices[i]->kind, "");
		d->present = false;
		slot_of[i] = (int)held->n_devices - 1;
	}
}

static bool exchange(struct device *was, struct device *is)
{
	struct device exchanged = *was;
	bool changed;

	if (was->present)
		keep_temperature(&is->disk, &was->disk);
	if (was->name[0])
		keep_id(is, was);
	changed = devices_differ(was, is);
	*was = *is;
	*is = exchanged;
	return changed;
}

/* Slots that the survey did not name are empty from now on. */
static bool mark_gone(struct topology *held, const struct adoption *slots)
{
	bool changed = false;

	for (size_t slot = 0; slot < held->n_devices; slot++) {
		struct device *d = held->devices[slot];

		if (slots[slot].before)
			continue;
		changed |= d->present;
		d->present = false;
	}
	return changed;
}

static bool exchange_all(struct topology *held, struct topology *fresh, const int *slot_of,
			 struct adoption *slots)
{
	bool changed = false;

	for (size_t slot = 0; slot < held->n_devices; slot++)
		slots[slot] = (struct adoption){ .was_present = held->devices[slot]->present };
	for (size_t i = 0; i < fresh->n_devices; i++) {
		changed |= exchange(held->devices[slot_of[i]], fresh->devices[i]);
		slots[slot_of[i]].before = fresh->devices[i];
	}
	return changed | mark_gone(held, slots);
}

bool topology_adopt(struct topology *held, struct topology *fresh, struct event_log *log)
{
	bool is_first = held->generation == 0, changed = is_first;
	int *slot_of = memory_new(fresh->n_devices, sizeof(*slot_of));
	struct adoption *slots;

	topology_match(held, fresh, slot_of);
	add_slots(held, fresh, slot_of);
	topology_name(held, fresh, slot_of);
	translate(held, fresh, slot_of);
	translate_stands(fresh, slot_of);
	slots = memory_new(held->n_devices, sizeof(*slots));
	changed |= take_text(held->host, fresh->host, sizeof(held->host));
	changed |= take_text(held->kernel, fresh->kernel, sizeof(held->kernel));
	changed |= exchange_stands(held, fresh);
	changed |= exchange_all(held, fresh, slot_of, slots);
	held->generation += changed;
	if (log && !is_first && changed)
		topology_tell(held, slots, log);
	free(slots);
	free(slot_of);
	return changed;
}
