/*
 * Opening a target has to be done without touching the wrong thing: opening a tape rewinds it,
 * opening a FIFO waits, opening a watchdog arms it. So its name is looked up with O_PATH, which
 * opens nothing; what lies there is checked, and then that very thing is opened. O_DIRECT may be
 * refused by a filesystem, and the stream then reads through the page cache and drops each block
 * behind itself, so that a second pass comes from the disk again.
 */
#include "target.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "raidtop/file.h"
#include "raidtop/text.h"
#include "safety.h"
#include "sentence.h"

/* Where neither statx nor the device tells: what every filesystem and disk of today can do. */
#define ALIGN_UNKNOWN_BYTES 4096

static int tell_open_error(int r, const char *name, char *why, size_t size)
{
	static const struct {
		int error;
		const char *before, *after; /* the name */
	} table[] = {
		{ EACCES, "no permission to read ", ": start raidtop as root (sudo raidtop)" },
		{ EPERM, "reading ",
		  " is not allowed, not even for this user: is it a container?" },
		{ ENOENT, "there is no ", ": check the name" },
		{ ENOTDIR, "there is no ", ": check the name" },
		{ ENXIO, "there is no device behind ", ": is it plugged in?" },
		{ ENODEV, "there is no device behind ", ": is it plugged in?" },
		{ ENOMEDIUM, "there is no medium in ", ": insert one" },
		{ EBUSY, "", " is busy: another program holds it for itself" },
	};
	char buf[SENTENCE_NAME_BYTES];

	name = sentence_name(buf, name);
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		if (table[i].error == -r)
			return sentence_set(r, why, size, "%s%s%s", table[i].before, name,
					    table[i].after);
	}
	return sentence_set(r, why, size, "%s cannot be opened: %s", name, strerror(-r));
}

/* Where a descriptor leads, after all links; "" where that cannot be told. */
static void resolve(int fd, char *dst, size_t size)
{
	char path[64];
	ssize_t len;

	text_format(path, sizeof(path), "/proc/self/fd/%d", fd);
	len = readlink(path, dst, size - 1);
	dst[len > 0 ? len : 0] = '\0';
}

static int find_size(int fd, const struct stat *st, uint64_t *ret_bytes)
{
	if (!S_ISBLK(st->st_mode)) {
		*ret_bytes = (uint64_t)st->st_size;
		return 0;
	}
	return ioctl(fd, BLKGETSIZE64, ret_bytes) < 0 ? -errno : 0;
}

uint64_t target_alignment(int fd, const struct stat *st)
{
	int sector_bytes;

#ifdef STATX_DIOALIGN /* Linux 6.1 */
	struct statx x;

	if (statx(fd, "", AT_EMPTY_PATH, STATX_DIOALIGN, &x) == 0 && (x.stx_mask & STATX_DIOALIGN))
		return x.stx_dio_offset_align;
#endif
	if (S_ISBLK(st->st_mode) && ioctl(fd, BLKSSZGET, &sector_bytes) == 0 && sector_bytes > 0)
		return (uint64_t)sector_bytes;
	return ALIGN_UNKNOWN_BYTES;
}

/* tmpfs accepts O_DIRECT since Linux 6.6, so only its type tells that no disk is behind it. */
static bool lies_in_memory(int fd, const struct stat *st)
{
	struct statfs fs;

	if (S_ISBLK(st->st_mode) || fstatfs(fd, &fs) < 0)
		return false;
	return fs.f_type == TMPFS_MAGIC || fs.f_type == RAMFS_MAGIC;
}

static int open_readable(struct target *t, int path_fd, enum stream_access access)
{
	t->access = access;
	t->fd = safety_open_for_reading(path_fd, access == STREAM_DIRECT ? O_DIRECT : 0);
	if (t->fd == -EINVAL && access == STREAM_DIRECT) { /* the filesystem has none */
		t->access = STREAM_DONTCACHE;
		t->fd = safety_open_for_reading(path_fd, 0);
	}
	return t->fd < 0 ? t->fd : 0;
}

/* Of a file or a device, on its descriptor. */
static int measure(struct target *t, const struct stat *st)
{
	int r = find_size(t->fd, st, &t->size_bytes);

	if (r < 0)
		return r;
	t->in_memory = lies_in_memory(t->fd, st);
	t->align_bytes = 1;
	if (t->access == STREAM_DIRECT) {
		t->align_bytes = target_alignment(t->fd, st);
		if (t->align_bytes == 0) {
			t->align_bytes = 1;
			t->access = STREAM_DONTCACHE;
			return target_leave_direct(t->fd);
		}
	}
	return 0;
}

/* ---- the three kinds ---- */

static int open_for_reading(struct target *t, struct safety_case *c, int path_fd, char *why,
			    size_t size)
{
	char buf[SENTENCE_NAME_BYTES];
	int r = open_readable(t, path_fd, c->spec->access);

	if (r == 0)
		r = measure(t, &c->st);
	if (r < 0)
		return tell_open_error(r, c->spec->target, why, size);
	if (t->size_bytes == 0)
		return sentence_set(-ENODATA, why, size, "%s is empty: there is nothing to read",
				    sentence_name(buf, c->spec->target));
	return 0;
}

