/*
 * Attempts to make a stream overwrite what it must not, on real block devices: each is refused
 * with a sentence, and not a byte of the device has changed. What is left of a loop device after
 * all that is the last refusal, that it has no serial number.
 */
#include "load_support.h"

#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/swap.h>

#include "load/target.h"
#include "loop_device.h"

#define NO_SERIAL "has no serial number, WWN or UUID"

static const struct workload writer = { .name = "seq-write", .writes = true };

static int try_spec(const struct stream_spec *spec, char *why, size_t size)
{
	struct place place = PLACE_INIT;
	struct target t;
	int r = target_open(&t, spec, &writer, &place, why, size);

	place_release(&place);
	target_release(&t);
	return r;
}

/* It is refused with that sentence, and the device is as it was. */
static void refused(const struct loop_device *l, const struct stream_spec *spec, const char *says)
{
	uint64_t before = loop_sum(l);
	char why[160] = "";

	assert_true(try_spec(spec, why, sizeof(why)) < 0);
	assert_in(why, says);
	assert_int_equal(loop_sum(l), before);
}

static void refused_as_it_is(const struct loop_device *l, const char *says)
{
	struct stream_spec spec = write_to(l->path);

	refused(l, &spec, says);
}

static void a_blank_device_without_a_serial(void **state)
{
	struct loop_device l;

	(void)state;
	loop_take(&l, test_dir);
	refused_as_it_is(&l, NO_SERIAL);
	loop_remove(&l);
}

static void not_allowed_by_name(void **state)
{
	struct stream_spec spec;
	struct loop_device l;

	(void)state;
	loop_take(&l, test_dir);
	spec = write_to(l.path);
	spec.allow_raw_write[0] = '\0';
	refused(&l, &spec, "--allow-raw-write DEVICE");
	text_copy(spec.allow_raw_write, sizeof(spec.allow_raw_write), "/dev/null");
	refused(&l, &spec, "does not name");
	text_copy(spec.allow_raw_write, sizeof(spec.allow_raw_write), l.file);
	refused(&l, &spec, "does not name");
	text_copy(spec.allow_raw_write, sizeof(spec.allow_raw_write), "loop");
	refused(&l, &spec, "does not name");
	spec = write_to(l.path);
	spec.copies = 2;
	refused(&l, &spec, "one writing stream");
	spec = write_to(l.path);
	text_copy(spec.on, sizeof(spec.on), "md0");
	refused(&l, &spec, "does not lie on md0");
	loop_remove(&l);
}

/* Whatever way leads to it, it is the device that counts. */
static void by_a_link(void **state)
{
	struct stream_spec spec;
	struct loop_device l;
	char link[128];

	(void)state;
	loop_take(&l, test_dir);
	test_path(link, sizeof(link), "a-link");
	assert_int_equal(symlink(l.path, link), 0);
	spec = write_to(link);
	refused(&l, &spec, NO_SERIAL);
	text_copy(spec.allow_raw_write, sizeof(spec.allow_raw_write), l.path);
	refused(&l, &spec, NO_SERIAL);
	loop_write(&l, 0, "x", 1);
	refused(&l, &spec, "is not empty");
	unlink(link);
	loop_remove(&l);
}

static void not_blank(void **state)
{
	static const uint64_t offsets[] = { 0, DEVICE_BYTES - 1, DEVICE_BYTES / 2 };

	(void)state;
	for (size_t i = 0; i < sizeof(offsets) / sizeof(offsets[0]); i++) {
		struct stream_spec spec;
		struct loop_device l;

		loop_take(&l, test_dir);
		loop_write(&l, offsets[i], "x", 1);
		refused_as_it_is(&l, "is not empty (near byte");
		spec = write_to(l.path);
		text_copy(spec.allow_raw_overwrite, sizeof(spec.allow_raw_overwrite), l.path);
		refused(&l, &spec, NO_SERIAL);
		text_copy(spec.allow_raw_overwrite, sizeof(spec.allow_raw_overwrite), "/dev/zero");
		refused(&l, &spec, "is not empty");
		loop_remove(&l);
	}
}

/* One partition over nearly all of it, in an MBR. */
static void write_partition_table(const struct loop_device *l)
{
	unsigned char mbr[512] = { 0 };
	unsigned char *entry = mbr + 446;
	uint32_t first = 2048, sectors = DEVICE_BYTES / 512 - 4096;

	mbr[440] = 1; /* the disk's id */
	entry[4] = 0x83;
	for (int i = 0; i < 4; i++) {
		entry[8 + i] = (unsigned char)(first >> 8 * i);
		entry[12 + i] = (unsigned char)(sectors >> 8 * i);
	}
	mbr[510] = 0x55;
	mbr[511] = 0xaa;
	loop_write(l, 0, mbr, sizeof(mbr));
}

/* Nor does --allow-raw-overwrite help against a signature. */
static void a_partition_table(void **state)
{
	struct stream_spec spec;
	struct loop_device l;

	(void)state;
	loop_take(&l, test_dir);
	write_partition_table(&l);
	refused_as_it_is(&l, "has a partition table (dos)");
	spec = write_to(l.path);
	text_copy(spec.allow_raw_overwrite, sizeof(spec.allow_raw_overwrite), l.path);
	refused(&l, &spec, "has a partition table");
	loop_remove(&l);
}

