/*
 * Rules about a device that is to be overwritten, judged on the very descriptor that the worker
 * will write through. That it is not in use does not mean that nothing is on it: a disk that was
 * taken out of an array, a filesystem that is not mounted, a database on the bare disk. So
 * libblkid must know nothing of it, and samples all over it must be zero.
 */
#include "safety_rules.h"

#include <blkid.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include "raidtop/file.h"
#include "raidtop/memory.h"
#include "raidtop/number.h"
#include "raidtop/text.h"
#include "sentence.h"

#ifndef BLKGETDISKSEQ /* Linux 5.15 */
#define BLKGETDISKSEQ _IOR(0x12, 128, uint64_t)
#endif

#define SAMPLES 64
#define SAMPLE_BYTES (1 << 20)

int rule_same_device(const struct safety_case *c, char *why, size_t size)
{
	char buf[SENTENCE_NAME_BYTES];
	const char *shown = sentence_name(buf, c->spec->target);
	uint64_t seq = UNKNOWN_U64;
	struct stat st;
	int read_only = 1;

	if (fstat(c->fd, &st) < 0 || !S_ISBLK(st.st_mode) || st.st_rdev != c->st.st_rdev ||
	    (fcntl(c->fd, F_GETFL) & O_ACCMODE) != O_RDWR ||
	    (c->diskseq != UNKNOWN_U64 &&
	     (ioctl(c->fd, BLKGETDISKSEQ, &seq) < 0 || seq != c->diskseq)))
		return sentence_set(
			-ESTALE, why, size,
			"%s is no longer the disk that was checked: look what it is now", shown);
	if (ioctl(c->fd, BLKROGET, &read_only) < 0 || read_only)
		return sentence_set(-EROFS, why, size, "%s is set read-only: blockdev --setrw it",
				    shown);
	return 0;
}

/* ---- signatures ---- */

struct signature {
	char kind[16]; /* "TYPE" or "PTTYPE" */
	char name[64]; /* "ext4", "gpt" */
};

/* What libblkid sees through a descriptor: 1 with the signature, 0 for nothing, or -errno. */
static int probe(int fd, bool partitions, struct signature *ret)
{
	static const char *const keys[] = { "TYPE", "PTTYPE" };
	blkid_probe pr = blkid_new_probe();
	const char *value;
	int r;

	*ret = (struct signature){ 0 };
	if (!pr)
		return -ENOMEM;
	if (blkid_probe_set_device(pr, fd, 0, 0) != 0) {
		blkid_free_probe(pr);
		return -EIO;
	}
	blkid_probe_enable_superblocks(pr, 1);
	/* A broken checksum must not make a filesystem look like nothing. */
	blkid_probe_set_superblocks_flags(pr, BLKID_SUBLKS_TYPE | BLKID_SUBLKS_BADCSUM);
	blkid_probe_enable_partitions(pr, partitions);
	r = blkid_do_safeprobe(pr);
	for (size_t i = 0; r == 0 && i < 2 && !ret->name[0]; i++) {
		if (blkid_probe_lookup_value(pr, keys[i], &value, NULL) == 0) {
			text_copy(ret->kind, sizeof(ret->kind), keys[i]);
			text_clean(ret->name, sizeof(ret->name), value);
		}
	}
	blkid_free_probe(pr);
	switch (r) {
	case 1:
		return 0;
	case 0:
		return 1;
	case -2:
		return -ENOTUNIQ;
	default:
		return -EIO;
	}
}

static int tell_signature(int r, const char *shown, const struct signature *s, char *why,
			  size_t size)
{
	if (r == -ENOTUNIQ)
		return sentence_set(r, why, size,
				    "%s has signatures of more than one kind: wipefs tells them",
				    shown);
	if (r < 0)
		return sentence_set(r, why, size, "what is on %s cannot be told: %s", shown,
				    strerror(-r));
	if (strcmp(s->kind, "PTTYPE") == 0)
		return sentence_set(-EEXIST, why, size,
				    "%s has a partition table (%s): wipefs it if nothing is needed",
				    shown, s->name);
	if (strstr(s->name, "raid_member"))
		return sentence_set(-EEXIST, why, size,
				    "%s is a member of an array (%s): mdadm --examine it", shown,
				    s->name);
	return sentence_set(-EEXIST, why, size, "%s holds %s: wipefs it if that is needed no more",
			    shown, s->name[0] ? s->name : "something");
}

