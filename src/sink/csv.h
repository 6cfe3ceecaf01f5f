/*
 * What the files of the CSV sink share: the recording that is being written, and what a reader
 * of it knows so far.
 */
#ifndef RAIDTOP_SINK_CSV_H
#define RAIDTOP_SINK_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csv_file.h"
#include "raidtop/fields.h"
#include "raidtop/recording.h"
#include "raidtop/sink.h"

/* A member as written. */
struct csv_member {
	struct member member;
	bool names_device; /* its device is not simply the one of its name */
	char device[DEVICE_NAME_BYTES];
};

/* A slot of the topology as the recording tells it. */
struct csv_device {
	bool is_written;       /* it is told, and not gone */
	bool was_sampled;      /* in the tick before: only then does a reader have rates */
	struct device *device; /* as written; NULL before the first time */
	struct csv_member *members;
	size_t n_members, members_size;
	char (*on)[DEVICE_NAME_BYTES]; /* names of what it rests on, as written; owned */
	size_t n_on, on_size;
	bool carries;             /* something rests on it */
	int array;                /* slot of the one array that it serves, or one of these */
	enum member_state member; /* its state there */
};
enum { ARRAY_NONE = -1, ARRAY_SEVERAL = -2 };

struct csv_stream;

struct csv {
	struct sink sink;
	struct csv_file file;
	int error; /* of the write that failed: nothing is written any more */
	/* options */
	uint64_t interval_ns, sync_ns;
	char boot_id[64];
	int64_t start_realtime_ms;
	/* the text */
	struct record_line line;
	struct buffer out;  /* of this tick */
	struct buffer list; /* of a stream's value */
	uint64_t since_keyframe_bytes;
	/* where the recording stands */
	uint32_t segment;
	uint32_t tick_segment; /* of the ticks that come in */
	uint64_t elapsed_us;   /* of the last tick */
	uint64_t synced_us;
	uint64_t last_event;
	/* what was told */
	uint64_t generation;
	struct csv_device *devices; /* by slot */
	size_t n_devices;
	struct topology defaults; /* one device of which nothing is known */
	struct topology written;  /* owns what `devices` point at */
	const struct field **moving;
	size_t n_moving, n_moving_of_all; /* those of arrays come last */
	struct csv_stream *streams;       /* as written (csv_streams.c) */
	size_t n_streams, streams_size;
	/* this tick */
	bool tells_all; /* it is a keyframe */
	const struct topology *topology;
	const struct tick *tick;
};

/* A line of this tick is begun, gets its fields in csv->line, and is ended. */
void csv_line_begin(struct csv *csv, enum record_kind kind);
void csv_line_end(struct csv *csv);

/* What is told about the topology (csv_topology.c). */
void csv_topology_init(struct csv *csv);
void csv_topology_release(struct csv *csv);
/* Nothing of it counts as told any more: the reader may start here. */
void csv_topology_forget(struct csv *csv);
/* What rests on what (csv_stands.c): finds out what carries something; writes what changed. */
void csv_stands_find(struct csv *csv);
void csv_stands_write(struct csv *csv);
/* The lines for what changed since the last call, all of it with `again`. */
void csv_topology_write(struct csv *csv, bool again);

/* The lines of each tick (csv_samples.c, csv_streams.c). */
void csv_samples_write(struct csv *csv);
/* Nothing of their histograms counts as told any more. */
void csv_streams_forget(struct csv *csv);
void csv_streams_release(struct csv *csv);
void csv_streams_write(struct csv *csv, const struct stream_view *streams, size_t n);

#endif
