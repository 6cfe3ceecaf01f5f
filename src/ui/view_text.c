/*
 * Small pieces that views are made of: figures as text, states as letters and words, and lines
 * of items that fall away by priority as a line becomes too narrow for all of them.
 */
#include "view.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "raidtop/text.h"

#define GAP 2 /* blanks between items */

/* Room for one more item; where the line is full the last one gives way. */
static struct item *next_item(struct line *l)
{
	if (l->n == LINE_ITEMS)
		l->n--;
	return &l->items[l->n];
}

/* Takes the item whose text has been written; an empty one is none. */
static void keep_item(struct line *l, enum style style, int priority, bool at_right)
{
	struct item *item = &l->items[l->n];

	item->style = style;
	item->priority = priority;
	item->at_right = at_right;
	item->slots = NULL;
	l->n += item->text[0] != '\0';
}

void line_add(struct line *l, enum style style, int priority, const char *format, ...)
{
	struct item *item = next_item(l);
	va_list args;

	va_start(args, format);
	vsnprintf(item->text, sizeof(item->text), format, args);
	va_end(args);
	keep_item(l, style, priority, false);
}

void line_add_right(struct line *l, enum style style, int priority, const char *format, ...)
{
	struct item *item = next_item(l);
	va_list args;

	va_start(args, format);
	vsnprintf(item->text, sizeof(item->text), format, args);
	va_end(args);
	keep_item(l, style, priority, true);
}

static int items_width(const struct line *l, bool at_right)
{
	int width = 0;

	for (size_t i = 0; i < l->n; i++)
		if (l->items[i].at_right == at_right)
			width += text_width(l->items[i].text) + GAP;
	return width;
}

int line_width(const struct line *l, int priority)
{
	int width = 0;

	for (size_t i = 0; i < l->n; i++)
		if (l->items[i].priority <= priority)
			width += text_width(l->items[i].text) + GAP;
	return width > 0 ? width - GAP : 0;
}

/* The item that matters least; of equals the last. The first of all stays whatever happens. */
static size_t least_item(const struct line *l)
{
	size_t least = 0;

	for (size_t i = 0; i < l->n; i++)
		if (l->items[i].priority >= l->items[least].priority)
			least = i;
	return least;
}

static void remove_item(struct line *l, size_t i)
{
	memmove(&l->items[i], &l->items[i + 1], (l->n - i - 1) * sizeof(l->items[0]));
	l->n--;
}

int line_draw(const struct view *v, struct line *l, int x, int end, int y, int *ret_right)
{
	int right, left_end;

	while (l->n > 1 && items_width(l, false) + items_width(l, true) - GAP > end - x)
		remove_item(l, least_item(l));
	right = end - items_width(l, true) + (items_width(l, true) > 0 ? GAP : 0);
	*ret_right = right;
	left_end = x;
	for (size_t i = 0; i < l->n; i++) {
		const struct item *item = &l->items[i];
		int *at = item->at_right ? &right : &x;

		if (item->slots)
			*at = array_draw_slots(v, item->slots, *at, y, text_width(item->text));
		else
			*at = surface_text_in(v->s, *at, y, end - *at, item->style, item->text,
					      v->glyphs->cut);
		if (!item->at_right)
			left_end = x;
		*at += GAP;
	}
	return left_end;
}

/* ---- figures ---- */

void format_rate(const struct view *v, char *buf, size_t size, bool is_known, double per_sec)
{
	if (!is_known)
		text_copy(buf, size, "-");
	else if (!(per_sec > 0))
		text_copy(buf, size, v->glyphs->idle);
	else
		units_format_three(buf, size, units_rate(v->m->units, per_sec));
}

enum style figure_style(bool is_known, double value, enum style style)
{
	return is_known && value > 0 ? style : STYLE_MUTED;
}

const struct figures *figures_of(const struct view *v, int slot)
{
	static const struct figures unknown = { .gap = GAP_FIRST };

	if (!v->m->tick || slot < 0 || (size_t)slot >= v->m->tick->n_devices)
		return &unknown;
	return &v->m->tick->devices[slot];
}

bool figures_await(const struct figures *f, double *ret_ms)
{
	double ios = 0, ms = 0;

	if (figures_has(f, RATE_READ_AWAIT) && figures_has(f, RATE_READ_IOS)) {
		ios += f->value[RATE_READ_IOS];
		ms += f->value[RATE_READ_IOS] * f->value[RATE_READ_AWAIT];
	}
	if (figures_has(f, RATE_WRITE_AWAIT) && figures_has(f, RATE_WRITE_IOS)) {
		ios += f->value[RATE_WRITE_IOS];
		ms += f->value[RATE_WRITE_IOS] * f->value[RATE_WRITE_AWAIT];
	}
	if (!(ios > 0))
		return false;
	*ret_ms = ms / ios;
	return true;
}

/* ---- states ---- */

struct state_look member_look(const struct member *member)
{
	static const struct state_look looks[] = {
		[MEMBER_STATE_UNKNOWN] = { '-', "-", STYLE_MUTED },
		[MEMBER_IN_SYNC] = { 'U', "in sync", STYLE_GOOD },
		[MEMBER_SPARE] = { 'S', "spare", STYLE_MUTED },
		[MEMBER_FAULTY] = { 'F', "faulty", STYLE_BAD },
		[MEMBER_REBUILDING] = { 'R', "rebuilding", STYLE_WARNING },
		[MEMBER_JOURNAL] = { 'J', "journal", STYLE_TEXT },
		[MEMBER_MISSING] = { '_', "missing", STYLE_BAD },
		[MEMBER_HELD] = { 'H', "held", STYLE_MUTED },
		[MEMBER_UNUSED] = { 'N', "not used", STYLE_MUTED },
	};
	struct state_look look = looks[member->state];

	if (member->state == MEMBER_IN_SYNC && member->flags & MEMBER_FLAG_WRITE_MOSTLY) {
		look.letter = 'W';
		look.word = "write-mostly";
	}
	return look;
}

struct state_look array_look(const struct array *a)
{
	if (a->state == ARRAY_BROKEN)
		return (struct state_look){ 'B', "broken", STYLE_BAD };
	if (array_is_container(a)) /* md does not run it, its volumes run */
		return (struct state_look){ 'C', "container", STYLE_MUTED };
	if (a->state == ARRAY_INACTIVE)
		return (struct state_look){ 'I', "inactive", STYLE_BAD };
	if (a->degraded != UNKNOWN_U64 && a->degraded > 0)
		return (struct state_look){ 'D', "degraded", STYLE_BAD };
	if (a->state == ARRAY_ACTIVE)
		return (struct state_look){ 'A', "active", STYLE_GOOD };
	return (struct state_look){ '-', "-", STYLE_MUTED };
}

const char *level_of(const struct view *v, const struct array *a)
{
	static const struct {
		const char *level, *narrow;
	} levels[] = {
		{ "raid0", "r0" }, { "raid1", "r1" },   { "raid4", "r4" },   { "raid5", "r5" },
		{ "raid6", "r6" }, { "raid10", "r10" }, { "linear", "lin" }, { "container", "ctr" },
	};

	for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++)
		if (v->s->width < 60 && strcmp(a->level, levels[i].level) == 0)
			return levels[i].narrow;
	return a->level[0] ? a->level : a->kind;
}
