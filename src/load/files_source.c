/*
 * A read tells something about a disk only if it has to come from there. Before a run, the file
 * is looked at for what would be read without one: holes, extents that were never written, data
 * that are compressed or lie in the inode, and pages in the cache. Its extents must be its own,
 * since two copies on the same blocks of a disk would not be two.
 */
#include "files_source.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "extents.h"
#include "files.h"
#include "page_cache.h"
#include "target.h"

#define DROPS_TRIED 3

/* Of another test file. */
static bool shares_extents(struct extents *mine, const struct files_folder *f,
			   const struct manifest_entry *e)
{
	char name[MANIFEST_FILE_BYTES];
	struct extents other = { 0 };
	struct stat st;
	bool shares = false;
	int fd;

	manifest_file_name(name, e);
	fd = openat(f->fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return false;
	if (fstat(fd, &st) == 0 && manifest_entry_matches(e, f, &st) &&
	    extents_read(fd, e->size_bytes, &other) == 0)
		shares = extents_overlap(mine, &other);
	extents_release(&other);
	close(fd);
	return shares;
}

bool files_source_is_sound(int fd, const struct manifest *m, const struct files_folder *f,
			   const struct manifest_entry *e)
{
	struct extents x = { 0 };
	bool sound;

	if (extents_read(fd, e->size_bytes, &x) < 0)
		return extents_hole_bytes(fd, e->size_bytes) == 0;
	sound = x.hole_bytes == 0 && x.unwritten_bytes == 0 && !x.shared;
	for (size_t i = 0; sound && i < m->n; i++) {
		const struct manifest_entry *other = &m->entries[i];

		if (!other->is_tree && other->number != e->number)
			sound = !shares_extents(&x, f, other);
	}
	extents_release(&x);
	return sound;
}

static enum stream_source judge_extents(int fd, uint64_t size_bytes)
{
	enum stream_source source = SOURCE_CLEAR;
	struct extents x = { 0 };

	if (extents_read(fd, size_bytes, &x) < 0)
		return extents_hole_bytes(fd, size_bytes) > 0 ? SOURCE_HOLES : SOURCE_UNKNOWN;
	if (x.hole_bytes > 0 || x.unwritten_bytes > 0)
		source = SOURCE_HOLES;
	else if (x.encoded)
		source = SOURCE_ENCODED;
	else if (x.unknown)
		source = SOURCE_UNKNOWN;
	extents_release(&x);
	return source;
}

/* Holes and compression say more than a cache does, and what is cached is told beside. */
static void tell(struct shared *shared, enum stream_source source, int r, uint64_t cached_bytes)
{
	if (r < 0 && source == SOURCE_CLEAR)
		source = SOURCE_UNKNOWN;
	else if (r == 0 && cached_bytes > 0 && source != SOURCE_HOLES && source != SOURCE_ENCODED)
		source = SOURCE_CACHED;
	shared_set(&shared->cached_bytes, r == 0 ? cached_bytes : 0);
	atomic_store_explicit(&shared->source, source, memory_order_relaxed);
}

int files_source_clear(int fd, uint64_t size_bytes, struct shared *shared)
{
	uint64_t cached_bytes = 0;
	int counted = 0;
	int r = 0;

	for (int i = 0; i < DROPS_TRIED && (i == 0 || cached_bytes > 0); i++) {
		r = page_cache_drop(fd);
		if (r < 0)
			return r;
		counted = page_cache_count(fd, size_bytes, true, &cached_bytes);
		if (counted < 0)
			break;
	}
	tell(shared, judge_extents(fd, size_bytes), counted, cached_bytes);
	return 0;
}

void files_look_at_source(int fd, struct shared *shared)
{
	const struct shared_plan *p = &shared->plan;
	uint64_t end = p->spec.offset_bytes + p->size_bytes;
	enum stream_source source = SOURCE_CLEAR;
	uint64_t cached_bytes = 0;
	struct stat st;
	int r;

	if (fstat(fd, &st) < 0)
		return;
	if (S_ISREG(st.st_mode))
		source = judge_extents(fd, end < (uint64_t)st.st_size ? end : (uint64_t)st.st_size);
	r = page_cache_count(fd, end, false, &cached_bytes);
	tell(shared, source, r, cached_bytes);
}
