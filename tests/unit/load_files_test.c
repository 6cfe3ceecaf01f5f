/*
 * Test files: how they are made, found again, kept apart and released, on the disk below /var/tmp.
 * What others plant among them is in load_files_hostile_test.c, crashes in load_files_crash_test.c.
 */
#include "load_files_support.h"

#include <sys/file.h>
#include <sys/resource.h>

#include "load/extents.h"
#include "load/reserve.h"

static char first_bytes[4096], later_bytes[4096];

static void a_file_is_made_written_and_named(void **state)
{
	struct shared *s = plan_for(test_dir, 4 * MIB);
	struct files_handle h;
	struct extents x;
	struct stat st;

	(void)state;
	expect_prepared(s, false, &h);
	assert_string_equal(s->file, "1.data");
	assert_int_equal(h.size_bytes, 4 * MIB);
	assert_int_equal(s->prepare_bytes, 4 * MIB);
	assert_int_equal(s->prepared_bytes, 4 * MIB);
	assert_int_equal(fstat(h.fd, &st), 0);
	assert_int_equal(st.st_size, 4 * MIB);
	assert_int_equal(st.st_mode & 0777, 0600);
	assert_int_equal(fcntl(h.fd, F_GETFL) & O_ACCMODE, O_RDONLY);
	if (extents_read(h.lock, h.size_bytes, &x) == 0) {
		assert_int_equal(x.hole_bytes, 0);
		assert_int_equal(x.unwritten_bytes, 0);
		extents_release(&x);
		assert_int_equal(s->source, SOURCE_CLEAR);
		assert_int_equal(s->cached_bytes, 0);
	}
	files_release(&h);
	expect_clean(test_dir, 0, "removed: 1 file of 4.00 MiB");
	assert_false(exists(test_dir, ".raidtop"));
	free(s);
}

/* Nothing in it repeats, and each file has other data. */
static void its_data_are_random(void **state)
{
	struct shared *s = plan_for(test_dir, 3 * MIB);
	struct files_handle a, b;

	(void)state;
	expect_prepared(s, true, &a);
	expect_prepared(s, true, &b);
	assert_string_equal(s->file, "2.data");
	assert_int_equal(pread(a.lock, first_bytes, 4096, 0), 4096);
	assert_int_equal(pread(a.lock, later_bytes, 4096, 2 * MIB), 4096);
	assert_memory_not_equal(first_bytes, later_bytes, 4096);
	assert_memory_not_equal(first_bytes, first_bytes + 2048, 2048);
	assert_int_equal(pread(b.lock, later_bytes, 4096, 0), 4096);
	assert_memory_not_equal(first_bytes, later_bytes, 4096);
	files_release(&a);
	files_release(&b);
	expect_clean(test_dir, 0, "removed: 2 files");
	free(s);
}

