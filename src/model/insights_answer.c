/*
 * Who gives no answer. One cause is told once: a hung disk makes its partition hang, that one its
 * array, and where the kernel counts what is in flight on arrays, those seem to give no answer
 * themselves. So it is said of the member that an array waits for, with the array; else of the
 * disk; and of an array only where none of its members is to blame.
 */
#include "insights_state.h"

#include <string.h>

#include "raidtop/clock.h"

/* Arrays of arrays of arrays. */
#define MAX_DEPTH 4

static bool is_silent(const struct insights *ins, int slot)
{
	return answer_is_missing(&ins->answers[slot]);
}

/* ---- watching ---- */

/* What is known of a device's past is that of another one, or nothing counts it. */
static bool begins_anew(const struct insights_step *step, size_t slot)
{
	enum gap gap = step->tick->devices[slot].gap;

	return !step->t->devices[slot]->present || gap == GAP_FIRST || gap == GAP_RESET ||
	       !step->tick->devices[slot].totals.valid;
}

/* Returns whether anybody is silent. */
static bool watch(const struct insights_step *step)
{
	struct insights *ins = step->ins;
	bool any = false;

	for (size_t i = 0; i < ins->n_devices; i++) {
		struct answer_watch *w = &ins->answers[i];

		if (begins_anew(step, i)) {
			memset(w, 0, sizeof(*w));
			ins->devices[i].is_told = false;
		}
		if (step->t->devices[i]->present)
			answer_watch_step(w, step->tick->elapsed_us,
					  &step->tick->devices[i].totals);
		any |= answer_is_missing(w);
	}
	return any;
}

/* ---- whom it blocks ---- */

static const struct array *array_at(const struct insights_step *step, size_t slot)
{
	const struct device *d = step->t->devices[slot];

	return d->present && step->ins->arrays[slot] ? d->array : NULL;
}

static void block(const struct insights_step *step, size_t slot, int by)
{
	struct array_insights *is = &step->ins->arrays[slot]->is;

	is->blocked_by = by;
	is->blocked_us = by == NO_SLOT ? 0 : step->ins->answers[by].silent_us;
}

static void block_by_members(const struct insights_step *step)
{
	struct insights *ins = step->ins;

	for (size_t i = 0; i < ins->n_devices; i++) {
		const struct array *a = array_at(step, i);
		int member;

		if (!ins->arrays[i])
			continue;
		member = a ? answer_find_blocking(a, ins->answers, ins->n_devices) : -1;
		block(step, i, member < 0 ? NO_SLOT : a->members[member].device);
	}
}

/* What blocks a member that is an array itself; NO_SLOT. */
static int find_below(const struct insights_step *step, const struct array *a)
{
	for (size_t i = 0; i < a->n_members; i++) {
		int slot = a->members[i].device;

		if (slot >= 0 && (size_t)slot < step->ins->n_devices &&
		    array_at(step, (size_t)slot) &&
		    step->ins->arrays[slot]->is.blocked_by != NO_SLOT)
			return step->ins->arrays[slot]->is.blocked_by;
	}
	return NO_SLOT;
}

/* An array that waits for an array that waits: the one at the bottom blocks both. */
static void block_by_arrays(const struct insights_step *step)
{
	for (int depth = 0; depth < MAX_DEPTH; depth++) {
		for (size_t i = 0; i < step->ins->n_devices; i++) {
			const struct array *a = array_at(step, i);
			int below = a ? find_below(step, a) : NO_SLOT;

			if (below != NO_SLOT)
				block(step, i, below);
		}
	}
}

/* The array that has the device as a member and waits for it; NO_SLOT. */
static int array_blocked_by(const struct insights_step *step, int slot)
{
	for (size_t i = 0; i < step->ins->n_devices; i++) {
		const struct array *a = array_at(step, i);

		if (!a || step->ins->arrays[i]->is.blocked_by != slot)
			continue;
		for (size_t m = 0; m < a->n_members; m++)
			if (a->members[m].device == slot)
				return (int)i;
	}
	return NO_SLOT;
}

/* ---- of whom it is said ---- */

/* It has not completed anything since the tick before, and may be the one in a moment. */
static bool is_suspect(const struct insights *ins, int slot)
{
	return slot >= 0 && (size_t)slot < ins->n_devices && ins->answers[slot].waiting &&
	       ins->answers[slot].silent_us > 0;
}

