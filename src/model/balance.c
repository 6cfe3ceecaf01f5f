/*
 * A fair share is the same for each mirror that may be read: md's read balancing takes the one
 * whose head is nearest, or the one with the fewest requests waiting on disks without heads, so
 * with enough requests in flight all have their part. A write-mostly mirror and one that is being
 * rebuilt are not asked, and do not lower the others' share.
 */
#include "raidtop/balance.h"

#include <math.h>

#include "raidtop/geometry.h"

#define DEEP_QUEUE 2     /* requests in flight for each mirror */
#define UNEVEN_BELOW 0.5 /* of a fair share */

static struct traffic sum_members(const struct array *a, const struct traffic *self,
				  const struct traffic *members)
{
	struct traffic sum = { .known = true, .time_us = self->time_us };

	for (size_t i = 0; i < a->n_members; i++)
		if (member_carries_data(&a->members[i]))
			traffic_add_beside(&sum, &members[i]);
	return sum;
}

static double share_pct(const struct traffic *sum, double of_all, double of_member)
{
	if (!traffic_is_enough(sum, of_all) || !traffic_is_even(sum))
		return (double)NAN;
	return 100 * of_member / of_all;
}

static bool is_mirrored(const struct array *a)
{
	struct geometry g;

	geometry_of(&g, a);
	return (g.level == RAID_LEVEL_1 || g.level == RAID_LEVEL_10) && !array_is_syncing(a);
}

static bool is_read(const struct member *m)
{
	return m->state == MEMBER_IN_SYNC && !(m->flags & MEMBER_FLAG_WRITE_MOSTLY);
}

/* How many mirrors are read; the one of the least share in *ret_least. */
static size_t find_least(const struct array *a, const double *read_pct, size_t *ret_least)
{
	size_t n = 0;

	for (size_t i = 0; i < a->n_members; i++) {
		if (!is_read(&a->members[i]))
			continue;
		if (n++ == 0 || read_pct[i] < read_pct[*ret_least])
			*ret_least = i;
	}
	return n;
}

static double mean_inflight(const struct traffic *self, const struct traffic *sum)
{
	double of_array = traffic_mean_inflight(self);

	return isnan(of_array) ? traffic_mean_inflight(sum) : of_array;
}

static void judge(struct balance *ret, const struct array *a, double inflight,
		  const double *read_pct)
{
	size_t n = find_least(a, read_pct, &ret->least);

	if (n < 2 || isnan(read_pct[ret->least]))
		return;
	ret->fair_pct = 100 / (double)n;
	if (read_pct[ret->least] >= UNEVEN_BELOW * ret->fair_pct)
		ret->reads = BALANCE_FAIR;
	else if (inflight >= DEEP_QUEUE * (double)n)
		ret->reads = BALANCE_UNEVEN;
	else if (!isnan(inflight))
		ret->reads = BALANCE_FEW_REQUESTS;
}

void balance_compute(struct balance *ret, const struct array *array, const struct traffic *self,
		     const struct traffic *members, double *read_pct, double *write_pct)
{
	struct traffic sum = sum_members(array, self, members);

	*ret = (struct balance){ .reads = BALANCE_UNKNOWN };
	for (size_t i = 0; i < array->n_members; i++) {
		bool carries = member_carries_data(&array->members[i]);
		const struct traffic *m = &members[i];

		read_pct[i] = write_pct[i] = (double)NAN;
		if (!carries)
			continue;
		read_pct[i] = share_pct(&sum, sum.read_bytes, m->read_bytes);
		write_pct[i] = share_pct(&sum, sum.write_bytes, m->write_bytes);
	}
	if (is_mirrored(array))
		judge(ret, array, mean_inflight(self, &sum), read_pct);
}
