/*
 * What the devices below a target are, as far as it matters for writing: whether an array has lost
 * a member or is being rebuilt, and whether a volume is thin. md tells it in sysfs to everybody.
 * device-mapper tells it in its tables and their status, which only root may ask for; LVM writes
 * into a device's uuid what it is for, which everybody may read. So the table decides where it can
 * be had, and without it a device is taken for harmless only where its uuid says who made it; the
 * uuid's word that it is thin stands even where the table does not say so.
 *
 * The table is asked for by the ioctl itself: the interface of libdevmapper is its tables' text,
 * too, and this is one call of it.
 */
#include "place_parts.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/dm-ioctl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "raidtop/file.h"
#include "raidtop/memory.h"
#include "raidtop/number.h"
#include "raidtop/text.h"

static void read_text(const char *dir, const char *attribute, char *dst, size_t size)
{
	char path[PATH_MAX], line[256];

	dst[0] = '\0';
	if (text_format(path, sizeof(path), "%s/%s", dir, attribute) &&
	    file_read_line(path, line, sizeof(line)) == 0)
		text_clean(dst, size, line);
}

static bool is_one_of(const char *word, const char *const *words)
{
	for (; *words; words++) {
		if (strcmp(word, *words) == 0)
			return true;
	}
	return false;
}

/* ---- md ---- */

void place_md_read(struct place_device *d, const char *dir)
{
	static const char *const read_only[] = { "readonly",  "inactive", "clear",
						 "suspended", "broken",   NULL };
	static const char *const rebuilding[] = { "resync", "recover", "reshape", "repair", NULL };
	char state[32], action[32], degraded[32];

	read_text(dir, "md/level", d->level, sizeof(d->level));
	read_text(dir, "md/array_state", state, sizeof(state));
	read_text(dir, "md/sync_action", action, sizeof(action)); /* none of raid0 and linear */
	read_text(dir, "md/degraded", degraded, sizeof(degraded));
	if (!state[0] || !d->level[0])
		d->state |= PLACE_STATE_HIDDEN;
	if (degraded[0] && strcmp(degraded, "0") != 0)
		d->state |= PLACE_DEGRADED;
	if (is_one_of(action, rebuilding))
		d->state |= PLACE_RECOVERING;
	if (strcmp(state, "read-auto") == 0)
		d->state |= PLACE_AUTO_READ_ONLY;
	if (is_one_of(state, read_only))
		d->state |= PLACE_READ_ONLY;
}

/* ---- device-mapper: uuid ---- */

static bool ends_with(const char *text, const char *end)
{
	size_t n = strlen(text), m = strlen(end);

	return n >= m && strcmp(text + n - m, end) == 0;
}

void place_dm_take_uuid(struct place_device *d, const char *uuid)
{
	static const struct {
		const char *prefix, *suffix;
		enum place_thin thin;
		const char *level; /* NULL: not told by the uuid */
	} table[] = {
		{ "LVM-", "-tpool", PLACE_THIN, "thin-pool" },
		{ "LVM-", "-tdata", PLACE_THIN, "thin-pool data" },
		{ "LVM-", "-tmeta", PLACE_THIN, "thin-pool metadata" },
		{ "LVM-", "-vpool", PLACE_VDO, "vdo" },
		{ "LVM-", "-vdata", PLACE_VDO, "vdo data" },
		{ "LVM-", "-real", PLACE_SNAPSHOT_ORIGIN, "snapshot origin" },
		{ "LVM-", "-cow", PLACE_SNAPSHOT, "snapshot" },
		{ "VDO-", "", PLACE_VDO, "vdo" },
		{ "LVM-", "", PLACE_THICK, NULL },
		{ "CRYPT-", "", PLACE_THICK, "crypt" },
		{ "mpath-", "", PLACE_THICK, "multipath" },
		{ "DMRAID-", "", PLACE_THICK, NULL },
		{ "part", "", PLACE_THICK, "partition" }, /* kpartx: part1-mpath-... */
	};

	d->thin = PLACE_THIN_HIDDEN;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		if (strncmp(uuid, table[i].prefix, strlen(table[i].prefix)) != 0 ||
		    !ends_with(uuid, table[i].suffix))
			continue;
		d->thin = table[i].thin;
		if (table[i].level && !d->level[0])
			text_copy(d->level, sizeof(d->level), table[i].level);
		return;
	}
}

