/*
 * Streams on a directory, as raidtop starts them: each workload runs on a file or tree of its own,
 * and at the end of raidtop nothing is left but what was to be kept.
 */
#include "load_files_support.h"

#include "load/workload.h"
#include "raidtop/remover.h"

#define REMOVAL_NS (20 * NS_PER_SEC)

static struct stream_spec spec_of(const char *workload, const char *target)
{
	struct stream_spec spec = { .size_bytes = 4 * MIB, .time_ns = 20 * NS_PER_SEC };

	text_copy(spec.workload, sizeof(spec.workload), workload);
	text_copy(spec.target, sizeof(spec.target), target);
	return spec;
}

static void wait_for_operations(struct stream *s, uint64_t n, struct stream_view *v)
{
	uint64_t until_ns = clock_monotonic_ns() + PATIENCE_NS;

	do {
		nap();
		stream_refresh(s, clock_monotonic_ns(), v);
	} while (v->read_ios + v->write_ios < n && !stream_is_over(s) &&
		 clock_monotonic_ns() < until_ns);
	if (v->read_ios + v->write_ios < n)
		print_error("%s: %s\n", v->spec.workload, v->why);
	assert_true(v->read_ios + v->write_ios >= n);
}

static void expect_removed(const char *said)
{
	struct heard h;

	heard_init(&h);
	if (remover_run(REMOVAL_NS, &h.report) != 0)
		print_error("%s", buffer_text(&h.text));
	assert_int_equal(h.report.left, 0);
	if (said)
		assert_in(buffer_text(&h.text), said);
	else
		assert_string_equal(buffer_text(&h.text), "");
	heard_release(&h);
}

static void each_workload_runs_below_a_directory(void **state)
{
	const struct workload *w;

	(void)state;
	skip_without_a_mount();
	for (size_t i = 0; (w = workload_get(i)); i++) {
		struct stream_spec spec = spec_of(w->name, test_dir);
		struct stream_view v = { 0 };
		struct stream *s = start(&spec);

		print_message("  %s\n", w->name);
		wait_for_operations(s, 20, &v);
		assert_in(v.file, w->tree ? ".tree" : ".data");
		stream_stop(s);
		wait_for_end(s, &v);
		assert_int_equal(v.state, STREAM_ENDED);
		assert_int_equal(v.errors, 0);
		assert_true(w->reads ? v.read_ios > 0 : v.read_ios == 0);
		assert_true(w->writes || v.write_ios == 0);
		stream_free(s);
	}
	expect_removed(NULL);
	assert_false(exists(test_dir, ".raidtop"));
}

/* Whole passes come and go, and the time between them is left out. */
static void many_passes_of_creating(void **state)
{
	struct stream_spec spec = spec_of("create", test_dir);
	struct stream_view v = { 0 };
	struct stream *s;

	(void)state;
	skip_without_a_mount();
	spec.size_bytes = 100 * 4096;
	s = start(&spec);
	wait_for_operations(s, 250, &v);
	stream_stop(s);
	wait_for_end(s, &v);
	assert_int_equal(v.state, STREAM_ENDED);
	assert_true(v.write_ios >= 250);
	assert_true(v.paused_ns > 0);
	assert_int_equal(v.write_bytes, 0); /* files are empty by default */
	stream_free(s);
	expect_removed(NULL);
}

static void what_is_kept_is_told_and_used_again(void **state)
{
	struct stream_spec spec = spec_of("seq-read", test_dir);
	struct stream_view v = { 0 };

	(void)state;
	skip_without_a_mount();
	spec.keep = true;
	for (int i = 0; i < 2; i++) {
		struct stream *s = start(&spec);

		wait_for_operations(s, 8, &v);
		assert_string_equal(v.file, "1.data");
		assert_int_equal(v.prepare_bytes, i ? 0 : 4 * MIB);
		stream_free(s); /* killed: the remover waits until the file is free */
		expect_removed("/.raidtop/1.data, 4.00 MiB");
		assert_true(exists(test_dir, ".raidtop/1.data"));
	}
	expect_clean(test_dir, 0, NULL);
}

static void killed_workers_leave_nothing_behind_at_the_end(void **state)
{
	struct stream *s[4];
	struct stream_view v = { 0 };

	(void)state;
	skip_without_a_mount();
	for (int i = 0; i < 4; i++) {
		struct stream_spec spec = spec_of(i < 2 ? "rand-write" : "untar", test_dir);

		s[i] = start(&spec);
	}
	for (int i = 0; i < 4; i++)
		wait_for_operations(s[i], 20, &v);
	for (int i = 0; i < 4; i++)
		stream_free(s[i]);
	expect_removed(NULL);
	assert_false(exists(test_dir, ".raidtop"));
}

