/*
 * The manifest as a file. It is opened anew for each piece of work and locked for as long, since
 * it is written anew (beside, then renamed) once most of its lines tell of what is long gone.
 * Before each line that is added, a line that was cut off by a crash is ended, so that at most
 * that one is lost.
 */
#include "manifest.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "raidtop/file.h"
#include "raidtop/memory.h"

/* Beyond these, something else than raidtop has written it. */
#define BYTES_MAX (32U << 20)
#define LINE_BYTES_MAX 2048

/* Fewer lines are read in less than a millisecond or two. */
#define LINES_BEFORE_RENEWAL 1000

/* Each follows on a renewal or a removal by somebody else. */
#define ATTEMPTS 1000

static int open_named(const struct files_folder *f, bool create)
{
	int flags = O_RDWR | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
	int fd = openat(f->fd, MANIFEST_NAME, flags);

	/* Both may lose against another raidtop that makes it, or removes it. */
	if (fd < 0 && errno == ENOENT && create) {
		fd = openat(f->fd, MANIFEST_NAME, flags | O_CREAT | O_EXCL, 0600);
		if (fd >= 0)
			(void)fsync(f->fd);
	}
	if (fd < 0)
		return errno == ELOOP ? -EPERM : errno == EEXIST ? -EAGAIN : -errno;
	return fd;
}

/* 0; -EAGAIN where the name leads elsewhere by now; -EPERM where it is no file of ours alone. */
static int check_opened(const struct files_folder *f, int fd)
{
	struct stat opened, named;

	if (fstat(fd, &opened) < 0)
		return -errno;
	if (fstatat(f->fd, MANIFEST_NAME, &named, AT_SYMLINK_NOFOLLOW) < 0)
		return errno == ENOENT ? -EAGAIN : -errno;
	if (opened.st_dev != named.st_dev || opened.st_ino != named.st_ino)
		return -EAGAIN;
	if (!S_ISREG(opened.st_mode) || opened.st_uid != geteuid() || opened.st_nlink != 1 ||
	    (opened.st_mode & (S_IWGRP | S_IWOTH)) || opened.st_dev != f->device)
		return -EPERM;
	return 0;
}

static int open_locked(const struct files_folder *f, bool create)
{
	for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
		int fd = open_named(f, create);
		int r;

		if (fd == -EAGAIN)
			continue;
		if (fd < 0)
			return fd;
		r = check_opened(f, fd); /* before the wait: a planted one is not waited for */
		while (r == 0 && flock(fd, LOCK_EX) < 0)
			r = errno == EINTR ? 0 : -errno;
		if (r == 0)
			r = check_opened(f, fd);
		if (r == 0)
			return fd;
		close(fd);
		if (r != -EAGAIN)
			return r;
	}
	return -EBUSY;
}

static void take_line(struct manifest *m, const char *line, size_t len, size_t *size)
{
	char bad_name[MANIFEST_FILE_BYTES] = "";
	struct manifest_entry e;

	m->lines++;
	if (len == 0)
		return;
	if (len > LINE_BYTES_MAX || manifest_parse(line, len, &e, bad_name) < 0) {
		if (m->bad_lines++ == 0) {
			m->first_bad_line = m->lines;
			text_copy(m->bad_name, sizeof(m->bad_name), bad_name);
		}
		return;
	}
	if (m->n == *size) {
		*size = *size ? 2 * *size : 64;
		m->entries = memory_resize(m->entries, *size, sizeof(*m->entries));
	}
	e.line = m->lines;
	m->entries[m->n++] = e;
}

static int compare(const void *a, const void *b)
{
	const struct manifest_entry *x = a, *y = b;

	if (x->number != y->number)
		return x->number < y->number ? -1 : 1;
	if (x->is_tree != y->is_tree)
		return x->is_tree ? 1 : -1;
	return x->line < y->line ? -1 : x->line > y->line;
}

/* Of each name its last line, without those that are gone. */
static void keep_last(struct manifest *m)
{
	size_t kept = 0;

	if (m->n > 1)
		qsort(m->entries, m->n, sizeof(*m->entries), compare);
	for (size_t i = 0; i < m->n; i++) {
		const struct manifest_entry *e = &m->entries[i];
		bool last = i + 1 == m->n || e[1].number != e->number || e[1].is_tree != e->is_tree;

		if (last && e->state != MANIFEST_REMOVED)
			m->entries[kept++] = *e;
	}
	m->n = kept;
}

