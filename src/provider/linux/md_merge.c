/*
 * Two sources that are never read at the same moment. mdstat is what the kernel prints for
 * people: the progress of a sync action, the map of places, the letters behind members, sizes.
 * sysfs is what md says of itself: level and layout as numbers, which action runs and how fast,
 * roles and states. mdstat is taken first, then sysfs over it for everything that is sysfs' to
 * say, so that each stands in where the other is silent, and nothing is made up where both are.
 */
#include "md_merge.h"

#include <stdlib.h>
#include <string.h>

#include "md_container.h"
#include "md_sysfs.h"
#include "md_words.h"
#include "mdstat.h"
#include "raidtop/number.h"
#include "raidtop/text.h"

#define KIB 1024
#define SECTOR 512
/* More places than any kernel takes (raid1: 2 * 4096): a larger count is nonsense. */
#define MAX_PLACES 8192

/* ---- the sync action ---- */

static void clear_action(struct action *action)
{
	action->kind = ACTION_NONE;
	action->state = ACTION_RUNNING;
	action->percent_tenths = UNKNOWN_I32;
	action->done_bytes = action->total_bytes = UNKNOWN_U64;
	action->finish_s = action->speed_bytes_per_sec = UNKNOWN_U64;
}

/* "3072 / 47104", sectors of one member; it moves in steps of a sixteenth. */
static void take_completed(struct action *action, const char *text)
{
	const char *slash = strstr(text, " / ");
	uint64_t done, total;

	if (!slash || number_parse_u64(text, (size_t)(slash - text), &done) ||
	    number_parse_u64(slash + 3, strlen(slash + 3), &total) || total == 0 || done > total ||
	    total > UINT64_MAX / 1000)
		return;
	action->percent_tenths = (int32_t)(done * 1000 / total);
	action->done_bytes = done * SECTOR;
	action->total_bytes = total * SECTOR;
}

static void take_speed(struct action *action, uint64_t kib_per_sec)
{
	if (action->state != ACTION_RUNNING && action->state != ACTION_STALLED)
		return;
	if (kib_per_sec <= UINT64_MAX / KIB)
		action->speed_bytes_per_sec = kib_per_sec * KIB;
}

/*
 * Which action runs is sysfs' to say: mdstat prints "resync" for a repair too. A pending resync
 * (the array is read-only until somebody writes) and one that another host of a cluster runs are
 * idle to sysfs.
 */
static void merge_action(struct action *action, const struct md_sysfs_moving *moving)
{
	enum action_kind kind = md_action_kind(moving->sync_action);
	bool printed = action->kind != ACTION_NONE;

	if (!moving->sync_action[0])
		return;
	if (kind == ACTION_NONE) {
		if (action->state != ACTION_PENDING && action->state != ACTION_REMOTE)
			clear_action(action);
		return;
	}
	action->kind = kind;
	if (!printed && strcmp(moving->sync_completed, "delayed") == 0)
		action->state = ACTION_DELAYED;
	else if (!printed)
		take_completed(action, moving->sync_completed);
	take_speed(action, moving->speed_kib_per_sec);
}

static void take_limit(uint64_t *bytes_per_sec, enum truth *is_local,
		       const struct md_sync_limit *limit)
{
	if (limit->kib_per_sec > UINT64_MAX / KIB)
		return;
	*bytes_per_sec = limit->kib_per_sec * KIB;
	*is_local = limit->is_local;
}

static void merge_moving(struct array *a, const struct md_sysfs_moving *moving)
{
	enum array_state state = md_array_state(moving->array_state);

	if (state != ARRAY_STATE_UNKNOWN) {
		a->state = state;
		a->readonly = md_array_readonly(moving->array_state);
	}
	if (moving->degraded != UNKNOWN_U64)
		a->degraded = moving->degraded;
	if (moving->mismatch_count != UNKNOWN_U64)
		a->mismatch_count = moving->mismatch_count;
	if (moving->sync_action[0])
		a->frozen = strcmp(moving->sync_action, "frozen") == 0 ? TRUTH_YES : TRUTH_NO;
	take_limit(&a->sync_min_bytes_per_sec, &a->sync_min_is_local, &moving->min);
	take_limit(&a->sync_max_bytes_per_sec, &a->sync_max_is_local, &moving->max);
	if (moving->reshape_position <= UINT64_MAX / SECTOR)
		a->reshape_position_bytes = moving->reshape_position * SECTOR;
	merge_action(&a->action, moving);
}

void md_merge_moving(struct array *a, const struct mdstat_array *printed,
		     const struct md_sysfs_moving *moving)
{
	clear_action(&a->action);
	if (printed)
		mdstat_fill_action(printed, &a->action);
	merge_moving(a, moving);
}

void md_merge_progress(struct array *a, const struct mdstat_array *printed)
{
	struct action now;

	if (!printed)
		return;
	mdstat_fill_action(printed, &now);
	if (now.kind == ACTION_NONE || now.state != a->action.state)
		return;
	a->action.percent_tenths = now.percent_tenths;
	a->action.done_bytes = now.done_bytes;
	a->action.total_bytes = now.total_bytes;
	a->action.finish_s = now.finish_s;
}

/* ---- members ---- */

static struct member *find_member(struct array *a, const char *name)
{
	for (size_t i = 0; i < a->n_members; i++)
		if (strcmp(a->members[i].name, name) == 0)
			return &a->members[i];
	return NULL;
}

static int device_of(const struct topology *t, const struct md_sysfs_member *from)
{
	if (!from->is_there)
		return NO_SLOT;
	if (from->number_known)
		return topology_find_number(t, from->major, from->minor);
	return topology_find(t, from->name);
}

