/* The words of /proc/mdstat: what white space parts, with where and how each one ends. */
#ifndef RAIDTOP_PROVIDER_LINUX_MDSTAT_WORDS_H
#define RAIDTOP_PROVIDER_LINUX_MDSTAT_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A text without terminator. */
struct text_span {
	const char *begin, *end;
};

struct word {
	const char *text;
	size_t len;   /* 0 at the end of the text */
	bool first;   /* of its line */
	bool cut;     /* it touches the end of the text, where more may have followed */
	bool garbled; /* control characters in it */
};

bool word_is_blank(char c);
bool word_is_control(char c);

/* The first word that begins at `at` or later; the one behind a word. */
struct word word_at(const struct text_span *s, const char *at);
struct word word_after(const struct text_span *s, const struct word *w);

bool word_is(const struct word *w, const char *text);
bool word_begins(const struct word *w, const char *text);
/* What stands between a beginning and an end ("[" and "]", say); empty where they are not. */
struct word word_inside(const struct word *w, const char *before, const char *after);

/* Whether it has at least one character, and none but these. */
bool word_consists_of(const struct word *w, const char *characters);

/* Each writes its result and returns true, or leaves it alone and returns false. */
/* A whole and clean word that fits. */
bool word_copy(char *dst, size_t size, const struct word *w);
bool word_number(const struct word *w, uint64_t *ret);
/* "12.6" in tenths; not negative. */
bool word_tenths(const struct word *w, uint64_t *ret);
/* "114176/1993728" */
bool word_pair(const struct word *w, uint64_t *left, uint64_t *right);

#endif
