/*
 * A second of an array. What relates it to its members is taken from windows of 10 s, and is not
 * known until the array has been the same for as long: a member that came, or a resync that ended,
 * would else be judged on what was before. Its writes are judged on what its members wrote, as the
 * array counts bytes when they are submitted.
 */
#include "insights_state.h"

#include <math.h>
#include <string.h>

#include "raidtop/clock.h"
#include "raidtop/geometry.h"

#define DEMANDED_BUSY_PCT 90      /* jiffies and the time between two requests take the rest */
#define DEMANDED_INFLIGHT 0.9     /* of one direction, where both are asked for */
#define OTHER_DIRECTION_MOST 0.05 /* of the bytes: less is none */

/* ---- the same array as before ---- */

static uint64_t mix(uint64_t hash, uint64_t value)
{
	return (hash ^ value) * 0x100000001b3ULL; /* FNV-1a, by words */
}

/* All that ratios of an array and its members depend on. */
static uint64_t shape_of(const struct array *a)
{
	uint64_t hash = 0xcbf29ce484222325ULL;

	for (const char *c = a->level; *c; c++)
		hash = mix(hash, (unsigned char)*c);
	hash = mix(hash, a->raid_disks);
	hash = mix(hash, a->degraded);
	hash = mix(hash, a->action.kind != ACTION_NONE);
	for (size_t i = 0; i < a->n_members; i++) {
		hash = mix(hash, (uint64_t)(int64_t)a->members[i].device);
		hash = mix(hash, a->members[i].state);
		hash = mix(hash, a->members[i].flags);
	}
	return hash;
}

static void note_shape(struct array_watch *w, const struct array *a, uint64_t time_us)
{
	uint64_t shape = shape_of(a);

	w->same_us += time_us;
	if (shape == w->shape)
		return;
	w->shape = shape;
	w->same_us = 0;
	w->write_scale = (double)NAN;
}

/* ---- its members ---- */

/* The second that is over, and the window, of each member. */
static void gather(struct insights *ins, const struct array *a)
{
	for (size_t i = 0; i < a->n_members; i++) {
		int slot = a->members[i].device;

		ins->seconds[i] = ins->windows[i] = (struct traffic){ .known = false };
		if (slot < 0 || (size_t)slot >= ins->n_devices)
			continue;
		traffic_window_last(&ins->devices[slot].window, &ins->seconds[i]);
		traffic_window_sum(&ins->devices[slot].window, &ins->windows[i]);
	}
}

/* Journal and spares do not make the array's bytes; NAN where one that does is not known. */
static double written_by_members(const struct insights *ins, const struct array *a)
{
	double sum = 0;

	for (size_t i = 0; i < a->n_members; i++) {
		if (!member_carries_data(&a->members[i]) && a->members[i].state != MEMBER_JOURNAL)
			continue;
		if (!ins->seconds[i].known)
			return (double)NAN;
		sum += ins->seconds[i].write_bytes;
	}
	return sum;
}

static double busiest_member_pct(const struct insights *ins, const struct array *a)
{
	double most = (double)NAN;

	for (size_t i = 0; i < a->n_members; i++)
		if (member_carries_data(&a->members[i]))
			most = fmax(most, traffic_busy_pct(&ins->seconds[i]));
	return most;
}

/*
 * A member that completed nothing though it was asked is not slow but silent, which is told by
 * itself: that it was busy all the time makes it no straggler.
 */
static void pass_over_silent(struct insights *ins, const struct array *a)
{
	for (size_t i = 0; i < a->n_members; i++) {
		struct traffic *t = &ins->seconds[i];

		if (t->read_ios + t->write_ios <= 0)
			t->busy_us = (double)NAN;
	}
}