int rule_nothing_on_it(const struct safety_case *c, char *why, size_t size)
{
	char buf[SENTENCE_NAME_BYTES];
	struct signature s;
	int r = probe(c->fd, true, &s);

	return r == 0 ? 0 : tell_signature(r, sentence_name(buf, c->spec->target), &s, why, size);
}

/* The number of the disk that a partition lies on; false where it is none. */
static bool disk_of(const struct safety_case *c, const struct place_device **ret)
{
	const struct place *p = c->place;

	if (p->n_devices == 0 || p->devices[0].kind != PLACE_PARTITION)
		return false;
	*ret = NULL;
	for (size_t i = 1; i < p->n_devices && !*ret; i++) {
		if (p->devices[i].above == 0)
			*ret = &p->devices[i];
	}
	return true;
}

/* The node of a device, open for reading after it has been seen to be that one; -errno. */
static int open_disk(const struct place_device *d)
{
	char path[128];
	struct stat st;
	int fd;

	text_format(path, sizeof(path), "/dev/%s", d->name);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | O_NOFOLLOW);
	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) == 0 && S_ISBLK(st.st_mode) && st.st_rdev == makedev(d->major, d->minor))
		return fd;
	close(fd);
	return -ESTALE;
}

/* An array may be made of the whole disk, whatever partitions it shows: RAID 1 with metadata at the
 * end shows those that are inside the array. */
int rule_nothing_around_it(const struct safety_case *c, char *why, size_t size)
{
	const struct place_device *disk;
	struct signature s;
	int fd, r;

	if (!disk_of(c, &disk))
		return 0;
	fd = disk ? open_disk(disk) : -ENODEV;
	if (fd < 0)
		return tell_signature(fd, "its disk", NULL, why, size);
	r = probe(fd, false, &s);
	close(fd);
	return r == 0 ? 0 : tell_signature(r, disk->name, &s, why, size);
}

/* ---- other processes ---- */

/* More descriptors than any sane machine has: then it is not known, and refused. */
#define DESCRIPTORS_MAX 2000000

struct search {
	dev_t numbers[SAFETY_FAMILY_MAX]; /* the device, its partitions, its disk */
	size_t n;
	dev_t found;        /* the one that is open */
	unsigned long left; /* descriptors that may still be looked at */
	uint64_t pid;       /* of the one that has it open; 0: none so far */
};

static bool is_searched(const struct search *s, dev_t number)
{
	for (size_t i = 0; i < s->n; i++) {
		if (s->numbers[i] == number)
			return true;
	}
	return false;
}

