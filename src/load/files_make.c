/*
 * A crash must leave nothing that no manifest names. With O_TMPFILE that is simple: the file has
 * no name until a line with its inode is on the disk, and goes away by itself before. Without, a
 * line announces the name, and a file that is still empty under an announced name is known to be
 * of no worth to anybody.
 *
 * The number is free by the manifest, which is locked here, and may be taken all the same by
 * something that was put there by hand: then the next one is tried.
 */
#include "files_make.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>

#include "raidtop/file.h"
#include "random.h"
#include "shared.h"
#include "target.h"

#define NUMBERS_TRIED 1000
#define FILL_BYTES (2U << 20)
/* Without direct access: so much may be dirty before it is waited for. */
#define DIRTY_BYTES_MAX (64U << 20)

/* Gives it its size, and its place on the disk where the filesystem can do that in advance. */
static int allocate(int fd, uint64_t size_bytes)
{
	if (ftruncate(fd, (off_t)size_bytes) < 0)
		return -errno;
	if (fallocate(fd, 0, 0, (off_t)size_bytes) < 0 && errno != EOPNOTSUPP && errno != ENOSYS)
		return -errno;
	return 0;
}

static int take_identity(int fd, struct manifest_entry *e)
{
	struct stat st;

	if (fstat(fd, &st) < 0 || flock(fd, LOCK_EX | LOCK_NB) < 0)
		return -errno;
	e->device = st.st_dev;
	e->inode = st.st_ino;
	e->uid = st.st_uid;
	e->state = MANIFEST_MADE;
	return 0;
}

static int forget(struct manifest *m, struct manifest_entry *e, int r)
{
	e->state = MANIFEST_REMOVED;
	(void)manifest_add(m, e, false); /* without it, nothing is found under that name */
	return r;
}