static void judge_ratios(struct insights *ins, struct array_watch *w, const struct array *a,
			 int slot)
{
	struct array_insights *is = &w->is;
	struct traffic self;

	traffic_window_sum(&ins->devices[slot].window, &self);
	self.known = self.known && w->same_us >= TRAFFIC_WINDOW_US;
	amplification_compute(&is->amplification, a, &self, ins->windows);
	is->expected_writes = amplification_expected_writes(a, is->amplification.rmw);
	if (!self.known)
		for (size_t i = 0; i < a->n_members; i++)
			ins->windows[i].known = false;
	balance_compute(&is->balance, a, &self, ins->windows, ins->read_pct, ins->write_pct);
	for (size_t i = 0; i < a->n_members; i++) {
		w->members[i].read_share_pct = ins->read_pct[i];
		w->members[i].write_share_pct = ins->write_pct[i];
	}
}

/* ---- its series ---- */

/*
 * Series of writes are of the members' bytes, so that a ratio that becomes known, or changes, is
 * no change of level by itself; this is what makes them the array's own. Where nothing is written
 * that could tell the ratio, it is the last one; before there was one, that of full stripes. Where
 * the expected ratio is not known, the measured one stands in for it.
 */
static void note_scale(struct array_watch *w)
{
	if (w->is.amplification.rmw == RMW_UNKNOWN && !isnan(w->write_scale))
		return;
	w->write_scale = 1 / (isnan(w->is.expected_writes) ? w->is.amplification.writes
							   : w->is.expected_writes);
}

static double scale_of(const struct array_watch *w, const struct traffic *self, enum series series)
{
	return series == SERIES_READ || self->derived ? 1 : w->write_scale;
}

/* Bytes per second of the second that is over, in the series' own scale; NAN: not known. */
static double value_of(const struct insights *ins, const struct array *a,
		       const struct traffic *self, enum series series)
{
	double seconds = (double)self->time_us / (double)US_PER_SEC;

	if (!self->known)
		return (double)NAN;
	if (series == SERIES_READ)
		return self->read_bytes / seconds;
	if (self->derived)
		return self->write_bytes / seconds;
	return array_is_syncing(a) ? (double)NAN : written_by_members(ins, a) / seconds;
}

/*
 * Whether load was asked for throughout the second: requests were in flight in nearly all of it,
 * on the array or on the member that it waits for. Where both directions move, that must be so
 * of this one by itself. `values` are what moved, by series.
 */
static bool is_demanded(const struct traffic *self, double member_busy_pct, const double *values,
			enum series series)
{
	double waited_us[SERIES_COUNT] = { self->read_us, self->write_us };
	double all = values[SERIES_READ] + values[SERIES_WRITE];
	bool is_busy =
		traffic_busy_pct(self) >= DEMANDED_BUSY_PCT || member_busy_pct >= DEMANDED_BUSY_PCT;

	if (!self->known || !is_busy)
		return false;
	return values[series] >= (1 - OTHER_DIRECTION_MOST) * all ||
	       waited_us[series] >= DEMANDED_INFLIGHT * (double)self->time_us;
}

static void ring_add(struct value_ring *r, double value, uint64_t time_us, bool demanded)
{
	size_t i = r->n % INSIGHTS_NOTE_VALUES;

	if (isnan(value)) {
		r->n = 0;
		return;
	}
	r->values[i] = (float)value;
	r->seconds[i] = (float)time_us / (float)US_PER_SEC;
	r->demanded[i] = demanded;
	r->n++;
}

/* The newest values in which load was demanded throughout, in order; their number. */
static size_t demanded_stretch(const struct value_ring *r, float *values, double *ret_mean)
{
	size_t held = r->n < INSIGHTS_NOTE_VALUES ? r->n : INSIGHTS_NOTE_VALUES, n = 0;
	double bytes = 0, seconds = 0;

	while (n < held && r->demanded[(r->n - 1 - n) % INSIGHTS_NOTE_VALUES])
		n++;
	for (size_t i = 0; i < n; i++) {
		size_t at = (r->n - n + i) % INSIGHTS_NOTE_VALUES;

		values[i] = (float)((double)r->values[at] * r->scale);
		bytes += (double)values[i] * (double)r->seconds[at];
		seconds += (double)r->seconds[at];
	}
	*ret_mean = seconds > 0 ? bytes / seconds : (double)NAN;
	return n;
}

