/*
 * Latencies of many transfers: a log-linear histogram. Group 0 has a bucket for each of 0 to 63 ns;
 * group g > 0 begins at 2^(g + 5) ns and ends at twice that, in 64 buckets alike, so that a bucket
 * is at most 1/64 of its value wide and its middle at most 1/128 off. 40 groups reach to 2^45 ns,
 * nearly ten hours. Percentiles are nearest ranks of the buckets; histograms are merged by
 * adding counts, percentiles never averaged. Smallest and largest are kept exactly.
 */
#ifndef RAIDTOP_LATENCY_H
#define RAIDTOP_LATENCY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LATENCY_GROUPS 40
#define LATENCY_BUCKETS_PER_GROUP 64
#define LATENCY_BUCKETS (LATENCY_GROUPS * LATENCY_BUCKETS_PER_GROUP)

/* One that is read at leisure. All zero is an empty one. */
struct latency {
	uint64_t count[LATENCY_BUCKETS];
	uint64_t total;          /* of all counts */
	uint64_t min_ns, max_ns; /* exact; where total is 0 they mean nothing */
};

/* One that a worker writes while raidtop reads it: a single writer. */
struct latency_shared {
	_Atomic uint64_t count[LATENCY_BUCKETS];
	_Atomic uint64_t min_ns, max_ns; /* min_ns is kept as its complement: 0 is "none yet" */
};

/* The bucket of a latency; what is above the range goes to the last one. */
unsigned int latency_bucket(uint64_t ns);
/* The middle of a bucket. */
uint64_t latency_bucket_ns(unsigned int bucket);

void latency_add(struct latency *l, uint64_t ns);
void latency_shared_add(struct latency_shared *l, uint64_t ns);
/* What the writer has counted up to now. */
void latency_take(struct latency *ret, const struct latency_shared *l);
void latency_merge(struct latency *sum, const struct latency *more);
/*
 * Counts that came since `before`, an earlier state of the same histogram; min_ns and max_ns
 * are then of the buckets, as it is not known in which interval the exact ones fell.
 */
void latency_since(struct latency *ret, const struct latency *before, const struct latency *now);

/*
 * The latency that `permille` of 1000 transfers do not exceed (500: median, 999: p99.9), between
 * min_ns and max_ns; false, nothing written, where nothing was counted.
 */
bool latency_quantile(const struct latency *l, unsigned int permille, uint64_t *ret_ns);

#endif
