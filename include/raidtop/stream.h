/*
 * A load stream: one workload on one target, run by a worker process of its own, so that one
 * stuck in the kernel holds neither the screen nor the exit. Its statistics lie in shared memory.
 */
#ifndef RAIDTOP_STREAM_H
#define RAIDTOP_STREAM_H

#include <stdbool.h>
#include <stddef.h>
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
	char workload[16];               /* "seq-read" */
	char target[256];                /* /dev/md0 */
	char device[DEVICE_NAME_BYTES];  /* the topology's name for it: md0 */
	uint64_t block_bytes;            /* 0: the workload's own, 1 MiB */
	uint64_t time_ns;                /* 0: until stopped */
};

/* What is shown and recorded of a stream at one moment. Counters are cumulative. */
struct stream_view {
	unsigned int number; /* 1, 2, ... */
	struct stream_spec spec;
	enum stream_state state;
	uint64_t read_bytes, write_bytes;
	uint64_t read_ios, write_ios;
	uint64_t read_ns, write_ns;   /* summed latency */
	uint64_t running_ns;          /* since its first I/O */
	uint64_t oldest_io_ns;        /* age of the I/O in flight; 0: none */
	double read_bytes_per_sec, write_bytes_per_sec; /* over the last interval; < 0: unknown */
	char why[160];                /* why it failed or ended, for people; "" */
};

struct stream;

/*
 * Starts a stream: opens the target here (so that a missing permission is told at once), spawns
 * this program as its worker and hands over the descriptor. Call it from the main thread (the
 * worker dies with the thread that spawned it). `why` gets a sentence. 0 or -errno.
 */
int stream_start(unsigned int number, const struct stream_spec *spec, struct stream **ret,
		 char *why, size_t size);
/* Asks it to end; does not wait. */
void stream_stop(struct stream *s);
/* Takes in what it has done; call once a tick and after SIGCHLD. Never blocks. */
void stream_refresh(struct stream *s, uint64_t now_ns, struct stream_view *ret);
bool stream_is_over(const struct stream *s);
/* Ends the worker at once where it still runs, and forgets it. Never waits for one in D state. */
void stream_free(struct stream *s);

/* What main() calls when the program was started as a worker; returns its exit status. */
#define STREAM_WORKER_ARGUMENT "--stream-worker"
int stream_worker_main(int argc, char **argv);

#endif
