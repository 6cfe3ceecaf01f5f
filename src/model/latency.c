/*
 * The histogram's arithmetic. A value's group is told by its highest bit, its bucket by the six
 * bits below that; so finding a bucket costs a few instructions, and nothing is ever rounded until
 * a percentile is asked for.
 */
#include "raidtop/latency.h"

#include <string.h>

#define BUCKET_BITS 6 /* 2^6 = LATENCY_BUCKETS_PER_GROUP */

unsigned int latency_bucket(uint64_t ns)
{
	unsigned int highest, group, bucket;

	if (ns < LATENCY_BUCKETS_PER_GROUP)
		return (unsigned int)ns;
	highest = 63 - (unsigned int)__builtin_clzll(ns);
	group = highest - BUCKET_BITS + 1;
	if (group >= LATENCY_GROUPS)
		return LATENCY_BUCKETS - 1;
	bucket = (unsigned int)(ns >> (group - 1)) & (LATENCY_BUCKETS_PER_GROUP - 1);
	return group * LATENCY_BUCKETS_PER_GROUP + bucket;
}

uint64_t latency_bucket_ns(unsigned int bucket)
{
	unsigned int group = bucket / LATENCY_BUCKETS_PER_GROUP;
	uint64_t in_group = bucket % LATENCY_BUCKETS_PER_GROUP;

	if (group == 0)
		return in_group;
	return ((LATENCY_BUCKETS_PER_GROUP + in_group) << (group - 1)) + (1ULL << (group - 1)) / 2;
}

void latency_add(struct latency *l, uint64_t ns)
{
	l->count[latency_bucket(ns)]++;
	if (l->total == 0 || ns < l->min_ns)
		l->min_ns = ns;
	if (l->total == 0 || ns > l->max_ns)
		l->max_ns = ns;
	l->total++;
}

static uint64_t get(const _Atomic uint64_t *figure)
{
	return atomic_load_explicit(figure, memory_order_relaxed);
}

static void set(_Atomic uint64_t *figure, uint64_t value)
{
	atomic_store_explicit(figure, value, memory_order_relaxed);
}

void latency_shared_add(struct latency_shared *l, uint64_t ns)
{
	_Atomic uint64_t *count = &l->count[latency_bucket(ns)];

	set(count, get(count) + 1);
	if (~ns > get(&l->min_ns))
		set(&l->min_ns, ~ns);
	if (ns > get(&l->max_ns))
		set(&l->max_ns, ns);
}

void latency_take(struct latency *ret, const struct latency_shared *l)
{
	ret->total = 0;
	for (unsigned int i = 0; i < LATENCY_BUCKETS; i++) {
		ret->count[i] = get(&l->count[i]);
		ret->total += ret->count[i];
	}
	ret->min_ns = ~get(&l->min_ns);
	ret->max_ns = get(&l->max_ns);
}

void latency_merge(struct latency *sum, const struct latency *more)
{
	if (more->total == 0)
		return;
	for (unsigned int i = 0; i < LATENCY_BUCKETS; i++)
		sum->count[i] += more->count[i];
	if (sum->total == 0 || more->min_ns < sum->min_ns)
		sum->min_ns = more->min_ns;
	if (sum->total == 0 || more->max_ns > sum->max_ns)
		sum->max_ns = more->max_ns;
	sum->total += more->total;
}

void latency_since(struct latency *ret, const struct latency *before, const struct latency *now)
{
	ret->total = ret->min_ns = ret->max_ns = 0;
	for (unsigned int i = 0; i < LATENCY_BUCKETS; i++) {
		ret->count[i] = now->count[i] - before->count[i];
		if (ret->count[i] == 0)
			continue;
		if (ret->total == 0)
			ret->min_ns = latency_bucket_ns(i);
		ret->max_ns = latency_bucket_ns(i);
		ret->total += ret->count[i];
	}
}

bool latency_quantile(const struct latency *l, unsigned int permille, uint64_t *ret_ns)
{
	uint64_t rank, below = 0, ns;
	unsigned int i;

	if (l->total == 0)
		return false;
	/* ceil(total * permille / 1000) without leaving 64 bits. */
	rank = l->total / 1000 * permille + (l->total % 1000 * permille + 999) / 1000;
	if (rank == 0)
		rank = 1;
	for (i = 0; i < LATENCY_BUCKETS - 1; i++) {
		below += l->count[i];
		if (below >= rank)
			break;
	}
	ns = latency_bucket_ns(i);
	*ret_ns = ns < l->min_ns ? l->min_ns : ns > l->max_ns ? l->max_ns : ns;
	return true;
}
