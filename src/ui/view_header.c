/*
 * The edges of the screen: the header at the top (which machine, which moment, what moves in
 * all), and at the bottom the status line (the answer to the last key, else the newest event)
 * and the key line, made from the key table.
 */
#include "view.h"

#include <string.h>

#include "raidtop/clock.h"
#include "raidtop/text.h"

#define MARGIN 1

static void add_total(struct line *l, const struct view *v, const char *name, enum rate which,
		      enum style style)
{
	const struct figures *f = v->m->tick ? &v->m->tick->total : NULL;
	bool is_known = f && figures_has(f, which);
	double value = is_known ? f->value[which] : 0;
	char text[32];

	format_rate(v, text, sizeof(text), is_known, value);
	/* As wide as three digits with a point, so that what follows stands still. */
	line_add(l, figure_style(is_known, value, style), 1, "%s %*s%s", name,
		 text_width(text) < 4 ? 4 - text_width(text) : 0, "", text);
}

static void add_machine(struct line *l, const struct view *v)
{
	const struct topology *t = v->m->topology;
	double seconds = (double)v->m->interval_ns / (double)NS_PER_SEC;
	char text[32];

	line_add(l, STYLE_TITLE, 2, "raidtop");
	line_add(l, STYLE_HEADER, 3, "%s", t->host);
	line_add(l, STYLE_MUTED, 9, "%s", t->kernel);
	if (v->m->interval_ns > 0) {
		units_format_three(text, sizeof(text), seconds);
		/* 1 s and not 1.00 s */
		while (strchr(text, '.') &&
		       (text[strlen(text) - 1] == '0' || text[strlen(text) - 1] == '.'))
			text[strlen(text) - 1] = '\0';
		line_add(l, STYLE_MUTED, 8, "every %s s", text);
	}
}

static void add_troubles(struct line *l, const struct view *v)
{
	const struct screen_model *m = v->m;

	if (m->missed_ticks > 0)
		line_add_right(l, STYLE_WARNING, 6, "%llu missed",
			       (unsigned long long)m->missed_ticks);
	if (m->late_ticks > 0)
		line_add_right(l, STYLE_MUTED, 7, "%llu late", (unsigned long long)m->late_ticks);
}

static void add_recording(struct line *l, const struct view *v)
{
	const char *name = v->m->recording, *slash;
	char text[64], clean[64];

	if (!name)
		return;
	slash = strrchr(name, '/');
	text_clean(clean, sizeof(clean), slash && slash[1] ? slash + 1 : name);
	units_format_clock(text, sizeof(text), v->m->recording_ns);
	line_add_right(l, STYLE_BADGE_RECORD, 1, " %s REC ", v->glyphs->record);
	line_add_right(l, STYLE_TEXT, 6, "%s", clean);
	line_add_right(l, STYLE_TEXT, 5, "%s", text);
}

static size_t running_streams(const struct screen_model *m)
{
	size_t n = 0;

	for (size_t i = 0; i < m->n_streams; i++)
		n += !stream_is_finished(m->streams[i].state);
	return n;
}

static void add_moment(struct line *l, const struct view *v)
{
	char text[64];

	if (v->m->transport)
		line_add_right(l, STYLE_BADGE_WARNING, 0, " REPLAY ");
	else if (v->m->paused)
		line_add_right(l, STYLE_BADGE_WARNING, 0, " PAUSED ");
	clock_format_local(text, v->m->clock_ms);
	line_add_right(l, STYLE_BRIGHT, 1, "%s", text);
}

void header_draw(struct view *v, int y)
{
	struct line line = { .n = 0 };
	size_t streams = running_streams(v->m);
	int right;

	add_machine(&line, v);
	add_total(&line, v, "read", RATE_READ_BYTES, STYLE_READ);
	add_total(&line, v, "write", RATE_WRITE_BYTES, STYLE_WRITE);
	line_add(&line, STYLE_MUTED, 4, "%s", units_rate_name(v->m->units));
	add_troubles(&line, v);
	if (streams > 0)
		line_add_right(&line, STYLE_BRIGHT, 4, "%zu stream%s", streams,
			       streams == 1 ? "" : "s");
	add_recording(&line, v);
	add_moment(&line, v);
	line_draw(v, &line, MARGIN, v->s->width - MARGIN, y, &right);
}

