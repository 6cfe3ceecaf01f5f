/*
 * Rules about a device that is to be overwritten, judged without opening it. What is looked at is
 * its family: the device itself, its partitions, and the disk that it is a partition of. The other
 * partitions of that disk are nobody's business here. The kernel refuses most of this as well
 * when the device is opened with O_EXCL; here it is told which mount or array it is.
 */
#include "safety_rules.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/loop.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "raidtop/file.h"
#include "raidtop/number.h"
#include "raidtop/text.h"
#include "sentence.h"

#define FAMILY_MAX SAFETY_FAMILY_MAX

struct family {
	struct relative {
		dev_t number;
		char name[DEVICE_NAME_BYTES]; /* sda1 */
		char dir[PATH_MAX];           /* in sysfs */
	} relatives[FAMILY_MAX];
	size_t n;
};

static bool read_dev(const char *dir, dev_t *ret)
{
	char path[PATH_MAX], line[32];
	const char *colon;
	uint64_t a, b;

	if (!text_format(path, sizeof(path), "%s/dev", dir) ||
	    file_read_line(path, line, sizeof(line)) < 0 || !(colon = strchr(line, ':')) ||
	    number_parse_u64(line, (size_t)(colon - line), &a) < 0 ||
	    number_parse_u64(colon + 1, strlen(colon + 1), &b) < 0 || a > UINT32_MAX ||
	    b > UINT32_MAX)
		return false;
	*ret = makedev((unsigned int)a, (unsigned int)b);
	return true;
}

static bool is_partition(const char *dir)
{
	char path[PATH_MAX];

	return text_format(path, sizeof(path), "%s/partition", dir) && access(path, F_OK) == 0;
}

static int family_add(struct family *f, const char *dir)
{
	struct relative *r = &f->relatives[f->n];
	const char *slash = strrchr(dir, '/');

	if (f->n == FAMILY_MAX)
		return -E2BIG;
	if (!read_dev(dir, &r->number) || !text_copy(r->dir, sizeof(r->dir), dir))
		return -ENOENT;
	text_clean(r->name, sizeof(r->name), slash ? slash + 1 : dir);
	f->n++;
	return 0;
}

static int family_add_partitions(struct family *f, const char *dir)
{
	DIR *d = opendir(dir);
	struct dirent *entry;
	char path[PATH_MAX];
	int r = 0;

	if (!d)
		return -errno;
	while (r == 0 && (entry = readdir(d))) {
		if (entry->d_name[0] != '.' &&
		    text_format(path, sizeof(path), "%s/%s", dir, entry->d_name) &&
		    is_partition(path))
			r = family_add(f, path);
	}
	closedir(d);
	return r;
}

static int family_find(struct family *f, const struct safety_case *c)
{
	char dir[PATH_MAX];
	char *slash;
	int r;

	f->n = 0;
	if (!place_sysfs_dir(dir, sizeof(dir), c->root, major(c->st.st_rdev), minor(c->st.st_rdev)))
		return -ENOENT;
	r = family_add(f, dir);
	if (r < 0 || !is_partition(dir))
		return r < 0 ? r : family_add_partitions(f, dir);
	slash = strrchr(dir, '/');
	if (slash)
		*slash = '\0'; /* its disk */
	return family_add(f, dir);
}

static const struct relative *family_has(const struct family *f, dev_t number)
{
	for (size_t i = 0; i < f->n; i++) {
		if (f->relatives[i].number == number)
			return &f->relatives[i];
	}
	return NULL;
}

/* A rule that cannot be judged refuses. */
static int tell_unknown(const struct safety_case *c, int r, char *why, size_t size)
{
	char buf[SENTENCE_NAME_BYTES];

	return sentence_set(r, why, size,
			    "what %s is used for cannot be told (%s), so nothing is written to it",
			    sentence_name(buf, c->spec->target), strerror(-r));
}

