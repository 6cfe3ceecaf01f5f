/*
 * The latencies of a recording's streams. A replay reads one tick ahead, and a tick that is not
 * whole comes again; so what a tick's lines say is collected, and added up when it is taken.
 */
#ifndef RAIDTOP_PROVIDER_REPLAY_HIST_H
#define RAIDTOP_PROVIDER_REPLAY_HIST_H

#include <stddef.h>
#include <stdint.h>

#include "raidtop/latency.h"
#include "raidtop/recording.h"
#include "raidtop/recording_stream.h"
#include "raidtop/stream_view.h"

/* One thing that a line of this tick says. */
struct replay_hist_step {
	enum { HIST_ADD, HIST_CLEAR, HIST_ENDS, HIST_FORGET } what;
	unsigned int number; /* of the stream */
	enum stream_hist hist;
	unsigned int bucket; /* of HIST_ADD */
	uint64_t a, b;       /* its count; of HIST_ENDS the smallest and largest */
};

struct replay_hist_stream {
	unsigned int number;
	struct latency *sum[STREAM_HIST_COUNT]; /* NULL: none of that kind */
};

struct replay_hists {
	struct replay_hist_stream *streams;
	size_t n_streams, streams_size;
	struct replay_hist_step *steps; /* of the tick that is being read */
	size_t n_steps, steps_size;
};

void replay_hists_release(struct replay_hists *h);
/* Nothing is known any more. */
void replay_hists_clear(struct replay_hists *h);
/* The lines that follow are of another tick, or the same ones again. */
void replay_hists_begin(struct replay_hists *h);
/* All that was counted so far is of another run. */
void replay_hists_forget(struct replay_hists *h);
/* A `hist` line of that stream: 0, -EBADMSG, or -ENOTSUP for a key of a newer program. */
int replay_hists_line(struct replay_hists *h, unsigned int number, const struct record_field *key,
		      const struct record_field *value);
/* The exact ends that the list of a stream tells. 0 or -EBADMSG. */
int replay_hists_ends(struct replay_hists *h, unsigned int number, const char *list);
/* The tick is taken: what its lines said is added up. */
void replay_hists_commit(struct replay_hists *h);
/* Gives the views their latencies, and forgets those of streams that are not among them. */
void replay_hists_show(struct replay_hists *h, struct stream_view *views, size_t n);

#endif
