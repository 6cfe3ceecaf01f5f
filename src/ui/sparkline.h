/* A sparkline: a series in one line of cells. */
#ifndef RAIDTOP_SPARKLINE_H
#define RAIDTOP_SPARKLINE_H

#include <stdbool.h>
#include <stddef.h>

#include "raidtop/history.h"
#include "raidtop/surface.h"
#include "glyphs.h"

struct sparkline {
	const struct history_cell *cells;
	size_t n;
	double top;    /* of the scale, as the cells' values */
	bool in_pairs; /* two columns a cell: its largest and its smallest value */
	enum style style;
	const struct glyphs *glyphs;
};

/* How many columns it takes. */
int sparkline_width(const struct sparkline *l);
/* Draws it with its left end at (x, y). */
void sparkline_draw(struct surface *s, int x, int y, const struct sparkline *l);
/* The height of a value in eighths: 1 to 8, 0 for exactly 0 (or less); `clipped` tells of more. */
int sparkline_level(double value, double top, bool *ret_clipped);

#endif
