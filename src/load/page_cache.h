/* What the page cache holds of a file or device: a read of that comes from memory, not a disk. */
#ifndef LOAD_PAGE_CACHE_H
#define LOAD_PAGE_CACHE_H

#include <stdbool.h>
#include <stdint.h>

/* By which call it was found out. */
enum page_cache_way {
	PAGE_CACHE_CACHESTAT, /* Linux 6.5 */
	PAGE_CACHE_MINCORE,
	PAGE_CACHE_NOWAIT, /* a few places only; reads them in: drop it again */
	PAGE_CACHE_WAYS,
};

/*
 * Counts cached bytes of [0, size_bytes) by the first way that works. `own`: a file of our own;
 * of others only the first way is used, since the second says "all" and the third reads.
 * 0, or -errno of the last way: it cannot be told.
 */
int page_cache_count(int fd, uint64_t size_bytes, bool own, uint64_t *ret_bytes);
/* One way alone. */
int page_cache_count_by(enum page_cache_way way, int fd, uint64_t size_bytes, uint64_t *ret_bytes);

/*
 * Drops all of it: what is dirty is written first. Pages that another process has mapped stay.
 * 0 or -errno of the writing.
 */
int page_cache_drop(int fd);

#endif
