/*
 * A name is not a thing: between the look at a file and its removal, another one could get its
 * name. So the file is opened, compared, locked against streams, and renamed to a name that
 * nothing else uses; if that now leads to another file than the one that was opened, it is given
 * its name back. Only then the new name is removed.
 */
#include "files_remove.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "raidtop/text.h"
#include "sentence.h"
#include "tree_remove.h"

static bool is_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static void private_name(char name[MANIFEST_FILE_BYTES], const struct manifest_entry *e)
{
	char shown[MANIFEST_FILE_BYTES];

	manifest_file_name(shown, e);
	text_format(name, MANIFEST_FILE_BYTES, "%.20s.removing", shown);
}

/* Without opening anything: a FIFO, device or link is not touched. -EPERM: another thing. */
static int look(const struct manifest_entry *e, const struct files_folder *f, const char *name,
		struct stat *ret)
{
	if (fstatat(f->fd, name, ret, AT_SYMLINK_NOFOLLOW) < 0)
		return -errno;
	return manifest_entry_matches(e, f, ret) ? 0 : -EPERM;
}

static int open_and_lock(const struct manifest_entry *e, const struct files_folder *f,
			 const char *name)
{
	int flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
	struct stat st;
	int fd = openat(f->fd, name, flags | (e->is_tree ? O_DIRECTORY : 0));
	int r = 0;

	if (fd < 0)
		return errno == ELOOP ? -EPERM : -errno;
	if (fstat(fd, &st) < 0)
		r = -errno;
	else if (!manifest_entry_matches(e, f, &st))
		r = -EPERM;
	else if (flock(fd, LOCK_EX | LOCK_NB) < 0)
		r = errno == EWOULDBLOCK ? -EBUSY : -errno;
	if (r < 0)
		close(fd);
	return r < 0 ? r : fd;
}

static int rename_away(const struct files_folder *f, const char *from, const char *to)
{
	if (renameat2(f->fd, from, f->fd, to, RENAME_NOREPLACE) == 0)
		return 0;
	if (errno != EINVAL && errno != ENOSYS)
		return -errno;
	/* Without that flag: nothing is there as we alone make such names. */
	if (faccessat(f->fd, to, F_OK, AT_SYMLINK_NOFOLLOW) == 0)
		return -EEXIST;
	return renameat(f->fd, from, f->fd, to) < 0 ? -errno : 0;
}

/* `fd` is what was checked; the name must lead to it still, and be its only one. */
static int unlink_checked(const struct manifest_entry *e, const struct files_folder *f,
			  const char *name, int fd)
{
	struct stat opened, named;

	if (fstat(fd, &opened) < 0 || fstatat(f->fd, name, &named, AT_SYMLINK_NOFOLLOW) < 0)
		return -errno;
	if (!is_same(&opened, &named) || !manifest_entry_matches(e, f, &named))
		return -EPERM;
	return unlinkat(f->fd, name, e->is_tree ? AT_REMOVEDIR : 0) < 0 ? -errno : 0;
}

static int remove_opened(const struct manifest_entry *e, const struct files_folder *f,
			 const char *name, int fd, struct files_report *report)
{
	char away[MANIFEST_FILE_BYTES];
	bool is_away = strstr(name, ".removing") != NULL;
	int r = 0;

	private_name(away, e);
	if (e->is_tree && e->state != MANIFEST_INTENT) /* then it is empty, or not ours */
		r = tree_remove_content(&e->names, fd, report);
	if (r == 0 && !is_away)
		r = rename_away(f, name, away);
	if (r < 0)
		return r;
	r = unlink_checked(e, f, away, fd);
	if (r < 0 && !is_away)
		(void)rename_away(f, away, name);
	return r;
}

/* 0 where nothing stands under that name, or it is removed. */
static int remove_named(const struct manifest_entry *e, const struct files_folder *f,
			const char *name, struct files_report *report)
{
	struct stat st;
	int r = look(e, f, name, &st);
	int fd;

	if (r < 0)
		return r == -ENOENT ? 0 : r;
	fd = open_and_lock(e, f, name);
	if (fd < 0)
		return fd == -ENOENT ? 0 : fd;
	r = remove_opened(e, f, name, fd, report);
	close(fd);
	if (r == 0 && !e->is_tree) {
		report->removed_files++;
		report->removed_bytes += (uint64_t)st.st_size;
	}
	return r;
}

static void say_left(int r, char *why, size_t size)
{
	static const struct {
		int error;
		const char *reason;
	} table[] = {
		{ EPERM, "which is not the file that raidtop made: look at it, and remove it" },
		{ EBUSY, "which a stream uses" },
		{ ENOTEMPTY, "in which there are files that raidtop did not make" },
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		if (table[i].error == -r) {
			text_copy(why, size, table[i].reason);
			return;
		}
	}
	sentence_set(0, why, size, "which cannot be removed: %s", strerror(-r));
}

int files_remove_entry(struct manifest *m, const struct files_folder *f,
		       const struct manifest_entry *e, struct files_report *report, char *why,
		       size_t size)
{
	struct manifest_entry gone = *e;
	char name[MANIFEST_FILE_BYTES], away[MANIFEST_FILE_BYTES];
	int r;

	manifest_file_name(name, e);
	private_name(away, e);
	r = remove_named(e, f, away, report);
	if (r == 0)
		r = remove_named(e, f, name, report);
	if (r < 0) {
		say_left(r, why, size);
		return r;
	}
	gone.state = MANIFEST_REMOVED;
	/* Where that is lost, the next one finds nothing under the name, which is as good. */
	(void)manifest_add(m, &gone, false);
	return 0;
}

/* -ENOTEMPTY where there is more than the manifest. */
static int check_empty(const struct files_folder *f)
{
	int fd = openat(f->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *d;
	int r = 0;

	if (!dir)
		return -errno;
	while (r == 0 && (d = readdir(dir))) {
		if (strcmp(d->d_name, ".") != 0 && strcmp(d->d_name, "..") != 0 &&
		    strcmp(d->d_name, MANIFEST_NAME) != 0)
			r = -ENOTEMPTY;
	}
	closedir(dir);
	return r;
}

int files_remove_folder(struct files_folder *f)
{
	int r = check_empty(f);

	if (r == 0)
		r = manifest_unlink(f);
	if (r == -ENOENT)
		r = 0;
	return r < 0 ? r : files_folder_remove(f);
}
