/*
 * Words of a kernel's text, and what can be read out of one. Nothing here goes beyond the span,
 * which need not be terminated.
 */
#include "mdstat_words.h"

#include <string.h>

#include "raidtop/number.h"
#include "raidtop/text.h"

bool word_is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

bool word_is_control(char c)
{
	return (unsigned char)c < 0x20 || c == 0x7f;
}

/* How many bytes of white space stand here; pasted texts have the no-break space of web pages. */
static inline size_t blank_at(const struct text_span *s, const char *at)
{
	if ((unsigned char)*at > 0x20 && *at != '\xc2')
		return 0;
	if (word_is_blank(*at))
		return 1;
	return *at == '\xc2' && s->end - at >= 2 && at[1] == '\xa0' ? 2 : 0;
}

struct word word_at(const struct text_span *s, const char *at)
{
	struct word w = { .first = at == s->begin };
	size_t n;

	for (; at < s->end && (n = blank_at(s, at)) > 0; at += n)
		w.first |= *at == '\n';
	w.text = at;
	for (; at < s->end && blank_at(s, at) == 0; at++)
		w.garbled |= word_is_control(*at);
	w.len = (size_t)(at - w.text);
	w.cut = at == s->end;
	return w;
}

struct word word_after(const struct text_span *s, const struct word *w)
{
	return word_at(s, w->text + w->len);
}

bool word_is(const struct word *w, const char *text)
{
	return w->len == strlen(text) && memcmp(w->text, text, w->len) == 0;
}

bool word_begins(const struct word *w, const char *text)
{
	return w->len >= strlen(text) && memcmp(w->text, text, strlen(text)) == 0;
}

bool word_consists_of(const struct word *w, const char *characters)
{
	for (size_t i = 0; i < w->len; i++)
		if (w->text[i] == '\0' || !strchr(characters, w->text[i]))
			return false;
	return w->len > 0;
}

bool word_copy(char *dst, size_t size, const struct word *w)
{
	if (w->len == 0 || w->len >= size || w->cut || w->garbled)
		return false;
	return text_copy_n(dst, size, w->text, w->len);
}

struct word word_inside(const struct word *w, const char *before, const char *after)
{
	size_t n_before = strlen(before), n_after = strlen(after);
	struct word inside = *w;

	inside.len = 0;
	if (w->len < n_before + n_after || !word_begins(w, before) ||
	    memcmp(w->text + w->len - n_after, after, n_after) != 0)
		return inside;
	inside.text += n_before;
	inside.len = w->len - n_before - n_after;
	return inside;
}

bool word_number(const struct word *w, uint64_t *ret)
{
	return number_parse_u64(w->text, w->len, ret) == 0;
}

bool word_tenths(const struct word *w, uint64_t *ret)
{
	int64_t tenths;

	if (w->len == 0 || w->text[0] == '-' || number_parse_fixed(w->text, w->len, 1, &tenths))
		return false;
	*ret = (uint64_t)tenths;
	return true;
}

bool word_pair(const struct word *w, uint64_t *left, uint64_t *right)
{
	const char *slash = memchr(w->text, '/', w->len);
	uint64_t a, b;
	size_t n;

	if (!slash)
		return false;
	n = (size_t)(slash - w->text);
	if (number_parse_u64(w->text, n, &a) || number_parse_u64(slash + 1, w->len - n - 1, &b))
		return false;
	*left = a;
	*right = b;
	return true;
}