/* Metadata 1.2: a magic, the version, and where it lies, in sectors. */
static void write_md_superblock(const struct loop_device *l)
{
	unsigned char sb[256] = { 0xfc, 0x4e, 0x2b, 0xa9, 1 };

	sb[144] = 8;
	loop_write(l, 4096, sb, sizeof(sb));
}

static void a_member_of_an_array(void **state)
{
	struct loop_device l;

	(void)state;
	loop_take(&l, test_dir);
	write_md_superblock(&l);
	refused_as_it_is(&l, "is a member of an array (linux_raid_member)");
	loop_remove(&l);
}

/* A superblock on the whole disk is told of its partition, too. */
static void a_partition_of_a_member(void **state)
{
	struct stream_spec spec;
	struct loop_device l;
	char path[80];

	(void)state;
	loop_take(&l, test_dir);
	loop_add_partition(&l, MIB, 16 * MIB, path, sizeof(path));
	spec = write_to(path);
	refused(&l, &spec, NO_SERIAL);
	write_md_superblock(&l);
	refused(&l, &spec, "is a member of an array");
	loop_remove(&l);
}

static void make_swap(const struct loop_device *l)
{
	uint32_t header[3] = { 1, DEVICE_BYTES / 4096 - 1, 0 };

	loop_write(l, 1024, header, sizeof(header));
	loop_write(l, (uint64_t)sysconf(_SC_PAGESIZE) - 10, "SWAPSPACE2", 10);
}

static void swap_in_use(void **state)
{
	struct loop_device l;

	(void)state;
	loop_take(&l, test_dir);
	make_swap(&l);
	refused_as_it_is(&l, "holds swap");
	if (swapon(l.path, 0) < 0) {
		loop_remove(&l);
		print_message("skipped: swapon: %s\n", strerror(errno));
		skip();
	}
	refused_as_it_is(&l, "is swap that is in use");
	assert_int_equal(swapoff(l.path), 0);
	loop_remove(&l);
}

static bool make_ext4(const char *path)
{
	const char *const argv[] = { "mkfs.ext4", "-qF", path, NULL };

	return run_program(argv) == 0;
}

/* Mounted read-only: ext4 that may write does so by itself for a while. */
static void a_filesystem(void **state)
{
	struct stream_spec spec;
	struct loop_device l;
	char mount_point[128];

	(void)state;
	loop_take(&l, test_dir);
	if (!make_ext4(l.path)) {
		loop_remove(&l);
		print_message("skipped: mkfs.ext4 is not here\n");
		skip();
	}
	refused_as_it_is(&l, "holds ext4");
	test_path(mount_point, sizeof(mount_point), "mounted");
	assert_int_equal(mkdir(mount_point, 0755), 0);
	assert_int_equal(mount(l.path, mount_point, "ext4", MS_RDONLY, NULL), 0);
	refused_as_it_is(&l, "is mounted on");
	spec = write_to(l.path);
	text_copy(spec.allow_raw_overwrite, sizeof(spec.allow_raw_overwrite), l.path);
	refused(&l, &spec, "is mounted on");
	assert_int_equal(umount(mount_point), 0);
	assert_int_equal(rmdir(mount_point), 0);
	loop_remove(&l);
}

/* The disk of a mounted partition; and the partition itself. */
static void a_mounted_partition(void **state)
{
	struct stream_spec spec;
	struct loop_device l;
	char part[80], mount_point[128];

	(void)state;
	loop_take(&l, test_dir);
	loop_add_partition(&l, MIB, 16 * MIB, part, sizeof(part));
	if (!make_ext4(part)) {
		loop_remove(&l);
		print_message("skipped: mkfs.ext4 is not here\n");
		skip();
	}
	test_path(mount_point, sizeof(mount_point), "mounted");
	assert_int_equal(mkdir(mount_point, 0755), 0);
	assert_int_equal(mount(part, mount_point, "ext4", MS_RDONLY, NULL), 0);
	refused_as_it_is(&l, "p1 is mounted on");
	spec = write_to(part);
	refused(&l, &spec, "p1 is mounted on");
	assert_int_equal(umount(mount_point), 0);
	assert_int_equal(rmdir(mount_point), 0);
	loop_remove(&l);
}

/* A process that has `path` open until it is ended by end_opener(). */
static pid_t start_opener(const char *path)
{
	int ready[2];
	char byte;
	pid_t pid;

	assert_int_equal(pipe(ready), 0);
	pid = fork();
	if (pid == 0) {
		int fd = open(path, O_RDONLY);

		close(ready[0]);
		if (fd < 0 || write(ready[1], "x", 1) != 1)
			_exit(1);
		pause();
		_exit(0);
	}
	assert_true(pid > 0);
	close(ready[1]);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	return pid;
}

static void end_opener(pid_t pid)
{
	int status;

	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, &status, 0), pid);
}

