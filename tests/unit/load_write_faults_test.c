/*
 * Streams that write, on a filesystem that turns read-only or takes no more (it is full, or the
 * quota is used up) and on a device that refuses writes; and io_uring where it is forbidden. What
 * needs root is skipped without it.
 */
#include "load_loop.h"
#include "load_trial.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>

#include "load/stream_tell.h"

#define FILE_BYTES (8 * MIB)

static struct {
	struct loop outer, inner;
	char mounted[128];
	bool is_mounted;
} place;

static int set_up(void **state)
{
	(void)state;
	memset(&place, 0, sizeof(place));
	place.outer.fd = place.inner.fd = -1;
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	if (place.inner.fd >= 0)
		loop_release(&place.inner);
	if (place.is_mounted)
		unmount_filesystem(&place.outer, place.mounted);
	return 0;
}

static void mount_place(const char *options)
{
	mount_filesystem(&place.outer, place.mounted, sizeof(place.mounted), options);
	place.is_mounted = true;
}

/* A file of FILE_BYTES of which nothing is written yet. */
static void make_sparse(char *path, size_t size, const char *name)
{
	int fd;

	test_path(path, size, name);
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, FILE_BYTES), 0);
	close(fd);
}

static void fill_up(void)
{
	static const unsigned char data[64 * KIB];
	char path[128];
	int fd;

	test_path(path, sizeof(path), "mounted/filler");
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	while (write(fd, data, sizeof(data)) > 0)
		;
	assert_int_equal(errno, ENOSPC);
	close(fd);
}

static void assert_told(const struct trial *t, const char *says)
{
	char why[160];

	stream_tell_failure(t->shared, t->status, why, sizeof(why));
	assert_in(why, says);
}

static const struct {
	const char *engine;
	unsigned int depth;
	enum stream_access access;
} ways[] = { { "psync", 1, STREAM_DIRECT },
	     { "psync", 1, STREAM_BUFFERED },
	     { "uring", 8, STREAM_DIRECT } };

static struct shared_plan plan_by(size_t i)
{
	struct shared_plan plan = trial_plan("seq-write", FILE_BYTES);

	print_message("  %s, depth %u, access %d\n", ways[i].engine, ways[i].depth,
		      (int)ways[i].access);
	text_copy(plan.spec.engine, sizeof(plan.spec.engine), ways[i].engine);
	text_copy(plan.spec.target, sizeof(plan.spec.target), "/mnt/target");
	plan.spec.depth = ways[i].depth;
	plan.spec.access = ways[i].access;
	return plan;
}

/* The file behind a device has no room: writes fail there, or at the sync for those buffered. */
static void a_device_that_refuses_writes_ends_the_stream(void **state)
{
	char path[128];

	(void)state;
	mount_place(NULL);
	make_sparse(path, sizeof(path), "mounted/backing");
	fill_up();
	loop_attach(&place.inner, path);
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		struct shared_plan plan = plan_by(i);
		struct trial t;

		int fd = open(place.inner.path, O_RDWR | O_CLOEXEC);

		plan.target = SHARED_TARGET_DEVICE;
		plan.spec.limit_bytes = FILE_BYTES;
		trial_start_fd(&t, &plan, fd);
		close(fd);
		trial_wait(&t);
		assert_int_equal(trial_phase(&t), PHASE_FAILED);
		assert_true(shared_get(&t.shared->errors) > 0);
		if (plan.spec.access == STREAM_BUFFERED) {
			assert_int_equal(trial_failure(&t), FAILURE_SYNC);
			assert_told(&t, "could not be synced");
		} else {
			assert_int_equal(trial_failure(&t), FAILURE_IO);
			assert_int_equal(atomic_load(&t.shared->error_writing), 1);
		}
		trial_release(&t);
	}
}

static void a_filesystem_that_turns_read_only_ends_the_stream(void **state)
{
	struct shared_plan plan = plan_by(0);
	struct trial t;
	char trigger[128];
	int fd;

	(void)state;
	mount_place("errors=remount-ro");
	text_copy(plan.spec.target, sizeof(plan.spec.target), place.mounted);
	text_format(trigger, sizeof(trigger), "/sys/fs/ext4/%s/trigger_fs_error",
		    place.outer.path + strlen("/dev/"));
	fd = open(trigger, O_WRONLY | O_CLOEXEC);
	if (fd < 0) {
		print_message("skipped: no %s here\n", trigger);
		skip();
	}
	trial_start(&t, &plan);
	trial_wait_for_ios(&t, 1);
	assert_true(write(fd, "test", 4) == 4);
	close(fd);
	trial_wait(&t);
	assert_int_equal(trial_phase(&t), PHASE_FAILED);
	assert_told(&t, "writing");
	assert_true(atomic_load(&t.shared->error) == EROFS || atomic_load(&t.shared->error) == EIO);
	trial_release(&t);
}

