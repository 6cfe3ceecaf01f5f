/*
 * The cells of the table of devices: for each column what it is called, how wide it is, on how
 * wide a screen it is shown, and how it draws a row's value. Figures have at most three digits
 * and stand at the right of their column; zero is a faint dot and unknown a dash, so that what
 * moves stands out.
 */
#include "columns.h"

#include <string.h>

#include "raidtop/clock.h"
#include "raidtop/text.h"
#include "scale.h"

/* A temperature older than this is shown as old, with its age. */
#define TEMPERATURE_FRESH_US (30 * US_PER_SEC)

static void draw_name(const struct context *c, int x, int y, int width)
{
	struct view *v = c->v;
	const char *name = c->member ? c->member->name : c->device ? c->device->name : "";
	enum style style = STYLE_BRIGHT;
	int after;

	if (c->row->kind == ROW_FIGURES) {
		surface_text_in(v->s, x, y, width, STYLE_MUTED, "array", v->glyphs->cut);
		return;
	}
	if (c->row->kind == ROW_FOLDED)
		style = STYLE_TITLE;
	if (c->member) {
		surface_text_in(v->s, x, y, width, STYLE_FRAME,
				c->row->is_last ? v->glyphs->tree_last : v->glyphs->tree_member, 0);
		x += 2;
		width -= 2;
		if (c->member->state == MEMBER_MISSING && !name[0]) {
			name = "-";
			style = STYLE_MUTED;
		}
	}
	after = surface_text_in(v->s, x, y, width, style, name, v->glyphs->cut);
	if (c->row->kind == ROW_FOLDED && after + 1 < x + width)
		surface_text_in(v->s, after + 1, y, x + width - after - 1, STYLE_MUTED,
				level_of(v, c->array), v->glyphs->cut);
}

static void draw_state(const struct context *c, int x, int y, int width)
{
	struct state_look look = { ' ', "", STYLE_MUTED };
	struct trouble trouble;
	char letter[2];

	/* A slow member keeps its letter where there is room for no more. */
	if (trouble_of_row(c->v, c->row, width, &trouble) &&
	    (trouble.style == STYLE_BAD || width > 1)) {
		surface_text_in(c->v->s, x, y, width, trouble.style, trouble.text, 0);
		return;
	}
	if (c->member)
		look = member_look(c->member);
	else if (c->row->kind == ROW_FOLDED && c->array->slots[0])
		return (void)array_draw_slots(c->v, c->array, x, y, width);
	else if (c->array)
		look = array_look(c->array);
	else if (c->row->kind == ROW_DISK && c->disk && width > 3)
		look.word = c->disk->transport; /* a disk by itself has no state */
	letter[0] = look.letter;
	letter[1] = '\0';
	surface_text_in(c->v->s, x, y, width, look.style, width > 3 ? look.word : letter,
			c->v->glyphs->cut);
}

static void draw_rate(const struct context *c, enum rate which, enum style style, int x, int y,
		      int width)
{
	bool is_known = figures_has(c->figures, which);
	double value = c->figures->value[which];
	char text[32];

	format_rate(c->v, text, sizeof(text), is_known, value);
	surface_text_right(c->v->s, x, y, width, figure_style(is_known, value, style), text);
}

static void draw_read(const struct context *c, int x, int y, int width)
{
	draw_rate(c, RATE_READ_BYTES, STYLE_READ, x, y, width);
}

static void draw_write(const struct context *c, int x, int y, int width)
{
	draw_rate(c, RATE_WRITE_BYTES, STYLE_WRITE, x, y, width);
}

/* A plain figure: three digits, the idle mark for zero, "-" for unknown. */
static void draw_number(const struct context *c, bool is_known, double value, int x, int y,
			int width)
{
	char text[32];

	if (is_known && value > 0)
		units_format_three(text, sizeof(text), value);
	else
		text_copy(text, sizeof(text), is_known ? c->v->glyphs->idle : "-");
	surface_text_right(c->v->s, x, y, width, figure_style(is_known, value, STYLE_BRIGHT), text);
}

static void draw_await(const struct context *c, int x, int y, int width)
{
	double ms = 0;
	bool is_known = figures_await(c->figures, &ms);

	/* Nothing completed: that is idle, not unknown, where the rates are known. */
	if (!is_known && figures_has(c->figures, RATE_QUEUE) &&
	    !(c->figures->value[RATE_QUEUE] > 0))
		is_known = true;
	draw_number(c, is_known, ms, x, y, width);
}

