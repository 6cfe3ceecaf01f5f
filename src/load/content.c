/*
 * Filling each block anew with random numbers would cost as much CPU as the transfer itself, so
 * that a write test would measure the generator. Instead each block's memory is filled once, and
 * each 512 bytes of it get a number of their own before each write: no two sectors on the disk are
 * alike (nothing to deduplicate), and none holds anything twice (nothing to compress).
 *
 * A label is five words at the start of a block, the last a checksum of all others of the block.
 */
#include "content.h"

#include <string.h>

#include "random.h"

#define STAMP_BYTES 512
#define LABEL_MAGIC 0x4b4c42706f746472ULL /* "rdtopBLK" */
#define LABEL_WORDS 4
#define CHECKSUM_LANES 4

static void put(unsigned char *at, uint64_t word)
{
	memcpy(at, &word, sizeof(word));
}

static uint64_t get(const unsigned char *at)
{
	uint64_t word;

	memcpy(&word, at, sizeof(word));
	return word;
}

void content_stamp(unsigned char *block, size_t bytes, uint64_t seed, uint64_t number)
{
	uint64_t x = random_mix(seed ^ random_mix(number));

	for (size_t at = 0; at + sizeof(x) <= bytes; at += STAMP_BYTES)
		put(block + at, random_mix(x + at));
}

/* Four lanes, so that a multiplication need not wait for the one before. */
static uint64_t checksum(const unsigned char *block, size_t bytes)
{
	uint64_t lane[CHECKSUM_LANES] = { 1, 2, 3, bytes };
	size_t at = CONTENT_LABEL_BYTES;
	uint64_t sum = 0;

	for (; at + sizeof(lane) <= bytes; at += sizeof(lane)) {
		for (size_t i = 0; i < CHECKSUM_LANES; i++) {
			lane[i] ^= get(block + at + i * sizeof(uint64_t));
			lane[i] *= 0xff51afd7ed558ccdULL;
			lane[i] ^= lane[i] >> 32;
		}
	}
	for (; at < bytes; at++)
		lane[0] = random_mix(lane[0] ^ block[at]);
	for (size_t i = 0; i < CHECKSUM_LANES; i++)
		sum = random_mix(sum ^ lane[i]);
	for (size_t i = 0; i < LABEL_WORDS; i++)
		sum = random_mix(sum ^ get(block + i * sizeof(uint64_t)));
	return sum;
}

void content_label(unsigned char *block, size_t bytes, uint64_t seed, uint64_t offset,
		   uint64_t generation)
{
	const uint64_t words[LABEL_WORDS] = { LABEL_MAGIC, offset, generation, seed };

	for (size_t i = 0; i < LABEL_WORDS; i++)
		put(block + i * sizeof(uint64_t), words[i]);
	put(block + LABEL_WORDS * sizeof(uint64_t), checksum(block, bytes));
}

bool content_is(const unsigned char *block, size_t bytes, uint64_t seed, uint64_t offset,
		uint64_t generation)
{
	const uint64_t words[LABEL_WORDS] = { LABEL_MAGIC, offset, generation, seed };

	for (size_t i = 0; i < LABEL_WORDS; i++) {
		if (get(block + i * sizeof(uint64_t)) != words[i])
			return false;
	}
	return get(block + LABEL_WORDS * sizeof(uint64_t)) == checksum(block, bytes);
}
