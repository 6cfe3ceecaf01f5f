/* What ncurses wrote, made ready for the terminal: palette indices become true colours. */
#ifndef RAIDTOP_PAINT_H
#define RAIDTOP_PAINT_H

#include <stddef.h>
#include <stdint.h>

#include "raidtop/text.h"

/* Indices 16 and up stand for these colours, 0xRRGGBB. */
struct paint {
	uint32_t rgb[240];
	size_t n;
};

/* The index that stands for a colour; the same one each time. -1 where there are too many. */
int paint_index(struct paint *p, uint32_t rgb);
/* Appends `text` to `out` with "38;5;N" and "48;5;N" of those indices replaced. */
void paint_apply(const struct paint *p, const char *text, size_t len, struct buffer *out);
/* Appends a terminfo string without its padding ("$<5/>"). */
void paint_unpadded(const char *text, struct buffer *out);

#endif
