/*
 * Workers that are killed at any moment of their preparation, and several at once: --clean must
 * find all that they left, and leave exactly what was there before.
 */
#include "load_files_support.h"

#include <dirent.h>
#include <signal.h>

#include "load/files_make.h"

static unsigned int count_things(const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *d;
	unsigned int n = 0;

	while (dir && (d = readdir(dir)))
		n += strcmp(d->d_name, ".") != 0 && strcmp(d->d_name, "..") != 0;
	if (dir)
		closedir(dir);
	return n;
}

static void pause_us(uint64_t us)
{
	nanosleep(&(struct timespec){ .tv_nsec = (long)us * 1000 }, NULL);
}

static void one_file(void)
{
	struct shared *s = plan_for(test_dir, 4 * MIB);
	struct files_handle h;

	s->plan.parent = getpid();
	(void)prepare(s, true, &h);
}

/* As on a filesystem without O_TMPFILE. */
static void one_named_file(void)
{
	int directory = open_directory(test_dir);
	struct files_folder f;
	char why[160];

	assert_int_equal(
		files_folder_open(&f, directory, FILES_HOLD_SHARED, test_dir, why, sizeof(why)), 0);
	for (int i = 0; i < 6; i++) {
		struct manifest_entry e = { .size_bytes = 65536 };
		struct manifest m;
		_Atomic uint64_t progress = 0;
		_Atomic uint32_t stop = 0;
		int fd;

		assert_int_equal(manifest_open(&m, &f, true), 0);
		fd = files_make(&m, &f, FILES_NAMED, &e);
		manifest_release(&m);
		assert_true(fd >= 0);
		assert_int_equal(files_fill(fd, e.size_bytes, 1, &stop, &progress), 0);
	}
}

static void one_tree(void)
{
	struct shared *s = plan_for(test_dir, 2 * MIB);
	int directory = open_directory(test_dir);
	struct tree t;
	struct files_request request = { .directory = directory, .writes = true, .tree = &t };
	struct files_handle h;
	uint64_t bytes;

	s->plan.parent = getpid();
	tree_init(&t, &tree_untar, &s->plan.spec);
	if (files_prepare(&request, s, &h) < 0)
		return;
	while (tree_step(&t, &bytes) > 0)
		;
	files_release(&h);
}

/* Up to that moment, and a little more each time; all of it takes `whole_us`. */
static void kill_again_and_again(void (*work)(void), unsigned int kills)
{
	uint64_t whole_us, began_ns = clock_monotonic_ns();
	unsigned int leftovers = 0;
	pid_t pid = fork();

	if (pid == 0) {
		work();
		_exit(0);
	}
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	whole_us = (clock_monotonic_ns() - began_ns) / NS_PER_US + 100;
	expect_clean(test_dir, 0, NULL);
	for (unsigned int i = 0; i < kills; i++) {
		struct files_report report = { 0 };
		int r;

		pid = fork();
		if (pid == 0) {
			work();
			_exit(0);
		}
		pause_us(whole_us * i / kills % 900000);
		kill(pid, SIGKILL);
		assert_int_equal(waitpid(pid, NULL, 0), pid);
		r = files_clean(test_dir, &report);
		leftovers += report.removed_files > 0;
		if (r != 0 && r != -ENOENT)
			expect_clean(test_dir, 0, NULL); /* it tells what is left */
		assert_int_equal(count_things(test_dir), 1);
		assert_true(exists(test_dir, "bystander"));
	}
	/* Else it was killed before it had begun each time, and nothing was tested. */
	assert_true(leftovers > 0);
}

static void a_killed_worker_leaves_nothing_unknown(void **state)
{
	(void)state;
	kill_again_and_again(one_file, 50);
}

static void nor_without_unnamed_files(void **state)
{
	(void)state;
	kill_again_and_again(one_named_file, 25);
}

