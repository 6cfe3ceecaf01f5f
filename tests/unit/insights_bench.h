/*
 * A machine whose load a test says, second by second, and what insights make of it: md0, a raid5
 * of sda, sdb and sdc1 (a partition of sdc), and sdd, which is in no array.
 */
#ifndef RAIDTOP_TESTS_INSIGHTS_BENCH_H
#define RAIDTOP_TESTS_INSIGHTS_BENCH_H

#include "raidtop/insights.h"
#include "rates_bench.h"

enum { SLOT_SDA, SLOT_SDB, SLOT_SDC, SLOT_SDC1, SLOT_SDD, SLOT_MD0, SLOT_COUNT };

struct insights_bench {
	struct bench machine;
	struct insights *insights;
	struct event_log log;
	uint64_t told; /* events that were looked at */
};

/* What a device does in one second: MB, requests of 64 KiB that took so long, how busy it was. */
struct second {
	double read_mb, write_mb;
	double await_ms;
	double busy_pct;
};

void insights_bench_init(struct insights_bench *b);
void insights_bench_release(struct insights_bench *b);

struct array *insights_bench_md0(struct insights_bench *b);
void insights_bench_move(struct insights_bench *b, int slot, const struct second *s);
/* md0 reads so much, a third of it from each member; or writes it in full stripes. */
void insights_bench_read(struct insights_bench *b, double mb);
void insights_bench_write(struct insights_bench *b, double mb);
/* How many requests are in flight on a device from now on. */
void insights_bench_wait(struct insights_bench *b, int slot, uint64_t inflight);
/* A tick so much later. */
void insights_bench_step(struct insights_bench *b, uint64_t us);

/* The next event that was told, as "kind name parent: sentence"; "" where there is none. */
void insights_bench_assert_told(struct insights_bench *b, const char *wanted);

/* "(dips down to 158 MB/s)", the words of md0's reads or writes. */
void insights_bench_assert_note(struct insights_bench *b, enum series series, const char *wanted);

#endif
