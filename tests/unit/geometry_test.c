/* Levels, losses and copies as arrays tell them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "raidtop/geometry.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))
#define U UNKNOWN_U64

static const struct geometry_case {
	const char *name;
	struct array array;
	struct geometry geometry;
	bool whole;
} geometry_cases[] = {
	{ "raid0",
	  { .level = "raid0", .raid_disks = 4, .working = U, .degraded = U },
	  { RAID_LEVEL_0, 4, 0, 0, 1 },
	  true },
	{ "linear",
	  { .level = "linear", .raid_disks = 2, .working = U, .degraded = U },
	  { RAID_LEVEL_LINEAR, 2, 0, 0, 1 },
	  true },
	{ "raid1 of three",
	  { .level = "raid1", .raid_disks = 3, .working = 3, .degraded = 0 },
	  { RAID_LEVEL_1, 3, 0, 0, 3 },
	  true },
	{ "raid1, one lost: copies are those in sync",
	  { .level = "raid1", .raid_disks = 3, .working = 2, .degraded = 1 },
	  { RAID_LEVEL_1, 3, 1, 0, 2 },
	  true },
	{ "raid1, all lost",
	  { .level = "raid1", .raid_disks = 2, .working = 0, .degraded = 2 },
	  { RAID_LEVEL_1, 2, 2, 0, 0 },
	  false },
	{ "losses from mdstat's numbers",
	  { .level = "raid5", .raid_disks = 5, .working = 4, .degraded = U },
	  { RAID_LEVEL_5, 5, 1, 1, 1 },
	  true },
	{ "a replacement counts twice there",
	  { .level = "raid5", .raid_disks = 5, .working = 6, .degraded = U },
	  { RAID_LEVEL_5, 5, 0, 1, 1 },
	  true },
	{ "losses unknown",
	  { .level = "raid5", .raid_disks = 5, .working = U, .degraded = U },
	  { RAID_LEVEL_5, 5, U, 1, 1 },
	  false },
	{ "disks unknown",
	  { .level = "raid5", .raid_disks = U, .working = U, .degraded = 0 },
	  { RAID_LEVEL_5, U, 0, 1, 1 },
	  false },
	{ "raid4",
	  { .level = "raid4", .raid_disks = 3, .working = 3, .degraded = 0 },
	  { RAID_LEVEL_4, 3, 0, 1, 1 },
	  true },
	{ "raid5, two lost",
	  { .level = "raid5", .raid_disks = 5, .working = 3, .degraded = 2 },
	  { RAID_LEVEL_5, 5, 2, 1, 1 },
	  false },
	{ "raid6, two lost",
	  { .level = "raid6", .raid_disks = 6, .working = 4, .degraded = 2 },
	  { RAID_LEVEL_6, 6, 2, 2, 1 },
	  true },
	{ "raid10",
	  { .level = "raid10", .layout = "f2", .raid_disks = 4, .working = 4, .degraded = 0 },
	  { RAID_LEVEL_10, 4, 0, 0, 2 },
	  true },
	{ "raid10, three copies, one lost",
	  { .level = "raid10", .layout = "n3", .raid_disks = 6, .working = 5, .degraded = 1 },
	  { RAID_LEVEL_10, 6, 1, 0, 3 },
	  true },
	{ "raid10 without a layout",
	  { .level = "raid10", .raid_disks = 4, .working = 4, .degraded = 0 },
	  { RAID_LEVEL_10, 4, 0, 0, 0 },
	  false },
	{ "another level",
	  { .level = "faulty", .raid_disks = 1, .working = U, .degraded = 0 },
	  { RAID_LEVEL_OTHER, 1, 0, 0, 1 },
	  false },
	{ "no disks",
	  { .level = "raid5", .raid_disks = 0, .working = 0, .degraded = 0 },
	  { RAID_LEVEL_5, 0, 0, 1, 1 },
	  false },
};

static void geometries(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(geometry_cases); i++) {
		const struct geometry_case *c = &geometry_cases[i];
		struct geometry g;

		print_message("  %s\n", c->name);
		geometry_of(&g, &c->array);
		assert_int_equal(g.level, c->geometry.level);
		assert_int_equal(g.n_disks, c->geometry.n_disks);
		assert_int_equal(g.n_lost, c->geometry.n_lost);
		assert_int_equal(g.n_parity, c->geometry.n_parity);
		assert_int_equal(g.n_copies, c->geometry.n_copies);
		assert_int_equal(geometry_is_whole(&g), c->whole);
	}
}

static const struct copies_case {
	const char *layout;
	uint64_t copies;
} copies_cases[] = {
	{ "n2", 2 }, { "f2", 2 }, { "o3", 3 },     { "n2,f2", 4 }, { "", 0 },
	{ "n", 0 },  { "x2", 0 }, { "n0", 0 },     { "n256", 0 },  { "left-symmetric", 0 },
	{ ",", 0 },  { "2n", 0 }, { "n2,,f2", 0 },
};

static void copies(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(copies_cases); i++)
		assert_int_equal(geometry_copies(copies_cases[i].layout), copies_cases[i].copies);
}

static const struct sync_case {
	struct action action;
	bool syncing;
} sync_cases[] = {
	{ { .kind = ACTION_NONE, .state = ACTION_RUNNING }, false },
	{ { .kind = ACTION_CHECK, .state = ACTION_RUNNING }, true },
	{ { .kind = ACTION_RECOVERY, .state = ACTION_STALLED }, true },
	{ { .kind = ACTION_RESYNC, .state = ACTION_DELAYED }, false },
	{ { .kind = ACTION_RESYNC, .state = ACTION_PENDING }, false },
	{ { .kind = ACTION_RESYNC, .state = ACTION_REMOTE }, false },
};

static void syncing(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(sync_cases); i++) {
		struct array a = { .action = sync_cases[i].action };

		assert_int_equal(array_is_syncing(&a), sync_cases[i].syncing);
	}
}

static void who_carries_data(void **state)
{
	static const struct {
		enum member_state state;
		bool carries;
	} cases[] = {
		{ MEMBER_STATE_UNKNOWN, true }, { MEMBER_IN_SYNC, true },
		{ MEMBER_SPARE, false },        { MEMBER_FAULTY, false },
		{ MEMBER_REBUILDING, true },    { MEMBER_JOURNAL, false },
		{ MEMBER_MISSING, false },      { MEMBER_HELD, false },
		{ MEMBER_UNUSED, false },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct member m = { .state = cases[i].state };

		assert_int_equal(member_carries_data(&m), cases[i].carries);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(geometries),
		cmocka_unit_test(copies),
		cmocka_unit_test(syncing),
		cmocka_unit_test(who_carries_data),
	};

	return cmocka_run_group_tests_name("geometry", tests, NULL, NULL);
}
