/*
 * From what mdstat prints to the topology. Its words are the kernel's own; here they become the
 * terms that mdadm and the rest of this program use. What two numbers of the text would have to
 * be combined for, and combined might be wrong, stays unknown: sysfs says it.
 */
#include "mdstat.h"

#include <string.h>

#include "md_words.h"
#include "raidtop/text.h"

/* ---- geometry ---- */

/* The number that the kernel would have for what it prints of a raid10's copies. */
static uint64_t raid10_layout(const struct mdstat_array *from)
{
	bool offset = from->offset_copies != UNKNOWN_U64;
	uint64_t near = from->near_copies, far = offset ? from->offset_copies : from->far_copies;

	if (near == UNKNOWN_U64 && far == UNKNOWN_U64)
		return UNKNOWN_U64;
	near = near == UNKNOWN_U64 ? 1 : near; /* one is not printed */
	far = far == UNKNOWN_U64 ? 1 : far;
	if (near > 255 || far > 255)
		return UNKNOWN_U64;
	return near | far << 8 | (uint64_t)offset << 16;
}

static void fill_layout(struct array *a, const struct mdstat_array *from)
{
	bool copies = strcmp(from->level, "raid10") == 0;
	char name[sizeof(a->layout)];

	md_layout_name(name, sizeof(name), from->level,
		       copies ? raid10_layout(from) : from->algorithm);
	if (name[0])
		text_copy(a->layout, sizeof(a->layout), name);
}

/* `kib` in bytes where that is known and fits. */
static void fill_bytes(uint64_t *bytes, uint64_t kib)
{
	if (kib <= UINT64_MAX / 1024)
		*bytes = kib * 1024;
	else if (kib != UNKNOWN_U64)
		*bytes = UNKNOWN_U64;
}

static void fill_counts(struct array *a, const struct mdstat_array *from)
{
	if (from->raid_disks == UNKNOWN_U64)
		return;
	a->raid_disks = from->raid_disks;
	a->working = from->working;
	/* Kernels print raid_disks - degraded; with a replacement that can exceed raid_disks. */
	a->degraded = from->working < from->raid_disks ? from->raid_disks - from->working : 0;
}

/* Where no file is named, the bitmap may be internal, or the text is cut: sysfs says it. */
static void fill_bitmap(struct array *a, const struct mdstat_bitmap *from)
{
	if (from->present == TRUTH_UNKNOWN)
		return;
	a->bitmap = from->present;
	if (from->file[0])
		text_copy(a->bitmap_location, sizeof(a->bitmap_location), from->file);
	if (from->chunk_bytes != UNKNOWN_U64)
		a->bitmap_chunk_bytes = from->chunk_bytes;
}

/* ---- members ---- */

static uint32_t flags_of(const struct mdstat_member *from)
{
	static const struct {
		char letter;
		uint32_t flag;
	} letters[] = {
		{ 'W', MEMBER_FLAG_WRITE_MOSTLY }, { 'J', MEMBER_FLAG_JOURNAL },
		{ 'F', MEMBER_FLAG_FAULTY },       { 'S', MEMBER_FLAG_SPARE },
		{ 'R', MEMBER_FLAG_REPLACEMENT },
	};
	uint32_t flags = 0;

	for (size_t i = 0; i < sizeof(letters) / sizeof(letters[0]); i++)
		if (strchr(from->flags, letters[i].letter))
			flags |= letters[i].flag;
	return flags;
}

/* Whether a member could be in sync: nothing is printed that says otherwise. */
static bool is_plain(const struct mdstat_member *m)
{
	return !strpbrk(m->flags, "JFSRE");
}

/*
 * A member that is being rebuilt is printed like one in sync. So plain members are in sync only
 * where no more of them are listed than work; otherwise it is not told which ones.
 */
static bool plain_are_in_sync(const struct mdstat_array *from)
{
	size_t plain = 0;

	if (from->state != ARRAY_ACTIVE)
		return false;
	if (from->raid_disks == UNKNOWN_U64) /* no redundancy: all members, or none works */
		return strcmp(from->level, "raid0") == 0 || strcmp(from->level, "linear") == 0;
	for (size_t i = 0; i < from->n_members; i++)
		plain += is_plain(&from->members[i]);
	return plain <= from->working;
}

