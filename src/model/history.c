/*
 * The history is filled tick by tick. Samples finer than a second are summed up, bytes and times,
 * until a second is full; it is full when the next sample would end further from a whole second
 * than this one did, so seconds keep step with the samples and none is cut in two. Beside its
 * mean, a second keeps its smallest and largest sample. A gap ends the second before it and takes
 * no part in any: time without values is not in the rings at all.
 *
 * The axis runs on over the segments of a recording: the first tick of a new one lies a second
 * after the last tick of the one before, rounded up such that whole seconds stay whole. After a
 * reset it is the time of the segment that comes first.
 */
#include "raidtop/history.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "history_tracks.h"
#include "raidtop/memory.h"

static const enum rate rate_of[SERIES_COUNT] = {
	[SERIES_READ] = RATE_READ_BYTES,
	[SERIES_WRITE] = RATE_WRITE_BYTES,
};

/* ---- memory ---- */

static void *held(struct history *h, size_t n, size_t size)
{
	h->bytes += n * size;
	return memory_new(n, size);
}

static float *new_values(struct history *h, uint64_t n)
{
	float *values = held(h, n, sizeof(float));

	for (uint64_t i = 0; i < n; i++)
		values[i] = NAN;
	return values;
}

static float *copy_values(struct history *h, const float *from, uint64_t n)
{
	float *values = held(h, n, sizeof(float));

	memcpy(values, from, n * sizeof(float));
	return values;
}

static void init_ring(struct history *h, struct ring *ring, uint64_t room)
{
	ring->spans = held(h, room, sizeof(*ring->spans));
	ring->room = room;
}

struct history *history_new(unsigned int seconds)
{
	struct history *h = memory_new(1, sizeof(*h));

	h->bytes = sizeof(*h);
	h->wanted_room = seconds ? seconds : 1;
	init_ring(h, &h->seconds, seconds ? seconds : 1);
	h->bucket_us = h->seconds.room * US_PER_SEC / WARMTH_ROOM;
	if (h->bucket_us < US_PER_SEC)
		h->bucket_us = US_PER_SEC;
	return h;
}

static void release_track(struct track *t)
{
	for (int s = 0; s < SERIES_COUNT; s++) {
		free(t->mean[s]);
		free(t->low[s]);
		free(t->high[s]);
		free(t->fine[s]);
	}
	free(t->warmths);
}

static void release_all(struct history *h)
{
	for (size_t i = 0; i < h->n_tracks; i++)
		release_track(&h->tracks[i]);
	release_track(&h->total);
	free(h->tracks);
	free(h->seconds.spans);
	free(h->fine.spans);
}

void history_free(struct history *h)
{
	if (!h)
		return;
	release_all(h);
	free(h);
}

void history_reset(struct history *h)
{
	struct history *fresh = history_new((unsigned int)h->wanted_room);

	release_all(h);
	*h = *fresh;
	free(fresh);
}

size_t history_memory_bytes(const struct history *h)
{
	return h->bytes;
}

const struct track *history_track(const struct history *h, int slot)
{
	if (slot == HISTORY_TOTAL)
		return &h->total;
	return slot >= 0 && (size_t)slot < h->n_tracks ? &h->tracks[slot] : NULL;
}

struct track *history_make_track(struct history *h, size_t slot)
{
	size_t more;

	if (slot < h->n_tracks)
		return &h->tracks[slot];
	more = slot + 1 - h->n_tracks;
	h->tracks = memory_resize(h->tracks, slot + 1, sizeof(*h->tracks));
	memset(h->tracks + h->n_tracks, 0, more * sizeof(*h->tracks));
	h->n_tracks = slot + 1;
	h->bytes += more * sizeof(*h->tracks);
	return &h->tracks[slot];
}

/* ---- seconds ---- */

static uint64_t push_span(struct ring *ring, const struct span *span)
{
	uint64_t place = ring->added++ % ring->room;

	ring->spans[place] = *span;
	return place;
}

/* Room for the smallest and largest of a second; so far each value was both. */
static void keep_extremes(struct history *h, struct track *t)
{
	for (int s = 0; s < SERIES_COUNT && !t->low[s]; s++) {
		t->low[s] = copy_values(h, t->mean[s], h->seconds.room);
		t->high[s] = copy_values(h, t->mean[s], h->seconds.room);
	}
}

