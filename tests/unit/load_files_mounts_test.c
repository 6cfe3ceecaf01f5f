/*
 * Test files on filesystems of the test's own: small and full ones, those that are pulled away or
 * mounted over, and what each kind of filesystem can do. Root is needed for all of them.
 */
#include "load_files_support.h"

/* A small filesystem: a default size shrinks, alike for all copies, and the reserve stays free. */
static void a_default_size_shrinks(void **state)
{
	struct files_handle h[3];
	struct statvfs fs;
	char path[256];

	(void)state;
	mount_new("mkfs.ext4", 200 * MIB, "small", path);
	for (int i = 0; i < 3; i++) {
		struct shared *s = plan_for(path, UINT64_C(1) << 30);

		s->plan.default_size = true;
		s->plan.spec.copies = 3;
		s->plan.copy = (unsigned int)i;
		s->plan.group = 1;
		expect_prepared(s, true, &h[i]);
		free(s);
	}
	assert_true(h[0].size_bytes >= 16 * MIB);
	assert_int_equal(h[0].size_bytes, h[1].size_bytes);
	assert_int_equal(h[1].size_bytes, h[2].size_bytes);
	assert_int_equal(statvfs(path, &fs), 0);
	assert_true(fs.f_bavail >= fs.f_blocks / 10);
	for (int i = 0; i < 3; i++)
		files_release(&h[i]);
	expect_clean(path, 0, "removed: 3 files");
	unmount(path);
}

/* The second stream of a default size finds the first one's file, which has taken all the room. */
static void a_shrunken_file_is_taken_again(void **state)
{
	struct files_handle h;
	struct shared *s;
	char path[256];
	uint64_t size_bytes = 0;

	(void)state;
	mount_new("mkfs.ext4", 64 * MIB, "again", path);
	for (int i = 0; i < 3; i++) {
		s = plan_for(path, UINT64_C(1) << 30);
		s->plan.default_size = true;
		s->plan.spec.copies = 1;
		s->plan.group = (uint32_t)i + 1;
		expect_prepared(s, true, &h);
		assert_string_equal(s->file, "1.data");
		assert_string_equal(s->sentence, "");
		assert_int_equal(s->prepare_bytes > 0, i == 0);
		assert_true(i == 0 || h.size_bytes == size_bytes);
		size_bytes = h.size_bytes;
		files_release(&h);
		free(s);
	}
	assert_true(size_bytes >= 16 * MIB);
	s = plan_for(path, size_bytes - 4096); /* but a size that was asked for is meant */
	s->plan.group = 4;
	assert_int_equal(prepare(s, true, &h), -ENOSPC);
	free(s);
	expect_clean(path, 0, "removed: 1 file");
	unmount(path);
}

static void a_full_filesystem_is_told(void **state)
{
	struct shared *s;
	struct files_handle h;
	char path[256];

	(void)state;
	mount_new("mkfs.ext4", 64 * MIB, "full", path);
	s = plan_for(path, 60 * MIB);
	assert_int_equal(prepare(s, true, &h), -ENOSPC);
	assert_in(s->sentence, "stay free");
	expect_clean(path, 0, "removed: 0 files");
	assert_int_equal(mount(NULL, path, NULL, MS_REMOUNT | MS_RDONLY, NULL), 0);
	assert_int_equal(prepare(s, true, &h), -EROFS);
	assert_in(s->sentence, "mounted for reading only");
	unmount(path);
	free(s);
}

static void a_place_that_moved_is_told(void **state)
{
	struct shared *s;
	struct files_handle h;
	char path[256];
	int directory;

	(void)state;
	mount_new("mkfs.ext4", 64 * MIB, "moved", path);
	s = plan_for(path, MIB);
	directory = open_directory(path);
	assert_int_equal(files_check_place(&s->plan, directory), 0);
	assert_int_equal(umount2(path, MNT_DETACH), 0); /* the descriptor stays good */
	assert_int_equal(files_check_place(&s->plan, directory), -ESTALE);
	assert_int_equal(files_prepare(&(struct files_request){ .directory = directory }, s, &h),
			 -ESTALE);
	assert_in(s->sentence, "is not where it was");
	assert_false(exists(path, ".raidtop"));
	close(directory);
	assert_int_equal(rmdir(path), 0);
	free(s);
}

