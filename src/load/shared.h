/*
 * What a stream's two processes share: the plan and the orders from raidtop to the worker, the
 * progress and the figures back.
 */
#ifndef LOAD_SHARED_H
#define LOAD_SHARED_H

#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "raidtop/latency.h"
#include "raidtop/stream_view.h"

#define SHARED_MAGIC 0x52544c44U /* "RTLD" */
#define SHARED_VERSION 5U
#define SHARED_LINE_BYTES 64

/* What the descriptor is that the worker was handed. */
enum shared_target {
	SHARED_TARGET_READ,      /* a device or a user's own file, open for reading */
	SHARED_TARGET_DEVICE,    /* a device that safety.c opened for writing */
	SHARED_TARGET_DIRECTORY, /* the target directory: the worker makes its file below it */
};

enum phase {
	PHASE_SPAWNED, /* no transfer yet */
	PHASE_PREPARE, /* makes and checks its file */
	PHASE_READY,   /* waits at the barrier for those that are to start with it */
	PHASE_RUNNING,
	PHASE_SYNC,   /* the last fdatasync */
	PHASE_VERIFY, /* reads again what it wrote; a second stop ends that, too */
	PHASE_DONE,   /* stopped as asked, or its time was over */
	PHASE_FAILED, /* see failure */
};

/* What went wrong, where phase is PHASE_FAILED. */
enum failure {
	FAILURE_NONE,
	FAILURE_SPAWN,  /* the worker did not come to run */
	FAILURE_SETUP,  /* no memory, no engine */
	FAILURE_FILE,   /* its file could not be made or used: see `sentence` */
	FAILURE_IO,     /* the transfer at error_offset */
	FAILURE_SHORT,  /* the target ends at error_offset, before its end */
	FAILURE_GONE,   /* the device is no more */
	FAILURE_ENGINE, /* the engine itself broke */
	FAILURE_MOVED,  /* the target no longer lies where it lay: unmounted, or mounted over */
	FAILURE_VERIFY, /* the block at error_offset is not what was written there */
	FAILURE_SYNC,   /* fdatasync: what was written before may not be on the disk */
};

/* Why it ended, where nothing went wrong. */
enum ending {
	ENDING_NONE,
	ENDING_STOPPED, /* as asked */
	ENDING_TIME,    /* its time was over */
	ENDING_LIMIT,   /* it has written as much as it may */
	ENDING_ALL,     /* there is nothing more to do */
};

/* Written before the worker starts, and by nobody afterwards. */
struct shared_plan {
	struct stream_spec spec;         /* with all defaults filled in */
	enum stream_access asked_access; /* spec.access is what the target allows */
	enum shared_target target;
	unsigned int copy;    /* 0 .. spec.copies - 1 */
	unsigned int place;   /* at the barrier, where one was handed over */
	unsigned int group;   /* streams started together: number of the first; 0: unknown */
	uint64_t size_bytes;  /* of the target (a directory: of the file to be) */
	bool default_size;    /* nobody asked for it: a file may become smaller */
	uint64_t part_offset; /* the part of it that the workload moves in */
	uint64_t part_bytes;
	uint64_t align_bytes; /* of offsets and lengths; 1: any */
	int32_t parent;       /* process that the worker must not outlive */
	uint64_t mount_id;    /* of the target directory, as it was checked; UNKNOWN_U64 */
	uint64_t device;      /* st_dev of it */
};

struct shared_counters {
	alignas(SHARED_LINE_BYTES) _Atomic uint64_t bytes;
	_Atomic uint64_t ios;
	_Atomic uint64_t latency_ns; /* summed, from a block's begin to its end */
};

/* Each writer has cache lines of its own. Figures have one writer only: see shared_add. */
struct shared {
	uint32_t magic;
	uint32_t version;
	uint64_t size; /* sizeof(struct shared) */
	struct shared_plan plan;

	/* Orders. `wake` is a futex word, counted up with each of them. */
	alignas(SHARED_LINE_BYTES) _Atomic uint32_t stop; /* how often it was asked to end */
	_Atomic uint32_t pause;
	_Atomic uint32_t wake;
	_Atomic uint64_t rate_per_sec; /* as in the spec; may change while it runs */

	/* Progress; `phase` is written last. */
	alignas(SHARED_LINE_BYTES) _Atomic uint32_t phase;
	_Atomic uint32_t access; /* enum stream_access, as it came to be */
	_Atomic uint32_t ending; /* enum ending */
	_Atomic uint32_t failure;
	_Atomic int32_t error; /* errno */
	_Atomic uint64_t error_offset;
	_Atomic uint32_t error_writing; /* 1: the transfer that failed was a write */
	/* Its first transfer that counts (the ramp is over), CLOCK_MONOTONIC; 0: none yet. */
	_Atomic uint64_t started_ns;
	/* What its first transfer took: counted everywhere but in the histograms. 0: see there. */
	_Atomic uint64_t first_ns;
	_Atomic uint64_t ended_ns;       /* its last transfer, before fdatasync; 0: not yet */
	_Atomic uint64_t sync_ns;        /* what the last fdatasync took */
	_Atomic uint64_t paused_ns;      /* pauses that are over */
	_Atomic uint64_t pause_began_ns; /* 0: it is not paused */
	_Atomic uint64_t prepared_bytes, prepare_bytes;
	_Atomic uint32_t source; /* enum stream_source */
	_Atomic uint64_t cached_bytes;

	/* The worker's own use of the machine since the first transfer, every half second. */
	alignas(SHARED_LINE_BYTES) _Atomic uint64_t cpu_user_ns, cpu_system_ns;
	_Atomic uint64_t disk_read_bytes;    /* /proc/self/io; UNKNOWN_U64 */
	_Atomic uint64_t disk_read_of_bytes; /* read.bytes at that moment: the share is of those */

	struct shared_counters read;
	struct shared_counters write;
	_Atomic uint64_t errors;
	/* From a transfer's begin to its end, but for the very first transfer: see first_ns. */
	struct latency_shared read_latency, write_latency;
	/* With a rate: reads and writes, from when each was due, which is a second ago at most. */
	struct latency_shared scheduled_latency;

	/* Sentences, written before phase says that they are there. */
	char engine[16];    /* as it came to be */
	char file[32];      /* its file below the target directory's .raidtop: "3.data" */
	char sentence[160]; /* of FAILURE_FILE, and what limits the figures otherwise; "" */

	/* When each transfer in flight was begun; 0: that slot is idle. */
	alignas(SHARED_LINE_BYTES) _Atomic uint64_t flight_ns[STREAM_DEPTH_MAX];
};

/*
 * A new one, all zero but for magic, version and size. The descriptor is closed on exec, and the
 * memory behind it cannot change its size any more. 0 or -errno.
 */
int shared_create(struct shared **ret, int *ret_fd);
/* The worker's side: refuses what is not exactly of this program's making. 0 or -errno. */
int shared_attach(int fd, struct shared **ret);
void shared_detach(struct shared *s);

/* Adds to a figure that no other thread writes: two plain moves, no locked instruction. */
static inline void shared_add(_Atomic uint64_t *figure, uint64_t more)
{
	uint64_t now = atomic_load_explicit(figure, memory_order_relaxed);

	atomic_store_explicit(figure, now + more, memory_order_relaxed);
}

static inline uint64_t shared_get(const _Atomic uint64_t *figure)
{
	return atomic_load_explicit(figure, memory_order_relaxed);
}

static inline void shared_set(_Atomic uint64_t *figure, uint64_t value)
{
	atomic_store_explicit(figure, value, memory_order_relaxed);
}

#endif
