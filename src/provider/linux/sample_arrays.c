/*
 * What moves in arrays between two surveys. Sync actions do, and arrays that change without a
 * word: read-only ones, and those that count on a disk which is gone. The use of a stripe cache
 * moves with the requests. Each is a few files of sysfs, read from descriptors that stay open; a
 * machine may have a hundred arrays, so they take turns: with up to two that move, each is as fresh
 * as the tick, and of n none is older than n / 2 ticks. The progress of all actions is in one file,
 * /proc/mdstat, which is read in each tick that has one.
 */
#include "linux.h"
#include "md_merge.h"
#include "md_sysfs.h"

/* Each of as many reads as MD_FILES has, but for the cache, and of one. */
#define ARRAYS_PER_TICK 2
#define CACHES_PER_TICK 2

/* An array in this tick. */
struct look {
	struct linux_provider *p;
	const struct topology *t;
	struct device *d;
	struct slot_link *link;
	const struct counters *counters;
};

/* ---- arrays that move ---- */

/*
 * md counts on a device that is gone until the next request fails, and then raid0 and linear turn
 * broken without an event (seen on Linux 6.1).
 */
static bool counts_on_the_gone(const struct topology *t, const struct array *a)
{
	for (size_t i = 0; i < a->n_members; i++) {
		const struct member *m = &a->members[i];

		if (m->state == MEMBER_FAULTY || m->state == MEMBER_MISSING)
			continue;
		if (m->device == NO_SLOT || !t->devices[m->device]->present)
			return true;
	}
	return false;
}

/* Whether it changes without anything that tells us. */
static bool is_moving(const struct look *l)
{
	const struct array *a = l->d->array;

	return a->action.kind != ACTION_NONE || a->readonly != ARRAY_READ_WRITE ||
	       a->frozen == TRUTH_YES || (a->state == ARRAY_ACTIVE && counts_on_the_gone(l->t, a));
}

static void refresh_array(const struct look *l)
{
	struct linux_provider *p = l->p;
	struct array *a = l->d->array;
	const enum action_kind kind = a->action.kind;
	const enum array_state state = a->state;
	const enum array_readonly readonly = a->readonly;
	const uint64_t degraded = a->degraded;
	struct md_sysfs_moving moving;

	md_sysfs_read_moving(&moving, &l->link->files, l->link->block->dir);
	md_merge_moving(a, mdstat_find(&p->mdstat.parsed, l->d->kernel_name), &moving);
	/* Then roles and states of members have changed as well. */
	if (a->action.kind != kind || a->state != state || a->readonly != readonly ||
	    a->degraded != degraded)
		p->dirty = true;
}

/* ---- stripe caches ---- */

/* UNKNOWN_U64 where it counts none. */
static uint64_t requests_of(const struct counters *c)
{
	if (!counters_has(c, COUNTER_READ_IOS) || !counters_has(c, COUNTER_WRITE_IOS))
		return UNKNOWN_U64;
	return c->value[COUNTER_READ_IOS] + c->value[COUNTER_WRITE_IOS];
}

/*
 * Only parity levels have one; how full it is says whether it is large enough. One that was empty
 * and has had no request since is empty still.
 */
static bool has_cache_in_use(const struct look *l)
{
	const struct array *a = l->d->array;
	uint64_t requests = requests_of(l->counters);

	if (a->state != ARRAY_ACTIVE || a->stripe_cache_size == UNKNOWN_U64)
		return false;
	return a->stripe_cache_active != 0 || a->action.kind != ACTION_NONE ||
	       requests == UNKNOWN_U64 || requests != l->link->cache_ios ||
	       l->counters->value[COUNTER_INFLIGHT] > 0;
}

static void refresh_cache(const struct look *l)
{
	l->d->array->stripe_cache_active =
		md_sysfs_read_stripe_cache(&l->link->files, l->link->block->dir);
	l->link->cache_ios = requests_of(l->counters);
}

/* ---- turns ---- */

static struct look look_at(struct linux_provider *p, struct topology *t, const struct snapshot *s,
			   size_t array)
{
	int slot = p->links.arrays[array];

	return (struct look){ p, t, t->devices[slot], &p->links.links[slot], &s->devices[slot] };
}

struct rota {
	size_t budget; /* so many a tick */
	bool (*wants)(const struct look *l);
	void (*take)(const struct look *l);
};
static const struct rota moving = { ARRAYS_PER_TICK, is_moving, refresh_array };
static const struct rota caches = { CACHES_PER_TICK, has_cache_in_use, refresh_cache };

/* From the one behind that which was looked at last. */
static void take_turns(struct linux_provider *p, struct topology *t, const struct snapshot *s,
		       const struct rota *rota, size_t *last)
{
	size_t n = p->links.n_arrays, first = *last + 1, taken = 0;

	for (size_t i = 0; i < n && taken < rota->budget; i++) {
		size_t array = (first + i) % n;
		struct look l = look_at(p, t, s, array);

		if (!rota->wants(&l))
			continue;
		rota->take(&l);
		*last = array;
		taken++;
	}
}

/* Of all arrays with an action. */
static void refresh_progress(struct linux_provider *p, struct topology *t)
{
	bool mdstat_is_fresh = false;

	for (size_t i = 0; i < p->links.n_arrays; i++) {
		struct device *d = t->devices[p->links.arrays[i]];

		if (d->array->action.kind == ACTION_NONE)
			continue;
		if (!mdstat_is_fresh)
			mdstat_source_read(&p->mdstat, p->root);
		mdstat_is_fresh = true;
		md_merge_progress(d->array, mdstat_find(&p->mdstat.parsed, d->kernel_name));
	}
}

void linux_sample_arrays(struct linux_provider *p, struct topology *t, const struct snapshot *s)
{
	refresh_progress(p, t);
	take_turns(p, t, s, &moving, &p->turns.array);
	take_turns(p, t, s, &caches, &p->turns.stripe_cache);
}