/* The directory's filesystem is pulled away: that stream ends and says so. */
static void a_mount_pulled_away_is_told(void **state)
{
	struct stream_spec spec;
	struct stream_view v = { 0 };
	struct stream *s;
	struct heard h;
	char path[256];

	(void)state;
	mount_new("mkfs.ext4", 64 * MIB, "pulled", path);
	spec = spec_of("create", path);
	spec.size_bytes = 50 * 4096;
	s = start(&spec);
	wait_for_operations(s, 20, &v);
	assert_int_equal(umount2(path, MNT_DETACH), 0);
	wait_for_end(s, &v);
	assert_int_equal(v.state, STREAM_FAILED);
	assert_in(v.why, "create in ");
	stream_free(s);
	heard_init(&h);
	(void)remover_run(REMOVAL_NS, &h.report); /* by the descriptor, where it was */
	heard_release(&h);
	assert_int_equal(rmdir(path), 0);
}

static void a_full_filesystem_ends_that_stream(void **state)
{
	struct stream_spec spec;
	struct stream_view v = { 0 };
	struct stream *s;
	char path[256];
	int fd;

	(void)state;
	mount_new("mkfs.ext4", 64 * MIB, "brimful", path);
	spec = spec_of("untar", path);
	spec.size_bytes = 20 * MIB;
	s = start(&spec);
	wait_for_operations(s, 10, &v);
	stream_pause(s);
	fd = open_directory(path); /* somebody else fills it meanwhile */
	{
		int hog = openat(fd, "hog", O_RDWR | O_CREAT | O_CLOEXEC, 0600);

		assert_true(hog >= 0);
		for (off_t at = 0; fallocate(hog, 0, at, 65536) == 0; at += 65536)
			;
		close(hog);
	}
	close(fd);
	stream_resume(s);
	wait_for_end(s, &v);
	assert_int_equal(v.state, STREAM_FAILED);
	assert_in(v.why, "No space left on device");
	stream_free(s);
	expect_removed(NULL);
	assert_false(exists(path, ".raidtop"));
	take_away(path, "hog");
	unmount(path);
}

/* A disk that does not answer: raidtop does not wait for it. */
static void a_removal_that_hangs_does_not_hold_the_end(void **state)
{
	const char *freeze[] = { "fsfreeze", "-f", NULL, NULL };
	const char *thaw[] = { "fsfreeze", "-u", NULL, NULL };
	struct stream_spec spec;
	struct stream_view v = { 0 };
	struct stream *s;
	struct heard h;
	char path[256];

	(void)state;
	mount_new("mkfs.ext4", 64 * MIB, "frozen", path);
	freeze[2] = thaw[2] = path;
	spec = spec_of("seq-read", path);
	s = start(&spec);
	wait_for_operations(s, 4, &v);
	stream_stop(s);
	wait_for_end(s, &v);
	stream_free(s);
	heard_init(&h);
	if (run_quietly(freeze) != 0) {
		(void)remover_run(REMOVAL_NS, &h.report);
		unmount(path);
		skip();
	}
	assert_int_equal(remover_run(NS_PER_SEC / 2, &h.report), -EBUSY);
	assert_int_equal(run_quietly(thaw), 0);
	assert_in(buffer_text(&h.text), "are not removed yet, as their disk is slow to answer");
	heard_release(&h);
	while (waitpid(-1, NULL, 0) > 0) /* it goes on by itself */
		;
	assert_false(exists(path, ".raidtop"));
	unmount(path);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_workload_runs_below_a_directory),
		cmocka_unit_test(many_passes_of_creating),
		cmocka_unit_test(what_is_kept_is_told_and_used_again),
		cmocka_unit_test(killed_workers_leave_nothing_behind_at_the_end),
		cmocka_unit_test(a_mount_pulled_away_is_told),
		cmocka_unit_test(a_full_filesystem_ends_that_stream),
		cmocka_unit_test(a_removal_that_hangs_does_not_hold_the_end),
	};

	if (argc > 1 && strcmp(argv[1], STREAM_WORKER_ARGUMENT) == 0)
		return stream_worker_main(argc, argv);
	if (argc > 1 && strcmp(argv[1], REMOVER_ARGUMENT) == 0)
		return remover_main(argc, argv);
	return cmocka_run_group_tests(tests, make_test_dir, remove_test_tree);
}
