/*
 * The surface: a rectangle of cells, each a character with a meaning (enum style). Views draw on
 * it without knowing any terminal; the terminal compares it with the frame before, golden tests
 * read it as text. Everything clips, so that a view may draw at any size without asking. A wide
 * character takes two cells, the second of which has rune 0; writing over one half blanks the
 * other, so that no half is ever left alone.
 */
#include "raidtop/surface.h"

#include <stdlib.h>
#include <string.h>

#include "raidtop/memory.h"

#define REPLACEMENT '?'

/* One letter each, for surface_styles_to_text(); selected cells have it in upper case. */
static const char style_letters[] = {
	[STYLE_TEXT] = ' ',         [STYLE_MUTED] = 'm',         [STYLE_BRIGHT] = 'b',
	[STYLE_HEADER] = 'h',       [STYLE_TITLE] = 't',         [STYLE_FRAME] = 'f',
	[STYLE_READ] = 'r',         [STYLE_READ_BAND] = 'd',     [STYLE_WRITE] = 'w',
	[STYLE_WRITE_BAND] = 'v',   [STYLE_TEMPERATURE] = 'c',   [STYLE_GOOD] = 'g',
	[STYLE_WARNING] = 'y',      [STYLE_BAD] = 'x',           [STYLE_MARK] = 'a',
	[STYLE_BADGE_GOOD] = '1',   [STYLE_BADGE_WARNING] = '2', [STYLE_BADGE_BAD] = '3',
	[STYLE_BADGE_RECORD] = '4', [STYLE_KEY] = 'k',           [STYLE_STATUS] = 's',
};
_Static_assert(sizeof(style_letters) == STYLE_COUNT, "each style has a letter");

void surface_init(struct surface *s)
{
	*s = (struct surface){ .width = 0 };
}

void surface_release(struct surface *s)
{
	free(s->cells);
	surface_init(s);
}

void surface_resize(struct surface *s, int width, int height)
{
	int n;

	s->width = width > 0 ? width : 0;
	s->height = height > 0 ? height : 0;
	n = s->width * s->height;
	if (n > s->capacity) {
		s->cells = memory_resize(s->cells, (size_t)n, sizeof(*s->cells));
		s->capacity = n;
	}
	surface_clear(s);
}

void surface_clear(struct surface *s)
{
	const struct cell blank = { .rune = ' ', .style = STYLE_TEXT };

	for (int i = 0; i < s->width * s->height; i++)
		s->cells[i] = blank;
}

static bool inside(const struct surface *s, int x, int y)
{
	return x >= 0 && x < s->width && y >= 0 && y < s->height;
}

/* The other half of a wide character that (x, y) is one half of becomes a blank. */
static void part_halves(struct surface *s, int x, int y)
{
	struct cell *c = &s->cells[y * s->width + x];

	if (c->rune == 0 && x > 0)
		c[-1].rune = ' ';
	if (x + 1 < s->width && c[1].rune == 0)
		c[1].rune = ' ';
}

static void put_cell(struct surface *s, int x, int y, enum style style, uint32_t rune)
{
	struct cell *c;

	if (!inside(s, x, y))
		return;
	part_halves(s, x, y);
	c = &s->cells[y * s->width + x];
	c->rune = rune;
	c->style = (uint8_t)style;
}

/* Puts a character within [x, end); returns the column after it. */
static int put_rune(struct surface *s, int x, int y, int end, enum style style, uint32_t rune)
{
	int width;

	if (!text_rune_is_clean(rune))
		rune = REPLACEMENT;
	width = text_rune_width(rune);
	if (width <= 0)
		return x; /* a combining one: a cell has room for its base alone */
	if (width == 1) {
		if (x < end)
			put_cell(s, x, y, style, rune);
		return x + 1;
	}
	if (x + 1 < end && inside(s, x, y) && inside(s, x + 1, y)) {
		put_cell(s, x, y, style, rune);
		put_cell(s, x + 1, y, style, ' ');
		s->cells[y * s->width + x + 1].rune = 0;
	} else {
		/* Half of it would stand over the edge. */
		for (int i = x; i < x + 2 && i < end; i++)
			put_cell(s, i, y, style, ' ');
	}
	return x + 2;
}

void surface_put(struct surface *s, int x, int y, enum style style, uint32_t rune)
{
	put_rune(s, x, y, s->width, style, rune);
}

