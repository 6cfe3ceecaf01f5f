/*
 * Loop devices and small filesystems on them, for tests of what disks do wrong. Root is needed:
 * where it cannot be had the test is skipped with a message.
 */
#ifndef TESTS_LOAD_LOOP_H
#define TESTS_LOAD_LOOP_H

#include "load_support.h"

#include <linux/loop.h>
#include <sys/ioctl.h>
#include <sys/mount.h>

struct loop {
	int fd;
	char path[32];
};

/* Skips the test where there is no permission, or no loop device, to work with. */
static inline void loop_attach(struct loop *l, const char *file)
{
	struct loop_config config = { .info.lo_flags = LO_FLAGS_AUTOCLEAR };
	int control = open("/dev/loop-control", O_RDWR | O_CLOEXEC);
	int number = control < 0 ? -1 : ioctl(control, LOOP_CTL_GET_FREE);
	int backing = open(file, O_RDWR | O_CLOEXEC);

	close(control);
	assert_true(backing >= 0);
	config.fd = (uint32_t)backing;
	text_format(l->path, sizeof(l->path), "/dev/loop%d", number);
	l->fd = number < 0 ? -1 : open(l->path, O_RDWR | O_CLOEXEC);
	if (l->fd < 0 || ioctl(l->fd, LOOP_CONFIGURE, &config) < 0) {
		print_message("skipped: no loop device to be had (root is needed)\n");
		close(backing);
		close(l->fd);
		skip();
	}
	close(backing);
}

/* Closing it is enough: it detaches itself with its last user. */
static inline void loop_release(struct loop *l)
{
	close(l->fd);
}

static inline int run(const char *program, const char *argument, const char *path)
{
	int status = -1;
	pid_t pid = fork();

	if (pid == 0) {
		int nothing = open("/dev/null", O_RDWR);

		dup2(nothing, STDOUT_FILENO);
		dup2(nothing, STDERR_FILENO);
		execlp(program, program, argument, path, (char *)NULL);
		_exit(127);
	}
	waitpid(pid, &status, 0);
	return status;
}

/* 32 MiB of ext4 on a loop device, mounted below the test's directory. */
static inline void mount_filesystem(struct loop *outer, char *mounted, size_t size,
				    const char *options)
{
	char path[128];

	make_file(path, sizeof(path), "filesystem", 32 * MIB);
	if (run("mkfs.ext4", "-Fq", path) != 0) {
		print_message("skipped: no filesystem could be made by mkfs.ext4\n");
		skip();
	}
	loop_attach(outer, path);
	test_path(mounted, size, "mounted");
	assert_int_equal(mkdir(mounted, 0700), 0);
	if (mount(outer->path, mounted, "ext4", 0, options) < 0) {
		print_message("skipped: cannot mount here: %s\n", strerror(errno));
		rmdir(mounted);
		loop_release(outer);
		skip();
	}
}

/* A loop device lets go of its file a little after it was closed. */
static inline void unmount_filesystem(struct loop *outer, const char *mounted)
{
	uint64_t until_ns = clock_monotonic_ns() + PATIENCE_NS;

	while (umount(mounted) < 0 && clock_monotonic_ns() < until_ns)
		nap();
	loop_release(outer);
	rmdir(mounted);
}

#endif
