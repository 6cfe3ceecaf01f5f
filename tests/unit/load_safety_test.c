/* The rules about targets, on made-up files and workloads: nothing is opened but what is meant. */
#include "load_support.h"

#include "load/safety.h"

static const struct workload reader = { .name = "reader" };
static const struct workload writer = { .name = "writer", .writes = true };
static const struct workload maker = { .name = "create", .writes = true };

static const struct rule_case {
	const char *name;
	const struct workload *workload;
	const char *typed, *resolved;
	mode_t mode;
	int r;
	const char *says;
} rule_cases[] = {
	{ "disk", &reader, "/dev/sda", "/dev/sda", S_IFBLK, 0, "" },
	{ "disk by a link", &reader, "/dev/disk/by-id/x", "/dev/sda", S_IFBLK, 0, "" },
	{ "disk by a node elsewhere", &reader, "/tmp/disk", "/tmp/disk", S_IFBLK, 0, "" },
	{ "file", &reader, "/mnt/a", "/mnt/a", S_IFREG, 0, "" },
	{ "file whose place is not known", &reader, "a", "", S_IFREG, 0, "" },
	{ "file in /dev", &reader, "/dev/sdx", "/dev/sdx", S_IFREG, -ENOTBLK, "lies in /dev" },
	{ "file in /dev by a link", &reader, "/tmp/a", "/dev/shm/a", S_IFREG, -ENOTBLK, "no disk" },
	{ "link in /dev to a file", &reader, "/dev/a", "/mnt/a", S_IFREG, -ENOTBLK, "no disk" },
	{ "directory", &reader, "/mnt", "/mnt", S_IFDIR, 0, "" },
	{ "directory in /dev", &reader, "/dev/md", "/dev/md", S_IFDIR, -ENOTBLK, "no disk" },
	{ "watchdog", &reader, "/dev/watchdog", "/dev/watchdog", S_IFCHR, -ENOTBLK, "no disk" },
	{ "FIFO", &reader, "/tmp/f", "/tmp/f", S_IFIFO, -ENOTBLK, "neither a disk, a file nor" },
	{ "socket", &reader, "/tmp/s", "/tmp/s", S_IFSOCK, -ENOTBLK, "neither a disk, a file nor" },
	{ "writing to a disk", &writer, "/dev/sda", "/dev/sda", S_IFBLK, 0, "" }, /* so far */
	{ "writing to a file", &writer, "/mnt/a", "/mnt/a", S_IFREG, -EPERM, "not raidtop's" },
	{ "files on a disk", &maker, "/dev/sda", "/dev/sda", S_IFBLK, -ENOTDIR, "a directory" },
	{ "files in a file", &maker, "/mnt/a", "/mnt/a", S_IFREG, -ENOTDIR, "a directory" },
	{ "files in a directory", &maker, "/mnt", "/mnt", S_IFDIR, 0, "" },
};

static void rules(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rule_cases) / sizeof(rule_cases[0]); i++) {
		const struct rule_case *c = &rule_cases[i];
		struct stream_spec spec = read_of(c->typed);
		struct safety_case asked = { .spec = &spec, .workload = c->workload, .fd = -1 };
		char why[160] = "";

		print_message("  %s\n", c->name);
		asked.st.st_mode = c->mode | 0600;
		asked.kind = safety_kind(c->workload, &asked.st);
		text_copy(asked.resolved, sizeof(asked.resolved), c->resolved);
		assert_int_equal(safety_check_name(&asked, why, sizeof(why)), c->r);
		assert_in(why, c->says);
		assert_int_equal(why[0] != '\0', c->r < 0);
	}
}

static void descriptors_that_can_write_are_refused(void **state)
{
	static const struct {
		int flags, r;
	} cases[] = { { O_RDONLY, 0 }, { O_WRONLY, -EPERM }, { O_RDWR, -EPERM } };
	char path[128];

	(void)state;
	make_file(path, sizeof(path), "flags", 1);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		int fd = open(path, cases[i].flags | O_CLOEXEC);

		assert_true(fd >= 0);
		assert_int_equal(safety_check_read_only(fd), cases[i].r);
		close(fd);
	}
	assert_int_equal(safety_check_read_only(-1), -EBADF);
}

/* It is what the first descriptor stands for, whatever the name has become since. */
static void what_was_checked_is_what_is_opened(void **state)
{
	char path[128], moved[128];
	struct stat checked, opened;
	int path_fd, fd;

	(void)state;
	make_file(path, sizeof(path), "checked", 4096);
	path_fd = open(path, O_PATH | O_CLOEXEC);
	assert_true(path_fd >= 0);
	assert_int_equal(fstat(path_fd, &checked), 0);
	test_path(moved, sizeof(moved), "moved");
	assert_int_equal(rename(path, moved), 0);
	make_file(path, sizeof(path), "checked", 4096);
	fd = safety_open_for_reading(path_fd, O_RDWR | O_TRUNC); /* of which nothing may come */
	assert_true(fd >= 0);
	assert_int_equal(fstat(fd, &opened), 0);
	assert_int_equal(opened.st_ino, checked.st_ino);
	assert_int_equal(opened.st_size, 4096);
	assert_int_equal(fcntl(fd, F_GETFL) & (O_ACCMODE | O_NONBLOCK), O_RDONLY);
	assert_int_equal(fcntl(fd, F_GETFL) & O_NOATIME, O_NOATIME);
	assert_int_equal(fcntl(fd, F_GETFD), FD_CLOEXEC);
	close(fd);
	close(path_fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rules),
		cmocka_unit_test(descriptors_that_can_write_are_refused),
		cmocka_unit_test(what_was_checked_is_what_is_opened),
	};

	return cmocka_run_group_tests_name("load_safety", tests, make_test_dir, remove_test_dir);
}
