/* The theme: how each style looks, for what a terminal can show. */
#ifndef RAIDTOP_THEME_H
#define RAIDTOP_THEME_H

#include <stdbool.h>
#include <stdint.h>

#include "raidtop/surface.h"
#include "raidtop/terminal.h"

#define LOOK_BOLD 1u
#define LOOK_DIM 2u
#define LOOK_REVERSE 4u
#define LOOK_UNDERLINE 8u

#define LOOK_DEFAULT (-1) /* the terminal's own colour */

/* How a cell is painted: colours are 0xRRGGBB in COLOUR_TRUE, else indices of the palette. */
struct look {
	int32_t fg, bg;
	unsigned int attributes;
};

/*
 * What is used on a terminal with `n_colours` (0: none) where `wanted` was asked for; the values of
 * NO_COLOR and COLORTERM (NULL: not set) count where that is COLOUR_AUTO.
 */
enum colour_mode theme_mode(enum colour_mode wanted, int n_colours, const char *no_color,
			    const char *colorterm);

/* `mode` is not COLOUR_AUTO. `selected`: over the background of the selected row. */
struct look theme_look(enum colour_mode mode, enum style style, bool selected);

/*
 * What a blank of that style is drawn as: a band has a background of its own where there are
 * colours enough, and is shaded with a character where there are not.
 */
uint32_t theme_blank(enum colour_mode mode, enum style style, bool utf8);

#endif
