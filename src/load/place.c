/*
 * A place is a tree of devices: the one that carries the filesystem first, below it what it is
 * made of (slaves/ in sysfs), a partition's disk, a loop device's file, a btrfs' members. It is
 * walked breadth first with a bound on both depth and number, since names and links are not ours.
 * A filesystem with no device of its own in st_dev (btrfs) is looked up by its id in sysfs; one
 * that has none at all is only named.
 */
#include "raidtop/place.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/btrfs.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "place_parts.h"
#include "raidtop/file.h"
#include "raidtop/memory.h"
#include "raidtop/number.h"
#include "raidtop/text.h"

#define DEVICES_MAX 1024
#define DEPTH_MAX 16

static bool read_number(const char *dir, const char *attribute, uint32_t *ret_major,
			uint32_t *ret_minor)
{
	char path[PATH_MAX], line[32];
	const char *colon;
	uint64_t a, b;

	if (!text_format(path, sizeof(path), "%s/%s", dir, attribute) ||
	    file_read_line(path, line, sizeof(line)) < 0)
		return false;
	colon = strchr(line, ':');
	if (!colon || number_parse_u64(line, (size_t)(colon - line), &a) < 0 ||
	    number_parse_u64(colon + 1, strlen(colon + 1), &b) < 0 || a > UINT32_MAX ||
	    b > UINT32_MAX)
		return false;
	*ret_major = (uint32_t)a;
	*ret_minor = (uint32_t)b;
	return true;
}

static bool has(const char *dir, const char *name)
{
	char path[PATH_MAX];

	return text_format(path, sizeof(path), "%s/%s", dir, name) && access(path, F_OK) == 0;
}

bool place_sysfs_dir(char *dst, size_t size, const char *root, uint32_t major, uint32_t minor)
{
	char path[PATH_MAX], *real = NULL;
	bool ok = false;

	if (text_format(path, sizeof(path), "%s/sys/dev/block/%u:%u", root, major, minor))
		real = realpath(path, NULL);
	if (real)
		ok = text_copy(dst, size, real);
	free(real);
	return ok;
}

static int depth_of(const struct place *p, int index)
{
	int depth = 0;

	for (; index >= 0; index = p->devices[index].above)
		depth++;
	return depth;
}

static void add_device(struct place *p, int above, uint32_t major, uint32_t minor)
{
	struct place_device *d;

	if (p->n_devices == DEVICES_MAX || depth_of(p, above) == DEPTH_MAX) {
		p->complete = false;
		return;
	}
	p->devices = memory_resize(p->devices, p->n_devices + 1, sizeof(*p->devices));
	d = &p->devices[p->n_devices++];
	*d = (struct place_device){ .above = above, .major = major, .minor = minor };
}

