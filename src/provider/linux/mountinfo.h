/* /proc/PID/mountinfo: which filesystem a path lies in. */
#ifndef RAIDTOP_PROVIDER_LINUX_MOUNTINFO_H
#define RAIDTOP_PROVIDER_LINUX_MOUNTINFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sysfs.h"

struct mountinfo_mount {
	uint32_t major, minor;         /* of the filesystem; major 0 where it has no device */
	char source[SYSFS_PATH_BYTES]; /* what was mounted: a device node for most; "" */
};

/*
 * The mount that an absolute path lies in: the longest mount point that it begins with, the last
 * one of several. False where there is none, or `path` is not absolute.
 */
bool mountinfo_find(const char *text, size_t len, const char *path, struct mountinfo_mount *ret);

#endif
