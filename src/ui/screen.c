/*
 * The screen: which page is shown and where the user stands on it. Drawing a frame takes the
 * model as it is and leaves only the selection, the scrolling and the scales behind; the same
 * model at the same size gives the same picture.
 */
#include "raidtop/screen.h"

#include <stdlib.h>

#include "raidtop/clock.h"
#include "raidtop/memory.h"
#include "view.h"

void screen_init(struct screen *s)
{
	*s = (struct screen){ .selected = NO_SLOT, .selected_array = NO_SLOT };
	s->scratch = memory_new(1, sizeof(*s->scratch));
	s->scratch->selected_row = -1;
}

void screen_release(struct screen *s)
{
	struct screen_scratch *c = s->scratch;

	if (!c)
		return;
	free(c->arrays);
	free(c->disks);
	free(c->rows);
	free(c->cells);
	free(c->graph);
	free(c->floats);
	free(c->curves);
	free(c->scales);
	free(c);
	s->scratch = NULL;
}

static struct view make_view(struct screen *s, const struct screen_model *m,
			     struct surface *surface)
{
	struct view v = { .screen = s, .m = m, .s = surface, .scratch = s->scratch };
	uint64_t interval_us = m->interval_ns / NS_PER_US;

	v.glyphs = glyphs_for(m->utf8);
	/* History has one value a second; a cell stands for whole seconds. */
	v.cell_us = (interval_us + US_PER_SEC - 1) / US_PER_SEC * US_PER_SEC;
	if (v.cell_us == 0)
		v.cell_us = US_PER_SEC;
	v.in_pairs = interval_us > 0 && interval_us < US_PER_SEC;
	v.end_us = s->freeze_end_us;
	if (v.end_us == 0 && m->history)
		v.end_us = history_end_us(m->history);
	return v;
}

void screen_draw(struct screen *s, const struct screen_model *m, struct surface *surface)
{
	static void (*const pages[])(struct view *
				     v) = { [PAGE_WATCH] = watch_draw, [PAGE_HELP] = help_draw };
	struct view v = make_view(s, m, surface);

	surface_clear(surface);
	pages[s->page](&v);
	if (m->dialog)
		dialog_draw(&v);
}

/* ---- moving ---- */

/* The index that a move leads to from `at` among 0 .. last. */
static int moved(int at, enum screen_move move, int page, int last)
{
	switch (move) {
	case MOVE_UP:
		at--;
		break;
	case MOVE_DOWN:
		at++;
		break;
	case MOVE_PAGE_UP:
		at -= page;
		break;
	case MOVE_PAGE_DOWN:
		at += page;
		break;
	case MOVE_HOME:
		at = 0;
		break;
	case MOVE_END:
		at = last;
		break;
	}
	return at < 0 ? 0 : at > last ? last : at;
}

static void move_selection(struct screen *s, const struct screen_model *m, enum screen_move move)
{
	struct view v = { .screen = s, .m = m, .scratch = s->scratch };
	struct screen_scratch *c = s->scratch;
	int page = c->body_height > 1 ? c->body_height - 1 : 1;
	int step = move == MOVE_UP || move == MOVE_PAGE_UP || move == MOVE_END ? -1 : 1;
	int last, at;

	rows_survey(&v);
	rows_build(&v, c->body_height);
	last = (int)c->n_rows - 1;
	at = rows_find_selected(&v);
	if (at < 0)
		return;
	at = moved(at, move, page, last);
	/* On to the next row that can be selected; back to the nearest one at an end. */
	while (at >= 0 && at <= last && !row_is_selectable(&c->rows[at]))
		at += step;
	if (at < 0 || at > last) {
		at = at < 0 ? 0 : last;
		while (at >= 0 && at <= last && !row_is_selectable(&c->rows[at]))
			at -= step;
	}
	if (at < 0 || at > last)
		return;
	s->selected = c->rows[at].slot;
	s->selected_array = c->rows[at].kind == ROW_MEMBER ? c->rows[at].array : NO_SLOT;
	c->selected_row = at;
}

void screen_move(struct screen *s, const struct screen_model *m, enum screen_move move)
{
	struct screen_scratch *c = s->scratch;

	if (s->page == PAGE_HELP)
		s->help_top =
			moved(s->help_top, move, c->help_height > 1 ? c->help_height - 1 : 1,
			      c->help_lines > c->help_height ? c->help_lines - c->help_height : 0);
	else
		move_selection(s, m, move);
}
