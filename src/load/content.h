/* What is written into blocks: random data, no two blocks alike, and blocks that can be checked. */
#ifndef LOAD_CONTENT_H
#define LOAD_CONTENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A block that can be checked has at least that many bytes. */
#define CONTENT_LABEL_BYTES 40

/*
 * Makes a block that holds random data already unlike all others: `number` is other for each block
 * that is written. `bytes` need be no multiple of anything.
 */
void content_stamp(unsigned char *block, size_t bytes, uint64_t seed, uint64_t number);

/* Labels a block (after stamping it) with where and as which generation it is written. */
void content_label(unsigned char *block, size_t bytes, uint64_t seed, uint64_t offset,
		   uint64_t generation);
/* Whether it is the very block that was labelled so, whole. */
bool content_is(const unsigned char *block, size_t bytes, uint64_t seed, uint64_t offset,
		uint64_t generation);

#endif
