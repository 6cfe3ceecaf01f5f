/*
 * The watches of all devices and arrays, stepped with each tick. One clock tells when a second is
 * over, for all at once, so that an array's window and its members' hold the same seconds; what is
 * judged by the second is judged then. Who answers is judged at each tick, as that rests on
 * cumulative counts alone and is in a hurry.
 */
#include "raidtop/insights.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "insights_state.h"
#include "raidtop/clock.h"
#include "raidtop/memory.h"

/* ---- life ---- */

struct insights *insights_new(uint64_t interval_us)
{
	struct insights *ins = memory_new(1, sizeof(*ins));

	ins->interval_us = interval_us;
	seconds_fold_init(&ins->clock, interval_us);
	return ins;
}

static void free_array(struct array_watch *w)
{
	if (!w)
		return;
	free(w->trails);
	free(w->members);
	free(w->watches);
	free(w);
}

void insights_free(struct insights *ins)
{
	if (!ins)
		return;
	for (size_t i = 0; i < ins->capacity; i++)
		free_array(ins->arrays[i]);
	free(ins->devices);
	free(ins->answers);
	free(ins->arrays);
	free(ins->seconds);
	free(ins->windows);
	free(ins->floats);
	free(ins->read_pct);
	free(ins->write_pct);
	free(ins);
}

static const struct array_insights nothing_of_array = {
	.blocked_by = NO_SLOT,
	.straggler = NO_MEMBER,
	.amplification = { NAN, NAN, NAN, RMW_UNKNOWN },
	.expected_writes = NAN,
};
static const struct member_insights nothing_of_member = { .read_share_pct = NAN,
							  .write_share_pct = NAN };

void insights_forget_array(struct array_watch *w)
{
	w->is = nothing_of_array;
	w->shape = 0;
	w->same_us = 0;
	w->write_scale = (double)NAN;
	w->rmw = (struct lasting){ .is_on = false };
	memset(&w->sync, 0, sizeof(w->sync));
	memset(w->level, 0, sizeof(w->level));
	memset(w->ring, 0, sizeof(w->ring));
	for (size_t i = 0; i < w->capacity; i++) {
		w->trails[i] = (struct straggler_trail){ .device = NO_SLOT };
		w->watches[i] = (struct member_watch){ .device = NO_SLOT };
		w->members[i] = nothing_of_member;
	}
}

static void forget_device(struct insights *ins, size_t slot)
{
	memset(&ins->devices[slot], 0, sizeof(ins->devices[slot]));
	ins->devices[slot].told_array = NO_SLOT;
	memset(&ins->answers[slot], 0, sizeof(ins->answers[slot]));
}

void insights_reset(struct insights *ins)
{
	seconds_fold_init(&ins->clock, ins->interval_us);
	ins->n_devices = 0;
	ins->any_silent = false;
	for (size_t i = 0; i < ins->capacity; i++) {
		forget_device(ins, i);
		if (ins->arrays[i])
			insights_forget_array(ins->arrays[i]);
	}
}

/* ---- room ---- */

static void make_room_for_devices(struct insights *ins, size_t n)
{
	size_t held = ins->capacity;

	if (n <= held)
		return;
	ins->devices = memory_resize(ins->devices, n, sizeof(*ins->devices));
	ins->answers = memory_resize(ins->answers, n, sizeof(*ins->answers));
	ins->arrays = memory_resize(ins->arrays, n, sizeof(*ins->arrays));
	ins->capacity = n;
	for (size_t i = held; i < n; i++) {
		forget_device(ins, i);
		ins->arrays[i] = NULL;
	}
}

static void make_room_for_members(struct insights *ins, size_t n)
{
	if (n <= ins->members_capacity)
		return;
	ins->seconds = memory_resize(ins->seconds, n, sizeof(*ins->seconds));
	ins->windows = memory_resize(ins->windows, n, sizeof(*ins->windows));
	ins->floats = memory_resize(ins->floats, n, sizeof(*ins->floats));
	ins->read_pct = memory_resize(ins->read_pct, n, sizeof(*ins->read_pct));
	ins->write_pct = memory_resize(ins->write_pct, n, sizeof(*ins->write_pct));
	ins->members_capacity = n;
}

static void make_room_for_array(struct insights *ins, size_t slot, size_t n_members)
{
	struct array_watch *w = ins->arrays[slot];

	if (!w) {
		w = ins->arrays[slot] = memory_new(1, sizeof(*w));
		insights_forget_array(w);
	}
	if (n_members > w->capacity) {
		size_t held = w->capacity;

		w->trails = memory_resize(w->trails, n_members, sizeof(*w->trails));
		w->members = memory_resize(w->members, n_members, sizeof(*w->members));
		w->watches = memory_resize(w->watches, n_members, sizeof(*w->watches));
		w->capacity = n_members;
		for (size_t i = held; i < n_members; i++) {
			w->trails[i] = (struct straggler_trail){ .device = NO_SLOT };
			w->watches[i] = (struct member_watch){ .device = NO_SLOT };
			w->members[i] = nothing_of_member;
		}
	}
	w->is.members = w->members;
	w->is.n_members = n_members;
}

