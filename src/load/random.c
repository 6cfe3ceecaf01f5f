/*
 * Why a generator of our own: a recording names the seed, and the same seed must give the same
 * offsets wherever it is repeated. An order of all blocks is a Feistel network over the smallest
 * power of two that holds their number, walked on until the result is below that number: it is a
 * permutation by construction, needs no memory, and fewer than two steps on average.
 */
#include "random.h"

#include <string.h>

#define SHUFFLE_ROUNDS 4

static uint64_t rotate_left(uint64_t x, int k)
{
	return x << k | x >> (64 - k);
}

void random_seed(struct random *r, uint64_t seed)
{
	for (unsigned int i = 0; i < 4; i++)
		r->s[i] = random_mix(seed + i * 0x9e3779b97f4a7c15ULL);
}

uint64_t random_next(struct random *r)
{
	uint64_t result = rotate_left(r->s[1] * 5, 7) * 9;
	uint64_t t = r->s[1] << 17;

	r->s[2] ^= r->s[0];
	r->s[3] ^= r->s[1];
	r->s[1] ^= r->s[2];
	r->s[0] ^= r->s[3];
	r->s[2] ^= t;
	r->s[3] = rotate_left(r->s[3], 45);
	return result;
}

uint64_t random_below(struct random *r, uint64_t n)
{
	/* What lies above the last whole multiple of n would make small numbers likelier. */
	uint64_t uneven = -n % n;
	uint64_t x;

	do {
		x = random_next(r);
	} while (x < uneven);
	return x % n;
}

void random_fill(struct random *r, void *buffer, size_t bytes)
{
	unsigned char *p = buffer;

	for (; bytes >= sizeof(uint64_t); bytes -= sizeof(uint64_t), p += sizeof(uint64_t)) {
		uint64_t x = random_next(r);

		memcpy(p, &x, sizeof(x));
	}
	if (bytes > 0) {
		uint64_t x = random_next(r);

		memcpy(p, &x, bytes);
	}
}

void shuffle_init(struct shuffle *s, uint64_t n, uint64_t key)
{
	unsigned int bits = n > 2 ? 64 - (unsigned int)__builtin_clzll(n - 1) : 2;

	*s = (struct shuffle){ n, bits / 2, bits - bits / 2, key };
}

static uint64_t low_bits(uint64_t x, unsigned int bits)
{
	return x & ((1ULL << bits) - 1);
}

/* One step of the network: the halves change places, and so do their widths. */
static uint64_t shuffle_step(const struct shuffle *s, uint64_t x)
{
	unsigned int left = s->left_bits, right = s->right_bits, swap;

	for (unsigned int round = 0; round < SHUFFLE_ROUNDS; round++) {
		uint64_t l = x >> right, r = low_bits(x, right);

		l ^= low_bits(random_mix(r ^ s->key ^ (uint64_t)round << 56), left);
		x = r << left | l;
		swap = left;
		left = right;
		right = swap;
	}
	return x;
}

uint64_t shuffle_get(const struct shuffle *s, uint64_t i)
{
	do {
		i = shuffle_step(s, i);
	} while (i >= s->n);
	return i;
}
