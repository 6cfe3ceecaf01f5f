/*
 * Cells of a graph from spans of time. A span belongs to the cell that its middle lies in, whole:
 * ticks come a little early or late, and a value that was cut in two at each cell's edge would
 * blur every dip. A cell that no middle lies in is filled by the span that lies over the cell's
 * middle, so that a long interval leaves no holes. Either way a cell depends on nothing but the
 * spans, and keeps its value when the picture moves on.
 */
#include "raidtop/history.h"

#include <math.h>

#include "history_tracks.h"

/* ---- spans of one device and series ---- */

struct reader {
	const struct history *h;
	const struct track *track;
	enum series series;
	bool fine;
};

/* A span with its value; `mean` is NAN where the device has none. */
struct value {
	struct span span;
	float mean, min, max;
};

static const struct ring *ring_of(const struct reader *r)
{
	return r->fine ? &r->h->fine : &r->h->seconds;
}

static uint64_t first_number(const struct reader *r)
{
	const struct ring *ring = ring_of(r);

	return ring->added > ring->room ? ring->added - ring->room : 0;
}

/* Behind the last one; the second that is not over is the last one of its ring. */
static uint64_t end_number(const struct reader *r)
{
	return ring_of(r)->added + (!r->fine && r->h->n_open > 0);
}

static struct value open_value(const struct reader *r)
{
	const struct open_value *o = &r->track->open[r->series];
	struct value v = { r->h->open, NAN, NAN, NAN };

	if (o->known_us > 0) {
		v.mean = (float)(o->rate_us / (double)o->known_us);
		v.min = o->min;
		v.max = o->max;
	}
	return v;
}

static struct span span_at(const struct reader *r, uint64_t number)
{
	const struct ring *ring = ring_of(r);

	return number == ring->added ? r->h->open : ring->spans[number % ring->room];
}

static struct value value_at(const struct reader *r, uint64_t number)
{
	const struct ring *ring = ring_of(r);
	uint64_t place = number % ring->room;
	const float *mean = r->fine ? r->track->fine[r->series] : r->track->mean[r->series];
	struct value v;

	if (number == ring->added)
		return open_value(r);
	v.span = ring->spans[place];
	v.mean = v.min = v.max = mean[place];
	if (!r->fine && r->track->low[r->series]) {
		v.min = r->track->low[r->series][place];
		v.max = r->track->high[r->series][place];
	}
	return v;
}

static uint64_t middle(const struct span *s)
{
	return s->begin_us + (s->end_us - s->begin_us) / 2;
}

/* The first span that ends after a time. */
static uint64_t find(const struct reader *r, uint64_t us)
{
	uint64_t low = first_number(r), high = end_number(r);

	while (low < high) {
		uint64_t number = low + (high - low) / 2;

		if (span_at(r, number).end_us > us)
			high = number;
		else
			low = number + 1;
	}
	return low;
}

/* ---- cells ---- */

struct sum {
	double mean, weight;
	float min, max;
	bool any; /* spans, known or not */
};

static void add_value(struct sum *sum, const struct value *v)
{
	double weight = (double)(v->span.end_us - v->span.begin_us);

	sum->any = true;
	if (isnan(v->mean))
		return;
	sum->min = sum->weight > 0 && sum->min < v->min ? sum->min : v->min;
	sum->max = sum->weight > 0 && sum->max > v->max ? sum->max : v->max;
	sum->mean += (double)v->mean * weight;
	sum->weight += weight;
}

/*
 * One cell from the spans from `number` on, which is moved behind those that are used up. Left
 * alone where no span has anything to do with the cell.
 */
static void read_cell(const struct reader *r, uint64_t begin_us, uint64_t cell_us, uint64_t *number,
		      struct history_cell *cell)
{
	uint64_t end_us = begin_us + cell_us, centre_us = begin_us + cell_us / 2;
	struct sum sum = { 0 };

	for (; *number < end_number(r); ++*number) {
		struct value v = value_at(r, *number);

		if (middle(&v.span) >= end_us)
			break;
		if (middle(&v.span) >= begin_us)
			add_value(&sum, &v);
	}
	if (!sum.any) {
		uint64_t over = find(r, centre_us);
		struct value v;

		if (over == end_number(r))
			return;
		v = value_at(r, over);
		if (v.span.begin_us > centre_us)
			return;
		add_value(&sum, &v);
	}
	cell->known = sum.weight > 0;
	cell->mean = cell->known ? (float)(sum.mean / sum.weight) : 0;
	cell->min = cell->known ? sum.min : 0;
	cell->max = cell->known ? sum.max : 0;
}

/* Those that begin at `from_us` or later. */
static void read_cells(const struct reader *r, const struct history_cells *at, uint64_t cell_us,
		       uint64_t from_us)
{
	uint64_t number = find(r, at->first_us);

	for (size_t i = 0; i < at->n; i++) {
		uint64_t begin_us = at->first_us + i * cell_us;

		if (begin_us >= from_us)
			read_cell(r, begin_us, cell_us, &number, &at->cells[i]);
	}
}

/*
 * The number of the cell that is drawn last. A tick at 10.0003 s ends the cell up to 10 s rather
 * than beginning the next one, of which it knows nothing.
 */
static uint64_t last_cell(const struct history *h, uint64_t end_us, uint64_t cell_us)
{
	uint64_t slack = (h->interval_us < cell_us ? h->interval_us : cell_us) / 2;

	return (end_us > slack ? end_us - slack : 0) / cell_us;
}

bool history_cells_place(const struct history *h, uint64_t end_us, uint64_t cell_us,
			 struct history_cell *cells, size_t n, struct history_cells *ret)
{
	uint64_t last;

	for (size_t i = 0; i < n; i++)
		cells[i] = (struct history_cell){ .known = false };
	if (cell_us == 0)
		return false;
	last = last_cell(h, end_us, cell_us);
	ret->n = n > last + 1 ? (size_t)(last + 1) : n;
	ret->cells = cells + (n - ret->n);
	ret->first_us = (last + 1 - ret->n) * cell_us;
	return true;
}

void history_read(const struct history *h, int slot, enum series series, uint64_t end_us,
		  uint64_t cell_us, struct history_cell *cells, size_t n)
{
	struct reader r = { h, history_track(h, slot), series, false };
	struct history_cells at;
	uint64_t fine_us;

	if (!history_cells_place(h, end_us, cell_us, cells, n, &at) || !r.track ||
	    !r.track->mean[series])
		return;
	read_cells(&r, &at, cell_us, 0);
	if (cell_us >= US_PER_SEC || !r.track->fine[series])
		return;
	fine_us = h->end_us > FINE_US ? h->end_us - FINE_US : 0;
	r.fine = true;
	read_cells(&r, &at, cell_us, fine_us);
}
