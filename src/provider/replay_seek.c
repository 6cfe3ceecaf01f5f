/*
 * Going to a place: the tick by bisection, then back to where everything that holds there is
 * told, which is a keyframe or the beginning of a segment. A recording of another program may
 * have no keyframes; reading then begins with its segment.
 */
#include "replay_index.h"

#include <errno.h>

/* So many words `keyframe` that are none are looked at before the segment's beginning is taken. */
enum { FALSE_KEYFRAMES_MAX = 64 };

static uint64_t whole_segment_before(const struct replay_index *x, uint64_t at)
{
	const struct replay_segment *s = replay_index_of(x, at);

	while (s > x->segments && !s->is_whole)
		s--;
	return s->at;
}

/* Where to begin reading in order to know all that holds at the tick that begins at `at`. */
static int find_keyframe(const struct replay_index *x, struct replay_file *f, uint64_t at,
			 uint64_t *ret_from)
{
	uint64_t floor = whole_segment_before(x, at), word_at;
	struct replay_row row;
	int r = replay_file_row_near(f, at, UINT64_MAX, &row);

	*ret_from = at;
	if (r < 0 || replay_row_is_session(&row, "keyframe") || at <= floor)
		return r;
	for (int i = 0; i < FALSE_KEYFRAMES_MAX; i++) {
		r = replay_file_find_back(f, floor, *ret_from, "keyframe", &word_at);
		if (r == 0)
			r = replay_file_line_begin(f, word_at, ret_from);
		if (r == 0)
			r = replay_file_row_near(f, *ret_from, UINT64_MAX, &row);
		if (r < 0)
			break;
		if (row.at == *ret_from && replay_row_is_session(&row, "keyframe"))
			return 0;
	}
	*ret_from = floor;
	return r == -ENODATA ? 0 : r;
}

/* The tick that `row` is of, in its segment. */
static int find_tick(const struct replay_index *x, struct replay_file *f,
		     const struct replay_row *row, uint64_t *ret_at, uint64_t *ret_from)
{
	const struct replay_segment *s = replay_index_of(x, row->at);
	struct replay_row first;
	int r = replay_find_first(f, s->at, row->at, replay_place_of(row), &first);

	if (r < 0)
		return r;
	*ret_at = first.at < row->at ? first.at : row->at;
	return find_keyframe(x, f, *ret_at, ret_from);
}

/* Just after that place on the axis. */
static struct replay_place place_after(const struct replay_segment *s, uint64_t axis_us)
{
	uint64_t since_us = axis_us > s->axis_us ? axis_us - s->axis_us : 0;
	uint64_t room_us = UINT64_MAX - 1 - s->first_us;

	return (struct replay_place){
		.segment = s->number,
		.elapsed_us = s->first_us + (since_us < room_us ? since_us : room_us) + 1,
	};
}

int replay_index_find(const struct replay_index *x, struct replay_file *f, uint64_t axis_us,
		      uint64_t *ret_at, uint64_t *ret_from)
{
	const struct replay_segment *s = x->segments, *last = s + x->n - 1;
	struct replay_place after;
	struct replay_row row;
	uint64_t to;
	int r;

	while (s < last && s[1].axis_us <= axis_us)
		s++;
	after = place_after(s, axis_us);
	to = s < last ? s[1].at : f->size;
	r = replay_find_first(f, s->at, to, after, &row);
	if (r < 0 && r != -ENODATA)
		return r;
	if (r == 0 && row.at < to)
		to = row.at;
	r = replay_file_row_before(f, to, &row);
	if (r == -ENODATA || (r == 0 && row.at < s->at))
		r = replay_file_row_near(f, s->at, UINT64_MAX, &row);
	return r < 0 ? r : find_tick(x, f, &row, ret_at, ret_from);
}

int replay_index_find_before(const struct replay_index *x, struct replay_file *f, uint64_t at,
			     uint64_t *ret_at, uint64_t *ret_from)
{
	struct replay_row row;
	int r = replay_file_row_before(f, at, &row);

	return r < 0 ? r : find_tick(x, f, &row, ret_at, ret_from);
}
