/*
 * The files of a tree are too many for a list with inodes, so they are known by place and name:
 * each name must come out of the tree's seed, each file must be plain, ours, with one link, and
 * on the tree's own filesystem. Links are never followed, and whatever else is there stays.
 */
#include "tree_remove.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sentence.h"

struct walk {
	const struct tree_names *names;
	struct files_report *report;
	dev_t device;
	unsigned int depth;
};

static int remove_below(struct walk *w, int fd, int folder);

static void say_left(struct walk *w, const char *name)
{
	char sentence[128];

	w->report->left++;
	if (!w->report->say)
		return;
	sentence_set(0, sentence, sizeof(sentence),
		     "left: %.60s in a tree of test files, which raidtop did not make", name);
	w->report->say(w->report->data, sentence);
}

static int remove_file(struct walk *w, int fd, int folder, const char *name, const struct stat *st)
{
	if (folder < 0 || st->st_nlink != 1 ||
	    !tree_find_file(w->names, (unsigned int)folder, name))
		return -EPERM;
	if (unlinkat(fd, name, 0) < 0)
		return -errno;
	w->report->removed_files++;
	w->report->removed_bytes += (uint64_t)st->st_size;
	return 0;
}

static int remove_folder(struct walk *w, int fd, int parent, const char *name)
{
	unsigned int folder;
	struct stat st;
	int r = 0;
	int below;

	if (!tree_find_folder(w->names, parent, name, &folder) || w->depth == TREE_DEPTH_MAX)
		return -EPERM;
	below = openat(fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (below < 0)
		return -errno;
	if (fstat(below, &st) < 0)
		r = -errno;
	else if (st.st_dev != w->device || st.st_uid != geteuid())
		r = -EPERM;
	w->depth++;
	if (r == 0)
		r = remove_below(w, below, (int)folder);
	w->depth--;
	close(below);
	if (r == 0 && unlinkat(fd, name, AT_REMOVEDIR) < 0)
		r = -errno;
	return r;
}

static int remove_one(struct walk *w, int fd, int folder, const char *name)
{
	struct stat st;

	if (fstatat(fd, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return errno == ENOENT ? 0 : -errno;
	if (st.st_dev != w->device || st.st_uid != geteuid())
		return -EPERM;
	if (S_ISDIR(st.st_mode))
		return remove_folder(w, fd, folder, name);
	return S_ISREG(st.st_mode) ? remove_file(w, fd, folder, name, &st) : -EPERM;
}

/* `fd` stays open; `folder` is which one it is, -1 for N.tree. */
static int remove_below(struct walk *w, int fd, int folder)
{
	int again = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = again < 0 ? NULL : fdopendir(again);
	struct dirent *d;
	int result = 0;

	if (!dir)
		return -errno;
	while ((d = readdir(dir))) {
		int r;

		if (strcmp(d->d_name, ".") == 0 || strcmp(d->d_name, "..") == 0)
			continue;
		r = remove_one(w, fd, folder, d->d_name);
		if (r == -EPERM)
			say_left(w, d->d_name);
		if (r == -EPERM)
			r = -ENOTEMPTY;
		if (r < 0 && result == 0)
			result = r;
	}
	closedir(dir);
	return result;
}

int tree_remove_content(const struct tree_names *names, int fd, struct files_report *report)
{
	struct walk w = { .names = names, .report = report };
	struct stat st;

	if (fstat(fd, &st) < 0)
		return -errno;
	w.device = st.st_dev;
	return remove_below(&w, fd, -1);
}
