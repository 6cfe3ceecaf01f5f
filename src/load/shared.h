/*
 * What a stream's two processes share: the plan and the orders from raidtop to the worker, the
 * progress and the figures back.
 */
#ifndef LOAD_SHARED_H
#define LOAD_SHARED_H

#include <stdalign.h>
#include <stdatomic.h>
#include <stdint.h>

#define SHARED_MAGIC 0x52544c44U /* "RTLD" */
#define SHARED_VERSION 1U
#define SHARED_DEPTH_MAX 256
#define SHARED_LINE_BYTES 64

/* How the target's pages are treated. */
enum access {
	ACCESS_DIRECT,   /* O_DIRECT */
	ACCESS_UNCACHED, /* through the page cache, from which each block is dropped again */
};

enum phase {
	PHASE_SPAWNED, /* no transfer yet */
	PHASE_RUNNING,
	PHASE_DONE,   /* stopped as asked, or its time was over */
	PHASE_FAILED, /* see failure */
};

/* What went wrong, where phase is PHASE_FAILED. */
enum failure {
	FAILURE_NONE,
	FAILURE_SPAWN,  /* the worker did not come to run */
	FAILURE_SETUP,  /* no memory, no engine */
	FAILURE_IO,     /* the transfer at error_offset */
	FAILURE_SHORT,  /* the target ends at error_offset, before its end */
	FAILURE_GONE,   /* the device is no more */
	FAILURE_ENGINE, /* the engine itself broke */
};

/* Written before the worker starts, and by nobody afterwards. */
struct shared_plan {
	char workload[16];
	char engine[16];
	uint64_t block_bytes;
	uint64_t size_bytes;  /* of the target */
	uint64_t align_bytes; /* of offsets and lengths; 1: any */
	uint64_t time_ns;     /* 0: until stopped */
	uint32_t depth;
	uint32_t access; /* enum access to begin with */
	int32_t parent;  /* process that the worker must not outlive */
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

	/* Orders. */
	alignas(SHARED_LINE_BYTES) _Atomic uint32_t stop;

	/* Progress; `phase` is written last. */
	alignas(SHARED_LINE_BYTES) _Atomic uint32_t phase;
	_Atomic uint32_t access; /* as it came to be */
	_Atomic uint32_t failure;
	_Atomic int32_t error; /* errno */
	_Atomic uint64_t error_offset;
	_Atomic uint64_t started_ns; /* its first transfer, CLOCK_MONOTONIC; 0: none yet */
	_Atomic uint64_t ended_ns;

	struct shared_counters read;
	struct shared_counters write;
	_Atomic uint64_t errors;

	/* When each transfer in flight was begun; 0: that slot is idle. */
	alignas(SHARED_LINE_BYTES) _Atomic uint64_t flight_ns[SHARED_DEPTH_MAX];
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
