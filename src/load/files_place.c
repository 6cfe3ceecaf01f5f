/*
 * Whether a target directory is still where it was. A descriptor stays good when its filesystem
 * is unmounted lazily or something is mounted over it, and what is written through it goes on to
 * the old place; the figures would then be told of another one. So what the path leads to now is
 * compared with the descriptor, and the descriptor with what raidtop had checked.
 */
#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "raidtop/snapshot.h"

static int look(int directory, const char *path, int flags, struct statx *ret)
{
	unsigned int wanted = STATX_INO | STATX_MNT_ID;

	return statx(directory, path, flags | AT_NO_AUTOMOUNT, wanted, ret) < 0 ? -errno : 0;
}

static bool is_same(const struct statx *a, const struct statx *b)
{
	return a->stx_ino == b->stx_ino && a->stx_dev_major == b->stx_dev_major &&
	       a->stx_dev_minor == b->stx_dev_minor && a->stx_mnt_id == b->stx_mnt_id;
}

int files_check_place(const struct shared_plan *plan, int directory)
{
	struct statx opened, named;
	int r = look(directory, "", AT_EMPTY_PATH, &opened);

	if (r < 0)
		return r;
	if (plan->device != UNKNOWN_U64 &&
	    plan->device != makedev(opened.stx_dev_major, opened.stx_dev_minor))
		return -ESTALE;
	if (plan->mount_id != UNKNOWN_U64 && (opened.stx_mask & STATX_MNT_ID) &&
	    plan->mount_id != opened.stx_mnt_id)
		return -ESTALE;
	if (plan->spec.target[0] != '/') /* the worker is in another directory than the user */
		return 0;
	r = look(AT_FDCWD, plan->spec.target, 0, &named);
	if (r == -ENOENT || r == -ENOTDIR)
		return -ESTALE;
	return r < 0 ? r : is_same(&opened, &named) ? 0 : -ESTALE;
}
