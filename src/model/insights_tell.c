/*
 * What begins and ends by the second, told once. A condition is over only when it has been for
 * some seconds, so that one on the verge does not fill the log; one whose ground has gone (the
 * member failed, a resync runs) ends without a word, as nobody can say that it is over.
 */
#include "insights_state.h"

#include <math.h>

#include "raidtop/clock.h"
#include "raidtop/geometry.h"
#include "raidtop/units.h"

#define SLOW_ENDS_AFTER 5 /* seconds; it begins as soon as it is named, which takes as long */
#define RMW_BEGINS_AFTER 3
#define RMW_ENDS_AFTER 10

/* Returns whether it has begun or ended with this second. */
static bool lasting_step(struct lasting *l, bool now, unsigned int begins_after,
			 unsigned int ends_after)
{
	l->n_against = now == l->is_on ? 0 : l->n_against + 1;
	if (l->n_against < (l->is_on ? ends_after : begins_after))
		return false;
	*l = (struct lasting){ .is_on = !l->is_on };
	return true;
}

/* ---- stragglers ---- */

static void tell_slow(const struct insights_step *step, const struct device *array,
		      const struct member *m, const struct straggler_trail *trail, bool begins)
{
	char times[32];

	if (!step->log)
		return;
	if (!begins) {
		event_log_add(step->log, EVENT_STRAGGLER_END, m->name, array->name,
			      "%s does not stand apart in %s any more", m->name, array->name);
		return;
	}
	units_format_three(times, sizeof(times), trail->await_times);
	if (trail->await_times > 0)
		event_log_add(step->log, EVENT_STRAGGLER, m->name, array->name,
			      "%s is slow in %s: a request takes %s times as long as the others'",
			      m->name, array->name, times);
	else
		event_log_add(step->log, EVENT_STRAGGLER, m->name, array->name,
			      "%s is slow in %s: %.0f %% busy, and the others are not", m->name,
			      array->name, trail->busy_pct);
}

static void judge_member(const struct insights_step *step, int slot, size_t i)
{
	struct array_watch *w = step->ins->arrays[slot];
	const struct device *d = step->t->devices[slot];
	const struct member *m = &d->array->members[i];
	const struct straggler_trail *trail = &w->trails[i];
	struct lasting *slow = &w->watches[i].slow;

	if (w->watches[i].device != m->device || m->state != MEMBER_IN_SYNC ||
	    array_is_syncing(d->array))
		w->watches[i] = (struct member_watch){ .device = m->device };
	if (trail->comparable && lasting_step(slow, straggler_is_named(trail), 1, SLOW_ENDS_AFTER))
		tell_slow(step, d, m, trail, slow->is_on);
	w->members[i].is_straggler = slow->is_on;
	if (trail->late & 1 || !slow->is_on) {
		w->members[i].await_times = slow->is_on ? trail->await_times : 0;
		w->members[i].busy_pct = slow->is_on ? trail->busy_pct : 0;
	}
}

static bool is_slower(const struct member_insights *a, const struct member_insights *b)
{
	return a->await_times > b->await_times ||
	       (a->await_times >= b->await_times && a->busy_pct > b->busy_pct);
}

void insights_tell_members(const struct insights_step *step, int slot)
{
	struct array_watch *w = step->ins->arrays[slot];
	size_t n = step->t->devices[slot]->array->n_members;

	w->is.straggler = NO_MEMBER;
	for (size_t i = 0; i < n; i++) {
		judge_member(step, slot, i);
		if (w->members[i].is_straggler &&
		    (w->is.straggler == NO_MEMBER ||
		     is_slower(&w->members[i], &w->members[w->is.straggler])))
			w->is.straggler = i;
	}
}

/* ---- read-modify-write ---- */

void insights_tell_rmw(const struct insights_step *step, int slot)
{
	struct array_watch *w = step->ins->arrays[slot];
	const struct device *d = step->t->devices[slot];
	char ratio[32];
	bool changed = lasting_step(&w->rmw, w->is.amplification.rmw == RMW_FULL, RMW_BEGINS_AFTER,
				    RMW_ENDS_AFTER);

	w->is.reads_before_writing = w->rmw.is_on;
	if (!changed || !step->log)
		return;
	units_format_three(ratio, sizeof(ratio), w->is.amplification.writes);
	if (w->rmw.is_on)
		event_log_add(step->log, EVENT_RMW, d->name, "",
			      "%s does read-modify-write: its members write %s times its bytes",
			      d->name, ratio);
	else
		event_log_add(step->log, EVENT_RMW_END, d->name, "",
			      "%s does no read-modify-write any more", d->name);
}

/* ---- levels ---- */

/* "213", as a recording has it: MB/s. */
static void format_level(char *buf, size_t size, double bytes_per_sec)
{
	units_format_three(buf, size, units_rate(UNITS_SI, bytes_per_sec));
}

void insights_tell_level(const struct insights_step *step, int slot, enum series series,
			 double value, double scale)
{
	static const char *const names[SERIES_COUNT] = { "reads", "writes" };
	const struct device *d = step->t->devices[slot];
	struct level_change change;
	char before[32], after[32];
	uint64_t ago_us;

	if (!level_watch_add(&step->ins->arrays[slot]->level[series], (float)value, &change) ||
	    isnan(scale) || !step->log)
		return;
	format_level(before, sizeof(before), change.before * scale);
	format_level(after, sizeof(after), change.after * scale);
	ago_us = (change.n_values_ago + 1) * step->ins->clock.slot_us;
	event_log_add(step->log, EVENT_LEVEL_CHANGE, d->name, "",
		      "%s %s went from %s to %s MB/s %llu s ago", d->name, names[series], before,
		      after, (unsigned long long)(ago_us / US_PER_SEC));
}
