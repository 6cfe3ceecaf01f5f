/* Bounded text: fixed arrays and one growing buffer. */
#ifndef RAIDTOP_TEXT_H
#define RAIDTOP_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * Copies `src` (or its first `len` bytes) into `dst` of `size` bytes, always terminated; what
 * does not fit is cut at a UTF-8 boundary. Returns whether everything fitted.
 */
bool text_copy(char *dst, size_t size, const char *src);
bool text_copy_n(char *dst, size_t size, const char *src, size_t len);

/* As snprintf into `dst`; returns whether everything fitted. */
bool text_format(char *dst, size_t size, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * As text_copy, with control characters, bytes that are not UTF-8, the separators U+2028-2029
 * and the direction marks U+202A-202E, U+2066-2069 each shown as '?': names and marks come from
 * outside and must not steer a terminal. White space at both ends (a model name's padding) is
 * taken off. `dst` may be `src`.
 */
bool text_clean(char *dst, size_t size, const char *src);

/* Whether all of it is valid UTF-8, and nothing in it that text_clean() would replace. */
bool text_is_clean(const char *text);
/* The same of one character. */
bool text_rune_is_clean(unsigned int rune);

/* Decodes one UTF-8 character: its length in bytes, 0 at the end, -1 where it is invalid. */
int text_decode(const char *text, size_t len, unsigned int *ret_rune);

/* Cells that a text takes on a terminal (wide characters two, combining ones none). */
int text_width(const char *text);
int text_rune_width(unsigned int rune);

/* A shell glob (fnmatch, no special slash) or, without any of "*?[", an exact name. */
bool text_matches(const char *pattern, const char *name);

/* A text that grows. Reset keeps its memory, so that a warm buffer allocates no more. */
struct buffer {
	char *data; /* terminated; NULL while empty and never used */
	size_t len;
	size_t size;
};

#define BUFFER_INIT        \
	{                  \
		NULL, 0, 0 \
	}

void buffer_init(struct buffer *b);
void buffer_release(struct buffer *b);
void buffer_reset(struct buffer *b);
void buffer_reserve(struct buffer *b, size_t more);
void buffer_add(struct buffer *b, const void *bytes, size_t len);
void buffer_add_text(struct buffer *b, const char *text);
void buffer_add_char(struct buffer *b, char c);
void buffer_format(struct buffer *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The text so far, "" where nothing was added; owned by the buffer. */
const char *buffer_text(const struct buffer *b);

#endif
