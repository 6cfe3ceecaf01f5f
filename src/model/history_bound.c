/*
 * The bound of memory. All devices share one axis, so what must go is the oldest time of all of
 * them: the rings are halved, and each keeps its newest values. That happens when devices come, and
 * when the first samples below a second do; never in a quiet tick.
 */
#include <stdlib.h>
#include <string.h>

#include "history_tracks.h"
#include "raidtop/memory.h"

#define SECONDS_MIN 60
#define FINE_MIN 100

/* ---- shortening ---- */

/* The newest values of a ring's array, in their places in a shorter one. */
static void *shorten(void *old, size_t size, const struct ring *ring, uint64_t room)
{
	uint64_t n = ring->added < room ? ring->added : room;
	char *values, *from = old;

	if (!old)
		return NULL;
	values = memory_new(room, size);
	for (uint64_t i = ring->added - n; i < ring->added; i++)
		memcpy(values + i % room * size, from + i % ring->room * size, size);
	free(old);
	return values;
}

static void shorten_values(struct history *h, float **values, const struct ring *ring,
			   uint64_t room)
{
	if (!*values)
		return;
	*values = shorten(*values, sizeof(float), ring, room);
	h->bytes -= (ring->room - room) * sizeof(float);
}

static void shorten_track(struct history *h, struct track *t, uint64_t seconds, uint64_t fine)
{
	for (int s = 0; s < SERIES_COUNT; s++) {
		shorten_values(h, &t->mean[s], &h->seconds, seconds);
		shorten_values(h, &t->low[s], &h->seconds, seconds);
		shorten_values(h, &t->high[s], &h->seconds, seconds);
		shorten_values(h, &t->fine[s], &h->fine, fine);
	}
}

static void shorten_ring(struct history *h, struct ring *ring, uint64_t room)
{
	ring->spans = shorten(ring->spans, sizeof(*ring->spans), ring, room);
	h->bytes -= (ring->room - room) * sizeof(*ring->spans);
	ring->room = room;
}

static uint64_t half(uint64_t room, uint64_t least)
{
	if (room <= least)
		return room;
	return room / 2 < least ? least : room / 2;
}

/* Whether there was something left to shorten. */
static bool shorten_all(struct history *h)
{
	uint64_t seconds = half(h->seconds.room, SECONDS_MIN), fine = half(h->fine.room, FINE_MIN);

	if (seconds == h->seconds.room && fine == h->fine.room)
		return false;
	shorten_track(h, &h->total, seconds, fine);
	for (size_t i = 0; i < h->n_tracks; i++)
		shorten_track(h, &h->tracks[i], seconds, fine);
	shorten_ring(h, &h->seconds, seconds);
	if (h->fine.room)
		shorten_ring(h, &h->fine, fine);
	return true;
}

/* ---- what a tick needs ---- */

static size_t bytes_of(const struct history *h, const struct track *t, const struct figures *f,
		       bool fine)
{
	size_t values = 0;

	if (!(t && t->mean[0]) && !figures_has(f, RATE_READ_BYTES) &&
	    !figures_has(f, RATE_WRITE_BYTES))
		return 0;
	if (!t || !t->mean[0])
		values += h->seconds.room;
	if (fine && (!t || !t->low[0]))
		values += 2 * h->seconds.room;
	if (fine && (!t || !t->fine[0]))
		values += h->fine.room;
	return values * SERIES_COUNT * sizeof(float);
}

static size_t bytes_of_tick(const struct history *h, const struct tick *tick, bool fine)
{
	size_t bytes = bytes_of(h, &h->total, &tick->total, fine);

	for (size_t i = 0; i < tick->n_devices; i++)
		bytes += bytes_of(h, i < h->n_tracks ? &h->tracks[i] : NULL, &tick->devices[i],
				  fine);
	return bytes;
}

void history_bound(struct history *h, const struct tick *tick, bool fine)
{
	while (h->bytes + bytes_of_tick(h, tick, fine) > HISTORY_BYTES_MAX && shorten_all(h))
		continue;
}

/* ---- what is told ---- */

uint64_t history_span_us(const struct history *h)
{
	return h->seconds.room * (h->interval_us > US_PER_SEC ? h->interval_us : US_PER_SEC);
}

size_t history_devices(const struct history *h)
{
	size_t n = 0;

	for (size_t i = 0; i < h->n_tracks; i++)
		n += h->tracks[i].mean[0] != NULL;
	return n;
}

bool history_is_shortened(const struct history *h)
{
	return h->seconds.room < h->wanted_room;
}
