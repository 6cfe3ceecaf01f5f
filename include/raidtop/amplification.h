/*
 * Amplification: bytes that the members moved for each byte that the array moved. It tells
 * read-modify-write, where a parity array must read before it can write because what it gets is
 * no full stripe, or lies askew.
 */
#ifndef RAIDTOP_AMPLIFICATION_H
#define RAIDTOP_AMPLIFICATION_H

#include <stdbool.h>
#include <stddef.h>

#include "raidtop/topology.h"
#include "raidtop/traffic.h"

enum rmw {
	RMW_UNKNOWN,
	RMW_NONE,   /* r* below 0.10 */
	RMW_PARTLY, /* up to 0.30 */
	RMW_FULL,   /* from 0.30 on: "read-modify-write" */
};

/* Each NAN where it is not known. */
struct amplification {
	double reads;       /* member reads / array reads */
	double writes;      /* w: member writes / array writes */
	double extra_reads; /* r*: (member reads - array reads) / array writes, at least 0 */
	enum rmw rmw;
};

/*
 * Of one window: `self` is the array's, members[i] that of array->members[i]; members that are
 * spare, faulty or missing do not count, the journal does. A ratio is not known where its window
 * is not (traffic_is_enough of what stands below the line, traffic_is_even of the array and of
 * its members together), where the array's figures are derived from its members, or while md
 * itself moves bytes. r* is of raid4, raid5 and raid6 only, not degraded, with no sync action at
 * all: whatever its state, md may read for it.
 *
 * That members read while the array only writes is no sign: udev looks at a device after each
 * raw write. Measured on Linux 6.1: full stripes r* 0.00; buffered sequential 0.01 to 0.03;
 * chunks, one at a time, 0.5 to 1.0; 4 KiB random 1 to 2.9; half a chunk off 0.4 to 0.5.
 */
void amplification_compute(struct amplification *ret, const struct array *array,
			   const struct traffic *self, const struct traffic *members);

/*
 * What `writes` should be, NAN where nobody knows. N disks, f of them lost, p of them parity:
 *  full stripes  (N - f) / (N - p)  at raid0, 4, 5, 6; one at linear
 *  raid1         the mirrors in sync
 *  raid10        the copies, less those on lost disks: copies x (N - f) / N
 *  RMW_FULL      2 at raid4 and raid5, 3 at raid6
 * RMW_PARTLY lies anywhere between. A write log of its own costs more, measured with 3 disks and
 * chunks of 64 KiB: a partial parity log 1.56, a journal 3.06 with its own disk; so full stripes
 * 0.06 more, and twice that much and 0.06; what parts of stripes cost with them is not known.
 */
double amplification_expected_writes(const struct array *array, enum rmw rmw);

/*
 * What the array wrote, told by its members: words, dips, low and high of its writes are judged
 * on that, as the array counts bytes when they are submitted. `members` is what the members wrote
 * (any unit); NAN where the expected ratio is not known.
 */
double amplification_writes_of_members(const struct array *array, enum rmw rmw, double members);

/*
 * The part of the bytes that streams got which came from a cache, in percent: what the device
 * below them did not move in the same window. NAN where the window is not enough, or uneven.
 */
double amplification_cache_pct(double stream_bytes, const struct traffic *device);

#endif
