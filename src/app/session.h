/*
 * A session: one provider and all that follows from it, tick by tick. The screen, the headless
 * recording and the replay drive the same session.
 */
#ifndef RAIDTOP_SESSION_H
#define RAIDTOP_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "raidtop/events.h"
#include "raidtop/history.h"
#include "raidtop/insights.h"
#include "raidtop/provider.h"
#include "raidtop/rates.h"
#include "raidtop/sink.h"
#include "raidtop/topology.h"
#include "streams.h"

struct session {
	struct provider *provider;
	bool is_replay;
	bool is_elsewhere;    /* of files below a --root: not this machine's disks */
	uint64_t interval_ns; /* nominal; 0: not known */
	struct topology topology;
	struct topology fresh; /* what a survey fills before it is adopted */
	struct snapshot snapshot;
	struct rates *rates;
	struct insights *insights;
	struct history *history; /* NULL: nobody looks back */
	struct event_log *events;
	const struct tick *tick; /* the newest; NULL before the first */
	struct streams streams;
	const struct stream_view *views; /* the streams to show: ours, or the recording's */
	size_t n_views;
	struct sink *recording; /* NULL: none */
	char recording_path[256];
	uint64_t recording_since_ns;         /* CLOCK_MONOTONIC */
	const sigset_t *recording_wait_mask; /* see struct csv_options; NULL at first */
};

/* Takes over the provider. `history_seconds` 0: none is kept. */
void session_init(struct session *s, struct provider *provider, bool is_replay,
		  uint64_t interval_ns, unsigned int history_seconds);
void session_release(struct session *s);
/* Brings the topology up to date where the provider says that something changed. 0 or -errno. */
int session_survey(struct session *s);
/*
 * One tick: survey where due, sample, rates, insights, history, events, streams, recording. 0,
 * -ENODATA at the end of a recording, or -errno of the provider. A recording that fails is ended
 * and told in `why` ("" otherwise); the session goes on.
 */
int session_tick(struct session *s, uint32_t missed_ticks, char *why, size_t size);
/* Forgets rates, insights, history and events: before and after a jump in a replay. */
void session_forget(struct session *s);

/* Starts a recording; `why` gets a sentence. 0 or -errno. */
int session_record_start(struct session *s, const char *path, bool force, char *why, size_t size);
/* Ends it; 0, or -errno with a sentence in `why`. Nothing where none runs. */
int session_record_stop(struct session *s, char *why, size_t size);

#endif