/* Runs a check on a family of its own, which is too large for the stack of each rule. */
static int with_family(const struct safety_case *c,
		       int (*check)(const struct safety_case *c, const struct family *f, char *why,
				    size_t size),
		       char *why, size_t size)
{
	struct family *f = calloc(1, sizeof(*f));
	int r = f ? family_find(f, c) : -ENOMEM;

	r = r < 0 ? tell_unknown(c, r, why, size) : check(c, f, why, size);
	free(f);
	return r;
}

int safety_find_family(const struct safety_case *c, dev_t *numbers, size_t max, size_t *ret_n)
{
	struct family *f = calloc(1, sizeof(*f));
	int r = f ? family_find(f, c) : -ENOMEM;

	if (r == 0 && f->n > max)
		r = -E2BIG;
	for (size_t i = 0; r == 0 && i < f->n; i++)
		numbers[i] = f->relatives[i].number;
	if (r == 0)
		*ret_n = f->n;
	free(f);
	return r;
}

/* ---- allowed ---- */

bool safety_names_device(const char *typed, dev_t number)
{
	char path[STREAM_TARGET_BYTES + 8];
	struct stat st;

	if (!typed[0])
		return false;
	text_format(path, sizeof(path), "%s%s", typed[0] == '/' ? "" : "/dev/", typed);
	return stat(path, &st) == 0 && S_ISBLK(st.st_mode) && st.st_rdev == number;
}

int rule_one_copy(const struct safety_case *c, char *why, size_t size)
{
	if (c->spec->copies <= 1)
		return 0;
	return sentence_set(-EINVAL, why, size,
			    "a device takes one writing stream, %u would overwrite each other: "
			    "copies=1",
			    c->spec->copies);
}

int rule_raw_allowed(const struct safety_case *c, char *why, size_t size)
{
	char buf[SENTENCE_NAME_BYTES];
	const char *shown = sentence_name(buf, c->spec->target);

	if (safety_names_device(c->spec->allow_raw_write, c->st.st_rdev))
		return 0;
	if (c->spec->allow_raw_write[0])
		return sentence_set(-EPERM, why, size,
				    "--allow-raw-write does not name %s: nothing is written to it",
				    shown);
	return sentence_set(-EPERM, why, size,
			    "%s would destroy what is on %s: name a directory, or use raidtop "
			    "--stream with --allow-raw-write DEVICE",
			    c->workload->name, shown);
}

/* ---- in use ---- */

/* "8:1" of a mountinfo line's third field, and its fifth: where. */
static bool parse_mount(const char *line, dev_t *ret, char *where, size_t size)
{
	const char *at = line;
	uint64_t a, b;
	size_t n;

	for (int i = 0; i < 2; i++) {
		at += strcspn(at, " ");
		at += *at == ' ';
	}
	n = strcspn(at, ": ");
	if (at[n] != ':' || number_parse_u64(at, n, &a) < 0 || a > UINT32_MAX)
		return false;
	at += n + 1;
	n = strcspn(at, " ");
	if (at[n] != ' ' || number_parse_u64(at, n, &b) < 0 || b > UINT32_MAX)
		return false;
	at += n + 1;
	at += strcspn(at, " ");
	at += *at == ' ';
	text_copy_n(where, size, at, strcspn(at, " \n"));
	*ret = makedev((unsigned int)a, (unsigned int)b);
	return true;
}

static int check_mounts(const struct safety_case *c, const struct family *f, char *why, size_t size)
{
	struct buffer b = BUFFER_INIT;
	char path[PATH_MAX], where[SENTENCE_NAME_BYTES];
	int r = -ENAMETOOLONG;

	if (text_format(path, sizeof(path), "%s/proc/self/mountinfo", c->root))
		r = file_read(path, 64 << 20, &b);
	if (r < 0)
		r = tell_unknown(c, r, why, size);
	for (const char *line = buffer_text(&b); r == 0 && *line;) {
		const struct relative *used;
		dev_t number;

		if (parse_mount(line, &number, where, sizeof(where)) &&
		    (used = family_has(f, number)))
			r = sentence_set(-EBUSY, why, size,
					 "%s is mounted on %s: unmount it first, if you are sure",
					 used->name, where);
		line += strcspn(line, "\n");
		line += *line == '\n';
	}
	buffer_release(&b);
	return r;
}

