/*
 * What is shown where the table is not: the totals alone on a screen too small for it, and a few
 * sentences where there is no disk at all.
 */
#include "view.h"

#include <string.h>

#include "raidtop/clock.h"
#include "raidtop/text.h"

static size_t count_degraded(const struct view *v)
{
	size_t n = 0;

	for (size_t i = 0; i < v->scratch->n_arrays; i++) {
		const struct array *a = v->m->topology->devices[v->scratch->arrays[i]]->array;

		n += a->state == ARRAY_BROKEN || a->state == ARRAY_INACTIVE ||
		     (a->degraded != UNKNOWN_U64 && a->degraded > 0);
	}
	return n;
}

static void draw_total(struct view *v, int y, const char *name, enum rate which, enum style style)
{
	const struct figures *f = v->m->tick ? &v->m->tick->total : NULL;
	bool is_known = f && figures_has(f, which);
	double value = is_known ? f->value[which] : 0;
	struct line line = { .n = 0 };
	char text[32];
	int right;

	format_rate(v, text, sizeof(text), is_known, value);
	line_add(&line, figure_style(is_known, value, style), 0, "%s%*s%s", name,
		 text_width(text) < 4 ? 4 - text_width(text) : 0, "", text);
	line_add(&line, STYLE_MUTED, 1, "%s", units_rate_name(v->m->units));
	line_draw(v, &line, 0, v->s->width, y, &right);
}

static void draw_counts(struct view *v, int y)
{
	const struct screen_scratch *c = v->scratch;
	size_t degraded = count_degraded(v), disks = c->n_disks;
	struct line line = { .n = 0 };
	int right, silent;
	size_t n_silent = trouble_find_silent(v, &silent);

	if (n_silent == 1)
		line_add(&line, STYLE_BADGE_BAD, 0, "NO ANSWER %s",
			 v->m->topology->devices[silent]->name);
	else if (n_silent > 1)
		line_add(&line, STYLE_BADGE_BAD, 0, "%zu GIVE NO ANSWER", n_silent);
	if (degraded > 0)
		line_add(&line, STYLE_BADGE_BAD, 0, "%zu DEGRADED", degraded);
	if (c->n_arrays > 0)
		line_add(&line, STYLE_TEXT, 1, "%zu array%s", c->n_arrays,
			 c->n_arrays == 1 ? "" : "s");
	if (disks > 0)
		line_add(&line, STYLE_TEXT, 2, "%zu free disk%s", disks, disks == 1 ? "" : "s");
	if (line.n > 0)
		line_draw(v, &line, 0, v->s->width, y, &right);
}

static void draw_name(struct view *v, int y)
{
	struct line line = { .n = 0 };
	char text[64];
	int right;

	clock_format_local(text, v->m->clock_ms);
	line_add(&line, STYLE_TITLE, 1, "raidtop");
	if (v->m->transport)
		line_add(&line, STYLE_BADGE_WARNING, 0, "REPLAY");
	else if (v->m->recording)
		line_add(&line, STYLE_BADGE_RECORD, 0, "REC");
	line_add(&line, STYLE_BRIGHT, 2, "%s", text);
	line_draw(v, &line, 0, v->s->width, y, &right);
}

/* What matters most comes first where there are few lines. */
void totals_draw(struct view *v)
{
	int height = v->s->height, y = 0;

	if (height > 3)
		draw_name(v, y++);
	draw_total(v, y++, "read  ", RATE_READ_BYTES, STYLE_READ);
	draw_total(v, y++, "write ", RATE_WRITE_BYTES, STYLE_WRITE);
	draw_counts(v, y++);
	if (height > y)
		status_draw(v, height - 1);
}

/* ---- no disk ---- */

static void draw_centred(struct view *v, int y, enum style style, const char *text)
{
	int width = text_width(text), room = v->s->width - 2;

	surface_text_in(v->s, width < room ? 1 + (room - width) / 2 : 1, y, room, style, text,
			v->glyphs->cut);
}

/* A paragraph in lines of at most `room` cells; returns the line after it. */
static int draw_paragraph(struct view *v, int y, enum style style, const char *text)
{
	int room = v->s->width - 2 < 72 ? v->s->width - 2 : 72;
	char line[256];

	while (*text && room > 0) {
		size_t len = strlen(text),
		       most = (size_t)room < sizeof(line) ? (size_t)room : sizeof(line) - 1;

		if (len > most) {
			len = most;
			while (len > 0 && text[len] != ' ')
				len--;
			if (len == 0)
				len = most;
		}
		text_copy_n(line, sizeof(line), text, len);
		draw_centred(v, y++, style, line);
		text += len;
		text += *text == ' ';
	}
	return y;
}

void nothing_draw(struct view *v, int top, int height)
{
	int y = top + (height > 8 ? height / 2 - 3 : 0);

	if (v->m->transport) { /* a replay: nothing will appear by being plugged in */
		y = draw_paragraph(v, y, STYLE_BRIGHT, "No disk is in this recording so far.");
		draw_paragraph(
			v, y + 1, STYLE_MUTED,
			"The machine that was recorded had shown none up to this moment, or the "
			"lines that tell of its disks are damaged.");
		return;
	}
	y = draw_paragraph(v, y, STYLE_BRIGHT, "No disk was found on this machine.");
	y = draw_paragraph(v, y + 1, STYLE_MUTED,
			   "Disks appear here as soon as the kernel shows them. In a container or "
			   "a guest without block devices there may be none at all.");
	if (v->m->demo && v->m->demo[0])
		draw_paragraph(v, y + 1, STYLE_TEXT, v->m->demo);
}
