/*
 * The table of devices: places the columns (the curves take what the others leave), draws the
 * headings, and each visible row with its cells. Titles and graphs of arrays are lines of their
 * own among the rows. Only the rows that are seen are computed.
 */
#include "columns.h"

#include <string.h>

#include "raidtop/text.h"

#define MARGIN 1
#define GAP 1
#define NAME_MOST 20
#define SLOTS_MOST 10
/* Narrower than this the curves have no room for words; "no answer" has so many letters. */
#define NARROW 60
#define SILENT_LEAST 9

struct placed {
	int x, width; /* width 0: not shown */
	bool is_wide;
};

/* ---- placing ---- */

/* The name's column fits the longest name that it has to show, within reason. */
static int name_width(const struct view *v, int least)
{
	const struct topology *t = v->m->topology;
	int width = least;

	for (size_t i = 0; i < v->scratch->n_rows; i++) {
		const struct row *row = &v->scratch->rows[i];
		int need = 0;

		if (row->kind == ROW_MEMBER)
			need = 2 +
			       text_width(t->devices[row->array]->array->members[row->member].name);
		else if (row->kind == ROW_FOLDED)
			need = text_width(t->devices[row->slot]->name) + 1 +
			       text_width(level_of(v, t->devices[row->slot]->array));
		else if (row->kind == ROW_DISK)
			need = text_width(t->devices[row->slot]->name);
		width = need > width ? need : width;
	}
	return width < NAME_MOST ? width : NAME_MOST;
}

/*
 * Folded arrays show their slots where others show a letter, and on a narrow screen there is no
 * other place to say that a device gives no answer.
 */
static int state_width(const struct view *v, int least)
{
	int width = least, silent;

	if (v->s->width < NARROW && trouble_find_silent(v, &silent) > 0)
		width = SILENT_LEAST;

	for (size_t i = 0; i < v->scratch->n_rows; i++) {
		const struct row *row = &v->scratch->rows[i];
		size_t slots;

		if (row->kind != ROW_FOLDED)
			continue;
		slots = strlen(v->m->topology->devices[row->slot]->array->slots);
		if (slots + 2 > (size_t)width)
			width = slots + 2 < SLOTS_MOST ? (int)slots + 2 : SLOTS_MOST;
	}
	return width;
}

static void place_columns(const struct view *v, struct placed *placed)
{
	int screen = v->s->width, x = MARGIN, rest = screen - 2 * MARGIN;

	for (int i = 0; i < COLUMN_ID_COUNT; i++) {
		const struct column *c = &columns[i];

		placed[i] = (struct placed){ .is_wide = screen >= c->wide_from };
		if (screen >= c->from)
			placed[i].width = placed[i].is_wide ? c->width : c->short_width;
		if (i == COLUMN_ID_NAME)
			placed[i].width = name_width(v, placed[i].width);
		if (i == COLUMN_ID_STATE)
			placed[i].width = state_width(v, placed[i].width);
		if (c->has_unit && v->m->units == UNITS_IEC)
			placed[i].width++; /* MiB/s */
		if (placed[i].width > 0)
			rest -= placed[i].width + GAP;
	}
	/* A blank more stands on the curves' left. */
	placed[COLUMN_ID_CURVE].width = rest > 1 ? rest - 1 : 0;
	for (int i = 0; i < COLUMN_ID_COUNT; i++) {
		x += i == COLUMN_ID_CURVE;
		placed[i].x = x;
		if (placed[i].width > 0)
			x += placed[i].width + GAP;
	}
}

/* ---- drawing ---- */

static void draw_heading(const struct view *v, const struct placed *placed, int i, int y)
{
	const struct column *c = &columns[i];
	const char *heading = placed[i].is_wide ? c->heading : c->short_heading;
	char text[64];

	text_copy(text, sizeof(text), heading);
	if (c->has_unit)
		text_format(text, sizeof(text), "%s %s", heading, units_rate_name(v->m->units));
	if (i == COLUMN_ID_TEMPERATURE && !v->m->utf8)
		text_copy(text, sizeof(text), "  C");
	if (c->at_right)
		surface_text_right(v->s, placed[i].x, y, placed[i].width, STYLE_MUTED, text);
	else
		surface_text_in(v->s, placed[i].x, y, placed[i].width, STYLE_MUTED, text,
				v->glyphs->cut);
}