static void a_place_that_is_mounted_over_is_told(void **state)
{
	struct shared *s = plan_for(test_dir, MIB);
	int directory = open_directory(test_dir);

	(void)state;
	assert_int_equal(files_check_place(&s->plan, directory), 0);
	s->plan.device = 12345;
	assert_int_equal(files_check_place(&s->plan, directory), -ESTALE);
	s->plan.device = UNKNOWN_U64;
	s->plan.mount_id = 1234567;
	assert_int_equal(files_check_place(&s->plan, directory), -ESTALE);
	s->plan.mount_id = UNKNOWN_U64;
	if (geteuid() == 0 && mount("none", test_dir, "tmpfs", 0, NULL) == 0) {
		assert_int_equal(files_check_place(&s->plan, directory), -ESTALE);
		assert_int_equal(umount2(test_dir, 0), 0);
		assert_int_equal(files_check_place(&s->plan, directory), 0);
	}
	close(directory);
	free(s);
}

/* Filesystems differ in what they can: O_TMPFILE, direct access, FIEMAP. */
static void memory_is_told_from_a_disk(void **state)
{
	struct files_handle h;
	struct shared *s;
	char path[256];

	(void)state;
	path_below(path, test_dir, "memory");
	assert_int_equal(mkdir(path, 0700), 0);
	if (geteuid() != 0 || mount("none", path, "tmpfs", 0, "size=64m,mode=700") < 0)
		skip();
	s = plan_for(path, 2 * MIB);
	expect_prepared(s, true, &h);
	assert_int_equal(s->source, SOURCE_CACHED); /* all of it, and always */
	assert_int_equal(s->cached_bytes, 2 * MIB);
	files_release(&h);
	expect_clean(path, 0, "removed: 1 file");
	unmount(path);
	free(s);
}

static void works_on(const char *mkfs)
{
	struct files_handle h;
	struct shared *s;
	char path[256];

	mount_new(mkfs, 320 * MIB, "other", path);
	s = plan_for(path, 2 * MIB);
	for (int i = 0; i < 2; i++) {
		expect_prepared(s, true, &h);
		assert_string_equal(s->file, "1.data");
		assert_int_equal(s->prepare_bytes, i ? 0 : 2 * MIB);
		assert_int_equal(s->source, SOURCE_CLEAR);
		assert_int_equal(s->cached_bytes, 0);
		assert_int_equal(h.access, STREAM_DIRECT);
		files_release(&h);
		s->prepare_bytes = 0;
	}
	expect_clean(path, 0, "removed: 1 file of 2.00 MiB");
	assert_false(exists(path, ".raidtop"));
	unmount(path);
	free(s);
}

static void works_on_ext4(void **state)
{
	(void)state;
	works_on("mkfs.ext4");
}

static void works_on_xfs(void **state)
{
	(void)state;
	works_on("mkfs.xfs");
}

static void works_on_btrfs(void **state)
{
	(void)state;
	works_on("mkfs.btrfs");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_default_size_shrinks),
		cmocka_unit_test(a_shrunken_file_is_taken_again),
		cmocka_unit_test(a_full_filesystem_is_told),
		cmocka_unit_test(a_place_that_moved_is_told),
		cmocka_unit_test(a_place_that_is_mounted_over_is_told),
		cmocka_unit_test(memory_is_told_from_a_disk),
		cmocka_unit_test(works_on_ext4),
		cmocka_unit_test(works_on_xfs),
		cmocka_unit_test(works_on_btrfs),
	};

	return cmocka_run_group_tests(tests, make_test_dir, remove_test_tree);
}
