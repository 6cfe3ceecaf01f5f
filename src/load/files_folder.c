/*
 * The folder of test files is trusted only as far as it can be seen to be ours: a folder, not a
 * link to one, of our own user, which nobody else may write to. Then nobody else can put
 * anything into it, and what is checked in it stays as it was checked.
 *
 * Whoever uses it holds a shared lock on its descriptor; who removes it, an exclusive one. As it
 * may be removed between open and lock, the name is looked at again once the lock is there.
 */
#include "files_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#include "files_users.h"
#include "raidtop/clock.h"
#include "sentence.h"

/* Each attempt follows on a removal by somebody else, or on a wait for it. */
#define ATTEMPTS 200
#define WAIT_NS (10 * NS_PER_MS)

static int say_error(int r, const char *target, char *why, size_t size)
{
	static const struct {
		int error;
		const char *before, *after;
	} table[] = {
		{ ELOOP, "", " has a link named .raidtop: it is not followed; take it away" },
		{ ENOTDIR, "", " has a .raidtop that is no folder: take it away" },
		{ EPERM, "", " has a .raidtop that others own or may write to: take it away" },
		{ EXDEV, "", " has a .raidtop with something mounted on it: unmount that" },
		{ EACCES, "no permission to write in ", "" },
		{ EROFS, "", " is mounted for reading only" },
		{ ENOSPC, "", " is full: make room" },
		{ ENOENT, "", " holds no files of raidtop" },
		{ EWOULDBLOCK, "", " has files of raidtop that are being removed: try again" },
	};
	char buf[SENTENCE_NAME_BYTES];
	const char *name = sentence_name(buf, target);

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		if (table[i].error == -r)
			return sentence_set(r, why, size, "%s%s%s", table[i].before, name,
					    table[i].after);
	}
	return sentence_set(r, why, size, "%s/" FILES_FOLDER_NAME " cannot be used: %s", name,
			    strerror(-r));
}

static int say_in_use(struct files_folder *f, const char *target, char *why, size_t size)
{
	char buf[SENTENCE_NAME_BYTES], who[64];

	files_users_find(f->fd, who, sizeof(who));
	files_folder_release(f);
	return sentence_set(-EWOULDBLOCK, why, size,
			    "%s/" FILES_FOLDER_NAME
			    " is in use by %s: stop the streams there first",
			    sentence_name(buf, target), who);
}

static int open_named(struct files_folder *f, bool create)
{
	struct stat st, parent;
	struct statfs fs;
	int r;

	if (create && mkdirat(f->parent, FILES_FOLDER_NAME, 0700) < 0 && errno != EEXIST)
		return -errno;
	f->fd = openat(f->parent, FILES_FOLDER_NAME,
		       O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (f->fd < 0) {
		r = -errno;
		/* ENOTDIR is said of a link, too. */
		if (r == -ENOTDIR &&
		    fstatat(f->parent, FILES_FOLDER_NAME, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
		    S_ISLNK(st.st_mode))
			r = -ELOOP;
		return r;
	}
	if (fstat(f->fd, &st) < 0 || fstat(f->parent, &parent) < 0 || fstatfs(f->fd, &fs) < 0)
		return -errno;
	if (st.st_uid != geteuid() || (st.st_mode & (S_IWGRP | S_IWOTH)))
		return -EPERM;
	if (st.st_dev != parent.st_dev)
		return -EXDEV;
	f->device = st.st_dev;
	memcpy(&f->filesystem, &fs.f_fsid, sizeof(f->filesystem));
	return 0;
}

/* Whether the name still leads to what was opened. */
static bool is_still_named(const struct files_folder *f)
{
	struct stat opened, named;

	return fstat(f->fd, &opened) == 0 &&
	       fstatat(f->parent, FILES_FOLDER_NAME, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
	       opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

static int lock(int fd, int how)
{
	while (flock(fd, how | LOCK_NB) < 0) {
		if (errno != EINTR)
			return -errno;
	}
	return 0;
}

int files_folder_open(struct files_folder *f, int directory, enum files_hold hold,
		      const char *target, char *why, size_t size)
{
	bool shared = hold != FILES_HOLD_ALONE, create = hold == FILES_HOLD_SHARED;
	int r = -EWOULDBLOCK;

	*f = (struct files_folder)FILES_FOLDER_INIT;
	f->parent = directory;
	for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
		r = open_named(f, create);
		if (r < 0 && !(r == -ENOENT && create))
			break;
		if (r == 0)
			r = lock(f->fd, shared ? LOCK_SH : LOCK_EX);
		if (r == 0 && is_still_named(f)) {
			if (create)
				(void)fsync(directory); /* that it is there after a crash, too */
			return 0;
		}
		if (r == -EWOULDBLOCK && !shared)
			return say_in_use(f, target, why, size);
		files_folder_release(f);
		f->parent = directory;
		if (r == -EWOULDBLOCK)
			nanosleep(&(struct timespec){ .tv_nsec = WAIT_NS }, NULL);
	}
	files_folder_release(f);
	return say_error(r == 0 ? -EBUSY : r, target, why, size);
}

void files_folder_release(struct files_folder *f)
{
	if (f->fd >= 0)
		close(f->fd);
	*f = (struct files_folder)FILES_FOLDER_INIT;
}

int files_folder_take_alone(struct files_folder *f)
{
	int r = lock(f->fd, LOCK_EX);

	return r < 0 ? r : is_still_named(f) ? 0 : -EWOULDBLOCK;
}

int files_folder_remove(struct files_folder *f)
{
	return unlinkat(f->parent, FILES_FOLDER_NAME, AT_REMOVEDIR) < 0 ? -errno : 0;
}
