/* A stream's target, opened once in raidtop itself and handed over to the worker. */
#ifndef LOAD_TARGET_H
#define LOAD_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "raidtop/place.h"
#include "shared.h"
#include "workload.h"

struct target {
	int fd; /* owned; -1: none */
	enum shared_target kind;
	uint64_t size_bytes;       /* 0: of a directory, where the files are still to be made */
	uint64_t mount_id;         /* of a directory: UNKNOWN_U64 where it cannot be told */
	uint64_t device;           /* st_dev of a directory, st_rdev of a device */
	uint64_t align_bytes;      /* of offsets and lengths; 1: any */
	enum stream_access access; /* as asked; not direct where that is refused */
	bool in_memory;            /* a file or directory of tmpfs or ramfs */
};

#define TARGET_INIT                                                 \
	{                                                           \
		.fd = -1, .mount_id = UNKNOWN_U64, .align_bytes = 1 \
	}

/*
 * Looks spec->target up without opening it: what lies there, and where that is, into `c`, which
 * points to `spec`, `w` and `place` (initialised). *ret_path_fd is an O_PATH descriptor that the
 * caller closes. 0, or -errno with a sentence in `why`.
 */
struct safety_case;
int target_look_up(struct safety_case *c, const struct stream_spec *spec, const struct workload *w,
		   struct place *place, int *ret_path_fd, char *why, size_t size);

/*
 * Opens spec->target as safety.c allows: a directory, or a device that is written to, or anything
 * else for reading, direct where that is asked for and can be had. `place` (initialised) gets where
 * it lies, as far as it came to be looked up. 0, or -errno with a sentence in `why` that says what
 * to do.
 */
int target_open(struct target *t, const struct stream_spec *spec, const struct workload *w,
		struct place *place, char *why, size_t size);
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