static void make_room(struct insights *ins, const struct topology *t, size_t n)
{
	size_t members = 0;

	make_room_for_devices(ins, n);
	for (size_t i = 0; i < n; i++) {
		const struct array *a = t->devices[i]->array;

		if (!a)
			continue;
		make_room_for_array(ins, i, a->n_members);
		members = a->n_members > members ? a->n_members : members;
	}
	make_room_for_members(ins, members);
	ins->n_devices = n;
}

/* ---- a tick ---- */

static void add_traffic(const struct insights_step *step)
{
	struct insights *ins = step->ins;

	for (size_t i = 0; i < ins->n_devices; i++) {
		struct traffic sample;

		traffic_from_figures(&sample, &step->tick->devices[i], step->tick->interval_us);
		traffic_window_add(&ins->devices[i].window, &sample);
	}
}

static void close_windows(struct insights *ins)
{
	for (size_t i = 0; i < ins->n_devices; i++)
		traffic_window_close(&ins->devices[i].window);
}

static bool is_working(const struct device *d)
{
	return d->array && d->present && d->array->state != ARRAY_INACTIVE;
}

/* How many seconds of the trails a gap takes: those that were missed, or all. */
static unsigned int seconds_of_gap(const struct insights *ins, const struct tick *tick)
{
	const unsigned int all = 16; /* trails are shorter */
	uint64_t n = tick->interval_us / ins->clock.slot_us;

	return tick->gap == GAP_MISSED && n < all ? (unsigned int)n : all;
}

static void end_second(const struct insights_step *step)
{
	struct insights *ins = step->ins;

	close_windows(ins);
	for (size_t i = 0; i < ins->n_devices; i++) {
		if (!ins->arrays[i])
			continue;
		if (!is_working(step->t->devices[i]))
			insights_forget_array(ins->arrays[i]);
		else if (step->tick->gap != GAP_NONE)
			insights_array_gap(step, (int)i, seconds_of_gap(ins, step->tick));
		else
			insights_array_second(step, (int)i);
	}
}

static void step_syncs(const struct insights_step *step)
{
	struct insights *ins = step->ins;

	for (size_t i = 0; i < ins->n_devices; i++) {
		const struct device *d = step->t->devices[i];
		struct array_watch *w = ins->arrays[i];

		if (!w || !is_working(d))
			continue;
		sync_left_step(&w->sync, step->tick->elapsed_us, &d->array->action);
		w->is.time_left_known = sync_left_ns(&w->sync, &w->is.time_left_ns);
	}
}

/*
 * Whether the second that runs ends with this tick; a gap ends it wherever it stands. The next
 * sample is expected as late as this one was: a recording's segments may have intervals of their
 * own.
 */
static bool second_ends(struct insights *ins, const struct tick *tick)
{
	float value;

	if (tick->interval_us > 0)
		ins->clock.interval_us = tick->interval_us;
	if (tick->gap == GAP_NONE)
		return seconds_fold_add(&ins->clock, 0, tick->interval_us, true, &value);
	seconds_fold_end(&ins->clock, &value);
	return true;
}

void insights_step(struct insights *ins, const struct topology *t, const struct tick *tick,
		   struct event_log *log)
{
	const struct insights_step step = { ins, t, tick, log };
	size_t n = tick->n_devices < t->n_devices ? tick->n_devices : t->n_devices;

	/* By its number: where ticks were missed as well, the gap tells of those. */
	if (tick->gap == GAP_FIRST || tick->segment != ins->segment)
		insights_reset(ins);
	ins->segment = tick->segment;
	make_room(ins, t, n);
	insights_answers(&step);
	step_syncs(&step);
	add_traffic(&step);
	if (second_ends(ins, tick))
		end_second(&step);
}

/* ---- reading ---- */

static bool is_known(const struct insights *ins, int slot)
{
	return ins && slot >= 0 && (size_t)slot < ins->n_devices;
}

const struct device_insights *insights_device(const struct insights *ins, int slot)
{
	static const struct device_insights nothing = { .no_answer = false };

	return is_known(ins, slot) ? &ins->devices[slot].is : &nothing;
}

const struct array_insights *insights_array(const struct insights *ins, int slot)
{
	return is_known(ins, slot) && ins->arrays[slot] ? &ins->arrays[slot]->is
							: &nothing_of_array;
}

const struct member_insights *insights_member(const struct insights *ins, int slot, size_t member)
{
	const struct array_insights *a = insights_array(ins, slot);

	return member < a->n_members ? &a->members[member] : &nothing_of_member;
}