static void a_file_that_fits_is_used_again(void **state)
{
	static const struct {
		const char *what;
		uint64_t size_bytes, seed;
		const char *file;
	} cases[] = {
		{ "the same", 2 * MIB, 7, "1.data" },
		{ "another seed", 2 * MIB, 8, "2.data" },
		{ "another size", 3 * MIB, 7, "3.data" },
		{ "the same again", 2 * MIB, 7, "1.data" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct shared *s = plan_for(test_dir, cases[i].size_bytes);
		struct files_handle h;

		s->plan.spec.seed = cases[i].seed;
		expect_prepared(s, true, &h);
		assert_string_equal(s->file, cases[i].file);
		assert_int_equal(s->prepare_bytes, i == 3 ? 0 : cases[i].size_bytes);
		files_release(&h);
		free(s);
	}
	expect_clean(test_dir, 0, "removed: 3 files");
}

static void what_is_half_written_is_not_used(void **state)
{
	struct shared *s = plan_for(test_dir, 2 * MIB);
	struct files_handle h;

	(void)state;
	expect_prepared(s, true, &h);
	/* Somebody punched a hole: it would be read from memory. */
	if (fallocate(h.lock, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 4096, MIB) < 0)
		skip();
	files_release(&h);
	expect_prepared(s, true, &h);
	assert_string_equal(s->file, "1.data");
	assert_int_equal(extents_hole_bytes(h.lock, 2 * MIB), 0);
	files_release(&h);
	expect_clean(test_dir, 0, NULL);
	free(s);
}

static void a_stop_leaves_nothing(void **state)
{
	struct shared *s = plan_for(test_dir, 64 * MIB);
	struct files_handle h;

	(void)state;
	atomic_store(&s->stop, 1);
	assert_int_equal(prepare(s, true, &h), -ECANCELED);
	assert_false(exists(test_dir, ".raidtop/1.data"));
	expect_clean(test_dir, 0, "removed: 0 files");
	free(s);
}

static void a_size_that_touches_the_reserve_is_refused(void **state)
{
	struct shared *s = plan_for(test_dir, UINT64_C(1) << 50);
	struct files_handle h;

	(void)state;
	assert_int_equal(prepare(s, true, &h), -ENOSPC);
	assert_in(s->sentence, "stay free");
	assert_in(s->sentence, "ask for a smaller size");
	expect_clean(test_dir, 0, "removed: 0 files");
	free(s);
}

static void reserves_are_as_designed(void **state)
{
	static const struct {
		uint64_t total, free, keep;
	} cases[] = {
		{ 100ULL << 30, 50ULL << 30, 5ULL << 30 },
		{ 15ULL << 30, 9ULL << 30, 1ULL << 30 },  /* 5 % are less than 1 GiB */
		{ 5ULL << 30, 3ULL << 30, 512ULL << 20 }, /* never more than a tenth */
	};
	struct reserve r;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		r = reserve_of(cases[i].total, cases[i].free, 1000, 100);
		assert_int_equal(r.keep_bytes, cases[i].keep);
		assert_int_equal(reserve_spare_bytes(&r), cases[i].free - cases[i].keep);
		assert_int_equal(reserve_spare_inodes(&r), 50);
	}
	assert_int_equal(reserve_share(10 * MIB + 5, 3, MIB), MIB);
	assert_int_equal(reserve_share(10 * MIB + 5, 3, 4 * MIB), 3 * MIB);
	assert_int_equal(reserve_share(MIB - 1, 1, MIB), 0);
	r = reserve_of(1ULL << 30, 1 << 20, 0, 0); /* btrfs counts no inodes */
	assert_int_equal(reserve_spare_bytes(&r), 0);
	assert_true(reserve_spare_inodes(&r) > 1000000);
}

static void two_streams_never_share_a_file(void **state)
{
	struct shared *s = plan_for(test_dir, MIB);
	struct files_handle h[4];
	char name[16];

	(void)state;
	for (int i = 0; i < 4; i++) {
		expect_prepared(s, true, &h[i]);
		text_format(name, sizeof(name), "%d.data", i + 1);
		assert_string_equal(s->file, name);
	}
	files_release(&h[2]);
	expect_prepared(s, true, &h[2]); /* the only one that nobody uses */
	assert_string_equal(s->file, "3.data");
	for (int i = 0; i < 4; i++)
		files_release(&h[i]);
	expect_clean(test_dir, 0, "removed: 4 files");
	free(s);
}

static void a_folder_in_use_is_not_cleaned(void **state)
{
	struct shared *s = plan_for(test_dir, MIB);
	struct files_handle h;
	char who[32];

	(void)state;
	expect_prepared(s, false, &h);
	text_format(who, sizeof(who), "(process %d)", getpid());
	expect_clean(test_dir, -EWOULDBLOCK, who);
	assert_true(exists(test_dir, ".raidtop/1.data"));
	files_release(&h);
	expect_clean(test_dir, 0, "removed: 1 file");
	free(s);
}

static void a_folder_is_cleaned_by_either_name(void **state)
{
	static const char *const names[] = { "", "/", "/.raidtop", "/.raidtop//" };
	struct shared *s = plan_for(test_dir, MIB);

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct files_handle h;
		char path[256];

		expect_prepared(s, false, &h);
		files_release(&h);
		text_format(path, sizeof(path), "%s%s", test_dir, names[i]);
		expect_clean(path, 0, "removed: 1 file");
		assert_false(exists(test_dir, ".raidtop"));
	}
	expect_clean(test_dir, -ENOENT, "holds no files of raidtop");
	expect_clean("/nonexistent/raidtop", -ENOTDIR, "cannot be opened");
	free(s);
}

