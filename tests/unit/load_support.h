/*
 * What the tests of streams share: a directory on a disk, files of a known size in it, looking at
 * processes through /proc, and waiting for something to come true without a fixed sleep.
 */
#ifndef TESTS_LOAD_SUPPORT_H
#define TESTS_LOAD_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

#include "raidtop/clock.h"
#include "raidtop/file.h"
#include "raidtop/number.h"
#include "raidtop/place.h"
#include "raidtop/stream.h"
#include "raidtop/text.h"

#define MIB (1024 * 1024)
#define PATIENCE_NS (20 * NS_PER_SEC)
#define NOBODY 65534

/* In /var/tmp, because /tmp may lie in memory. */
static char test_dir[64];

static inline int make_test_dir(void **state)
{
	(void)state;
	text_copy(test_dir, sizeof(test_dir), "/var/tmp/raidtop-test-XXXXXX");
	if (!mkdtemp(test_dir))
		return -1;
	return chmod(test_dir, 0755);
}

static inline int remove_test_dir(void **state)
{
	DIR *dir = opendir(test_dir);
	struct dirent *entry;

	(void)state;
	while (dir && (entry = readdir(dir)))
		unlinkat(dirfd(dir), entry->d_name, 0); /* "." and ".." are refused */
	if (dir)
		closedir(dir);
	return rmdir(test_dir);
}

static inline void test_path(char *buf, size_t size, const char *name)
{
	assert_true(text_format(buf, size, "%s/%s", test_dir, name));
}

/* A file written in full, each byte other than its neighbours; its path into `path`. */
static inline void make_file(char *path, size_t size, const char *name, size_t bytes)
{
	static unsigned char data[MIB];
	int fd;

	for (size_t i = 0; i < sizeof(data); i++)
		data[i] = (unsigned char)(i * 31 + (i >> 8));
	test_path(path, size, name);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	assert_true(fd >= 0);
	while (bytes > 0) {
		size_t n = bytes < sizeof(data) ? bytes : sizeof(data);

		assert_int_equal(file_write_all(fd, data, n), 0);
		bytes -= n;
	}
	assert_int_equal(fsync(fd), 0);
	close(fd);
}

static inline void nap(void)
{
	nanosleep(&(struct timespec){ .tv_nsec = 2000000 }, NULL);
}

/* The letter in /proc/PID/stat; 0 where there is no such process. */
static inline char process_state(pid_t pid)
{
	char path[64], line[512];
	const char *end;

	text_format(path, sizeof(path), "/proc/%d/stat", pid);
	if (file_read_line(path, line, sizeof(line)) < 0)
		return 0;
	end = strrchr(line, ')');
	return end && end[1] ? end[2] : 0;
}

static inline bool process_has_ended(pid_t pid)
{
	char state = process_state(pid);

	return state == 0 || state == 'Z' || state == 'X';
}

static inline pid_t process_parent(pid_t pid)
{
	char path[64], line[512];
	const char *end;
	uint64_t parent;
	size_t len = 0;

	text_format(path, sizeof(path), "/proc/%d/stat", pid);
	if (file_read_line(path, line, sizeof(line)) < 0)
		return 0;
	end = strrchr(line, ')');
	if (!end || strlen(end) < 5)
		return 0;
	end += 4;
	while (end[len] >= '0' && end[len] <= '9')
		len++;
	return number_parse_u64(end, len, &parent) < 0 ? 0 : (pid_t)parent;
}

static inline bool process_is_worker(pid_t pid)
{
	struct buffer b = BUFFER_INIT;
	char path[64];
	bool found;

	text_format(path, sizeof(path), "/proc/%d/cmdline", pid);
	found = file_read(path, 65536, &b) == 0 && b.len > strlen("raidtop") + 1 &&
		strcmp(b.data + strlen("raidtop") + 1, STREAM_WORKER_ARGUMENT) == 0;
	buffer_release(&b);
	return found;
}

/* The worker that `parent` has started (and executed by now), or 0. */
static inline pid_t find_worker(pid_t parent)
{
	DIR *dir = opendir("/proc");
	struct dirent *entry;
	pid_t found = 0;

	while (found == 0 && (entry = readdir(dir))) {
		uint64_t pid;

		if (number_parse_u64(entry->d_name, strlen(entry->d_name), &pid) == 0 &&
		    process_parent((pid_t)pid) == parent && !process_has_ended((pid_t)pid) &&
		    process_is_worker((pid_t)pid))
			found = (pid_t)pid;
	}
	closedir(dir);
	return found;
}

