/*
 * Whatever could overwrite or disturb a user's data is decided here: one table of rules, each with
 * what it is about, and no way around it. A target is one of three things. READ is a device or a
 * user's own file, opened so that nothing can be written through the descriptor. DIRECTORY is
 * where raidtop makes files of its own. DEVICE is a disk that is overwritten; its rules are asked
 * twice, before it is opened and again on the one descriptor, which is then handed to the worker.
 */
#include "safety.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "raidtop/text.h"
#include "safety_rules.h"
#include "sentence.h"

enum shared_target safety_kind(const struct workload *w, const struct stat *st)
{
	if (S_ISDIR(st->st_mode))
		return SHARED_TARGET_DIRECTORY;
	return S_ISBLK(st->st_mode) && w->writes ? SHARED_TARGET_DEVICE : SHARED_TARGET_READ;
}

/* ---- what may be a target at all ---- */

static bool is_below_dev(const char *path)
{
	return strncmp(path, "/dev/", 5) == 0;
}

/* A misspelt name there must not become a file, nor a file be taken for a disk. */
static int rule_no_file_in_dev(const struct safety_case *c, char *why, size_t size)
{
	char buf[SENTENCE_NAME_BYTES];

	if (S_ISBLK(c->st.st_mode) ||
	    (!is_below_dev(c->spec->target) && !is_below_dev(c->resolved)))
		return 0;
	return sentence_set(-ENOTBLK, why, size,
			    "%s is no disk though it lies in /dev: check the name",
			    sentence_name(buf, c->spec->target));
}

static int rule_known_kind(const struct safety_case *c, char *why, size_t size)
{
	char buf[SENTENCE_NAME_BYTES];

	if (S_ISBLK(c->st.st_mode) || S_ISREG(c->st.st_mode) || S_ISDIR(c->st.st_mode))
		return 0;
	return sentence_set(-ENOTBLK, why, size,
			    "%s is neither a disk, a file nor a directory: name one of these",
			    sentence_name(buf, c->spec->target));
}

/* Files are made, looked up and deleted in a directory only. */
static int rule_has_blocks(const struct safety_case *c, char *why, size_t size)
{
	const struct stream_kind *kind = stream_kind_find(c->workload->name);
	char buf[SENTENCE_NAME_BYTES];

	if (!kind || (kind->traits & STREAM_BLOCKS))
		return 0;
	return sentence_set(-ENOTDIR, why, size, "%s needs a directory, which %s is not",
			    c->workload->name, sentence_name(buf, c->spec->target));
}

static int rule_users_files_are_read(const struct safety_case *c, char *why, size_t size)
{
	char buf[SENTENCE_NAME_BYTES];

	if (!c->workload->writes)
		return 0;
	return sentence_set(
		-EPERM, why, size,
		"%s would write to %s, a file that is not raidtop's: name its directory",
		c->workload->name, sentence_name(buf, c->spec->target));
}

/* ---- the rules ---- */

#define OF(kind) (1U << (kind))
#define READ OF(SHARED_TARGET_READ)
#define DIRECTORY OF(SHARED_TARGET_DIRECTORY)
#define DEVICE OF(SHARED_TARGET_DEVICE)
#define ALL (READ | DIRECTORY | DEVICE)

enum when {
	BY_NAME, /* before anything is asked about where it lies */
	LOOKED_UP,
	OPENED, /* on the descriptor of a device */
};

/* Asked in this order; the first refusal is told. */
static const struct rule {
	const char *name; /* what holds where it does not refuse */
	unsigned int kinds;
	enum when when;
	int (*check)(const struct safety_case *c, char *why, size_t size);
} rules[] = {
	{ "what is named in /dev is a disk", ALL, BY_NAME, rule_no_file_in_dev },
	{ "it is a disk, a file or a directory", ALL, BY_NAME, rule_known_kind },
	{ "only a directory holds files", READ | DEVICE, BY_NAME, rule_has_blocks },
	{ "a user's own file is only read", READ, BY_NAME, rule_users_files_are_read },

	{ "no files in /proc, /sys and their like", DIRECTORY, LOOKED_UP, rule_no_kernel_files },
	{ "it lies where 'on' says", ALL, LOOKED_UP, rule_lies_on },
	{ "what is to be mounted there is", DIRECTORY, LOOKED_UP, rule_mounted },
	{ "it can be written to", DIRECTORY, LOOKED_UP, rule_mount_writable },

	{ "one stream writes to a device", DEVICE, LOOKED_UP, rule_one_copy },
	{ "--allow-raw-write names it", DEVICE, LOOKED_UP, rule_raw_allowed },
	{ "neither it nor a part of it is mounted", DEVICE, LOOKED_UP, rule_not_mounted },
	{ "it holds no swap", DEVICE, LOOKED_UP, rule_no_swap },
	{ "no array or mapping is made of it", DEVICE, LOOKED_UP, rule_no_holder },
	{ "no loop device is made of it", DEVICE, LOOKED_UP, rule_no_loop },
	{ "it is in no pool that is mounted", DEVICE, LOOKED_UP, rule_no_pool },

	{ "no pool below can run full", DIRECTORY | DEVICE, LOOKED_UP, rule_thick },
	{ "arrays below are whole", DIRECTORY | DEVICE, LOOKED_UP, rule_arrays_sound },

	{ "it is the device that was looked up", DEVICE, OPENED, rule_same_device },
	{ "libblkid finds nothing on it", DEVICE, OPENED, rule_nothing_on_it },
	{ "nor on the disk that it is a part of", DEVICE, OPENED, rule_nothing_around_it },
	{ "no process has it open", DEVICE, OPENED, rule_no_process },
	{ "its samples are all zero", DEVICE, OPENED, rule_blank },
	{ "it can be told from all others", DEVICE, OPENED, rule_has_identity },
	{ "the person at the terminal means it", DEVICE, OPENED, rule_typed },
	{ "it still is the same device", DEVICE, OPENED, rule_same_device },
};

