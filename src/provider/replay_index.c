/*
 * Bisection over the file, byte places standing for rows: a probe in the middle of a line takes
 * the next whole row. Segments are put one after another on one axis, with a pause of one
 * nominal interval between the last tick of one and the first of the next.
 */
#include "replay_index.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "raidtop/clock.h"
#include "raidtop/memory.h"

#define AXIS_MAX_US (UINT64_C(1) << 60) /* 36,000 years: only rubbish reaches that far */

enum {
	SEGMENTS_AT_ONCE = 4096, /* looked for when opening; later ones are found on the way */
	SEGMENTS_MAX = 65536,
	LINEAR_BYTES = 8 * 1024, /* bisection ends where so little is left */
	SESSION_LINES_MAX = 32,
};

struct replay_place replay_place_of(const struct replay_row *r)
{
	return (struct replay_place){ r->row.segment, r->row.elapsed_us };
}

int replay_place_compare(struct replay_place a, struct replay_place b)
{
	if (a.segment != b.segment)
		return a.segment < b.segment ? -1 : 1;
	return (a.elapsed_us > b.elapsed_us) - (a.elapsed_us < b.elapsed_us);
}

bool replay_row_is_session(const struct replay_row *r, const char *key)
{
	const struct record_field *f = &r->row.field[COLUMN_KEY];

	return r->row.kind == RECORD_SESSION && f->len == strlen(key) &&
	       memcmp(f->text, key, f->len) == 0;
}

uint64_t replay_segment_axis(const struct replay_segment *s, uint64_t elapsed_us)
{
	uint64_t since_us = elapsed_us > s->first_us ? elapsed_us - s->first_us : 0;
	uint64_t room_us = s->axis_us < AXIS_MAX_US ? AXIS_MAX_US - s->axis_us : 0;

	return s->axis_us + (since_us < room_us ? since_us : room_us);
}

int replay_find_first(struct replay_file *f, uint64_t from, uint64_t to, struct replay_place place,
		      struct replay_row *ret)
{
	int r = 0;

	while (to - from > LINEAR_BYTES) {
		uint64_t middle = from + (to - from) / 2;

		r = replay_file_row_near(f, middle, to, ret);
		if (r < 0 && r != -ENODATA)
			return r;
		if (r == -ENODATA)
			to = middle; /* no row begins between the middle and there */
		else if (replay_place_compare(replay_place_of(ret), place) < 0)
			from = ret->next;
		else
			to = middle < ret->at ? middle : ret->at;
	}
	do {
		r = replay_file_row_near(f, from, UINT64_MAX, ret);
		from = ret->next;
	} while (r == 0 && replay_place_compare(replay_place_of(ret), place) < 0);
	return r;
}

/* ---- the segments ---- */

static uint64_t pause_us(const struct replay_index *x)
{
	return x->interval_us ? x->interval_us : US_PER_SEC;
}

/* Moves the segments from `i` on along the axis, so that the first of them is not before. */
static void move_from(struct replay_index *x, size_t i, uint64_t axis_us)
{
	uint64_t by_us;

	if (i >= x->n || x->segments[i].axis_us >= axis_us)
		return;
	by_us = axis_us - x->segments[i].axis_us;
	for (; i < x->n; i++)
		x->segments[i].axis_us += by_us;
	x->end_us += by_us;
}

static struct replay_segment *insert(struct replay_index *x, const struct replay_row *row,
				     uint64_t axis_us)
{
	size_t i = x->n;

	if (x->n == x->size) {
		x->size = x->size ? x->size * 2 : 4;
		x->segments = memory_resize(x->segments, x->size, sizeof(*x->segments));
	}
	while (i > 0 && x->segments[i - 1].at > row->at)
		i--;
	memmove(&x->segments[i + 1], &x->segments[i], (x->n - i) * sizeof(*x->segments));
	x->n++;
	x->segments[i] = (struct replay_segment){
		.number = row->row.segment,
		.at = row->at,
		.first_us = row->row.elapsed_us,
		.axis_us = axis_us,
		.is_whole = replay_row_is_session(row, "format"),
	};
	move_from(x, i + 1, axis_us + pause_us(x));
	return &x->segments[i];
}

