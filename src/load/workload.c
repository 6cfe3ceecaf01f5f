/*
 * A workload is a walk over the target: it says where the next block lies, and whether it is
 * read or written. How many are in flight and by which calls they are made is not its business,
 * so a new one is a function and an entry in the table at the end.
 *
 * Random walks visit each whole block once a pass, in an order that seed and pass give: nothing is
 * read twice before all has been read, so that not even a cache of some size helps, and a pass
 * writes all of its part. With an alignment other than the block's size, offsets are drawn at
 * random each time, and blocks may overlap or repeat.
 */
#include "workload.h"

#include <string.h>

#include "engine.h"
#include "per_char.h"
#include "tree.h"
#include "worker.h"

#define SEEKS_A_WRITE 10 /* as bonnie++: each tenth block is written back */

void pattern_start(struct pattern *p, uint64_t seed)
{
	p->seed = seed;
	p->next_offset = p->passes = p->blocks = 0;
	random_seed(&p->random, seed);
}

/* From start to end and again. The last block ends with the target. */
static void sequential_step(struct pattern *p, struct io *io)
{
	uint64_t left = p->size_bytes - p->next_offset;

	io->offset = p->first_offset + p->next_offset;
	io->wanted_bytes = left < p->block_bytes ? left : p->block_bytes;
	p->next_offset += io->wanted_bytes;
	if (p->next_offset >= p->size_bytes) {
		p->next_offset = 0;
		p->passes++;
	}
}

static void sequential_next(struct pattern *p, struct io *io)
{
	sequential_step(p, io);
	io->writing = io->write_back = false;
}

static void sequential_write_next(struct pattern *p, struct io *io)
{
	sequential_step(p, io);
	io->writing = true;
	io->write_back = false;
}

static void rewrite_next(struct pattern *p, struct io *io)
{
	sequential_step(p, io);
	io->writing = false;
	io->write_back = true;
}

/* The next of all whole blocks, in the order of this pass. */
static uint64_t next_in_order(struct pattern *p)
{
	uint64_t n = p->size_bytes / p->block_bytes;
	uint64_t block;

	if (p->blocks == 0)
		shuffle_init(&p->order, n, random_mix(p->seed ^ random_mix(p->passes)));
	block = shuffle_get(&p->order, p->blocks++);
	if (p->blocks == n) {
		p->blocks = 0;
		p->passes++;
	}
	return block * p->block_bytes;
}

static void random_step(struct pattern *p, struct io *io)
{
	uint64_t align = p->align_bytes ? p->align_bytes : p->block_bytes;

	io->wanted_bytes = p->size_bytes < p->block_bytes ? p->size_bytes : p->block_bytes;
	io->offset = p->first_offset;
	if (p->size_bytes < p->block_bytes)
		p->passes++; /* all of it, again and again */
	else if (align == p->block_bytes)
		io->offset += next_in_order(p);
	else
		io->offset +=
			random_below(&p->random, (p->size_bytes - p->block_bytes) / align + 1) *
			align;
}

static void random_next_read(struct pattern *p, struct io *io)
{
	random_step(p, io);
	io->writing = io->write_back = false;
}

static void random_next_write(struct pattern *p, struct io *io)
{
	random_step(p, io);
	io->writing = true;
	io->write_back = false;
}

static void mix_next(struct pattern *p, struct io *io)
{
	random_step(p, io);
	io->writing = random_below(&p->random, 100) < p->write_pct;
	io->write_back = false;
}

static void seeks_next(struct pattern *p, struct io *io)
{
	random_step(p, io);
	io->writing = false;
	io->write_back = random_below(&p->random, SEEKS_A_WRITE) == 0;
}

static const struct workload workloads[] = {
	{
		.name = "seq-read",
		.does = "reads from start to end, again and again",
		.block_bytes = 1 << 20,
		.reads = true,
		.sequential = true,
		.next = sequential_next,
	},
	{
		.name = "seq-write",
		.does = "writes from start to end, again and again",
		.block_bytes = 1 << 20,
		.writes = true,
		.sequential = true,
		.next = sequential_write_next,
	},
	{
		.name = "rewrite",
		.does = "reads each block from start to end and writes it back, changed",
		.block_bytes = 1 << 20,
		.reads = true,
		.writes = true,
		.sequential = true,
		.next = rewrite_next,
	},
	{
		.name = "rand-read",
		.does = "reads all blocks in random order",
		.block_bytes = 4096,
		.reads = true,
		.next = random_next_read,
	},
	{
		.name = "rand-write",
		.does = "writes all blocks in random order",
		.block_bytes = 4096,
		.writes = true,
		.next = random_next_write,
	},
	{
		.name = "mix",
		.does = "reads or writes blocks in random order",
		.block_bytes = 4096,
		.reads = true,
		.writes = true,
		.next = mix_next,
	},
	{
		.name = "seeks",
		.does = "reads blocks in random order, writes one of ten back, changed",
		.block_bytes = 4096,
		.reads = true,
		.writes = true,
		.next = seeks_next,
	},
	{
		.name = "char-read",
		.does = "reads character by character, as getc does",
		.block_bytes = 4096,
		.reads = true,
		.sequential = true,
		.through_cache = true,
		.each_char = per_char_read,
		.next = sequential_next,
	},
	{
		.name = "char-write",
		.does = "writes character by character, as putc does",
		.block_bytes = 4096,
		.writes = true,
		.sequential = true,
		.through_cache = true,
		.each_char = per_char_write,
		.next = sequential_write_next,
	},
	{
		.name = "copy",
		.does = "reads as cp does, to /dev/null",
		.block_bytes = 128 << 10,
		.reads = true,
		.sequential = true,
		.through_cache = true,
		.copies_out = true,
		.next = sequential_next,
	},
	{
		.name = "create",
		.does = "creates files, again and again",
		.writes = true,
		.tree = &tree_create,
		.run = worker_run_tree,
	},
	{
		.name = "stat",
		.does = "asks for the state of each of many files",
		.reads = true,
		.tree = &tree_stat,
		.run = worker_run_tree,
	},
	{
		.name = "delete",
		.does = "deletes files, again and again",
		.writes = true,
		.tree = &tree_delete,
		.run = worker_run_tree,
	},
	{
		.name = "untar",
		.does = "unpacks a tree of source files, again and again",
		.writes = true,
		.tree = &tree_untar,
		.run = worker_run_tree,
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
