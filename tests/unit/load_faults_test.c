/*
 * Streams on devices that fail (a sector that cannot be read, a device that goes away, one that
 * never answers), and on a filesystem without direct access. All of them are made of loop
 * devices, for which root is needed; the files behind them are this test's own.
 */
#include "load_loop.h"

#include <linux/fs.h>
#include <sys/prctl.h>

static void an_unreadable_sector_is_told_with_its_offset(void **state)
{
	struct stream_view v;
	struct stream_spec spec;
	struct stream *s;
	struct loop loop;
	char path[128];

	(void)state;
	make_file(path, sizeof(path), "bad", 4 * MIB);
	loop_attach(&loop, path);
	assert_int_equal(truncate(path, 2 * MIB), 0); /* the rest cannot be read any more */
	spec = read_of(loop.path);
	s = start(&spec);
	wait_for_end(s, &v);
	assert_int_equal(v.state, STREAM_FAILED);
	assert_in(v.why, "failed at byte 2097152: Input/output error");
	assert_in(v.why, loop.path);
	assert_int_equal(v.read_bytes, 2 * MIB);
	assert_int_equal(v.read_ios, 2);
	stream_free(s);
	loop_release(&loop);
}

static void a_device_that_goes_away_is_told(void **state)
{
	struct stream_view v;
	struct stream_spec spec;
	struct stream *s;
	struct loop loop;
	char path[128];
	pid_t worker;

	(void)state;
	make_file(path, sizeof(path), "gone", 4 * MIB);
	loop_attach(&loop, path);
	spec = read_of(loop.path);
	s = start(&spec);
	wait_for_ios(s, 1, &v);
	worker = find_worker(getpid());
	kill(worker, SIGSTOP); /* it must see nothing in between */
	wait_for_state(worker, 'T');
	assert_int_equal(truncate(path, 0), 0);
	assert_int_equal(ioctl(loop.fd, LOOP_SET_CAPACITY, 0), 0);
	kill(worker, SIGCONT);
	wait_for_end(s, &v);
	assert_int_equal(v.state, STREAM_FAILED);
	assert_in(v.why, "is gone");
	stream_free(s);
	loop_release(&loop);
}

/*
 * A filesystem on a loop device, and a second loop device on a file in it. While the filesystem
 * is frozen, a write to the second one hangs, and so do the reads behind it in its queue.
 */
struct stack {
	struct loop outer; /* carries the filesystem */
	struct loop inner;
	char mounted[128];
	bool is_mounted;
	int mount_fd; /* while frozen; -1 */
	pid_t guard;  /* thaws it, also when this program is killed */
	pid_t writer;
};

static struct stack stack;

static void stack_mount(struct stack *k, const char *options)
{
	mount_filesystem(&k->outer, k->mounted, sizeof(k->mounted), options);
	k->is_mounted = true;
}

/* Hangs in the kernel until the thaw. */
static pid_t write_block(const char *device)
{
	pid_t pid = fork();

	if (pid == 0) {
		static _Alignas(4096) unsigned char block[4096];
		int fd = open(device, O_WRONLY | O_DIRECT);

		_exit(pwrite(fd, block, sizeof(block), 0) == sizeof(block) ? 0 : 1);
	}
	return pid;
}

/* A filesystem that stays frozen would be a trap on the machine of whoever runs this test. */
static pid_t guard_start(int mount_fd, const char *mounted)
{
	pid_t parent = getpid();
	sigset_t set;
	int number;
	pid_t pid = fork();

	if (pid != 0)
		return pid;
	setpgid(0, 0); /* whoever ends the test may end its group */
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	prctl(PR_SET_PDEATHSIG, SIGUSR1);
	if (getppid() == parent)
		sigwait(&set, &number);
	ioctl(mount_fd, FITHAW, 0);
	if (getppid() != parent)
		umount2(mounted, MNT_DETACH);
	_exit(0);
}