static enum member_state state_of(uint32_t flags, bool in_sync)
{
	if (flags & MEMBER_FLAG_FAULTY)
		return MEMBER_FAULTY;
	if (flags & MEMBER_FLAG_JOURNAL)
		return MEMBER_JOURNAL;
	if (flags & MEMBER_FLAG_SPARE)
		return MEMBER_SPARE;
	return in_sync ? MEMBER_IN_SYNC : MEMBER_STATE_UNKNOWN;
}

/* The corpus has a text with one name twice, so the number counts too. */
static struct member *find_member(struct array *a, const struct mdstat_member *from)
{
	for (size_t i = 0; i < a->n_members; i++)
		if (strcmp(a->members[i].name, from->name) == 0 &&
		    (a->members[i].slot == from->number || a->members[i].slot == UNKNOWN_I32))
			return &a->members[i];
	return NULL;
}

static void fill_members(struct array *a, const struct mdstat_array *from, const struct topology *t)
{
	bool in_sync = plain_are_in_sync(from);

	for (size_t i = 0; i < from->n_members; i++) {
		const struct mdstat_member *f = &from->members[i];
		struct member *m = find_member(a, f);
		enum member_state state;

		if (!m)
			m = array_add_member(a, f->name);
		if (m->device == NO_SLOT)
			m->device = topology_find(t, f->name);
		m->slot = f->number < 0 ? UNKNOWN_I32 : f->number; /* -1: not assigned yet */
		m->flags = flags_of(f);
		state = state_of(m->flags, in_sync && is_plain(f));
		if (state != MEMBER_STATE_UNKNOWN)
			m->state = state;
	}
}

/* ---- what runs ---- */

static uint64_t finish_in_seconds(uint64_t tenths_min)
{
	return tenths_min <= UINT64_MAX / 6 ? tenths_min * 6 : UNKNOWN_U64;
}

void mdstat_fill_action(const struct mdstat_array *from, struct action *action)
{
	const struct mdstat_action *f = &from->action;

	*action = (struct action){
		.kind = f->kind,
		.state = f->state,
		.percent_tenths = UNKNOWN_I32,
		.done_bytes = UNKNOWN_U64,
		.total_bytes = UNKNOWN_U64,
		.finish_s = UNKNOWN_U64,
		.speed_bytes_per_sec = UNKNOWN_U64,
	};
	if (f->percent_tenths != UNKNOWN_U64)
		action->percent_tenths =
			f->percent_tenths < 1000 ? (int32_t)f->percent_tenths : 1000;
	fill_bytes(&action->done_bytes, f->done_kib);
	fill_bytes(&action->total_bytes, f->total_kib);
	fill_bytes(&action->speed_bytes_per_sec, f->speed_kib_per_sec);
	if (f->finish_tenths_min == UNKNOWN_U64)
		return;
	if (f->speed_kib_per_sec ==
	    0) /* then the time is what is left, divided by next to nothing */
		action->state = ACTION_STALLED;
	else
		action->finish_s = finish_in_seconds(f->finish_tenths_min);
}

void mdstat_fill_array(const struct mdstat_array *from, struct topology *t, struct device *dev)
{
	struct array *a = dev->array;

	text_copy(a->kind, sizeof(a->kind), "md");
	a->state = from->state;
	a->readonly = from->readonly;
	if (from->level[0])
		text_copy(a->level, sizeof(a->level), from->level);
	if (from->super[0])
		text_copy(a->metadata, sizeof(a->metadata), from->super);
	fill_layout(a, from);
	fill_bytes(&dev->size_bytes, from->size_kib);
	fill_bytes(&a->chunk_bytes, from->chunk_kib);
	fill_counts(a, from);
	if (from->map[0])
		text_copy(a->slots, sizeof(a->slots), from->map);
	fill_bitmap(a, &from->bitmap);
	fill_members(a, from, t);
	mdstat_fill_action(from, &a->action);
}