static void nor_in_a_tree(void **state)
{
	(void)state;
	kill_again_and_again(one_tree, 25);
}

/* Between the announcement of a name and the line with the inode. */
static void a_file_that_is_only_announced_is_found(void **state)
{
	struct manifest_entry e = { .number = 1, .uid = geteuid() };
	int directory = open_directory(test_dir);
	struct files_folder f;
	struct manifest m;
	char why[160];

	(void)state;
	for (int i = 0; i < 3; i++) {
		assert_int_equal(files_folder_open(&f, directory, FILES_HOLD_SHARED, test_dir, why,
						   sizeof(why)),
				 0);
		e.device = f.device;
		assert_int_equal(manifest_open(&m, &f, true), 0);
		assert_int_equal(manifest_add(&m, &e, true), 0);
		manifest_release(&m);
		files_folder_release(&f);
		if (i > 0)
			plant(test_dir, ".raidtop/1.data", i == 1 ? "" : "somebody's");
		if (i < 2) {
			expect_clean(test_dir, 0, NULL);
			assert_false(exists(test_dir, ".raidtop"));
			continue;
		}
		expect_clean(test_dir, -EBUSY, "1.data, which is not the file that raidtop made");
		take_away(test_dir, ".raidtop/1.data");
		expect_clean(test_dir, 0, NULL);
	}
	close(directory);
}

/* Killed between the renaming and the removal, and while the manifest was written anew. */
static void a_removal_that_was_interrupted_goes_on(void **state)
{
	char from[256], to[256];
	pid_t pid = fork();

	(void)state;
	if (pid == 0) {
		one_file();
		_exit(0);
	}
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	path_below(from, test_dir, ".raidtop/1.data");
	path_below(to, test_dir, ".raidtop/1.data.removing");
	assert_int_equal(rename(from, to), 0);
	plant(test_dir, ".raidtop/manifest.new", "{\"name");
	expect_clean(test_dir, 0, "removed: 1 file of 4.00 MiB");
	assert_false(exists(test_dir, ".raidtop"));
}

/* Many at once, with a removal in between: each gets a file of its own, and no name is lost. */
static void several_at_once(void **state)
{
	enum { PROCESSES = 6, ROUNDS = 4 };
	pid_t pids[PROCESSES];

	(void)state;
	for (int i = 0; i < PROCESSES; i++) {
		pids[i] = fork();
		if (pids[i] != 0)
			continue;
		for (int round = 0; round < ROUNDS; round++) {
			struct shared *s = plan_for(test_dir, 256 * 1024);
			struct files_report nobody = { 0 };
			struct files_handle h;
			struct stat st;

			if (prepare(s, true, &h) < 0) {
				print_error("%s\n", s->sentence);
				_exit(1);
			}
			if (fstat(h.fd, &st) < 0 || st.st_nlink != 1 || st.st_size != 256 * 1024)
				_exit(2);
			files_release(&h);
			(void)files_clean(test_dir, &nobody);
		}
		_exit(0);
	}
	for (int i = 0; i < PROCESSES; i++) {
		int status;

		assert_int_equal(waitpid(pids[i], &status, 0), pids[i]);
		assert_int_equal(status, 0);
	}
	if (exists(test_dir, ".raidtop"))
		expect_clean(test_dir, 0, NULL);
	assert_int_equal(count_things(test_dir), 1);
}

static int set_up(void **state)
{
	int r = make_test_dir(state);

	if (r == 0)
		plant(test_dir, "bystander", "precious");
	return r;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_killed_worker_leaves_nothing_unknown),
		cmocka_unit_test(nor_without_unnamed_files),
		cmocka_unit_test(nor_in_a_tree),
		cmocka_unit_test(a_file_that_is_only_announced_is_found),
		cmocka_unit_test(a_removal_that_was_interrupted_goes_on),
		cmocka_unit_test(several_at_once),
	};

	return cmocka_run_group_tests(tests, set_up, remove_test_tree);
}
