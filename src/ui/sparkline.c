/*
 * A sparkline. Each cell is as high as its value; a zero is a faint foot, a gap is empty, so that
 * the two differ. A column has room for one height only: where a cell stands for several samples
 * it takes two columns, its largest value and its smallest, and a dip within it stays visible as
 * a tooth. A steady series then looks as flat as with one sample a cell.
 */
#include "sparkline.h"

int sparkline_width(const struct sparkline *l)
{
	return (int)l->n * (l->in_pairs ? 2 : 1);
}

int sparkline_level(double value, double top, bool *ret_clipped)
{
	int level;

	/* The scale's top is rounded, and the values are floats: a hair above is no clipping. */
	*ret_clipped = value > top * 1.001;
	if (!(value > 0) || !(top > 0))
		return 0;
	if (value >= top)
		return 8;
	level = (int)(value / top * 8 + 0.5);
	return level > 0 ? level : 1;
}

static void draw_value(struct surface *s, int x, int y, const struct sparkline *l, double value)
{
	bool clipped;
	int level = sparkline_level(value, l->top, &clipped);

	if (level == 0)
		surface_put(s, x, y, STYLE_FRAME, l->glyphs->base);
	else
		surface_put(s, x, y, l->style,
			    clipped ? l->glyphs->clipped : l->glyphs->level[level]);
}

void sparkline_draw(struct surface *s, int x, int y, const struct sparkline *l)
{
	for (size_t i = 0; i < l->n; i++) {
		const struct history_cell *c = &l->cells[i];

		if (l->in_pairs) {
			if (c->known) {
				draw_value(s, x, y, l, c->max);
				draw_value(s, x + 1, y, l, c->min);
			}
			x += 2;
		} else {
			if (c->known)
				draw_value(s, x, y, l, c->mean);
			x++;
		}
	}
}
