/* What rates keep from tick to tick; shared by the files that compute them. */
#ifndef RAIDTOP_MODEL_RATES_STATE_H
#define RAIDTOP_MODEL_RATES_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "raidtop/rates.h"

struct device_state {
	struct counters before; /* as the snapshot before had them; valid 0: it was not there */
	struct counters growth; /* in this interval, where both snapshots have it */
	double uncounted_bytes; /* what members moved while the array showed nothing */
	bool counts_nothing;
	size_t n_paths;  /* of a disk, that its growth of this interval is the sum of */
	bool is_carried; /* it rests on something: its bytes are counted there */
	bool carries;    /* something rests on it, or on a partition of it */
};

struct rates {
	struct tick tick;
	struct device_state *states; /* by slot */
	size_t room;                 /* of states and tick.devices */
	bool started;
	uint64_t elapsed_us, boottime_us; /* of the snapshot before */
	uint32_t segment;
};

/*
 * Figures of arrays that count nothing, from their members' of the same interval; what cannot be
 * had from there is unknown. Called after all devices have their own.
 */
void rates_derive(struct rates *r, const struct topology *topology);

/*
 * The same for disks with several paths that count on their paths alone: the growth as well, for
 * each request went one way. Called before the arrays' turn.
 */
void rates_derive_heads(struct rates *r, const struct topology *topology);

/* The rates of a growth in so much time, added to `f`. */
void rates_fill(struct figures *f, const struct counters *growth, uint64_t interval_us);

/* The tick's total. */
void rates_sum_leaves(struct rates *r, const struct topology *topology);

#endif
