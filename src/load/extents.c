/*
 * A hole, or an extent that is allocated and not yet written, is read as zeros from memory, and
 * makes a disk look faster than any is. FIEMAP tells both, and whether data are compressed or
 * shared with another file. It is asked for as many extents at a time as fit a few kilobytes.
 */
#include "extents.h"

#include <errno.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "raidtop/memory.h"

#define AT_A_TIME 128
/* More is a file in shreds, which nothing can be measured on. */
#define EXTENTS_MAX 1000000

#define FLAGS_ENCODED                                                                       \
	(FIEMAP_EXTENT_ENCODED | FIEMAP_EXTENT_DATA_ENCRYPTED | FIEMAP_EXTENT_DATA_INLINE | \
	 FIEMAP_EXTENT_DATA_TAIL | FIEMAP_EXTENT_NOT_ALIGNED)
#define FLAGS_UNKNOWN (FIEMAP_EXTENT_UNKNOWN | FIEMAP_EXTENT_DELALLOC)

/* Room for the answer: the kernel's structure ends in an array. */
union request {
	struct fiemap map;
	unsigned char room[sizeof(struct fiemap) + AT_A_TIME * sizeof(struct fiemap_extent)];
};

static void take_extent(struct extents *e, size_t *room, const struct fiemap_extent *x,
			uint64_t *at, uint64_t size_bytes)
{
	uint64_t end = x->fe_logical + x->fe_length;

	if (end > size_bytes) /* the last block of it, or what was allocated in advance */
		end = size_bytes;
	if (x->fe_logical > *at && *at < size_bytes)
		e->hole_bytes += (x->fe_logical < size_bytes ? x->fe_logical : size_bytes) - *at;
	if (end <= *at || x->fe_logical >= end)
		return;
	*at = end;
	if (x->fe_flags & FIEMAP_EXTENT_UNWRITTEN)
		e->unwritten_bytes += end - x->fe_logical;
	e->encoded |= (x->fe_flags & FLAGS_ENCODED) != 0;
	e->shared |= (x->fe_flags & FIEMAP_EXTENT_SHARED) != 0;
	e->unknown |= (x->fe_flags & FLAGS_UNKNOWN) != 0;
	if (e->n == *room) {
		*room = *room ? 2 * *room : 16;
		e->extent = memory_resize(e->extent, *room, sizeof(*e->extent));
	}
	e->extent[e->n++] = (struct extent){ x->fe_physical, x->fe_length };
}

static int read_all(int fd, uint64_t size_bytes, struct extents *e)
{
	union request q;
	uint64_t at = 0, next = 0;
	size_t room = 0;
	bool last = false;

	while (!last && next < size_bytes && e->n < EXTENTS_MAX) {
		memset(&q.map, 0, sizeof(q.map));
		q.map.fm_start = next;
		q.map.fm_length = FIEMAP_MAX_OFFSET - next;
		q.map.fm_flags = next == 0 ? FIEMAP_FLAG_SYNC : 0;
		q.map.fm_extent_count = AT_A_TIME;
		if (ioctl(fd, FS_IOC_FIEMAP, &q) < 0)
			return errno == ENOTTY || errno == EBADR ? -EOPNOTSUPP : -errno;
		if (q.map.fm_mapped_extents == 0 || q.map.fm_mapped_extents > AT_A_TIME)
			break;
		for (uint32_t i = 0; i < q.map.fm_mapped_extents; i++) {
			const struct fiemap_extent *x = &q.map.fm_extents[i];

			take_extent(e, &room, x, &at, size_bytes);
			last = x->fe_flags & FIEMAP_EXTENT_LAST;
			if (x->fe_logical + x->fe_length <= next)
				return -EIO; /* it would never end */
			next = x->fe_logical + x->fe_length;
		}
	}
	if (at < size_bytes)
		e->hole_bytes += size_bytes - at;
	return 0;
}

int extents_read(int fd, uint64_t size_bytes, struct extents *ret)
{
	struct extents e = { 0 };
	int r = read_all(fd, size_bytes, &e);

	if (r < 0) {
		extents_release(&e);
		return r;
	}
	*ret = e;
	return 0;
}

void extents_release(struct extents *e)
{
	free(e->extent);
	*e = (struct extents){ 0 };
}

static int compare(const void *a, const void *b)
{
	const struct extent *x = a, *y = b;

	return x->physical < y->physical ? -1 : x->physical > y->physical;
}

bool extents_overlap(struct extents *a, struct extents *b)
{
	size_t i = 0, j = 0;

	if (a->n == 0 || b->n == 0)
		return false;
	qsort(a->extent, a->n, sizeof(*a->extent), compare);
	qsort(b->extent, b->n, sizeof(*b->extent), compare);
	while (i < a->n && j < b->n) {
		const struct extent *x = &a->extent[i], *y = &b->extent[j];

		if (x->physical + x->bytes <= y->physical)
			i++;
		else if (y->physical + y->bytes <= x->physical)
			j++;
		else
			return true;
	}
	return false;
}

uint64_t extents_hole_bytes(int fd, uint64_t size_bytes)
{
	uint64_t holes = 0;
	off_t at = 0;

	while ((uint64_t)at < size_bytes) {
		off_t hole = lseek(fd, at, SEEK_HOLE);
		off_t data = hole < 0 ? -1 : lseek(fd, hole, SEEK_DATA);

		if (hole < 0 || (uint64_t)hole >= size_bytes)
			break;
		if (data < 0 || (uint64_t)data > size_bytes) /* ENXIO: a hole up to the end */
			data = (off_t)size_bytes;
		holes += (uint64_t)(data - hole);
		at = data;
	}
	return holes;
}
