/*
 * The panel of load streams: what each does to which device, its rate now and its mean, how it
 * wavers, whether its reads came from the disk, and the age of its oldest request in flight, which
 * tells a stuck one. With more than one running, the sum of all is the last line. Keys that steer
 * streams go to the selected one.
 */
#include "view.h"

#include "raidtop/clock.h"
#include "raidtop/text.h"

#define MARGIN 1

enum stream_column_id {
	STREAM_NAME,
	STREAM_ON,
	STREAM_NOW,
	STREAM_MEAN,
	STREAM_BAND,
	STREAM_PROOF,
	STREAM_TIME,
	STREAM_OLDEST,
	STREAM_NOTE,
	N_STREAM_COLUMNS,
};

static const struct stream_column {
	const char *heading;
	int width; /* 0: what is left */
	int from;  /* the narrowest screen that shows it */
	bool at_right;
} stream_columns[N_STREAM_COLUMNS] = {
	[STREAM_NAME] = { "streams", 17, 0, false },  [STREAM_ON] = { "on", 10, 0, false },
	[STREAM_NOW] = { "now", 6, 0, true },         [STREAM_MEAN] = { "mean", 6, 56, true },
	[STREAM_BAND] = { "low-high", 11, 96, true }, [STREAM_PROOF] = { "proof", 10, 66, false },
	[STREAM_TIME] = { "running", 9, 116, true },  [STREAM_OLDEST] = { "oldest", 8, 78, true },
	[STREAM_NOTE] = { "", 0, 56, false },
};

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

static const struct stream_look {
	enum style style;
	const char *says; /* in place of a note; NULL: the note, or why its figures are limited */
} looks[] = {
	[STREAM_STARTING] = { STYLE_MUTED, "starting" },
	[STREAM_PREPARING] = { STYLE_MUTED, "preparing" },
	[STREAM_WAITING] = { STYLE_MUTED, "ready, waits for the others" },
	[STREAM_RUNNING] = { STYLE_BRIGHT, NULL },
	[STREAM_PAUSED] = { STYLE_WARNING, "paused" },
	[STREAM_STOPPING] = { STYLE_MUTED, "stopping" },
	[STREAM_ENDED] = { STYLE_MUTED, NULL },
	[STREAM_FAILED] = { STYLE_BAD, NULL },
};

static void format_age(char *buf, size_t size, uint64_t ns)
{
	char text[32];

	units_format_three(text, sizeof(text), (double)ns / (double)NS_PER_MS);
	text_format(buf, size, "%s ms", text);
}

static void format_name(const struct view *v, const struct stream_view *s, struct stream_cell *cell)
{
	const char *sign = s->state == STREAM_RUNNING  ? v->glyphs->play
			   : s->state == STREAM_PAUSED ? v->glyphs->pause
						       : " ";

	cell->style = looks[s->state].style;
	text_format(cell->text, sizeof(cell->text), "%3u %s %s", s->number, sign, s->spec.workload);
}

static void format_figures(const struct view *v, const struct stream_view *s,
			   struct stream_cell *cells)
{
	struct stream_rates r = rates_of(s);
	char low[32], high[32];

	if (!stream_is_finished(s->state))
		format_rate(v, cells[STREAM_NOW].text, sizeof(cells[0].text), r.now >= 0, r.now);
	cells[STREAM_NOW].style =
		figure_style(r.now >= 0, r.now, r.writes ? STYLE_WRITE : STYLE_READ);
	if (s->running_ns > 0)
		format_rate(v, cells[STREAM_MEAN].text, sizeof(cells[0].text), true, r.mean);
	if (s->low_bytes_per_sec < 0)
		return;
	format_rate(v, low, sizeof(low), true, s->low_bytes_per_sec);
	format_rate(v, high, sizeof(high), true, s->high_bytes_per_sec);
	text_format(cells[STREAM_BAND].text, sizeof(cells[0].text), "%s%s%s", low, v->glyphs->to,
		    high);
}

/* Only what came from the disk is a disk's speed: all else stands out. */
static void format_proof(const struct stream_view *s, struct stream_cell *cell)
{
	cell->style = s->proof == PROOF_DISK      ? STYLE_GOOD
		      : s->proof == PROOF_UNKNOWN ? STYLE_MUTED
						  : STYLE_WARNING;
	if (s->proof == PROOF_DISK && s->disk_pct >= 0)
		text_format(cell->text, sizeof(cell->text), "%s %.0f %%", proof_name(s->proof),
			    s->disk_pct);
	else
		text_copy(cell->text, sizeof(cell->text), proof_name(s->proof));
}