/* ---- device-mapper: table ---- */

/* The word at that place, 0 being the first; "" where there are fewer. */
static void take_word(const char *text, unsigned int index, char *dst, size_t size)
{
	for (; index > 0; index--) {
		text += strcspn(text, " ");
		text += strspn(text, " ");
	}
	text_copy_n(dst, size, text, strcspn(text, " "));
}

/* "AAa" (A alive, a alive but not in sync, D dead) or, of dm-mirror, "AADS": see the kernel's
 * Documentation/admin-guide/device-mapper/dm-raid.rst and dm-raid1.c. */
static void take_health(struct place_device *d, const char *health)
{
	static const char sound[] = "A-"; /* '-': a metadata device that is not there */

	if (!health[0])
		d->state |= PLACE_STATE_HIDDEN;
	for (; *health; health++) {
		if (*health == 'a')
			d->state |= PLACE_RECOVERING;
		else if (!strchr(sound, *health))
			d->state |= PLACE_DEGRADED;
	}
}

static void take_ratio(struct place_device *d, const char *ratio)
{
	size_t len = strcspn(ratio, "/");

	if (ratio[len] == '\0' || strlen(ratio + len + 1) != len ||
	    memcmp(ratio, ratio + len + 1, len) != 0)
		d->state |= PLACE_RECOVERING;
}

/* "raid1 2 AA 65536/65536 idle 0 0 -" */
static void take_raid(struct place_device *d, const char *status)
{
	char level[24], health[256], ratio[64], action[24];

	take_word(status, 0, level, sizeof(level));
	take_word(status, 2, health, sizeof(health));
	take_word(status, 3, ratio, sizeof(ratio));
	take_word(status, 4, action, sizeof(action));
	text_clean(d->level, sizeof(d->level), level);
	take_health(d, health);
	if (strncmp(level, "raid0", 5) != 0 || level[5]) {
		/* A check counts up the same ratio and writes nothing. */
		if (strcmp(action, "check") != 0)
			take_ratio(d, ratio);
	}
}

/* "2 253:1 253:2 1024/1024 1 AA 3 disk 253:0 A" */
static void take_mirror(struct place_device *d, const char *status)
{
	char word[256];
	uint64_t n = 0;

	take_word(status, 0, word, sizeof(word));
	if (number_parse_u64(word, strlen(word), &n) < 0 || n > 64) {
		d->state |= PLACE_STATE_HIDDEN;
		return;
	}
	take_word(status, (unsigned int)n + 1, word, sizeof(word));
	take_ratio(d, word);
	take_word(status, (unsigned int)n + 3, word, sizeof(word));
	take_health(d, word);
}

static const struct {
	const char *type;
	enum place_thin thin;
	void (*take)(struct place_device *d, const char *status);
} target_types[] = {
	{ "thin", PLACE_THIN, NULL },
	{ "thin-pool", PLACE_THIN, NULL },
	{ "vdo", PLACE_VDO, NULL },
	{ "snapshot", PLACE_SNAPSHOT, NULL },
	{ "snapshot-merge", PLACE_SNAPSHOT, NULL },
	{ "snapshot-origin", PLACE_SNAPSHOT_ORIGIN, NULL },
	{ "raid", PLACE_THICK, take_raid },
	{ "mirror", PLACE_THICK, take_mirror },
};

void place_dm_take_target(struct place_device *d, const char *type, const char *status)
{
	if (!d->level[0])
		text_clean(d->level, sizeof(d->level), type);
	for (size_t i = 0; i < sizeof(target_types) / sizeof(target_types[0]); i++) {
		if (strcmp(target_types[i].type, type) != 0)
			continue;
		if (target_types[i].thin != PLACE_THICK) {
			d->thin = target_types[i].thin;
			text_clean(d->level, sizeof(d->level), type);
		}
		if (target_types[i].take)
			target_types[i].take(d, status);
	}
}

