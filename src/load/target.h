/* A stream's target, opened once in raidtop itself and handed over to the worker. */
#ifndef LOAD_TARGET_H
#define LOAD_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "shared.h"
#include "workload.h"

struct target {
	int fd; /* owned; -1: none */
	uint64_t size_bytes;
	uint64_t align_bytes;      /* of offsets and lengths; 1: any */
	enum stream_access access; /* STREAM_DIRECT, or STREAM_DONTCACHE where that is refused */
	bool in_memory;            /* a file of tmpfs or ramfs */
};

#define TARGET_INIT      \
	{                \
		.fd = -1 \
	}

/*
 * Opens it as safety.c allows, direct where that can be had. 0, or -errno with a sentence in `why`
 * that says what to do.
 */
int target_open(struct target *t, const char *name, const struct workload *w, char *why,
		size_t size);
void target_release(struct target *t);

/* What offsets and lengths of direct transfers must be multiples of; 0: there are none. */
uint64_t target_alignment(int fd, const struct stat *st);

/* On the worker's descriptor. */
/* Goes on through the page cache; 0 or -errno. */
int target_leave_direct(int fd);
/* Drops what the page cache holds of that part (length 0: to the end), if it is clean. */
void target_drop_cache(int fd, uint64_t offset, uint64_t length);
/* Whether it is a device that has been unplugged. */
bool target_is_gone(int fd);

#endif
