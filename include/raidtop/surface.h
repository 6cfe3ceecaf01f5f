/*
 * The surface: a rectangle of cells that views draw on. It knows no terminal; golden tests read
 * it as text. Styles are meanings; the terminal and the theme decide how a meaning looks.
 */
#ifndef RAIDTOP_SURFACE_H
#define RAIDTOP_SURFACE_H

#include <stdbool.h>
#include <stdint.h>

#include "raidtop/text.h"

enum style {
	STYLE_TEXT,      /* plain */
	STYLE_MUTED,     /* units, labels, idle figures */
	STYLE_BRIGHT,    /* values, names */
	STYLE_HEADER,    /* the top line */
	STYLE_TITLE,     /* an array's title */
	STYLE_FRAME,     /* thin lines, tree branches, scales */
	STYLE_READ,      /* read figures and curves */
	STYLE_READ_BAND, /* the band behind them */
	STYLE_WRITE,
	STYLE_WRITE_BAND,
	STYLE_TEMPERATURE,
	STYLE_GOOD,
	STYLE_WARNING,
	STYLE_BAD,
	STYLE_MARK,
	STYLE_BADGE_GOOD, /* badges: reverse, short words */
	STYLE_BADGE_WARNING,
	STYLE_BADGE_BAD,
	STYLE_BADGE_RECORD,
	STYLE_KEY,    /* a key in the key line */
	STYLE_STATUS, /* the status line's text */
	STYLE_COUNT,
};

struct cell {
	uint32_t rune; /* 0: the second half of a wide character */
	uint8_t style;
	bool selected; /* over the selected row's background */
};

struct surface {
	int width, height;
	struct cell *cells; /* owned; row by row */
	int capacity;
};

void surface_init(struct surface *s);
void surface_release(struct surface *s);
/* Allocates only where it must grow; all cells become blanks. */
void surface_resize(struct surface *s, int width, int height);
void surface_clear(struct surface *s);
/* All of these clip: coordinates may lie anywhere. */
void surface_put(struct surface *s, int x, int y, enum style style, uint32_t rune);
/* Returns the column after the text. Control characters and broken UTF-8 become '?'. */
int surface_text(struct surface *s, int x, int y, enum style style, const char *text);
/* At most `width` cells, the rest cut ("…" or "~" at the cut where `cut` is not 0). */
int surface_text_in(struct surface *s, int x, int y, int width, enum style style, const char *text,
		    uint32_t cut);
/* Right-aligned so that the last cell is x + width - 1. */
void surface_text_right(struct surface *s, int x, int y, int width, enum style style,
			const char *text);
void surface_fill(struct surface *s, int x, int y, int width, int height, enum style style,
		  uint32_t rune);
/* Marks a row as selected from column x on. */
void surface_select_row(struct surface *s, int x, int y, int width);
/* The cells as lines of UTF-8, blanks at line ends taken off; and their styles, one letter each. */
void surface_to_text(const struct surface *s, struct buffer *out);
void surface_styles_to_text(const struct surface *s, struct buffer *out);

#endif