static void draw_queue(const struct context *c, int x, int y, int width)
{
	draw_number(c, figures_has(c->figures, RATE_QUEUE), c->figures->value[RATE_QUEUE], x, y,
		    width);
}

static double clamped_util(const struct figures *f)
{
	double pct = f->value[RATE_UTIL];

	return pct < 100 ? pct : 100;
}

/* A disk that counts nothing but on its paths: their busy times overlap and have no sum. */
static bool is_of_paths(const struct context *c)
{
	return c->figures->derived && c->device && c->device->kind == DEVICE_DISK;
}

static void draw_util(const struct context *c, int x, int y, int width)
{
	bool is_known = figures_has(c->figures, RATE_UTIL);
	double pct = clamped_util(c->figures);
	char text[32];

	if (!is_known && is_of_paths(c))
		text_copy(text, sizeof(text), "paths");
	else if (!is_known || !(pct > 0))
		text_copy(text, sizeof(text), is_known ? c->v->glyphs->idle : "-");
	else if (pct < 1)
		text_copy(text, sizeof(text), "<1");
	else
		text_format(text, sizeof(text), "%d", (int)(pct + 0.5));
	surface_text_right(c->v->s, x, y, width, figure_style(is_known, pct, STYLE_BRIGHT), text);
}

/* In halves of a cell; as thin as a line, so that many below each other stay apart. */
static void draw_util_bar(const struct context *c, int x, int y, int width)
{
	const struct glyphs *g = c->v->glyphs;
	int halves = (int)(clamped_util(c->figures) / 100 * width * 2 + 0.5);

	if (!figures_has(c->figures, RATE_UTIL))
		return;
	for (int i = 0; i < width; i++, halves -= 2)
		surface_put(c->v->s, x + i, y, STYLE_MUTED,
			    halves >= 2   ? g->thin_full
			    : halves == 1 ? g->thin_half
					  : g->thin_rest);
}

static void draw_scale(const struct context *c, int x, int y, int width)
{
	double top = c->v->scratch->scales[c->curve->scale];
	char text[32];

	if (c->row->lines > 0 || !c->device || !(top > 0))
		return;
	scale_format(text, sizeof(text), top, c->v->m->units);
	surface_text_in(c->v->s, x, y, width, STYLE_FRAME, text, c->v->glyphs->cut);
}

/* "r 160-231": low and peak of the direction that moved more, over what the curve shows. */
static void draw_band(const struct context *c, int x, int y, int width)
{
	enum series series = c->curve->main;
	struct view *v = c->v;
	char low[32], peak[32], text[80];
	struct band band;

	if (c->row->lines > 0 || !c->device)
		return;
	band_compute(&band, c->curve->cells[series], c->shape->n,
		     scratch_floats(v->scratch, c->shape->n));
	if (band.n == 0 || !(band.peak > 0))
		return;
	units_format_three(low, sizeof(low), units_rate(v->m->units, band.low));
	units_format_three(peak, sizeof(peak), units_rate(v->m->units, band.peak));
	text_format(text, sizeof(text), "%c %s%s%s", series == SERIES_READ ? 'r' : 'w', low,
		    v->glyphs->to, peak);
	surface_text_in(v->s, x, y, width, STYLE_MUTED, text, v->glyphs->cut);
}

/* Between what is too warm and what is harmful, where a drive names only one of them. */
#define HARM_ABOVE_WARM_MC 10000

/*
 * The drive's own limits count. Where it has none: spinning disks suffer from less heat than flash
 * does.
 */
static enum style temperature_style(const struct disk *disk)
{
	int32_t warm_mc = disk->temperature_max_mc, hot_mc = disk->temperature_crit_mc;

	if (warm_mc == UNKNOWN_I32 && hot_mc == UNKNOWN_I32)
		warm_mc = disk->rotational == TRUTH_YES ? 48000 : 65000;
	if (warm_mc == UNKNOWN_I32)
		warm_mc = hot_mc - HARM_ABOVE_WARM_MC;
	if (hot_mc == UNKNOWN_I32)
		hot_mc = warm_mc + HARM_ABOVE_WARM_MC;
	return disk->temperature_mc >= hot_mc    ? STYLE_BAD
	       : disk->temperature_mc >= warm_mc ? STYLE_WARNING
						 : STYLE_TEMPERATURE;
}

