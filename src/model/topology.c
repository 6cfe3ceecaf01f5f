/*
 * The topology: slots that hold devices, arrays that point at slots. Each device lies in memory
 * of its own, so that pointers to it stay good while others come and go; how a survey's devices
 * find their slots is told in topology_match.c, and what becomes of them in topology_adopt.c.
 */
#include "raidtop/topology.h"

#include <stdlib.h>
#include <string.h>

#include "raidtop/memory.h"
#include "raidtop/text.h"

void topology_init(struct topology *t)
{
	memset(t, 0, sizeof(*t));
}

static void device_free(struct device *d)
{
	if (d->array)
		free(d->array->members);
	free(d->array);
	free(d);
}

void topology_release(struct topology *t)
{
	for (size_t i = 0; i < t->n_devices; i++)
		device_free(t->devices[i]);
	free(t->devices);
	free(t->stands);
	free(t->claims);
	topology_init(t);
}

struct device *topology_add_device(struct topology *t, enum device_kind kind, const char *name)
{
	struct device *d = memory_new(1, sizeof(*d));

	text_copy(d->name, sizeof(d->name), name);
	text_copy(d->kernel_name, sizeof(d->kernel_name), name);
	d->kind = kind;
	d->present = true;
	d->diskseq = UNKNOWN_U64;
	d->size_bytes = UNKNOWN_U64;
	d->counts_io = TRUTH_UNKNOWN;
	d->busy_is_load = TRUTH_UNKNOWN;
	d->parent = NO_SLOT;
	d->disk.rotational = TRUTH_UNKNOWN;
	d->disk.temperature_mc = UNKNOWN_I32;
	d->disk.temperature_at_us = UNKNOWN_U64;
	d->disk.temperature_max_mc = UNKNOWN_I32;
	d->disk.temperature_crit_mc = UNKNOWN_I32;
	d->disk.asleep = TRUTH_UNKNOWN;
	t->devices = memory_resize(t->devices, t->n_devices + 1, sizeof(t->devices[0]));
	t->devices[t->n_devices++] = d;
	return d;
}

struct device *topology_add_array(struct topology *t, const char *name)
{
	struct device *d = topology_add_device(t, DEVICE_ARRAY, name);
	struct array *a = memory_new(1, sizeof(*a));

	a->chunk_bytes = UNKNOWN_U64;
	a->raid_disks = UNKNOWN_U64;
	a->raid_disks_before = UNKNOWN_U64;
	a->working = UNKNOWN_U64;
	a->degraded = UNKNOWN_U64;
	a->mismatch_count = UNKNOWN_U64;
	a->stripe_cache_size = UNKNOWN_U64;
	a->stripe_cache_active = UNKNOWN_U64;
	a->spares = UNKNOWN_U64;
	a->container_volume = UNKNOWN_U64;
	a->bitmap_chunk_bytes = UNKNOWN_U64;
	a->sync_min_bytes_per_sec = UNKNOWN_U64;
	a->sync_max_bytes_per_sec = UNKNOWN_U64;
	a->sync_min_is_local = TRUTH_UNKNOWN;
	a->sync_max_is_local = TRUTH_UNKNOWN;
	a->reshape_position_bytes = UNKNOWN_U64;
	a->bitmap = TRUTH_UNKNOWN;
	a->frozen = TRUTH_UNKNOWN;
	a->action.percent_tenths = UNKNOWN_I32;
	a->action.done_bytes = UNKNOWN_U64;
	a->action.total_bytes = UNKNOWN_U64;
	a->action.finish_s = UNKNOWN_U64;
	a->action.speed_bytes_per_sec = UNKNOWN_U64;
	d->array = a;
	return d;
}

struct member *array_add_member(struct array *a, const char *name)
{
	struct member *m;

	a->members = memory_resize(a->members, a->n_members + 1, sizeof(*m));
	m = &a->members[a->n_members++];
	*m = (struct member){ .device = NO_SLOT, .slot = UNKNOWN_I32, .role = UNKNOWN_I32 };
	text_copy(m->name, sizeof(m->name), name);
	return m;
}

void topology_add_stand(struct topology *t, int device, int on)
{
	if (device < 0 || on < 0 || device == on)
		return;
	t->stands = memory_resize(t->stands, t->n_stands + 1, sizeof(t->stands[0]));
	t->stands[t->n_stands++] = (struct stand){ device, on };
}

int topology_find(const struct topology *t, const char *kernel_name)
{
	for (size_t i = 0; i < t->n_devices; i++)
		if (t->devices[i]->present && strcmp(t->devices[i]->kernel_name, kernel_name) == 0)
			return (int)i;
	return NO_SLOT;
}

int topology_find_number(const struct topology *t, uint32_t major, uint32_t minor)
{
	if (major == 0 && minor == 0) /* nothing has this number: it is not known */
		return NO_SLOT;
	for (size_t i = 0; i < t->n_devices; i++) {
		const struct device *d = t->devices[i];

		if (d->present && d->major == major && d->minor == minor)
			return (int)i;
	}
	return NO_SLOT;
}

int topology_disk_of(const struct topology *t, int slot)
{
	if (slot < 0 || (size_t)slot >= t->n_devices)
		return NO_SLOT;
	if (t->devices[slot]->kind != DEVICE_PARTITION && t->devices[slot]->kind != DEVICE_PATH)
		return slot;
	return t->devices[slot]->parent;
}

bool array_is_container(const struct array *a)
{
	return strcmp(a->level, "container") == 0;
}

enum truth array_mismatches_are_faults(const struct array *a)
{
	static const struct {
		const char *level;
		enum truth faults;
	} levels[] = {
		{ "raid1", TRUTH_NO },  { "raid10", TRUTH_NO }, { "raid4", TRUTH_YES },
		{ "raid5", TRUTH_YES }, { "raid6", TRUTH_YES },
	};

	for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++)
		if (strcmp(a->level, levels[i].level) == 0)
			return levels[i].faults;
	return TRUTH_UNKNOWN;
}

bool topology_is_member(const struct topology *t, int slot)
{
	for (size_t i = 0; slot >= 0 && i < t->n_devices; i++) {
		const struct array *a = t->devices[i]->present ? t->devices[i]->array : NULL;

		for (size_t k = 0; a && k < a->n_members; k++) {
			int device = a->members[k].device;

			if (device == slot || topology_disk_of(t, device) == slot)
				return true;
		}
	}
	return false;
}
