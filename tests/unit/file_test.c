/* Small files: real ones of procfs, and made-up ones that are too long, torn, gone or no files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "raidtop/file.h"
#include "raidtop/memory.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))
#define UNTOUCHED 99

static char directory[] = "/tmp/raidtop-file-test-XXXXXX";
static char path[128];

static const char *path_of(const char *name)
{
	text_format(path, sizeof(path), "%s/%s", directory, name);
	return path;
}

static const char *put_file(const char *name, const void *data, size_t len)
{
	int fd = open(path_of(name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(file_write_all(fd, data, len), 0);
	close(fd);
	return path;
}

static void remove_file(const char *name)
{
	unlink(path_of(name));
}

static int make_directory(void **state)
{
	(void)state;
	return mkdtemp(directory) ? 0 : -1;
}

static int remove_directory(void **state)
{
	(void)state;
	remove_file("file");
	return rmdir(directory);
}

static void whole_files_are_read(void **state)
{
	static const size_t lengths[] = { 0, 1, 4095, 4096, 4097, 70000 };
	struct buffer b = BUFFER_INIT;
	char *data = memory_new(70000, 1);

	(void)state;
	for (size_t i = 0; i < 70000; i++)
		data[i] = (char)(i * 7);
	for (size_t i = 0; i < COUNT(lengths); i++) {
		put_file("file", data, lengths[i]);
		assert_int_equal(file_read(path, 70000, &b), 0);
		assert_int_equal(b.len, lengths[i]);
		assert_memory_equal(b.data, data, b.len);
		assert_int_equal(b.data[b.len], '\0');
	}
	assert_int_equal(file_read(path, 69999, &b), -EFBIG);
	assert_int_equal(b.len, 0);
	free(data);
	buffer_release(&b);
}

static void an_open_file_is_read_anew(void **state)
{
	struct buffer b = BUFFER_INIT;
	size_t before;
	int fd;

	(void)state;
	fd = open(put_file("file", "first, and longer\n", 18), O_RDONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(file_read_fd(fd, 100, &b), 0);
	assert_string_equal(b.data, "first, and longer\n");
	put_file("file", "second\n", 7);
	before = memory_allocations();
	assert_int_equal(file_read_fd(fd, 100, &b), 0);
	assert_string_equal(b.data, "second\n");
	assert_int_equal(memory_allocations(), before);
	close(fd);
	assert_int_equal(file_read_fd(fd, 100, &b), -EBADF);
	assert_int_equal(b.len, 0);
	buffer_release(&b);
}

/* seq_file gives no more than a page a read; an open descriptor of it is read from its start. */
static void procfs_is_read_to_its_end(void **state)
{
	struct buffer a = BUFFER_INIT, b = BUFFER_INIT;
	int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);

	(void)state;
	if (fd < 0) {
		print_message("  no procfs\n");
		skip();
	}
	assert_int_equal(file_read_fd(fd, 1 << 20, &a), 0);
	assert_int_equal(file_read_fd(fd, 1 << 20, &a), 0);
	assert_true(a.len > 200);
	assert_int_equal(a.data[a.len - 1], '\n');
	assert_int_equal(file_read("/proc/self/maps", 1 << 20, &b), 0);
	assert_memory_equal(a.data, b.data, 12);
	close(fd);
	buffer_release(&a);
	buffer_release(&b);
}

static const struct line_case {
	const char *name, *content;
	size_t len;
	const char *line;
	int r_u64;
	uint64_t u64;
	int r_i64;
	int64_t i64;
} lines[] = {
	{ "a number", "42\n", 3, "42", 0, 42, 0, 42 },
	{ "without a newline", "42", 2, "42", 0, 42, 0, 42 },
	{ "negative", "-5\n", 3, "-5", -EINVAL, UNTOUCHED, 0, -5 },
	{ "a word", "none\n", 5, "none", -EINVAL, UNTOUCHED, -EINVAL, UNTOUCHED },
	{ "two numbers", "1 2\n", 4, "1 2", -EINVAL, UNTOUCHED, -EINVAL, UNTOUCHED },
	{ "empty", "", 0, "", -EINVAL, UNTOUCHED, -EINVAL, UNTOUCHED },
	{ "an empty line", "\n7\n", 3, "", -EINVAL, UNTOUCHED, -EINVAL, UNTOUCHED },
	{ "more lines", "7\n8\n", 4, "7", 0, 7, 0, 7 },
	{ "a zero byte",
	  "7\0"
	  "8\n",
	  4, "7", 0, 7, 0, 7 },
	{ "too large", "18446744073709551616\n", 21, "18446744073709551616", -EINVAL, UNTOUCHED,
	  -EINVAL, UNTOUCHED },
};

