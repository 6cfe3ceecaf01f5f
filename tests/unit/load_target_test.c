/* Opening targets: what is measured of them, what a refusal says, and that no other is opened. */
#include "load_support.h"

#include <sys/mman.h>

#include "load/target.h"
#include "raidtop/text.h"

static const struct workload reader = { .name = "reader" };

static int open_named(struct target *t, const char *path, char *why, size_t size)
{
	struct stream_spec spec = read_of(path);
	struct place place = PLACE_INIT;
	int r;

	text_copy(why, size, "");
	r = target_open(t, &spec, &reader, &place, why, size);
	place_release(&place);
	return r;
}

static void a_file_is_measured(void **state)
{
	struct target t;
	char path[128], why[160];

	(void)state;
	make_file(path, sizeof(path), "file", 10000);
	assert_int_equal(open_named(&t, path, why, sizeof(why)), 0);
	assert_int_equal(t.size_bytes, 10000);
	assert_true(t.align_bytes >= 1 && t.align_bytes <= 65536);
	assert_int_equal((fcntl(t.fd, F_GETFL) & O_DIRECT) != 0, t.access == STREAM_DIRECT);
	assert_int_equal(fcntl(t.fd, F_GETFL) & O_ACCMODE, O_RDONLY);
	assert_false(target_is_gone(t.fd));
	target_release(&t);
	assert_int_equal(t.fd, -1);
	target_release(&t); /* once more does no harm */
}

static void a_link_leads_to_its_file(void **state)
{
	struct target t;
	char path[128], link[128], why[160];

	(void)state;
	make_file(path, sizeof(path), "behind", 5000);
	test_path(link, sizeof(link), "link");
	assert_int_equal(symlink(path, link), 0);
	assert_int_equal(open_named(&t, link, why, sizeof(why)), 0);
	assert_int_equal(t.size_bytes, 5000);
	target_release(&t);
}

static void direct_access_can_be_left(void **state)
{
	struct target t;
	char path[128], why[160];

	(void)state;
	make_file(path, sizeof(path), "leave", 4096);
	assert_int_equal(open_named(&t, path, why, sizeof(why)), 0);
	assert_int_equal(target_leave_direct(t.fd), 0);
	assert_int_equal(fcntl(t.fd, F_GETFL) & O_DIRECT, 0);
	target_release(&t);
	assert_int_equal(target_leave_direct(-1), -EBADF);
}

/* Which refuses direct access, and is no memory of a disk either. */
static void sysfs_is_read_without_direct_access(void **state)
{
	struct target t;
	char why[160];

	(void)state;
	if (access("/sys/kernel/uevent_seqnum", R_OK) < 0) {
		print_message("skipped: no sysfs here\n");
		skip();
	}
	assert_int_equal(open_named(&t, "/sys/kernel/uevent_seqnum", why, sizeof(why)), 0);
	assert_int_equal(t.access, STREAM_DONTCACHE);
	assert_int_equal(t.align_bytes, 1);
	assert_false(t.in_memory);
	target_release(&t);
}

static void a_file_in_memory_is_known(void **state)
{
	struct target t;
	char path[64], why[160];
	int fd = memfd_create("target", MFD_CLOEXEC); /* a file of the kernel's own tmpfs */

	(void)state;
	assert_int_equal(file_write_all(fd, "something", 9), 0);
	text_format(path, sizeof(path), "/proc/self/fd/%d", fd);
	assert_int_equal(open_named(&t, path, why, sizeof(why)), 0);
	assert_true(t.in_memory);
	assert_int_equal(t.size_bytes, 9);
	target_release(&t);
	close(fd);
}

/* A FIFO without a writer would hold whoever opens it. */
static void a_fifo_is_refused_and_not_opened(void **state)
{
	struct target t;
	char path[128], why[160];

	(void)state;
	test_path(path, sizeof(path), "fifo");
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_equal(open_named(&t, path, why, sizeof(why)), -ENOTBLK);
	assert_int_equal(t.fd, -1);
	assert_in(why, "neither a disk, a file nor a directory");
	assert_int_equal(open(path, O_WRONLY | O_NONBLOCK), -1); /* nobody reads it */
	assert_int_equal(errno, ENXIO);
}

static void an_empty_file_is_refused(void **state)
{
	struct target t;
	char path[128], why[160];

	(void)state;
	make_file(path, sizeof(path), "empty", 0);
	assert_int_equal(open_named(&t, path, why, sizeof(why)), -ENODATA);
	assert_int_equal(t.fd, -1);
	assert_in(why, "is empty: there is nothing to read");
}

static void a_long_name_leaves_room_for_what_to_do(void **state)
{
	struct target t;
	char path[250], why[160];

	(void)state;
	memset(path, 'x', sizeof(path) - 1);
	memcpy(path, "/dev/", 5);
	path[sizeof(path) - 1] = '\0';
	assert_int_equal(open_named(&t, path, why, sizeof(why)), -ENOENT);
	assert_in(why, "there is no ...xxx");
	assert_in(why, "x: check the name");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_is_measured),
		cmocka_unit_test(a_link_leads_to_its_file),
		cmocka_unit_test(direct_access_can_be_left),
		cmocka_unit_test(sysfs_is_read_without_direct_access),
		cmocka_unit_test(a_file_in_memory_is_known),
		cmocka_unit_test(a_fifo_is_refused_and_not_opened),
		cmocka_unit_test(an_empty_file_is_refused),
		cmocka_unit_test(a_long_name_leaves_room_for_what_to_do),
	};

	return cmocka_run_group_tests_name("load_target", tests, make_test_dir, remove_test_dir);
}
