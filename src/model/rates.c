/*
 * From two snapshots to rates. A rate needs two readings of one counter of one device with a
 * known time between them; wherever one of these cannot be vouched for, there is a gap, with its
 * reason, and a new baseline. Totals go on over gaps of time, because the counters did, and start
 * again where they did; a recording keeps these totals, so that its replay, which comes through
 * here as well, has the same differences and thus the same figures to the last bit.
 */
#include "raidtop/rates.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "rates_state.h"
#include "raidtop/clock.h"
#include "raidtop/memory.h"

/* CLOCK_BOOTTIME ahead by this much: the machine slept. Reading both takes microseconds. */
#define SUSPEND_US (US_PER_SEC / 2)
/* Times of a disk that did this many requests are not all below a millisecond: none are kept. */
#define TIMED_IOS 1000

const struct rate_description rate_descriptions[RATE_COUNT] = {
	[RATE_READ_BYTES] = { "read_mb_s", 1e6 },
	[RATE_WRITE_BYTES] = { "write_mb_s", 1e6 },
	[RATE_READ_IOS] = { "read_iops", 1 },
	[RATE_WRITE_IOS] = { "write_iops", 1 },
	[RATE_READ_AWAIT] = { "read_await_ms", 1 },
	[RATE_WRITE_AWAIT] = { "write_await_ms", 1 },
	[RATE_QUEUE] = { "queue", 1 },
	[RATE_UTIL] = { "util_pct", 1 },
};

const char *gap_name(enum gap gap)
{
	static const char *const names[] = {
		[GAP_NONE] = "",           [GAP_FIRST] = "first", [GAP_MISSED] = "missed",
		[GAP_SUSPEND] = "suspend", [GAP_RESET] = "reset", [GAP_ABSENT] = "absent",
		[GAP_SEGMENT] = "segment", [GAP_CLOCK] = "clock",
	};

	return names[gap];
}

/* ---- gaps ---- */

/* Which of two reasons comes first; they are listed in that order. */
static enum gap first_gap(enum gap a, enum gap b)
{
	if (a == GAP_NONE || b == GAP_NONE)
		return a == GAP_NONE ? b : a;
	return a < b ? a : b;
}

static bool has_slept(const struct rates *r, const struct snapshot *now)
{
	int64_t monotonic = (int64_t)(now->elapsed_us - r->elapsed_us);
	int64_t boottime = (int64_t)(now->boottime_us - r->boottime_us);

	if (now->boottime_us == UNKNOWN_U64 || r->boottime_us == UNKNOWN_U64)
		return false;
	return boottime - monotonic >= (int64_t)SUSPEND_US;
}

static enum gap gap_of_tick(const struct rates *r, const struct snapshot *now)
{
	if (!r->started)
		return GAP_FIRST;
	if (now->missed_ticks > 0)
		return GAP_MISSED;
	if (now->segment != r->segment)
		return GAP_SEGMENT;
	if (has_slept(r, now))
		return GAP_SUSPEND;
	return now->elapsed_us > r->elapsed_us ? GAP_NONE : GAP_CLOCK;
}

/* ---- counters ---- */

/* What is no level: it only grows. */
#define CUMULATIVE (((1u << COUNTER_COUNT) - 1) & ~(1u << COUNTER_INFLIGHT))

/*
 * The growth of a counter that went down: 0 where it wrapped, -ESTALE after a reset. A busy time
 * that wrapped cannot have grown by much more than time went by.
 */
static int wrap(enum counter which, uint64_t before, uint64_t after, bool unwrapped,
		uint64_t interval_us, uint64_t *ret_growth)
{
	enum counter_kind kind = unwrapped ? COUNTER_KIND_64 : counter_descriptions[which].kind;
	uint64_t growth;
	int r = counter_growth(kind, before, after, &growth);

	if (r == 0 && which == COUNTER_BUSY_US && growth > 2 * interval_us + US_PER_SEC)
		r = -ESTALE;
	if (r == 0)
		*ret_growth = growth;
	return r;
}

