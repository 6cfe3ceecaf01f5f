/*
 * What an array's level, layout and losses mean for the bytes that go through it: how many disks,
 * how many of them are parity, how many copies there are of each byte.
 */
#ifndef RAIDTOP_GEOMETRY_H
#define RAIDTOP_GEOMETRY_H

#include <stdbool.h>
#include <stdint.h>

#include "raidtop/topology.h"

enum raid_level {
	RAID_LEVEL_OTHER, /* one that nothing here is said about */
	RAID_LEVEL_LINEAR,
	RAID_LEVEL_0,
	RAID_LEVEL_1,
	RAID_LEVEL_4,
	RAID_LEVEL_5,
	RAID_LEVEL_6,
	RAID_LEVEL_10,
};

struct geometry {
	enum raid_level level;
	uint64_t n_disks;  /* N, lost ones too; UNKNOWN_U64 */
	uint64_t n_lost;   /* f: missing, faulty or not yet rebuilt; UNKNOWN_U64 */
	uint64_t n_parity; /* p: of a stripe's chunks; 0 where the level has none */
	uint64_t
		n_copies; /* of each byte: raid1 the mirrors in sync, raid10 by layout; 0 unknown */
};

void geometry_of(struct geometry *g, const struct array *a);

/* All of it is known that the level needs, and what is lost leaves the array working. */
bool geometry_is_whole(const struct geometry *g);

/* How often a layout of raid10 writes each byte: "n2" twice, "n2,f2" four times; 0 unknown. */
uint64_t geometry_copies(const char *layout);

/* Whether md itself moves bytes between members now (a delayed or pending action does not). */
bool array_is_syncing(const struct array *a);

/* Whether the array's own bytes go to the member: neither spare, faulty, missing nor journal. */
bool member_carries_data(const struct member *m);

#endif
