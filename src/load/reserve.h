/* What must stay free on a filesystem, and what test files may take of the rest. */
#ifndef LOAD_RESERVE_H
#define LOAD_RESERVE_H

#include <stdint.h>

struct reserve {
	uint64_t free_bytes, keep_bytes;   /* there for us now; of them, what stays free */
	uint64_t free_inodes, keep_inodes; /* both UINT64_MAX and 0 where it makes them as needed */
};

/* 5 % of the filesystem, at least 1 GiB, never more than a tenth; and 5 % of its inodes. */
struct reserve reserve_of(uint64_t total_bytes, uint64_t free_bytes, uint64_t total_inodes,
			  uint64_t free_inodes);
/* Of the filesystem that the descriptor lies on; 0 or -errno. */
int reserve_read(int fd, struct reserve *ret);

/* What may be taken without touching the reserve. */
uint64_t reserve_spare_bytes(const struct reserve *r);
/* Of `wanted` bytes for each of so many files what fits into the spare ones, in whole MiB. */
uint64_t reserve_share(uint64_t spare_bytes, uint64_t files, uint64_t wanted);
uint64_t reserve_spare_inodes(const struct reserve *r);

#endif
