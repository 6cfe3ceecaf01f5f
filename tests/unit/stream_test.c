/*
 * Streams as a whole: this program is started as the worker, too, because a worker is always the
 * program that started it. What is read is a file of known size, so that the figures are exact.
 */
#include "load_support.h"

#include "raidtop/memory.h"

#define BLOCK (1024 * 1024)

/* Blocks of a file as they come: all whole but the last of each pass. */
static uint64_t bytes_of(uint64_t ios, uint64_t file_bytes, uint64_t block_bytes)
{
	uint64_t per_pass = (file_bytes + block_bytes - 1) / block_bytes;

	return ios / per_pass * file_bytes + ios % per_pass * block_bytes;
}

static const struct read_case {
	const char *name;
	size_t file_bytes;
	uint64_t block_bytes; /* 0: the workload's own */
} read_cases[] = {
	{ "whole blocks", 3 * BLOCK, 0 },
	{ "an end within a sector", 3 * BLOCK + 1000, 0 },
	{ "smaller blocks", 3 * BLOCK + 4096, 65536 },
	{ "larger than the file", 12345, 4 * BLOCK },
};

static void reads_every_byte_twice(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(read_cases) / sizeof(read_cases[0]); i++) {
		const struct read_case *c = &read_cases[i];
		uint64_t block = c->block_bytes ? c->block_bytes : BLOCK;
		struct stream_view v;
		struct stream_spec spec;
		struct stream *s;
		char path[128];

		print_message("  %s\n", c->name);
		make_file(path, sizeof(path), "read", c->file_bytes);
		spec = read_of(path);
		spec.block_bytes = c->block_bytes;
		s = start(&spec);
		wait_for_ios(s, 2 * ((c->file_bytes + block - 1) / block) + 1, &v);
		assert_int_equal(v.state, STREAM_RUNNING);
		stream_stop(s);
		wait_for_end(s, &v);
		assert_int_equal(v.state, STREAM_ENDED);
		assert_int_equal(v.spec.block_bytes, block);
		assert_int_equal(v.read_bytes, bytes_of(v.read_ios, c->file_bytes, block));
		assert_true(v.read_bytes > 2 * c->file_bytes);
		assert_true(v.read_ns > 0 && v.read_ns <= v.running_ns);
		assert_int_equal(v.oldest_io_ns, 0);
		assert_int_equal(v.write_bytes + v.write_ios + v.write_ns, 0);
		assert_true(v.why[0] != '\0');
		stream_free(s);
	}
}

static void direct_reads_reach_the_disk(void **state)
{
	struct stream_view v;
	struct stream_spec spec;
	struct stream *s;
	char path[128];

	(void)state;
	make_file(path, sizeof(path), "direct", 4 * BLOCK); /* all of it in the page cache now */
	spec = read_of(path);
	s = start(&spec);
	wait_for_ios(s, 9, &v);
	if (v.why[0] != '\0') {
		print_message("skipped: %s\n", v.why);
		stream_free(s);
		skip();
	}
	assert_true(fetched_bytes(find_worker(getpid())) >= v.read_bytes);
	stream_free(s);
}

static void ends_when_its_time_is_over(void **state)
{
	struct stream_view v;
	struct stream_spec spec;
	struct stream *s;
	char path[128];

	(void)state;
	make_file(path, sizeof(path), "time", BLOCK);
	spec = read_of(path);
	spec.time_ns = 100 * NS_PER_MS;
	s = start(&spec);
	wait_for_end(s, &v);
	assert_int_equal(v.state, STREAM_ENDED);
	assert_true(v.running_ns >= spec.time_ns);
	assert_true(v.read_bytes >= BLOCK);
	stream_free(s);
}

/* On a clock of the test's own, which runs ahead of the worker's. */
static void rates_are_of_the_last_interval(void **state)
{
	struct stream_view first, soon, last;
	struct stream_spec spec;
	struct stream *s;
	char path[128];
	uint64_t until_ns = clock_monotonic_ns() + PATIENCE_NS;
	uint64_t from_ns;

	(void)state;
	make_file(path, sizeof(path), "rate", 4 * BLOCK);
	spec = read_of(path);
	s = start(&spec);
	stream_refresh(s, 1, &first); /* before any transfer, on this clock */
	assert_true(first.read_bytes_per_sec < 0);
	assert_true(first.write_bytes_per_sec < 0);
	wait_for_ios(s, 1, &first);
	from_ns = clock_monotonic_ns() + NS_PER_SEC;
	stream_refresh(s, from_ns, &first);
	assert_true(first.read_bytes_per_sec > 0);
	do { /* as after a SIGCHLD: too soon for a rate */
		nap();
		stream_refresh(s, from_ns + NS_PER_MS, &soon);
		assert_true(soon.read_bytes_per_sec == first.read_bytes_per_sec);
	} while (soon.read_bytes == first.read_bytes && clock_monotonic_ns() < until_ns);
	stream_refresh(s, from_ns + 2 * NS_PER_SEC, &last);
	assert_true(last.read_bytes > first.read_bytes);
	assert_true(last.read_bytes_per_sec == (double)(last.read_bytes - first.read_bytes) / 2);
	assert_true(last.write_bytes_per_sec == 0);
	stream_free(s);
}

