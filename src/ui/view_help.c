/*
 * The help page, made from the key table, with the legend of signs below it. It scrolls where
 * the screen is too low for it.
 */
#include "view.h"

#include "raidtop/clock.h"
#include "raidtop/text.h"

#define MARGIN 1

static const struct legend {
	const char *sign, *ascii_sign;
	enum style style;
	const char *meaning;
} legends[] = {
	{ "U", "U", STYLE_GOOD, "member in sync" },
	{ "_", "_", STYLE_BAD, "missing: nothing in this slot" },
	{ "F", "F", STYLE_BAD, "faulty" },
	{ "R", "R", STYLE_WARNING, "rebuilding" },
	{ "S", "S", STYLE_MUTED, "spare" },
	{ "!", "!", STYLE_BAD, "gives no answer, or waits for a disk that gives none" },
	{ "J W", "J W", STYLE_TEXT, "journal; write-mostly" },
	{ "H N", "H N", STYLE_MUTED, "disk of a container: held for a volume; not used by any" },
	{ "A C", "A C", STYLE_GOOD, "array active; a container, whose volumes run" },
	{ "D I B", "D I B", STYLE_BAD, "array degraded; inactive; broken" },
	{ "·", ".", STYLE_MUTED, "zero: idle" },
	{ "-", "-", STYLE_MUTED, "not known" },
	{ "38~ z", "38~ z", STYLE_MUTED, "a temperature read some time ago; the disk sleeps" },
	{ "r 9–12", "r 9-12", STYLE_MUTED,
	  "low to peak of the curve: 5th to 95th percentile; r read, w written" },
	{ "▇▂", "#:", STYLE_READ,
	  "with several samples a second: the largest and the smallest of each second" },
};
#define N_LEGENDS (sizeof(legends) / sizeof(legends[0]))

static int keys_width(const struct screen_model *m)
{
	int width = 6;

	for (size_t i = 0; i < m->n_hints; i++)
		if (text_width(m->hints[i].keys) > width)
			width = text_width(m->hints[i].keys);
	return width < 24 ? width : 24;
}

static void draw_line(struct view *v, int y, int width, enum style style, const char *left,
		      const char *right)
{
	int x = MARGIN + 1;

	surface_text_in(v->s, x, y, width, style, left, v->glyphs->cut);
	x += width + 2;
	surface_text_in(v->s, x, y, v->s->width - MARGIN - x, STYLE_TEXT, right, v->glyphs->cut);
}

/* How far back one can look, and what that costs. */
static void draw_history(struct view *v, int y, int width)
{
	const struct history *h = v->m->history;
	char span[32], text[128];

	if (!h)
		return;
	units_format_left(span, sizeof(span), history_span_us(h) * NS_PER_US);
	text_format(text, sizeof(text), "the last %s of %zu devices in %.1f MB%s", span,
		    history_devices(h), (double)history_memory_bytes(h) / 1e6,
		    history_is_shortened(h) ? "; cut short, for so many devices" : "");
	draw_line(v, y, width, STYLE_MUTED, "history", text);
}

static void draw_title(struct view *v, int y, const char *text)
{
	int x = surface_text(v->s, MARGIN, y, STYLE_TITLE, text) + 1;

	surface_fill(v->s, x, y, v->s->width - x - MARGIN, 1, STYLE_FRAME, v->glyphs->rule);
}

/* Line `i` of the page, at y. */
static void draw_page_line(struct view *v, size_t i, int y)
{
	const struct screen_model *m = v->m;
	int width = keys_width(m);

	if (i == 0) {
		draw_title(v, y, "Keys");
	} else if (i <= m->n_hints) {
		draw_line(v, y, width, STYLE_KEY, m->hints[i - 1].keys, m->hints[i - 1].help);
	} else if (i == m->n_hints + 2) {
		draw_title(v, y, "Signs");
	} else if (i > m->n_hints + 2 && i - m->n_hints - 3 < N_LEGENDS) {
		const struct legend *l = &legends[i - m->n_hints - 3];

		draw_line(v, y, width, l->style, m->utf8 ? l->sign : l->ascii_sign, l->meaning);
	} else if (i == m->n_hints + 3 + N_LEGENDS) {
		draw_history(v, y, width);
	}
}

void help_draw(struct view *v)
{
	struct screen_scratch *c = v->scratch;
	int height = v->s->height - 3, *top = &v->screen->help_top;

	if (height < 1)
		height = v->s->height;
	c->help_lines = (int)(v->m->n_hints + 3 + N_LEGENDS) + (v->m->history != NULL);
	c->help_height = height;
	if (*top > c->help_lines - height)
		*top = c->help_lines - height;
	if (*top < 0)
		*top = 0;
	for (int y = 0; y < height && *top + y < c->help_lines; y++)
		draw_page_line(v, (size_t)(*top + y), y + (v->s->height > 3));
	if (v->s->height <= 3)
		return;
	header_draw(v, 0);
	status_draw(v, v->s->height - 2);
	keys_draw(v, v->s->height - 1);
}
