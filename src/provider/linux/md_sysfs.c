/*
 * An md array as its directory in sysfs shows it. Attributes come and go with kernel versions and
 * levels (raid0 has no sync_action), and read empty while an array is not running; that is unknown
 * and nothing more. Turning words into meaning is left to md_words.c and md_merge.c.
 */
#include "md_sysfs.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "raidtop/memory.h"
#include "raidtop/text.h"
#include "sysfs.h"

#define TEXT(dir, attribute, field) sysfs_text(dir, attribute, field, sizeof(field))

void md_sysfs_read_moving(struct md_sysfs_moving *moving, const char *dir)
{
	TEXT(dir, "md/array_state", moving->array_state);
	TEXT(dir, "md/sync_action", moving->sync_action);
	TEXT(dir, "md/sync_completed", moving->sync_completed);
	moving->speed_kib_per_sec = sysfs_u64(dir, "md/sync_speed");
	moving->degraded = sysfs_u64(dir, "md/degraded");
	moving->mismatch_count = sysfs_u64(dir, "md/mismatch_cnt");
}

/* The new value of a number that a reshape changes: "131072 (65536)". */
static uint64_t read_new(const char *dir, const char *attribute)
{
	uint64_t now, before;
	char text[64];

	TEXT(dir, attribute, text);
	sysfs_parse_pair(text, &now, &before);
	return now;
}

static void read_raid_disks(struct md_sysfs *md, const char *dir)
{
	char text[64];

	TEXT(dir, "md/raid_disks", text);
	sysfs_parse_pair(text, &md->raid_disks, &md->raid_disks_before);
}

static int32_t read_role(const char *dir)
{
	uint64_t role = sysfs_u64(dir, "slot");

	return role <= INT32_MAX ? (int32_t)role : UNKNOWN_I32;
}

/*
 * Which device it is that the array holds. A disk that was pulled stays a member until md writes to
 * it, and its name may be another disk's by then: the array holds only what says so itself.
 */
static void read_held_device(struct md_sysfs_member *m, const char *dir, const char *array_dir)
{
	const char *array = strrchr(array_dir, '/') + 1;
	char block[SYSFS_PATH_BYTES], holders[SYSFS_PATH_BYTES];

	if (!sysfs_real(dir, "block", block, sizeof(block)))
		return;
	m->is_there = true;
	if (sysfs_path(holders, sizeof(holders), block, "holders") && sysfs_has(block, "holders"))
		m->is_there = sysfs_has(holders, array);
	m->number_known = m->is_there && sysfs_number(block, &m->major, &m->minor);
}

static void add_member(struct md_sysfs *md, const char *dir, const char *entry)
{
	char path[SYSFS_PATH_BYTES], under[64];
	struct md_sysfs_member *m;

	if (!text_format(under, sizeof(under), "md/%s", entry) ||
	    !sysfs_path(path, sizeof(path), dir, under))
		return;
	md->members = memory_resize(md->members, md->n_members + 1, sizeof(*m));
	m = &md->members[md->n_members++];
	memset(m, 0, sizeof(*m));
	sysfs_kernel_name(m->name, sizeof(m->name), entry + strlen("dev-"));
	m->role = read_role(path);
	TEXT(path, "state", m->words);
	read_held_device(m, path, dir);
}

static void read_members(struct md_sysfs *md, const char *dir)
{
	char path[SYSFS_PATH_BYTES];
	struct dirent *entry;
	DIR *d = NULL;

	if (sysfs_path(path, sizeof(path), dir, "md"))
		d = opendir(path);
	while (d && (entry = readdir(d)))
		if (strncmp(entry->d_name, "dev-", 4) == 0 && text_is_clean(entry->d_name))
			add_member(md, dir, entry->d_name);
	if (d)
		closedir(d);
}

void md_sysfs_read(struct md_sysfs *md, const char *dir)
{
	memset(md, 0, sizeof(*md));
	md_sysfs_read_moving(&md->moving, dir);
	TEXT(dir, "md/level", md->level);
	TEXT(dir, "md/metadata_version", md->metadata);
	TEXT(dir, "md/uuid", md->uuid);
	TEXT(dir, "md/consistency_policy", md->consistency_policy);
	TEXT(dir, "md/bitmap/location", md->bitmap_location);
	md->layout = read_new(dir, "md/layout");
	md->chunk_bytes = read_new(dir, "md/chunk_size");
	read_raid_disks(md, dir);
	md->stripe_cache_size = sysfs_u64(dir, "md/stripe_cache_size");
	read_members(md, dir);
}

void md_sysfs_release(struct md_sysfs *md)
{
	free(md->members);
	memset(md, 0, sizeof(*md));
}