static int read_all(struct manifest *m)
{
	struct buffer b = BUFFER_INIT;
	size_t size = 0;
	int r;

	r = file_read_fd(m->fd, BYTES_MAX, &b);
	if (r == -EFBIG)
		r = -EBADMSG; /* EFBIG would be taken for a test file's */
	for (const char *at = b.data, *end; r == 0 && at && at < b.data + b.len; at = end + 1) {
		end = memchr(at, '\n', b.len - (size_t)(at - b.data));
		if (!end)
			end = b.data + b.len;
		take_line(m, at, (size_t)(end - at), &size);
	}
	buffer_release(&b);
	if (r == 0)
		keep_last(m);
	return r;
}

/* Writes what still holds beside it, and puts that in its place. It stays as it is where not. */
static int renew(struct manifest *m, const struct files_folder *f)
{
	struct buffer b = BUFFER_INIT;
	int r = 0;
	int fd;

	(void)unlinkat(f->fd, MANIFEST_NEW_NAME, 0); /* of one that crashed here */
	fd = openat(f->fd, MANIFEST_NEW_NAME,
		    O_RDWR | O_APPEND | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return -errno;
	for (size_t i = 0; i < m->n; i++)
		manifest_format(&b, &m->entries[i]);
	if (flock(fd, LOCK_EX | LOCK_NB) < 0) /* before it has its name */
		r = -errno;
	if (r == 0)
		r = file_write_all(fd, buffer_text(&b), b.len);
	if (r == 0 &&
	    (fsync(fd) < 0 || renameat(f->fd, MANIFEST_NEW_NAME, f->fd, MANIFEST_NAME) < 0))
		r = -errno;
	buffer_release(&b);
	if (r < 0) {
		(void)unlinkat(f->fd, MANIFEST_NEW_NAME, 0);
		close(fd);
		return r;
	}
	close(m->fd);
	m->fd = fd;
	return 0;
}

int manifest_open(struct manifest *m, const struct files_folder *f, bool create)
{
	int r;

	*m = (struct manifest)MANIFEST_INIT;
	m->fd = open_locked(f, create);
	if (m->fd < 0)
		return m->fd;
	r = read_all(m);
	if (r == 0 && create && m->lines > LINES_BEFORE_RENEWAL && m->lines > 4 * m->n)
		(void)renew(m, f); /* a long one works as well */
	if (r < 0)
		manifest_release(m);
	return r;
}

void manifest_release(struct manifest *m)
{
	if (m->fd >= 0)
		close(m->fd);
	free(m->entries);
	*m = (struct manifest)MANIFEST_INIT;
}

static int write_line(int fd, const struct buffer *line, off_t end)
{
	int r = file_write_all(fd, line->data, line->len);

	if (r < 0)
		(void)(ftruncate(fd, end) == 0); /* a part of it would be no harm, either */
	return r;
}

int manifest_add(struct manifest *m, const struct manifest_entry *e, bool sync)
{
	struct buffer line = BUFFER_INIT;
	off_t end = lseek(m->fd, 0, SEEK_END);
	char last = '\n';
	int r;

	if (end < 0)
		return -errno;
	if (end > 0 && pread(m->fd, &last, 1, end - 1) != 1)
		return -EIO;
	if (last != '\n')
		buffer_add_char(&line, '\n');
	manifest_format(&line, e);
	r = write_line(m->fd, &line, end);
	buffer_release(&line);
	if (r == 0 && sync && fdatasync(m->fd) < 0)
		r = -errno;
	return r;
}

uint64_t manifest_free_number(const struct manifest *m, uint64_t from)
{
	for (size_t i = 0; i < m->n; i++) {
		if (m->entries[i].number == from)
			from++;
	}
	return from;
}

int manifest_unlink(const struct files_folder *f)
{
	return unlinkat(f->fd, MANIFEST_NAME, 0) < 0 ? -errno : 0;
}

uint64_t manifest_largest(const struct manifest *m, uint64_t most)
{
	uint64_t largest = 0;

	for (size_t i = 0; i < m->n; i++) {
		const struct manifest_entry *e = &m->entries[i];

		if (!e->is_tree && e->size_bytes > largest && e->size_bytes <= most)
			largest = e->size_bytes;
	}
	return largest;
}