/*
 * What each counter grew by. False after a reset: then none is known, because a time that was
 * reset too would pass for one that wrapped.
 */
static bool grow(struct device_state *s, const struct counters *now, bool unwrapped,
		 uint64_t interval_us)
{
	uint32_t both = s->before.valid & now->valid & CUMULATIVE;

	s->growth.valid = 0;
	for (enum counter c = 0; c < COUNTER_COUNT; c++) {
		uint64_t before = s->before.value[c], after = now->value[c];

		s->growth.value[c] = after - before;
		if (both >> c & 1 && after < before &&
		    wrap(c, before, after, unwrapped, interval_us, &s->growth.value[c]))
			return false;
	}
	s->growth.valid = both;
	return true;
}

/* What grew goes on; what did not (a level, a new baseline) is as the kernel says. */
static void add_totals(struct counters *totals, const struct counters *growth,
		       const struct counters *now)
{
	uint32_t goes_on = growth->valid & totals->valid;

	totals->valid = now->valid;
	for (enum counter c = 0; c < COUNTER_COUNT; c++) {
		if (goes_on >> c & 1)
			totals->value[c] += growth->value[c];
		else
			totals->value[c] = now->value[c];
	}
}

/* ---- rates ---- */

static void set_rate(struct figures *f, enum rate which, double value)
{
	f->value[which] = value;
	f->valid |= 1u << which;
}

static const struct per_time {
	enum rate rate;
	enum counter counter;
	double scale; /* of growth / us */
} per_time[] = {
	{ RATE_READ_BYTES, COUNTER_READ_BYTES, 1e6 },
	{ RATE_WRITE_BYTES, COUNTER_WRITE_BYTES, 1e6 },
	{ RATE_READ_IOS, COUNTER_READ_IOS, 1e6 },
	{ RATE_WRITE_IOS, COUNTER_WRITE_IOS, 1e6 },
	{ RATE_QUEUE, COUNTER_QUEUE_US, 1 },
	{ RATE_UTIL, COUNTER_BUSY_US, 100 },
};

static const struct per_request {
	enum rate rate;
	enum counter time, requests;
} per_request[] = {
	{ RATE_READ_AWAIT, COUNTER_READ_US, COUNTER_READ_IOS },
	{ RATE_WRITE_AWAIT, COUNTER_WRITE_US, COUNTER_WRITE_IOS },
};

void rates_fill(struct figures *f, const struct counters *growth, uint64_t interval_us)
{
	for (size_t i = 0; i < sizeof(per_time) / sizeof(per_time[0]); i++) {
		const struct per_time *p = &per_time[i];

		if (counters_has(growth, p->counter))
			set_rate(f, p->rate,
				 (double)growth->value[p->counter] * p->scale /
					 (double)interval_us);
	}
	for (size_t i = 0; i < sizeof(per_request) / sizeof(per_request[0]); i++) {
		const struct per_request *p = &per_request[i];

		if (counters_has(growth, p->time) && counters_has(growth, p->requests) &&
		    growth->value[p->requests] > 0)
			set_rate(f, p->rate,
				 (double)growth->value[p->time] / 1e3 /
					 (double)growth->value[p->requests]);
	}
}

static uint64_t value_or_0(const struct counters *c, enum counter which)
{
	return counters_has(c, which) ? c->value[which] : 0;
}

/*
 * Arrays before Linux 5.14, and bio-based disks, count requests and bytes but print 0 for times.
 * A new disk's few fast requests may have taken no whole millisecond: not so for many.
 */
static bool keeps_times(const struct counters *now, bool is_array)
{
	uint64_t ios = value_or_0(now, COUNTER_READ_IOS) + value_or_0(now, COUNTER_WRITE_IOS);

	for (enum counter c = 0; c < COUNTER_COUNT; c++)
		if (counter_descriptions[c].kind == COUNTER_KIND_MS32 && value_or_0(now, c) > 0)
			return true;
	return ios < (is_array ? 1 : TIMED_IOS);
}