int rule_not_mounted(const struct safety_case *c, char *why, size_t size)
{
	return with_family(c, check_mounts, why, size);
}

static int check_swaps(const struct safety_case *c, const struct family *f, char *why, size_t size)
{
	struct buffer b = BUFFER_INIT;
	char path[PATH_MAX], node[PATH_MAX];
	int r = -ENAMETOOLONG;

	if (text_format(path, sizeof(path), "%s/proc/swaps", c->root))
		r = file_read(path, 1 << 20, &b);
	if (r == -ENOENT)
		r = 0; /* a kernel without swap */
	if (r < 0)
		r = tell_unknown(c, r, why, size);
	for (const char *line = buffer_text(&b); r == 0 && *line;) {
		const struct relative *used;
		struct stat st;

		text_copy_n(node, sizeof(node), line, strcspn(line, " \t\n"));
		if (node[0] == '/' && stat(node, &st) == 0 && S_ISBLK(st.st_mode) &&
		    (used = family_has(f, st.st_rdev)))
			r = sentence_set(-EBUSY, why, size,
					 "%s is swap that is in use: swapoff it first", used->name);
		line += strcspn(line, "\n");
		line += *line == '\n';
	}
	buffer_release(&b);
	return r;
}

int rule_no_swap(const struct safety_case *c, char *why, size_t size)
{
	return with_family(c, check_swaps, why, size);
}

/* The first device that is made of this one; false: there is none. */
static int find_holder(const char *dir, char *dst, size_t size)
{
	char path[PATH_MAX], name_path[PATH_MAX], alias[DEVICE_NAME_BYTES];
	struct dirent *entry;
	DIR *d;
	int found = 0;

	if (!text_format(path, sizeof(path), "%s/holders", dir))
		return -ENAMETOOLONG;
	d = opendir(path);
	if (!d)
		return -errno;
	while (!found && (entry = readdir(d))) {
		if (entry->d_name[0] == '.')
			continue;
		found = 1;
		text_clean(dst, size, entry->d_name);
		if (text_format(name_path, sizeof(name_path), "%s/%s/dm/name", path,
				entry->d_name) &&
		    file_read_line(name_path, alias, sizeof(alias)) == 0)
			text_clean(dst, size, alias);
	}
	closedir(d);
	return found;
}

static int check_holders(const struct safety_case *c, const struct family *f, char *why,
			 size_t size)
{
	char holder[DEVICE_NAME_BYTES];

	for (size_t i = 0; i < f->n; i++) {
		int r = find_holder(f->relatives[i].dir, holder, sizeof(holder));

		if (r < 0)
			return tell_unknown(c, r, why, size);
		if (r > 0)
			return sentence_set(-EBUSY, why, size,
					    "%s is a part of %s: name %s if that is to be measured",
					    f->relatives[i].name, holder, holder);
	}
	return 0;
}

int rule_no_holder(const struct safety_case *c, char *why, size_t size)
{
	return with_family(c, check_holders, why, size);
}

/* 1 with the device behind a loop device; 0 where a file is, or nothing; -errno: not known. */
static int find_backing_device(const char *root, const char *name, dev_t *ret)
{
	char path[PATH_MAX], backing[PATH_MAX];
	struct loop_info64 info;
	struct stat st;
	int fd, r = -1;

	if (!text_format(path, sizeof(path), "%s/sys/block/%s/loop/backing_file", root, name) ||
	    file_read_line(path, backing, sizeof(backing)) < 0)
		return 0; /* nothing is behind it */
	/* By number where that can be had: the name may lead to another thing now. */
	text_format(path, sizeof(path), "%s/dev/%s", root, name);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | O_NOFOLLOW);
	if (fd >= 0) {
		r = ioctl(fd, LOOP_GET_STATUS64, &info);
		close(fd);
	}
	if (r == 0) {
		*ret = (dev_t)info.lo_rdevice; /* the kernel's encoding is the C library's */
		return info.lo_rdevice != 0;
	}
	if (stat(backing, &st) < 0)
		return -errno;
	*ret = st.st_rdev;
	return S_ISBLK(st.st_mode);
}

