/* Proof that what a stream read came from the disk, and not from a cache. */
#ifndef RAIDTOP_PROOF_H
#define RAIDTOP_PROOF_H

#include <stddef.h>
#include <stdint.h>

#include "raidtop/stream_view.h"

/* What the reading process and the device say, of the same transfers. */
struct proof_facts {
	uint64_t read_bytes;         /* that the stream got */
	uint64_t disk_read_bytes;    /* /proc/self/io for disk_read_of_bytes; UNKNOWN_U64 */
	uint64_t disk_read_of_bytes; /* what it had read when that was looked at */
	/*
	 * In one window, all streams on the device and the device itself; others may have read
	 * from it as well. device_bytes is UNKNOWN_U64 where the device counts nothing.
	 */
	uint64_t window_bytes, device_bytes;
	enum stream_source source; /* of the check before the run */
	uint64_t cached_bytes;
};

struct proof_verdict {
	enum proof proof;
	double disk_pct; /* of the reads that came from the disk, 0 to 100; < 0: unknown */
};

/*
 * DISK takes three things: no hole and no compressed extent was found before the run, the process
 * read at least 0.98 of its bytes from a device, and the device moved at least 0.98 of them. What
 * the process did not read from a device is CACHE. Where one of the two does not say, or the device
 * moved less than the process says, it is UNPROVEN. A stream that has read nothing is UNKNOWN.
 */
struct proof_verdict proof_judge(const struct proof_facts *facts);

/* "DISK 100 %", "CACHE", ...; "" for unknown. `size` bytes at most. */
void proof_format(char *buf, size_t size, enum proof proof, double disk_pct);

#endif
