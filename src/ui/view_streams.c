/*
 * The panel of load streams: what each does to which device, its rate now and its mean, for how
 * long, and the age of its oldest request in flight, which tells a stuck one. With more than one
 * running, the sum of all is the last line.
 */
#include "view.h"

#include "raidtop/clock.h"
#include "raidtop/text.h"

#define MARGIN 1

static const struct stream_column {
	const char *heading;
	int width;
	int from; /* the narrowest screen that shows it */
	bool at_right;
} stream_columns[] = {
	{ "streams", 16, 0, false }, { "on", 12, 0, false },      { "now", 7, 0, true },
	{ "mean", 7, 56, true },     { "running", 11, 72, true }, { "oldest", 9, 84, true },
	{ "", 0, 56, false },
};
#define N_STREAM_COLUMNS (sizeof(stream_columns) / sizeof(stream_columns[0]))

struct stream_cell {
	char text[200];
	enum style style;
};

static void draw_cells(const struct view *v, const struct stream_cell *cells, int y)
{
	int x = MARGIN;

	for (size_t i = 0; i < N_STREAM_COLUMNS; i++) {
		const struct stream_column *c = &stream_columns[i];
		int width = c->width > 0 ? c->width : v->s->width - MARGIN - x - 1;

		if (v->s->width < c->from)
			continue;
		if (c->at_right)
			surface_text_right(v->s, x, y, width, cells[i].style, cells[i].text);
		else
			surface_text_in(v->s, x + (c->width == 0), y, width, cells[i].style,
					cells[i].text, v->glyphs->cut);
		x += width + 1;
	}
}

static void draw_headings(const struct view *v, int y)
{
	struct stream_cell cells[N_STREAM_COLUMNS];

	for (size_t i = 0; i < N_STREAM_COLUMNS; i++) {
		cells[i].style = i == 0 ? STYLE_TITLE : STYLE_MUTED;
		text_copy(cells[i].text, sizeof(cells[i].text), stream_columns[i].heading);
	}
	draw_cells(v, cells, y);
}

struct stream_rates {
	double now; /* < 0: unknown */
	double mean;
	bool writes;
};

static struct stream_rates rates_of(const struct stream_view *s)
{
	struct stream_rates r = { .now = s->read_bytes_per_sec };

	r.writes = s->write_bytes > s->read_bytes;
	if (s->write_bytes_per_sec > 0)
		r.now = (r.now > 0 ? r.now : 0) + s->write_bytes_per_sec;
	if (s->running_ns > 0)
		r.mean = (double)(s->read_bytes + s->write_bytes) / (double)s->running_ns *
			 (double)NS_PER_SEC;
	return r;
}

static enum style state_style(enum stream_state state)
{
	static const enum style styles[] = {
		[STREAM_STARTING] = STYLE_MUTED, [STREAM_RUNNING] = STYLE_BRIGHT,
		[STREAM_STOPPING] = STYLE_MUTED, [STREAM_ENDED] = STYLE_MUTED,
		[STREAM_FAILED] = STYLE_BAD,     [STREAM_PREPARING] = STYLE_MUTED,
		[STREAM_WAITING] = STYLE_MUTED,  [STREAM_PAUSED] = STYLE_MUTED,
	};

	return styles[state];
}

static void format_oldest(const struct stream_view *s, struct stream_cell *cell)
{
	double ms = (double)s->oldest_io_ns / (double)NS_PER_MS;
	char text[32];

	cell->style = ms >= 1000 ? STYLE_WARNING : STYLE_MUTED;
	if (s->oldest_io_ns == 0)
		return;
	units_format_three(text, sizeof(text), ms);
	text_format(cell->text, sizeof(cell->text), "%s ms", text);
}

static void draw_stream(const struct view *v, const struct stream_view *s, int y)
{
	struct stream_cell cells[N_STREAM_COLUMNS] = { 0 };
	struct stream_rates r = rates_of(s);

	cells[0].style = state_style(s->state);
	text_format(cells[0].text, sizeof(cells[0].text), "%3u %s %s", s->number,
		    s->state == STREAM_RUNNING ? v->glyphs->play : " ", s->spec.workload);
	cells[1].style = STYLE_TEXT;
	text_copy(cells[1].text, sizeof(cells[1].text), s->spec.device);
	if (!stream_is_finished(s->state))
		format_rate(v, cells[2].text, sizeof(cells[2].text), r.now >= 0, r.now);
	cells[2].style = figure_style(r.now >= 0, r.now, r.writes ? STYLE_WRITE : STYLE_READ);
	if (s->running_ns > 0)
		format_rate(v, cells[3].text, sizeof(cells[3].text), true, r.mean);
	cells[3].style = STYLE_TEXT;
	cells[4].style = STYLE_MUTED;
	if (s->running_ns > 0)
		units_format_clock(cells[4].text, sizeof(cells[4].text), s->running_ns);
	format_oldest(s, &cells[5]);
	cells[6].style = s->state == STREAM_FAILED ? STYLE_BAD : STYLE_MUTED;
	text_copy(cells[6].text, sizeof(cells[6].text),
		  s->why[0]                    ? s->why
		  : s->state == STREAM_RUNNING ? ""
					       : stream_state_name(s->state));
	draw_cells(v, cells, y);
}

static size_t count_running(const struct view *v)
{
	size_t n = 0;

	for (size_t i = 0; i < v->m->n_streams; i++)
		n += !stream_is_finished(v->m->streams[i].state);
	return n;
}

static void draw_sum(const struct view *v, int y)
{
	struct stream_cell cells[N_STREAM_COLUMNS] = { 0 };
	struct stream_rates sum = { 0 };

	for (size_t i = 0; i < v->m->n_streams; i++) {
		struct stream_rates r = rates_of(&v->m->streams[i]);

		if (stream_is_finished(v->m->streams[i].state))
			continue;
		sum.now += r.now > 0 ? r.now : 0;
		sum.mean += r.mean;
	}
	cells[0].style = STYLE_MUTED;
	text_copy(cells[0].text, sizeof(cells[0].text), "      sum");
	format_rate(v, cells[2].text, sizeof(cells[2].text), true, sum.now);
	format_rate(v, cells[3].text, sizeof(cells[3].text), true, sum.mean);
	cells[2].style = cells[3].style = STYLE_BRIGHT;
	draw_cells(v, cells, y);
}

/* The newest are shown where not all fit. */
void streams_draw(struct view *v, int y, int height)
{
	bool with_sum = count_running(v) > 1 && height >= 4;
	int room = height - 1 - with_sum, n = (int)v->m->n_streams;
	int first = n > room ? n - room : 0;

	draw_headings(v, y++);
	for (int i = first; i < n; i++)
		draw_stream(v, &v->m->streams[i], y++);
	if (with_sum)
		draw_sum(v, y);
}
