/*
 * A graph of several lines. The curve is filled from its foot; where a column stands for several
 * samples it is filled up to the smallest and shaded from there to the largest, so that no dip is
 * hidden. Behind the curve lie the band from low to peak, as a darker ground over whole lines,
 * and the mean as a dotted line. Colours change by line, not by cell: a frame stays small. A gap
 * is left empty, with a thin edge on both sides; a value beyond the scale is marked at the top.
 */
#include "bandgraph.h"

#include <stdbool.h>

/* A value as a height; without a scale there is none. */
static double in_lines(const struct bandgraph *g, double value)
{
	return g->top > 0 ? value / g->top * g->height : 0;
}

/* How far up its line a height reaches, in eighths: 0 below it, 8 when it fills it. */
static int eighths_in_line(const struct bandgraph *g, double value, int line_from_foot)
{
	double in_line = in_lines(g, value) - line_from_foot;
	int eighths = (int)(in_line * 8 + 0.5);

	if (!(in_line > 0))
		return 0;
	return in_line >= 1 ? 8 : eighths;
}

static bool line_is_in_band(const struct bandgraph *g, int line)
{
	/* Of few values it would be all that there was, which the curve shows itself. */
	if (!g->band.from_quantiles || !(g->band.peak > 0))
		return false;
	return in_lines(g, g->band.peak) > line && in_lines(g, g->band.low) < line + 1;
}

static bool line_has_mean(const struct bandgraph *g, int line)
{
	double mean = in_lines(g, g->band.mean);

	return g->band.n > 0 && mean > line && mean <= line + 1;
}

/* What the curve shows in one cell: 0 where it does not reach. */
static uint32_t curve_glyph(const struct bandgraph *g, const struct history_cell *c, int line)
{
	int full = eighths_in_line(g, c->min, line), some = eighths_in_line(g, c->max, line);

	if (line == g->height - 1 && g->top > 0 && c->max > g->top * 1.001)
		return g->glyphs->clipped;
	if (full == 8 || full == some)
		return full > 0 ? g->glyphs->level[full] : 0;
	/* Both ends in this line: shaded too, unless they are next to each other. */
	if (some == 8 || (full > 0 && some - full > 1))
		return g->glyphs->spread;
	return g->glyphs->level[some];
}

/* What lies before the first value is no gap. */
static bool has_begun(const struct bandgraph *g, size_t i)
{
	while (i > 0)
		if (g->cells[--i].known)
			return true;
	return false;
}

static bool is_gap_edge(const struct bandgraph *g, size_t i)
{
	if (g->cells[i].known || !has_begun(g, i))
		return false;
	return g->cells[i - 1].known || (i + 1 < g->n && g->cells[i + 1].known);
}

static void draw_cell(struct surface *s, int x, int y, const struct bandgraph *g, size_t i,
		      int line)
{
	const struct history_cell *c = &g->cells[i];
	bool in_band = line_is_in_band(g, line);
	enum style style = in_band ? g->band_style : g->style;
	uint32_t rune;

	if (!c->known) {
		if (is_gap_edge(g, i))
			surface_put(s, x, y, STYLE_FRAME, g->glyphs->gap_edge);
		return;
	}
	rune = curve_glyph(g, c, line);
	if (rune == 0 && line == 0)
		surface_put(s, x, y, STYLE_FRAME, g->glyphs->base);
	else if (rune != 0)
		surface_put(s, x, y, style, rune);
	else if (line_has_mean(g, line))
		surface_put(s, x, y, style, g->glyphs->mean);
	else if (in_band)
		surface_put(s, x, y, style, ' ');
}

void bandgraph_draw(struct surface *s, int x, int y, const struct bandgraph *g)
{
	for (int line = 0; line < g->height; line++)
		for (size_t i = 0; i < g->n; i++)
			draw_cell(s, x + (int)i, y + g->height - 1 - line, g, i, line);
}
