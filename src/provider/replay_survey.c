/*
 * The state of a recording as the rest of the program sees it: a topology with indices in place
 * of names, and a snapshot by the slots that this topology was given.
 */
#include <stdlib.h>
#include <string.h>

#include "raidtop/memory.h"
#include "raidtop/text.h"
#include "replay_state.h"

/* The index of the device of that name; the survey has the same indices as the state. */
static int index_of(struct replay_state *s, const char *name)
{
	struct replay_device *d = name[0] ? replay_state_find(s, name) : NULL;

	return d ? (int)(d - s->devices) : NO_SLOT;
}

static void survey_members(struct replay_state *s, const struct replay_device *d, struct array *a)
{
	for (size_t i = 0; i < d->n_members; i++) {
		const struct replay_member *from = &d->members[i];
		struct member *m = array_add_member(a, from->member.name);

		*m = from->member;
		m->device = index_of(s, from->names_device ? from->device : m->name);
	}
}

static void survey_stands(struct replay_state *s, int slot, struct topology *t)
{
	const struct replay_device *d = &s->devices[slot];

	for (size_t i = 0; d->device->present && i < d->n_on; i++)
		topology_add_stand(t, slot, index_of(s, d->on[i]));
}

static void survey_device(struct replay_state *s, const struct replay_device *from,
			  struct topology *t)
{
	const struct device *d = from->device;
	bool is_array = d->kind == DEVICE_ARRAY;
	struct device *made = is_array ? topology_add_array(t, d->name)
				       : topology_add_device(t, d->kind, d->name);
	struct array *array = made->array;

	*made = *d;
	made->array = array;
	made->parent = index_of(s, from->parent);
	if (!array)
		return;
	*array = *d->array;
	survey_members(s, from, array);
}

void replay_state_survey(struct replay_state *s, struct topology *t)
{
	text_copy(t->host, sizeof(t->host), s->topology.host);
	text_copy(t->kernel, sizeof(t->kernel), s->topology.kernel);
	t->names_hold = true;
	for (size_t i = 0; i < s->topology.n_devices; i++)
		survey_device(s, &s->devices[i], t);
	for (size_t i = 0; i < s->topology.n_devices; i++)
		survey_stands(s, (int)i, t);
	s->changed = false;
}

size_t replay_state_missing(const struct replay_state *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->topology.n_devices; i++) {
		const struct replay_device *d = &s->devices[i];
		bool expected = d->sampled_at >= s->before || d->told_at > s->before;

		n += d->device->present && expected && d->sampled_at != s->tick;
	}
	return n == 0 && s->samples == 0 && s->opens_segment ? 1 : n;
}

static bool has_name(const struct topology *t, int slot, const char *name)
{
	return slot >= 0 && (size_t)slot < t->n_devices &&
	       strcmp(t->devices[slot]->name, name) == 0;
}

static int slot_of(const struct topology *t, struct replay_device *d)
{
	for (size_t i = 0; !has_name(t, d->slot, d->device->name); i++) {
		d->slot = i < t->n_devices ? (int)i : NO_SLOT;
		if (i == t->n_devices)
			break;
	}
	return d->slot;
}

static void fill_device(struct device *d, const struct device *from)
{
	d->disk.temperature_mc = from->disk.temperature_mc;
	d->disk.temperature_at_us = from->disk.temperature_at_us;
	text_copy(d->disk.temperature_why, sizeof(d->disk.temperature_why),
		  from->disk.temperature_why);
	d->disk.temperature_max_mc = from->disk.temperature_max_mc;
	d->disk.temperature_crit_mc = from->disk.temperature_crit_mc;
	d->disk.asleep = from->disk.asleep;
	if (d->array && from->kind == DEVICE_ARRAY) {
		d->array->action.percent_tenths = from->array->action.percent_tenths;
		d->array->action.done_bytes = from->array->action.done_bytes;
		d->array->action.total_bytes = from->array->action.total_bytes;
		d->array->action.finish_s = from->array->action.finish_s;
		d->array->action.speed_bytes_per_sec = from->array->action.speed_bytes_per_sec;
	}
}

void replay_state_fill(struct replay_state *s, struct topology *t, struct snapshot *snapshot)
{
	snapshot_reset(snapshot, t->n_devices);
	for (size_t i = 0; i < s->topology.n_devices; i++) {
		struct replay_device *d = &s->devices[i];
		int slot;

		if (!d->device->present || d->sampled_at != s->tick)
			continue;
		slot = slot_of(t, d);
		if (slot == NO_SLOT || !t->devices[slot]->present)
			continue;
		snapshot->devices[slot] = d->counters;
		fill_device(t->devices[slot], d->device);
	}
}
