/* Whole small files of procfs and sysfs, by path or on a descriptor that stays open. */
#ifndef RAIDTOP_FILE_H
#define RAIDTOP_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "raidtop/text.h"

/*
 * Reads from the start to the end into `b` (reset first). procfs hands out 4 KiB a call, so
 * reads go on until one returns 0. Files over `limit` bytes: -EFBIG. 0 or -errno; after an
 * error `b` is empty.
 */
int file_read(const char *path, size_t limit, struct buffer *b);
int file_read_fd(int fd, size_t limit, struct buffer *b);

/*
 * One attribute: its first line without the newline, cut to `size` - 1 bytes. 0 or -errno,
 * `dst` "" after an error. No allocation.
 */
int file_read_line(const char *path, char *dst, size_t size);
/* One attribute that is a whole number: 0, -errno, or -EINVAL where it is something else. */
int file_read_u64(const char *path, uint64_t *ret);
int file_read_i64(const char *path, int64_t *ret);

/* The last component of the symbolic link at `path`; 0 or -errno. */
int file_read_link_name(const char *path, char *dst, size_t size);

/* Writes all of it, going on after short writes and EINTR; 0 or -errno. */
int file_write_all(int fd, const void *data, size_t len);

#endif
