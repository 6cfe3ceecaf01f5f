/*
 * All members' figures of a second are sorted once; the median of a member's peers is then that of
 * all others. Reads and writes are compared apart: a mirror that happens to serve the reads would
 * else be slower than one that only writes into its cache.
 */
#include "raidtop/straggler.h"

#include <math.h>

#include "raidtop/geometry.h"
#include "raidtop/quantile.h"

#define SECONDS 10
#define LATE_SECONDS 5
#define IOS_MIN 8
#define AWAIT_TIMES 2
#define AWAIT_MORE_MS 1
#define AWAIT_LEAST_MS 0.01 /* what "times" is of, where the others' await is nothing */
#define READ_PART_MIN 0.10
#define BUSY_PCT 90
#define OTHERS_BUSY_PCT 60

/* ---- who is compared ---- */

/* A member whose place has a replacement that is being filled. */
static bool is_replaced(const struct array *a, const struct member *m)
{
	for (size_t i = 0; i < a->n_members; i++) {
		const struct member *other = &a->members[i];

		if (other != m && other->flags & MEMBER_FLAG_REPLACEMENT &&
		    other->role != UNKNOWN_I32 && other->role == m->role)
			return true;
	}
	return false;
}

static bool is_comparable(const struct array *a, const struct member *m, const struct traffic *t)
{
	return m->state == MEMBER_IN_SYNC && m->flags == 0 && t->known && !is_replaced(a, m);
}

/* Of raid1: whether each member has a part of the reads that is worth comparing. */
static bool all_are_read(const struct straggler_trail *trails, const struct traffic *seconds,
			 size_t n)
{
	double sum = 0, least = INFINITY;

	for (size_t i = 0; i < n; i++) {
		if (!trails[i].comparable)
			continue;
		sum += seconds[i].read_ios;
		least = fmin(least, seconds[i].read_ios);
	}
	return sum > 0 && least >= READ_PART_MIN * sum;
}

/* ---- what is compared ---- */

static double read_await(const struct traffic *t)
{
	return t->read_ios >= IOS_MIN ? traffic_read_await_ms(t) : (double)NAN;
}

static double write_await(const struct traffic *t)
{
	return t->write_ios >= IOS_MIN ? traffic_write_await_ms(t) : (double)NAN;
}

static bool await_is_late(double await, double others)
{
	return await >= AWAIT_TIMES * others && await >= others + AWAIT_MORE_MS;
}

static bool busy_is_late(double busy, double others)
{
	return busy >= BUSY_PCT && others <= OTHERS_BUSY_PCT;
}

static const struct sign {
	double (*figure)(const struct traffic *t); /* NAN: not to be compared */
	bool (*is_late)(double figure, double others);
	bool of_await;
} read_sign = { read_await, await_is_late, true },
  write_sign = { write_await, await_is_late, true },
  busy_sign = { traffic_busy_pct, busy_is_late, false };

static void mark(struct straggler_trail *t, const struct sign *sign, double figure, double others)
{
	bool again = t->late & 1; /* by another sign */

	if (sign->of_await) {
		double times = figure / fmax(others, AWAIT_LEAST_MS);

		t->await_times = again ? fmax(t->await_times, times) : times;
		t->busy_pct = 0;
	} else if (!again) {
		t->await_times = 0;
		t->busy_pct = figure;
	}
	t->late |= 1;
}

static double figure_of(const struct straggler_trail *t, const struct traffic *second,
			const struct sign *sign)
{
	return t->comparable ? sign->figure(second) : (double)NAN;
}

static void compare(struct straggler_trail *trails, const struct traffic *seconds, size_t n_members,
		    const struct sign *sign, float *scratch)
{
	size_t n = 0;

	for (size_t i = 0; i < n_members; i++) {
		double figure = figure_of(&trails[i], &seconds[i], sign);

		if (!isnan(figure))
			scratch[n++] = (float)figure;
	}
	if (n < 2)
		return;
	quantile_sort(scratch, n);
	for (size_t i = 0; i < n_members; i++) {
		double figure = figure_of(&trails[i], &seconds[i], sign), others;

		if (isnan(figure))
			continue;
		others = quantile_median_without(scratch, n, (float)figure);
		if (sign->is_late(figure, others))
			mark(&trails[i], sign, figure, others);
	}
}

/* ---- a second ---- */

static void shift_trails(struct straggler_trail *trails, const struct array *a,
			 const struct traffic *seconds, bool keep)
{
	for (size_t i = 0; i < a->n_members; i++) {
		struct straggler_trail *t = &trails[i];

		if (!keep || t->device != a->members[i].device)
			*t = (struct straggler_trail){ .device = a->members[i].device };
		t->late = (uint16_t)(t->late * 2u & ((1u << SECONDS) - 1));
		t->comparable = keep && is_comparable(a, &a->members[i], &seconds[i]);
	}
}

void straggler_step(struct straggler_trail *trails, const struct array *array,
		    const struct traffic *seconds, float *scratch)
{
	struct geometry g;
	bool compared, mirrors;

	geometry_of(&g, array);
	mirrors = g.level == RAID_LEVEL_1;
	compared = (g.level == RAID_LEVEL_0 || g.level == RAID_LEVEL_10 || g.n_parity > 0 ||
		    mirrors) &&
		   !array_is_syncing(array);
	shift_trails(trails, array, seconds, compared);
	if (!mirrors || all_are_read(trails, seconds, array->n_members))
		compare(trails, seconds, array->n_members, &read_sign, scratch);
	compare(trails, seconds, array->n_members, &write_sign, scratch);
	if (!mirrors)
		compare(trails, seconds, array->n_members, &busy_sign, scratch);
}

bool straggler_is_named(const struct straggler_trail *trail)
{
	return __builtin_popcount(trail->late) >= LATE_SECONDS;
}
