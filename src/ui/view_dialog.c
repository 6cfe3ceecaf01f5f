/*
 * A dialog on the screen: a frame with the title in its upper edge, the fields one or two to a
 * line, below them the sentence that says what will happen, and the keys. Where the screen is too
 * low for all of it, the lines around the field with the focus are shown.
 */
#include "view.h"

#include <string.h>

#include "raidtop/dialog.h"
#include "raidtop/text.h"

#define WIDTH 66
#define LABEL_WIDTH 10
/* Narrower than this each field has its own line. */
#define BESIDE_WIDTH 56
#define SENTENCE_LINES 8

struct box {
	int x, y, width, height;
	int lines;    /* that the fields take */
	bool in_half; /* fields stand beside each other */
};

static bool is_beside(const struct box *b, const struct dialog_field *f)
{
	return b->in_half && f->beside;
}

static int field_lines(const struct box *b, const struct dialog *d)
{
	int lines = 0;

	for (size_t i = 0; i < d->n_fields; i++)
		lines += i == 0 || !is_beside(b, &d->fields[i]);
	return lines;
}

/* The end of what fits into `width` columns, at a blank where there is one. */
static size_t wrap(const char *text, int width)
{
	size_t len = strlen(text), at;
	char part[DIALOG_SENTENCE_BYTES];

	if (text_width(text) <= width)
		return len;
	for (at = len; at > 0; at--) {
		if (text[at] != ' ')
			continue;
		text_copy(part, sizeof(part), text);
		part[at] = '\0';
		if (text_width(part) <= width)
			return at;
	}
	return len; /* one long word: it is cut where it is drawn */
}

/* Draws the sentence where `y` >= 0; returns its lines. */
static int sentence(const struct view *v, const struct dialog *d, int x, int y, int width)
{
	const char *text = d->sentence;
	int lines = 0;

	while (*text && lines < SENTENCE_LINES) {
		char part[DIALOG_SENTENCE_BYTES];
		size_t n = wrap(text, width);

		text_copy(part, sizeof(part), text);
		part[n < sizeof(part) ? n : sizeof(part) - 1] = '\0';
		if (y >= 0)
			surface_text_in(v->s, x, y + lines, width,
					d->is_error ? STYLE_BAD : STYLE_TEXT, part, v->glyphs->cut);
		lines++;
		text += n;
		while (*text == ' ')
			text++;
	}
	return lines;
}

static void draw_frame(const struct view *v, const struct box *b, const char *title)
{
	const struct glyphs *g = v->glyphs;
	int right = b->x + b->width - 1, bottom = b->y + b->height - 1;

	surface_fill(v->s, b->x, b->y, b->width, b->height, STYLE_TEXT, ' ');
	surface_fill(v->s, b->x, b->y, b->width, 1, STYLE_FRAME, g->rule);
	surface_fill(v->s, b->x, bottom, b->width, 1, STYLE_FRAME, g->rule);
	surface_fill(v->s, b->x, b->y, 1, b->height, STYLE_FRAME, g->upright);
	surface_fill(v->s, right, b->y, 1, b->height, STYLE_FRAME, g->upright);
	surface_put(v->s, b->x, b->y, STYLE_FRAME, g->corner[0]);
	surface_put(v->s, right, b->y, STYLE_FRAME, g->corner[1]);
	surface_put(v->s, b->x, bottom, STYLE_FRAME, g->corner[2]);
	surface_put(v->s, right, bottom, STYLE_FRAME, g->corner[3]);
	surface_put(v->s, b->x + 2, b->y, STYLE_FRAME, ' ');
	surface_put(v->s, surface_text(v->s, b->x + 3, b->y, STYLE_TITLE, title), b->y, STYLE_FRAME,
		    ' ');
}

/* The end of a long text is what is typed: that is what stays in sight. */
static const char *tail(const char *text, int width)
{
	while (*text && text_width(text) > width) {
		do
			text++;
		while (((unsigned char)*text & 0xc0) == 0x80);
	}
	return text;
}

static void draw_field(const struct view *v, const struct dialog_field *f, bool has_focus, int x,
		       int y, int width)
{
	int room = width - LABEL_WIDTH - 4, left = x;
	const char *text = f->text;

	surface_text_in(v->s, x, y, LABEL_WIDTH, has_focus ? STYLE_BRIGHT : STYLE_MUTED, f->label,
			v->glyphs->cut);
	x += LABEL_WIDTH + 1;
	if (room < 1)
		return;
	if (has_focus && !f->fresh)
		text = tail(text, room - 1);
	if (has_focus)
		surface_text(v->s, x, y, STYLE_KEY, f->n_values > 0 ? v->glyphs->choose_left : ">");
	x = surface_text_in(v->s, x + 2, y, room, has_focus ? STYLE_BRIGHT : STYLE_TEXT, text,
			    v->glyphs->cut);
	if (!has_focus)
		return;
	if (!f->only_values && !f->fresh)
		surface_put(v->s, x++, y, STYLE_KEY, '_');
	if (f->n_values > 0)
		surface_text(v->s, x + 1, y, STYLE_KEY, v->glyphs->choose_right);
	surface_select_row(v->s, left, y, width - 1);
}

static void draw_fields(const struct view *v, const struct dialog *d, const struct box *b, int room)
{
	int inner = b->width - 4, line = -1, focus_line = 0, first;

	for (size_t i = 0; i <= d->focus; i++)
		focus_line += i > 0 && !is_beside(b, &d->fields[i]);
	first = focus_line >= room ? focus_line - room + 1 : 0;
	for (size_t i = 0; i < d->n_fields; i++) {
		const struct dialog_field *f = &d->fields[i];
		bool beside = i > 0 && is_beside(b, f);
		bool followed = i + 1 < d->n_fields && is_beside(b, &d->fields[i + 1]);
		int half = inner / 2;

		line += !beside;
		if (line < first || line >= first + room)
			continue;
		draw_field(v, f, i == d->focus, b->x + 2 + (beside ? half : 0),
			   b->y + 1 + line - first,
			   beside     ? inner - half
			   : followed ? half
				      : inner);
	}
}

static void draw_keys(const struct view *v, const struct dialog *d, const struct box *b)
{
	struct line line = { .n = 0 };
	int right;

	line_add_right(&line, STYLE_KEY, 0, "Enter %s", d->enter);
	line_add_right(&line, STYLE_KEY, 1, "Esc cancel");
	line_draw(v, &line, b->x + 2, b->x + b->width - 2, b->y + b->height - 2, &right);
}

void dialog_draw(struct view *v)
{
	const struct dialog *d = v->m->dialog;
	struct box b = { .width = v->s->width < WIDTH ? v->s->width : WIDTH };
	int said, room;

	b.in_half = b.width >= BESIDE_WIDTH;
	b.lines = field_lines(&b, d);
	said = sentence(v, d, 0, -1, b.width - 4);
	b.height = b.lines + said + 4 + (said > 0);
	if (b.height > v->s->height)
		b.height = v->s->height;
	b.x = (v->s->width - b.width) / 2;
	b.y = (v->s->height - b.height) / 2;
	draw_frame(v, &b, d->title);
	room = b.height - 4 - said - (said > 0);
	if (room > b.lines)
		room = b.lines;
	if (room < 1)
		room = b.height > 3 ? 1 : b.height;
	draw_fields(v, d, &b, room);
	sentence(v, d, b.x + 2, b.y + 2 + room, b.width - 4);
	draw_keys(v, d, &b);
}
