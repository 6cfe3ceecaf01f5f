/* The engines: by which system calls the transfers of a stream are made, as a table. */
#ifndef LOAD_ENGINE_H
#define LOAD_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* One transfer of a block. It may take several calls, where the kernel moves less than asked. */
struct io {
	unsigned char *buffer;  /* room for a block, aligned for direct access */
	uint64_t offset;        /* of the block */
	uint64_t wanted_bytes;  /* that the block has */
	uint64_t done_bytes;    /* of them, moved so far */
	uint64_t request_bytes; /* what the engine asks for now, at offset + done_bytes */
	uint64_t started_ns;    /* when the block was begun, CLOCK_MONOTONIC */
	uint64_t due_ns;        /* when the rate had it due; 0: no rate */
	uint32_t generation;    /* of a block that can be checked: as which it is written */
	unsigned int slot;      /* its number among those in flight */
	int flags;              /* RWF_DSYNC and the like, of preadv2 and pwritev2 */
	bool writing;
	bool write_back; /* a read whose block is written, changed, when it is there */
	bool direct;     /* asked for past the page cache */
	bool counted;    /* in the figures: begun after the ramp */
	ssize_t result;  /* of the last call: bytes moved, or -errno */
};

/* What an engine works on. */
struct engine_setup {
	int fd;             /* the target; the engine does not own it */
	unsigned int depth; /* transfers in flight at most, >= 1 */
	bool may_write;     /* no write is made through it otherwise */
	bool sequential;    /* the walk goes from start to end */
	uint64_t end_bytes; /* no transfer reaches beyond; 0: not known */
	void *memory;       /* all buffers lie in it; NULL: not known */
	size_t memory_bytes;
};

struct engine {
	const struct engine_ops *ops;
	struct engine_setup setup;
	struct io *ready; /* of engines that finish a transfer in submit */
	void *state;      /* an engine's own, from open to close */
};

struct engine_ops {
	const char *name;       /* "psync" */
	const char *does;       /* for people */
	unsigned int max_depth; /* transfers that it can have in flight */
	bool reads_only;
	bool has_direct; /* it can go past the page cache, and knows the flags of a transfer */
	/* Both may be NULL. open: 0 or -errno, where it is not to be had here. */
	int (*open)(struct engine *e);
	void (*close)(struct engine *e);
	/* Begins a transfer and may finish it at once. 0 or -errno: the engine is broken. */
	int (*submit)(struct engine *e, struct io *io);
	/*
	 * Waits for one that was begun; its result says how it went. 0, -ETIME at `until_ns`
	 * (CLOCK_MONOTONIC; 0: never), or another -errno: the engine is broken.
	 */
	int (*wait)(struct engine *e, uint64_t until_ns, struct io **ret);
	/* Lets go of pages that it holds itself, so that the cache can be dropped. May be NULL. */
	void (*forget)(struct engine *e, uint64_t offset, uint64_t bytes);
};

extern const struct engine_ops engine_psync, engine_uring, engine_mmap;

/* The engine of that name, or NULL. */
const struct engine_ops *engine_find(const char *name);
/* The same; "" is the one that is chosen for that many transfers in flight. */
const struct engine_ops *engine_choose(const char *name, unsigned int depth);
/* By index, NULL behind the last one. */
const struct engine_ops *engine_get(size_t i);

/* 0 or -errno. Close takes a half-open one, too. */
int engine_open(struct engine *e, const struct engine_ops *ops, const struct engine_setup *setup);
void engine_close(struct engine *e);

/* Submits as its ops do, but refuses (-EPERM) a write where none may be made. */
int engine_submit(struct engine *e, struct io *io);

#endif
