/*
 * Arrays that count nothing. A linear array of Linux 5.14 and newer, a device with queue/iostats
 * at 0 and one without a line of its own move bytes and show none. What their members moved tells
 * it, where each byte of the array is one of a member, or one of each mirror; requests do not, as
 * they are split and merged on the way, and times even less. While md itself moves bytes between
 * members (a resync), nothing can be told apart.
 */
#include "rates_state.h"

#include <string.h>

#include "raidtop/geometry.h"

/* Arrays of arrays of arrays. */
#define MAX_DEPTH 4
/*
 * Where a level counts as a rule, a few kilobytes on its members are superblocks and bitmaps; in
 * doubt this much must have gone by without a trace before it is said to count nothing.
 */
#define DOUBT_BYTES 1048576.0

enum sum { SUM_UNKNOWN, SUM_ALL, SUM_MIRRORS, SUM_COPIES };

static const struct level {
	const char *name;
	enum sum reads, writes;
	bool never_counts; /* md of Linux 5.14 and newer calls md_account_bio() elsewhere */
} levels[] = {
	{ "linear", SUM_ALL, SUM_ALL, true },     { "multipath", SUM_ALL, SUM_ALL, true },
	{ "faulty", SUM_ALL, SUM_ALL, true },     { "raid0", SUM_ALL, SUM_ALL, false },
	{ "raid1", SUM_ALL, SUM_MIRRORS, false }, { "raid10", SUM_ALL, SUM_COPIES, false },
};

static const struct level *find_level(const struct array *a)
{
	static const struct level unknown = { "", SUM_UNKNOWN, SUM_UNKNOWN, false };

	for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++)
		if (strcmp(a->level, levels[i].name) == 0)
			return &levels[i];
	return &unknown;
}

/* ---- members ---- */

static const struct figures *figures_of(const struct rates *r, const struct member *m)
{
	if (m->device < 0 || (size_t)m->device >= r->tick.n_devices)
		return NULL;
	return &r->tick.devices[m->device];
}

/* The members' sum of a rate: false where one that counts is not known, or there is none. */
static bool sum_members(const struct rates *r, const struct array *a, enum rate which,
			double *ret_sum, size_t *ret_n)
{
	double sum = 0;
	size_t n = 0;

	for (size_t i = 0; i < a->n_members; i++) {
		const struct figures *f = figures_of(r, &a->members[i]);

		if (!member_carries_data(&a->members[i]))
			continue;
		if (!f || f->gap != GAP_NONE || !figures_has(f, which))
			return false;
		sum += f->value[which];
		n++;
	}
	*ret_sum = sum;
	*ret_n = n;
	return n > 0;
}

/* What its members moved in this interval, as far as it is known. */
static double bytes_of_members(const struct rates *r, const struct array *a)
{
	double seconds = (double)r->tick.interval_us / 1e6, bytes = 0;

	for (size_t i = 0; i < a->n_members; i++) {
		const struct figures *f = figures_of(r, &a->members[i]);

		if (f && figures_has(f, RATE_READ_BYTES))
			bytes += f->value[RATE_READ_BYTES] * seconds;
		if (f && figures_has(f, RATE_WRITE_BYTES))
			bytes += f->value[RATE_WRITE_BYTES] * seconds;
	}
	return bytes;
}

/* ---- who counts nothing ---- */

static bool has_counted(const struct counters *c)
{
	return (counters_has(c, COUNTER_READ_IOS) && c->value[COUNTER_READ_IOS] > 0) ||
	       (counters_has(c, COUNTER_WRITE_IOS) && c->value[COUNTER_WRITE_IOS] > 0);
}

/*
 * Whether an array that shows nothing does something. One that ever counted a request counts; one
 * that did not is believed to be idle until its members have moved more than md's own bytes.
 */
static bool counts_nothing(const struct rates *r, size_t slot, const struct array *a)
{
	const struct device_state *s = &r->states[slot];
	double doubt = find_level(a)->never_counts ? 0 : DOUBT_BYTES;

	if (s->before.derived)
		return true; /* as the run that was recorded had found out */
	if (has_counted(&s->before))
		return false;
	return s->counts_nothing ||
	       (!array_is_syncing(a) && s->uncounted_bytes + bytes_of_members(r, a) > doubt);
}

/* Keeps for the next tick what this one showed of an array with a line of its own. */
static void remember(struct rates *r, size_t slot, const struct array *a)
{
	struct device_state *s = &r->states[slot];

	s->counts_nothing = counts_nothing(r, slot, a);
	if (has_counted(&s->before))
		s->uncounted_bytes = 0;
	else if (!array_is_syncing(a))
		s->uncounted_bytes += bytes_of_members(r, a);
}

/* ---- deriving ---- */

/* By what the members' sum is to be divided; 0: it says nothing of the array. */
static uint64_t divisor(enum sum how, const struct array *a, size_t n_members)
{
	switch (how) {
	case SUM_UNKNOWN:
		return 0;
	case SUM_ALL:
		return 1;
	case SUM_MIRRORS:
		return n_members;
	case SUM_COPIES:
		return a->degraded == 0 ? geometry_copies(a->layout) : 0;
	}
	return 0;
}

static void derive_rate(const struct rates *r, const struct array *a, struct figures *f,
			enum rate which, enum sum how)
{
	uint64_t by;
	double sum;
	size_t n;

	if (!sum_members(r, a, which, &sum, &n))
		return;
	by = divisor(how, a, n);
	if (by == 0)
		return;
	f->value[which] = sum / (double)by;
	f->valid |= 1u << which;
}

static void derive(struct rates *r, const struct array *a, struct figures *f)
{
	const struct level *level = find_level(a);

	f->valid = 0;
	if (a->state == ARRAY_ACTIVE && !array_is_syncing(a)) {
		derive_rate(r, a, f, RATE_READ_BYTES, level->reads);
		derive_rate(r, a, f, RATE_WRITE_BYTES, level->writes);
	}
	f->derived = f->valid != 0;
	f->gap = f->derived ? GAP_NONE : GAP_ABSENT;
}

/* An array after its members, which may be arrays that have to be derived themselves. */
static void derive_slot(struct rates *r, const struct topology *t, int slot, int depth)
{
	const struct device *d;
	struct figures *f;

	if (slot < 0 || (size_t)slot >= t->n_devices || (size_t)slot >= r->tick.n_devices)
		return;
	d = t->devices[slot];
	f = &r->tick.devices[slot];
	if (!d->array || !d->present || f->derived || depth == MAX_DEPTH ||
	    (f->gap != GAP_NONE && f->gap != GAP_ABSENT))
		return;
	for (size_t i = 0; i < d->array->n_members; i++)
		derive_slot(r, t, d->array->members[i].device, depth + 1);
	if (f->gap == GAP_ABSENT || counts_nothing(r, (size_t)slot, d->array))
		derive(r, d->array, f);
}

void rates_derive(struct rates *r, const struct topology *t)
{
	size_t n = r->tick.n_devices < t->n_devices ? r->tick.n_devices : t->n_devices;

	for (size_t i = 0; i < n; i++)
		derive_slot(r, t, (int)i, 0);
	for (size_t i = 0; i < n; i++)
		if (t->devices[i]->array && r->states[i].before.valid)
			remember(r, i, t->devices[i]->array);
}