/*
 * A loop device takes the disk behind it for a file: it is no holder of it, opens it without
 * O_EXCL and in no process. What is mounted then is the loop device, at any offset of the disk.
 */
static int check_loops(const struct safety_case *c, const struct family *f, char *why, size_t size)
{
	char path[PATH_MAX], name[DEVICE_NAME_BYTES];
	struct dirent *entry;
	DIR *d;
	int r = 0;

	if (!text_format(path, sizeof(path), "%s/sys/block", c->root))
		return tell_unknown(c, -ENAMETOOLONG, why, size);
	d = opendir(path);
	if (!d && errno != ENOENT) /* a machine without it has no loop devices either */
		return tell_unknown(c, -errno, why, size);
	while (d && r == 0 && (entry = readdir(d))) {
		const struct relative *used;
		dev_t number = 0;

		if (strncmp(entry->d_name, "loop", 4) != 0 ||
		    !text_copy(name, sizeof(name), entry->d_name))
			continue;
		r = find_backing_device(c->root, name, &number);
		if (r < 0)
			r = tell_unknown(c, r, why, size);
		else if (r > 0 && (used = family_has(f, number)))
			r = sentence_set(-EBUSY, why, size,
					 "%s lies behind %s: umount that, and losetup -d it",
					 used->name, name);
		else
			r = 0;
	}
	if (d)
		closedir(d);
	return r;
}

int rule_no_loop(const struct safety_case *c, char *why, size_t size)
{
	return with_family(c, check_loops, why, size);
}

/* A btrfs has no device number of its own in mountinfo, and no holders: sysfs lists its devices. */
static int check_btrfs(const struct safety_case *c, const struct family *f, char *why, size_t size)
{
	char pools[PATH_MAX], path[PATH_MAX];
	struct dirent *entry;
	DIR *d;
	int r = 0;

	if (!text_format(pools, sizeof(pools), "%s/sys/fs/btrfs", c->root))
		return tell_unknown(c, -ENAMETOOLONG, why, size);
	d = opendir(pools);
	while (d && r == 0 && (entry = readdir(d))) {
		for (size_t i = 0; i < f->n && r == 0; i++) {
			if (entry->d_name[0] != '.' &&
			    text_format(path, sizeof(path), "%s/%s/devices/%s", pools,
					entry->d_name, f->relatives[i].name) &&
			    access(path, F_OK) == 0)
				r = sentence_set(
					-EBUSY, why, size,
					"%s is a part of a mounted btrfs: unmount it first",
					f->relatives[i].name);
		}
	}
	if (d)
		closedir(d);
	return r;
}

int rule_no_pool(const struct safety_case *c, char *why, size_t size)
{
	return with_family(c, check_btrfs, why, size);
}

/* ---- which one it is ---- */

uint64_t safety_diskseq(const char *root, dev_t number)
{
	static const char *const attributes[] = { "diskseq", "../diskseq" /* of a partition */ };
	char dir[PATH_MAX], path[PATH_MAX];
	uint64_t seq;

	if (!place_sysfs_dir(dir, sizeof(dir), root, major(number), minor(number)))
		return UNKNOWN_U64;
	for (size_t i = 0; i < sizeof(attributes) / sizeof(attributes[0]); i++) {
		if (text_format(path, sizeof(path), "%s/%s", dir, attributes[i]) &&
		    file_read_u64(path, &seq) == 0)
			return seq;
	}
	return UNKNOWN_U64;
}