/* Direct access is a flag that can be set on the descriptor: there is no second open. */
static int open_for_writing(struct target *t, struct safety_case *c, char *why, size_t size)
{
	char buf[SENTENCE_NAME_BYTES];
	int r = safety_open_for_writing(c, why, size);
	int flags;

	if (r < 0)
		return r;
	t->fd = c->fd;
	t->device = c->st.st_rdev;
	t->access = c->spec->access;
	flags = fcntl(t->fd, F_GETFL);
	if (t->access == STREAM_DIRECT &&
	    (flags < 0 || fcntl(t->fd, F_SETFL, flags | O_DIRECT) < 0))
		t->access = STREAM_DONTCACHE;
	r = measure(t, &c->st);
	if (r < 0)
		return sentence_set(r, why, size, "%s cannot be measured: %s",
				    sentence_name(buf, c->spec->target), strerror(-r));
	return 0;
}

/* What a file there will need. The size is that of the file to be, which its maker decides. */
static uint64_t directory_alignment(const struct place *p)
{
	char dir[PATH_MAX], path[PATH_MAX];
	uint64_t bytes;

	if (p->n_devices == 0 || p->devices[0].above >= 0 || major(p->number) == 0)
		return ALIGN_UNKNOWN_BYTES;
	for (int up = 0; up < 2; up++) { /* a partition's is its disk's */
		if (place_sysfs_dir(dir, sizeof(dir), "", p->devices[0].major,
				    p->devices[0].minor) &&
		    text_format(path, sizeof(path), "%s%s/queue/logical_block_size", dir,
				up ? "/.." : "") &&
		    file_read_u64(path, &bytes) == 0 && bytes > 0)
			return bytes;
	}
	return ALIGN_UNKNOWN_BYTES;
}

static int open_directory(struct target *t, const struct safety_case *c, int path_fd, char *why,
			  size_t size)
{
	t->fd = safety_open_directory(path_fd);
	if (t->fd < 0)
		return tell_open_error(t->fd, c->spec->target, why, size);
	t->mount_id = c->place->mount_id;
	t->device = c->st.st_dev;
	t->access = c->spec->access;
	t->in_memory = lies_in_memory(t->fd, &c->st);
	if (t->access == STREAM_DIRECT)
		t->align_bytes = directory_alignment(c->place);
	return 0;
}

/* What lies there, by a descriptor that opens nothing. */
static int look_at(struct safety_case *c, struct place *place, int path_fd, char *why, size_t size)
{
	int r;

	if (fstat(path_fd, &c->st) < 0)
		return tell_open_error(-errno, c->spec->target, why, size);
	resolve(path_fd, c->resolved, sizeof(c->resolved));
	c->kind = safety_kind(c->workload, &c->st);
	r = safety_check_name(c, why, size);
	if (r < 0)
		return r;
	r = place_find(place, path_fd, c->root);
	if (r < 0)
		return tell_open_error(r, c->spec->target, why, size);
	if (S_ISBLK(c->st.st_mode))
		c->diskseq = safety_diskseq(c->root, c->st.st_rdev);
	return 0;
}

int target_look_up(struct safety_case *c, const struct stream_spec *spec, const struct workload *w,
		   struct place *place, int *ret_path_fd, char *why, size_t size)
{
	int path_fd = open(spec->target, O_PATH | O_CLOEXEC);
	int r;

	*c = (struct safety_case){
		.spec = spec,
		.workload = w,
		.place = place,
		.diskseq = UNKNOWN_U64,
		.fd = -1,
		.root = "",
	};
	if (path_fd < 0)
		return tell_open_error(-errno, spec->target, why, size);
	r = look_at(c, place, path_fd, why, size);
	if (r < 0)
		close(path_fd);
	else
		*ret_path_fd = path_fd;
	return r;
}

static int open_looked_up(struct target *t, int path_fd, struct safety_case *c, char *why,
			  size_t size)
{
	int r;

	t->kind = c->kind;
	if (c->kind == SHARED_TARGET_DEVICE)
		return open_for_writing(t, c, why, size);
	r = safety_check(c, why, size);
	if (r < 0)
		return r;
	return c->kind == SHARED_TARGET_DIRECTORY ? open_directory(t, c, path_fd, why, size)
						  : open_for_reading(t, c, path_fd, why, size);
}

int target_open(struct target *t, const struct stream_spec *spec, const struct workload *w,
		struct place *place, char *why, size_t size)
{
	struct safety_case c;
	int path_fd = -1;
	int r = target_look_up(&c, spec, w, place, &path_fd, why, size);

	*t = (struct target)TARGET_INIT;
	if (r < 0)
		return r;
	r = open_looked_up(t, path_fd, &c, why, size);
	close(path_fd);
	if (r < 0)
		target_release(t);
	return r;
}

void target_release(struct target *t)
{
	if (t->fd >= 0)
		close(t->fd);
	t->fd = -1;
}

int target_leave_direct(int fd)
{
	int flags = fcntl(fd, F_GETFL);

	if (flags < 0 || fcntl(fd, F_SETFL, flags & ~O_DIRECT) < 0)
		return -errno;
	return 0;
}

void target_drop_cache(int fd, uint64_t offset, uint64_t length)
{
	/* It can only fail where there is no page cache to drop from. */
	(void)posix_fadvise(fd, (off_t)offset, (off_t)length, POSIX_FADV_DONTNEED);
}

/* A device that went away keeps its descriptors alive but has no size any more. */
bool target_is_gone(int fd)
{
	struct stat st;
	uint64_t bytes;

	if (fstat(fd, &st) < 0 || !S_ISBLK(st.st_mode))
		return false;
	return ioctl(fd, BLKGETSIZE64, &bytes) < 0 || bytes == 0;
}