static void a_refresh_allocates_nothing(void **state)
{
	struct stream_view v;
	struct stream_spec spec;
	struct stream *s;
	char path[128];
	size_t before;

	(void)state;
	make_file(path, sizeof(path), "tick", BLOCK);
	spec = read_of(path);
	s = start(&spec);
	before = memory_allocations();
	for (int i = 0; i < 1000; i++)
		stream_refresh(s, clock_monotonic_ns(), &v);
	assert_int_equal(memory_allocations(), before);
	stream_free(s);
}

static const struct refusal_case {
	const char *name;
	const char *workload;
	const char *target;
	uint64_t block_bytes;
	int r;
	const char *says;
} refusal_cases[] = {
	{ "unknown workload", "seq-raed", "/dev/null", 0, -EINVAL, "no workload \"seq-raed\"" },
	{ "misspelt device", "seq-read", "/dev/nosuch", 0, -ENOENT, "there is no /dev/nosuch" },
	{ "directory of the kernel", "seq-read", "/proc", 0, -EPERM, "/proc lies on proc" },
	{ "character device", "seq-read", "/dev/null", 0, -ENOTBLK, "/dev/null is no disk" },
	{ "tiny block", "seq-read", "/dev/nosuch", 100, -EINVAL, "take 512 bytes to 64 MiB" },
	{ "huge block", "seq-read", "/dev/nosuch", 1 << 30, -EINVAL, "take 512 bytes to 64 MiB" },
	{ "nothing", "seq-read", "", 0, -ENOENT, "check the name" },
	{ "steers a terminal", "seq-read", "/dev/\033[31m", 0, -ENOENT, "/dev/?[31m" },
};

static void refusals_are_told_at_once(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(refusal_cases) / sizeof(refusal_cases[0]); i++) {
		const struct refusal_case *c = &refusal_cases[i];
		struct stream_spec spec = read_of(c->target);
		struct stream *s = NULL;
		char why[160] = "";

		print_message("  %s\n", c->name);
		text_copy(spec.workload, sizeof(spec.workload), c->workload);
		spec.block_bytes = c->block_bytes;
		assert_int_equal(start_stream(&spec, &s, why, sizeof(why)), c->r);
		assert_null(s);
		assert_in(why, c->says);
	}
}

/* In a process that is nobody: its status says what happened. */
static int read_as_nobody(const char *path)
{
	struct stream_spec spec = { .workload = "seq-read" };
	struct stream *s;
	char why[160] = "";
	int r;

	if (geteuid() == 0 && (setgid(NOBODY) < 0 || setuid(NOBODY) < 0))
		return 2;
	text_copy(spec.target, sizeof(spec.target), path);
	r = start_stream(&spec, &s, why, sizeof(why));
	if (r == -EACCES && strstr(why, "no permission to read") && strstr(why, "as root"))
		return 0;
	fprintf(stderr, "%d: %s\n", r, why);
	return 1;
}