static void close_track(struct history *h, struct track *t, uint64_t place)
{
	if (!t->mean[0])
		return;
	if (h->n_open > 1)
		keep_extremes(h, t);
	for (int s = 0; s < SERIES_COUNT; s++) {
		const struct open_value *o = &t->open[s];
		bool known = o->known_us > 0;

		t->mean[s][place] = known ? (float)(o->rate_us / (double)o->known_us) : NAN;
		if (t->low[s]) {
			t->low[s][place] = known ? o->min : NAN;
			t->high[s][place] = known ? o->max : NAN;
		}
		t->open[s] = (struct open_value){ 0 };
	}
}

static void close_second(struct history *h)
{
	uint64_t place;

	if (h->n_open == 0)
		return;
	place = push_span(&h->seconds, &h->open);
	close_track(h, &h->total, place);
	for (size_t i = 0; i < h->n_tracks; i++)
		close_track(h, &h->tracks[i], place);
	h->n_open = 0;
}

/* ---- samples ---- */

static void add_to_open(struct open_value *o, double rate, uint64_t interval_us)
{
	float value = (float)rate;

	o->min = o->known_us && o->min < value ? o->min : value;
	o->max = o->known_us && o->max > value ? o->max : value;
	o->rate_us += rate * (double)interval_us;
	o->known_us += interval_us;
}

static void add_figures(struct history *h, struct track *t, const struct figures *f,
			uint64_t interval_us, bool fine, uint64_t place)
{
	bool any = figures_has(f, RATE_READ_BYTES) || figures_has(f, RATE_WRITE_BYTES);

	if (!any && !t->mean[0])
		return;
	for (int s = 0; s < SERIES_COUNT; s++) {
		bool known = figures_has(f, rate_of[s]);
		double rate = f->value[rate_of[s]];

		if (!t->mean[s])
			t->mean[s] = new_values(h, h->seconds.room);
		if (fine && !t->fine[s])
			t->fine[s] = new_values(h, h->fine.room);
		if (known)
			add_to_open(&t->open[s], rate, interval_us);
		if (fine)
			t->fine[s][place] = known ? (float)rate : NAN;
	}
}

static bool is_full(const struct span *open, uint64_t interval_us)
{
	return open->end_us - open->begin_us + interval_us / 2 >= US_PER_SEC;
}

static void add_sample(struct history *h, const struct tick *tick, const struct span *span)
{
	bool fine = tick->interval_us < US_PER_SEC * 9 / 10; /* a late tick makes no sample fine */
	uint64_t place = 0;

	if (fine && h->fine.room == 0)
		init_ring(h, &h->fine, FINE_ROOM);
	history_bound(h, tick, fine);
	if (fine)
		place = push_span(&h->fine, span);
	if (h->n_open++ == 0)
		h->open.begin_us = span->begin_us;
	h->open.end_us = span->end_us;
	if (tick->n_devices > 0)
		history_make_track(h, tick->n_devices - 1);
	for (size_t i = 0; i < tick->n_devices; i++)
		add_figures(h, &h->tracks[i], &tick->devices[i], tick->interval_us, fine, place);
	add_figures(h, &h->total, &tick->total, tick->interval_us, fine, place);
	if (is_full(&h->open, tick->interval_us))
		close_second(h);
}

/* Where a segment's time lies on the axis, from its first tick on. */
static void enter_segment(struct history *h, const struct tick *tick)
{
	uint64_t end = (h->end_us + US_PER_SEC - 1) / US_PER_SEC + 1;

	if (h->started && tick->segment == h->segment)
		return;
	h->offset_us = h->started ? (end - tick->elapsed_us / US_PER_SEC) * US_PER_SEC : 0;
	h->segment = tick->segment;
}

void history_add(struct history *h, const struct tick *tick)
{
	struct span span;

	enter_segment(h, tick);
	span.end_us = h->offset_us + tick->elapsed_us;
	span.begin_us = span.end_us - tick->interval_us;
	if (h->started && span.end_us <= h->end_us)
		return; /* a clock that stood or went back */
	if (tick->gap == GAP_NONE) {
		if (span.begin_us > h->end_us)
			close_second(h);
		add_sample(h, tick, &span);
	} else {
		close_second(h);
	}
	h->interval_us = tick->interval_us;
	h->started = true;
	h->end_us = span.end_us;
}

uint64_t history_end_us(const struct history *h)
{
	return h->end_us;
}

uint64_t history_begin_us(const struct history *h)
{
	const struct ring *r = &h->seconds;

	if (r->added == 0)
		return h->n_open ? h->open.begin_us : h->end_us;
	return r->spans[r->added > r->room ? r->added % r->room : 0].begin_us;
}