static void merge_member(struct topology *t, struct array *a, const struct md_sysfs_member *from)
{
	enum member_state state = md_member_state(from->words, from->role);
	struct member *m = find_member(a, from->name);

	if (!m) {
		m = array_add_member(a, from->name);
		m->flags = md_member_flags(from->words, from->role);
	}
	m->device = device_of(t, from);
	m->role = from->role;
	if (state != MEMBER_STATE_UNKNOWN)
		m->state = state;
}

static bool has_role(const struct array *a, int32_t role)
{
	for (size_t i = 0; i < a->n_members; i++)
		if (a->members[i].role == role)
			return true;
	return false;
}

/* Only levels that can do without a member have a count of missing ones, and places without. */
static void add_missing(struct array *a, const struct md_sysfs *md)
{
	if (md->moving.degraded == UNKNOWN_U64 || md->n_members == 0 || md->raid_disks > MAX_PLACES)
		return;
	for (int32_t role = 0; role < (int32_t)md->raid_disks; role++) {
		struct member *m;

		if (has_role(a, role))
			continue;
		m = array_add_member(a, "");
		m->role = role;
		m->state = MEMBER_MISSING;
	}
}

/* By place, a replacement behind the one it replaces; then what has no place, as numbered. */
static int compare_members(const void *left, const void *right)
{
	const struct member *a = left, *b = right;
	uint32_t a_place = (uint32_t)a->role, b_place = (uint32_t)b->role;
	uint32_t a_new = a->flags & MEMBER_FLAG_REPLACEMENT;
	uint32_t b_new = b->flags & MEMBER_FLAG_REPLACEMENT;

	/* UNKNOWN_I32 is the largest of all as an unsigned number. */
	if (a_place != b_place)
		return a_place < b_place ? -1 : 1;
	if (a_new != b_new)
		return a_new < b_new ? -1 : 1;
	if (a->slot != b->slot)
		return (uint32_t)a->slot < (uint32_t)b->slot ? -1 : 1;
	return strcmp(a->name, b->name);
}

static void merge_members(struct topology *t, struct array *a, const struct md_sysfs *md)
{
	if (md->n_members == 0)
		return;
	for (size_t i = 0; i < md->n_members; i++)
		merge_member(t, a, &md->members[i]);
	add_missing(a, md);
	qsort(a->members, a->n_members, sizeof(a->members[0]), compare_members);
}

/* ---- the array ---- */

static void take_text(char *dst, size_t size, const char *text, const char *unknown)
{
	if (text[0] && strcmp(text, unknown) != 0)
		text_copy(dst, size, text);
}

#define TAKE_TEXT(field, text, unknown) take_text(field, sizeof(field), text, unknown)

static void take_number(uint64_t *field, uint64_t value)
{
	if (value != UNKNOWN_U64)
		*field = value;
}

static void merge_layout(struct array *a, const struct md_sysfs *md)
{
	char layout[sizeof(a->layout)];

	md_layout_name(layout, sizeof(layout), a->level, md->layout);
	TAKE_TEXT(a->layout, layout, "");
}

/* Where its number of blocks is from the superblock, or in a file, whose name mdstat has. */
static void merge_bitmap(struct array *a, const struct md_sysfs *md)
{
	const char *location = md->bitmap_location;

	if (!location[0])
		return;
	a->bitmap = strcmp(location, "none") == 0 ? TRUTH_NO : TRUTH_YES;
	if (a->bitmap == TRUTH_NO) {
		a->bitmap_location[0] = '\0';
		a->bitmap_chunk_bytes = UNKNOWN_U64;
		return;
	}
	if (strcmp(location, "file") != 0)
		text_copy(a->bitmap_location, sizeof(a->bitmap_location), "internal");
	else if (a->bitmap_location[0] != '/')
		text_copy(a->bitmap_location, sizeof(a->bitmap_location), "file");
	if (md->bitmap_chunk_bytes > 0)
		take_number(&a->bitmap_chunk_bytes, md->bitmap_chunk_bytes);
}

void md_merge(struct topology *t, struct device *dev, const struct mdstat_array *printed,
	      const struct md_sysfs *md)
{
	struct array *a = dev->array;
	char uuid[sizeof(a->uuid)];

	text_copy(a->kind, sizeof(a->kind), "md");
	clear_action(&a->action);
	if (printed)
		mdstat_fill_array(printed, t, dev);
	TAKE_TEXT(a->level, md->level, "");
	TAKE_TEXT(a->metadata, md->metadata, "none");
	TAKE_TEXT(a->consistency_policy, md->consistency_policy, "unknown");
	merge_layout(a, md);
	md_uuid(uuid, sizeof(uuid), md->uuid, a->metadata);
	TAKE_TEXT(a->uuid, uuid, "");
	take_number(&a->raid_disks, md->raid_disks);
	take_number(&a->raid_disks_before, md->raid_disks_before);
	take_number(&a->stripe_cache_size, md->stripe_cache_size);
	/* 0: the level does not cut into chunks. */
	if (md->chunk_bytes > 0)
		take_number(&a->chunk_bytes, md->chunk_bytes);
	take_number(&a->stripe_cache_active, md->stripe_cache_active);
	md_chosen_word(a->journal_mode, sizeof(a->journal_mode), md->journal_mode);
	merge_bitmap(a, md);
	merge_moving(a, &md->moving);
	merge_members(t, a, md);
	md_container_name(a);
	/* What mdstat prints as its size is that of the metadata or of the disks: of nothing to
	 * read. */
	if (array_is_container(a))
		dev->size_bytes = UNKNOWN_U64;
}
