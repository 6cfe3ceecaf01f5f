/*
 * The time line at the bottom, the same live and in replay: how far the past that is held
 * reaches, the events on it, and where we stand. In a replay its left part is the transport:
 * playing or not, how fast, where of how much.
 */
#include "view.h"

#include "raidtop/clock.h"
#include "raidtop/text.h"

#define MARGIN 1
/* A time line shorter than this tells nothing. */
#define LEAST_WIDTH 12
#define LEAST_SPAN_US (60 * US_PER_SEC)

struct span {
	uint64_t begin_us, end_us;
	int x, width; /* of the line between its ends */
};

static int column_of(const struct span *s, uint64_t us)
{
	double share;

	if (us <= s->begin_us || s->end_us <= s->begin_us)
		return s->x;
	if (us >= s->end_us)
		return s->x + s->width - 1;
	share = (double)(us - s->begin_us) / (double)(s->end_us - s->begin_us);
	return s->x + (int)(share * (s->width - 1) + 0.5);
}

static enum style mark_style(enum event_kind kind)
{
	switch (kind) {
	case EVENT_MEMBER_FAILED:
	case EVENT_GONE:
	case EVENT_NO_ANSWER:
		return STYLE_BAD;
	case EVENT_ARRAY_STATE:
	case EVENT_GAP:
	case EVENT_STRAGGLER:
	case EVENT_RMW:
		return STYLE_WARNING;
	case EVENT_REBUILD_END:
	case EVENT_ANSWER:
		return STYLE_GOOD;
	case EVENT_MARK:
		return STYLE_MARK;
	case EVENT_STREAM_START:
	case EVENT_STREAM_STOP:
	case EVENT_MEMBER_ADDED:
	case EVENT_REBUILD_START:
	case EVENT_ACTION_CHANGE:
	case EVENT_APPEARED:
	case EVENT_STRAGGLER_END:
	case EVENT_RMW_END:
	case EVENT_LEVEL_CHANGE:
	case EVENT_KIND_COUNT:
		break;
	}
	return STYLE_TEXT;
}

static void draw_events(const struct view *v, const struct span *span, int y)
{
	const struct event_log *log = v->m->events;
	uint64_t number = 1;

	if (!log)
		return;
	if (log->last > EVENT_LOG_SIZE)
		number = log->last - EVENT_LOG_SIZE + 1;
	for (; number <= log->last; number++) {
		const struct event *e = event_log_get(log, number);

		if (e && e->elapsed_us >= span->begin_us && e->elapsed_us <= span->end_us)
			surface_put(v->s, column_of(span, e->elapsed_us), y, mark_style(e->kind),
				    v->glyphs->event);
	}
}

static void draw_line(const struct view *v, const struct span *span, uint64_t now_us, int y)
{
	int here = column_of(span, now_us);

	surface_put(v->s, span->x - 1, y, STYLE_FRAME, v->glyphs->line_left);
	surface_put(v->s, span->x + span->width, y, STYLE_FRAME, v->glyphs->line_right);
	surface_fill(v->s, span->x, y, here - span->x, 1, STYLE_MUTED, v->glyphs->played);
	surface_fill(v->s, here, y, span->x + span->width - here, 1, STYLE_FRAME, v->glyphs->rule);
	draw_events(v, span, y);
	surface_put(v->s, here, y, STYLE_BRIGHT, v->glyphs->here);
}

static void format_speed(char *buf, size_t size, double speed)
{
	if (speed >= 1)
		text_format(buf, size, "%d", (int)(speed + 0.5));
	else
		units_format_three(buf, size, speed);
}

static int draw_transport(const struct view *v, int y)
{
	const struct transport *t = v->m->transport;
	char speed[32], now[32], end[32];
	struct line line = { .n = 0 };
	int right;

	format_speed(speed, sizeof(speed), t->speed);
	units_format_clock(now, sizeof(now), t->now_us * NS_PER_US);
	units_format_clock(end, sizeof(end), t->end_us * NS_PER_US);
	line_add(&line, STYLE_BRIGHT, 1, "%s %s%s", t->playing ? v->glyphs->play : v->glyphs->pause,
		 speed, v->glyphs->times);
	line_add(&line, STYLE_BRIGHT, 0, "%s", now);
	line_add(&line, STYLE_MUTED, 2, "/ %s", end);
	if (t->at_end)
		line_add(&line, STYLE_MUTED, 3, "end of the recording");
	if (t->damaged_lines > 0)
		line_add(&line, STYLE_WARNING, 4, "%llu damaged line%s passed over",
			 (unsigned long long)t->damaged_lines, t->damaged_lines == 1 ? "" : "s");
	return line_draw(v, &line, MARGIN, v->s->width - MARGIN, y, &right);
}

static void draw_replay(const struct view *v, int y)
{
	const struct transport *t = v->m->transport;
	struct span span = { .begin_us = 0, .end_us = t->end_us };

	span.x = draw_transport(v, y) + 3;
	span.width = v->s->width - MARGIN - 1 - span.x;
	if (span.width >= LEAST_WIDTH)
		draw_line(v, &span, t->now_us, y);
}

static void draw_live(const struct view *v, int y)
{
	struct span span = { .end_us = v->m->history ? history_end_us(v->m->history) : 0 };
	const char *word = v->m->paused ? "paused" : "live";
	char text[32];

	span.begin_us = v->m->history ? history_begin_us(v->m->history) : 0;
	if (span.end_us < span.begin_us + LEAST_SPAN_US)
		span.end_us = span.begin_us + LEAST_SPAN_US;
	units_format_left(text, sizeof(text), (span.end_us - span.begin_us) * NS_PER_US);
	span.x = surface_text(v->s, MARGIN, y, STYLE_MUTED, text) + 2;
	span.width = v->s->width - MARGIN - span.x - text_width(word) - 2;
	if (span.width < LEAST_WIDTH)
		return;
	draw_line(v, &span, v->end_us, y);
	surface_text(v->s, span.x + span.width + 2, y, STYLE_MUTED, word);
}

void timeline_draw(struct view *v, int y)
{
	if (v->m->transport)
		draw_replay(v, y);
	else
		draw_live(v, y);
}
