/*
 * The curves of the table. Where there is much room, reading and writing have one each, on the
 * same scale; where there is little, one shows their sum, in the colour of the one that moved
 * more. The members of an array share a scale, so that they can be compared; an array has its
 * own, and the disks outside arrays share one. Two passes over the visible rows: the first reads
 * the past and settles the scales, the second draws.
 */
#include "columns.h"

#include <string.h>

#include "raidtop/clock.h"
#include "raidtop/text.h"
#include "scale.h"
#include "sparkline.h"

/* Narrower than this there is no room for two. */
#define TWO_CURVES_FROM 60
#define CURVES_GAP 2
/* Narrower than this the curve is left alone. */
#define LEAST_FOR_ACTION 24
#define FREE_DISKS_SCALE 0
/* Less than that many letters is no more than the column of states has. */
#define LEAST_FOR_WORDS 10

struct curves_shape curves_shape_of(const struct view *v, int width)
{
	struct curves_shape shape = { .two = width >= TWO_CURVES_FROM };

	if (width < 1)
		return shape;
	shape.width = shape.two ? (width - CURVES_GAP) / 2 : width;
	shape.n = (size_t)(v->in_pairs ? shape.width / 2 : shape.width);
	return shape;
}

int curves_own_scale(int slot)
{
	return 1 + 2 * slot;
}

static int scale_of(const struct row *row)
{
	if (row->kind == ROW_MEMBER)
		return 2 + 2 * row->array;
	if (row->kind == ROW_DISK || row->slot == NO_SLOT)
		return FREE_DISKS_SCALE;
	return curves_own_scale(row->slot);
}

static bool has_curve(const struct row *row)
{
	return row->slot != NO_SLOT && row->lines == 0 &&
	       (row->kind == ROW_MEMBER || row->kind == ROW_DISK || row->kind == ROW_FOLDED ||
		row->kind == ROW_FIGURES);
}

static double larger(double a, double b)
{
	return a > b ? a : b;
}

/* The largest value that the curves will show: of each series, or of their sums. */
static double largest_of(const struct row_curve *curve, const struct curves_shape *shape)
{
	const struct history_cell *read = curve->cells[SERIES_READ];
	const struct history_cell *write = curve->cells[SERIES_WRITE];
	double largest = 0;

	for (size_t i = 0; i < shape->n; i++) {
		double r = read[i].known ? read[i].max : 0, w = write[i].known ? write[i].max : 0;

		largest = larger(largest, shape->two ? larger(r, w) : r + w);
	}
	return largest;
}

static enum series main_series(const struct row_curve *curve, size_t n)
{
	double sum[SERIES_COUNT] = { 0 };

	for (int series = 0; series < SERIES_COUNT; series++)
		for (size_t i = 0; i < n; i++)
			if (curve->cells[series][i].known)
				sum[series] += curve->cells[series][i].mean;
	return sum[SERIES_WRITE] > sum[SERIES_READ] ? SERIES_WRITE : SERIES_READ;
}

static void load_row(struct view *v, const struct curves_shape *shape, const struct row *row,
		     struct row_curve *curve, struct history_cell *store)
{
	curve->scale = scale_of(row);
	for (int series = 0; series < SERIES_COUNT; series++) {
		curve->cells[series] = store + (size_t)series * shape->n;
		if (has_curve(row) && v->m->history)
			history_read(v->m->history, row->slot, (enum series)series, v->end_us,
				     v->cell_us, curve->cells[series], shape->n);
		else
			memset(curve->cells[series], 0, shape->n * sizeof(*store));
	}
	curve->largest = largest_of(curve, shape);
	curve->main = main_series(curve, shape->n);
}

/* Each scale is settled once, for the largest of the visible rows that share it. */
static void settle_scales(struct view *v, const struct row_curve *curves, int n)
{
	double *scales = v->scratch->scales;

	for (int i = 0; i < n; i++) {
		double largest = curves[i].largest;
		bool is_first = true;

		for (int k = 0; k < n; k++) {
			if (curves[k].scale != curves[i].scale)
				continue;
			largest = larger(largest, curves[k].largest);
			is_first = is_first && k >= i;
		}
		if (is_first)
			scales[curves[i].scale] =
				scale_top(largest, scales[curves[i].scale], v->m->units);
	}
}

void curves_load(struct view *v, const struct curves_shape *shape, int first, int n)
{
	struct screen_scratch *c = v->scratch;
	size_t each = SERIES_COUNT * shape->n;
	struct history_cell *store = scratch_cells(c, each * (size_t)n + 1);
	struct row_curve *curves = scratch_curves(c, (size_t)n + 1);

	scratch_scales(c, v->m->topology->n_devices);
	for (int i = 0; i < n; i++)
		load_row(v, shape, &c->rows[first + i], &curves[i], store + each * (size_t)i);
	settle_scales(v, curves, n);
}

