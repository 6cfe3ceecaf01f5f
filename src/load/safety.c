/*
 * Whatever could overwrite or disturb a user's data is decided here, and what no rule allows is
 * refused. There is one rule so far: streams read. The target must be a block device or a regular
 * file, a name below /dev must be a device (a misspelt one must not become a file there, nor be
 * taken for one), and no descriptor is ever opened for writing.
 */
#include "safety.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "raidtop/text.h"
#include "sentence.h"

static bool is_below_dev(const char *path)
{
	return strncmp(path, "/dev/", 5) == 0;
}

int safety_check(const struct workload *w, const char *name, const char *resolved,
		 const struct stat *st, char *why, size_t size)
{
	char buf[SENTENCE_NAME_BYTES];
	const char *shown = sentence_name(buf, name);

	if (w->writes)
		return sentence_set(-EPERM, why, size,
				    "%s would write to %s, and raidtop only reads: choose seq-read",
				    w->name, shown);
	if (S_ISBLK(st->st_mode))
		return 0;
	if (S_ISDIR(st->st_mode))
		return sentence_set(-EISDIR, why, size,
				    "%s is a directory: name a device or a file", shown);
	if (is_below_dev(name) || is_below_dev(resolved))
		return sentence_set(-ENOTBLK, why, size,
				    "%s is no disk though it lies in /dev: check the name", shown);
	if (S_ISREG(st->st_mode))
		return 0;
	return sentence_set(-ENOTBLK, why, size,
			    "%s is neither a disk nor a file: name a device or a file", shown);
}

/*
 * O_NONBLOCK keeps the open from closing a drive's tray and waiting for it. It is taken off
 * again, because io_uring would take it for "do not wait" at each transfer.
 */
static int leave_nonblock(int fd)
{
	int flags = fcntl(fd, F_GETFL);

	return flags < 0 ? flags : fcntl(fd, F_SETFL, flags & ~O_NONBLOCK);
}

int safety_open_for_reading(int path_fd, int flags)
{
	char path[64];
	int fd, r;

	text_format(path, sizeof(path), "/proc/self/fd/%d", path_fd);
	flags = O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | (flags & O_DIRECT);
	fd = open(path, flags | O_NOATIME);
	if (fd < 0 && errno == EPERM)
		fd = open(path, flags); /* O_NOATIME is for the owner and root only */
	if (fd < 0)
		return -errno;
	r = leave_nonblock(fd) < 0 ? -errno : safety_check_read_only(fd);
	if (r < 0) {
		close(fd);
		return r;
	}
	return fd;
}

int safety_check_read_only(int fd)
{
	int flags = fcntl(fd, F_GETFL);

	if (flags < 0)
		return -errno;
	return (flags & O_ACCMODE) == O_RDONLY ? 0 : -EPERM;
}
