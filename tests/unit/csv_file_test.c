/* The CSV sink's file: where a recording may go, how it is written, and when that fails. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <cmocka.h>

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "raidtop/clock.h"
#include "recording_support.h"

/* ---- what the sink asks of the system, counted and made to fail ---- */

static size_t writes, syncs, longest_write = SIZE_MAX;
static int write_fails_once, sync_error;

ssize_t write(int fd, const void *data, size_t len)
{
	int error = write_fails_once;

	writes++;
	write_fails_once = 0;
	if (error) {
		errno = error;
		return -1;
	}
	return syscall(SYS_write, fd, data, len < longest_write ? len : longest_write);
}

int fdatasync(int fd)
{
	syncs++;
	if (!sync_error)
		return (int)syscall(SYS_fdatasync, fd);
	errno = sync_error;
	return -1;
}

/* ---- where it goes ---- */

static int try_sink(const char *path, bool force, char *why, size_t size)
{
	struct csv_options options = { .path = path, .force = force, .boot_id = "" };
	struct sink *sink;
	int r = sink_csv_new(&options, &sink, why, size);

	return r < 0 ? r : sink->ops->close(sink);
}

static void make_file(const char *path)
{
	write_whole(path, "precious", 8);
}

static void make_directory(const char *path)
{
	assert_int_equal(mkdir(path, 0700), 0);
}

static void make_pipe(const char *path)
{
	assert_int_equal(mkfifo(path, 0600), 0);
}

static void make_link_to_nothing(const char *path)
{
	assert_int_equal(symlink("nothing-there", path), 0);
}

static const struct place_case {
	const char *name;
	void (*make)(const char *path);
	bool force;
	int r;
	const char *says;
} place_cases[] = {
	{ "nothing there", NULL, false, 0, "" },
	{ "a file", make_file, false, -EEXIST, "exists already: --force overwrites it" },
	{ "a file, by force", make_file, true, 0, "" },
	{ "a directory", make_directory, true, -EISDIR, "cannot be written: Is a directory" },
	{ "a pipe without a reader", make_pipe, false, -ENXIO, "is a pipe that nobody reads from" },
	{ "a dangling link", make_link_to_nothing, false, -ENOENT,
	  "cannot be written: No such file" },
};

static void places_are_taken_or_refused(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(place_cases) / sizeof(place_cases[0]); i++) {
		const struct place_case *c = &place_cases[i];
		const char *path = scratch_path("place");
		char why[256] = "";

		print_message("  %s\n", c->name);
		if (c->make)
			c->make(path);
		assert_int_equal(try_sink(path, c->force, why, sizeof(why)), c->r);
		if (c->r < 0) {
			assert_int_equal(strncmp(why, path, strlen(path)), 0);
			assert_non_null(strstr(why, c->says));
		}
		if (c->r == -EEXIST) {
			size_t len;
			char *text = read_whole(path, &len);

			assert_string_equal(text, "precious");
			free(text);
		}
		assert_int_equal(remove(path), 0);
	}
}

static void a_block_device_is_never_written_to(void **state)
{
	const char *path = scratch_path("disk");
	char why[256] = "";

	(void)state;
	/* 7:251 is a loop device that nothing is bound to: harmless, should the test fail. */
	if (mknod(path, S_IFBLK | 0600, makedev(7, 251)) < 0)
		skip();
	assert_int_equal(try_sink(path, true, why, sizeof(why)), -ENOTSUP);
	assert_non_null(strstr(why, "is a block device: a recording would destroy"));
	unlink(path);
}

static void devices_and_full_ones(void **state)
{
	char why[256] = "";

	(void)state;
	assert_int_equal(try_sink("/dev/null", false, why, sizeof(why)), 0);
	assert_int_equal(try_sink("/dev/full", false, why, sizeof(why)), -ENOSPC);
	assert_string_equal(why, "/dev/full cannot be written: No space left on device");
}

static void a_file_is_recorded_to_by_one_alone(void **state)
{
	const char *path = scratch_path("locked.csv");
	struct sink *sink = sink_to(path);
	char why[256] = "";

	(void)state;
	assert_int_equal(try_sink(path, true, why, sizeof(why)), -EBUSY);
	assert_non_null(strstr(why, "is being recorded to by another raidtop"));
	assert_int_equal(sink->ops->close(sink), 0);
	assert_int_equal(try_sink(path, true, why, sizeof(why)), 0);
	unlink(path);
}

/* ---- how it is written ---- */

static void a_tick_is_one_write(void **state)
{
	const char *path = scratch_path("writes.csv");
	struct sink *sink = sink_to(path);
	struct small s;

	(void)state;
	small_init(&s);
	writes = 0;
	for (size_t i = 1; i <= 50; i++) {
		assert_int_equal(small_tick(&s, sink), 0);
		assert_int_equal(writes, i);
		small_go_on(&s);
	}
	assert_int_equal(sink->ops->close(sink), 0);
	unlink(path);
	small_release(&s);
}

