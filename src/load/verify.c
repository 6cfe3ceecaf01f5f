/*
 * A table of generations, one for each block of the part that the stream moves in. Only what this
 * stream wrote itself is checked: what lay there before is nobody's business, and blocks that were
 * never written hold anything.
 */
#include "verify.h"

#include <errno.h>
#include <stdlib.h>

#include "content.h"
#include "raidtop/memory.h"

int verify_init(struct verify *v, uint64_t first_offset, uint64_t size_bytes, uint64_t block_bytes,
		uint64_t seed)
{
	uint64_t n = size_bytes / block_bytes + (size_bytes % block_bytes != 0);

	if (n > VERIFY_BLOCKS_MAX)
		return -E2BIG;
	*v = (struct verify){
		.generations = memory_new(n, sizeof(uint32_t)),
		.n = n,
		.first_offset = first_offset,
		.block_bytes = block_bytes,
		.seed = seed,
	};
	return 0;
}

void verify_release(struct verify *v)
{
	free(v->generations);
	v->generations = NULL;
}

static uint32_t *find(const struct verify *v, uint64_t offset)
{
	return &v->generations[(offset - v->first_offset) / v->block_bytes];
}

uint32_t verify_label(const struct verify *v, unsigned char *block, uint64_t bytes, uint64_t offset)
{
	uint32_t generation = *find(v, offset) + 1;

	if (bytes < CONTENT_LABEL_BYTES)
		return 0; /* the odd end of a file */
	content_label(block, bytes, v->seed, offset, generation);
	return generation;
}

void verify_note(struct verify *v, uint64_t offset, uint32_t generation)
{
	*find(v, offset) = generation;
}

bool verify_check(const struct verify *v, const unsigned char *block, uint64_t bytes,
		  uint64_t offset)
{
	uint32_t generation = *find(v, offset);

	return generation == 0 || content_is(block, bytes, v->seed, offset, generation);
}

uint64_t verify_next(const struct verify *v, uint64_t i)
{
	while (i < v->n && v->generations[i] == 0)
		i++;
	return i;
}
