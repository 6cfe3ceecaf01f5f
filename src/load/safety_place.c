/*
 * Rules about where a target lies. A directory on which nothing is mounted is a directory of the
 * filesystem above, which a stream would fill; a pool behind a volume may run full though the
 * volume has room; a degraded array has no copy left of what a write may spoil.
 */
#include "safety_rules.h"

#include <errno.h>
#include <mntent.h>
#include <stdio.h>
#include <string.h>

#include "raidtop/text.h"
#include "sentence.h"

/* The place for a sentence that has another half. */
#define PLACE_SHOWN_BYTES 80

static void shown_place(const struct safety_case *c, char buf[PLACE_SHOWN_BYTES])
{
	char whole[256];

	place_describe(c->place, whole, sizeof(whole));
	if (!text_copy(buf, PLACE_SHOWN_BYTES, whole))
		text_copy(buf + PLACE_SHOWN_BYTES - 4, 4, "...");
}

int rule_lies_on(const struct safety_case *c, char *why, size_t size)
{
	char buf[SENTENCE_NAME_BYTES], place[PLACE_SHOWN_BYTES];

	if (!c->spec->on[0] || place_lies_on(c->place, c->spec->on))
		return 0;
	shown_place(c, place);
	return sentence_set(-EXDEV, why, size, "%s does not lie on %s but here: %s",
			    sentence_name(buf, c->spec->target), c->spec->on, place);
}

int rule_no_kernel_files(const struct safety_case *c, char *why, size_t size)
{
	static const char *const types[] = {
		"autofs",     "binfmt_misc", "bpf",       "cgroup",   "cgroup2", "configfs",
		"debugfs",    "devpts",      "devtmpfs",  "efivarfs", "fusectl", "hugetlbfs",
		"mqueue",     "nfsd",        "nsfs",      "proc",     "pstore",  "resctrl",
		"rpc_pipefs", "securityfs",  "selinuxfs", "smackfs",  "sysfs",   "tracefs",
	};
	char buf[SENTENCE_NAME_BYTES];

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		if (strcmp(c->place->type, types[i]) == 0)
			return sentence_set(-EPERM, why, size,
					    "%s lies on %s, which keeps no files: name a directory "
					    "on a disk",
					    sentence_name(buf, c->spec->target), types[i]);
	}
	return 0;
}

/* Whether `path` is `dir` or lies below it. */
static bool is_within(const char *path, const char *dir)
{
	size_t len = strlen(dir);

	while (len > 1 && dir[len - 1] == '/')
		len--;
	if (len == 1 && dir[0] == '/')
		return path[0] == '/';
	return strncmp(path, dir, len) == 0 && (path[len] == '/' || path[len] == '\0');
}

/* The longest place of fstab that the target lies in and that nothing is mounted on. */
static bool find_unmounted(const struct safety_case *c, char *dst, size_t size)
{
	char path[PATH_MAX], line[4096];
	struct mntent entry;
	FILE *fstab;

	dst[0] = '\0';
	text_format(path, sizeof(path), "%s/etc/fstab", c->root);
	fstab = setmntent(path, "re");
	if (!fstab)
		return false;
	while (getmntent_r(fstab, &entry, line, sizeof(line))) {
		const char *dir = entry.mnt_dir;

		if (dir[0] == '/' && is_within(c->resolved, dir) &&
		    !is_within(c->place->mount_point, dir) && strlen(dir) > strlen(dst))
			text_copy(dst, size, dir);
	}
	endmntent(fstab);
	return dst[0] != '\0';
}

int rule_mounted(const struct safety_case *c, char *why, size_t size)
{
	char buf[SENTENCE_NAME_BYTES], missing[PATH_MAX], place[PLACE_SHOWN_BYTES];

	if (!c->place->mount_point[0])
		return sentence_set(-ESTALE, why, size,
				    "%s lies on no mount that can be seen: is it unmounted, or is "
				    "this a chroot?",
				    sentence_name(buf, c->spec->target));
	if (c->spec->on[0] || !find_unmounted(c, missing, sizeof(missing)))
		return 0;
	shown_place(c, place);
	return sentence_set(-ENODEV, why, size,
			    "%s is not mounted (%s): mount it, or say on=DEVICE to mean that",
			    sentence_name(buf, missing), place);
}