static void short_and_interrupted_writes_are_gone_on_with(void **state)
{
	const char *path = scratch_path("short.csv");
	struct sink *sink = sink_to(path);
	struct small s;
	uint64_t size;

	(void)state;
	small_init(&s);
	longest_write = 7;
	write_fails_once = EINTR;
	assert_int_equal(small_tick(&s, sink), 0);
	longest_write = SIZE_MAX;
	write_fails_once = EAGAIN;
	small_go_on(&s);
	assert_int_equal(small_tick(&s, sink), 0);
	size = sink_csv_bytes(sink);
	small_assert_text(sink, path, "1 1.001000 sample name=md0 state=active\n");
	assert_true(size > 1000);
	small_release(&s);
}

/* The limit of a file's size stands for a full disk: a part of the write succeeds. */
static void a_full_disk_leaves_whole_ticks(void **state)
{
	const char *path = scratch_path("full.csv");
	struct sink *sink = sink_to(path);
	struct rlimit before, limit;
	struct small s;
	uint64_t size;
	int r = 0;

	(void)state;
	small_init(&s);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	limit = before;
	limit.rlim_cur = 10000;
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	for (int i = 0; i < 100 && r == 0; i++) {
		size = sink_csv_bytes(sink);
		r = small_tick(&s, sink);
		small_go_on(&s);
	}
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	assert_int_equal(r, -EFBIG);
	writes = 0;
	assert_int_equal(small_tick(&s, sink), -EFBIG); /* also now that there is room */
	assert_int_equal(writes, 0);
	assert_int_equal(sink_csv_bytes(sink), size);
	assert_true(size > 9000);
	small_assert_text(sink, path, " sample name=md0 state=active\n");
	small_release(&s);
}

static void a_closed_pipe_ends_the_recording(void **state)
{
	const char *path = scratch_path("pipe");
	struct small s;
	struct sink *sink;
	char text[65536];
	int reader;

	(void)state;
	signal(SIGPIPE, SIG_IGN);
	assert_int_equal(mkfifo(path, 0600), 0);
	reader = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	sink = sink_to(path);
	small_init(&s);
	assert_int_equal(small_tick(&s, sink), 0);
	assert_true(read(reader, text, sizeof(text)) > 1000);
	close(reader);
	small_go_on(&s);
	assert_int_equal(small_tick(&s, sink), -EPIPE);
	assert_int_equal(sink->ops->close(sink), 0);
	unlink(path);
	small_release(&s);
}

static struct sink *synced_sink(const char *path, uint64_t sync_ns)
{
	struct csv_options options = { .path = path, .boot_id = "", .sync_ns = sync_ns };
	struct sink *sink;
	char why[256];

	assert_int_equal(sink_csv_new(&options, &sink, why, sizeof(why)), 0);
	return sink;
}

static const struct sync_case {
	const char *name;
	bool to_device;
	uint64_t sync_ns;
	int error;
	size_t syncs; /* in 20 ticks of a second and a closing */
	int r;
} sync_cases[] = {
	{ "every five seconds and at the end", false, 5 * NS_PER_SEC, 0, 4, 0 },
	{ "never", false, 0, 0, 0, 0 },
	{ "not a device", true, 5 * NS_PER_SEC, 0, 0, 0 },
	{ "where it cannot be done", false, 5 * NS_PER_SEC, EINVAL, 1, 0 },
	{ "a broken disk", false, 5 * NS_PER_SEC, EIO, 1, -EIO },
};

static void it_is_brought_to_the_disk(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(sync_cases) / sizeof(sync_cases[0]); i++) {
		const struct sync_case *c = &sync_cases[i];
		const char *path = c->to_device ? "/dev/null" : scratch_path("sync.csv");
		struct sink *sink = synced_sink(path, c->sync_ns);
		struct small s;
		int r = 0;

		print_message("  %s\n", c->name);
		small_init(&s);
		syncs = 0;
		sync_error = c->error;
		for (int k = 0; k < 20 && r == 0; k++) {
			r = small_tick(&s, sink);
			small_go_on(&s);
		}
		assert_int_equal(r, c->r);
		assert_int_equal(sink->ops->close(sink), 0);
		sync_error = 0;
		assert_int_equal(syncs, c->syncs);
		if (!c->to_device)
			unlink(path);
		small_release(&s);
	}
}

static int make(void **state)
{
	(void)state;
	scratch_make();
	return 0;
}

static int clean(void **state)
{
	(void)state;
	scratch_remove();
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(places_are_taken_or_refused),
		cmocka_unit_test(a_block_device_is_never_written_to),
		cmocka_unit_test(devices_and_full_ones),
		cmocka_unit_test(a_file_is_recorded_to_by_one_alone),
		cmocka_unit_test(a_tick_is_one_write),
		cmocka_unit_test(short_and_interrupted_writes_are_gone_on_with),
		cmocka_unit_test(a_full_disk_leaves_whole_ticks),
		cmocka_unit_test(a_closed_pipe_ends_the_recording),
		cmocka_unit_test(it_is_brought_to_the_disk),
	};

	return cmocka_run_group_tests_name("csv file", tests, make, clean);
}
