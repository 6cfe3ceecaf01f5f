/*
 * A workload is a walk over the target: it says where the next block lies, and whether it is
 * read or written. How many are in flight and by which calls they are made is not its business,
 * so a new one is a function and an entry in the table at the end.
 */
#include "workload.h"

#include <string.h>

#include "engine.h"

/* From start to end and again. The last block ends with the target. */
static void sequential_next(struct pattern *p, struct io *io)
{
	uint64_t left = p->size_bytes - p->next_offset;

	io->offset = p->next_offset;
	io->wanted_bytes = left < p->block_bytes ? left : p->block_bytes;
	p->next_offset += io->wanted_bytes;
	if (p->next_offset >= p->size_bytes)
		p->next_offset = 0;
}

static const struct workload workloads[] = {
	{
		.name = "seq-read",
		.does = "reads from start to end, again and again",
		.block_bytes = 1 << 20,
		.next = sequential_next,
	},
};

const struct workload *workload_get(size_t i)
{
	return i < sizeof(workloads) / sizeof(workloads[0]) ? &workloads[i] : NULL;
}

const struct workload *workload_find(const char *name)
{
	const struct workload *w;

	for (size_t i = 0; (w = workload_get(i)); i++) {
		if (strcmp(w->name, name) == 0)
			return w;
	}
	return NULL;
}
