/*
 * The words for states of arrays, members and actions: one table each, the same words on the
 * screen, in --list --json and in a recording. What has no word is unknown or nothing special.
 */
#include "raidtop/topology.h"

#define WORD(table, value) \
	((unsigned int)(value) < sizeof(table) / sizeof(table[0]) ? table[value] : NULL)

static const char *const array_states[] = {
	[ARRAY_ACTIVE] = "active",
	[ARRAY_INACTIVE] = "inactive",
	[ARRAY_BROKEN] = "broken",
};

static const char *const array_readonlies[] = {
	[ARRAY_READ_ONLY] = "read-only",
	[ARRAY_AUTO_READ_ONLY] = "auto-read-only",
};

static const char *const action_kinds[] = {
	[ACTION_RESYNC] = "resync", [ACTION_RECOVERY] = "recovery", [ACTION_CHECK] = "check",
	[ACTION_REPAIR] = "repair", [ACTION_RESHAPE] = "reshape",
};

static const char *const action_states[] = {
	[ACTION_RUNNING] = "running", [ACTION_DELAYED] = "delayed", [ACTION_PENDING] = "pending",
	[ACTION_REMOTE] = "remote",   [ACTION_STALLED] = "stalled",
};

static const char *const member_states[] = {
	[MEMBER_IN_SYNC] = "in_sync", [MEMBER_SPARE] = "spare",
	[MEMBER_FAULTY] = "faulty",   [MEMBER_REBUILDING] = "rebuilding",
	[MEMBER_JOURNAL] = "journal", [MEMBER_MISSING] = "missing",
	[MEMBER_HELD] = "held",       [MEMBER_UNUSED] = "unused",
};

static const struct {
	uint32_t flag;
	char letter;
} member_flags[] = {
	{ MEMBER_FLAG_WRITE_MOSTLY, 'W' }, { MEMBER_FLAG_JOURNAL, 'J' },
	{ MEMBER_FLAG_FAULTY, 'F' },       { MEMBER_FLAG_SPARE, 'S' },
	{ MEMBER_FLAG_REPLACEMENT, 'R' },
};

const char *array_state_name(enum array_state state)
{
	return WORD(array_states, state);
}

const char *array_readonly_name(enum array_readonly readonly)
{
	return WORD(array_readonlies, readonly);
}

const char *action_kind_name(enum action_kind kind)
{
	return WORD(action_kinds, kind);
}

const char *action_state_name(enum action_state state)
{
	return WORD(action_states, state);
}

const char *member_state_name(enum member_state state)
{
	return WORD(member_states, state);
}

size_t member_flags_format(char *buf, uint32_t flags, char between)
{
	size_t len = 0;

	for (size_t i = 0; i < sizeof(member_flags) / sizeof(member_flags[0]); i++) {
		if (!(flags & member_flags[i].flag))
			continue;
		if (len > 0)
			buf[len++] = between;
		buf[len++] = member_flags[i].letter;
	}
	buf[len] = '\0';
	return len;
}
