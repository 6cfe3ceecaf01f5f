/*
 * Rates: the only place that knows counter widths, resets, hotplug and elapsed time.
 */
#ifndef RAIDTOP_RATES_H
#define RAIDTOP_RATES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "raidtop/snapshot.h"
#include "raidtop/topology.h"

enum rate {
	RATE_READ_BYTES, /* bytes per second */
	RATE_WRITE_BYTES,
	RATE_READ_IOS, /* requests per second */
	RATE_WRITE_IOS,
	RATE_READ_AWAIT, /* milliseconds a request, as iostat(1); unknown where none completed */
	RATE_WRITE_AWAIT,
	RATE_QUEUE, /* mean requests in flight: time in queue / time */
	RATE_UTIL,  /* busy percent, not clamped: the kernel's rounding can exceed 100 */
	RATE_COUNT,
};

struct rate_description {
	const char *column;  /* in the recording: read_mb_s, ... */
	double column_scale; /* what the column counts in: 1e6 for MB/s */
};
extern const struct rate_description rate_descriptions[RATE_COUNT];

/* Why a device has no rate in this interval; the first that applies. */
enum gap {
	GAP_NONE,
	GAP_FIRST,   /* there is no earlier snapshot of it */
	GAP_MISSED,  /* ticks were missed */
	GAP_SUSPEND, /* the machine slept */
	GAP_RESET,   /* a counter went down: the device was made anew */
	GAP_ABSENT,  /* it is not there, or nothing counts it */
	GAP_SEGMENT, /* another segment of a recording begins */
	GAP_CLOCK,   /* no time passed */
};
const char *gap_name(enum gap gap);

/* One device in one interval. */
struct figures {
	struct counters totals; /* cumulative, times unwrapped to 64 bits: what a recording keeps */
	double value[RATE_COUNT];
	uint32_t valid; /* bit 1 << enum rate */
	enum gap gap;
	bool derived; /* an array that counts nothing: from its members */
};

static inline bool figures_has(const struct figures *f, enum rate which)
{
	return f->valid >> which & 1;
}

/* All devices in one interval: what views draw and sinks write. */
struct tick {
	uint64_t elapsed_us;
	uint64_t interval_us; /* measured; 0 in the first */
	int64_t realtime_ms;
	uint32_t segment;
	uint32_t missed_ticks;
	enum gap gap; /* of the whole tick: GAP_FIRST, MISSED, SUSPEND, SEGMENT, CLOCK or NONE */
	struct figures *devices; /* by slot */
	size_t n_devices;
	struct figures total; /* disks alone: each byte once */
};

struct rates; /* the earlier snapshot, and the unwrapped counters so far */

struct rates *rates_new(void);
void rates_free(struct rates *r);
/* Forgets everything: the next tick is a first one (after a seek). */
void rates_reset(struct rates *r);
/*
 * The figures between the snapshot before and `now`. The tick stays valid until the next call
 * and belongs to `r`. No allocation unless the topology grew.
 */
const struct tick *rates_step(struct rates *r, const struct topology *topology,
			      const struct snapshot *now);

/*
 * The growth of a counter, in its own unit: 0 and *ret_growth, or -ESTALE after a reset (a
 * counter of 64 bits went down), *ret_growth untouched. COUNTER_KIND_MS32 wraps at 2^32 ms.
 */
int counter_growth(enum counter_kind kind, uint64_t before, uint64_t after, uint64_t *ret_growth);

#endif