/* Whether an array waits for a member, or may: then it is not to blame itself. */
static bool waits_for_member(const struct insights_step *step, int slot)
{
	const struct array *a = step->t->devices[slot]->array;

	if (step->ins->arrays[slot]->is.blocked_by != NO_SLOT)
		return true;
	for (size_t i = 0; i < a->n_members; i++)
		if (is_suspect(step->ins, a->members[i].device))
			return true;
	return false;
}

static bool has_silent_member_partition(const struct insights_step *step, int disk)
{
	for (size_t i = 0; i < step->ins->n_devices; i++)
		if (step->t->devices[i]->parent == disk && is_silent(step->ins, (int)i) &&
		    array_blocked_by(step, (int)i) != NO_SLOT)
			return true;
	return false;
}

static bool is_to_blame(const struct insights_step *step, int slot)
{
	const struct device *d = step->t->devices[slot];

	switch (d->kind) {
	case DEVICE_ARRAY:
		return !waits_for_member(step, slot);
	case DEVICE_PARTITION:
		return array_blocked_by(step, slot) != NO_SLOT || d->parent == NO_SLOT ||
		       (size_t)d->parent >= step->ins->n_devices ||
		       !is_silent(step->ins, d->parent);
	case DEVICE_PATH: /* of one that hangs alone; else the head tells it */
		return d->parent == NO_SLOT || (size_t)d->parent >= step->ins->n_devices ||
		       !is_silent(step->ins, d->parent);
	case DEVICE_DISK:
		return !has_silent_member_partition(step, slot);
	}
	return true;
}

static void judge(const struct insights_step *step)
{
	struct insights *ins = step->ins;

	for (size_t i = 0; i < ins->n_devices; i++) {
		struct device_insights *is = &ins->devices[i].is;

		is->no_answer = is_silent(ins, (int)i) && is_to_blame(step, (int)i);
		is->silent_us = is->no_answer ? ins->answers[i].silent_us : 0;
	}
}

/* ---- telling ---- */

static unsigned long long whole_seconds(uint64_t us)
{
	return (unsigned long long)(us / US_PER_SEC);
}

static void tell_begin(const struct insights_step *step, int slot)
{
	struct device_watch *w = &step->ins->devices[slot];
	const struct device *d = step->t->devices[slot];

	w->told_array = array_blocked_by(step, slot);
	if (w->told_array == NO_SLOT && d->minor_interest)
		return;
	w->is_told = true;
	if (!step->log)
		return;
	if (w->told_array == NO_SLOT)
		event_log_add(step->log, EVENT_NO_ANSWER, d->name, "", "%s: no answer for %llu s",
			      d->name, whole_seconds(w->is.silent_us));
	else
		event_log_add(
			step->log, EVENT_NO_ANSWER, d->name, step->t->devices[w->told_array]->name,
			"%s: no answer for %llu s; %s is blocked by it", d->name,
			whole_seconds(w->is.silent_us), step->t->devices[w->told_array]->name);
}

static void tell_end(const struct insights_step *step, int slot)
{
	struct device_watch *w = &step->ins->devices[slot];
	const struct device *d = step->t->devices[slot];

	w->is_told = false;
	if (step->log)
		event_log_add(step->log, EVENT_ANSWER, d->name,
			      w->told_array == NO_SLOT ? "" : step->t->devices[w->told_array]->name,
			      "%s answers again after %llu s", d->name, whole_seconds(w->told_us));
}

/* Returns whether anybody is still told to give no answer. */
static bool tell(const struct insights_step *step)
{
	struct insights *ins = step->ins;
	bool any = false;

	for (size_t i = 0; i < ins->n_devices; i++) {
		struct device_watch *w = &ins->devices[i];

		if (w->is.no_answer && !w->is_told)
			tell_begin(step, (int)i);
		else if (w->is_told && !is_silent(ins, (int)i))
			tell_end(step, (int)i);
		if (is_silent(ins, (int)i))
			w->told_us = ins->answers[i].silent_us;
		any |= w->is_told;
	}
	return any;
}

void insights_answers(const struct insights_step *step)
{
	struct insights *ins = step->ins;
	bool any = watch(step);

	if (!any && !ins->any_silent)
		return; /* as almost always: nobody is silent, and nobody was */
	block_by_members(step);
	block_by_arrays(step);
	judge(step);
	ins->any_silent = tell(step) || any;
}
