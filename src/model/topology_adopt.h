/* The parts of topology_adopt(), in the order in which they are called. */
#ifndef RAIDTOP_TOPOLOGY_ADOPT_H
#define RAIDTOP_TOPOLOGY_ADOPT_H

#include "raidtop/topology.h"

/*
 * For each device of `fresh` the slot of `held` that was it before, or NO_SLOT for a new one; no
 * slot twice. Parents that are none (out of range, partitions) are taken out of `fresh`.
 */
void topology_match(const struct topology *held, struct topology *fresh, int *slot_of);

/*
 * Gives each device of `fresh` the name that it will have in its slot, and notes in `held` which
 * names are given up by that. Every slot in `slot_of` exists.
 */
void topology_name(struct topology *held, struct topology *fresh, const int *slot_of);

/* What a slot held before a survey. */
struct adoption {
	bool was_present;
	const struct device *before; /* NULL where the survey did not find it: it is as it was */
};

/* Tells the events of an adoption: `slots` is by slot of `t`, which holds the new state. */
void topology_tell(const struct topology *t, const struct adoption *slots, struct event_log *log);

#endif