/* What a raidtop takes away at its end, what it leaves to others, and what is to be kept. */
static void the_end_of_raidtop_takes_its_own(void **state)
{
	struct shared *s = plan_for(test_dir, MIB), *kept = plan_for(test_dir, 2 * MIB);
	int directory = open_directory(test_dir);
	char session[MANIFEST_SESSION_BYTES];
	struct files_handle h;
	struct heard heard;

	(void)state;
	kept->plan.spec.keep = true;
	expect_prepared(s, true, &h);
	files_release(&h);
	expect_prepared(kept, true, &h);
	files_release(&h);
	heard_init(&heard);
	assert_int_equal(files_clean_session(directory, test_dir, "other", &heard.report), 0);
	assert_true(exists(test_dir, ".raidtop/1.data"));
	assert_int_equal(files_session_name(getpid(), session, sizeof(session)), 0);
	assert_int_equal(files_clean_session(directory, test_dir, session, &heard.report), 0);
	assert_false(exists(test_dir, ".raidtop/1.data"));
	assert_true(exists(test_dir, ".raidtop/2.data"));
	assert_in(buffer_text(&heard.text), "kept: ");
	assert_in(buffer_text(&heard.text), "/.raidtop/2.data, 2.00 MiB");
	heard_release(&heard);
	expect_clean(test_dir, 0, "removed: 1 file of 2.00 MiB");
	close(directory);
	free(s);
	free(kept);
}

static void the_last_one_takes_the_folder(void **state)
{
	struct shared *s = plan_for(test_dir, MIB);
	int directory = open_directory(test_dir);
	char session[MANIFEST_SESSION_BYTES];
	struct files_report nobody = { 0 };
	struct files_handle h;

	(void)state;
	expect_prepared(s, true, &h);
	files_release(&h);
	assert_int_equal(files_session_name(getpid(), session, sizeof(session)), 0);
	assert_int_equal(files_clean_session(directory, test_dir, session, &nobody), 0);
	assert_int_equal(nobody.removed_files, 1);
	assert_false(exists(test_dir, ".raidtop"));
	assert_int_equal(files_clean_session(directory, test_dir, session, &nobody), 0);
	close(directory);
	free(s);
}

/* A raidtop that crashed: its files are told, and may be used. */
static void files_of_an_earlier_run_are_told(void **state)
{
	struct shared *s = plan_for(test_dir, MIB), *other = plan_for(test_dir, 2 * MIB);
	struct files_handle h;
	pid_t pid;

	(void)state;
	pid = fork();
	if (pid == 0) {
		s->plan.parent = getpid();
		_exit(prepare(s, true, &h) == 0 ? 0 : 1);
	}
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_true(exists(test_dir, ".raidtop/1.data"));
	expect_prepared(other, true, &h);
	assert_in(other->sentence, "files of an earlier run lie in ");
	assert_in(other->sentence, "raidtop --clean ");
	files_release(&h);
	expect_prepared(s, true, &h); /* taken over: it is of this run now */
	assert_string_equal(s->file, "1.data");
	assert_string_equal(s->sentence, "");
	files_release(&h);
	expect_clean(test_dir, 0, "removed: 2 files");
	free(s);
	free(other);
}

/* A limit of the process, whose signal would kill it. */
static void a_limit_on_the_size_of_files_is_told(void **state)
{
	struct shared *s = plan_for(test_dir, 4 * MIB);
	pid_t pid = fork();
	int status;

	(void)state;
	if (pid == 0) {
		struct rlimit limit = { MIB, MIB };
		struct files_handle h;

		if (setrlimit(RLIMIT_FSIZE, &limit) < 0 || prepare(s, true, &h) != -EFBIG)
			_exit(1);
		_exit(strstr(s->sentence, "takes no file of that size") ? 0 : 2);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	expect_clean(test_dir, 0, "removed: 0 files");
	free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_is_made_written_and_named),
		cmocka_unit_test(its_data_are_random),
		cmocka_unit_test(a_file_that_fits_is_used_again),
		cmocka_unit_test(what_is_half_written_is_not_used),
		cmocka_unit_test(a_stop_leaves_nothing),
		cmocka_unit_test(a_size_that_touches_the_reserve_is_refused),
		cmocka_unit_test(reserves_are_as_designed),
		cmocka_unit_test(two_streams_never_share_a_file),
		cmocka_unit_test(a_folder_in_use_is_not_cleaned),
		cmocka_unit_test(a_folder_is_cleaned_by_either_name),
		cmocka_unit_test(the_end_of_raidtop_takes_its_own),
		cmocka_unit_test(the_last_one_takes_the_folder),
		cmocka_unit_test(files_of_an_earlier_run_are_told),
		cmocka_unit_test(a_limit_on_the_size_of_files_is_told),
	};

	return cmocka_run_group_tests(tests, make_test_dir, remove_test_tree);
}