static int check_until(const struct safety_case *c, enum when last, char *why, size_t size)
{
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		int r;

		if (!(rules[i].kinds & OF(c->kind)) || rules[i].when > last)
			continue;
		r = rules[i].check(c, why, size);
		if (r < 0)
			return r;
	}
	return 0;
}

int safety_check_name(const struct safety_case *c, char *why, size_t size)
{
	return check_until(c, BY_NAME, why, size);
}

int safety_check(const struct safety_case *c, char *why, size_t size)
{
	return check_until(c, c->fd < 0 ? LOOKED_UP : OPENED, why, size);
}

/* ---- opening ---- */

/*
 * O_NONBLOCK keeps the open from closing a drive's tray and waiting for it. It is taken off
 * again, because io_uring would take it for "do not wait" at each transfer.
 */
static int leave_nonblock(int fd)
{
	int flags = fcntl(fd, F_GETFL);

	return flags < 0 ? flags : fcntl(fd, F_SETFL, flags & ~O_NONBLOCK);
}

int safety_open_for_reading(int path_fd, int flags)
{
	char path[64];
	int fd, r;

	text_format(path, sizeof(path), "/proc/self/fd/%d", path_fd);
	flags = O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | (flags & O_DIRECT);
	fd = open(path, flags | O_NOATIME);
	if (fd < 0 && errno == EPERM)
		fd = open(path, flags); /* O_NOATIME is for the owner and root only */
	if (fd < 0)
		return -errno;
	r = leave_nonblock(fd) < 0 ? -errno : safety_check_read_only(fd);
	if (r < 0) {
		close(fd);
		return r;
	}
	return fd;
}

int safety_open_directory(int path_fd)
{
	int fd = openat(path_fd, ".", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

/* All links are behind us: `resolved` is the node itself, and must be the one that was checked. */
static int open_node(const struct safety_case *c, char *why, size_t size)
{
	char buf[SENTENCE_NAME_BYTES];
	const char *shown = sentence_name(buf, c->resolved);
	int fd =
		open(c->resolved, O_RDWR | O_EXCL | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	struct stat st;

	if (fd < 0 && errno == EBUSY)
		return sentence_set(-EBUSY, why, size,
				    "%s is in use: it is mounted, swap, or part of something",
				    shown);
	if (fd < 0 && (errno == EACCES || errno == EPERM))
		return sentence_set(-errno, why, size,
				    "no permission to write to %s: start raidtop as root", shown);
	if (fd < 0)
		return sentence_set(-errno, why, size, "%s cannot be opened for writing: %s", shown,
				    strerror(errno));
	if (fstat(fd, &st) == 0 && S_ISBLK(st.st_mode) && st.st_rdev == c->st.st_rdev &&
	    st.st_dev == c->st.st_dev && st.st_ino == c->st.st_ino && leave_nonblock(fd) == 0)
		return fd;
	close(fd);
	return sentence_set(-ESTALE, why, size,
			    "%s is no longer the device that was checked: look what it is now",
			    shown);
}

int safety_open_for_writing(struct safety_case *c, char *why, size_t size)
{
	int r = safety_check(c, why, size);

	if (r < 0)
		return r;
	c->fd = open_node(c, why, size);
	if (c->fd < 0) {
		r = c->fd;
		c->fd = -1;
		return r;
	}
	r = safety_check(c, why, size);
	if (r < 0) {
		close(c->fd);
		c->fd = -1;
	}
	return r;
}

/* ---- on descriptors ---- */

int safety_check_read_only(int fd)
{
	int flags = fcntl(fd, F_GETFL);

	if (flags < 0)
		return -errno;
	return (flags & O_ACCMODE) == O_RDONLY ? 0 : -EPERM;
}

int safety_check_handed(const struct shared_plan *plan, int fd)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return -errno;
	switch (plan->target) {
	case SHARED_TARGET_READ:
		return safety_check_read_only(fd);
	case SHARED_TARGET_DIRECTORY:
		return S_ISDIR(st.st_mode) && st.st_dev == plan->device ? 0 : -EPERM;
	case SHARED_TARGET_DEVICE:
		return S_ISBLK(st.st_mode) && st.st_rdev == plan->device &&
				       (fcntl(fd, F_GETFL) & O_ACCMODE) == O_RDWR
			       ? 0
			       : -EPERM;
	}
	return -EPERM;
}