/* Takes in the targets that the kernel listed behind the header, without leaving the buffer. */
static bool take_table(struct place_device *d, const char *buffer, size_t size)
{
	const struct dm_ioctl *head = (const struct dm_ioctl *)(const void *)buffer;
	size_t start = head->data_start, at = start;

	if (start >= size)
		return false;
	for (uint32_t i = 0; i < head->target_count; i++) {
		struct dm_target_spec spec;
		const char *status = buffer + at + sizeof(spec);

		if (at > size - sizeof(spec))
			return false;
		memcpy(&spec, buffer + at, sizeof(spec));
		if (!memchr(status, '\0', size - at - sizeof(spec)) ||
		    !memchr(spec.target_type, '\0', sizeof(spec.target_type)))
			return false;
		place_dm_take_target(d, spec.target_type, status);
		if (i + 1 < head->target_count && (spec.next <= at - start || spec.next > size))
			return false;
		at = start + spec.next; /* counted from the first one */
	}
	return head->target_count > 0;
}

/* Asks for type and status of each target of the device; false where that cannot be had. */
static bool ask_table(struct place_device *d)
{
	size_t size = 16384;
	bool taken = false;
	int control = open("/dev/mapper/control", O_RDWR | O_CLOEXEC);
	int r = control < 0 ? -1 : 0;

	for (; r == 0 && size <= (1 << 22); size *= 4) {
		char *buffer = memory_new(1, size);
		struct dm_ioctl *head = (struct dm_ioctl *)(void *)buffer;

		head->version[0] = DM_VERSION_MAJOR;
		head->data_size = (uint32_t)size;
		head->data_start = sizeof(*head);
		head->dev = makedev(d->major, d->minor);
		/* Not to flush what is pending: it is only looked at. */
		head->flags = DM_NOFLUSH_FLAG | DM_SKIP_BDGET_FLAG;
		r = ioctl(control, DM_TABLE_STATUS, head);
		if (r == 0 && !(head->flags & DM_BUFFER_FULL_FLAG)) {
			taken = take_table(d, buffer, size);
			r = 1;
		}
		free(buffer);
	}
	if (control >= 0)
		close(control);
	return taken;
}

static int is_no_dot(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

/* LVM's names of the parts of a RAID volume, which without root are all there is to tell it. */
static bool is_raid_by_parts(const char *dir)
{
	static const char *const marks[] = { "_rimage_", "_rmeta_", "_mimage_", "_mlog" };
	char slaves[PATH_MAX], attribute[NAME_MAX + 16], name[160];
	struct dirent **entries;
	bool found = false;
	int n;

	if (!text_format(slaves, sizeof(slaves), "%s/slaves", dir))
		return false;
	n = scandir(slaves, &entries, is_no_dot, NULL);
	for (int i = 0; i < n; i++) {
		text_format(attribute, sizeof(attribute), "%s/dm/name", entries[i]->d_name);
		read_text(slaves, attribute, name, sizeof(name));
		for (size_t k = 0; k < sizeof(marks) / sizeof(marks[0]); k++)
			found |= strstr(name, marks[k]) != NULL;
		free(entries[i]);
	}
	if (n >= 0)
		free(entries);
	return found;
}

void place_dm_read(struct place_device *d, const char *dir)
{
	char uuid[160];
	enum place_thin by_uuid;

	read_text(dir, "dm/name", d->alias, sizeof(d->alias));
	read_text(dir, "dm/uuid", uuid, sizeof(uuid));
	place_dm_take_uuid(d, uuid);
	by_uuid = d->thin;
	d->thin = PLACE_THICK;
	if (ask_table(d)) {
		if (d->thin == PLACE_THICK && by_uuid != PLACE_THIN_HIDDEN)
			d->thin = by_uuid;
		return;
	}
	d->thin = by_uuid;
	if (is_raid_by_parts(dir) || strncmp(uuid, "DMRAID-", 7) == 0)
		d->state |= PLACE_STATE_HIDDEN;
}
