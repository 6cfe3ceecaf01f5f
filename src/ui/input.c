/*
 * Keys as terminals send them: characters as UTF-8, others as ESC [ parameters letter (or ESC O
 * letter), in the forms that xterm, the linux console, rxvt, screen and tmux use. A lone ESC is
 * the Escape key once nothing has followed it for a moment. The answer to our question about
 * synchronized updates comes the same way and is taken out here, even where a slow line has torn
 * it after its ESC.
 */
#include "input.h"

#include <string.h>

#define ESC 0x1b

static const struct letter_key {
	unsigned char letter; /* after ESC [ and after ESC O */
	int key;
} letter_keys[] = {
	{ 'A', KEY_IS_UP },   { 'B', KEY_IS_DOWN }, { 'C', KEY_IS_RIGHT }, { 'D', KEY_IS_LEFT },
	{ 'H', KEY_IS_HOME }, { 'F', KEY_IS_END },  { 'M', KEY_IS_ENTER }, { 'Z', KEY_IS_BACK_TAB },
};

static const struct number_key {
	int number; /* ESC [ number ~ */
	int key;
} number_keys[] = {
	{ 1, KEY_IS_HOME }, { 4, KEY_IS_END },       { 5, KEY_IS_PAGE_UP },
	{ 7, KEY_IS_HOME }, { 6, KEY_IS_PAGE_DOWN }, { 8, KEY_IS_END },
};

void input_init(struct input *in, bool utf8)
{
	*in = (struct input){ .utf8 = utf8 };
}

size_t input_room(const struct input *in)
{
	return sizeof(in->bytes) - in->len;
}

void input_added(struct input *in, size_t n)
{
	in->len += n;
}

static void drop(struct input *in, size_t n)
{
	in->len -= n;
	memmove(in->bytes, in->bytes + n, in->len);
}

static int letter_key(unsigned char letter)
{
	for (size_t i = 0; i < sizeof(letter_keys) / sizeof(letter_keys[0]); i++)
		if (letter_keys[i].letter == letter)
			return letter_keys[i].key;
	return KEY_IS_UNKNOWN;
}

static int number_key(int number)
{
	for (size_t i = 0; i < sizeof(number_keys) / sizeof(number_keys[0]); i++)
		if (number_keys[i].number == number)
			return number_keys[i].key;
	return KEY_IS_UNKNOWN;
}

/* The number at `*at`, which is moved behind it; -1 where there is none. */
static int number_at(const unsigned char *bytes, size_t len, size_t *at)
{
	int value = -1;

	for (; *at < len && bytes[*at] >= '0' && bytes[*at] <= '9'; ++*at)
		if (value < 100000)
			value = (value < 0 ? 0 : value) * 10 + (bytes[*at] - '0');
	return value;
}

/* "?2026;2$y": 1 and 2 (set, reset) mean that the mode is known, 3 that it is always on. */
static bool take_answer(struct input *in, const unsigned char *bytes, size_t len)
{
	size_t at = 1;
	int mode, value;

	if (len < 2 || bytes[0] != '?' || bytes[len - 1] != 'y' || bytes[len - 2] != '$')
		return false;
	mode = number_at(bytes, len, &at);
	if (at >= len || bytes[at] != ';')
		return false;
	at++;
	value = number_at(bytes, len, &at);
	if (mode == 2026) {
		in->asked = false;
		in->synchronizes = value >= 1 && value <= 3;
	}
	return true;
}

/* How many bytes after the sequence's last one belong to it (the old report of a mouse). */
static size_t trailing(const unsigned char *bytes, size_t begin, size_t end)
{
	return bytes[end] == 'M' && end == begin ? 3 : 0;
}

/*
 * A control sequence whose parameters begin at `begin`, up to and including its letter. Returns
 * its key, KEY_NONE_YET where its end has not come, and in *ret_end where the next byte is. An
 * answer gives no key: *ret_end is set and KEY_NONE_YET returned.
 */
