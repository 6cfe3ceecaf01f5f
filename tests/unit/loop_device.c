/*
 * Real block devices for tests about what must not happen to them. They are made by the ioctls of
 * loop(4), because losetup may not be there, and each test compares all bytes before and after.
 */
#include "loop_device.h"

#include <setjmp.h>
#include <stdarg.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/blkpg.h>
#include <linux/fs.h>
#include <linux/loop.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

#include "raidtop/text.h"

static int configure(struct loop_device *l, int fd)
{
	struct loop_config config = { 0 };
	int file = open(l->file, O_RDWR | O_CLOEXEC);
	int r;

	config.fd = (uint32_t)file;
	config.info.lo_flags = LO_FLAGS_PARTSCAN;
	config.info.lo_offset = l->offset;
	r = file < 0 ? -1 : ioctl(fd, LOOP_CONFIGURE, &config);
	if (file >= 0)
		close(file);
	return r;
}

/* Another program may take the number that was free a moment ago. */
static bool attach(struct loop_device *l)
{
	int control = open("/dev/loop-control", O_RDWR | O_CLOEXEC);
	bool attached = false;

	for (int tries = 0; control >= 0 && !attached && tries < 10; tries++) {
		int number = ioctl(control, LOOP_CTL_GET_FREE);
		int fd;

		text_format(l->path, sizeof(l->path), "/dev/loop%d", number);
		fd = number < 0 ? -1 : open(l->path, O_RDWR | O_CLOEXEC);
		if (fd < 0)
			break;
		attached = configure(l, fd) == 0;
		close(fd);
	}
	if (control >= 0)
		close(control);
	return attached;
}

void loop_take(struct loop_device *l, const char *dir)
{
	struct stat st;
	int fd;

	*l = (struct loop_device){ .bytes = DEVICE_BYTES };
	text_format(l->file, sizeof(l->file), "%s/loop-XXXXXX", dir);
	fd = mkstemp(l->file);
	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, DEVICE_BYTES), 0);
	close(fd);
	if (geteuid() != 0 || !attach(l)) {
		print_message("skipped: no loop device can be made here (root is needed)\n");
		unlink(l->file);
		skip();
	}
	assert_int_equal(stat(l->path, &st), 0);
	l->number = st.st_rdev;
}

static void detach(const struct loop_device *l)
{
	int fd = open(l->path, O_RDWR | O_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(ioctl(fd, LOOP_CLR_FD, 0), 0);
	close(fd);
}

void loop_remove(struct loop_device *l)
{
	detach(l);
	unlink(l->file);
}

void loop_stack(struct loop_device *upper, const struct loop_device *below, uint64_t offset)
{
	*upper = (struct loop_device){ .bytes = below->bytes - offset, .offset = offset };
	text_copy(upper->file, sizeof(upper->file), below->path);
	assert_true(attach(upper));
}

void loop_unstack(struct loop_device *upper)
{
	detach(upper);
}

void loop_renew(struct loop_device *l)
{
	const struct timespec moment = { .tv_nsec = 5000000 };
	int r = -1;

	detach(l);
	for (int tries = 0; r < 0 && tries < 400; tries++) {
		int fd = open(l->path, O_RDWR | O_CLOEXEC);

		r = fd < 0 ? -1 : configure(l, fd);
		if (fd >= 0)
			close(fd);
		if (r < 0)
			nanosleep(&moment, NULL);
	}
	assert_int_equal(r, 0);
}

void loop_write(const struct loop_device *l, uint64_t offset, const void *data, size_t len)
{
	int fd = open(l->path, O_WRONLY | O_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(pwrite(fd, data, len, (off_t)offset), (ssize_t)len);
	assert_int_equal(fsync(fd), 0);
	close(fd);
}

uint64_t loop_sum(const struct loop_device *l)
{
	static unsigned char block[65536];
	int fd = open(l->path, O_RDONLY | O_CLOEXEC);
	uint64_t sum = 14695981039346656037ULL, total = 0; /* FNV-1a */
	ssize_t n;

	assert_true(fd >= 0);
	while ((n = read(fd, block, sizeof(block))) > 0) {
		for (ssize_t i = 0; i < n; i++)
			sum = (sum ^ block[i]) * 1099511628211ULL;
		total += (uint64_t)n;
	}
	close(fd);
	assert_int_equal(n, 0);
	assert_int_equal(total, l->bytes);
	return sum;
}

void loop_add_partition(const struct loop_device *l, uint64_t offset, uint64_t bytes, char *path,
			size_t size)
{
	struct blkpg_partition partition = {
		.start = (long long)offset,
		.length = (long long)bytes,
		.pno = 1,
	};
	struct blkpg_ioctl_arg argument = {
		.op = BLKPG_ADD_PARTITION,
		.datalen = sizeof(partition),
		.data = &partition,
	};
	int fd = open(l->path, O_RDONLY | O_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(ioctl(fd, BLKPG, &argument), 0);
	close(fd);
	text_format(path, size, "%sp1", l->path);
}

int run_program(const char *const *argv)
{
	int status = 0;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		int nothing = open("/dev/null", O_RDWR);

		dup2(nothing, 0);
		dup2(nothing, 1);
		dup2(nothing, 2);
		setenv("PATH", "/usr/local/sbin:/usr/sbin:/sbin:/usr/bin:/bin", 1);
		execvp(argv[0], (char *const *)(uintptr_t)argv);
		_exit(127);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}