static void draw_headings(const struct view *v, const struct placed *placed,
			  const struct curves_shape *shape, int y)
{
	for (int i = 0; i < COLUMN_ID_COUNT; i++) {
		if (placed[i].width == 0)
			continue;
		if (i == COLUMN_ID_CURVE)
			curves_draw_heading(v, shape, placed[i].x, y, placed[i].width);
		else
			draw_heading(v, placed, i, y);
	}
}

static struct context context_of(struct view *v, const struct row *row,
				 const struct row_curve *curve, const struct curves_shape *shape)
{
	const struct topology *t = v->m->topology;
	struct context c = { .v = v, .row = row, .curve = curve, .shape = shape };
	int disk;

	c.figures = figures_of(v, row->slot);
	if (row->kind == ROW_MEMBER)
		c.member = &t->devices[row->array]->array->members[row->member];
	if (row->slot == NO_SLOT)
		return c;
	c.device = t->devices[row->slot];
	c.array = row->kind == ROW_MEMBER ? NULL : c.device->array;
	disk = c.device->array ? NO_SLOT : topology_disk_of(t, row->slot);
	c.disk = disk == NO_SLOT ? NULL : &t->devices[disk]->disk;
	return c;
}

/*
 * In the line of figures above a graph the curve's place holds words, and reaches over the
 * columns that are of the curve too, and empty there.
 */
static int width_for_words(const struct placed *placed)
{
	int end = placed[COLUMN_ID_CURVE].x + placed[COLUMN_ID_CURVE].width;

	for (int i = COLUMN_ID_CURVE + 1; i <= COLUMN_ID_BAND; i++)
		if (placed[i].width > 0)
			end = placed[i].x + placed[i].width;
	return end - placed[COLUMN_ID_CURVE].x;
}

static void draw_cells(const struct placed *placed, const struct context *c, int y)
{
	for (int i = 0; i < COLUMN_ID_COUNT; i++) {
		bool has_words = i == COLUMN_ID_CURVE && c->row->lines > 0;

		if (placed[i].width > 0)
			columns[i].draw(c, placed[i].x, y,
					has_words ? width_for_words(placed) : placed[i].width);
	}
}

static void draw_section(struct view *v, const char *text, int y)
{
	int x = surface_text(v->s, MARGIN, y, STYLE_TITLE, text) + 1;

	surface_fill(v->s, x, y, v->s->width - x - MARGIN, 1, STYLE_FRAME, v->glyphs->rule);
}

static void draw_row(struct view *v, const struct placed *placed, const struct context *c, int y)
{
	switch (c->row->kind) {
	case ROW_TITLE:
		array_draw_title(v, c->row, y);
		break;
	case ROW_GRAPH:
		/* All its lines are seen, or it would not be there. */
		if (c->row->line == 0)
			array_draw_graph(v, c->row->slot, y, c->row->lines);
		break;
	case ROW_HEADING:
		draw_section(v, "free disks", y);
		break;
	case ROW_FIGURES:
	case ROW_FOLDED:
	case ROW_MEMBER:
	case ROW_DISK:
		draw_cells(placed, c, y);
		break;
	case ROW_BLANK:
		break;
	}
}

static void draw_more(const struct view *v, int top, int height)
{
	int x = v->s->width - 1;

	if (v->screen->top > 0)
		surface_put(v->s, x, top, STYLE_MUTED, v->glyphs->more_above);
	if (v->screen->top + height < (int)v->scratch->n_rows)
		surface_put(v->s, x, top + height - 1, STYLE_MUTED, v->glyphs->more_below);
}

void table_draw(struct view *v, int heading_y, int top, int height)
{
	struct placed placed[COLUMN_ID_COUNT];
	struct curves_shape shape;
	int first = v->screen->top, n = (int)v->scratch->n_rows - first;

	n = n < height ? n : height;
	place_columns(v, placed);
	shape = curves_shape_of(v, placed[COLUMN_ID_CURVE].width);
	curves_load(v, &shape, first, n > 0 ? n : 0);
	if (heading_y >= 0)
		draw_headings(v, placed, &shape, heading_y);
	for (int i = 0; i < n; i++) {
		const struct row *row = &v->scratch->rows[first + i];
		struct context c = context_of(v, row, &v->scratch->curves[i], &shape);

		draw_row(v, placed, &c, top + i);
		if (first + i == v->scratch->selected_row)
			surface_select_row(v->s, 0, top + i, v->s->width);
	}
	draw_more(v, top, height);
}