static bool has_moved(const struct value_ring *r)
{
	size_t held = r->n < INSIGHTS_NOTE_VALUES ? r->n : INSIGHTS_NOTE_VALUES;

	for (size_t i = 0; i < held; i++)
		if (r->values[i] > 0)
			return true;
	return false;
}

static void write_note(struct note *note, const struct value_ring *r, uint64_t slot_us)
{
	float values[INSIGHTS_NOTE_VALUES], scratch[INSIGHTS_NOTE_VALUES];
	struct seconds series = { .values = values, .slot_us = slot_us, .demanded = true };

	if (isnan(r->scale) || !has_moved(r))
		return;
	series.n = demanded_stretch(r, values, &series.mean);
	if (series.n >= INSIGHTS_NOTE_LEAST)
		note_compute(note, &series, scratch);
	else
		note->kind = NOTE_DEMAND_VARIES;
}

void insights_note(const struct insights *ins, int slot, enum series series, struct note *ret)
{
	*ret = (struct note){ .kind = NOTE_NONE, .mean = (double)NAN };
	if (ins && slot >= 0 && (size_t)slot < ins->n_devices && ins->arrays[slot])
		write_note(ret, &ins->arrays[slot]->ring[series], ins->clock.slot_us);
}

static void judge_series(const struct insights_step *step, int slot, const struct traffic *self,
			 double busiest_pct)
{
	struct insights *ins = step->ins;
	struct array_watch *w = ins->arrays[slot];
	const struct array *a = step->t->devices[slot]->array;
	double values[SERIES_COUNT];

	note_scale(w);
	for (enum series s = 0; s < SERIES_COUNT; s++)
		values[s] = value_of(ins, a, self, s);
	for (enum series s = 0; s < SERIES_COUNT; s++) {
		double scale = scale_of(w, self, s);

		/* That an array stands still while it is blocked has been said. */
		insights_tell_level(step, slot, s,
				    w->is.blocked_by == NO_SLOT ? values[s] : (double)NAN, scale);
		ring_add(&w->ring[s], values[s], self->time_us,
			 is_demanded(self, busiest_pct, values, s));
		w->ring[s].scale = scale;
	}
}

/* ---- a second, a gap ---- */

void insights_array_second(const struct insights_step *step, int slot)
{
	struct insights *ins = step->ins;
	struct array_watch *w = ins->arrays[slot];
	const struct array *a = step->t->devices[slot]->array;
	struct traffic self;
	double busiest_pct;

	traffic_window_last(&ins->devices[slot].window, &self);
	note_shape(w, a, self.time_us);
	gather(ins, a);
	busiest_pct = busiest_member_pct(ins, a);
	pass_over_silent(ins, a);
	straggler_step(w->trails, a, ins->seconds, ins->floats);
	insights_tell_members(step, slot);
	judge_ratios(ins, w, a, slot);
	insights_tell_rmw(step, slot);
	judge_series(step, slot, &self, busiest_pct);
}

void insights_array_gap(const struct insights_step *step, int slot, unsigned int n)
{
	struct insights *ins = step->ins;
	struct array_watch *w = ins->arrays[slot];
	const struct array *a = step->t->devices[slot]->array;

	gather(ins, a); /* of which nothing is known now */
	for (unsigned int i = 0; i < n; i++)
		straggler_step(w->trails, a, ins->seconds, ins->floats);
	judge_ratios(ins, w, a, slot);
	for (enum series s = 0; s < SERIES_COUNT; s++) {
		insights_tell_level(step, slot, s, (double)NAN, 1);
		ring_add(&w->ring[s], (double)NAN, 0, false);
	}
}
