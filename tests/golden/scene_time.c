/*
 * Time of invented machines: their loads waver by a fixed sequence of pseudo-random numbers, and
 * the clock starts at a fixed moment, so that every run gives the same screens.
 */
#include "scene.h"

#include <string.h>

#include "raidtop/clock.h"

/* -1 .. 1, from a sequence that is always the same (Knuth's constants). */
static double noise(struct scene *s)
{
	s->noise = s->noise * 6364136223846793005ULL + 1442695040888963407ULL;
	return (double)(int64_t)s->noise / 9223372036854775808.0;
}

static void set_rate(struct figures *f, enum rate which, double value)
{
	f->value[which] = value;
	f->valid |= 1u << which;
}

/* A dip now and then, as disks have them. */
static double wavering(struct scene *s, double mean, double waver_pct)
{
	double value = mean * (1 + noise(s) * waver_pct / 100);

	return noise(s) > 0.93 ? value * 0.7 : value;
}

static bool has_stopped(const struct scene *s, size_t slot)
{
	unsigned int at = s->loads[slot].stops_at;

	return at > 0 && s->tick.elapsed_us > at * US_PER_SEC;
}

/* What of the cumulative counters is looked at: requests, and how many are in flight. */
static void set_totals_of(struct scene *s, size_t slot, double ios)
{
	struct counters *c = &s->totals[slot];

	counters_set(c, COUNTER_READ_IOS, c->value[COUNTER_READ_IOS] + (uint64_t)(ios + 0.5));
	counters_set(c, COUNTER_INFLIGHT, has_stopped(s, slot) ? s->loads[slot].keeps : 0);
	s->figures[slot].totals = *c;
}

static void set_figures(struct scene *s, size_t slot)
{
	const struct scene_load *l = &s->loads[slot];
	struct figures *f = &s->figures[slot];
	double read = has_stopped(s, slot) ? 0 : wavering(s, l->read_per_sec, l->waver_pct);
	double write = has_stopped(s, slot) ? 0 : wavering(s, l->write_per_sec, l->waver_pct);
	double ios = (read + write) / 65536, busy;

	memset(f, 0, sizeof(*f));
	if (s->topology.devices[slot]->counts_io == TRUTH_NO) {
		f->gap = GAP_ABSENT;
		return;
	}
	busy = ios * l->await_ms / 10;
	set_rate(f, RATE_READ_BYTES, read);
	set_rate(f, RATE_WRITE_BYTES, write);
	set_rate(f, RATE_READ_IOS, read / 65536);
	set_rate(f, RATE_WRITE_IOS, write / 65536);
	if (read > 0)
		set_rate(f, RATE_READ_AWAIT, l->await_ms);
	if (write > 0)
		set_rate(f, RATE_WRITE_AWAIT, l->await_ms);
	set_rate(f, RATE_QUEUE, ios * l->await_ms / 1000);
	if (has_stopped(s, slot) && l->keeps > 0) {
		set_rate(f, RATE_QUEUE, (double)l->keeps);
		busy = 100;
	}
	set_rate(f, RATE_UTIL, busy < 101 ? busy : 101);
	set_totals_of(s, slot, ios);
}

static void set_totals(struct scene *s)
{
	double read = 0, write = 0;

	memset(&s->tick.total, 0, sizeof(s->tick.total));
	for (size_t i = 0; i < s->topology.n_devices; i++) {
		if (s->topology.devices[i]->kind == DEVICE_ARRAY)
			continue;
		read += s->figures[i].value[RATE_READ_BYTES];
		write += s->figures[i].value[RATE_WRITE_BYTES];
	}
	set_rate(&s->tick.total, RATE_READ_BYTES, read);
	set_rate(&s->tick.total, RATE_WRITE_BYTES, write);
}

void scene_step(struct scene *s)
{
	uint64_t interval_us = s->model.interval_ns / NS_PER_US;

	s->tick.elapsed_us += interval_us;
	s->tick.interval_us = interval_us;
	s->tick.realtime_ms = SCENE_START_MS + (int64_t)(s->tick.elapsed_us / 1000);
	s->tick.devices = s->figures;
	s->tick.n_devices = s->topology.n_devices;
	s->tick.segment = 1;
	for (size_t i = 0; i < s->topology.n_devices; i++)
		set_figures(s, i);
	set_totals(s);
	event_log_stamp(&s->events, s->tick.elapsed_us, s->tick.realtime_ms);
	/* A recording tells its own events. */
	insights_step(s->insights, &s->topology, &s->tick, s->model.transport ? NULL : &s->events);
	history_add(s->history, &s->tick);
	s->model.clock_ms = s->tick.realtime_ms;
}