static void a_missing_permission_is_told_at_once(void **state)
{
	char path[128];
	int status;
	pid_t pid;

	(void)state;
	make_file(path, sizeof(path), "secret", 4096);
	assert_int_equal(chmod(path, 0), 0);
	pid = fork();
	if (pid == 0)
		_exit(read_as_nobody(path));
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static void a_killed_worker_is_told(void **state)
{
	struct stream_view v;
	struct stream_spec spec;
	struct stream *s;
	char path[128];

	(void)state;
	make_file(path, sizeof(path), "killed", BLOCK);
	spec = read_of(path);
	s = start(&spec);
	wait_for_ios(s, 1, &v);
	assert_int_equal(kill(find_worker(getpid()), SIGTERM), 0);
	wait_for_end(s, &v);
	assert_int_equal(v.state, STREAM_FAILED);
	assert_in(v.why, "killed by signal 15");
	assert_true(v.read_bytes >= v.read_ios * BLOCK); /* killed between the two, perhaps */
	assert_true(v.read_bytes <= (v.read_ios + 1) * BLOCK);
	assert_int_equal(v.oldest_io_ns, 0);
	stream_free(s);
}

static void a_file_cut_short_is_told(void **state)
{
	struct stream_view v;
	struct stream_spec spec;
	struct stream *s;
	char path[128];

	(void)state;
	make_file(path, sizeof(path), "cut", 2 * BLOCK);
	spec = read_of(path);
	s = start(&spec);
	wait_for_ios(s, 1, &v);
	assert_int_equal(truncate(path, BLOCK), 0);
	wait_for_end(s, &v);
	assert_int_equal(v.state, STREAM_FAILED);
	assert_in(v.why, "ended at byte 1048576, it had 2097152 before");
	stream_free(s);
}

/* sysfs has no direct access, and hands out 4 KiB a call. */
static void without_direct_access_it_says_so(void **state)
{
	static const char path[] = "/sys/kernel/btf/vmlinux";
	struct stream_view v;
	struct stream_spec spec = read_of(path);
	struct stat st;
	struct stream *s;

	(void)state;
	if (stat(path, &st) < 0 || access(path, R_OK) < 0 || st.st_size == 0) {
		print_message("skipped: no %s to read here\n", path);
		skip();
	}
	s = start(&spec);
	wait_for_ios(s, 2, &v);
	assert_in(v.why, "refuses direct access: read through the page cache");
	stream_stop(s);
	wait_for_end(s, &v);
	assert_int_equal(v.state, STREAM_ENDED);
	assert_in(v.why, "page cache");
	assert_int_equal(v.read_bytes, bytes_of(v.read_ios, (uint64_t)st.st_size, BLOCK));
	stream_free(s);
}

static size_t count_descriptors(pid_t pid, int *ret_highest)
{
	char path[64];
	struct dirent *entry;
	size_t n = 0;
	DIR *dir;

	*ret_highest = -1;
	text_format(path, sizeof(path), "/proc/%d/fd", pid);
	dir = opendir(path);
	assert_non_null(dir);
	while ((entry = readdir(dir))) {
		uint64_t fd;

		if (number_parse_u64(entry->d_name, strlen(entry->d_name), &fd) < 0)
			continue;
		n++;
		if ((int)fd > *ret_highest)
			*ret_highest = (int)fd;
	}
	closedir(dir);
	return n;
}

static bool has_status_line(pid_t pid, const char *line)
{
	struct buffer b = BUFFER_INIT;
	char path[64];
	bool has;

	text_format(path, sizeof(path), "/proc/%d/status", pid);
	assert_int_equal(file_read(path, 65536, &b), 0);
	has = strstr(buffer_text(&b), line) != NULL;
	buffer_release(&b);
	return has;
}

/*
 * SIGHUP, SIGUSR1, SIGUSR2 and SIGPIPE, which are for raidtop or for nobody. And whatever
 * posix_spawn starts, the recipes of make among it, ignores glibc's own two signals, 32
 * and 33, and so do its children: glibc lets nobody change that.
 */
static bool ignores_what_a_worker_ignores(pid_t pid)
{
	return has_status_line(pid, "\nSigIgn:\t0000000000001a01\n") ||
	       has_status_line(pid, "\nSigIgn:\t0000000180001a01\n");
}

static void a_worker_inherits_nothing_else(void **state)
{
	int leak = open("/dev/null", O_RDONLY); /* on purpose not closed on exec */
	struct stream_view v;
	struct stream_spec spec;
	struct stream *s;
	sigset_t mask, before;
	char path[128];
	int highest;
	pid_t pid;

	(void)state;
	assert_true(leak >= 0);
	make_file(path, sizeof(path), "worker", BLOCK);
	spec = read_of(path);
	signal(SIGPIPE, SIG_IGN);
	sigemptyset(&mask);
	sigaddset(&mask, SIGUSR1);
	sigprocmask(SIG_BLOCK, &mask, &before);
	s = start(&spec);
	wait_for_ios(s, 1, &v);
	pid = find_worker(getpid());
	/* The shared memory's descriptor is closed once it is mapped: 0, 1, 2 and the target. */
	assert_int_equal(count_descriptors(pid, &highest), 4);
	assert_int_equal(highest, 4);
	assert_int_equal(getpgid(pid), pid);
	assert_true(has_status_line(pid, "\nSigBlk:\t0000000000000000\n"));
	assert_true(ignores_what_a_worker_ignores(pid));
	assert_true(has_status_line(pid, "Name:\traidtop-stream\n"));
	sigprocmask(SIG_SETMASK, &before, NULL);
	signal(SIGPIPE, SIG_DFL);
	stream_free(s);
	close(leak);
}

/* Starts a stream, says on the pipe that it reads, and waits to be killed. */
static _Noreturn void be_a_parent(const char *path, int ready)
{
	struct stream_spec spec = { .workload = "seq-read" };
	struct stream_view v = { .read_ios = 0 };
	struct stream *s;
	char why[160];

	text_copy(spec.target, sizeof(spec.target), path);
	if (start_stream(&spec, &s, why, sizeof(why)) < 0)
		_exit(1);
	while (v.read_ios == 0 && v.state < STREAM_ENDED) {
		nap();
		stream_refresh(s, clock_monotonic_ns(), &v);
	}
	if (write(ready, "", 1) != 1)
		_exit(1);
	for (;;)
		pause();
}

static void a_worker_dies_with_its_parent(void **state)
{
	char path[128], byte;
	int ready[2];
	uint64_t killed_ns;
	pid_t parent, worker;

	(void)state;
	make_file(path, sizeof(path), "orphan", BLOCK);
	assert_int_equal(pipe(ready), 0);
	parent = fork();
	if (parent == 0)
		be_a_parent(path, ready[1]);
	close(ready[1]);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	worker = find_worker(parent);
	assert_true(worker > 0);
	kill(parent, SIGKILL);
	killed_ns = clock_monotonic_ns();
	assert_int_equal(waitpid(parent, NULL, 0), parent);
	while (!process_has_ended(worker) && clock_monotonic_ns() < killed_ns + NS_PER_SEC)
		nap();
	if (process_has_ended(worker))
		return;
	kill(worker, SIGKILL);
	fail_msg("the worker outlived its parent by a second");
}

static void freed_while_running_it_is_gone_and_reaped(void **state)
{
	struct stream_view v;
	struct stream_spec spec;
	struct stream *s;
	char path[128], why[160];
	uint64_t until_ns;
	pid_t pid;

	(void)state;
	make_file(path, sizeof(path), "freed", BLOCK);
	spec = read_of(path);
	s = start(&spec);
	wait_for_ios(s, 1, &v);
	pid = find_worker(getpid());
	stream_free(s);
	until_ns = clock_monotonic_ns() + PATIENCE_NS;
	spec = read_of("/dev/nosuch");
	while (process_state(pid) != 0 && clock_monotonic_ns() < until_ns) {
		assert_int_equal(start_stream(&spec, &s, why, sizeof(why)), -ENOENT);
		nap();
	}
	assert_int_equal(process_state(pid), 0); /* not even a zombie */
	stream_free(NULL);
}

static void a_worker_that_nobody_asked_for_ends(void **state)
{
	static char name[] = "raidtop", argument[] = STREAM_WORKER_ARGUMENT;
	static char number[] = "99", word[] = "x", zero[] = "0";
	char *bare[] = { name, argument, NULL };
	char *words[] = { name, argument, word, word, NULL };
	char *closed[] = { name, argument, number, number, NULL };
	char *no_memory[] = { name, argument, zero, zero, NULL };

	(void)state;
	assert_int_equal(stream_worker_main(2, bare), 2);
	assert_int_equal(stream_worker_main(4, words), 2);
	assert_int_equal(stream_worker_main(4, closed), 2);
	assert_int_equal(stream_worker_main(4, no_memory), 2);
}

static void states_have_names(void **state)
{
	(void)state;
	assert_string_equal(stream_state_name(STREAM_STARTING), "starting");
	assert_string_equal(stream_state_name(STREAM_RUNNING), "running");
	assert_string_equal(stream_state_name(STREAM_STOPPING), "stopping");
	assert_string_equal(stream_state_name(STREAM_ENDED), "ended");
	assert_string_equal(stream_state_name(STREAM_FAILED), "failed");
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_every_byte_twice),
		cmocka_unit_test(direct_reads_reach_the_disk),
		cmocka_unit_test(ends_when_its_time_is_over),
		cmocka_unit_test(rates_are_of_the_last_interval),
		cmocka_unit_test(a_refresh_allocates_nothing),
		cmocka_unit_test(refusals_are_told_at_once),
		cmocka_unit_test(a_missing_permission_is_told_at_once),
		cmocka_unit_test(a_killed_worker_is_told),
		cmocka_unit_test(a_file_cut_short_is_told),
		cmocka_unit_test(without_direct_access_it_says_so),
		cmocka_unit_test(a_worker_inherits_nothing_else),
		cmocka_unit_test(a_worker_dies_with_its_parent),
		cmocka_unit_test(freed_while_running_it_is_gone_and_reaped),
		cmocka_unit_test(a_worker_that_nobody_asked_for_ends),
		cmocka_unit_test(states_have_names),
	};

	if (argc > 1 && strcmp(argv[1], STREAM_WORKER_ARGUMENT) == 0)
		return stream_worker_main(argc, argv);
	return cmocka_run_group_tests_name("stream", tests, make_test_dir, remove_test_dir);
}
