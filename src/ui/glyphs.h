/* The characters that views draw with: one set for UTF-8, one for ASCII. */
#ifndef RAIDTOP_GLYPHS_H
#define RAIDTOP_GLYPHS_H

#include <stdbool.h>
#include <stdint.h>

#define GLYPH_LEVELS 9 /* nothing, and eight heights of a cell */

struct glyphs {
	uint32_t level[GLYPH_LEVELS];   /* a cell filled from below: [0] is blank, [8] is full */
	uint32_t base;                  /* the foot of a curve at zero */
	uint32_t spread;                /* between the smallest and the largest value of a cell */
	uint32_t mean;                  /* the dotted line of a mean */
	uint32_t gap_edge;              /* beside a gap */
	uint32_t clipped;               /* above a value that does not fit */
	uint32_t cut;                   /* where a text was cut */
	uint32_t upright, corner[4];    /* of a frame; corners from the upper left by lines */
	uint32_t rule, played;          /* lines: thin, and thick for what has passed */
	uint32_t tick;                  /* where a scale is labelled */
	uint32_t line_left, line_right; /* ends of the time line */
	uint32_t here, event;           /* on the time line */
	uint32_t more_above, more_below;
	uint32_t part[8]; /* a cell filled from the left by 0 to 7 eighths */
	uint32_t bar_left, bar_right, bar_rest;
	uint32_t thin_full, thin_half, thin_rest; /* a bar as thin as a line */
	const char *tree_member, *tree_last;
	const char *idle; /* a figure that is exactly zero */
	const char *times, *degree, *to, *dot;
	const char *choose_left, *choose_right; /* around a value that others can be had for */
	const char *play, *pause, *record;
	const char *read_mark, *write_mark;
};

const struct glyphs *glyphs_for(bool utf8);

#endif