/* The sum of both series, in the store of the graphs; no cell is known where neither is. */
static const struct history_cell *summed(const struct context *c)
{
	size_t n = c->shape->n;
	struct history_cell *sum = scratch_graph(c->v->scratch, n);
	const struct history_cell *more = c->curve->cells[SERIES_WRITE];

	memcpy(sum, c->curve->cells[SERIES_READ], n * sizeof(*sum));
	for (size_t i = 0; i < n; i++) {
		if (!more[i].known)
			continue;
		if (!sum[i].known)
			sum[i] = (struct history_cell){ .known = true };
		sum[i].mean += more[i].mean;
		sum[i].min += more[i].min;
		sum[i].max += more[i].max;
	}
	return sum;
}

static void draw_series(const struct context *c, const struct history_cell *cells, enum style style,
			int x, int y)
{
	struct sparkline line = {
		.cells = cells,
		.n = c->shape->n,
		.top = c->v->scratch->scales[c->curve->scale],
		.in_pairs = c->v->in_pairs,
		.style = style,
		.glyphs = c->v->glyphs,
	};

	/* At the right end, where now is. */
	sparkline_draw(c->v->s, x + c->shape->width - sparkline_width(&line), y, &line);
}

/* What runs on a folded array stands over the oldest part of its curve. */
static void draw_action(const struct context *c, int x, int y, int width)
{
	const struct action *action = &c->array->action;
	const char *kind = action_kind_name(action->kind);
	char text[64];

	if (!kind)
		return;
	if (width < LEAST_FOR_ACTION)
		return;
	if (action->state != ACTION_RUNNING)
		text_format(text, sizeof(text), "%s %s ", kind, action_state_name(action->state));
	else if (action->percent_tenths != UNKNOWN_I32)
		text_format(text, sizeof(text), "%s %d.%d %% ", kind, action->percent_tenths / 10,
			    action->percent_tenths % 10);
	else
		text_format(text, sizeof(text), "%s ", kind);
	surface_text_in(c->v->s, x, y, width, STYLE_WARNING, text, c->v->glyphs->cut);
}

/* With the way to turn them on, or where there is no room for that, with what turned them off. */
static void draw_statistics_off(const struct context *c, int x, int y, int width)
{
	static const char *const shorter[] = { "statistics off (queue/iostats)", "statistics off" };
	char text[DEVICE_NAME_BYTES + 96], name[DEVICE_NAME_BYTES];

	text_copy(name, sizeof(name), c->device->kernel_name);
	for (char *at = name; *at; at++)
		*at = *at == '/' ? '!' : *at; /* as in sysfs */
	text_format(text, sizeof(text), "statistics off: echo 1 >/sys/block/%s/queue/iostats",
		    name);
	/* Half a command helps nobody. */
	for (size_t i = 0; i < sizeof(shorter) / sizeof(shorter[0]); i++)
		if (text_width(text) > width)
			text_copy(text, sizeof(text), shorter[i]);
	surface_text_in(c->v->s, x, y, width, STYLE_WARNING, text, c->v->glyphs->cut);
}

/* Who completes nothing has no curve worth its room, where the words have no other place. */
static bool draw_trouble(const struct context *c, int x, int y, int width)
{
	struct trouble trouble;

	if (c->v->s->width >= STATE_WORDS_FROM || !trouble_of_row(c->v, c->row, width, &trouble) ||
	    trouble.style != STYLE_BAD || text_width(trouble.text) < LEAST_FOR_WORDS)
		return false;
	surface_text_in(c->v->s, x, y, width, trouble.style, trouble.text, 0);
	return true;
}

void curves_draw(const struct context *c, int x, int y, int width)
{
	static const enum style styles[] = {
		[SERIES_READ] = STYLE_READ, [SERIES_WRITE] = STYLE_WRITE
	};

	if (c->device && c->device->counts_io == TRUTH_NO &&
	    !figures_of(c->v, c->row->slot)->derived) {
		draw_statistics_off(c, x, y, width);
		return;
	}
	if (c->row->lines > 0)
		return (void)array_draw_bands(c->v, c->row->slot, x, y, width);
	if (!has_curve(c->row) || draw_trouble(c, x, y, width))
		return;
	if (c->shape->two) {
		draw_series(c, c->curve->cells[SERIES_READ], STYLE_READ, x, y);
		draw_series(c, c->curve->cells[SERIES_WRITE], STYLE_WRITE,
			    x + c->shape->width + CURVES_GAP, y);
	} else {
		draw_series(c, summed(c), styles[c->curve->main], x, y);
	}
	if (c->row->kind == ROW_FOLDED)
		draw_action(c, x, y, width);
}

void curves_draw_heading(const struct view *v, const struct curves_shape *shape, int x, int y,
			 int width)
{
	char span[32], text[80];

	units_format_left(span, sizeof(span), shape->n * v->cell_us * NS_PER_US);
	text_format(text, sizeof(text), shape->two ? "read, last %s" : "read + write, last %s",
		    span);
	if (text_width(text) > width)
		text_format(text, sizeof(text), "last %s", span);
	if (text_width(text) > width)
		return;
	surface_text_in(v->s, x, y, shape->two ? shape->width : width, STYLE_MUTED, text,
			v->glyphs->cut);
	if (shape->two)
		surface_text_in(v->s, x + shape->width + CURVES_GAP, y, shape->width, STYLE_MUTED,
				"write", v->glyphs->cut);
}
