/*
 * Where the segments of a recording lie, and what of it happened when: found by bisection, for
 * rows are ordered by segment and elapsed time. A damaged row can lead a search astray, but
 * only to another place in the same recording.
 */
#ifndef RAIDTOP_PROVIDER_REPLAY_INDEX_H
#define RAIDTOP_PROVIDER_REPLAY_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "replay_file.h"

/* What rows are ordered by. */
struct replay_place {
	uint32_t segment;
	uint64_t elapsed_us;
};

struct replay_place replay_place_of(const struct replay_row *r);
/* Less than, equal to or greater than 0. */
int replay_place_compare(struct replay_place a, struct replay_place b);

/*
 * The first row from `from` on that is not before `place`, found by bisection up to `to`; both
 * are beginnings of lines, or the end. 0, -ENODATA where all are before it, or -errno.
 */
int replay_find_first(struct replay_file *f, uint64_t from, uint64_t to, struct replay_place place,
		      struct replay_row *ret);

struct replay_segment {
	uint32_t number;
	uint64_t at;       /* its first row in the file */
	uint64_t first_us; /* elapsed time of its first tick */
	uint64_t axis_us;  /* and that tick's place on the recording's one axis */
	bool is_whole;     /* it opens with a session line, and so with all facts */
};

struct replay_index {
	struct replay_segment *segments; /* as they lie in the file; at least one */
	size_t n, size;
	uint64_t interval_us; /* nominal; 0: not known */
	uint64_t end_us;      /* place of the last row on the axis */
};

/*
 * Finds the segments. 0, -ENODATA where there is no row, -EPROTO where a segment is of a newer
 * format (*ret_format says which), or -errno.
 */
int replay_index_build(struct replay_index *x, struct replay_file *f, uint64_t *ret_format);
void replay_index_release(struct replay_index *x);
/* Looks for the end anew: the file has grown. */
void replay_index_update_end(struct replay_index *x, struct replay_file *f);

uint64_t replay_segment_axis(const struct replay_segment *s, uint64_t elapsed_us);
/*
 * The segment that begins at `row`, which a reader came to after `before_us` on the axis: the
 * known one, or a new one. NULL where there are too many to keep.
 */
struct replay_segment *replay_index_enter(struct replay_index *x, const struct replay_row *row,
					  uint64_t before_us);
/* The segment that the byte belongs to. */
const struct replay_segment *replay_index_of(const struct replay_index *x, uint64_t at);

/*
 * The first row of the last tick at or before `axis_us`, and (in *ret_from) where reading must
 * begin to know everything that holds there. 0 or -errno.
 */
int replay_index_find(const struct replay_index *x, struct replay_file *f, uint64_t axis_us,
		      uint64_t *ret_at, uint64_t *ret_from);
/* The same for the tick before the one that begins at `at`; -ENODATA where it is the first. */
int replay_index_find_before(const struct replay_index *x, struct replay_file *f, uint64_t at,
			     uint64_t *ret_at, uint64_t *ret_from);

/* Whether the row is the session line of that key. */
bool replay_row_is_session(const struct replay_row *r, const char *key);

#endif
