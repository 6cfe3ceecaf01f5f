/* The rules about what a stream may touch, refusing by default. Nothing else opens a target. */
#ifndef LOAD_SAFETY_H
#define LOAD_SAFETY_H

#include <stddef.h>
#include <sys/stat.h>

#include "workload.h"

/*
 * Whether the workload may have that target. `name` is what was typed, `resolved` where it leads,
 * `st` what lies there. 0, or -errno with a sentence in `why`.
 */
int safety_check(const struct workload *w, const char *name, const char *resolved,
		 const struct stat *st, char *why, size_t size);

/*
 * Opens for reading what an O_PATH descriptor stands for, so that it is the very thing that was
 * checked. Without changing its access time where that is allowed; `flags` may add O_DIRECT.
 * Returns a descriptor closed on exec, or -errno.
 */
int safety_open_for_reading(int path_fd, int flags);
/* 0 where nothing can be written through the descriptor, else -EPERM; or -errno. */
int safety_check_read_only(int fd);

#endif
