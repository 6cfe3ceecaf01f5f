/*
 * The vocabulary of md: what its numbers and words in sysfs mean. Layout numbers are from the
 * kernel's raid5.h, raid10.c and raid0.h, their names from mdadm(8).
 */
#include "md_words.h"

#include <stdbool.h>
#include <string.h>

#include "raidtop/text.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

/* ---- levels ---- */

static const struct level_name {
	const char *number, *name;
} level_names[] = {
	{ "-1", "linear" }, { "-4", "multipath" }, { "-5", "faulty" },
	{ "0", "raid0" },   { "1", "raid1" },      { "4", "raid4" },
	{ "5", "raid5" },   { "6", "raid6" },      { "10", "raid10" },
};

void md_level_name(char *level, size_t size)
{
	for (size_t i = 0; i < COUNT(level_names); i++) {
		if (strcmp(level, level_names[i].number) == 0) {
			text_copy(level, size, level_names[i].name);
			return;
		}
	}
}

/* ---- layouts ---- */

static const struct layout_name {
	const char *level;
	uint64_t layout;
	const char *name;
} layout_names[] = {
	{ "raid0", 1, "original" },
	{ "raid0", 2, "alternate" },
	{ "raid5", 0, "left-asymmetric" },
	{ "raid5", 1, "right-asymmetric" },
	{ "raid5", 2, "left-symmetric" },
	{ "raid5", 3, "right-symmetric" },
	{ "raid5", 4, "parity-first" },
	{ "raid5", 5, "parity-last" },
	{ "raid6", 0, "left-asymmetric" },
	{ "raid6", 1, "right-asymmetric" },
	{ "raid6", 2, "left-symmetric" },
	{ "raid6", 3, "right-symmetric" },
	{ "raid6", 4, "parity-first" },
	{ "raid6", 5, "parity-last" },
	{ "raid6", 8, "ddf-zero-restart" },
	{ "raid6", 9, "ddf-N-restart" },
	{ "raid6", 10, "ddf-N-continue" },
	{ "raid6", 16, "left-asymmetric-6" },
	{ "raid6", 17, "right-asymmetric-6" },
	{ "raid6", 18, "left-symmetric-6" },
	{ "raid6", 19, "right-symmetric-6" },
	{ "raid6", 20, "parity-first-6" },
};

/* Near copies in the low byte, far copies in the next one, bit 16: far ones are offset. */
static void raid10_layout_name(char *dst, size_t size, uint64_t layout)
{
	unsigned int near = layout & 0xff, far = layout >> 8 & 0xff;
	char far_letter = layout >> 16 & 1 ? 'o' : 'f';

	dst[0] = '\0';
	if (near == 0 || far == 0)
		return;
	if (far == 1)
		text_format(dst, size, "n%u", near);
	else if (near == 1)
		text_format(dst, size, "%c%u", far_letter, far);
	else
		text_format(dst, size, "n%u,%c%u", near, far_letter, far);
}

void md_layout_name(char *dst, size_t size, const char *level, uint64_t layout)
{
	dst[0] = '\0';
	if (layout == UNKNOWN_U64)
		return;
	if (strcmp(level, "raid10") == 0) {
		raid10_layout_name(dst, size, layout);
		return;
	}
	for (size_t i = 0; i < COUNT(layout_names); i++)
		if (layout_names[i].layout == layout && strcmp(layout_names[i].level, level) == 0)
			text_copy(dst, size, layout_names[i].name);
}

/* ---- states ---- */

/* The words of Documentation/admin-guide/md.rst. */
static const struct array_word {
	const char *word;
	enum array_state state;
	enum array_readonly readonly;
} array_words[] = {
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
};

static const struct array_word *find_array_word(const char *word)
{
	for (size_t i = 0; i < COUNT(array_words); i++)
		if (strcmp(array_words[i].word, word) == 0)
			return &array_words[i];
	return NULL;
}

enum array_state md_array_state(const char *word)
{
	const struct array_word *known = find_array_word(word);

