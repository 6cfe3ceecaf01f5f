/*
 * Ratios of sums. Reads that the array itself asked for are taken off before its members' reads
 * are laid to its writes' account, so that a mixed load is judged as well. What a ratio should be
 * follows from the level alone; what is measured beside it is the truth.
 */
#include "raidtop/amplification.h"

#include <math.h>
#include <string.h>

#include "raidtop/geometry.h"

#define RMW_PARTLY_FROM 0.10
#define RMW_FULL_FROM 0.30
#define LOG_COST 0.06 /* headers and superblocks of a write log */

/* ---- measured ---- */

static bool counts(const struct member *m)
{
	return member_carries_data(m) || m->state == MEMBER_JOURNAL;
}

static struct traffic sum_members(const struct array *a, const struct traffic *self,
				  const struct traffic *members)
{
	struct traffic sum = { .known = a->n_members > 0, .time_us = self->time_us };

	for (size_t i = 0; i < a->n_members; i++)
		if (counts(&a->members[i]))
			traffic_add_beside(&sum, &members[i]);
	return sum;
}

/* NAN stays NAN, which fmax() would not leave. */
static double at_least_nothing(double value)
{
	return value < 0 ? 0 : value;
}

static bool has_parity(const struct array *a)
{
	struct geometry g;

	geometry_of(&g, a);
	return g.n_parity > 0 && g.n_lost == 0 && a->action.kind == ACTION_NONE;
}

static enum rmw judge(double extra_reads)
{
	if (isnan(extra_reads))
		return RMW_UNKNOWN;
	if (extra_reads < RMW_PARTLY_FROM)
		return RMW_NONE;
	return extra_reads < RMW_FULL_FROM ? RMW_PARTLY : RMW_FULL;
}

void amplification_compute(struct amplification *ret, const struct array *array,
			   const struct traffic *self, const struct traffic *members)
{
	struct traffic sum = sum_members(array, self, members);

	*ret = (struct amplification){ NAN, NAN, NAN, RMW_UNKNOWN };
	if (!sum.known || self->derived || array_is_syncing(array) || !traffic_is_even(self) ||
	    !traffic_is_even(&sum))
		return;
	if (traffic_is_enough(self, self->read_bytes))
		ret->reads = sum.read_bytes / self->read_bytes;
	if (!traffic_is_enough(self, self->write_bytes))
		return;
	ret->writes = sum.write_bytes / self->write_bytes;
	if (has_parity(array))
		ret->extra_reads =
			at_least_nothing(sum.read_bytes - self->read_bytes) / self->write_bytes;
	ret->rmw = judge(ret->extra_reads);
}

double amplification_cache_pct(double stream_bytes, const struct traffic *device)
{
	double moved = device->read_bytes + device->write_bytes;

	if (!traffic_is_enough(device, stream_bytes) || !traffic_is_even(device))
		return (double)NAN;
	return 100 * at_least_nothing(1 - moved / stream_bytes);
}

/* ---- expected ---- */

static double full_stripe(const struct geometry *g)
{
	return (double)(g->n_disks - g->n_lost) / (double)(g->n_disks - g->n_parity);
}

enum write_log { LOG_NONE, LOG_PARTIAL_PARITY, LOG_JOURNAL };

static enum write_log log_of(const struct array *a)
{
	if (strcmp(a->consistency_policy, "ppl") == 0)
		return LOG_PARTIAL_PARITY;
	return strcmp(a->consistency_policy, "journal") == 0 ? LOG_JOURNAL : LOG_NONE;
}

static double with_log(enum write_log log, double ratio)
{
	switch (log) {
	case LOG_NONE:
		return ratio;
	case LOG_PARTIAL_PARITY:
		return ratio + LOG_COST;
	case LOG_JOURNAL:
		return 2 * ratio + LOG_COST;
	}
	return (double)NAN;
}

static double parity_writes(const struct array *a, const struct geometry *g, enum rmw rmw)
{
	enum write_log log = log_of(a);

	switch (rmw) {
	case RMW_UNKNOWN:
	case RMW_NONE:
		return with_log(log, full_stripe(g));
	case RMW_PARTLY:
		return (double)NAN;
	case RMW_FULL:
		return log == LOG_NONE ? (double)g->n_parity + 1 : (double)NAN;
	}
	return (double)NAN;
}

double amplification_expected_writes(const struct array *array, enum rmw rmw)
{
	struct geometry g;

	geometry_of(&g, array);
	if (!geometry_is_whole(&g))
		return (double)NAN;
	switch (g.level) {
	case RAID_LEVEL_OTHER:
		return (double)NAN;
	case RAID_LEVEL_LINEAR:
	case RAID_LEVEL_0:
		return 1;
	case RAID_LEVEL_1:
		return (double)g.n_copies;
	case RAID_LEVEL_10:
		return (double)g.n_copies * full_stripe(&g);
	case RAID_LEVEL_4:
	case RAID_LEVEL_5:
	case RAID_LEVEL_6:
		return parity_writes(array, &g, rmw);
	}
	return (double)NAN;
}

double amplification_writes_of_members(const struct array *array, enum rmw rmw, double members)
{
	return members / amplification_expected_writes(array, rmw);
}
