/*
 * True colour without a special terminfo entry: ncurses is given palette indices from 16 on,
 * each standing for one colour of the theme, and what it writes for them ("38;5;20", "48;5;21")
 * is replaced by the colour itself ("38;2;95;179;217"). Everything else passes as it is.
 */
#include "paint.h"

#include <stdbool.h>
#include <string.h>

#define FIRST_INDEX 16
#define MAX_NUMBERS 32

int paint_index(struct paint *p, uint32_t rgb)
{
	size_t i = 0;

	while (i < p->n && p->rgb[i] != rgb)
		i++;
	if (i == sizeof(p->rgb) / sizeof(p->rgb[0]))
		return -1;
	if (i == p->n)
		p->rgb[p->n++] = rgb;
	return FIRST_INDEX + (int)i;
}

/* Reads "1;38;5;20m" at text: the numbers, and the length with the m; 0 where it is not that. */
static size_t read_numbers(const char *text, size_t len, unsigned int *numbers, size_t *ret_n)
{
	size_t n = 0;

	numbers[0] = 0;
	for (size_t i = 0; i < len; i++) {
		if (text[i] >= '0' && text[i] <= '9') {
			numbers[n] = numbers[n] * 10 + (unsigned int)(text[i] - '0');
			if (numbers[n] > 100000)
				return 0;
		} else if (text[i] == ';' && n + 1 < MAX_NUMBERS) {
			numbers[++n] = 0;
		} else if (text[i] == 'm') {
			*ret_n = n + 1;
			return i + 1;
		} else {
			return 0;
		}
	}
	return 0;
}

static bool stands_for_colour(const struct paint *p, const unsigned int *number, size_t left)
{
	return left >= 3 && (number[0] == 38 || number[0] == 48) && number[1] == 5 &&
	       number[2] >= FIRST_INDEX && number[2] < FIRST_INDEX + p->n;
}

static void write_numbers(const struct paint *p, const unsigned int *numbers, size_t n,
			  struct buffer *out)
{
	for (size_t i = 0; i < n; i++) {
		if (i > 0)
			buffer_add_char(out, ';');
		if (stands_for_colour(p, numbers + i, n - i)) {
			uint32_t rgb = p->rgb[numbers[i + 2] - FIRST_INDEX];

			buffer_format(out, "%u;2;%u;%u;%u", numbers[i], rgb >> 16, rgb >> 8 & 0xff,
				      rgb & 0xff);
			i += 2;
		} else {
			buffer_format(out, "%u", numbers[i]);
		}
	}
	buffer_add_char(out, 'm');
}

void paint_apply(const struct paint *p, const char *text, size_t len, struct buffer *out)
{
	const char *end = text + len, *at = text;

	while (at < end) {
		const char *esc = memchr(at, 0x1b, (size_t)(end - at));
		unsigned int numbers[MAX_NUMBERS];
		size_t n, taken;

		if (!esc || end - esc < 3)
			break;
		buffer_add(out, at, (size_t)(esc - at));
		taken = esc[1] == '[' ? read_numbers(esc + 2, (size_t)(end - esc - 2), numbers, &n)
				      : 0;
		if (taken > 0) {
			buffer_add(out, esc, 2);
			if (taken > 1)
				write_numbers(p, numbers, n, out);
			else
				buffer_add_char(out, 'm');
			at = esc + 2 + taken;
		} else {
			buffer_add(out, esc, 1);
			at = esc + 1;
		}
	}
	buffer_add(out, at, (size_t)(end - at));
}

void paint_unpadded(const char *text, struct buffer *out)
{
	while (*text) {
		const char *close = text[0] == '$' && text[1] == '<' ? strchr(text, '>') : NULL;

		if (close)
			text = close + 1;
		else
			buffer_add_char(out, *text++);
	}
}