	return known ? known->state : ARRAY_STATE_UNKNOWN;
}

enum array_readonly md_array_readonly(const char *word)
{
	const struct array_word *known = find_array_word(word);

	return known ? known->readonly : ARRAY_READ_WRITE;
}

static const struct action_word {
	const char *word;
	enum action_kind kind;
} action_words[] = {
	{ "resync", ACTION_RESYNC }, { "recover", ACTION_RECOVERY }, { "check", ACTION_CHECK },
	{ "repair", ACTION_REPAIR }, { "reshape", ACTION_RESHAPE },
};

enum action_kind md_action_kind(const char *word)
{
	for (size_t i = 0; i < COUNT(action_words); i++)
		if (strcmp(action_words[i].word, word) == 0)
			return action_words[i].kind;
	return ACTION_NONE;
}

/* Whether a list with commas has the word. */
static bool has_word(const char *words, const char *word)
{
	size_t len = strlen(word);

	while (*words) {
		size_t n = strcspn(words, ",");

		if (n == len && strncmp(words, word, len) == 0)
			return true;
		words += n + (words[n] == ',');
	}
	return false;
}

enum member_state md_member_state(const char *words, int32_t role)
{
	if (has_word(words, "faulty"))
		return MEMBER_FAULTY;
	if (has_word(words, "journal"))
		return MEMBER_JOURNAL;
	if (has_word(words, "in_sync"))
		return MEMBER_IN_SYNC;
	if (has_word(words, "spare"))
		return role == UNKNOWN_I32 ? MEMBER_SPARE : MEMBER_REBUILDING;
	return MEMBER_STATE_UNKNOWN;
}

uint32_t md_member_flags(const char *words, int32_t role)
{
	uint32_t flags = 0;

	if (has_word(words, "write_mostly"))
		flags |= MEMBER_FLAG_WRITE_MOSTLY;
	if (has_word(words, "journal"))
		flags |= MEMBER_FLAG_JOURNAL;
	if (has_word(words, "replacement"))
		flags |= MEMBER_FLAG_REPLACEMENT;
	if (has_word(words, "faulty"))
		flags |= MEMBER_FLAG_FAULTY;
	else if (has_word(words, "spare") && role == UNKNOWN_I32)
		flags |= MEMBER_FLAG_SPARE;
	return flags;
}

void md_chosen_word(char *dst, size_t size, const char *words)
{
	const char *open = strchr(words, '['), *shut = open ? strchr(open, ']') : NULL;

	dst[0] = '\0';
	if (shut && !text_copy_n(dst, size, open + 1, (size_t)(shut - open - 1)))
		dst[0] = '\0';
}

/* ---- UUIDs ---- */

#define UUID_DIGITS 32

static bool collect_digits(char digits[UUID_DIGITS], const char *text)
{
	size_t n = 0;

	for (; *text; text++) {
		if (*text == '-' || *text == ':')
			continue;
		if (n == UUID_DIGITS || !strchr("0123456789abcdef", *text))
			return false;
		digits[n++] = *text;
	}
	return n == UUID_DIGITS;
}

static void swap_bytes_of_word(char word[8])
{
	for (size_t i = 0; i < 4; i += 2) {
		char pair[2];

		memcpy(pair, word + i, 2);
		memcpy(word + i, word + 6 - i, 2);
		memcpy(word + 6 - i, pair, 2);
	}
}

void md_uuid(char *dst, size_t size, const char *text, const char *metadata)
{
	char digits[UUID_DIGITS];
	bool is_sysfs = strchr(text, '-') != NULL;

	dst[0] = '\0';
	if (!collect_digits(digits, text) || strspn(text, "0-:") == strlen(text))
		return;
	if (is_sysfs && strncmp(metadata, "0.9", 3) == 0 &&
	    __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
		for (size_t i = 0; i < UUID_DIGITS; i += 8)
			swap_bytes_of_word(digits + i);
	text_format(dst, size, "%.8s:%.8s:%.8s:%.8s", digits, digits + 8, digits + 16, digits + 24);
}
