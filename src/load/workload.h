/* The workloads: what a stream does, as a table. An engine (engine.h) does the transfers. */
#ifndef LOAD_WORKLOAD_H
#define LOAD_WORKLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct io;

/* Where a workload is on its target. */
struct pattern {
	uint64_t size_bytes;  /* of the target, > 0 */
	uint64_t block_bytes; /* > 0 */
	uint64_t next_offset;
};

struct workload {
	const char *name;     /* as it is typed: "seq-read" */
	const char *does;     /* for people: "reads from start to end, again and again" */
	uint64_t block_bytes; /* where none is asked for */
	bool writes;          /* what safety.c goes by */
	/* Fills in offset and wanted_bytes of the next transfer. Needs no memory, cannot fail. */
	void (*next)(struct pattern *p, struct io *io);
};

/* The workload of that name, or NULL. */
const struct workload *workload_find(const char *name);
/* By index, NULL behind the last one. */
const struct workload *workload_get(size_t i);

#endif
