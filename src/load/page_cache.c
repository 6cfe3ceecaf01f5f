/*
 * Three ways to see what is cached, of which none works everywhere. cachestat(2) counts it and
 * touches nothing, from Linux 6.5 on and where no seccomp filter refuses it. mincore(2) looks at
 * a mapping; of files that are not the caller's it says that everything is resident. A read that
 * must not wait (RWF_NOWAIT) succeeds on what is cached, and starts reading the rest.
 */
#include "page_cache.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "raidtop/memory.h"

/* The C library has neither the call nor its structures yet. */
#ifndef SYS_cachestat
#define SYS_cachestat 451
#endif
struct range {
	uint64_t offset, bytes;
};
struct statistics {
	uint64_t cached, dirty, writeback, evicted, recently_evicted; /* pages */
};

#define MAPPED_AT_A_TIME (1ULL << 30)
#define PLACES 8
#define PLACE_BYTES 4096

static uint64_t page_bytes(void)
{
	return (uint64_t)sysconf(_SC_PAGESIZE);
}

static int count_by_cachestat(int fd, uint64_t size_bytes, uint64_t *ret_bytes)
{
	struct range range = { .bytes = size_bytes };
	struct statistics s = { 0 };

	if (syscall(SYS_cachestat, fd, &range, &s, 0) < 0)
		return -errno;
	*ret_bytes = s.cached * page_bytes();
	return 0;
}

static int count_mapped(int fd, uint64_t at, uint64_t bytes, unsigned char *resident,
			uint64_t *pages)
{
	void *p = mmap(NULL, bytes, PROT_READ, MAP_SHARED, fd, (off_t)at);
	int r = 0;

	if (p == MAP_FAILED)
		return -errno;
	if (mincore(p, bytes, resident) < 0)
		r = -errno;
	munmap(p, bytes);
	for (uint64_t i = 0; r == 0 && i < (bytes + page_bytes() - 1) / page_bytes(); i++)
		*pages += resident[i] & 1;
	return r;
}

static int count_by_mincore(int fd, uint64_t size_bytes, uint64_t *ret_bytes)
{
	unsigned char *resident = memory_new(MAPPED_AT_A_TIME / page_bytes(), 1);
	uint64_t pages = 0;
	int r = 0;

	for (uint64_t at = 0; r == 0 && at < size_bytes; at += MAPPED_AT_A_TIME) {
		uint64_t left = size_bytes - at;

		r = count_mapped(fd, at, left < MAPPED_AT_A_TIME ? left : MAPPED_AT_A_TIME,
				 resident, &pages);
	}
	free(resident);
	if (r == 0)
		*ret_bytes = pages * page_bytes();
	return r;
}

/* Extrapolated from a few places, not by each page. */
static int count_by_nowait(int fd, uint64_t size_bytes, uint64_t *ret_bytes)
{
	unsigned char place[PLACE_BYTES];
	struct iovec v = { place, sizeof(place) };
	unsigned int cached = 0;

	for (unsigned int i = 0; i < PLACES; i++) {
		uint64_t at = size_bytes / PLACES * i / PLACE_BYTES * PLACE_BYTES;
		ssize_t n = preadv2(fd, &v, 1, (off_t)at, RWF_NOWAIT);

		if (n < 0 && errno != EAGAIN)
			return -errno;
		cached += n > 0;
	}
	*ret_bytes = size_bytes / PLACES * cached;
	return 0;
}

static int (*const ways[PAGE_CACHE_WAYS])(int fd, uint64_t size_bytes, uint64_t *ret_bytes) = {
	[PAGE_CACHE_CACHESTAT] = count_by_cachestat,
	[PAGE_CACHE_MINCORE] = count_by_mincore,
	[PAGE_CACHE_NOWAIT] = count_by_nowait,
};

int page_cache_count_by(enum page_cache_way way, int fd, uint64_t size_bytes, uint64_t *ret_bytes)
{
	return ways[way](fd, size_bytes, ret_bytes);
}

int page_cache_count(int fd, uint64_t size_bytes, bool own, uint64_t *ret_bytes)
{
	int flags = fcntl(fd, F_GETFL);
	int r = -ENOSYS;

	for (int way = 0; way < PAGE_CACHE_WAYS; way++) {
		if (way != PAGE_CACHE_CACHESTAT && !own)
			break;
		if (way == PAGE_CACHE_NOWAIT && (flags & O_DIRECT))
			break; /* it would not look at the cache */
		r = page_cache_count_by((enum page_cache_way)way, fd, size_bytes, ret_bytes);
		if (r == 0 && way == PAGE_CACHE_NOWAIT)
			return page_cache_drop(fd);
		if (r == 0)
			break;
	}
	return r;
}

int page_cache_drop(int fd)
{
	if (fdatasync(fd) < 0)
		return -errno;
	/* It can only fail where there is no page cache to drop from. */
	(void)posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	return 0;
}