static void open_elsewhere(void **state)
{
	struct loop_device l;
	pid_t pid;

	(void)state;
	loop_take(&l, test_dir);
	pid = start_opener(l.path);
	refused_as_it_is(&l, "is open in process");
	end_opener(pid);
	refused_as_it_is(&l, NO_SERIAL);
	loop_remove(&l);
}

/* Of a virtual machine, say: its disk is a partition, or the one that the partition lies on. */
static void open_in_part_elsewhere(void **state)
{
	struct stream_spec spec;
	struct loop_device l;
	char part[80];
	pid_t pid;

	(void)state;
	loop_take(&l, test_dir);
	loop_add_partition(&l, MIB, 16 * MIB, part, sizeof(part));
	pid = start_opener(part);
	refused_as_it_is(&l, "a partition or the disk of ");
	end_opener(pid);
	pid = start_opener(l.path);
	spec = write_to(part);
	refused(&l, &spec, "a partition or the disk of ");
	end_opener(pid);
	loop_remove(&l);
}

/* A filesystem far behind what libblkid looks at, mounted through a loop device: no holder, no
 * process, and the kernel opens the disk exclusively for raidtop all the same. */
static void behind_a_loop_device(void **state)
{
	struct loop_device l, upper;
	struct stream_spec spec;

	(void)state;
	loop_take(&l, test_dir);
	loop_stack(&upper, &l, 4 * MIB + 512);
	refused_as_it_is(&l, "lies behind loop");
	spec = write_to(l.path);
	text_copy(spec.allow_raw_overwrite, sizeof(spec.allow_raw_overwrite), l.path);
	refused(&l, &spec, "lies behind loop");
	loop_unstack(&upper);
	refused_as_it_is(&l, NO_SERIAL);
	loop_remove(&l);
}

static void held_exclusively(void **state)
{
	struct loop_device l;
	int fd;

	(void)state;
	loop_take(&l, test_dir);
	fd = open(l.path, O_RDONLY | O_EXCL | O_CLOEXEC);
	assert_true(fd >= 0);
	refused_as_it_is(&l, "is in use");
	close(fd);
	loop_remove(&l);
}

static void names_that_are_no_device(void **state)
{
	static const struct {
		const char *target;
		const char *says;
	} cases[] = {
		{ "/dev/raidtop-no-such-disk", "there is no" },
		{ "/dev/null", "is no disk though it lies in /dev" },
		{ "/dev/tty", "is no disk though it lies in /dev" },
		{ "/dev", "which keeps no files" },
		{ "/proc", "which keeps no files" },
		{ "/proc/self", "which keeps no files" },
		{ "/sys/kernel", "which keeps no files" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct stream_spec spec = write_to(cases[i].target);
		char why[160] = "";

		print_message("  %s\n", cases[i].target);
		assert_true(try_spec(&spec, why, sizeof(why)) < 0);
		assert_in(why, cases[i].says);
	}
	assert_int_equal(access("/dev/raidtop-no-such-disk", F_OK), -1);
}

static void a_users_own_file(void **state)
{
	struct stream_spec spec;
	struct stat before, after;
	char path[128], why[160] = "";

	(void)state;
	make_file(path, sizeof(path), "own", 8192);
	spec = write_to(path);
	text_copy(spec.allow_raw_overwrite, sizeof(spec.allow_raw_overwrite), path);
	assert_int_equal(stat(path, &before), 0);
	assert_true(try_spec(&spec, why, sizeof(why)) < 0);
	assert_in(why, "a file that is not raidtop's");
	assert_int_equal(stat(path, &after), 0);
	assert_int_equal(before.st_mtim.tv_nsec, after.st_mtim.tv_nsec);
	assert_int_equal(before.st_size, after.st_size);
}

static void set_read_only(const struct loop_device *l, int read_only)
{
	int fd = open(l->path, O_RDONLY | O_CLOEXEC);

	assert_int_equal(ioctl(fd, BLKROSET, &read_only), 0);
	close(fd);
}

static void a_read_only_device(void **state)
{
	struct loop_device l;

	(void)state;
	loop_take(&l, test_dir);
	set_read_only(&l, 1);
	refused_as_it_is(&l, l.path);
	set_read_only(&l, 0);
	loop_remove(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_blank_device_without_a_serial),
		cmocka_unit_test(not_allowed_by_name),
		cmocka_unit_test(by_a_link),
		cmocka_unit_test(not_blank),
		cmocka_unit_test(a_partition_table),
		cmocka_unit_test(a_member_of_an_array),
		cmocka_unit_test(a_partition_of_a_member),
		cmocka_unit_test(swap_in_use),
		cmocka_unit_test(a_filesystem),
		cmocka_unit_test(a_mounted_partition),
		cmocka_unit_test(open_elsewhere),
		cmocka_unit_test(open_in_part_elsewhere),
		cmocka_unit_test(behind_a_loop_device),
		cmocka_unit_test(held_exclusively),
		cmocka_unit_test(names_that_are_no_device),
		cmocka_unit_test(a_users_own_file),
		cmocka_unit_test(a_read_only_device),
	};

	return cmocka_run_group_tests_name("load_device", tests, make_test_dir, remove_test_dir);
}
