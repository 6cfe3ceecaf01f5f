/* Random numbers that a seed gives again on each machine: offsets, choices, contents of blocks. */
#ifndef LOAD_RANDOM_H
#define LOAD_RANDOM_H

#include <stddef.h>
#include <stdint.h>

/* xoshiro256**; https://prng.di.unimi.it, period 2^256 - 1. */
struct random {
	uint64_t s[4];
};

/* Any seed will do, 0 as well. */
void random_seed(struct random *r, uint64_t seed);
uint64_t random_next(struct random *r);
/* 0 .. n - 1, each as likely as another; n > 0. */
uint64_t random_below(struct random *r, uint64_t n);
/* Incompressible data; `bytes` need be no multiple of anything. */
void random_fill(struct random *r, void *buffer, size_t bytes);

/* A number that looks random and is the same for the same one: the finish of splitmix64. */
static inline uint64_t random_mix(uint64_t x)
{
	x += 0x9e3779b97f4a7c15ULL;
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ULL;
	x = (x ^ x >> 27) * 0x94d049bb133111ebULL;
	return x ^ x >> 31;
}

/* The numbers 0 .. n - 1 in an order that looks random, each once, without a table of them. */
struct shuffle {
	uint64_t n;
	unsigned int left_bits, right_bits; /* of a number that can count up to n */
	uint64_t key;
};

void shuffle_init(struct shuffle *s, uint64_t n, uint64_t key);
/* The i-th of them, i < n. */
uint64_t shuffle_get(const struct shuffle *s, uint64_t i);

#endif
