/* The columns of the table of devices, and what a row knows for them. */
#ifndef RAIDTOP_COLUMNS_H
#define RAIDTOP_COLUMNS_H

#include "view.h"

enum column_id {
	COLUMN_ID_NAME,
	COLUMN_ID_STATE,
	COLUMN_ID_READ,
	COLUMN_ID_WRITE,
	COLUMN_ID_CURVE,
	COLUMN_ID_SCALE,
	COLUMN_ID_BAND,
	COLUMN_ID_AWAIT,
	COLUMN_ID_QUEUE,
	COLUMN_ID_UTIL,
	COLUMN_ID_UTIL_BAR,
	COLUMN_ID_TEMPERATURE,
	COLUMN_ID_MODEL,
	COLUMN_ID_COUNT,
};

/* How the curves' column is used; the same for all rows of a frame. */
struct curves_shape {
	bool two;  /* reading and writing apart; else their sum */
	int width; /* columns of each */
	size_t n;  /* cells of each */
};

/* A row with what is known of it, for the functions that draw its cells. */
struct context {
	struct view *v;
	const struct row *row;
	const struct row_curve *curve;
	const struct curves_shape *shape;
	const struct device *device; /* NULL for a member that has none */
	const struct disk *disk;     /* the disk that it lies on, or NULL */
	const struct array *array;   /* where the row is an array's own */
	const struct member *member; /* where it is a member's */
	const struct figures *figures;
};

struct column {
	const char *heading, *short_heading;
	int width, short_width; /* the short ones on screens narrower than `wide_from` */
	int wide_from;
	int from;      /* the narrowest screen that shows it */
	bool has_unit; /* the unit of rates follows the heading */
	bool at_right; /* figures, and their headings */
	void (*draw)(const struct context *c, int x, int y, int width);
};
extern const struct column columns[COLUMN_ID_COUNT];

/* ---- view_curves.c ---- */

struct curves_shape curves_shape_of(const struct view *v, int width);
/* Reads what the rows [first, first + n) show of the past, and settles their scales. */
void curves_load(struct view *v, const struct curves_shape *shape, int first, int n);
void curves_draw(const struct context *c, int x, int y, int width);
void curves_draw_heading(const struct view *v, const struct curves_shape *shape, int x, int y,
			 int width);
/* The index of the scale that an array's own curve has. */
int curves_own_scale(int slot);

#endif
