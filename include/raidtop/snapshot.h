/*
 * A snapshot: what the kernel's counters said at one moment, for every slot of the topology.
 * Counters are cumulative; nothing here is a rate.
 */
#ifndef RAIDTOP_SNAPSHOT_H
#define RAIDTOP_SNAPSHOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum counter {
	COUNTER_READ_IOS,
	COUNTER_READ_MERGES,
	COUNTER_READ_BYTES,
	COUNTER_READ_US,
	COUNTER_WRITE_IOS,
	COUNTER_WRITE_MERGES,
	COUNTER_WRITE_BYTES,
	COUNTER_WRITE_US,
	COUNTER_INFLIGHT, /* a level, not cumulative */
	COUNTER_BUSY_US,
	COUNTER_QUEUE_US,
	COUNTER_DISCARD_IOS,
	COUNTER_DISCARD_BYTES,
	COUNTER_FLUSH_IOS,
	COUNTER_COUNT,
};

/* How a counter behaves. Kernels keep times as 32-bit milliseconds: 2^32 ms, here in us. */
enum counter_kind { COUNTER_KIND_64, COUNTER_KIND_MS32, COUNTER_KIND_LEVEL };

struct counter_description {
	const char *column; /* in the recording: read_bytes, read_us, ... */
	enum counter_kind kind;
};
extern const struct counter_description counter_descriptions[COUNTER_COUNT];

struct counters {
	uint64_t value[COUNTER_COUNT];
	uint32_t valid; /* bit 1 << enum counter */
	bool derived;   /* of an array that a recording says counts nothing */
};

static inline bool counters_has(const struct counters *c, enum counter which)
{
	return c->valid >> which & 1;
}

static inline void counters_set(struct counters *c, enum counter which, uint64_t value)
{
	c->value[which] = value;
	c->valid |= 1u << which;
}

struct snapshot {
	/*
	 * Microseconds since this run (or the recording's segment) began, by CLOCK_MONOTONIC, in
	 * the middle between start and end of reading the counters. Rates are computed from this
	 * rounded value, so that a replay gives the same.
	 */
	uint64_t elapsed_us;
	uint64_t boottime_us; /* the same moment by CLOCK_BOOTTIME: counts a suspend; UNKNOWN_U64 */
	int64_t realtime_ms;
	uint32_t segment;      /* 1, 2, ...: elapsed_us starts again with each */
	uint32_t missed_ticks; /* intervals that passed without a snapshot just before this one */
	uint64_t read_cost_ns; /* what reading took */
	bool unwrapped;        /* the times are 64 bits wide already (a recording's) */
	struct counters *devices; /* by slot; valid 0 where the device was not there */
	size_t n_devices;
};

void snapshot_init(struct snapshot *s);
void snapshot_release(struct snapshot *s);
/* Room for `n` slots, all counters unknown; allocates only where it must grow. */
void snapshot_reset(struct snapshot *s, size_t n);

#endif
