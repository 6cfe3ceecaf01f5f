/*
 * What a load stream looks like from outside: what it was asked to do and what it has done so far.
 * Plain data for screens, recordings and replay, which know nothing of workers.
 */
#ifndef RAIDTOP_STREAM_VIEW_H
#define RAIDTOP_STREAM_VIEW_H

#include <stdbool.h>
#include <stdint.h>

#include "raidtop/stream_spec.h"

struct latency;

enum stream_state {
	STREAM_STARTING,
	STREAM_RUNNING,
	STREAM_STOPPING,
	STREAM_ENDED,
	STREAM_FAILED,
	STREAM_PREPARING, /* its files are made and checked: not timed */
	STREAM_WAITING,   /* prepared; the others of its start are not */
	STREAM_PAUSED,
};
const char *stream_state_name(enum stream_state state);
/* It has ended or failed, and nothing more comes of it. */
bool stream_is_finished(enum stream_state state);

/* Where what a stream read came from (STATISTICS.md, "Proof"). Only DISK is a disk's speed. */
enum proof {
	PROOF_UNKNOWN, /* too early to say, or a stream that only writes */
	PROOF_DISK,
	PROOF_CACHE,
	PROOF_HOLE,
	PROOF_COMPRESSED,
	PROOF_UNPROVEN,
};
const char *proof_name(enum proof proof); /* "DISK", ...; "" for unknown */

/* What the check before the run found about where reads will come from. */
enum stream_source {
	SOURCE_UNKNOWN, /* it could not be told */
	SOURCE_CLEAR,   /* written extents, nothing cached */
	SOURCE_CACHED,  /* cached_bytes of it were cached when the run began */
	SOURCE_HOLES,   /* a part has no extents, or unwritten ones */
	SOURCE_ENCODED, /* compressed extents */
};
const char *stream_source_name(enum stream_source source); /* "clear", ...; "" for unknown */

/* What is shown and recorded of a stream at one moment. Counters are cumulative. */
struct stream_view {
	unsigned int number; /* 1, 2, ... */
	unsigned int group;  /* streams started together, as its copies are: number of the first */
	struct stream_spec spec;
	enum stream_state state;
	uint64_t read_bytes, write_bytes;
	uint64_t read_ios, write_ios; /* or operations: files created, deleted, ... */
	uint64_t read_ns, write_ns;   /* summed latency */
	uint64_t errors;     /* transfers that failed, and blocks that verify found wrong */
	uint64_t began_ns;   /* its first I/O, CLOCK_MONOTONIC; 0: none yet */
	uint64_t running_ns; /* since its first I/O, without pauses */
	uint64_t paused_ns;
	uint64_t sync_ns;      /* in fdatasync at the end; the time "to the disk" has it as well */
	uint64_t oldest_io_ns; /* age of the I/O in flight; 0: none */
	uint64_t prepared_bytes, prepare_bytes; /* done and to do while PREPARING */
	uint64_t cpu_user_ns, cpu_system_ns;    /* its worker's own, since the first I/O */
	uint64_t disk_read_bytes;    /* /proc/self/io read_bytes since the first I/O; UNKNOWN_U64 */
	uint64_t disk_read_of_bytes; /* read_bytes when that was looked at */
	enum stream_source source;   /* as the check before the run found it */
	uint64_t cached_bytes;
	double read_bytes_per_sec, write_bytes_per_sec; /* over the last interval; < 0: unknown */
	/* 5th and 95th percentile of its seconds (STATISTICS.md); < 0: unknown. */
	double low_bytes_per_sec, high_bytes_per_sec;
	enum proof proof;
	double disk_pct; /* of its reads that came from the disk; < 0: unknown */
	/* Of all transfers so far, valid until the next refresh; NULL: none of that kind. */
	const struct latency *read_latency, *write_latency;
	/*
	 * With a rate, of both kinds, from the moment that the rate had a transfer due: what waited
	 * behind a slow one is slow as well. NULL: no rate.
	 */
	const struct latency *scheduled_latency;
	/* What its very first transfer took, unlike the rest and in no histogram. 0: none yet. */
	uint64_t first_ns;
	char file[32]; /* its file below TARGET/.raidtop: "3.data"; "" */
	char note[96]; /* how it wavers, in words */
	char why[160]; /* for people: why it ended or failed, or what limits its figures; "" */
};

#endif
