/*
 * Which rows make a tick. All lines of a tick have the same time, and time goes on; a row that
 * steps out of that order for itself alone has a damaged number and is left out, one that is
 * followed by others of its time begins a new stretch (files were joined, say). The last tick of
 * a file is given only when each device has its sample: a recorder may be in the middle of it.
 */
#include "replay_reader.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "raidtop/clock.h"
#include "raidtop/text.h"

/* ---- opening ---- */

static int explain(const char *path, int r, uint64_t format, char *why, size_t size)
{
	if (r == -EPROTO)
		text_format(why, size,
			    "%s was written by a newer raidtop (format %" PRIu64
			    "); this one reads format %d",
			    path, format, RECORDING_VERSION);
	else if (r == -ENODATA)
		text_format(why, size, "%s holds no whole line of a recording (yet)", path);
	else
		text_format(why, size, "%s cannot be read: %s", path, strerror(-r));
	return r;
}

static bool has_all_columns(const struct record_header *h)
{
	size_t known = 0;

	for (size_t i = 0; i < h->n_columns; i++)
		known += h->column[i] >= 0;
	return known == COLUMN_COUNT;
}

int replay_reader_open(struct replay_reader *r, const char *path, char *why, size_t size)
{
	uint64_t format = 0;
	int error;

	memset(r, 0, sizeof(*r));
	replay_state_init(&r->state);
	error = replay_file_open(&r->file, path, why, size);
	if (error < 0)
		return error;
	error = replay_index_build(&r->index, &r->file, &format);
	if (error < 0)
		return explain(path, error, format, why, size);
	if (r->index.segments[0].is_whole && !has_all_columns(&r->file.header))
		r->file.damaged_lines++; /* the header: format 1 has them all */
	r->next_at = r->file.body_at;
	r->judged_at = UINT64_MAX;
	return 0;
}

void replay_reader_close(struct replay_reader *r)
{
	replay_state_release(&r->state);
	replay_index_release(&r->index);
	replay_file_close(&r->file);
}

/* ---- which rows are of one tick ---- */

static bool is_time(int64_t realtime_ms, int64_t other_ms)
{
	return realtime_ms != INT64_MIN && realtime_ms == other_ms;
}

/*
 * Whether a row that is not of the tick before is a stray one, by the row after it: one that
 * goes back to that tick, or goes on from it while this row is before or after both. Where this
 * one lies between, the clock time that it shares with a neighbour gives it away.
 */
static bool is_stray(const struct replay_tick *before, struct replay_place here, int64_t here_ms,
		     const struct replay_row *after)
{
	struct replay_place next = replay_place_of(after);
	int here_next = replay_place_compare(here, next), before_here, before_next;

	if (here_next == 0)
		return false;
	if (!before)
		return here_next > 0 || is_time(here_ms, after->row.realtime_ms);
	before_here = replay_place_compare(before->place, here);
	before_next = replay_place_compare(before->place, next);
	if (before_next == 0)
		return true;
	if (before_next > 0)
		return false; /* time begins anew with the next one */
	if (here_next > 0 || before_here > 0)
		return true;
	return is_time(here_ms, before->realtime_ms) || is_time(here_ms, after->row.realtime_ms);
}

/*
 * Judges the row, which is of another tick than the one before; its fields are gone afterwards.
 * 1: it is a stray one; 0; or -errno.
 */
static int judge(struct replay_reader *r, const struct replay_tick *before, struct replay_row *row)
{
	struct replay_place here = replay_place_of(row);
	int64_t here_ms = row->row.realtime_ms;
	struct replay_row after;
	int error;

	if (row->at == r->judged_at)
		return 0;
	error = replay_file_row(&r->file, row->next, &after);
	if (error < 0 && error != -ENODATA)
		return error;
	if (error == 0 && is_stray(before, here, here_ms, &after)) {
		replay_file_note_damaged(&r->file, row->at);
		return 1;
	}
	if (error == 0)
		r->judged_at = row->at;
	return 0;
}

/* ---- reading one tick ---- */

static void apply(struct replay_reader *r, const struct replay_row *row)
{
	int error = replay_state_apply(&r->state, &row->row);

	if (error == -EBADMSG)
		replay_file_note_damaged(&r->file, row->at);
	if (error == -ENOTSUP && row->at >= r->unknown_to) {
		r->unknown_lines++;
		r->unknown_to = row->at + 1;
	}
}

/* The segment of a tick that does not continue the one before. */
static void enter_segment(struct replay_reader *r, const struct replay_row *row,
			  struct replay_tick *tick)
{
	struct replay_segment *s;

	if (!r->has_tick) { /* after opening or a jump */
		r->segment = *replay_index_of(&r->index, row->at);
		return;
	}
	tick->segment = row->row.segment > r->tick.segment ? row->row.segment : r->tick.segment + 1;
	if (!replay_row_is_session(row, "format"))
		replay_file_note_damaged(&r->file, row->at);
	s = replay_index_enter(&r->index, row, r->tick.axis_us);
	if (s) {
		r->segment = *s;
		return;
	}
	r->segment.number = row->row.segment;
	r->segment.first_us = row->row.elapsed_us;
	r->segment.axis_us = r->tick.axis_us;
}