int rule_mount_writable(const struct safety_case *c, char *why, size_t size)
{
	char buf[SENTENCE_NAME_BYTES], mount[SENTENCE_NAME_BYTES];

	if (!c->place->read_only)
		return 0;
	return sentence_set(
		-EROFS, why, size, "%s lies on %s, which is mounted read-only: mount it rw first",
		sentence_name(buf, c->spec->target), sentence_name(mount, c->place->mount_point));
}

/* ---- pools ---- */

/* Whether one of the two lies above the other, or they are the same. */
static bool is_in_line(const struct place *p, int a, int b)
{
	for (int i = a; i >= 0; i = p->devices[i].above) {
		if (i == b)
			return true;
	}
	for (int i = b; i >= 0; i = p->devices[i].above) {
		if (i == a)
			return true;
	}
	return false;
}

/* The person names the volume, or the pool under it. */
static bool is_thin_allowed(const struct safety_case *c, int index)
{
	const struct place *p = c->place;

	if (!c->spec->allow_thin_write[0])
		return false;
	for (size_t i = 0; i < p->n_devices; i++) {
		const struct place_device *d = &p->devices[i];

		if ((d->above < 0 || d->thin != PLACE_THICK) && is_in_line(p, (int)i, index) &&
		    place_device_is(d, c->spec->allow_thin_write))
			return true;
	}
	return false;
}

int rule_thick(const struct safety_case *c, char *why, size_t size)
{
	static const char *const what[] = {
		[PLACE_THIN] = "is thin: its pool may run full",
		[PLACE_VDO] = "is VDO: its pool may run full",
		[PLACE_SNAPSHOT_ORIGIN] = "has snapshots, which may run full",
		[PLACE_SNAPSHOT] = "is a snapshot, which may run full",
		[PLACE_THIN_HIDDEN] = "is mapped, as what only root sees",
	};
	const struct place *p = c->place;
	char buf[SENTENCE_NAME_BYTES];

	for (size_t i = 0; i < p->n_devices; i++) {
		const struct place_device *d = &p->devices[i];
		const char *name = sentence_name(buf, place_device_name(d));

		if (d->thin != PLACE_THICK && !is_thin_allowed(c, (int)i))
			return sentence_set(-EPERM, why, size,
					    "%s %s. To write all the same: --allow-thin-write %s",
					    name, what[d->thin], name);
	}
	return 0;
}

/* ---- arrays ---- */

int rule_arrays_sound(const struct safety_case *c, char *why, size_t size)
{
	static const struct {
		unsigned int bit;
		const char *is, *remedy;
		bool allowed; /* by --allow-degraded */
	} states[] = {
		{ PLACE_READ_ONLY, "is read-only", "make it writable first", false },
		{ PLACE_DEGRADED, "is degraded", "mend it, or --allow-degraded", true },
		{ PLACE_RECOVERING, "is being rebuilt", "wait, or --allow-degraded", true },
		{ PLACE_AUTO_READ_ONLY, "is auto-read-only",
		  "mdadm --readwrite it, or --allow-degraded", true },
		{ PLACE_STATE_HIDDEN, "does not show its state",
		  "start raidtop as root, or --allow-degraded", true },
	};
	const struct place *p = c->place;
	char buf[SENTENCE_NAME_BYTES];

	for (size_t i = 0; i < p->n_devices; i++) {
		const struct place_device *d = &p->devices[i];

		for (size_t k = 0; k < sizeof(states) / sizeof(states[0]); k++) {
			if ((d->state & states[k].bit) &&
			    !(states[k].allowed && c->spec->allow_degraded))
				return sentence_set(-EPERM, why, size,
						    "%s %s, nothing is written to it: %s",
						    sentence_name(buf, place_device_name(d)),
						    states[k].is, states[k].remedy);
		}
	}
	if (p->n_devices > 0 && !p->complete && !c->spec->allow_degraded)
		return sentence_set(-EPERM, why, size,
				    "what lies below %s is not all to be seen: --allow-degraded if "
				    "you know that it is sound",
				    sentence_name(buf, place_device_name(&p->devices[0])));
	return 0;
}
