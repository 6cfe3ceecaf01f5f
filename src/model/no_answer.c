/*
 * The time runs from the first sample that shows requests in flight, or from the last one before
 * which something completed. What really happened lies up to an interval before that, never after
 * it, so the seconds that are told are never too many.
 */
#include "raidtop/no_answer.h"

#include "raidtop/geometry.h"

static uint64_t count_completed(const struct counters *c)
{
	static const enum counter kinds[] = { COUNTER_READ_IOS, COUNTER_WRITE_IOS,
					      COUNTER_DISCARD_IOS, COUNTER_FLUSH_IOS };
	uint64_t n = 0;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (counters_has(c, kinds[i]))
			n += c->value[kinds[i]];
	return n;
}

void answer_watch_step(struct answer_watch *watch, uint64_t elapsed_us,
		       const struct counters *counters)
{
	bool known = counters_has(counters, COUNTER_INFLIGHT);
	bool waiting = known && counters->value[COUNTER_INFLIGHT] > 0;
	uint64_t n_completed = count_completed(counters);

	if (!waiting || !watch->waiting || n_completed != watch->n_completed ||
	    elapsed_us < watch->since_us)
		watch->since_us = elapsed_us;
	watch->waiting = waiting;
	watch->n_completed = n_completed;
	watch->silent_us = elapsed_us - watch->since_us;
}

bool answer_is_missing(const struct answer_watch *watch)
{
	return watch->silent_us >= NO_ANSWER_US;
}

static bool can_block(const struct member *m, size_t n)
{
	return (member_carries_data(m) || m->state == MEMBER_JOURNAL) && m->device >= 0 &&
	       (size_t)m->device < n;
}

int answer_find_blocking(const struct array *array, const struct answer_watch *watches, size_t n)
{
	uint64_t longest = 0;
	int found = -1;

	for (size_t i = 0; i < array->n_members; i++) {
		const struct answer_watch *w;

		if (!can_block(&array->members[i], n))
			continue;
		w = &watches[array->members[i].device];
		if (!answer_is_missing(w) || w->silent_us <= longest)
			continue;
		longest = w->silent_us;
		found = (int)i;
	}
	return found;
}
