/* The words of --list --json: they are a promise to other programs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "raidtop/topology.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

/* NULL ends with what lies beyond the enum: no word, and no reading out of bounds. */
static const char *const array_states[] = { NULL, "active", "inactive", "broken", NULL };
static const char *const readonlies[] = { NULL, "read-only", "auto-read-only", NULL };
static const char *const actions[] = { NULL,     "resync",  "recovery", "check",
				       "repair", "reshape", NULL };
static const char *const action_states[] = { "running", "delayed", "pending",
					     "remote",  "stalled", NULL };
static const char *const member_states[] = { NULL,      "in_sync", "spare", "faulty", "rebuilding",
					     "journal", "missing", "held",  "unused", NULL };

static void is_word(const char *got, const char *expected)
{
	if (expected)
		assert_string_equal(got, expected);
	else
		assert_null(got);
}

static void words_of_states(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(array_states); i++)
		is_word(array_state_name((enum array_state)i), array_states[i]);
	for (size_t i = 0; i < COUNT(readonlies); i++)
		is_word(array_readonly_name((enum array_readonly)i), readonlies[i]);
	for (size_t i = 0; i < COUNT(actions); i++)
		is_word(action_kind_name((enum action_kind)i), actions[i]);
	for (size_t i = 0; i < COUNT(action_states); i++)
		is_word(action_state_name((enum action_state)i), action_states[i]);
	for (size_t i = 0; i < COUNT(member_states); i++)
		is_word(member_state_name((enum member_state)i), member_states[i]);
	is_word(member_state_name((enum member_state) - 1), NULL);
	is_word(action_kind_name((enum action_kind)INT32_MAX), NULL);
}

static const struct flags_case {
	uint32_t flags;
	char between;
	const char *text;
} flags[] = {
	{ 0, ',', "" },
	{ MEMBER_FLAG_FAULTY, ',', "F" },
	{ MEMBER_FLAG_FAULTY | MEMBER_FLAG_WRITE_MOSTLY, ',', "W,F" },
	{ MEMBER_FLAG_REPLACEMENT | MEMBER_FLAG_SPARE | MEMBER_FLAG_JOURNAL, ' ', "J S R" },
	{ UINT32_MAX, ',', "W,J,F,S,R" },
};

static void letters_of_flags(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(flags); i++) {
		char buf[16];

		print_message("  '%s'\n", flags[i].text);
		assert_int_equal(member_flags_format(buf, flags[i].flags, flags[i].between),
				 strlen(flags[i].text));
		assert_string_equal(buf, flags[i].text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_of_states),
		cmocka_unit_test(letters_of_flags),
	};

	return cmocka_run_group_tests_name("words", tests, NULL, NULL);
}
