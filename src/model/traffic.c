/*
 * Windows are sums of whole seconds, kept as they came and summed up when asked for: ten
 * additions are cheaper than the care that a running sum of fractions needs, which would drift
 * apart between an array and its members.
 */
#include "raidtop/traffic.h"

#include <math.h>

#define EVEN_PART 0.05

/* ---- sums ---- */

static double amount(const struct figures *f, enum rate which, double seconds)
{
	return figures_has(f, which) ? f->value[which] * seconds : (double)NAN;
}

/* Where nothing completed there is no await, and no time either. */
static double time_of_requests(const struct figures *f, enum rate await, double ios)
{
	if (ios == 0)
		return 0;
	return figures_has(f, await) ? f->value[await] * 1e3 * ios : (double)NAN;
}

void traffic_from_figures(struct traffic *t, const struct figures *f, uint64_t interval_us)
{
	double seconds = (double)interval_us / 1e6;

	*t = (struct traffic){
		.known = f->gap == GAP_NONE && interval_us > 0,
		.derived = f->derived,
		.time_us = interval_us,
		.read_bytes = amount(f, RATE_READ_BYTES, seconds),
		.write_bytes = amount(f, RATE_WRITE_BYTES, seconds),
		.read_ios = amount(f, RATE_READ_IOS, seconds),
		.write_ios = amount(f, RATE_WRITE_IOS, seconds),
		.queue_us = amount(f, RATE_QUEUE, (double)interval_us),
		.busy_us = amount(f, RATE_UTIL, (double)interval_us / 100),
		.inflight_before = UNKNOWN_U64,
		.inflight = counters_has(&f->totals, COUNTER_INFLIGHT)
				    ? f->totals.value[COUNTER_INFLIGHT]
				    : UNKNOWN_U64,
	};
	t->read_us = time_of_requests(f, RATE_READ_AWAIT, t->read_ios);
	t->write_us = time_of_requests(f, RATE_WRITE_AWAIT, t->write_ios);
}

static void add_amounts(struct traffic *sum, const struct traffic *more)
{
	sum->known = sum->known && more->known;
	sum->derived = sum->derived || more->derived;
	sum->read_bytes += more->read_bytes;
	sum->write_bytes += more->write_bytes;
	sum->read_ios += more->read_ios;
	sum->write_ios += more->write_ios;
	sum->read_us += more->read_us;
	sum->write_us += more->write_us;
	sum->queue_us += more->queue_us;
	sum->busy_us += more->busy_us;
}

void traffic_add(struct traffic *sum, const struct traffic *next)
{
	if (sum->time_us == 0)
		sum->inflight_before = next->inflight_before;
	sum->inflight = next->inflight;
	sum->time_us += next->time_us;
	add_amounts(sum, next);
}

static uint64_t add_levels(uint64_t a, uint64_t b)
{
	return a == UNKNOWN_U64 || b == UNKNOWN_U64 ? UNKNOWN_U64 : a + b;
}

void traffic_add_beside(struct traffic *sum, const struct traffic *other)
{
	sum->inflight_before = add_levels(sum->inflight_before, other->inflight_before);
	sum->inflight = add_levels(sum->inflight, other->inflight);
	add_amounts(sum, other);
	sum->known = sum->known && other->time_us == sum->time_us;
}

/* ---- what they say ---- */

static double ratio(const struct traffic *t, double sum, double by)
{
	return t->known && by > 0 ? sum / by : (double)NAN;
}

double traffic_mean_inflight(const struct traffic *t)
{
	return ratio(t, t->queue_us, (double)t->time_us);
}

double traffic_read_await_ms(const struct traffic *t)
{
	return ratio(t, t->read_us / 1e3, t->read_ios);
}

double traffic_write_await_ms(const struct traffic *t)
{
	return ratio(t, t->write_us / 1e3, t->write_ios);
}

double traffic_busy_pct(const struct traffic *t)
{
	return ratio(t, 100 * t->busy_us, (double)t->time_us);
}

bool traffic_is_enough(const struct traffic *window, double bytes)
{
	return window->known && window->time_us >= TRAFFIC_WINDOW_US &&
	       bytes >= TRAFFIC_WINDOW_BYTES &&
	       bytes >= TRAFFIC_MIN_PER_SEC * (double)window->time_us / 1e6;
}

bool traffic_is_even(const struct traffic *window)
{
	double change;

	if (window->inflight == UNKNOWN_U64 || window->inflight_before == UNKNOWN_U64)
		return true;
	change = fabs((double)window->inflight - (double)window->inflight_before);
	return !(change > EVEN_PART * (window->read_ios + window->write_ios));
}

/* ---- windows ---- */

void traffic_window_add(struct traffic_window *w, const struct traffic *sample)
{
	if (w->open.time_us == 0)
		w->open = (struct traffic){ .known = true };
	traffic_add(&w->open, sample);
}

void traffic_window_close(struct traffic_window *w)
{
	if (w->open.known && w->open.time_us > 0) {
		const struct traffic *before =
			&w->slots[(w->n + TRAFFIC_SLOTS - 1) % TRAFFIC_SLOTS];

		w->open.inflight_before = w->n > 0 ? before->inflight : UNKNOWN_U64;
		w->slots[w->n++ % TRAFFIC_SLOTS] = w->open;
	} else {
		w->n = 0;
	}
	w->open = (struct traffic){ .known = false };
}

static const struct traffic *slot_ago(const struct traffic_window *w, size_t ago)
{
	return &w->slots[(w->n - 1 - ago) % TRAFFIC_SLOTS];
}

void traffic_window_last(const struct traffic_window *w, struct traffic *ret)
{
	*ret = (struct traffic){ .known = false };
	if (w->n > 0)
		*ret = *slot_ago(w, 0);
}

void traffic_window_sum(const struct traffic_window *w, struct traffic *ret)
{
	size_t held = w->n < TRAFFIC_SLOTS ? w->n : TRAFFIC_SLOTS, n = 0;
	uint64_t time_us = 0;

	*ret = (struct traffic){ .known = true };
	while (n < held && time_us < TRAFFIC_WINDOW_US)
		time_us += slot_ago(w, n++)->time_us;
	for (size_t ago = n; ago-- > 0;)
		traffic_add(ret, slot_ago(w, ago));
	ret->known = time_us >= TRAFFIC_WINDOW_US;
}