static void search_process(struct search *s, int proc_fd, const char *name, uint64_t pid)
{
	char path[64];
	struct dirent *entry;
	struct stat st;
	DIR *d;
	int fd;

	text_format(path, sizeof(path), "%s/fd", name);
	fd = openat(proc_fd, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	d = fd < 0 ? NULL : fdopendir(fd);
	if (!d) {
		if (fd >= 0)
			close(fd);
		return; /* it has ended */
	}
	while (s->left > 0 && s->pid == 0 && (entry = readdir(d))) {
		if (entry->d_name[0] == '.')
			continue;
		s->left--;
		if (fstatat(fd, entry->d_name, &st, 0) == 0 && S_ISBLK(st.st_mode) &&
		    is_searched(s, st.st_rdev)) {
			s->pid = pid;
			s->found = st.st_rdev;
		}
	}
	closedir(d);
}

static int search_processes(struct search *s)
{
	DIR *proc = opendir("/proc");
	struct dirent *entry;
	uint64_t pid;

	if (!proc)
		return -errno;
	s->left = DESCRIPTORS_MAX;
	s->pid = 0;
	while (s->pid == 0 && s->left > 0 && (entry = readdir(proc))) {
		if (number_parse_u64(entry->d_name, strlen(entry->d_name), &pid) == 0 &&
		    pid != (uint64_t)getpid())
			search_process(s, dirfd(proc), entry->d_name, pid);
	}
	closedir(proc);
	return s->left == 0 ? -EOVERFLOW : 0;
}

/* Only root sees them all. udev looks into a device for a moment after it was closed by others. */
int rule_no_process(const struct safety_case *c, char *why, size_t size)
{
	const struct timespec moment = { .tv_nsec = 50000000 };
	char buf[SENTENCE_NAME_BYTES], path[64], command[32] = "";
	struct search s = { 0 };
	int r;

	if (geteuid() != 0)
		return 0;
	r = safety_find_family(c, s.numbers, SAFETY_FAMILY_MAX, &s.n);
	for (int tries = 0; r == 0 && tries < 20; tries++) {
		r = search_processes(&s);
		if (r < 0 || s.pid == 0)
			break;
		nanosleep(&moment, NULL);
	}
	if (r < 0)
		return sentence_set(r, why, size, "who else has %s open cannot be told: %s",
				    sentence_name(buf, c->spec->target), strerror(-r));
	if (s.pid == 0)
		return 0;
	text_format(path, sizeof(path), "/proc/%llu/comm", (unsigned long long)s.pid);
	(void)file_read_line(path, command, sizeof(command));
	return sentence_set(-EBUSY, why, size, "%s%s is open in process %llu (%s): end that first",
			    s.found == c->st.st_rdev ? "" : "a partition or the disk of ",
			    sentence_name(buf, c->spec->target), (unsigned long long)s.pid,
			    command);
}

/* ---- samples ---- */

static bool is_zero(const unsigned char *data, size_t n)
{
	return n == 0 || (data[0] == 0 && memcmp(data, data + 1, n - 1) == 0);
}

/* 0 where it is all zero, 1 where it is not, or -errno. */
static int look_at_sample(int fd, unsigned char *data, uint64_t offset, size_t bytes)
{
	size_t done = 0;

	while (done < bytes) {
		ssize_t n = pread(fd, data + done, bytes - done, (off_t)(offset + done));

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -errno : -EIO;
		done += (size_t)n;
	}
	/* Nobody wants 64 MiB of zeros in memory. */
	(void)posix_fadvise(fd, (off_t)offset, (off_t)bytes, POSIX_FADV_DONTNEED);
	return is_zero(data, bytes) ? 0 : 1;
}

/* Both ends, and evenly between them. *ret_offset tells of the sample that is not zero. */
static int look_at_samples(int fd, uint64_t bytes, uint64_t *ret_offset)
{
	size_t sample = bytes < SAMPLE_BYTES ? (size_t)bytes : SAMPLE_BYTES;
	uint64_t span = bytes - sample;
	unsigned char *data = memory_new(1, SAMPLE_BYTES);
	int r = 0;

	for (uint64_t i = 0; r == 0 && i < SAMPLES; i++) {
		*ret_offset = span / (SAMPLES - 1) * i;
		if (i == SAMPLES - 1)
			*ret_offset = span;
		r = look_at_sample(fd, data, *ret_offset, sample);
	}
	free(data);
	return r;
}

int rule_blank(const struct safety_case *c, char *why, size_t size)
{
	char buf[SENTENCE_NAME_BYTES];
	const char *shown = sentence_name(buf, c->spec->target);
	uint64_t bytes = 0, offset = 0;
	int r;

	if (ioctl(c->fd, BLKGETSIZE64, &bytes) < 0 || bytes == 0)
		return sentence_set(-ENOMEDIUM, why, size, "%s has no size: is a medium in it?",
				    shown);
	if (safety_names_device(c->spec->allow_raw_overwrite, c->st.st_rdev))
		return 0;
	r = look_at_samples(c->fd, bytes, &offset);
	if (r == 0)
		return 0;
	if (r < 0)
		return sentence_set(r, why, size, "%s cannot be read at byte %llu: %s", shown,
				    (unsigned long long)offset, strerror(-r));
	return sentence_set(-EEXIST, why, size,
			    "%s is not empty (near byte %llu): --allow-raw-overwrite DEVICE if it "
			    "may go",
			    shown, (unsigned long long)offset);
}
