/*
 * The theme: a table from meanings to looks. One colour per meaning all over the program; reading
 * is blue and writing orange, which every kind of colour vision tells apart. Text keeps the
 * terminal's own colours, so that light and dark backgrounds both stay readable. Each style has
 * its look for true colour, for 256, 16 and 8 colours and for none: what carries the meaning
 * without colour (bold, reverse) is added there.
 */
#include "theme.h"

#include <string.h>

#define NONE LOOK_DEFAULT

static const struct style_look {
	int32_t fg_rgb, bg_rgb;
	int16_t fg_256, bg_256, fg_16, bg_16, fg_8, bg_8;
	uint8_t attributes; /* with 256 colours and more */
	uint8_t attributes_16, attributes_8, attributes_mono;
} looks[STYLE_COUNT] = {
	/* fg        bg        256:fg  bg    16:fg bg    8:fg  bg    attributes: 256, 16, 8, 0 */
	[STYLE_TEXT] = { NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, 0, 0, 0, 0 },
	[STYLE_MUTED] = { 0x7d8590, NONE, 244, NONE, 8, NONE, NONE, NONE, 0, 0, LOOK_DIM,
			  LOOK_DIM },
	[STYLE_BRIGHT] = { NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, 0, 0, 0, 0 },
	[STYLE_HEADER] = { NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, 0, 0, 0, 0 },
	[STYLE_TITLE] = { NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, LOOK_BOLD, LOOK_BOLD,
			  LOOK_BOLD, LOOK_BOLD },
	[STYLE_FRAME] = { 0x4b5462, NONE, 240, NONE, 8, NONE, NONE, NONE, 0, 0, LOOK_DIM,
			  LOOK_DIM },
	[STYLE_READ] = { 0x55a5cc, NONE, 74, NONE, 14, NONE, 6, NONE, 0, 0, 0, 0 },
	[STYLE_READ_BAND] = { 0x55a5cc, 0x18303d, 74, 236, 14, NONE, 6, NONE, 0, 0, 0, 0 },
	[STYLE_WRITE] = { 0xd0904c, NONE, 173, NONE, 3, NONE, 3, NONE, 0, 0, 0, 0 },
	[STYLE_WRITE_BAND] = { 0xd0904c, 0x3a2a19, 173, 236, 3, NONE, 3, NONE, 0, 0, 0, 0 },
	[STYLE_TEMPERATURE] = { 0xb89ac8, NONE, 139, NONE, 13, NONE, 5, NONE, 0, 0, 0, 0 },
	[STYLE_GOOD] = { 0x7fb77e, NONE, 108, NONE, 10, NONE, 2, NONE, 0, 0, 0, 0 },
	[STYLE_WARNING] = { 0xe3c65b, NONE, 221, NONE, 11, NONE, 3, NONE, 0, 0, LOOK_BOLD,
			    LOOK_BOLD },
	[STYLE_BAD] = { 0xf0716f, NONE, 203, NONE, 9, NONE, 1, NONE, 0, LOOK_BOLD, LOOK_BOLD,
			LOOK_BOLD },
	[STYLE_MARK] = { 0xa9b665, NONE, 143, NONE, 10, NONE, 5, NONE, 0, 0, LOOK_BOLD, LOOK_BOLD },
	[STYLE_BADGE_GOOD] = { 0x10210f, 0x7fb77e, 233, 108, 0, 2, 0, 2, 0, 0, 0, LOOK_REVERSE },
	[STYLE_BADGE_WARNING] = { 0x241d05, 0xd9b84a, 233, 179, 0, 3, 0, 3, 0, 0, 0, LOOK_REVERSE },
	[STYLE_BADGE_BAD] = { 0xffffff, 0xb8383b, 231, 131, 15, 1, 7, 1, LOOK_BOLD, LOOK_BOLD,
			      LOOK_BOLD, LOOK_REVERSE | LOOK_BOLD },
	[STYLE_BADGE_RECORD] = { 0xffffff, 0xa03050, 231, 125, 15, 1, 7, 1, 0, 0, 0, LOOK_REVERSE },
	[STYLE_KEY] = { NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, LOOK_BOLD, LOOK_BOLD,
			LOOK_BOLD, LOOK_BOLD },
	[STYLE_STATUS] = { NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, 0, 0, 0, 0 },
};

/* The selected row brings its own ground, so text on it needs a colour of its own as well. */
static const struct {
	int32_t ground, text, muted;
} selection_true = { 0x2a3442, 0xe8ecf2, 0x9aa4b2 }, selection_256 = { 237, 255, 248 };

static enum colour_mode best_mode(int n_colours, const char *no_color, const char *colorterm)
{
	if (no_color && no_color[0])
		return COLOUR_NONE;
	if (n_colours >= 256 && colorterm &&
	    (strcmp(colorterm, "truecolor") == 0 || strcmp(colorterm, "24bit") == 0))
		return COLOUR_TRUE;
	return n_colours >= 256  ? COLOUR_256
	       : n_colours >= 16 ? COLOUR_16
	       : n_colours >= 8  ? COLOUR_8
				 : COLOUR_NONE;
}

enum colour_mode theme_mode(enum colour_mode wanted, int n_colours, const char *no_color,
			    const char *colorterm)
{
	if (wanted == COLOUR_AUTO)
		return best_mode(n_colours, no_color, colorterm);
	if (n_colours < 8)
		return COLOUR_NONE;
	if (wanted >= COLOUR_256 && n_colours < 256)
		wanted = COLOUR_16;
	if (wanted == COLOUR_16 && n_colours < 16)
		wanted = COLOUR_8;
	return wanted;
}

static struct look look_of(enum colour_mode mode, const struct style_look *s)
{
	switch (mode) {
	case COLOUR_TRUE:
		return (struct look){ s->fg_rgb, s->bg_rgb, s->attributes };
	case COLOUR_256:
		return (struct look){ s->fg_256, s->bg_256, s->attributes };
	case COLOUR_16:
		return (struct look){ s->fg_16, s->bg_16, s->attributes_16 };
	case COLOUR_8:
		return (struct look){ s->fg_8, s->bg_8, s->attributes_8 };
	case COLOUR_AUTO:
	case COLOUR_NONE:
		break;
	}
	return (struct look){ NONE, NONE, s->attributes_mono };
}

struct look theme_look(enum colour_mode mode, enum style style, bool selected)
{
	struct look look = look_of(mode, &looks[style]);
	bool is_badge = style >= STYLE_BADGE_GOOD && style <= STYLE_BADGE_RECORD;

	if (!selected || (is_badge && mode != COLOUR_NONE))
		return look;
	if (mode == COLOUR_TRUE || mode == COLOUR_256) {
		bool is_true = mode == COLOUR_TRUE;

		look.bg = is_true ? selection_true.ground : selection_256.ground;
		if (look.fg == LOOK_DEFAULT)
			look.fg = is_true ? selection_true.text : selection_256.text;
		if (style == STYLE_MUTED || style == STYLE_FRAME)
			look.fg = is_true ? selection_true.muted : selection_256.muted;
	} else {
		/* No palette this small has a background that all its colours stand out on. */
		look = (struct look){ NONE, NONE, look.attributes & LOOK_BOLD };
		if (!is_badge)
			look.attributes |= LOOK_REVERSE;
	}
	return look;
}

uint32_t theme_blank(enum colour_mode mode, enum style style, bool utf8)
{
	bool is_band = style == STYLE_READ_BAND || style == STYLE_WRITE_BAND;

	if (!is_band || mode == COLOUR_TRUE || mode == COLOUR_256)
		return ' ';
	return utf8 ? 0x2591 : ' ';
}