const struct replay_segment *replay_index_of(const struct replay_index *x, uint64_t at)
{
	size_t low = 0, high = x->n; /* the one sought is in [low, high) */

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (x->segments[middle].at <= at)
			low = middle;
		else
			high = middle;
	}
	return &x->segments[low];
}

struct replay_segment *replay_index_enter(struct replay_index *x, const struct replay_row *row,
					  uint64_t before_us)
{
	size_t i = (size_t)(replay_index_of(x, row->at) - x->segments);

	if (x->segments[i].at == row->at)
		move_from(x, i, before_us + pause_us(x));
	else if (x->n < SEGMENTS_MAX)
		return insert(x, row, before_us + pause_us(x));
	else
		return NULL;
	return &x->segments[i];
}

static int check_format(const struct replay_row *row, uint64_t *ret_format)
{
	uint64_t format;

	if (!replay_row_is_session(row, "format") ||
	    record_field_u64(&row->row.field[COLUMN_VALUE], &format) < 0 ||
	    format <= RECORDING_VERSION)
		return 0;
	*ret_format = format;
	return -EPROTO;
}

/* Finds the segments after the last known one, up to the one of the last row. */
static int find_more(struct replay_index *x, struct replay_file *f, uint64_t *ret_format)
{
	struct replay_row last, row, before;
	const struct replay_segment *s = &x->segments[x->n - 1];
	int r = replay_file_row_before(f, f->size, &last);

	while (r == 0 && s->number < last.row.segment && x->n < SEGMENTS_AT_ONCE) {
		struct replay_place next = { s->number + 1, 0 };

		r = replay_find_first(f, s->at, f->size, next, &row);
		if (r == 0)
			r = replay_file_row_before(f, row.at, &before);
		if (r == 0) /* again, for its fields went with the window */
			r = replay_file_row_near(f, row.at, UINT64_MAX, &row);
		if (r == 0)
			r = check_format(&row, ret_format);
		if (r == 0)
			s = insert(x, &row,
				   replay_segment_axis(s, before.row.elapsed_us) + pause_us(x));
	}
	if (r == 0)
		x->end_us = replay_segment_axis(s, last.row.elapsed_us);
	return r;
}

/* The nominal interval, from the session lines that open the recording. */
static void read_interval(struct replay_index *x, struct replay_file *f, struct replay_row row)
{
	int64_t interval_us;

	for (int i = 0; i < SESSION_LINES_MAX && row.row.kind == RECORD_SESSION; i++) {
		if (replay_row_is_session(&row, "interval_s") &&
		    record_field_fixed(&row.row.field[COLUMN_VALUE], 6, &interval_us) == 0 &&
		    interval_us > 0 && interval_us < 86400 * (int64_t)US_PER_SEC)
			x->interval_us = (uint64_t)interval_us;
		if (replay_file_row_near(f, row.next, UINT64_MAX, &row) < 0)
			break;
	}
}

int replay_index_build(struct replay_index *x, struct replay_file *f, uint64_t *ret_format)
{
	struct replay_row first;
	int r = replay_file_row_near(f, f->body_at, UINT64_MAX, &first);

	memset(x, 0, sizeof(*x));
	if (r == 0)
		r = check_format(&first, ret_format);
	if (r < 0)
		return r;
	insert(x, &first, 0);
	read_interval(x, f, first);
	return find_more(x, f, ret_format);
}

void replay_index_update_end(struct replay_index *x, struct replay_file *f)
{
	uint64_t format;

	find_more(x, f, &format); /* where it fails, the end stays what it was */
}

void replay_index_release(struct replay_index *x)
{
	free(x->segments);
	memset(x, 0, sizeof(*x));
}
