/*
 * A filesystem that a test fills up takes services down with it, and is slow itself. So a part
 * stays free: 5 %, at least 1 GiB where that is not more than a tenth of a small filesystem.
 */
#include "reserve.h"

#include <errno.h>
#include <sys/statvfs.h>

#define KEEP_BYTES_MIN (1ULL << 30)
#define SHARE_STEP_BYTES (1ULL << 20)

struct reserve reserve_of(uint64_t total_bytes, uint64_t free_bytes, uint64_t total_inodes,
			  uint64_t free_inodes)
{
	struct reserve r = { free_bytes, total_bytes / 20, free_inodes, total_inodes / 20 };

	if (r.keep_bytes < KEEP_BYTES_MIN)
		r.keep_bytes = KEEP_BYTES_MIN;
	if (r.keep_bytes > total_bytes / 10)
		r.keep_bytes = total_bytes / 10;
	if (total_bytes == 0) /* as memory filesystems without a limit say */
		r.free_bytes = UINT64_MAX;
	if (total_inodes == 0)
		r.free_inodes = UINT64_MAX;
	return r;
}

int reserve_read(int fd, struct reserve *ret)
{
	struct statvfs s;

	if (fstatvfs(fd, &s) < 0)
		return -errno;
	*ret = reserve_of((uint64_t)s.f_blocks * s.f_frsize, (uint64_t)s.f_bavail * s.f_frsize,
			  s.f_files, s.f_favail);
	return 0;
}

static uint64_t above(uint64_t value, uint64_t keep)
{
	return value > keep ? value - keep : 0;
}

uint64_t reserve_spare_bytes(const struct reserve *r)
{
	return above(r->free_bytes, r->keep_bytes);
}

uint64_t reserve_share(uint64_t spare_bytes, uint64_t files, uint64_t wanted)
{
	uint64_t share = spare_bytes / files;

	return share < wanted ? share / SHARE_STEP_BYTES * SHARE_STEP_BYTES : wanted;
}

uint64_t reserve_spare_inodes(const struct reserve *r)
{
	return above(r->free_inodes, r->keep_inodes);
}
