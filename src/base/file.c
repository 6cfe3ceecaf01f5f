/*
 * Small files of procfs and sysfs. They have no size that could be asked for, come in pieces, are
 * made anew at each read from the start, and may vanish between two system calls.
 */
#include "raidtop/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "raidtop/number.h"

#define PIECE 4096

/* Not blocking, because below --root a path may as well lead to a pipe that nobody writes. */
static int open_to_read(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);

	return fd < 0 ? -errno : fd;
}

int file_read_fd(int fd, size_t limit, struct buffer *b)
{
	buffer_reset(b);
	for (;;) {
		size_t room;
		ssize_t n;

		buffer_reserve(b, PIECE);
		room = b->size - b->len - 1;
		n = pread(fd, b->data + b->len, room, (off_t)b->len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			int r = -errno;

			buffer_reset(b);
			return r;
		}
		b->len += (size_t)n;
		b->data[b->len] = '\0';
		if (b->len > limit) {
			buffer_reset(b);
			return -EFBIG;
		}
		if (n == 0)
			return 0;
	}
}

int file_read(const char *path, size_t limit, struct buffer *b)
{
	int fd = open_to_read(path), r;

	if (fd < 0) {
		buffer_reset(b);
		return fd;
	}
	r = file_read_fd(fd, limit, b);
	close(fd);
	return r;
}

/* Fills up to `size` bytes or to the end; the length or -errno. */
static ssize_t read_up_to(int fd, char *dst, size_t size)
{
	size_t len = 0;

	while (len < size && !memchr(dst, '\n', len)) {
		ssize_t n = read(fd, dst + len, size - len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			break;
		len += (size_t)n;
	}
	return (ssize_t)len;
}

int file_read_line(const char *path, char *dst, size_t size)
{
	ssize_t n;
	int fd;

	if (size == 0)
		return -EINVAL;
	dst[0] = '\0';
	fd = open_to_read(path);
	if (fd < 0)
		return fd;
	n = read_up_to(fd, dst, size - 1);
	close(fd);
	dst[n < 0 ? 0 : n] = '\0';
	dst[strcspn(dst, "\n")] = '\0';
	return n < 0 ? (int)n : 0;
}

int file_read_u64(const char *path, uint64_t *ret)
{
	char line[64];
	int r = file_read_line(path, line, sizeof(line));

	if (r)
		return r;
	return number_parse_u64(line, strlen(line), ret) ? -EINVAL : 0;
}

int file_read_i64(const char *path, int64_t *ret)
{
	char line[64];
	int r = file_read_line(path, line, sizeof(line));

	if (r)
		return r;
	return number_parse_i64(line, strlen(line), ret) ? -EINVAL : 0;
}

int file_read_link_name(const char *path, char *dst, size_t size)
{
	char target[PATH_MAX];
	const char *name;
	ssize_t n;

	if (size == 0)
		return -EINVAL;
	dst[0] = '\0';
	n = readlink(path, target, sizeof(target) - 1);
	if (n < 0)
		return -errno;
	while (n > 0 && target[n - 1] == '/')
		n--;
	target[n] = '\0';
	name = strrchr(target, '/');
	name = name ? name + 1 : target;
	if (!name[0])
		return -EINVAL;
	if (strlen(name) >= size)
		return -ENAMETOOLONG;
	text_copy(dst, size, name);
	return 0;
}

int file_write_all(int fd, const void *data, size_t len)
{
	const char *at = data;

	while (len > 0) {
		ssize_t n = write(fd, at, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -errno : -EIO;
		at += n;
		len -= (size_t)n;
	}
	return 0;
}
