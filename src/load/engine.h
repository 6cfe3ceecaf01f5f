/* The engines: by which system calls the transfers of a stream are made, as a table. */
#ifndef LOAD_ENGINE_H
#define LOAD_ENGINE_H

#include <stdbool.h>
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
	unsigned int slot;      /* its number among those in flight */
	bool direct;            /* asked for past the page cache */
	ssize_t result;         /* of the last call: bytes moved, or -errno */
};

struct engine {
	const struct engine_ops *ops;
	int fd;             /* the target; the engine does not own it */
	unsigned int depth; /* transfers in flight at most, >= 1 */
	struct io *ready;   /* of engines that finish a transfer in submit */
	void *state;        /* an engine's own, from open to close */
};

struct engine_ops {
	const char *name;       /* "psync" */
	const char *does;       /* for people */
	unsigned int max_depth; /* transfers that it can have in flight */
	/* Both may be NULL. open: 0 or -errno, where it is not to be had here. */
	int (*open)(struct engine *e);
	void (*close)(struct engine *e);
	/* Begins a transfer and may finish it at once. 0 or -errno: the engine is broken. */
	int (*submit)(struct engine *e, struct io *io);
	/* Waits for one that was begun; its result says how it went. 0 or -errno as above. */
	int (*wait)(struct engine *e, struct io **ret);
};

extern const struct engine_ops engine_psync;

/* The engine of that name, or NULL. "" is the one chosen by default. */
const struct engine_ops *engine_find(const char *name);

/* 0 or -errno. Close takes a half-open one, too. */
int engine_open(struct engine *e, const struct engine_ops *ops, int fd, unsigned int depth);
void engine_close(struct engine *e);

#endif
