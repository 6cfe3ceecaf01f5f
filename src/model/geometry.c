/*
 * The arithmetic of RAID, as far as md(4) tells it. What a kernel does not tell stays unknown: a
 * raid10 without a layout has no number of copies, and an array whose losses nobody counted has
 * no degree of degradation, except at levels that cannot lose a disk and live.
 */
#include "raidtop/geometry.h"

#include <string.h>

#include "raidtop/number.h"

static const struct level_name {
	const char *name;
	enum raid_level level;
	uint64_t n_parity;
} level_names[] = {
	{ "linear", RAID_LEVEL_LINEAR, 0 }, { "raid0", RAID_LEVEL_0, 0 },
	{ "raid1", RAID_LEVEL_1, 0 },       { "raid4", RAID_LEVEL_4, 1 },
	{ "raid5", RAID_LEVEL_5, 1 },       { "raid6", RAID_LEVEL_6, 2 },
	{ "raid10", RAID_LEVEL_10, 0 },
};

uint64_t geometry_copies(const char *layout)
{
	uint64_t copies = 1, n;

	if (!*layout)
		return 0;
	while (*layout) {
		size_t len = strcspn(layout, ",");

		if (!strchr("nfo", layout[0]) || number_parse_u64(layout + 1, len - 1, &n) ||
		    n == 0 || n > 255)
			return 0;
		copies *= n;
		layout += len + (layout[len] == ',');
	}
	return copies;
}

static uint64_t count_lost(enum raid_level level, const struct array *a)
{
	if (level == RAID_LEVEL_0 || level == RAID_LEVEL_LINEAR)
		return 0;
	if (a->degraded != UNKNOWN_U64)
		return a->degraded;
	if (a->raid_disks == UNKNOWN_U64 || a->working == UNKNOWN_U64)
		return UNKNOWN_U64;
	return a->working < a->raid_disks ? a->raid_disks - a->working : 0;
}

static uint64_t count_copies(const struct geometry *g, const struct array *a)
{
	if (g->level == RAID_LEVEL_10)
		return geometry_copies(a->layout);
	if (g->level != RAID_LEVEL_1)
		return 1;
	if (g->n_disks == UNKNOWN_U64 || g->n_lost == UNKNOWN_U64 || g->n_lost >= g->n_disks)
		return 0;
	return g->n_disks - g->n_lost;
}

void geometry_of(struct geometry *g, const struct array *a)
{
	*g = (struct geometry){ .level = RAID_LEVEL_OTHER, .n_disks = a->raid_disks };
	for (size_t i = 0; i < sizeof(level_names) / sizeof(level_names[0]); i++) {
		if (strcmp(a->level, level_names[i].name) != 0)
			continue;
		g->level = level_names[i].level;
		g->n_parity = level_names[i].n_parity;
	}
	g->n_lost = count_lost(g->level, a);
	g->n_copies = count_copies(g, a);
}

bool geometry_is_whole(const struct geometry *g)
{
	return g->level != RAID_LEVEL_OTHER && g->n_disks != UNKNOWN_U64 &&
	       g->n_lost != UNKNOWN_U64 && g->n_copies > 0 && g->n_disks > g->n_parity &&
	       (g->n_parity == 0 || g->n_lost <= g->n_parity) && g->n_lost < g->n_disks;
}

bool array_is_syncing(const struct array *a)
{
	return a->action.kind != ACTION_NONE &&
	       (a->action.state == ACTION_RUNNING || a->action.state == ACTION_STALLED);
}

bool member_carries_data(const struct member *m)
{
	switch (m->state) {
	case MEMBER_SPARE:
	case MEMBER_FAULTY:
	case MEMBER_JOURNAL:
	case MEMBER_MISSING:
	case MEMBER_HELD:
	case MEMBER_UNUSED:
		return false;
	case MEMBER_STATE_UNKNOWN:
	case MEMBER_IN_SYNC:
	case MEMBER_REBUILDING:
		return true;
	}
	return false;
}
