/* What the views share: the model and the surface of a frame, rows, columns and small helpers. */
#ifndef RAIDTOP_VIEW_H
#define RAIDTOP_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "raidtop/bands.h"
#include "raidtop/screen.h"
#include "glyphs.h"

/* A line of the scrolled part. */
enum row_kind {
	ROW_TITLE,   /* of an array: its name, shape and condition; selects the array */
	ROW_FIGURES, /* of an array, in the columns */
	ROW_FOLDED,  /* title and figures of an array in one line */
	ROW_GRAPH,   /* of an array or a disk; `line` of `lines` */
	ROW_MEMBER,  /* member `member` of `array` */
	ROW_HEADING, /* above the disks that are in no array */
	ROW_DISK,
	ROW_BLANK,
};

struct row {
	enum row_kind kind;
	int slot;  /* the device whose figures it shows, or NO_SLOT */
	int array; /* the array that it belongs to, or NO_SLOT */
	size_t member;
	int line, lines; /* of the graph under it, or that it is part of; 0: none */
	bool is_last;    /* of its array's members */
};

/* What one visible row's curve is drawn from. */
struct row_curve {
	struct history_cell *cells[SERIES_COUNT]; /* in the scratch's store */
	double largest;                           /* of what the curves will show */
	enum series main;                         /* the one that moved more */
	int scale;                                /* which of the scales it shares */
};

/* Kept between frames, so that drawing allocates nothing once warm. */
struct screen_scratch {
	/* Which devices are shown, in order: rebuilt when the topology changes. */
	const struct topology *topology;
	uint64_t generation;
	size_t n_devices;
	int *arrays, *disks;
	size_t n_arrays, n_disks;
	size_t devices_capacity;

	struct row *rows;
	size_t n_rows, rows_capacity;
	int selected_row; /* where the selection was last; -1: nowhere */
	int body_height;  /* of the last frame */

	struct history_cell *cells;
	size_t cells_capacity;
	struct history_cell *graph; /* of one series of an array's graph */
	size_t graph_capacity;
	float *floats;
	size_t floats_capacity;
	struct row_curve *curves;
	size_t curves_capacity;
	double *scales; /* tops so far: [0] free disks, [1 + 2 slot] own, [2 + 2 slot] members */
	size_t scales_capacity;
	int help_lines; /* of the last help page, and how many of them fitted */
	int help_height;
};

struct view {
	struct screen *screen;
	const struct screen_model *m;
	struct surface *s;
	struct screen_scratch *scratch;
	const struct glyphs *glyphs;
	uint64_t end_us;  /* of what the curves show */
	uint64_t cell_us; /* one cell of a curve */
	bool in_pairs;    /* a cell stands for several samples */
};

/* ---- view_text.c: figures and lines of items ---- */

/* Enough for any item of a line. */
#define ITEM_BYTES 160

/* A piece of a line; what matters least falls away first where the line is narrow. */
struct item {
	char text[ITEM_BYTES];
	enum style style;
	int priority; /* 0 stays longest */
	bool at_right;
	const struct array *slots; /* not NULL: its slots are drawn, in their own colours */
};

#define LINE_ITEMS 24
struct line {
	struct item items[LINE_ITEMS];
	size_t n;
};

void line_add(struct line *l, enum style style, int priority, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
void line_add_right(struct line *l, enum style style, int priority, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
/*
 * Draws the items that fit between columns x and end, two blanks apart, right ones in order at
 * the right end. Returns the column after the left ones, and where the right ones begin.
 */
int line_draw(const struct view *v, struct line *l, int x, int end, int y, int *ret_right);

/* How wide it is with the items of that priority and the more important ones. */
int line_width(const struct line *l, int priority);

/* A rate in the units shown: "-" unknown, the idle dot for zero, else three digits. */
void format_rate(const struct view *v, char *buf, size_t size, bool is_known, double per_sec);
/* Style of such a figure: muted unless something moves. */
enum style figure_style(bool is_known, double value, enum style style);
const struct figures *figures_of(const struct view *v, int slot);
/* Milliseconds a request over reads and writes together; false where none completed. */
bool figures_await(const struct figures *f, double *ret_ms);

/* The letter and the word of a member's state, and its style. */
struct state_look {
	char letter;
	const char *word;
	enum style style;
};
struct state_look member_look(const struct member *member);
struct state_look array_look(const struct array *a);
/* "raid5", "r5" on a narrow screen, or who makes it where it has no level. */
const char *level_of(const struct view *v, const struct array *a);

/* ---- view_trouble.c: what is wrong ---- */

/* From this width on the column of states has words, else a letter. */
#define STATE_WORDS_FROM 120

struct trouble {
	char text[ITEM_BYTES]; /* "no answer 12 s", "no answer", "!" */
	enum style style;
};
/*
 * What is to be said in a row, in at most `width` cells: that its device gives no answer, that an
 * array waits for one, that a member is slow. False where there is nothing to say, or no room.
 */
bool trouble_of_row(const struct view *v, const struct row *row, int width, struct trouble *ret);
/* The badges of an array, the most severe last, at the right end of the line. */
void trouble_add_badges(struct line *l, const struct view *v, int slot);
/* How many devices give no answer, and in *ret_slot the one that is silent longest. */
size_t trouble_find_silent(const struct view *v, int *ret_slot);

/* ---- view_rows.c: which lines there are ---- */

/* Finds out which devices are shown, where the topology has changed. */
void rows_survey(struct view *v);
/* Fills scratch->rows for a body of that many lines. */
void rows_build(struct view *v, int height);
/* How many of so many lines it would fill. After rows_survey(). */
int rows_used(const struct view *v, int height);
bool row_is_selectable(const struct row *row);
/* The row that the selection is on, or one in its place; sets the selection. -1: none. */
int rows_find_selected(struct view *v);
/* Moves screen->top such that the selected row is seen. */
void rows_scroll(struct view *v, int height);

/* ---- view_table.c: the columns ---- */

/* Draws the headings at line y, and the rows from screen->top on at lines [top, top + height). */
void table_draw(struct view *v, int heading_y, int top, int height);

/* ---- view_array.c ---- */

void array_draw_title(struct view *v, const struct row *row, int y);
/* "[UU_]" with coloured letters, at most `width` cells; returns the column after it. */
int array_draw_slots(const struct view *v, const struct array *a, int x, int y, int width);
/* The graph of an array that begins at line y: read above, write below. */
void array_draw_graph(struct view *v, int slot, int y, int lines);
/* "low 160  mean 211  peak 231" of both series, in the place of a sparkline. */
void array_draw_bands(struct view *v, int slot, int x, int y, int width);

/* ---- the other parts of the screen ---- */

void header_draw(struct view *v, int y);
void status_draw(struct view *v, int y);
void keys_draw(struct view *v, int y);
void timeline_draw(struct view *v, int y);
void streams_draw(struct view *v, int y, int height);
void totals_draw(struct view *v);
void nothing_draw(struct view *v, int top, int height);
void help_draw(struct view *v);
void dialog_draw(struct view *v);

/* ---- view_watch.c ---- */

void watch_draw(struct view *v);

/* ---- scratch ---- */

/* Rooms in the scratch that grow only. */
struct history_cell *scratch_cells(struct screen_scratch *c, size_t n);
struct history_cell *scratch_graph(struct screen_scratch *c, size_t n);
float *scratch_floats(struct screen_scratch *c, size_t n);
double *scratch_scales(struct screen_scratch *c, size_t n_devices);
struct row_curve *scratch_curves(struct screen_scratch *c, size_t n);

#endif
