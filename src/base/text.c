/*
 * Text of bounded length, and text from outside. Names of models, arrays and marks are whatever
 * somebody once wrote into a superblock or a file: here they are cut between characters, never
 * within one, and stripped of everything that a terminal would obey rather than show.
 */
#include "raidtop/text.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#define REPLACEMENT '?'

/* How long a character says it is by its first byte; 0 where no character begins like that. */
static int length_announced(unsigned char first)
{
	if (first < 0x80)
		return 1;
	if (first < 0xc2)
		return 0;
	if (first < 0xe0)
		return 2;
	if (first < 0xf0)
		return 3;
	return first < 0xf5 ? 4 : 0;
}

static bool is_continuation(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

/* The length without a character that only begins within `len` bytes. */
static size_t without_torn_end(const char *text, size_t len)
{
	size_t begin = len;

	while (begin > 0 && len - begin < 3 && is_continuation(text[begin - 1]))
		begin--;
	if (begin == 0)
		return len;
	begin--;
	if ((size_t)length_announced((unsigned char)text[begin]) > len - begin)
		return begin;
	return len;
}

bool text_copy(char *dst, size_t size, const char *src)
{
	return text_copy_n(dst, size, src, strlen(src));
}

bool text_copy_n(char *dst, size_t size, const char *src, size_t len)
{
	size_t whole = strnlen(src, len), n = whole;

	if (size == 0)
		return false;
	if (n >= size)
		n = without_torn_end(src, size - 1);
	memmove(dst, src, n);
	dst[n] = '\0';
	return n == whole;
}

bool text_format(char *dst, size_t size, const char *format, ...)
{
	va_list arguments;
	int n;

	if (size == 0)
		return false;
	va_start(arguments, format);
	n = vsnprintf(dst, size, format, arguments);
	va_end(arguments);
	if (n >= 0 && (size_t)n < size)
		return true;
	dst[n < 0 ? 0 : without_torn_end(dst, size - 1)] = '\0';
	return false;
}

int text_decode(const char *text, size_t len, unsigned int *ret_rune)
{
	static const unsigned int smallest[] = { 0, 0, 0x80, 0x800, 0x10000 };
	unsigned char first;
	unsigned int rune;
	int n;

	if (len == 0)
		return 0;
	first = (unsigned char)text[0];
	n = length_announced(first);
	if (n == 0 || (size_t)n > len)
		return -1;
	rune = n == 1 ? first : first & (0x7fu >> n);
	for (int i = 1; i < n; i++) {
		if (!is_continuation(text[i]))
			return -1;
		rune = rune << 6 | ((unsigned char)text[i] & 0x3f);
	}
	if (rune < smallest[n] || rune > 0x10ffff || (rune >= 0xd800 && rune < 0xe000))
		return -1;
	*ret_rune = rune;
	return n;
}

bool text_rune_is_clean(unsigned int rune)
{
	if (rune < 0x20 || (rune >= 0x7f && rune < 0xa0))
		return false;
	/* Line and paragraph separators lie just before the embedding marks. */
	return !(rune >= 0x2028 && rune <= 0x202e) && !(rune >= 0x2066 && rune <= 0x2069);
}

static bool is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

bool text_clean(char *dst, size_t size, const char *src)
{
	size_t len = strlen(src), at = 0, out = 0;

	if (size == 0)
		return false;
	while (len > 0 && is_blank(src[len - 1]))
		len--;
	while (at < len && is_blank(src[at]))
		at++;
	while (at < len) {
		unsigned int rune;
		int n = text_decode(src + at, len - at, &rune);
		bool good = n > 0 && text_rune_is_clean(rune);
		size_t taken = n > 0 ? (size_t)n : 1, given = good ? taken : 1;

		if (given >= size - out)
			break;
		if (good)
			memmove(dst + out, src + at, given);
		else
			dst[out] = REPLACEMENT;
		at += taken;
		out += given;
	}
	dst[out] = '\0';
	return at == len;
}

bool text_is_clean(const char *text)
{
	size_t len = strlen(text);

	while (len > 0) {
		unsigned int rune;
		int n = text_decode(text, len, &rune);

		if (n < 0 || !text_rune_is_clean(rune))
			return false;
		text += n;
		len -= (size_t)n;
	}
	return true;
}

int text_width(const char *text)
{
	size_t len = strlen(text);
	int width = 0;

	while (len > 0) {
		unsigned int rune;
		int n = text_decode(text, len, &rune);

		width += n < 0 ? 1 : text_rune_width(rune);
		n = n < 0 ? 1 : n;
		text += n;
		len -= (size_t)n;
	}
	return width;
}

bool text_matches(const char *pattern, const char *name)
{
	if (!strpbrk(pattern, "*?["))
		return strcmp(pattern, name) == 0;
	return fnmatch(pattern, name, 0) == 0;
}