static inline pid_t wait_for_worker(pid_t parent)
{
	uint64_t until_ns = clock_monotonic_ns() + PATIENCE_NS;
	pid_t pid;

	while ((pid = find_worker(parent)) == 0 && clock_monotonic_ns() < until_ns)
		nap();
	assert_true(pid > 0);
	return pid;
}

static inline void wait_for_state(pid_t pid, char wanted)
{
	uint64_t until_ns = clock_monotonic_ns() + PATIENCE_NS;

	while (process_state(pid) != wanted && clock_monotonic_ns() < until_ns)
		nap();
	assert_int_equal(process_state(pid), wanted);
}

/* What the kernel counted as fetched from a disk for the worker. */
static inline uint64_t fetched_bytes(pid_t pid)
{
	static const char key[] = "\nread_bytes: ";
	struct buffer io = BUFFER_INIT;
	char path[64];
	const char *found;
	uint64_t bytes = 0;

	text_format(path, sizeof(path), "/proc/%d/io", pid);
	assert_int_equal(file_read(path, 4096, &io), 0);
	found = strstr(buffer_text(&io), key);
	assert_non_null(found);
	found += strlen(key);
	assert_int_equal(number_parse_u64(found, strcspn(found, "\n"), &bytes), 0);
	buffer_release(&io);
	return bytes;
}

static inline struct stream_spec read_of(const char *target)
{
	struct stream_spec spec = { .workload = "seq-read", .device = "test" };

	assert_true(text_copy(spec.target, sizeof(spec.target), target));
	return spec;
}

/*
 * Streams refuse a directory that lies on no mount that can be seen: so it is everywhere in a
 * chroot whose root is no mount.
 */
static inline void skip_without_a_mount(void)
{
	struct place p = PLACE_INIT;
	int fd = open(test_dir, O_PATH | O_CLOEXEC);
	bool seen = place_find(&p, fd, "") == 0 && p.mount_point[0];

	close(fd);
	place_release(&p);
	if (seen)
		return;
	print_message("skipped: %s lies on no mount that can be seen (in a chroot?)\n", test_dir);
	skip();
}

static inline int start_stream(const struct stream_spec *spec, struct stream **ret, char *why,
			       size_t size)
{
	return stream_start(&(struct stream_order){ .number = 1, .spec = spec }, ret, why, size);
}

/* As far as the command line can allow it. */
static inline struct stream_spec write_to(const char *target)
{
	struct stream_spec spec = { .workload = "seq-write" };

	assert_true(text_copy(spec.target, sizeof(spec.target), target));
	text_copy(spec.allow_raw_write, sizeof(spec.allow_raw_write), target);
	return spec;
}

static inline struct stream *start(const struct stream_spec *spec)
{
	struct stream *s = NULL;
	char why[160];
	int r = start_stream(spec, &s, why, sizeof(why));

	if (r < 0)
		print_error("%s\n", why);
	assert_int_equal(r, 0);
	assert_non_null(s);
	return s;
}

static inline void wait_for_ios(struct stream *s, uint64_t ios, struct stream_view *view)
{
	uint64_t until_ns = clock_monotonic_ns() + PATIENCE_NS;

	do {
		nap();
		stream_refresh(s, clock_monotonic_ns(), view);
	} while (view->read_ios < ios && !stream_is_over(s) && clock_monotonic_ns() < until_ns);
	assert_true(view->read_ios >= ios);
}

static inline void wait_for_end(struct stream *s, struct stream_view *view)
{
	uint64_t until_ns = clock_monotonic_ns() + PATIENCE_NS;

	do {
		nap();
		stream_refresh(s, clock_monotonic_ns(), view);
	} while (!stream_is_over(s) && clock_monotonic_ns() < until_ns);
	assert_true(stream_is_over(s));
}

static inline void assert_in(const char *text, const char *part)
{
	if (!strstr(text, part))
		print_error("\"%s\" does not say \"%s\"\n", text, part);
	assert_non_null(strstr(text, part));
}

#endif
