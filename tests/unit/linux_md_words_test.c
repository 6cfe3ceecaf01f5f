/* The vocabulary of md: layout numbers, words of states and actions, UUIDs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "provider/linux/md_words.h"
#include "provider/linux/sysfs.h"
#include "raidtop/text.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))
#define NONE UNKNOWN_U64

static const struct layout_case {
	const char *level;
	uint64_t layout;
	const char *name;
} layout_cases[] = {
	{ "raid5", 0, "left-asymmetric" },
	{ "raid5", 2, "left-symmetric" },
	{ "raid5", 5, "parity-last" },
	{ "raid5", 8, "" }, /* DDF's are raid6 only */
	{ "raid5", NONE, "" },
	{ "raid6", 10, "ddf-N-continue" },
	{ "raid6", 18, "left-symmetric-6" },
	{ "raid6", 7, "" },
	{ "raid4", 0, "" },
	{ "raid1", 0, "" },
	{ "linear", 0, "" },
	{ "raid0", 1, "original" },
	{ "raid0", 2, "alternate" },
	{ "raid0", 0, "" },
	{ "raid10", 0x102, "n2" },
	{ "raid10", 0x103, "n3" },
	{ "raid10", 0x201, "f2" },
	{ "raid10", 0x20201, "f2" }, /* with sets of far devices */
	{ "raid10", 0x10201, "o2" },
	{ "raid10", 0x202, "n2,f2" },
	{ "raid10", 0x101, "n1" },
	{ "raid10", 0, "" },
	{ "", 2, "" },
};

static void layouts(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(layout_cases); i++) {
		char name[48] = "before";

		md_layout_name(name, sizeof(name), layout_cases[i].level, layout_cases[i].layout);
		print_message("  %s %s\n", layout_cases[i].level, name);
		assert_string_equal(name, layout_cases[i].name);
	}
}

static const struct state_case {
	const char *word;
	enum array_state state;
	enum array_readonly readonly;
} state_cases[] = {
	{ "clear", ARRAY_INACTIVE, ARRAY_READ_WRITE },
	{ "inactive", ARRAY_INACTIVE, ARRAY_READ_WRITE },
	{ "suspended", ARRAY_ACTIVE, ARRAY_READ_WRITE },
	{ "readonly", ARRAY_ACTIVE, ARRAY_READ_ONLY },
	{ "read-auto", ARRAY_ACTIVE, ARRAY_AUTO_READ_ONLY },
	{ "clean", ARRAY_ACTIVE, ARRAY_READ_WRITE },
	{ "active", ARRAY_ACTIVE, ARRAY_READ_WRITE },
	{ "write-pending", ARRAY_ACTIVE, ARRAY_READ_WRITE },
	{ "active-idle", ARRAY_ACTIVE, ARRAY_READ_WRITE },
	{ "broken", ARRAY_BROKEN, ARRAY_READ_WRITE },
	{ "", ARRAY_STATE_UNKNOWN, ARRAY_READ_WRITE },
	{ "something new", ARRAY_STATE_UNKNOWN, ARRAY_READ_WRITE },
};

static void states_of_arrays(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(state_cases); i++) {
		const struct state_case *c = &state_cases[i];

		print_message("  '%s'\n", c->word);
		assert_int_equal(md_array_state(c->word), c->state);
		assert_int_equal(md_array_readonly(c->word), c->readonly);
	}
}

static void actions(void **state)
{
	static const struct {
		const char *word;
		enum action_kind kind;
	} cases[] = {
		{ "idle", ACTION_NONE },       { "frozen", ACTION_NONE },
		{ "resync", ACTION_RESYNC },   { "recover", ACTION_RECOVERY },
		{ "check", ACTION_CHECK },     { "repair", ACTION_REPAIR },
		{ "reshape", ACTION_RESHAPE }, { "", ACTION_NONE },
		{ "recovery", ACTION_NONE }, /* that is mdstat's word */
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++)
		assert_int_equal(md_action_kind(cases[i].word), cases[i].kind);
}

#define NO_ROLE UNKNOWN_I32