/* linkat by descriptor alone asks for a capability on older kernels; /proc may be missing. */
static int give_name(int fd, const struct files_folder *f, const char *name)
{
	char path[64];

	text_format(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (linkat(AT_FDCWD, path, f->fd, name, AT_SYMLINK_FOLLOW) == 0)
		return 0;
	if (errno == ENOENT && linkat(fd, "", f->fd, name, AT_EMPTY_PATH) == 0)
		return 0;
	return -errno;
}

static int announce_and_name(struct manifest *m, const struct files_folder *f,
			     struct manifest_entry *e, int fd)
{
	char name[MANIFEST_FILE_BYTES];
	uint64_t from = 1;
	int r = -EEXIST;

	for (int i = 0; i < NUMBERS_TRIED && r == -EEXIST; i++) {
		e->number = manifest_free_number(m, from);
		from = e->number + 1;
		e->state = MANIFEST_MADE;
		r = manifest_add(m, e, true);
		if (r < 0)
			break;
		manifest_file_name(name, e);
		r = give_name(fd, f, name);
		if (r < 0)
			forget(m, e, r);
	}
	return r;
}

static int make_unnamed(struct manifest *m, const struct files_folder *f, struct manifest_entry *e)
{
	int fd = openat(f->fd, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	int r;

	/* What filesystems and kernels without it say. */
	if (fd < 0 && (errno == EISDIR || errno == ENOENT || errno == EINVAL))
		return -EOPNOTSUPP;
	if (fd < 0)
		return -errno;
	r = take_identity(fd, e);
	if (r == 0)
		r = allocate(fd, e->size_bytes);
	if (r == 0)
		r = announce_and_name(m, f, e, fd);
	if (r < 0)
		close(fd);
	return r < 0 ? r : fd;
}

static int open_new(const struct files_folder *f, const struct manifest_entry *e, const char *name)
{
	int flags = O_NOFOLLOW | O_CLOEXEC;
	int fd;

	if (!e->is_tree)
		fd = openat(f->fd, name, flags | O_RDWR | O_CREAT | O_EXCL, 0600);
	else if (mkdirat(f->fd, name, 0700) < 0)
		return -errno;
	else
		fd = openat(f->fd, name, flags | O_RDONLY | O_DIRECTORY);
	return fd < 0 ? -errno : fd;
}

/* What was made a moment ago, in a folder where nobody else can write. */
static void unmake(const struct files_folder *f, const struct manifest_entry *e, const char *name,
		   int fd)
{
	(void)unlinkat(f->fd, name, e->is_tree ? AT_REMOVEDIR : 0);
	close(fd);
}

static int make_named(struct manifest *m, const struct files_folder *f, struct manifest_entry *e)
{
	char name[MANIFEST_FILE_BYTES];
	uint64_t from = 1;
	int fd = -EEXIST;
	int r;

	e->uid = geteuid();
	e->device = f->device;
	for (int i = 0; i < NUMBERS_TRIED && fd == -EEXIST; i++) {
		e->number = manifest_free_number(m, from);
		from = e->number + 1;
		e->state = MANIFEST_INTENT;
		e->inode = 0;
		r = manifest_add(m, e, true);
		if (r < 0)
			return r;
		manifest_file_name(name, e);
		fd = open_new(f, e, name);
		if (fd < 0)
			forget(m, e, fd);
	}
	if (fd < 0)
		return fd;
	r = take_identity(fd, e);
	if (r == 0)
		r = manifest_add(m, e, true);
	if (r == 0 && !e->is_tree)
		r = allocate(fd, e->size_bytes);
	if (r < 0) {
		unmake(f, e, name, fd);
		forget(m, e, r);
	}
	return r < 0 ? r : fd;
}

int files_make(struct manifest *m, const struct files_folder *f, enum files_way way,
	       struct manifest_entry *e)
{
	int fd;

	e->filesystem = f->filesystem;
	fd = way == FILES_UNNAMED ? make_unnamed(m, f, e) : make_named(m, f, e);
	if (fd >= 0)
		(void)fsync(f->fd);
	return fd;
}

int files_make_tree(struct manifest *m, const struct files_folder *f, struct manifest_entry *e)
{
	e->is_tree = true;
	return files_make(m, f, FILES_NAMED, e);
}

static int write_block(int fd, const unsigned char *block, size_t bytes, uint64_t offset)
{
	while (bytes > 0) {
		ssize_t n = pwrite(fd, block, bytes, (off_t)offset);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EINVAL && target_leave_direct(fd) == 0 && offset == 0)
			n = pwrite(fd, block, bytes, (off_t)offset); /* refused at the transfer */
		if (n < 0)
			return -errno;
		if (n == 0)
			return -EIO;
		block += n;
		bytes -= (size_t)n;
		offset += (uint64_t)n;
	}
	return 0;
}

static int fill(int fd, unsigned char *block, uint64_t size_bytes, uint64_t seed,
		const _Atomic uint32_t *stop, _Atomic uint64_t *progress)
{
	struct random random;

	random_seed(&random, seed);
	(void)(fcntl(fd, F_SETFL, O_DIRECT) == 0); /* a refusal is found out below */
	for (uint64_t at = 0; at < size_bytes; at += FILL_BYTES) {
		uint64_t left = size_bytes - at;
		size_t bytes = left < FILL_BYTES ? (size_t)left : FILL_BYTES;
		int r;

		if (atomic_load_explicit(stop, memory_order_relaxed))
			return -ECANCELED;
		random_fill(&random, block, bytes);
		r = write_block(fd, block, bytes, at);
		if (r < 0)
			return r;
		if (at % DIRTY_BYTES_MAX == 0 && !(fcntl(fd, F_GETFL) & O_DIRECT) &&
		    fdatasync(fd) < 0)
			return -errno;
		shared_set(progress, at + bytes);
	}
	(void)target_leave_direct(fd);
	return fsync(fd) < 0 ? -errno : 0;
}

int files_fill(int fd, uint64_t size_bytes, uint64_t seed, const _Atomic uint32_t *stop,
	       _Atomic uint64_t *progress)
{
	unsigned char *block =
		mmap(NULL, FILL_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int r;

	if (block == MAP_FAILED)
		return -errno;
	r = fill(fd, block, size_bytes, seed, stop, progress);
	munmap(block, FILL_BYTES);
	return r;
}