static int control_sequence(struct input *in, size_t begin, size_t *ret_end)
{
	const unsigned char *b = in->bytes;
	size_t end = begin, at = begin;

	*ret_end = 0;
	while (end < in->len && b[end] >= 0x20 && b[end] <= 0x3f)
		end++;
	if (end == in->len)
		return KEY_NONE_YET;
	if (b[end] == '[' && end == begin) { /* F1 to F5 of the linux console: ESC [ [ A */
		if (end + 1 >= in->len)
			return KEY_NONE_YET;
		*ret_end = end + 2;
		return KEY_IS_UNKNOWN;
	}
	if (end + trailing(b, begin, end) >= in->len)
		return KEY_NONE_YET;
	*ret_end = end + 1 + trailing(b, begin, end);
	if (take_answer(in, b + begin, end + 1 - begin))
		return KEY_NONE_YET;
	if ((b[end] == 'M' || b[end] == 'm') && (end == begin || b[begin] == '<'))
		return KEY_IS_MOUSE;
	if (b[end] == '~')
		return number_key(number_at(b, in->len, &at));
	return letter_key(b[end]);
}

/* Takes a sequence that begins with ESC; `skip` is 0 where its ESC was given as a key already. */
static int take_sequence(struct input *in, size_t skip, bool is_all)
{
	size_t end;
	int key = control_sequence(in, skip + 1, &end);

	if (end == 0) {
		if (in->len == sizeof(in->bytes)) { /* no terminal says that much */
			in->len = 0;
			return KEY_IS_UNKNOWN;
		}
		if (!is_all || in->asked)
			return KEY_NONE_YET;
		in->len = 0;
		return KEY_IS_UNKNOWN;
	}
	drop(in, end);
	in->escape_given = false;
	return key == KEY_NONE_YET ? input_next(in, is_all) : key;
}

static int take_escape(struct input *in, bool is_all)
{
	if (in->len == 1) {
		if (!is_all)
			return KEY_NONE_YET;
		drop(in, 1);
		in->escape_given = in->asked;
		return KEY_IS_ESCAPE;
	}
	if (in->bytes[1] == '[')
		return take_sequence(in, 1, is_all);
	if (in->bytes[1] == 'O') {
		if (in->len == 2 && !is_all)
			return KEY_NONE_YET;
		if (in->len > 2 && letter_key(in->bytes[2]) != KEY_IS_UNKNOWN) {
			int key = letter_key(in->bytes[2]);

			drop(in, 3);
			return key;
		}
	}
	drop(in, 1);
	return KEY_IS_ESCAPE;
}

static int take_character(struct input *in, bool is_all)
{
	unsigned char first = in->bytes[0];
	size_t need = first < 0xc2 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 1;
	unsigned int rune;
	int n;

	if (first >= 0x80 && in->utf8 && in->len < need && !is_all)
		return KEY_NONE_YET;
	n = first < 0x80 || in->utf8 ? text_decode((const char *)in->bytes, in->len, &rune) : -1;
	if (n <= 0) {
		drop(in, 1);
		return KEY_IS_UNKNOWN;
	}
	drop(in, (size_t)n);
	if (rune == '\r' || rune == '\n')
		return KEY_IS_ENTER;
	if (rune == '\t')
		return KEY_IS_TAB;
	if (rune == '\b' || rune == 0x7f)
		return KEY_IS_BACKSPACE;
	return (int)rune;
}

int input_next(struct input *in, bool is_all)
{
	if (in->len == 0)
		return KEY_NONE_YET;
	if (in->escape_given && in->bytes[0] == '[') {
		if (in->len == 1)
			return is_all ? take_character(in, true) : KEY_NONE_YET;
		if (in->bytes[1] == '?')
			return take_sequence(in, 0, is_all);
	}
	in->escape_given = false;
	return in->bytes[0] == ESC ? take_escape(in, is_all) : take_character(in, is_all);
}
