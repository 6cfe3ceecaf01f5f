/*
 * Where reads will come from: extents and holes, what is cached and by which call that is found
 * out, on the disk below /var/tmp. And the lines of the manifest.
 */
#include "load_files_support.h"

#include <sys/ioctl.h>
#include <sys/mman.h>

#include "load/extents.h"
#include "load/files_source.h"
#include "load/page_cache.h"

static int make_sparse(const char *name)
{
	char path[256];
	int fd;

	path_below(path, test_dir, name);
	fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	return fd;
}

static void fill(int fd, off_t at, size_t bytes)
{
	static unsigned char data[MIB];

	memset(data, 'x', sizeof(data));
	assert_true(bytes <= sizeof(data));
	assert_int_equal(pwrite(fd, data, bytes, at), bytes);
}

static void holes_and_unwritten_extents_are_seen(void **state)
{
	int fd = make_sparse("holes");
	struct extents x;

	(void)state;
	fill(fd, 0, MIB);
	assert_int_equal(ftruncate(fd, 3 * MIB), 0); /* a hole of 2 MiB */
	if (extents_read(fd, 3 * MIB, &x) < 0)
		skip();
	assert_int_equal(x.hole_bytes, 2 * MIB);
	assert_int_equal(x.unwritten_bytes, 0);
	assert_int_equal(extents_hole_bytes(fd, 3 * MIB), 2 * MIB);
	extents_release(&x);
	assert_int_equal(fallocate(fd, 0, MIB, MIB), 0);
	assert_int_equal(extents_read(fd, 3 * MIB, &x), 0);
	assert_int_equal(x.hole_bytes, MIB);
	assert_int_equal(x.unwritten_bytes, MIB);
	extents_release(&x);
	fill(fd, MIB, MIB);
	fill(fd, 2 * MIB, MIB);
	assert_int_equal(extents_read(fd, 3 * MIB, &x), 0);
	assert_int_equal(x.hole_bytes, 0);
	assert_int_equal(x.unwritten_bytes, 0);
	assert_true(x.n > 0);
	extents_release(&x);
	close(fd);
	take_away(test_dir, "holes");
}

/* More extents than are asked for at a time. */
static void many_extents_are_all_seen(void **state)
{
	int fd = make_sparse("shreds");
	struct extents x;

	(void)state;
	for (int i = 0; i < 300; i++)
		fill(fd, (off_t)i * 65536, 4096);
	if (extents_read(fd, 300 * 65536, &x) < 0)
		skip();
	assert_int_equal(x.hole_bytes, 300 * (65536 - 4096));
	assert_true(x.n >= 300);
	extents_release(&x);
	close(fd);
	take_away(test_dir, "shreds");
}

static void overlaps_are_found(void **state)
{
	static const struct {
		struct extent a[2], b[2];
		bool overlap;
	} cases[] = {
		{ { { 0, 10 }, { 20, 10 } }, { { 10, 10 }, { 30, 10 } }, false },
		{ { { 20, 10 }, { 0, 10 } }, { { 9, 1 }, { 40, 1 } }, true },
		{ { { 20, 10 }, { 0, 10 } }, { { 40, 1 }, { 15, 6 } }, true },
		{ { { 0, 1 }, { 1, 1 } }, { { 2, 1 }, { 3, 1 } }, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct extent a[2], b[2];
		struct extents x = { .extent = a, .n = 2 }, y = { .extent = b, .n = 2 };

		memcpy(a, cases[i].a, sizeof(a));
		memcpy(b, cases[i].b, sizeof(b));
		assert_int_equal(extents_overlap(&x, &y), cases[i].overlap);
		assert_int_equal(extents_overlap(&y, &x), cases[i].overlap);
	}
}

/*
 * Whether a read that must not wait misses something once the cache was dropped. It starts the very
 * reads that it asks for, so that a fast disk has the later places there in time; and a page that
 * the kernel is just busy with stays through one drop.
 */
static bool nowait_finds_less(int fd)
{
	uint64_t bytes;

	for (int i = 0; i < 10; i++) {
		assert_int_equal(page_cache_drop(fd), 0);
		if (page_cache_count_by(PAGE_CACHE_NOWAIT, fd, MIB, &bytes) < 0 || bytes < MIB)
			return true;
	}
	return false;
}

static void cached_bytes_are_counted_and_dropped(void **state)
{
	static const enum page_cache_way ways[] = { PAGE_CACHE_CACHESTAT, PAGE_CACHE_MINCORE };
	int fd = make_sparse("cached");
	uint64_t bytes;

	(void)state;
	fill(fd, 0, MIB);
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		fill(fd, 0, MIB);
		if (page_cache_count_by(ways[i], fd, MIB, &bytes) < 0) {
			print_message("  way %zu is not to be had here\n", i);
			continue;
		}
		assert_int_equal(bytes, MIB);
		assert_int_equal(page_cache_drop(fd), 0);
		assert_int_equal(page_cache_count_by(ways[i], fd, MIB, &bytes), 0);
		assert_int_equal(bytes, 0);
		fill(fd, 0, 65536); /* whole pages: nothing else is read for them */
		assert_int_equal(page_cache_count_by(ways[i], fd, MIB, &bytes), 0);
		assert_int_equal(bytes, 65536);
	}
	fill(fd, 0, MIB);
	if (page_cache_count_by(PAGE_CACHE_NOWAIT, fd, MIB, &bytes) == 0)
		assert_int_equal(bytes, MIB);
	assert_true(nowait_finds_less(fd));
	assert_int_equal(page_cache_drop(fd), 0); /* it has begun to read */
	assert_int_equal(page_cache_count(fd, MIB, true, &bytes), 0);
	assert_int_equal(bytes, 0);
	close(fd);
	take_away(test_dir, "cached");
}