/* ---- the status line ---- */

static enum style event_style(enum event_kind kind)
{
	static const enum style styles[EVENT_KIND_COUNT] = {
		[EVENT_STREAM_START] = STYLE_STATUS,
		[EVENT_STREAM_STOP] = STYLE_STATUS,
		[EVENT_MEMBER_FAILED] = STYLE_BAD,
		[EVENT_MEMBER_ADDED] = STYLE_STATUS,
		[EVENT_REBUILD_START] = STYLE_STATUS,
		[EVENT_REBUILD_END] = STYLE_GOOD,
		[EVENT_ACTION_CHANGE] = STYLE_STATUS,
		[EVENT_ARRAY_STATE] = STYLE_WARNING,
		[EVENT_GAP] = STYLE_WARNING,
		[EVENT_APPEARED] = STYLE_STATUS,
		[EVENT_GONE] = STYLE_WARNING,
		[EVENT_NO_ANSWER] = STYLE_BAD,
		[EVENT_ANSWER] = STYLE_GOOD,
		[EVENT_STRAGGLER] = STYLE_WARNING,
		[EVENT_STRAGGLER_END] = STYLE_STATUS,
		[EVENT_RMW] = STYLE_WARNING,
		[EVENT_RMW_END] = STYLE_STATUS,
		[EVENT_LEVEL_CHANGE] = STYLE_STATUS,
		[EVENT_MARK] = STYLE_MARK,
	};

	return styles[kind];
}

/* Whether there are disks, but no array. */
static bool has_disks_alone(const struct topology *t)
{
	bool disks = false;

	for (size_t i = 0; i < t->n_devices; i++) {
		if (t->devices[i]->present && t->devices[i]->kind == DEVICE_ARRAY)
			return false;
		disks |= t->devices[i]->present;
	}
	return disks;
}

/* Nothing has happened yet: a machine without arrays is told so, with the way to see one. */
static void hint_draw(struct view *v, int y)
{
	const struct screen_model *m = v->m;
	int x = MARGIN, end = v->s->width - MARGIN;

	if (m->transport || !has_disks_alone(m->topology))
		return;
	x = surface_text_in(v->s, x, y, end - x, STYLE_MUTED,
			    "No RAID array is assembled on this machine.", v->glyphs->cut);
	if (m->demo && m->demo[0])
		surface_text_in(v->s, x + 1, y, end - x - 1, STYLE_MUTED, m->demo, v->glyphs->cut);
}

static void event_draw(struct view *v, int y, const struct event *e)
{
	int x = MARGIN, end = v->s->width - MARGIN;
	char text[64];

	clock_format_local(text, e->realtime_ms);
	x = surface_text_in(v->s, x, y, end - x, STYLE_MUTED, text, v->glyphs->cut);
	surface_text_in(v->s, x + 2, y, end - x - 2, event_style(e->kind), e->text, v->glyphs->cut);
}

void status_draw(struct view *v, int y)
{
	const struct screen_model *m = v->m;
	const struct event *e = m->events ? event_log_get(m->events, m->events->last) : NULL;

	if (m->status && m->status[0])
		surface_text_in(v->s, MARGIN, y, v->s->width - 2 * MARGIN,
				m->status_is_error ? STYLE_BAD : STYLE_STATUS, m->status,
				v->glyphs->cut);
	else if (e)
		event_draw(v, y, e);
	else
		hint_draw(v, y);
}

/* ---- the key line ---- */

void keys_draw(struct view *v, int y)
{
	int x = MARGIN, end = v->s->width - MARGIN;

	for (size_t i = 0; i < v->m->n_hints; i++) {
		const struct key_hint *hint = &v->m->hints[i];
		int width;

		if (!hint->label)
			continue;
		width = text_width(hint->keys) + 1 + text_width(hint->label);
		if (x + width > end)
			continue;
		x = surface_text(v->s, x, y, STYLE_KEY, hint->keys);
		x = surface_text(v->s, x + 1, y, STYLE_MUTED, hint->label) + 2;
	}
}
