/* A machine to measure: a topology and a snapshot whose counters a test moves by hand. */
#ifndef RAIDTOP_TESTS_RATES_BENCH_H
#define RAIDTOP_TESTS_RATES_BENCH_H

#include <stddef.h>
#include <stdint.h>

#include "raidtop/rates.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))
#define SECOND UINT64_C(1000000)
#define MS UINT64_C(1000)
#define MIB 1048576
#define ALL_COUNTERS ((1u << COUNTER_COUNT) - 1)

struct bench {
	struct topology t;
	struct snapshot s;
	struct rates *rates;
	const struct tick *tick;
};

void bench_init(struct bench *b);
void bench_release(struct bench *b);

/* A tick with all devices of the topology there, all counters at `value`. */
void bench_start(struct bench *b, uint64_t value);
/* Time goes on by so much, awake; then a tick. */
void bench_step(struct bench *b, uint64_t us);

struct counters *bench_counters(struct bench *b, int slot);
void bench_add(struct bench *b, int slot, enum counter which, uint64_t growth);
const struct figures *bench_figures(const struct bench *b, int slot);

struct member *bench_add_member(struct array *a, const char *name, int device,
				enum member_state state);

void assert_rate(const struct figures *f, enum rate which, double value);

#endif
