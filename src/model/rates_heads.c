/*
 * Disks with several paths. The head of a native NVMe multipath passes requests on to the paths,
 * which count them; the head itself counts since Linux 6.3, and shows zeros before. Each request
 * goes one way, so the head did what its paths did in sum. Their busy times overlap, and say
 * nothing of the head's.
 */
#include "rates_state.h"

static bool has_counted(const struct counters *c)
{
	return (counters_has(c, COUNTER_READ_IOS) && c->value[COUNTER_READ_IOS] > 0) ||
	       (counters_has(c, COUNTER_WRITE_IOS) && c->value[COUNTER_WRITE_IOS] > 0);
}

/* The disk that a path leads to, where that needs its paths; NO_SLOT. */
static int head_of(const struct rates *r, const struct topology *t, size_t slot)
{
	const struct device *d = t->devices[slot];

	if (!d->present || d->kind != DEVICE_PATH || d->parent < 0 ||
	    (size_t)d->parent >= r->tick.n_devices || !t->devices[d->parent]->present)
		return NO_SLOT;
	return has_counted(&r->states[d->parent].before) ? NO_SLOT : d->parent;
}

static void add_growth(struct device_state *head, const struct counters *path)
{
	if (head->n_paths++ == 0) {
		head->growth = *path;
		return;
	}
	head->growth.valid &= path->valid;
	for (enum counter c = 0; c < COUNTER_COUNT; c++)
		head->growth.value[c] += path->value[c];
}

/* The number in flight is a level, and goes to the totals at once: where there are any. */
static void add_inflight(struct figures *head, const struct figures *path, bool is_first)
{
	uint64_t before = is_first ? 0 : head->totals.value[COUNTER_INFLIGHT];

	if (counters_has(&path->totals, COUNTER_INFLIGHT))
		counters_set(&head->totals, COUNTER_INFLIGHT,
			     before + path->totals.value[COUNTER_INFLIGHT]);
}

/* A path of which nothing is known yet makes the sum unknown; one that is not there does not. */
static void add_path(struct rates *r, const struct topology *t, size_t slot)
{
	int head = head_of(r, t, slot);
	const struct figures *path = &r->tick.devices[slot];
	struct figures *f;

	if (head == NO_SLOT || path->gap == GAP_ABSENT)
		return;
	f = &r->tick.devices[head];
	if (f->gap != GAP_NONE && f->gap != GAP_ABSENT)
		return;
	if (path->gap != GAP_NONE) {
		f->gap = path->gap;
		f->valid = 0;
		r->states[head].growth.valid = 0;
		return;
	}
	if (f->gap == GAP_NONE)
		add_inflight(f, path, r->states[head].n_paths == 0);
	add_growth(&r->states[head], &r->states[slot].growth);
}

static void finish_head(struct rates *r, size_t slot)
{
	struct device_state *s = &r->states[slot];
	struct figures *f = &r->tick.devices[slot];

	if (s->n_paths == 0)
		return;
	f->derived = true;
	f->valid = 0;
	if (f->gap != GAP_NONE && f->gap != GAP_ABSENT)
		return;
	f->gap = GAP_NONE;
	s->growth.valid &= ~(1u << COUNTER_BUSY_US);
	rates_fill(f, &s->growth, r->tick.interval_us);
}

void rates_derive_heads(struct rates *r, const struct topology *t)
{
	size_t n = r->tick.n_devices < t->n_devices ? r->tick.n_devices : t->n_devices;

	for (size_t i = 0; i < n; i++)
		add_path(r, t, i);
	for (size_t i = 0; i < n; i++)
		finish_head(r, i);
}
