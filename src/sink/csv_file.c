/*
 * Where a recording goes. What could overwrite somebody's data is refused here: a file that
 * exists, unless the user insists; a block device, always; a file that another raidtop records
 * to. What was begun and could not be ended is cut off again, so that whole ticks remain.
 */
#include "csv_file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "raidtop/text.h"

static int refuse(char *why, size_t size, int r, const char *path, const char *what)
{
	text_format(why, size, "%s %s", path, what);
	return r;
}

static int refuse_errno(char *why, size_t size, int error, const char *path, const char *what)
{
	text_format(why, size, "%s %s: %s", path, what, strerror(error));
	return -error;
}

static const char is_block_device[] = "is a block device: a recording would destroy what it holds";

/* What is there already: only what takes no harm is taken, a regular file when `force` says so. */
static int check_existing(struct csv_file *f, const char *path, bool force, char *why, size_t size)
{
	struct stat st;

	if (fstat(f->fd, &st) < 0)
		return refuse_errno(why, size, errno, path, "cannot be looked at");
	if (S_ISBLK(st.st_mode))
		return refuse(why, size, -ENOTSUP, path, is_block_device);
	f->is_regular = f->can_sync = S_ISREG(st.st_mode);
	if (!f->is_regular)
		return 0;
	if (!force)
		return refuse(why, size, -EEXIST, path, "exists already: --force overwrites it");
	if (flock(f->fd, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK)
		return refuse(why, size, -EBUSY, path, "is being recorded to by another raidtop");
	if (ftruncate(f->fd, 0) < 0)
		return refuse_errno(why, size, errno, path, "cannot be overwritten");
	return 0;
}

/* Without O_CREAT and not blocking: a pipe that nobody reads is told rather than waited for. */
static int open_existing(struct csv_file *f, const char *path, bool force, char *why, size_t size)
{
	struct stat st;
	int flags;

	/* Not even opened: that alone makes udev look at it anew. */
	if (stat(path, &st) == 0 && S_ISBLK(st.st_mode))
		return refuse(why, size, -ENOTSUP, path, is_block_device);
	f->fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (f->fd < 0 && errno == ENXIO)
		return refuse(why, size, -ENXIO, path, "is a pipe that nobody reads from yet");
	if (f->fd < 0)
		return refuse_errno(why, size, errno, path, "cannot be written");
	flags = fcntl(f->fd, F_GETFL);
	if (flags < 0 || fcntl(f->fd, F_SETFL, flags & ~O_NONBLOCK) < 0)
		return refuse_errno(why, size, errno, path, "cannot be written");
	return check_existing(f, path, force, why, size);
}

static int open_standard_output(struct csv_file *f, char *why, size_t size)
{
	struct stat st;

	if (fstat(STDOUT_FILENO, &st) < 0)
		return refuse_errno(why, size, errno, "standard output", "cannot be written");
	f->fd = STDOUT_FILENO;
	f->is_own = false;
	f->is_regular = f->can_sync = S_ISREG(st.st_mode);
	return 0;
}

int csv_file_open(struct csv_file *f, const char *path, bool force, char *why, size_t size)
{
	int r;

	*f = (struct csv_file){ .fd = -1, .is_own = true };
	if (strcmp(path, "-") == 0)
		return open_standard_output(f, why, size);
	f->fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY, 0666);
	if (f->fd >= 0) {
		f->is_regular = f->can_sync = f->is_new = true;
		flock(f->fd, LOCK_EX | LOCK_NB); /* nobody else has it yet */
		return 0;
	}
	if (errno != EEXIST)
		return refuse_errno(why, size, errno, path, "cannot be made");
	r = open_existing(f, path, force, why, size);
	if (r < 0 && f->fd >= 0)
		close(f->fd);
	return r;
}

/* So much a pipe takes without waiting, once poll() has said that it takes something. */
#define PIPE_PIECE 4096

/*
 * A pipe whose reader takes nothing holds us up, and there it must be possible to end: signals are
 * let in while waiting. -EINTR where one has come.
 */
static int wait_for_room(const struct csv_file *f)
{
	struct pollfd wait = { .fd = f->fd, .events = POLLOUT };

	return ppoll(&wait, 1, NULL, f->wait_mask) < 0 ? -errno : 0;
}

/* One whole write, or as many as it takes; how much got out is in *ret_done. */
static int write_all(const struct csv_file *f, const char *data, size_t len, size_t *ret_done)
{
	*ret_done = 0;
	while (*ret_done < len) {
		size_t left = len - *ret_done;
		int r = f->is_regular ? 0 : wait_for_room(f);
		ssize_t n;

		if (r < 0)
			return r;
		if (!f->is_regular && left > PIPE_PIECE)
			left = PIPE_PIECE;
		n = write(f->fd, data + *ret_done, left);
		if (n > 0)
			*ret_done += (size_t)n;
		else if (n == 0)
			return -EIO;
		else if (errno != EINTR && errno != EAGAIN) /* not blocking: others may set that */
			return -errno;
	}
	return 0;
}

int csv_file_write(struct csv_file *f, const void *data, size_t len)
{
	size_t done;
	int r = write_all(f, data, len, &done);

	if (r == 0)
		f->size += len;
	else if (done > 0 && f->is_own && f->is_regular && ftruncate(f->fd, (off_t)f->size) < 0)
		return r; /* the torn line stays, and a reader passes over it */
	return r;
}

int csv_file_sync(struct csv_file *f)
{
	if (!f->can_sync || fdatasync(f->fd) == 0)
		return 0;
	if (errno != EINVAL && errno != ENOTSUP && errno != EROFS)
		return -errno;
	f->can_sync = false; /* do not ask again */
	return 0;
}

int csv_file_close(struct csv_file *f)
{
	int fd = f->fd;

	f->fd = -1;
	if (fd < 0 || !f->is_own || close(fd) == 0)
		return 0;
	return -errno;
}
