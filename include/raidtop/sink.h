/* A sink: where samples go besides the screen. One ops table each; NULL: not interested. */
#ifndef RAIDTOP_SINK_H
#define RAIDTOP_SINK_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "raidtop/events.h"
#include "raidtop/rates.h"
#include "raidtop/stream_view.h"
#include "raidtop/topology.h"

struct sink;

struct sink_ops {
	const char *name;
	/*
	 * A tick with the topology that it belongs to, and the streams that run; all that is new
	 * in `log` since the last call. Written through at once. 0, or -errno after which the
	 * sink writes no more (and returns the same again).
	 */
	int (*tick)(struct sink *s, const struct topology *t, const struct tick *tick,
		    const struct event_log *log, const struct stream_view *streams,
		    size_t n_streams);
	/* Ends it in order: 0 or -errno of what was still to be written. Frees it. */
	int (*close)(struct sink *s);
};

struct sink {
	const struct sink_ops *ops;
};

struct csv_options {
	const char *path;     /* "-" is standard output */
	bool force;           /* an existing regular file may be overwritten */
	uint64_t interval_ns; /* nominal, for the session line */
	const char *boot_id;  /* "" unknown */
	int64_t start_realtime_ms;
	uint64_t sync_ns; /* fdatasync that often; 0 never */
	/* Signals that end the wait for a pipe's reader, as for ppoll(); NULL: none. Kept. */
	const sigset_t *wait_mask;
};

/*
 * A recording; its header line is written at once. An existing regular file is refused without
 * `force`, a block device always. `why` gets a sentence where it fails. 0 or -errno.
 */
int sink_csv_new(const struct csv_options *options, struct sink **ret, char *why, size_t size);
/* What a path is called in a sentence: "-" is standard output. */
const char *sink_csv_name(const char *path);
/* Bytes written so far. */
uint64_t sink_csv_bytes(const struct sink *s);

#endif
