/*
 * Points of progress about a second apart, as far back as 30 s. The speed is taken between the
 * newest one and the latest that is 30 s old, so it is a mean over time however unevenly md
 * reports; mdstat's progress is the finest there is (sysfs' moves in steps of a sixteenth).
 */
#include "raidtop/sync_left.h"

#include "raidtop/clock.h"

#define APART_US 900000

static bool is_running(const struct action *a)
{
	return a->kind != ACTION_NONE &&
	       (a->state == ACTION_RUNNING || a->state == ACTION_STALLED) &&
	       a->done_bytes != UNKNOWN_U64 && a->total_bytes != UNKNOWN_U64;
}

static const struct sync_point *point_ago(const struct sync_left *s, size_t ago)
{
	return &s->points[(s->n_points - 1 - ago) % SYNC_LEFT_POINTS];
}

void sync_left_step(struct sync_left *s, uint64_t elapsed_us, const struct action *action)
{
	struct sync_point now = { elapsed_us, action->done_bytes };

	if (!is_running(action)) {
		*s = (struct sync_left){ .n_points = 0 };
		return;
	}
	if (action->kind != s->kind || action->total_bytes != s->total_bytes ||
	    now.done_bytes < s->newest.done_bytes || elapsed_us < s->newest.elapsed_us)
		s->n_points = 0;
	s->kind = action->kind;
	s->total_bytes = action->total_bytes;
	s->newest = now;
	if (s->n_points == 0 || elapsed_us - point_ago(s, 0)->elapsed_us >= APART_US)
		s->points[s->n_points++ % SYNC_LEFT_POINTS] = now;
}

/* The latest point that is 30 s old, or the oldest. */
static const struct sync_point *find_begin(const struct sync_left *s)
{
	size_t held = s->n_points < SYNC_LEFT_POINTS ? s->n_points : SYNC_LEFT_POINTS;

	for (size_t ago = 0; ago < held; ago++)
		if (s->newest.elapsed_us - point_ago(s, ago)->elapsed_us >= SYNC_LEFT_SPAN_US)
			return point_ago(s, ago);
	return held ? point_ago(s, held - 1) : &s->newest;
}

bool sync_left_speed(const struct sync_left *s, double *ret_bytes_per_sec)
{
	const struct sync_point *begin = find_begin(s);
	uint64_t us = s->newest.elapsed_us - begin->elapsed_us;

	if (us == 0)
		return false;
	*ret_bytes_per_sec = (double)(s->newest.done_bytes - begin->done_bytes) *
			     (double)US_PER_SEC / (double)us;
	return true;
}

bool sync_left_ns(const struct sync_left *s, uint64_t *ret_ns)
{
	double speed, ns;

	if (!sync_left_speed(s, &speed) || !(speed > 0) || s->newest.done_bytes > s->total_bytes)
		return false;
	ns = (double)(s->total_bytes - s->newest.done_bytes) / speed * (double)NS_PER_SEC;
	if (!(ns < 9e18))
		return false;
	*ret_ns = (uint64_t)ns;
	return true;
}
