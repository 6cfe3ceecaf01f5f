/* The workloads: what a stream does, as a table. An engine (engine.h) does the transfers. */
#ifndef LOAD_WORKLOAD_H
#define LOAD_WORKLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "random.h"

struct io;
struct tree_workload;
struct worker;

/* Where a workload is on its target. All zero but for the sizes is the start of a simple walk. */
struct pattern {
	uint64_t first_offset; /* the part of the target that it moves in */
	uint64_t size_bytes;   /* of that part, > 0 */
	uint64_t block_bytes;  /* > 0 */
	uint64_t align_bytes;  /* of random offsets; the block's size: each block once a pass */
	uint64_t seed;
	unsigned int write_pct;
	uint64_t next_offset; /* within the part */
	uint64_t passes;      /* that are over */
	uint64_t blocks;      /* begun: of random walks in this pass, of seeks in all */
	struct random random;
	struct shuffle order;
};

struct workload {
	const char *name;     /* as it is typed: "seq-read" */
	const char *does;     /* for people: "reads from start to end, again and again" */
	uint64_t block_bytes; /* where none is asked for */
	bool reads, writes;   /* what safety.c goes by; both for some */
	bool sequential;      /* and the kernel may be told so where it goes through the cache */
	bool through_cache;   /* it is no workload of direct access, whatever is asked for */
	/*
	 * What is done with each character of a block that was read, or is about to be written;
	 * NULL: nothing. Returns what depends on all of them.
	 */
	uint64_t (*each_char)(unsigned char *block, uint64_t bytes, struct random *random);
	const struct tree_workload *tree; /* of workloads on many files: which; else NULL */
	bool copies_out;                  /* what was read is written to /dev/null */
	/*
	 * Fills in offset, wanted_bytes, writing and write_back of the next transfer. Needs no
	 * memory, cannot fail. NULL where `run` does it all.
	 */
	void (*next)(struct pattern *p, struct io *io);
	/*
	 * Of workloads that are no walk of blocks: does the whole run, by the means of worker.h.
	 * What went wrong has been told by worker_fail().
	 */
	void (*run)(struct worker *w);
};

/* Sets out; what is not in the plan of a stream is zero. */
void pattern_start(struct pattern *p, uint64_t seed);

/* The workload of that name, or NULL. */
const struct workload *workload_find(const char *name);
/* By index, NULL behind the last one. */
const struct workload *workload_get(size_t i);

#endif
