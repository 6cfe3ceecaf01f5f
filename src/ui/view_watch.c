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

/* A heading, a line each and their sum. */
static int streams_wanted(const struct view *v)
{
	int n = (int)v->m->n_streams;

	if (v->s->height < STREAMS_HEIGHT)
		return 0;
	return n == 0 ? 0 : n == 1 ? 2 : n + 2;
}

/* Of them up to a third of the screen, and what the devices above leave blank. */
static void divide_streams(const struct view *v, struct regions *r, int end)
{
	int wanted = streams_wanted(v), most = v->s->height / 3;
	/* A blank line above, where there are lines enough. */
	int blank = wanted > 0 && v->s->height >= TIMELINE_HEIGHT;

	r->streams_height = wanted < most ? wanted : most;
	r->body_height = end - r->streams_height - blank - r->body_y;
	if (wanted > r->streams_height) {
		int more = wanted - r->streams_height;
		int left = r->body_height - rows_used(v, r->body_height);

		more = more < left ? more : left;
		r->streams_height += more;
		r->body_height -= more;
	}
	r->streams_y = end - r->streams_height;
}

static struct regions divide(const struct view *v)
{
	struct regions r = { .heading_y = 1, .body_y = 2, .time_y = -1 };
	int end = v->s->height;

	r.keys_y = --end;
	r.status_y = --end;
	if (v->m->transport || v->s->height >= TIMELINE_HEIGHT)
		r.time_y = --end;
	divide_streams(v, &r, end);
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
