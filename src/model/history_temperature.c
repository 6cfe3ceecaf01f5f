/*
 * The trend of temperatures. They are read every ten seconds or so, and told at every tick; kept
 * is a mean with its extremes for each bucket of time, of which the whole history has some
 * hundreds. A cell without a reading of its own has the one before, for as long as that is
 * believed: a sleeping disk has no temperature, and that shall be a gap.
 */
#include "raidtop/history.h"

#include "history_tracks.h"
#include "raidtop/memory.h"

/* A reading is drawn for so long after it was made. */
#define BELIEVED_US (30 * US_PER_SEC)

void history_add_temperature(struct history *h, int slot, uint64_t elapsed_us, int32_t temp_mc)
{
	uint64_t at_us = h->offset_us + elapsed_us, bucket = at_us / h->bucket_us;
	float value = (float)temp_mc;
	struct warmth *w;
	struct track *t;

	if (slot < 0)
		return;
	t = history_make_track(h, (size_t)slot);
	if (!t->warmths) {
		t->warmths = memory_new(WARMTH_ROOM, sizeof(*w));
		h->bytes += WARMTH_ROOM * sizeof(*w);
	}
	w = &t->warmths[bucket % WARMTH_ROOM];
	if (w->n == 0 || w->bucket != bucket)
		*w = (struct warmth){ .bucket = bucket, .min = value, .max = value };
	w->last_us = at_us;
	w->sum += value;
	w->n++;
	w->min = value < w->min ? value : w->min;
	w->max = value > w->max ? value : w->max;
}

static const struct warmth *find_bucket(const struct track *t, uint64_t bucket)
{
	const struct warmth *w = &t->warmths[bucket % WARMTH_ROOM];

	return w->n > 0 && w->bucket == bucket ? w : NULL;
}

/* The newest one before a cell that is still believed there. */
static const struct warmth *find_believed(const struct history *h, const struct track *t,
					  uint64_t begin_us)
{
	uint64_t bucket = begin_us / h->bucket_us;

	for (uint64_t back = 0; back <= bucket && back * h->bucket_us <= BELIEVED_US; back++) {
		const struct warmth *w = find_bucket(t, bucket - back);

		if (w)
			return w->last_us + BELIEVED_US > begin_us ? w : NULL;
	}
	return NULL;
}

static void add_warmth(struct history_cell *cell, const struct warmth *w, double *sum, uint32_t *n)
{
	cell->min = cell->known && cell->min < w->min ? cell->min : w->min;
	cell->max = cell->known && cell->max > w->max ? cell->max : w->max;
	cell->known = true;
	*sum += w->sum;
	*n += w->n;
}

static void read_cell(const struct history *h, const struct track *t, uint64_t begin_us,
		      uint64_t cell_us, struct history_cell *cell)
{
	uint64_t last = (begin_us + cell_us - 1) / h->bucket_us;
	const struct warmth *w;
	double sum = 0;
	uint32_t n = 0;

	for (uint64_t bucket = begin_us / h->bucket_us; bucket <= last; bucket++)
		if ((w = find_bucket(t, bucket)))
			add_warmth(cell, w, &sum, &n);
	if (!cell->known && (w = find_believed(h, t, begin_us)))
		add_warmth(cell, w, &sum, &n);
	if (cell->known)
		cell->mean = (float)(sum / n);
}

void history_read_temperature(const struct history *h, int slot, uint64_t end_us, uint64_t cell_us,
			      struct history_cell *cells, size_t n)
{
	const struct track *t = history_track(h, slot);
	struct history_cells at;

	if (!history_cells_place(h, end_us, cell_us, cells, n, &at) || !t || !t->warmths)
		return;
	for (size_t i = 0; i < at.n; i++)
		read_cell(h, t, at.first_us + i * cell_us, cell_us, &at.cells[i]);
}
