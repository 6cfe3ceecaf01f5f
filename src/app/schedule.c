/*
 * Deadlines stand at start + k × interval. A tick that comes late keeps its own deadline; where
 * whole deadlines have passed they are counted as missed and passed over, never made up for by
 * ticks in a row: those would show figures of no time at all.
 */
#include "schedule.h"

void schedule_start(struct schedule *s, uint64_t interval_ns, uint64_t now_ns)
{
	*s = (struct schedule){ .interval_ns = interval_ns, .next_ns = now_ns };
}

uint64_t schedule_wait_ns(const struct schedule *s, uint64_t now_ns)
{
	return now_ns >= s->next_ns ? 0 : s->next_ns - now_ns;
}

bool schedule_take(struct schedule *s, uint64_t now_ns, uint32_t *ret_missed)
{
	uint64_t late_ns, missed;

	if (now_ns < s->next_ns)
		return false;
	late_ns = now_ns - s->next_ns;
	missed = late_ns / s->interval_ns;
	s->missed += missed;
	if (late_ns % s->interval_ns > s->interval_ns / 10)
		s->late++;
	s->next_ns += (missed + 1) * s->interval_ns;
	*ret_missed = missed > UINT32_MAX ? UINT32_MAX : (uint32_t)missed;
	return true;
}
