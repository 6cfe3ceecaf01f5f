/*
 * The page that is watched: divides the screen's lines among header, headings, the scrolled
 * part, streams, time line, status line and key line. What matters least falls away first as
 * the screen becomes lower.
 */
#include "view.h"

/* Smaller than this only the totals are shown. */
#define TABLE_WIDTH 40
#define TABLE_HEIGHT 10
/* Lower than this there is no time line, except in a replay. */
#define TIMELINE_HEIGHT 16
/* Lower than this streams are only counted, in the header. */
#define STREAMS_HEIGHT 14

struct regions {
	int heading_y, body_y, body_height;
	int streams_y, streams_height;
	int time_y; /* -1: none */
	int status_y, keys_y;
};

/* A heading, a line each and their sum, but not more than a third of the screen. */
static int streams_height(const struct view *v)
{
	int n = (int)v->m->n_streams, most = v->s->height / 3;
	int lines = n == 0 ? 0 : n == 1 ? 2 : n + 2;

	if (v->s->height < STREAMS_HEIGHT)
		return 0;
	return lines < most ? lines : most;
}

static struct regions divide(const struct view *v)
{
	struct regions r = { .heading_y = 1, .body_y = 2, .time_y = -1 };
	int end = v->s->height;

	r.keys_y = --end;
	r.status_y = --end;
	if (v->m->transport || v->s->height >= TIMELINE_HEIGHT)
		r.time_y = --end;
	r.streams_height = streams_height(v);
	r.streams_y = end -= r.streams_height;
	/* A blank line above, where there are lines enough. */
	if (r.streams_height > 0 && v->s->height >= TIMELINE_HEIGHT)
		end--;
	r.body_height = end - r.body_y;
	return r;
}

static void draw_body(struct view *v, const struct regions *r)
{
	rows_build(v, r->body_height);
	v->scratch->body_height = r->body_height;
	rows_find_selected(v);
	rows_scroll(v, r->body_height);
	if (v->scratch->n_rows == 0)
		nothing_draw(v, r->body_y, r->body_height);
	else
		table_draw(v, r->heading_y, r->body_y, r->body_height);
}

void watch_draw(struct view *v)
{
	struct regions r;

	rows_survey(v);
	if (v->s->width < TABLE_WIDTH || v->s->height < TABLE_HEIGHT) {
		totals_draw(v);
		return;
	}
	r = divide(v);
	draw_body(v, &r);
	header_draw(v, 0);
	if (r.streams_height > 0)
		streams_draw(v, r.streams_y, r.streams_height);
	if (r.time_y >= 0)
		timeline_draw(v, r.time_y);
	status_draw(v, r.status_y);
	keys_draw(v, r.keys_y);
}