/* From here on, io_uring_setup() says what it says where it is forbidden. */
static bool refuse(unsigned int call, unsigned int error)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { sizeof(filter) / sizeof(filter[0]), filter };

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

/* In a process of its own, as a filter cannot be taken off again: 0, 77 (no filters), or 1. */
static int read_without_io_uring(const char *path)
{
	struct stream_spec spec = { .workload = "rand-read", .depth = 32, .block_bytes = 4096 };
	struct stream_view v = { .read_ios = 0 };
	uint64_t until_ns = clock_monotonic_ns() + PATIENCE_NS;
	struct stream *s;
	char why[160];

	text_copy(spec.target, sizeof(spec.target), path);
	if (!refuse(SYS_io_uring_setup, EPERM))
		return 77;
	if (start_stream(&spec, &s, why, sizeof(why)) < 0)
		return 1;
	while (v.read_ios < 100 && !stream_is_over(s) && clock_monotonic_ns() < until_ns) {
		nap();
		stream_refresh(s, clock_monotonic_ns(), &v);
	}
	if (v.read_ios < 100 || !strstr(v.why, "io_uring is not to be had here (Operation not "
					       "permitted): one transfer at a time")) {
		fprintf(stderr, "%s\n", v.why);
		return 1;
	}
	stream_free(s);
	return 0;
}

/* What a filesystem answers where it takes no more: here the kernel does, before it is asked. */
struct refusal {
	const char *workload;
	unsigned int call, error;
	const char *sentence;
};

/* As above; also 1 where something of the file stays. */
static int write_what_is_refused(const struct refusal *refusal, const char *path)
{
	struct stream_spec spec = { .size_bytes = FILE_BYTES };
	struct stream_view v = { .read_ios = 0 };
	uint64_t until_ns = clock_monotonic_ns() + PATIENCE_NS;
	char data[PATH_MAX], why[160];
	struct stream *s;

	text_copy(spec.workload, sizeof(spec.workload), refusal->workload);
	text_copy(spec.target, sizeof(spec.target), path);
	if (!refuse(refusal->call, refusal->error))
		return 77;
	if (start_stream(&spec, &s, why, sizeof(why)) < 0)
		return 1;
	while (!stream_is_over(s) && clock_monotonic_ns() < until_ns) {
		nap();
		stream_refresh(s, clock_monotonic_ns(), &v);
	}
	stream_free(s);
	text_format(data, sizeof(data), "%s/.raidtop/1.data", path);
	return v.state == STREAM_FAILED && strstr(v.why, refusal->sentence) &&
			       access(data, F_OK) < 0
		       ? 0
		       : 1;
}

static void where_no_more_fits_the_stream_ends_with_its_sentence(void **state)
{
	static const struct refusal refusals[] = {
		{ "seq-write", SYS_fallocate, EDQUOT, "the quota there is used up" },
		{ "seq-write", SYS_fallocate, ENOSPC, "is full: make room" },
		{ "seq-write", SYS_pwrite64, EDQUOT, "the quota there is used up" },
		{ "rand-read", SYS_pwrite64, ENOSPC, "is full: make room" },
		{ "create", SYS_write, EDQUOT, "quota" },
	};
	char path[128];
	int status;

	(void)state;
	test_path(path, sizeof(path), "refused");
	assert_int_equal(mkdir(path, 0700), 0);
	for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
		pid_t pid = fork();

		if (pid == 0)
			_exit(write_what_is_refused(&refusals[i], path));
		assert_int_equal(waitpid(pid, &status, 0), pid);
		if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
			skip();
		if (status != 0)
			fail_msg("%s, call %u, error %u", refusals[i].workload, refusals[i].call,
				 refusals[i].error);
	}
}

static void where_io_uring_is_forbidden_it_goes_on_without(void **state)
{
	char path[128];
	int status;
	pid_t pid;

	(void)state;
	make_file(path, sizeof(path), "forbidden", FILE_BYTES);
	pid = fork();
	if (pid == 0)
		_exit(read_without_io_uring(path));
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77) {
		print_message("skipped: no seccomp filters here\n");
		skip();
	}
	assert_int_equal(status, 0);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_device_that_refuses_writes_ends_the_stream,
						set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_filesystem_that_turns_read_only_ends_the_stream,
						set_up, tear_down),
		cmocka_unit_test(where_io_uring_is_forbidden_it_goes_on_without),
		cmocka_unit_test(where_no_more_fits_the_stream_ends_with_its_sentence),
	};

	if (argc > 1 && strcmp(argv[1], STREAM_WORKER_ARGUMENT) == 0)
		return stream_worker_main(argc, argv);
	return cmocka_run_group_tests_name("load_write_faults", tests, make_test_dir,
					   remove_trial_dir);
}