/* Draws up to column `end` (exclusive); returns the column that the whole text would end at. */
static int put_text(struct surface *s, int x, int y, int end, enum style style, const char *text)
{
	size_t len = strlen(text);

	while (len > 0 && x < end) {
		unsigned int rune;
		int n = text_decode(text, len, &rune);

		if (n <= 0) {
			rune = REPLACEMENT;
			n = 1;
		}
		x = put_rune(s, x, y, end, style, rune);
		text += n;
		len -= (size_t)n;
	}
	return x;
}

/* Cells that put_text() gives to a text: what is not drawable takes one. */
static int drawn_width(const char *text)
{
	size_t len = strlen(text);
	int width = 0;

	while (len > 0) {
		unsigned int rune;
		int n = text_decode(text, len, &rune);

		if (n <= 0) {
			rune = REPLACEMENT;
			n = 1;
		}
		width += text_rune_is_clean(rune) ? text_rune_width(rune) : 1;
		text += n;
		len -= (size_t)n;
	}
	return width;
}

int surface_text(struct surface *s, int x, int y, enum style style, const char *text)
{
	return put_text(s, x, y, s->width, style, text);
}

int surface_text_in(struct surface *s, int x, int y, int width, enum style style, const char *text,
		    uint32_t cut)
{
	int end = x + width, after;

	if (width <= 0)
		return x;
	if (drawn_width(text) <= width)
		return put_text(s, x, y, end, style, text);
	if (cut == 0) {
		after = put_text(s, x, y, end, style, text);
		return after < end ? after : end;
	}
	put_text(s, x, y, end - 1, style, text);
	put_cell(s, end - 1, y, style, cut);
	return end;
}

void surface_text_right(struct surface *s, int x, int y, int width, enum style style,
			const char *text)
{
	int taken = drawn_width(text);

	if (width > 0)
		surface_text_in(s, taken < width ? x + width - taken : x, y,
				taken < width ? taken : width, style, text, '~');
}

void surface_fill(struct surface *s, int x, int y, int width, int height, enum style style,
		  uint32_t rune)
{
	int left = x > 0 ? x : 0, top = y > 0 ? y : 0;
	int right = x + width < s->width ? x + width : s->width;
	int bottom = y + height < s->height ? y + height : s->height;

	for (int row = top; row < bottom; row++)
		for (int column = left; column < right; column++)
			put_cell(s, column, row, style, rune);
}

void surface_select_row(struct surface *s, int x, int y, int width)
{
	for (int column = x > 0 ? x : 0; column < x + width && column < s->width; column++)
		if (inside(s, column, y))
			s->cells[y * s->width + column].selected = true;
}

static size_t encode(char *buf, uint32_t rune)
{
	if (rune < 0x80) {
		buf[0] = (char)rune;
		return 1;
	}
	if (rune < 0x800) {
		buf[0] = (char)(0xc0 | rune >> 6);
		buf[1] = (char)(0x80 | (rune & 0x3f));
		return 2;
	}
	if (rune < 0x10000) {
		buf[0] = (char)(0xe0 | rune >> 12);
		buf[1] = (char)(0x80 | (rune >> 6 & 0x3f));
		buf[2] = (char)(0x80 | (rune & 0x3f));
		return 3;
	}
	buf[0] = (char)(0xf0 | rune >> 18);
	buf[1] = (char)(0x80 | (rune >> 12 & 0x3f));
	buf[2] = (char)(0x80 | (rune >> 6 & 0x3f));
	buf[3] = (char)(0x80 | (rune & 0x3f));
	return 4;
}

void surface_to_text(const struct surface *s, struct buffer *out)
{
	for (int y = 0; y < s->height; y++) {
		const struct cell *row = &s->cells[y * s->width];
		int end = s->width;

		while (end > 0 && row[end - 1].rune == ' ')
			end--;
		for (int x = 0; x < end; x++) {
			char bytes[4];

			if (row[x].rune != 0)
				buffer_add(out, bytes, encode(bytes, row[x].rune));
		}
		buffer_add_char(out, '\n');
	}
}

/* 'R' for a selected 'r', '=' for plain text that is selected, '!' for a selected badge. */
static char style_letter(const struct cell *c)
{
	char letter = style_letters[c->style];

	if (!c->selected)
		return letter;
	if (letter >= 'a' && letter <= 'z')
		return (char)(letter - 'a' + 'A');
	return letter == ' ' ? '=' : '!';
}

void surface_styles_to_text(const struct surface *s, struct buffer *out)
{
	for (int y = 0; y < s->height; y++) {
		const struct cell *row = &s->cells[y * s->width];
		int end = s->width;

		while (end > 0 && style_letter(&row[end - 1]) == ' ')
			end--;
		for (int x = 0; x < end; x++)
			buffer_add_char(out, style_letter(&row[x]));
		buffer_add_char(out, '\n');
	}
}