static void begin_tick(struct replay_reader *r, const struct replay_row *row,
		       struct replay_tick *tick)
{
	*tick = (struct replay_tick){
		.at = row->at,
		.place = replay_place_of(row),
		.realtime_ms = row->row.realtime_ms,
		.segment = r->has_tick ? r->tick.segment : row->row.segment,
	};
	if (!r->has_tick || tick->place.segment != r->tick.place.segment ||
	    replay_place_compare(tick->place, r->tick.place) < 0)
		enter_segment(r, row, tick);
	tick->axis_us = replay_segment_axis(&r->segment, tick->place.elapsed_us);
	replay_state_begin_tick(&r->state);
}

/* What the rows of a tick have come to so far. */
struct progress {
	struct replay_tick tick;
	bool begun;
	uint64_t at;      /* of the next row */
	uint64_t damaged; /* lines before the tick */
};

/* One row: 1 where the tick ends before it, 0 to go on, -ENODATA at the end of the file. */
static int take_row(struct replay_reader *r, struct progress *p)
{
	const struct replay_tick *before = p->begun ? &p->tick : r->has_tick ? &r->tick : NULL;
	struct replay_row row;
	int stray, error = replay_file_row(&r->file, p->at, &row);

	if (error < 0) {
		p->at = row.at;
		return error;
	}
	if (!before || replay_place_compare(replay_place_of(&row), before->place) != 0) {
		stray = judge(r, before, &row);
		if (stray < 0)
			return stray;
		if (!stray && p->begun) {
			p->at = row.at;
			return 1;
		}
		if (stray) {
			p->at = row.next;
			return 0;
		}
		error = replay_file_row(&r->file, row.at, &row); /* its fields are gone */
		if (error < 0)
			return error;
		begin_tick(r, &row, &p->tick);
		p->begun = true;
	}
	apply(r, &row);
	p->at = row.next;
	return 0;
}

/*
 * Whether the tick at the end of the file is whole: no more samples are missing than lines of it
 * were damaged. Samples come last in a tick; what is torn after them is of the next.
 */
static bool is_whole(struct replay_reader *r, const struct progress *p)
{
	return p->begun && replay_state_missing(&r->state) <= r->file.damaged_lines - p->damaged;
}

/* The rows of a tick have come to an end; or the file has, and it waits for more of them. */
static int end_tick(struct replay_reader *r, const struct progress *p, bool at_end)
{
	bool whole = !at_end || is_whole(r, p);

	if (p->begun)
		replay_state_end_tick(&r->state, whole);
	r->is_torn = !whole && (p->begun || p->at < r->file.size);
	r->ended_size = whole ? 0 : r->file.size;
	if (!whole) {
		if (r->has_tick)
			r->index.end_us = r->tick.axis_us;
		return -ENODATA;
	}
	r->next_at = p->at;
	r->tick = p->tick;
	r->has_tick = true;
	if (r->index.end_us < r->tick.axis_us)
		r->index.end_us = r->tick.axis_us;
	return 0;
}

int replay_reader_next(struct replay_reader *r)
{
	struct progress p = { .at = r->next_at, .damaged = r->file.damaged_lines };
	int error;

	if (r->ended_size && r->ended_size == r->file.size && !replay_file_grew(&r->file))
		return -ENODATA;
	for (;;) {
		error = take_row(r, &p);
		if (error == -ENODATA && replay_file_grew(&r->file)) {
			replay_index_update_end(&r->index, &r->file);
			continue;
		}
		if (error != 0)
			break;
	}
	if (error < 0 && error != -ENODATA)
		return error;
	return end_tick(r, &p, error == -ENODATA);
}

/* ---- going to a place ---- */

/* Reads what holds at the tick that begins at `at`, from a place where all of it is told. */
static int restore(struct replay_reader *r, uint64_t from, uint64_t at)
{
	unsigned int kinds = replay_state_lasting_kinds();

	replay_state_clear(&r->state);
	while (from < at) {
		struct replay_row row;
		int error = replay_file_row_of(&r->file, from, kinds, &row);

		if (error < 0)
			return error;
		if (row.at < at && replay_state_apply_lasting(&r->state, &row.row) == -EBADMSG)
			replay_file_note_damaged(&r->file, row.at);
		replay_hists_commit(&r->state.hists);
		from = row.next;
	}
	r->next_at = at;
	r->has_tick = false;
	r->judged_at = UINT64_MAX;
	r->ended_size = 0;
	return 0;
}

int replay_reader_seek(struct replay_reader *r, uint64_t axis_us)
{
	uint64_t at, from;
	int error;

	if (replay_file_grew(&r->file))
		replay_index_update_end(&r->index, &r->file);
	error = replay_index_find(&r->index, &r->file, axis_us, &at, &from);
	if (error == 0)
		error = restore(r, from, at);
	if (error == 0)
		error = replay_reader_next(r);
	if (error != -ENODATA)
		return error;
	/* It was the last one and is not whole. */
	error = replay_index_find_before(&r->index, &r->file, at, &at, &from);
	if (error == 0)
		error = restore(r, from, at);
	return error == 0 ? replay_reader_next(r) : error;
}