static void format_note(const struct view *v, const struct stream_view *s, struct stream_cell *cell)
{
	const char *says = looks[s->state].says;
	char limit[64] = "", rate[32];

	cell->style = s->state == STREAM_FAILED ? STYLE_BAD : STYLE_MUTED;
	if (s->spec.rate_per_sec > 0 && !stream_is_finished(s->state)) {
		format_rate(v, rate, sizeof(rate), true, (double)s->spec.rate_per_sec);
		text_format(limit, sizeof(limit), "at most %s  ", rate);
	}
	if (s->state == STREAM_PREPARING && s->prepare_bytes > 0)
		text_format(cell->text, sizeof(cell->text), "preparing its file: %u %%",
			    (unsigned int)(s->prepared_bytes / (s->prepare_bytes / 100 + 1)));
	else if (stream_is_finished(s->state))
		text_copy(cell->text, sizeof(cell->text), s->why);
	else
		text_format(cell->text, sizeof(cell->text), "%s%s%s%s", limit,
			    says ? says : s->note, !says && s->note[0] && s->why[0] ? "  " : "",
			    says ? "" : s->why);
}

/* Why it failed is a sentence, and longer than a note: it takes the room of all figures. */
static void draw_failure(const struct view *v, const struct stream_view *s, int y)
{
	int x = MARGIN + stream_columns[STREAM_NAME].width + 1;

	x += stream_columns[STREAM_ON].width + 1;
	surface_fill(v->s, x, y, v->s->width - x, 1, STYLE_TEXT, ' ');
	surface_text_in(v->s, x, y, v->s->width - MARGIN - x, STYLE_BAD, s->why, v->glyphs->cut);
}

static void draw_stream(const struct view *v, const struct stream_view *s, int y)
{
	struct stream_cell cells[N_STREAM_COLUMNS] = { 0 };

	format_name(v, s, &cells[STREAM_NAME]);
	text_copy(cells[STREAM_ON].text, sizeof(cells[0].text), s->spec.device);
	format_figures(v, s, cells);
	format_proof(s, &cells[STREAM_PROOF]);
	if (s->running_ns > 0)
		units_format_clock(cells[STREAM_TIME].text, sizeof(cells[0].text), s->running_ns);
	cells[STREAM_TIME].style = STYLE_MUTED;
	cells[STREAM_BAND].style = STYLE_MUTED;
	cells[STREAM_OLDEST].style = s->oldest_io_ns >= NS_PER_SEC ? STYLE_WARNING : STYLE_MUTED;
	if (s->oldest_io_ns > 0)
		format_age(cells[STREAM_OLDEST].text, sizeof(cells[0].text), s->oldest_io_ns);
	format_note(v, s, &cells[STREAM_NOTE]);
	draw_cells(v, cells, y);
	if (s->state == STREAM_FAILED)
		draw_failure(v, s, y);
	if (s->number == v->screen->stream)
		surface_select_row(v->s, 0, y, v->s->width);
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
	cells[STREAM_NAME].style = STYLE_MUTED;
	text_copy(cells[STREAM_NAME].text, sizeof(cells[0].text), "      sum");
	format_rate(v, cells[STREAM_NOW].text, sizeof(cells[0].text), true, sum.now);
	format_rate(v, cells[STREAM_MEAN].text, sizeof(cells[0].text), true, sum.mean);
	cells[STREAM_NOW].style = cells[STREAM_MEAN].style = STYLE_BRIGHT;
	draw_cells(v, cells, y);
}

/* The first one shown: the newest ones, or those around the selected one. */
static int first_shown(const struct view *v, int n, int room)
{
	int first = n > room ? n - room : 0;

	for (int i = 0; i < first; i++) {
		if (v->m->streams[i].number == v->screen->stream)
			return i;
	}
	return first;
}

void streams_draw(struct view *v, int y, int height)
{
	bool with_sum = count_running(v) > 1 && height >= 4;
	int room = height - 1 - with_sum, n = (int)v->m->n_streams;
	int first = first_shown(v, n, room);

	draw_headings(v, y++);
	for (int i = first; i < n && i < first + room; i++)
		draw_stream(v, &v->m->streams[i], y++);
	if (with_sum)
		draw_sum(v, y);
}

/* ---- which one is selected ---- */

static int find_stream(const struct screen_model *m, unsigned int number)
{
	for (size_t i = 0; i < m->n_streams; i++) {
		if (m->streams[i].number == number)
			return (int)i;
	}
	return -1;
}

bool screen_select_streams(struct screen *s, const struct screen_model *m)
{
	if (find_stream(m, s->stream) >= 0) {
		s->stream = 0;
		return false;
	}
	s->stream = m->n_streams > 0 ? m->streams[m->n_streams - 1].number : 0;
	return s->stream > 0;
}

bool screen_move_stream(struct screen *s, const struct screen_model *m, int by)
{
	int at = find_stream(m, s->stream), last = (int)m->n_streams - 1;

	if (at < 0) {
		s->stream = 0;
		return false;
	}
	at += by;
	s->stream = m->streams[at < 0 ? 0 : at > last ? last : at].number;
	return true;
}