static void stack_freeze(struct stack *k)
{
	k->mount_fd = open(k->mounted, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_true(k->mount_fd >= 0);
	k->guard = guard_start(k->mount_fd, k->mounted);
	assert_int_equal(ioctl(k->mount_fd, FIFREEZE, 0), 0);
	k->writer = write_block(k->inner.path);
	wait_for_state(k->writer, 'D');
}

static void stack_thaw(struct stack *k)
{
	if (k->mount_fd >= 0) {
		ioctl(k->mount_fd, FITHAW, 0);
		close(k->mount_fd);
		k->mount_fd = -1;
		kill(k->guard, SIGUSR1);
		waitpid(k->guard, NULL, 0);
	}
	if (k->writer > 0)
		waitpid(k->writer, NULL, 0);
	k->writer = 0;
}

static int stack_set_up(void **state)
{
	(void)state;
	memset(&stack, 0, sizeof(stack));
	stack.outer.fd = stack.inner.fd = stack.mount_fd = -1;
	return 0;
}

/* Also after a failed check: a frozen filesystem must not be left behind. */
static int stack_tear_down(void **state)
{
	struct stack *k = &stack;
	uint64_t until_ns = clock_monotonic_ns() + PATIENCE_NS;
	pid_t worker;

	(void)state;
	stack_thaw(k);
	while ((worker = find_worker(getpid())) > 0) { /* it would hold the filesystem */
		kill(worker, SIGKILL);
		nap();
	}
	if (k->inner.fd >= 0)
		loop_release(&k->inner);
	while (k->is_mounted && umount(k->mounted) < 0 && clock_monotonic_ns() < until_ns)
		nap(); /* a loop device lets go of its file a little later */
	if (k->outer.fd >= 0)
		loop_release(&k->outer);
	if (k->mounted[0] != '\0')
		rmdir(k->mounted);
	return 0;
}

/* Waits for the worker to hang in a transfer, not merely to wait for one that is answered. */
static void wait_for_hang(struct stream *s, pid_t worker, struct stream_view *v)
{
	uint64_t until_ns = clock_monotonic_ns() + PATIENCE_NS;

	do {
		nap();
		stream_refresh(s, clock_monotonic_ns(), v);
	} while (v->oldest_io_ns < 100 * NS_PER_MS && clock_monotonic_ns() < until_ns);
	assert_true(v->oldest_io_ns >= 100 * NS_PER_MS);
	assert_int_equal(process_state(worker), 'D');
}

/* By calls of this module only, as the program would. */
static void wait_until_reaped(pid_t worker)
{
	uint64_t until_ns = clock_monotonic_ns() + PATIENCE_NS;
	struct stream_spec spec = read_of("/dev/nosuch");
	struct stream *s;
	char why[160];

	while (process_state(worker) != 0 && clock_monotonic_ns() < until_ns) {
		nap();
		assert_int_equal(start_stream(&spec, &s, why, sizeof(why)), -ENOENT);
	}
	assert_int_equal(process_state(worker), 0);
}

static void a_worker_that_hangs_holds_nothing(void **state)
{
	struct stack *k = &stack;
	struct stream_view v;
	struct stream_spec spec;
	struct stream *s;
	char path[128];
	uint64_t before_ns;
	pid_t worker;

	(void)state;
	stack_mount(k, NULL);
	make_file(path, sizeof(path), "mounted/inner", 8 * MIB);
	loop_attach(&k->inner, path);
	stack_freeze(k);
	spec = read_of(k->inner.path);
	s = start(&spec);
	worker = wait_for_worker(getpid());
	wait_for_hang(s, worker, &v);
	assert_int_equal(v.state, STREAM_RUNNING);
	before_ns = clock_monotonic_ns();
	stream_stop(s);
	stream_refresh(s, clock_monotonic_ns(), &v);
	assert_int_equal(v.state, STREAM_STOPPING);
	assert_false(stream_is_over(s));
	stream_free(s);
	assert_true(clock_monotonic_ns() - before_ns < NS_PER_SEC);
	assert_int_equal(process_state(worker), 'D'); /* so it was not waited for */
	stack_thaw(k);
	wait_until_reaped(worker);
}

/* A second pass must not come from what the first one left in the page cache. */
static void reads_through_the_cache_reach_the_disk(void **state)
{
	struct stack *k = &stack;
	struct stream_view v;
	struct stream_spec spec;
	struct stream *s;
	char path[128];

	(void)state;
	stack_mount(k, "data=journal"); /* with which ext4 has no direct access */
	make_file(path, sizeof(path), "mounted/file", 4 * MIB);
	spec = read_of(path);
	s = start(&spec);
	wait_for_ios(s, 17, &v);
	assert_in(v.why, "refuses direct access: read through the page cache");
	assert_true(fetched_bytes(find_worker(getpid())) >= v.read_bytes);
	stream_stop(s);
	wait_for_end(s, &v);
	assert_int_equal(v.state, STREAM_ENDED);
	stream_free(s);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_unreadable_sector_is_told_with_its_offset),
		cmocka_unit_test(a_device_that_goes_away_is_told),
		cmocka_unit_test_setup_teardown(a_worker_that_hangs_holds_nothing, stack_set_up,
						stack_tear_down),
		cmocka_unit_test_setup_teardown(reads_through_the_cache_reach_the_disk,
						stack_set_up, stack_tear_down),
	};

	if (argc > 1 && strcmp(argv[1], STREAM_WORKER_ARGUMENT) == 0)
		return stream_worker_main(argc, argv);
	return cmocka_run_group_tests_name("load_faults", tests, make_test_dir, remove_test_dir);
}