static const struct member_case {
	const char *words;
	int32_t role;
	enum member_state state;
	uint32_t flags;
} member_cases[] = {
	{ "in_sync", 0, MEMBER_IN_SYNC, 0 },
	{ "in_sync,write_mostly,failfast", 1, MEMBER_IN_SYNC, MEMBER_FLAG_WRITE_MOSTLY },
	{ "in_sync,want_replacement", 1, MEMBER_IN_SYNC, 0 }, /* not itself a replacement */
	{ "in_sync,replacement", 1, MEMBER_IN_SYNC, MEMBER_FLAG_REPLACEMENT },
	{ "spare", NO_ROLE, MEMBER_SPARE, MEMBER_FLAG_SPARE },
	{ "spare", 2, MEMBER_REBUILDING, 0 },
	{ "spare,replacement", 1, MEMBER_REBUILDING, MEMBER_FLAG_REPLACEMENT },
	{ "faulty", NO_ROLE, MEMBER_FAULTY, MEMBER_FLAG_FAULTY },
	{ "faulty,blocked", 1, MEMBER_FAULTY, MEMBER_FLAG_FAULTY },
	{ "faulty,spare", NO_ROLE, MEMBER_FAULTY, MEMBER_FLAG_FAULTY },
	{ "journal", NO_ROLE, MEMBER_JOURNAL, MEMBER_FLAG_JOURNAL },
	{ "write_error", 0, MEMBER_STATE_UNKNOWN, 0 },
	{ "", 0, MEMBER_STATE_UNKNOWN, 0 },
	{ ",,in_sync,", 0, MEMBER_IN_SYNC, 0 },
	{ "not_in_sync", 0, MEMBER_STATE_UNKNOWN, 0 },
};

static void states_of_members(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(member_cases); i++) {
		const struct member_case *c = &member_cases[i];

		print_message("  '%s'\n", c->words);
		assert_int_equal(md_member_state(c->words, c->role), c->state);
		assert_int_equal(md_member_flags(c->words, c->role), c->flags);
	}
}

static const struct uuid_case {
	const char *name, *text, *metadata, *uuid;
} uuid_cases[] = {
	{ "sysfs", "93a15a8e-7e7f-4854-e64d-fc983eb3c2de", "1.2",
	  "93a15a8e:7e7f4854:e64dfc98:3eb3c2de" },
	{ "sysfs, 0.90 on a little-endian machine", "06862e3a-854c-622b-5770-f2c3941334f2", "0.90",
	  "3a2e8606:2b624c85:c3f27057:f2341394" },
	{ "udev, 0.90", "3a2e8606:2b624c85:c3f27057:f2341394", "0.90",
	  "3a2e8606:2b624c85:c3f27057:f2341394" },
	{ "zeros", "00000000-0000-0000-0000-000000000000", "1.2", "" },
	{ "zeros of udev", "00000000:00000000:00000000:00000000", "", "" },
	{ "nothing", "", "1.2", "" },
	{ "short", "93a15a8e-7e7f-4854-e64d-fc983eb3c2d", "1.2", "" },
	{ "long", "93a15a8e-7e7f-4854-e64d-fc983eb3c2de0", "1.2", "" },
	{ "other characters", "93a15a8e-7e7f-4854-e64d-fc983eb3c2dg", "1.2", "" },
};

static void uuids(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(uuid_cases); i++) {
		char uuid[64] = "before";

		print_message("  %s\n", uuid_cases[i].name);
		if (strstr(uuid_cases[i].name, "little-endian") &&
		    __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__)
			continue;
		md_uuid(uuid, sizeof(uuid), uuid_cases[i].text, uuid_cases[i].metadata);
		assert_string_equal(uuid, uuid_cases[i].uuid);
	}
}

/* BUGS.md 11: "6 (4)" while an array is reshaped. */
static void numbers_of_a_reshape(void **state)
{
	static const struct {
		const char *text;
		uint64_t now, before;
	} cases[] = {
		{ "6 (4)", 6, 4 },      { "6", 6, NONE },
		{ "", NONE, NONE },     { "6 (4", 6, NONE },
		{ "6 (x)", 6, NONE },   { "x (4)", NONE, 4 },
		{ "6(4)", NONE, NONE }, { "131072 (65536)", 131072, 65536 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		uint64_t now = 1, before = 1;

		print_message("  '%s'\n", cases[i].text);
		sysfs_parse_pair(cases[i].text, &now, &before);
		assert_int_equal(now, cases[i].now);
		assert_int_equal(before, cases[i].before);
	}
}

/* md has a number in md/level from the first word about an array until it runs. */
static void levels(void **state)
{
	static const char *const levels[][2] = {
		{ "1", "raid1" },     { "0", "raid0" },
		{ "-1", "linear" },   { "10", "raid10" },
		{ "raid6", "raid6" }, { "7", "7" },
		{ "", "" },           { "container", "container" },
		{ "-5", "faulty" },   { "-4", "multipath" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(levels); i++) {
		char level[24];

		text_copy(level, sizeof(level), levels[i][0]);
		md_level_name(level, sizeof(level));
		assert_string_equal(level, levels[i][1]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(levels),
		cmocka_unit_test(layouts),
		cmocka_unit_test(states_of_arrays),
		cmocka_unit_test(actions),
		cmocka_unit_test(states_of_members),
		cmocka_unit_test(uuids),
		cmocka_unit_test(numbers_of_a_reshape),
	};

	return cmocka_run_group_tests_name("linux md words", tests, NULL, NULL);
}