/* How long ago it was read, where that is long ago: "3m". */
static bool is_stale(const struct context *c, char *age, size_t size)
{
	uint64_t now_us = c->v->m->tick ? c->v->m->tick->elapsed_us : 0;
	uint64_t at_us = c->disk->temperature_at_us, s;

	if (at_us == UNKNOWN_U64 || at_us > now_us || now_us - at_us <= TEMPERATURE_FRESH_US)
		return false;
	s = (now_us - at_us) / US_PER_SEC;
	if (s < 60)
		text_format(age, size, "%us", (unsigned int)s);
	else if (s < 3600)
		text_format(age, size, "%um", (unsigned int)(s / 60));
	else
		text_format(age, size, "%uh", (unsigned int)(s / 3600 < 99 ? s / 3600 : 99));
	return true;
}

/* What follows an old temperature: its age, or that the disk sleeps and is not asked. */
static void draw_age(const struct context *c, int x, int y, int width, const char *age)
{
	bool asleep = c->disk->asleep == TRUTH_YES;

	if (width >= 4)
		surface_text_in(c->v->s, x + 1, y, width - 1, STYLE_FRAME, asleep ? "zzz" : age, 0);
	else
		surface_text_in(c->v->s, x, y, 1, STYLE_MUTED, asleep ? "z" : "~", 0);
}

static void draw_temperature(const struct context *c, int x, int y, int width)
{
	struct surface *s = c->v->s;
	char text[32], age[16];
	bool is_old;
	int degrees;

	if (!c->disk)
		return;
	if (c->disk->temperature_mc == UNKNOWN_I32) {
		surface_text_in(s, x, y, 3, STYLE_MUTED, "  -", 0);
		if (c->disk->asleep == TRUTH_YES)
			draw_age(c, x + 3, y, width - 3, "");
		return;
	}
	degrees = (c->disk->temperature_mc + (c->disk->temperature_mc < 0 ? -500 : 500)) / 1000;
	text_format(text, sizeof(text), "%3d", degrees);
	is_old = is_stale(c, age, sizeof(age)) || c->disk->asleep == TRUTH_YES;
	surface_text_in(s, x, y, 3, is_old ? STYLE_MUTED : temperature_style(c->disk), text, 0);
	if (is_old)
		draw_age(c, x + 3, y, width - 3, age);
}

static void draw_model(const struct context *c, int x, int y, int width)
{
	struct view *v = c->v;
	int after, end = x + width;

	if (!c->disk)
		return;
	after = surface_text_in(v->s, x, y, width, STYLE_MUTED, c->disk->model, v->glyphs->cut);
	if (c->disk->serial[0] && end - after > 8)
		surface_text_in(v->s, after + 2, y, end - after - 2, STYLE_FRAME, c->disk->serial,
				v->glyphs->cut);
}

#define ALWAYS 0
#define NEVER 100000

const struct column columns[COLUMN_ID_COUNT] = {
	/* heading, short one;          widths; wide from; shown from; unit, at right; */
	[COLUMN_ID_NAME] = { "device", "device", 12, 9, 100, ALWAYS, false, false, draw_name },
	[COLUMN_ID_STATE] = { "state", "", 14, 1, STATE_WORDS_FROM, ALWAYS, false, false,
			      draw_state },
	[COLUMN_ID_READ] = { "read", "r", 10, 6, 110, ALWAYS, true, true, draw_read },
	[COLUMN_ID_WRITE] = { "write", "w", 11, 6, 110, ALWAYS, true, true, draw_write },
	[COLUMN_ID_CURVE] = { "", "", 0, 0, ALWAYS, ALWAYS, false, false, curves_draw },
	[COLUMN_ID_SCALE] = { "scale", "", 5, 4, 100, 60, false, false, draw_scale },
	[COLUMN_ID_BAND] = { "low to peak", "", 12, 12, ALWAYS, 150, false, false, draw_band },
	[COLUMN_ID_AWAIT] = { "await ms", "ms", 8, 5, 110, 64, false, true, draw_await },
	[COLUMN_ID_QUEUE] = { "queue", "queue", 6, 5, 110, 90, false, true, draw_queue },
	[COLUMN_ID_UTIL] = { "util %", "util%", 6, 5, 110, 54, false, true, draw_util },
	[COLUMN_ID_UTIL_BAR] = { "", "", 6, 6, ALWAYS, 130, false, false, draw_util_bar },
	[COLUMN_ID_TEMPERATURE] = { " °C", " °C", 7, 4, 110, 50, false, false, draw_temperature },
	[COLUMN_ID_MODEL] = { "model", "model", 26, 16, 180, 140, false, false, draw_model },
};