static int compare_names(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static int is_no_dot(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

/* Adds the devices that are listed, as links or directories with a "dev", in a directory. */
static void add_listed(struct place *p, int above, const char *dir)
{
	struct dirent **entries;
	int n = scandir(dir, &entries, is_no_dot, compare_names);
	uint32_t major, minor;

	for (int i = 0; i < n; i++) {
		char attribute[NAME_MAX + 8];

		if (text_format(attribute, sizeof(attribute), "%s/dev", entries[i]->d_name) &&
		    read_number(dir, attribute, &major, &minor))
			add_device(p, above, major, minor);
		else
			p->complete = false;
		free(entries[i]);
	}
	if (n >= 0)
		free(entries);
}

/* A loop device lies on what its file lies on. The file may be out of reach by that name. */
static void add_behind_loop(struct place *p, int above, const char *dir)
{
	char path[PATH_MAX], file[PATH_MAX];
	struct statx x;

	if (!text_format(path, sizeof(path), "%s/loop/backing_file", dir) ||
	    file_read_line(path, file, sizeof(file)) < 0 ||
	    statx(AT_FDCWD, file, AT_STATX_DONT_SYNC, STATX_TYPE, &x) < 0)
		return;
	if (S_ISBLK(x.stx_mode))
		add_device(p, above, x.stx_rdev_major, x.stx_rdev_minor);
	else if (x.stx_dev_major > 0)
		add_device(p, above, x.stx_dev_major, x.stx_dev_minor);
}

static void take_name(struct place_device *d, const char *dir)
{
	const char *slash = strrchr(dir, '/');

	text_clean(d->name, sizeof(d->name), slash ? slash + 1 : dir);
	for (char *c = d->name; *c; c++) {
		if (*c == '!')
			*c = '/';
	}
}

static enum place_kind kind_of(const char *dir)
{
	static const struct {
		const char *attribute;
		enum place_kind kind;
	} table[] = {
		{ "partition", PLACE_PARTITION },
		{ "md", PLACE_MD },
		{ "dm", PLACE_DM },
		{ "loop/backing_file", PLACE_LOOP },
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		if (has(dir, table[i].attribute))
			return table[i].kind;
	}
	return PLACE_DISK;
}

/* Reads the device at that index, and adds those directly below it. */
static void read_device(struct place *p, int index, const char *root)
{
	struct place_device *d = &p->devices[index];
	char dir[PATH_MAX], below[PATH_MAX];
	uint32_t major, minor;

	if (!place_sysfs_dir(dir, sizeof(dir), root, d->major, d->minor)) {
		text_format(d->name, sizeof(d->name), "%u:%u", d->major, d->minor);
		p->complete = false; /* what is below it is not known */
		return;
	}
	take_name(d, dir);
	d->kind = kind_of(dir);
	if (d->kind == PLACE_MD)
		place_md_read(d, dir);
	else if (d->kind == PLACE_DM)
		place_dm_read(d, dir);
	if (d->kind == PLACE_LOOP)
		add_behind_loop(p, index, dir);
	else if (d->kind == PLACE_PARTITION && read_number(dir, "../dev", &major, &minor))
		add_device(p, index, major, minor);
	if (text_format(below, sizeof(below), "%s/slaves", dir))
		add_listed(p, index, below);
}

static void read_all(struct place *p, const char *root)
{
	for (size_t i = 0; i < p->n_devices; i++)
		read_device(p, (int)i, root);
}

void place_find_devices(struct place *p, const char *root, uint32_t major, uint32_t minor)
{
	p->complete = true;
	add_device(p, -1, major, minor);
	read_all(p, root);
}

/* Whether a device of that btrfs is missing: sysfs lists it by its number, without a device. */
static bool btrfs_is_degraded(const char *dir)
{
	char path[PATH_MAX];
	struct dirent **entries;
	bool degraded = false;
	int n;

	if (!text_format(path, sizeof(path), "%s/devinfo", dir))
		return false;
	n = scandir(path, &entries, is_no_dot, compare_names);
	for (int i = 0; i < n; i++) {
		uint64_t missing = 0;
		char file[PATH_MAX];

		if (text_format(file, sizeof(file), "%s/%s/missing", path, entries[i]->d_name) &&
		    file_read_u64(file, &missing) == 0 && missing)
			degraded = true;
		free(entries[i]);
	}
	if (n >= 0)
		free(entries);
	return degraded;
}

static void find_btrfs(struct place *p, int fd, const char *root)
{
	struct btrfs_ioctl_fs_info_args info = { 0 };
	char self[64], id[37], dir[PATH_MAX], devices[PATH_MAX];
	const unsigned char *u = info.fsid;
	int readable, r;

	text_format(self, sizeof(self), "/proc/self/fd/%d", fd);
	readable = open(self, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (readable < 0)
		return;
	r = ioctl(readable, BTRFS_IOC_FS_INFO, &info);
	close(readable);
	if (r < 0)
		return;
	text_format(id, sizeof(id),
		    "%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x", u[0],
		    u[1], u[2], u[3], u[4], u[5], u[6], u[7], u[8], u[9], u[10], u[11], u[12],
		    u[13], u[14], u[15]);
	if (!text_format(dir, sizeof(dir), "%s/sys/fs/btrfs/%s", root, id) ||
	    !text_format(devices, sizeof(devices), "%s/devices", dir))
		return;
	p->complete = true;
	add_listed(p, -1, devices);
	if (btrfs_is_degraded(dir) && p->n_devices > 0)
		p->devices[0].state |= PLACE_DEGRADED;
	read_all(p, root);
}

int place_find(struct place *p, int fd, const char *root)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return -errno;
	p->is_device = S_ISBLK(st.st_mode);
	p->number = p->is_device ? st.st_rdev : st.st_dev;
	if (!p->is_device) {
		p->mount_id = place_mount_id(fd);
		(void)place_mount_find(p, root); /* no line: mount_point stays "" */
	}
	if (major(p->number) > 0)
		place_find_devices(p, root, major(p->number), minor(p->number));
	else if (strcmp(p->type, "btrfs") == 0 && (S_ISREG(st.st_mode) || S_ISDIR(st.st_mode)))
		find_btrfs(p, fd, root);
	return 0;
}

void place_release(struct place *p)
{
	free(p->devices);
	*p = (struct place)PLACE_INIT;
}
