/*
 * An md array as its directory in sysfs shows it. Attributes come and go with kernel versions and
 * levels (raid0 has no sync_action), and read empty while an array is not running; that is unknown
 * and nothing more. Turning words into meaning is left to md_words.c and md_merge.c.
 */
#include "md_sysfs.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "md_words.h"
#include "raidtop/memory.h"
#include "raidtop/number.h"
#include "raidtop/text.h"

#define TEXT(dir, attribute, field) sysfs_text(dir, attribute, field, sizeof(field))

/* ---- what moves ---- */

void md_files_init(struct md_files *f)
{
	for (int i = 0; i < MD_FILES; i++)
		f->files[i].fd = SYSFS_FILE_CLOSED;
}

void md_files_release(struct md_files *f)
{
	for (int i = 0; i < MD_FILES; i++)
		sysfs_file_close(&f->files[i]);
}

static void read_text(struct md_files *f, enum md_file which, const char *dir, char *dst,
		      size_t size)
{
	static const char *const names[] = {
		[MD_FILE_ARRAY_STATE] = "md/array_state",
		[MD_FILE_SYNC_ACTION] = "md/sync_action",
		[MD_FILE_DEGRADED] = "md/degraded",
		[MD_FILE_MISMATCHES] = "md/mismatch_cnt",
		[MD_FILE_SYNC_COMPLETED] = "md/sync_completed",
		[MD_FILE_SYNC_SPEED] = "md/sync_speed",
		[MD_FILE_SYNC_MIN] = "md/sync_speed_min",
		[MD_FILE_SYNC_MAX] = "md/sync_speed_max",
		[MD_FILE_RESHAPE_POSITION] = "md/reshape_position",
		[MD_FILE_STRIPE_CACHE_ACTIVE] = "md/stripe_cache_active",
	};

	sysfs_file_text(&f->files[which], dir, names[which], dst, size);
}

static uint64_t read_number(struct md_files *f, enum md_file which, const char *dir)
{
	uint64_t value = UNKNOWN_U64; /* the parser leaves it where it reads no number */
	char text[48];

	read_text(f, which, dir, text, sizeof(text));
	(void)number_parse_u64(text, strlen(text), &value);
	return value;
}

static void read_limit(struct md_sync_limit *limit, struct md_files *f, enum md_file which,
		       const char *dir)
{
	const char *origin;
	char text[48];
	size_t len;

	limit->kib_per_sec = UNKNOWN_U64;
	limit->is_local = TRUTH_UNKNOWN;
	read_text(f, which, dir, text, sizeof(text));
	len = strcspn(text, " ");
	origin = text + len;
	if (number_parse_u64(text, len, &limit->kib_per_sec))
		return;
	if (strcmp(origin, " (local)") == 0)
		limit->is_local = TRUTH_YES;
	else if (strcmp(origin, " (system)") == 0)
		limit->is_local = TRUTH_NO;
}

static void read_sync(struct md_sysfs_moving *moving, struct md_files *f, const char *dir)
{
	read_text(f, MD_FILE_SYNC_COMPLETED, dir, moving->sync_completed,
		  sizeof(moving->sync_completed));
	moving->speed_kib_per_sec = read_number(f, MD_FILE_SYNC_SPEED, dir);
	read_limit(&moving->min, f, MD_FILE_SYNC_MIN, dir);
	read_limit(&moving->max, f, MD_FILE_SYNC_MAX, dir);
}

static void read_always(struct md_sysfs_moving *moving, struct md_files *f, const char *dir)
{
	moving->sync_completed[0] = '\0';
	moving->speed_kib_per_sec = moving->reshape_position = UNKNOWN_U64;
	moving->min = moving->max = (struct md_sync_limit){ UNKNOWN_U64, TRUTH_UNKNOWN };
	read_text(f, MD_FILE_ARRAY_STATE, dir, moving->array_state, sizeof(moving->array_state));
	read_text(f, MD_FILE_SYNC_ACTION, dir, moving->sync_action, sizeof(moving->sync_action));
	moving->degraded = read_number(f, MD_FILE_DEGRADED, dir);
	moving->mismatch_count = read_number(f, MD_FILE_MISMATCHES, dir);
}

void md_sysfs_read_moving(struct md_sysfs_moving *moving, struct md_files *files, const char *dir)
{
	enum action_kind kind;

	read_always(moving, files, dir);
	kind = md_action_kind(moving->sync_action);
	if (kind != ACTION_NONE)
		read_sync(moving, files, dir);
	if (kind == ACTION_RESHAPE)
		moving->reshape_position = read_number(files, MD_FILE_RESHAPE_POSITION, dir);
}

uint64_t md_sysfs_read_stripe_cache(struct md_files *files, const char *dir)
{
	return read_number(files, MD_FILE_STRIPE_CACHE_ACTIVE, dir);
}

/* ---- what stands ---- */

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
	struct md_files files;

	memset(md, 0, sizeof(*md));
	md_files_init(&files);
	read_always(&md->moving, &files, dir);
	read_sync(&md->moving, &files, dir);
	md->moving.reshape_position = read_number(&files, MD_FILE_RESHAPE_POSITION, dir);
	md->stripe_cache_active = md_sysfs_read_stripe_cache(&files, dir);
	md_files_release(&files);
	TEXT(dir, "md/level", md->level);
	md_level_name(md->level, sizeof(md->level));
	TEXT(dir, "md/metadata_version", md->metadata);
	TEXT(dir, "md/uuid", md->uuid);
	TEXT(dir, "md/consistency_policy", md->consistency_policy);
	TEXT(dir, "md/bitmap/location", md->bitmap_location);
	md->bitmap_chunk_bytes = sysfs_u64(dir, "md/bitmap/chunksize");
	TEXT(dir, "md/journal_mode", md->journal_mode);
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
