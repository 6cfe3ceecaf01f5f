/*
 * What a load stream looks like from outside: what it was asked to do and what it has done so far.
 * Plain data for screens, recordings and replay, which know nothing of workers.
 */
#ifndef RAIDTOP_STREAM_VIEW_H
#define RAIDTOP_STREAM_VIEW_H

#include <stdint.h>

#include "raidtop/topology.h"

enum stream_state {
	STREAM_STARTING,
	STREAM_RUNNING,
	STREAM_STOPPING,
	STREAM_ENDED,
	STREAM_FAILED,
};
const char *stream_state_name(enum stream_state state);

struct stream_spec {
	char workload[16];              /* "seq-read" */
	char target[256];               /* /dev/md0 */
	char device[DEVICE_NAME_BYTES]; /* the topology's name for it: md0 */
	uint64_t block_bytes;           /* 0: the workload's own, 1 MiB */
	uint64_t time_ns;               /* 0: until stopped */
};

/* What is shown and recorded of a stream at one moment. Counters are cumulative. */
struct stream_view {
	unsigned int number; /* 1, 2, ... */
	struct stream_spec spec;
	enum stream_state state;
	uint64_t read_bytes, write_bytes;
	uint64_t read_ios, write_ios;
	uint64_t read_ns, write_ns;                     /* summed latency */
	uint64_t running_ns;                            /* since its first I/O */
	uint64_t oldest_io_ns;                          /* age of the I/O in flight; 0: none */
	double read_bytes_per_sec, write_bytes_per_sec; /* over the last interval; < 0: unknown */
	char why[160]; /* for people: why it ended or failed, or what limits its figures; "" */
};

#endif
