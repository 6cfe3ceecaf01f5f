/*
 * The sum of what moves, each byte once. Whatever rests on something that is present has its bytes
 * counted there: arrays on their members, partitions on their disk, device-mapper maps and loop
 * devices on what carries them; a path's are its disk's. The disks left are the leaves.
 * Ram disks and their like are left out, unless something rests on them.
 */
#include <string.h>

#include "rates_state.h"

static bool is_present(const struct rates *r, const struct topology *t, int slot)
{
	return slot >= 0 && (size_t)slot < t->n_devices && (size_t)slot < r->tick.n_devices &&
	       t->devices[slot]->present;
}

/* `slot` rests on `on`, which may be a partition: then its disk carries it, too. */
static void mark_stand(struct rates *r, const struct topology *t, int slot, int on)
{
	int disk = topology_disk_of(t, on);

	if (!is_present(r, t, slot) || !is_present(r, t, on))
		return;
	r->states[slot].is_carried = true;
	r->states[on].carries = true;
	if (is_present(r, t, disk))
		r->states[disk].carries = true;
}

static void mark_stands(struct rates *r, const struct topology *t)
{
	for (size_t i = 0; i < r->tick.n_devices; i++)
		r->states[i].is_carried = r->states[i].carries = false;
	for (size_t i = 0; i < t->n_stands; i++)
		mark_stand(r, t, t->stands[i].device, t->stands[i].on);
	for (size_t i = 0; i < t->n_devices; i++) {
		const struct array *a = t->devices[i]->array;

		for (size_t k = 0; a && k < a->n_members; k++)
			mark_stand(r, t, (int)i, a->members[k].device);
	}
}

static bool is_leaf(const struct rates *r, const struct topology *t, size_t slot)
{
	const struct device *d = t->devices[slot];

	return d->present && d->kind == DEVICE_DISK && !r->states[slot].is_carried &&
	       (!d->minor_interest || r->states[slot].carries);
}

/* Levels are added to what the sum of this tick has, growth to what it had before too. */
static void add_leaf(struct figures *total, struct counters *growth, const struct figures *f,
		     const struct counters *leaf)
{
	for (enum counter c = 0; c < COUNTER_COUNT; c++) {
		if (counters_has(leaf, c)) {
			uint64_t before = counters_has(growth, c) ? growth->value[c] : 0;

			counters_set(growth, c, before + leaf->value[c]);
			counters_set(&total->totals, c, total->totals.value[c] + leaf->value[c]);
		} else if (c == COUNTER_INFLIGHT && counters_has(&f->totals, c)) {
			counters_set(&total->totals, c,
				     total->totals.value[c] + f->totals.value[c]);
		}
	}
}

void rates_sum_leaves(struct rates *r, const struct topology *t)
{
	struct figures *total = &r->tick.total;
	struct counters growth = { .valid = 0 };

	mark_stands(r, t);
	total->valid = 0;
	total->totals.value[COUNTER_INFLIGHT] = 0;
	total->totals.valid &= ~(1u << COUNTER_INFLIGHT);
	for (size_t i = 0; i < r->tick.n_devices && i < t->n_devices; i++) {
		const struct figures *f = &r->tick.devices[i];

		if (f->gap == GAP_NONE && is_leaf(r, t, i))
			add_leaf(total, &growth, f, &r->states[i].growth);
	}
	total->gap = r->tick.gap == GAP_NONE && !growth.valid ? GAP_ABSENT : r->tick.gap;
	if (total->gap != GAP_NONE)
		return;
	rates_fill(total, &growth, r->tick.interval_us);
	total->valid &= ~(1u << RATE_UTIL); /* a sum of percentages says nothing */
}