/* Somebody else has mapped the file: its pages cannot be dropped, and that is told. */
static void what_cannot_be_dropped_is_told(void **state)
{
	struct shared *s = plan_for(test_dir, 2 * MIB);
	struct files_handle h;
	volatile const unsigned char *p;
	unsigned int sum = 0;

	(void)state;
	expect_prepared(s, false, &h);
	assert_int_equal(s->cached_bytes, 0);
	p = mmap(NULL, 65536, PROT_READ, MAP_SHARED, h.lock, 0);
	assert_true(p != MAP_FAILED);
	for (int i = 0; i < 65536; i += 4096)
		sum += p[i];
	assert_true(sum > 0);
	assert_int_equal(files_source_clear(h.lock, 2 * MIB, s), 0);
	assert_true(s->cached_bytes >= 65536);
	assert_int_equal(s->source, SOURCE_CACHED);
	munmap((void *)(uintptr_t)p, 65536);
	assert_int_equal(files_source_clear(h.lock, 2 * MIB, s), 0);
	assert_int_equal(s->cached_bytes, 0);
	files_release(&h);
	expect_clean(test_dir, 0, NULL);
	free(s);
}

/* A file of the user's: looked at, and left as it is. */
static void a_file_of_the_user_is_only_looked_at(void **state)
{
	struct shared *s = plan_for(test_dir, 3 * MIB);
	int fd = make_sparse("user");
	struct extents x;
	uint64_t bytes;

	(void)state;
	fill(fd, 0, MIB);
	assert_int_equal(ftruncate(fd, 3 * MIB), 0);
	assert_int_equal(fsync(fd), 0);
	files_look_at_source(fd, s);
	if (page_cache_count(fd, 3 * MIB, false, &bytes) == 0) {
		assert_int_equal(bytes, MIB); /* still */
		assert_int_equal(s->cached_bytes, MIB);
	}
	if (extents_read(fd, MIB, &x) == 0)
		assert_int_equal(s->source, SOURCE_HOLES);
	extents_release(&x);
	close(fd);
	take_away(test_dir, "user");
	free(s);
}

static void reflinked_copies_are_not_taken_for_two(void **state)
{
	struct shared *s;
	struct files_handle a, b;
	struct manifest m;
	char path[256];

	(void)state;
	mount_new("mkfs.xfs", 320 * MIB, "reflink", path);
	s = plan_for(path, 2 * MIB);
	expect_prepared(s, true, &a);
	expect_prepared(s, true, &b);
	assert_int_equal(manifest_open(&m, &a.folder, false), 0);
	assert_true(files_source_is_sound(b.lock, &m, &b.folder, &b.entry));
	if (ioctl(b.lock, _IOW(0x94, 9, int), a.lock) == 0) /* FICLONE */
		assert_false(files_source_is_sound(b.lock, &m, &b.folder, &b.entry));
	manifest_release(&m);
	files_release(&a);
	files_release(&b);
	expect_clean(path, 0, NULL);
	unmount(path);
	free(s);
}

/* ---- lines of the manifest ---- */

static void lines_come_back_as_they_were(void **state)
{
	struct manifest_entry e = { .number = 17,
				    .state = MANIFEST_WRITTEN,
				    .device = UINT64_MAX,
				    .filesystem = 1,
				    .inode = UINT64_MAX - 1,
				    .uid = 1000,
				    .size_bytes = 1ULL << 40,
				    .seed = UINT64_MAX,
				    .session = "0123abcd-1-2",
				    .group = 3,
				    .keep = true };
	struct manifest_entry back;
	struct buffer line = BUFFER_INIT;
	char bad[MANIFEST_FILE_BYTES];

	(void)state;
	for (int i = 0; i < 2; i++) {
		e.is_tree = i == 1;
		if (i == 1)
			e.names = (struct tree_names){ TREE_SOURCES, 12, 34, e.seed };
		buffer_reset(&line);
		manifest_format(&line, &e);
		assert_int_equal(line.data[line.len - 1], '\n');
		assert_int_equal(manifest_parse(line.data, line.len - 1, &back, bad), 0);
		assert_int_equal(back.number, e.number);
		assert_int_equal(back.is_tree, e.is_tree);
		assert_int_equal(back.state, e.state);
		assert_true(back.device == e.device && back.inode == e.inode);
		assert_true(back.filesystem == e.filesystem && back.seed == e.seed);
		assert_true(back.size_bytes == e.size_bytes && back.uid == e.uid);
		assert_string_equal(back.session, e.session);
		assert_int_equal(back.group, e.group);
		assert_true(back.keep);
		assert_memory_equal(&back.names, &e.names, sizeof(e.names));
	}
	for (size_t cut = 0; cut < line.len - 1; cut++) /* torn anywhere */
		assert_int_equal(manifest_parse(line.data, cut, &back, bad), -EINVAL);
	buffer_release(&line);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(holes_and_unwritten_extents_are_seen),
		cmocka_unit_test(many_extents_are_all_seen),
		cmocka_unit_test(overlaps_are_found),
		cmocka_unit_test(cached_bytes_are_counted_and_dropped),
		cmocka_unit_test(what_cannot_be_dropped_is_told),
		cmocka_unit_test(a_file_of_the_user_is_only_looked_at),
		cmocka_unit_test(reflinked_copies_are_not_taken_for_two),
		cmocka_unit_test(lines_come_back_as_they_were),
	};

	return cmocka_run_group_tests(tests, make_test_dir, remove_test_tree);
}
