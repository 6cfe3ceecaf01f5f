/*
 * How the history lies in memory; shared by the files that fill and read it.
 *
 * All devices share one axis of time: rings of spans, of which every device has a value (or
 * none). A span of the ring of seconds is one second of finer samples, or one sample where they
 * are a second apart or more. A span of the fine ring is one sample below a second.
 */
#ifndef RAIDTOP_MODEL_HISTORY_TRACKS_H
#define RAIDTOP_MODEL_HISTORY_TRACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "raidtop/clock.h"
#include "raidtop/history.h"

/* Samples below a second are kept for so long, and so many of them. */
#define FINE_US (300 * US_PER_SEC)
#define FINE_ROOM 3000

struct span {
	uint64_t begin_us, end_us;
};

/* Span number n lies at n % room; the newest `room` of `added` are held. */
struct ring {
	struct span *spans;
	uint64_t room, added;
};

/* A second that is not over. */
struct open_value {
	double rate_us; /* sum of rate * time */
	uint64_t known_us;
	float min, max;
};

/* One bucket of the temperatures of a device. */
struct warmth {
	uint64_t bucket; /* number of its time */
	uint64_t last_us;
	double sum;
	uint32_t n; /* 0: nothing here */
	float min, max;
};

/* One device. Values are bytes per second, NAN where unknown; arrays are as long as their ring. */
struct track {
	float *mean[SERIES_COUNT];                     /* NULL until it has a value */
	float *low[SERIES_COUNT], *high[SERIES_COUNT]; /* NULL while each value is one sample */
	float *fine[SERIES_COUNT];                     /* NULL while no sample is below a second */
	struct open_value open[SERIES_COUNT];
	struct warmth *warmths; /* NULL until it has a temperature */
};

struct history {
	struct ring seconds, fine;
	struct span open; /* the second that is not over, where n_open > 0 */
	unsigned int n_open;
	struct track total;
	struct track *tracks; /* by slot */
	size_t n_tracks;
	bool started;
	uint32_t segment;
	uint64_t offset_us; /* from a segment's time to the axis */
	uint64_t end_us;
	uint64_t interval_us; /* of the newest sample */
	uint64_t bucket_us;   /* of temperatures */
	uint64_t wanted_room; /* of seconds, before it was shortened */
	size_t bytes;         /* held */
};

/* Buckets of temperatures that are held. */
#define WARMTH_ROOM 360

/*
 * Shortens all rings until a tick's devices fit (history_bound.c); before any of its samples is
 * placed. `fine`: its samples are below a second.
 */
void history_bound(struct history *h, const struct tick *tick, bool fine);

/* The track of a slot or HISTORY_TOTAL; NULL where there is none. */
const struct track *history_track(const struct history *h, int slot);
/* As above, made where it is not there yet; not for HISTORY_TOTAL. */
struct track *history_make_track(struct history *h, size_t slot);

/* Which times the cells of a reading stand for. Cells before time 0 are left out. */
struct history_cells {
	struct history_cell *cells;
	size_t n;
	uint64_t first_us; /* where the first one begins */
};

/* Makes all `n` cells unknown and places them; false where cell_us is none. */
bool history_cells_place(const struct history *h, uint64_t end_us, uint64_t cell_us,
			 struct history_cell *cells, size_t n, struct history_cells *ret);

#endif
