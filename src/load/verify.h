/* Which blocks a stream has written, and how often: what it may expect to read there. */
#ifndef LOAD_VERIFY_H
#define LOAD_VERIFY_H

#include <stdbool.h>
#include <stdint.h>

/* More blocks than that are not kept in memory (64 MiB): such a stream is refused. */
#define VERIFY_BLOCKS_MAX (16ULL << 20)

struct verify {
	uint32_t *generations; /* of each block; 0: not written by this stream. NULL: not in use */
	uint64_t n;
	uint64_t first_offset, block_bytes;
	uint64_t seed;
};

/* 0, or -E2BIG where there are too many blocks. */
int verify_init(struct verify *v, uint64_t first_offset, uint64_t size_bytes, uint64_t block_bytes,
		uint64_t seed);
void verify_release(struct verify *v);

/* Labels a block that is about to be written: as which generation. */
uint32_t verify_label(const struct verify *v, unsigned char *block, uint64_t bytes,
		      uint64_t offset);
/* It has been written. */
void verify_note(struct verify *v, uint64_t offset, uint32_t generation);
/* Whether a block that was read is what it must be; one never written may be anything. */
bool verify_check(const struct verify *v, const unsigned char *block, uint64_t bytes,
		  uint64_t offset);
/* The first block at or behind the i-th that was written: its number, or n. */
uint64_t verify_next(const struct verify *v, uint64_t i);

#endif
