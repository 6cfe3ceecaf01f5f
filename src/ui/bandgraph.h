/* A graph of several lines: the curve, its peak/low band and its mean behind it. */
#ifndef RAIDTOP_BANDGRAPH_H
#define RAIDTOP_BANDGRAPH_H

#include <stddef.h>

#include "raidtop/bands.h"
#include "raidtop/history.h"
#include "raidtop/surface.h"
#include "glyphs.h"

struct bandgraph {
	const struct history_cell *cells; /* one a column */
	size_t n;
	struct band band; /* n 0: none is drawn */
	double top;       /* of the scale, as the cells' values; its foot is 0; 0: all is 0 */
	int height;       /* lines */
	enum style style, band_style;
	const struct glyphs *glyphs;
};

/* Draws it with its upper left corner at (x, y). */
void bandgraph_draw(struct surface *s, int x, int y, const struct bandgraph *g);

#endif
