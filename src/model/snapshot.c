/*
 * A snapshot is a table with a row for each slot, filled anew at each tick in memory that stays.
 * The names of its columns are those of the recording; the widths are the kernel's.
 */
#include "raidtop/snapshot.h"

#include <stdlib.h>
#include <string.h>

#include "raidtop/memory.h"
#include "raidtop/topology.h"

const struct counter_description counter_descriptions[COUNTER_COUNT] = {
	[COUNTER_READ_IOS] = { "read_ios", COUNTER_KIND_64 },
	[COUNTER_READ_MERGES] = { "read_merges", COUNTER_KIND_64 },
	[COUNTER_READ_BYTES] = { "read_bytes", COUNTER_KIND_64 },
	[COUNTER_READ_US] = { "read_us", COUNTER_KIND_MS32 },
	[COUNTER_WRITE_IOS] = { "write_ios", COUNTER_KIND_64 },
	[COUNTER_WRITE_MERGES] = { "write_merges", COUNTER_KIND_64 },
	[COUNTER_WRITE_BYTES] = { "write_bytes", COUNTER_KIND_64 },
	[COUNTER_WRITE_US] = { "write_us", COUNTER_KIND_MS32 },
	[COUNTER_INFLIGHT] = { "inflight", COUNTER_KIND_LEVEL },
	[COUNTER_BUSY_US] = { "busy_us", COUNTER_KIND_MS32 },
	[COUNTER_QUEUE_US] = { "queue_us", COUNTER_KIND_MS32 },
	[COUNTER_DISCARD_IOS] = { "discard_ios", COUNTER_KIND_64 },
	[COUNTER_DISCARD_BYTES] = { "discard_bytes", COUNTER_KIND_64 },
	[COUNTER_FLUSH_IOS] = { "flush_ios", COUNTER_KIND_64 },
};

static void forget(struct snapshot *s)
{
	s->elapsed_us = 0;
	s->boottime_us = UNKNOWN_U64;
	s->realtime_ms = 0;
	s->segment = 1;
	s->missed_ticks = 0;
	s->read_cost_ns = 0;
	s->unwrapped = false;
}

void snapshot_init(struct snapshot *s)
{
	memset(s, 0, sizeof(*s));
	forget(s);
}

void snapshot_release(struct snapshot *s)
{
	free(s->devices);
	snapshot_init(s);
}

void snapshot_reset(struct snapshot *s, size_t n)
{
	if (n > s->n_devices)
		s->devices = memory_resize(s->devices, n, sizeof(*s->devices));
	s->n_devices = n;
	for (size_t i = 0; i < n; i++)
		s->devices[i] = (struct counters){ .valid = 0 };
	forget(s);
}