static void attributes_are_read(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(lines); i++) {
		const struct line_case *c = &lines[i];
		uint64_t u64 = UNTOUCHED;
		int64_t i64 = UNTOUCHED;
		char line[64];

		print_message("  %s\n", c->name);
		put_file("file", c->content, c->len);
		assert_int_equal(file_read_line(path, line, sizeof(line)), 0);
		assert_string_equal(line, c->line);
		assert_int_equal(file_read_u64(path, &u64), c->r_u64);
		assert_true(u64 == c->u64);
		assert_int_equal(file_read_i64(path, &i64), c->r_i64);
		assert_true(i64 == c->i64);
	}
}

static void a_long_line_is_cut(void **state)
{
	char line[8];

	(void)state;
	put_file("file", "0123456789\n", 11);
	assert_int_equal(file_read_line(path, line, sizeof(line)), 0);
	assert_string_equal(line, "0123456");
	assert_int_equal(file_read_line(path, line, 1), 0);
	assert_string_equal(line, "");
	assert_int_equal(file_read_line(path, line, 0), -EINVAL);
}

static void what_is_not_there_says_so(void **state)
{
	struct buffer b = BUFFER_INIT;
	uint64_t u64 = UNTOUCHED;
	char line[8] = "before";

	(void)state;
	buffer_add_text(&b, "before");
	assert_int_equal(file_read(path_of("missing"), 100, &b), -ENOENT);
	assert_int_equal(b.len, 0);
	assert_int_equal(file_read_line(path, line, sizeof(line)), -ENOENT);
	assert_string_equal(line, "");
	assert_int_equal(file_read_u64(path, &u64), -ENOENT);
	assert_int_equal(u64, UNTOUCHED);
	assert_int_equal(file_read(directory, 100, &b), -EISDIR);
	assert_int_equal(file_read_line(directory, line, sizeof(line)), -EISDIR);
	buffer_release(&b);
}

/* A bug report's tree may hold anything: a pipe without a writer must not hold us up. */
static void a_pipe_does_not_block(void **state)
{
	struct buffer b = BUFFER_INIT;
	char line[8];

	(void)state;
	assert_int_equal(mkfifo(path_of("pipe"), 0600), 0);
	alarm(5);
	assert_int_equal(file_read_line(path, line, sizeof(line)), 0);
	assert_string_equal(line, "");
	assert_int_equal(file_read(path, 100, &b), -ESPIPE);
	alarm(0);
	remove_file("pipe");
	buffer_release(&b);
}

static const struct link_case {
	const char *name, *target;
	int r;
	const char *dst;
} links[] = {
	{ "relative", "../../devices/pci0000:00/block/sda", 0, "sda" },
	{ "name alone", "sda", 0, "sda" },
	{ "trailing slash", "/sys/bus/scsi/", 0, "scsi" },
	{ "root", "/", -EINVAL, "" },
	{ "too long", "/x/123456789", -ENAMETOOLONG, "" },
	{ "fits exactly", "/x/1234567", 0, "1234567" },
};

static void links_are_followed_by_name(void **state)
{
	char dst[8];

	(void)state;
	for (size_t i = 0; i < COUNT(links); i++) {
		print_message("  %s\n", links[i].name);
		assert_int_equal(symlink(links[i].target, path_of("link")), 0);
		assert_int_equal(file_read_link_name(path, dst, sizeof(dst)), links[i].r);
		assert_string_equal(dst, links[i].dst);
		remove_file("link");
	}
	assert_int_equal(file_read_link_name(path_of("missing"), dst, sizeof(dst)), -ENOENT);
	assert_int_equal(file_read_link_name(put_file("file", "x", 1), dst, sizeof(dst)), -EINVAL);
}

static void writing_says_when_it_cannot(void **state)
{
	int fd = open("/dev/full", O_WRONLY | O_CLOEXEC);

	(void)state;
	if (fd >= 0) {
		assert_int_equal(file_write_all(fd, "x", 1), -ENOSPC);
		close(fd);
	}
	assert_int_equal(file_write_all(-1, "x", 1), -EBADF);
	assert_int_equal(file_write_all(-1, "", 0), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_files_are_read),
		cmocka_unit_test(an_open_file_is_read_anew),
		cmocka_unit_test(procfs_is_read_to_its_end),
		cmocka_unit_test(attributes_are_read),
		cmocka_unit_test(a_long_line_is_cut),
		cmocka_unit_test(what_is_not_there_says_so),
		cmocka_unit_test(a_pipe_does_not_block),
		cmocka_unit_test(links_are_followed_by_name),
		cmocka_unit_test(writing_says_when_it_cannot),
	};

	return cmocka_run_group_tests_name("file", tests, make_directory, remove_directory);
}
