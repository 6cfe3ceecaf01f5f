/*
 * Streams in a recording: the list in the value of a `stream` line, and the sparse histograms of
 * `hist` lines. One table of keys writes and reads.
 */
#ifndef RAIDTOP_RECORDING_STREAM_H
#define RAIDTOP_RECORDING_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "raidtop/latency.h"
#include "raidtop/stream_view.h"
#include "raidtop/text.h"

/* The list of what has no column of its own; what is 0, empty or unknown is left out. */
void record_stream_format(struct buffer *list, const struct stream_view *v);
/*
 * The same back into *v, whose number, state, counters and spec.device are not touched; latencies
 * become NULL. Texts are made harmless. 0, or -EBADMSG where a value is none.
 */
int record_stream_parse(struct stream_view *v, const char *list);

/* The histograms that a stream has, each with its key in a `hist` line. */
enum stream_hist { STREAM_HIST_READ, STREAM_HIST_WRITE, STREAM_HIST_SCHEDULED, STREAM_HIST_COUNT };

struct record_hist {
	const char *key;     /* counts since the line before; in the first one, all so far */
	const char *sum_key; /* counts since the stream began: after a keyframe */
	size_t offset;       /* of the pointer in struct stream_view */
	const char *min_key, *max_key; /* in the list of the stream: exact ends */
};
extern const struct record_hist record_hists[STREAM_HIST_COUNT];

/* What a view has of that kind, or NULL. */
const struct latency *record_hist_of(const struct stream_view *v, enum stream_hist which);
void record_hist_set(struct stream_view *v, enum stream_hist which, const struct latency *l);

/*
 * "bucket=count bucket=count" of what came since `before` (NULL: all). Returns whether there is
 * anything; `list` is reset.
 */
bool record_hist_format(struct buffer *list, const struct latency *before,
			const struct latency *now);

struct record_bucket {
	unsigned int bucket;
	uint64_t count;
};
/*
 * Takes the next one off the text (*text, *len move on). 1, 0 at the end, or -EBADMSG where it is
 * none.
 */
int record_hist_next(const char **text, size_t *len, struct record_bucket *ret);

/* An exact end of a histogram in the list of a stream; 0 or -ENOENT, -EBADMSG. */
int record_hist_ends(const char *list, enum stream_hist which, uint64_t *ret_min_ns,
		     uint64_t *ret_max_ns);

#endif