static void drop_times(struct counters *growth)
{
	for (enum counter c = 0; c < COUNTER_COUNT; c++)
		if (counter_descriptions[c].kind == COUNTER_KIND_MS32)
			growth->valid &= ~(1u << c);
}

/* ---- one device ---- */

static void step_device(struct rates *r, size_t slot, const struct device *d,
			const struct snapshot *now)
{
	const struct counters *c = &now->devices[slot];
	struct device_state *s = &r->states[slot];
	struct figures *f = &r->tick.devices[slot];
	bool is_there = d && d->present && d->counts_io != TRUTH_NO && c->valid;
	bool was_there = s->before.valid != 0;
	enum gap gap = GAP_NONE;

	s->growth.valid = 0;
	s->n_paths = 0;
	f->valid = 0;
	f->derived = false;
	if (!is_there)
		gap = GAP_ABSENT;
	else if (!was_there)
		gap = GAP_FIRST;
	else if (now->segment == r->segment &&
		 !grow(s, c, now->unwrapped, now->elapsed_us - r->elapsed_us))
		gap = GAP_RESET;
	f->gap = first_gap(r->tick.gap, gap);
	if (!is_there) {
		s->before.valid = f->totals.valid = 0;
		return;
	}
	add_totals(&f->totals, &s->growth, c);
	s->before = *c;
	if (!keeps_times(c, d->kind == DEVICE_ARRAY))
		drop_times(&s->growth);
	if (d->busy_is_load == TRUTH_NO)
		s->growth.valid &= ~(1u << COUNTER_BUSY_US);
	if (f->gap == GAP_NONE)
		rates_fill(f, &s->growth, r->tick.interval_us);
}

/* ---- the whole ---- */

struct rates *rates_new(void)
{
	return memory_new(1, sizeof(struct rates));
}

void rates_free(struct rates *r)
{
	if (!r)
		return;
	free(r->states);
	free(r->tick.devices);
	free(r);
}

void rates_reset(struct rates *r)
{
	struct device_state *states = r->states;
	struct figures *devices = r->tick.devices;
	size_t room = r->room;

	*r = (struct rates){ .states = states, .room = room };
	r->tick.devices = devices;
	if (room) {
		memset(states, 0, room * sizeof(*states));
		memset(devices, 0, room * sizeof(*devices));
	}
}

static void make_room(struct rates *r, size_t n)
{
	size_t more;

	if (n <= r->room)
		return;
	more = n - r->room;
	r->states = memory_resize(r->states, n, sizeof(*r->states));
	memset(r->states + r->room, 0, more * sizeof(*r->states));
	r->tick.devices = memory_resize(r->tick.devices, n, sizeof(*r->tick.devices));
	memset(r->tick.devices + r->room, 0, more * sizeof(*r->tick.devices));
	r->room = n;
}

static void begin_tick(struct rates *r, const struct snapshot *now)
{
	struct tick *tick = &r->tick;

	tick->gap = gap_of_tick(r, now);
	tick->elapsed_us = now->elapsed_us;
	tick->interval_us =
		r->started && now->segment == r->segment && now->elapsed_us > r->elapsed_us
			? now->elapsed_us - r->elapsed_us
			: 0;
	tick->realtime_ms = now->realtime_ms;
	tick->segment = now->segment;
	tick->missed_ticks = now->missed_ticks;
	tick->n_devices = now->n_devices;
}

const struct tick *rates_step(struct rates *r, const struct topology *topology,
			      const struct snapshot *now)
{
	make_room(r, now->n_devices);
	begin_tick(r, now);
	for (size_t i = 0; i < now->n_devices; i++)
		step_device(r, i, i < topology->n_devices ? topology->devices[i] : NULL, now);
	for (size_t i = now->n_devices; i < r->room; i++)
		r->states[i].before.valid = 0;
	if (r->tick.gap == GAP_NONE) {
		rates_derive_heads(r, topology);
		rates_derive(r, topology);
	}
	rates_sum_leaves(r, topology);
	r->started = true;
	r->elapsed_us = now->elapsed_us;
	r->boottime_us = now->boottime_us;
	r->segment = now->segment;
	return &r->tick;
}
