/*
 * An array's panel: the title line (name, shape, slots, what runs on it, badges with the most
 * severe at the right end), the figures in words, and the graph with reading above and writing
 * below, each with its band and mean behind it and its scale at the right.
 */
#include "view.h"

#include <math.h>
#include <string.h>

#include "raidtop/array_facts.h"
#include "raidtop/clock.h"
#include "raidtop/text.h"
#include "bandgraph.h"
#include "columns.h"
#include "scale.h"

#define MARGIN 1
#define SCALE_WIDTH 11
#define BAR_WIDTH 20

/* ---- slots ---- */

/* The state of the member in a role: one that is being rebuilt has no U yet. */
static bool role_is_rebuilding(const struct array *a, size_t role)
{
	for (size_t i = 0; i < a->n_members; i++)
		if (a->members[i].role == (int32_t)role && a->members[i].state == MEMBER_REBUILDING)
			return true;
	return false;
}

static void put_slot(const struct view *v, const struct array *a, size_t i, int x, int y)
{
	char slot = a->slots[i];
	enum style style = slot == 'U' ? STYLE_GOOD : STYLE_BAD;

	if (slot != 'U' && role_is_rebuilding(a, i)) {
		slot = 'R';
		style = STYLE_WARNING;
	}
	surface_put(v->s, x, y, style, (uint32_t)slot);
}

/*
 * A map that is too long is cut, but never so that all looks well: behind the cut stands the first
 * of the slots left out that is not in sync.
 */
int array_draw_slots(const struct view *v, const struct array *a, int x, int y, int width)
{
	size_t n = strlen(a->slots), room = width < 3 ? 0 : (size_t)width - 2, shown = n, lost = n;

	if (n == 0 || room == 0)
		return x;
	if (n > room) {
		shown = room - 1;
		lost = shown + strspn(a->slots + shown, "U");
	}
	if (lost < n && shown > 0) {
		shown--;
		lost = shown + strspn(a->slots + shown, "U");
	}
	surface_put(v->s, x++, y, STYLE_MUTED, '[');
	for (size_t i = 0; i < shown; i++)
		put_slot(v, a, i, x++, y);
	if (shown < n && (lost == n || room > 1))
		surface_put(v->s, x++, y, STYLE_MUTED, v->glyphs->cut);
	if (lost < n)
		put_slot(v, a, lost, x++, y);
	surface_put(v->s, x++, y, STYLE_MUTED, ']');
	return x;
}

/* ---- the title ---- */

static void add_name(struct line *l, const struct device *d)
{
	const struct array *a = d->array;

	line_add(l, STYLE_TITLE, 0, "%s", d->name);
	if (a->alias[0] && strcmp(a->alias, d->name) != 0)
		line_add(l, STYLE_TEXT, 5, "(%s)", a->alias);
	line_add(l, STYLE_TEXT, 1, "%s", a->level[0] ? a->level : a->kind);
}

/* 80 GB and not 80.0 GB: sizes are mostly round. */
static void format_size(char *buf, size_t size, enum units units, uint64_t bytes)
{
	char *space, *end;

	units_format_size(buf, size, units, bytes);
	space = strchr(buf, ' ');
	if (!space || !strchr(buf, '.'))
		return;
	end = space;
	while (end[-1] == '0')
		end--;
	if (end[-1] == '.')
		end--;
	memmove(end, space, strlen(space) + 1);
}

/* The size of all members where they are alike: "5 x 500 GB". */
static bool like_members_size(const struct view *v, const struct array *a, char *buf, size_t size)
{
	char one[32];
	bool is_first = true;

	for (size_t i = 0; i < a->n_members; i++) {
		int slot = a->members[i].device;
		uint64_t bytes =
			slot == NO_SLOT ? UNKNOWN_U64 : v->m->topology->devices[slot]->size_bytes;

		if (a->members[i].state == MEMBER_SPARE || a->members[i].state == MEMBER_MISSING)
			continue;
		if (bytes == UNKNOWN_U64)
			return false;
		format_size(one, sizeof(one), UNITS_SI, bytes);
		if (!is_first && strcmp(one, buf) != 0)
			return false;
		text_copy(buf, size, one);
		is_first = false;
	}
	return !is_first;
}

static void add_shape(struct line *l, const struct view *v, const struct device *d)
{
	const struct array *a = d->array;
	char size[32] = "", chunk[32], total[32], fact[ARRAY_FACT_BYTES];
	uint64_t disks = a->raid_disks;

	if (disks == UNKNOWN_U64)
		disks = a->n_members;
	format_size(total, sizeof(total), UNITS_SI, d->size_bytes);
	if (array_fact_format(ARRAY_FACT_DISKS, v->m->topology, d, v->m->units, fact, sizeof(fact)))
		line_add(l, STYLE_TEXT, 3, "%s", fact);
	else if (like_members_size(v, a, size, sizeof(size)))
		line_add(l, STYLE_TEXT, 3, "%llu %s %s", (unsigned long long)disks,
			 v->glyphs->times, size);
	else
		line_add(l, STYLE_TEXT, 3, "%llu %s", (unsigned long long)disks,
			 disks == 1 ? "disk" : "disks");
	if (d->size_bytes != UNKNOWN_U64)
		line_add(l, STYLE_MUTED, 7, "= %s", total);
	if (a->layout[0])
		line_add(l, STYLE_MUTED, 6, "%s", a->layout);
	if (a->chunk_bytes != UNKNOWN_U64 && a->chunk_bytes > 0) {
		format_size(chunk, sizeof(chunk), UNITS_IEC, a->chunk_bytes);
		line_add(l, STYLE_MUTED, 6, "%s chunks", chunk);
	}
}

/* What else there is to say, the least important falling away first on a narrow screen. */
static void add_facts(struct line *l, const struct view *v, const struct device *d)
{
	static const struct {
		enum array_fact which;
		int rank;
	} facts[] = {
		{ ARRAY_FACT_VOLUME, 5 },       { ARRAY_FACT_HOLDS, 5 },   { ARRAY_FACT_SPARES, 6 },
		{ ARRAY_FACT_RESHAPE, 7 },      { ARRAY_FACT_JOURNAL, 7 }, { ARRAY_FACT_LIMITS, 8 },
		{ ARRAY_FACT_STRIPE_CACHE, 8 },
	};
	char fact[ARRAY_FACT_BYTES];

	for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]); i++)
		if (array_fact_format(facts[i].which, v->m->topology, d, v->m->units, fact,
				      sizeof(fact)))
			line_add(l, STYLE_MUTED, facts[i].rank, "%s", fact);
}

static void add_slots(struct line *l, const struct array *a, int most)
{
	int n = (int)strlen(a->slots);

	if (n == 0)
		return;
	line_add(l, STYLE_TEXT, 1, "[%.*s]", n < most ? n : most, a->slots);
	l->items[l->n - 1].slots = a;
}

/* At the measured speed, with the kernel's own estimate beside it; or that one alone. */
static void add_time_left(struct line *l, const struct view *v, int slot,
			  const struct action *action)
{
	const struct array_insights *is = insights_array(v->m->insights, slot);
	bool has_kernel =
		action->finish_s != UNKNOWN_U64 && action->finish_s < UINT64_MAX / NS_PER_SEC;
	char text[64];

	if (!is->time_left_known && !has_kernel)
		return;
	units_format_left(text, sizeof(text),
			  is->time_left_known ? is->time_left_ns : action->finish_s * NS_PER_SEC);
	line_add_right(l, STYLE_TEXT, 3, "%s left", text);
	if (is->time_left_known && has_kernel)
		line_add_right(l, STYLE_MUTED, 6, "(kernel %llu.%llu min)",
			       (unsigned long long)(action->finish_s / 60),
			       (unsigned long long)(action->finish_s % 60 / 6));
}

/* "recovery [####....] 43.1 %  180 MB/s  4 min left", in words where it stands still. */
static void add_action(struct line *l, const struct view *v, int slot, const struct action *action)
{
	const char *kind = action_kind_name(action->kind);
	char text[64];

	if (!kind)
		return;
	line_add_right(l, STYLE_WARNING, 2, "%s", kind);
	if (action->state != ACTION_RUNNING)
		line_add_right(l, STYLE_WARNING, 2, "%s", action_state_name(action->state));
	if (action->percent_tenths != UNKNOWN_I32)
		line_add_right(l, STYLE_BRIGHT, 2, "%d.%d %%", action->percent_tenths / 10,
			       action->percent_tenths % 10);
	if (action->speed_bytes_per_sec != UNKNOWN_U64) {
		units_format_three(text, sizeof(text),
				   units_rate(v->m->units, (double)action->speed_bytes_per_sec));
		line_add_right(l, STYLE_TEXT, 4, "%s %s", text, units_rate_name(v->m->units));
	}
	add_time_left(l, v, slot, action);
}

/* "ampl r 1.00 w 1.25": bytes that its members moved for each of its own, in the last 10 s. */
static void add_amplification(struct line *l, const struct view *v, int slot)
{
	const struct amplification *is = &insights_array(v->m->insights, slot)->amplification;
	const double ratios[SERIES_COUNT] = { is->reads, is->writes };
	char text[64] = "", ratio[32];

	for (enum series s = 0; s < SERIES_COUNT; s++) {
		size_t len = strlen(text);

		if (isnan(ratios[s]))
			continue;
		units_format_three(ratio, sizeof(ratio), ratios[s]);
		text_format(text + len, sizeof(text) - len, " %c %s", s == SERIES_READ ? 'r' : 'w',
			    ratio);
	}
	if (text[0])
		line_add_right(l, STYLE_MUTED, 6, "ampl%s", text);
}

static void draw_bar(struct view *v, int x, int y, int width, int tenths)
{
	int eighths = (int)((int64_t)tenths * width * 8 / 1000);

	surface_put(v->s, x, y, STYLE_FRAME, v->glyphs->bar_left);
	for (int i = 1; i <= width; i++, eighths -= 8) {
		uint32_t rune = eighths >= 8  ? v->glyphs->level[8]
				: eighths > 0 ? v->glyphs->part[eighths]
					      : v->glyphs->bar_rest;

		surface_put(v->s, x + i, y, STYLE_WARNING, rune);
	}
	surface_put(v->s, x + width + 1, y, STYLE_FRAME, v->glyphs->bar_right);
}

void array_draw_title(struct view *v, const struct row *row, int y)
{
	const struct device *d = v->m->topology->devices[row->slot];
	const struct array *a = d->array;
	int end = v->s->width - MARGIN, x, right, rule_end;
	struct line line = { .n = 0 };

	add_name(&line, d);
	add_shape(&line, v, d);
	add_facts(&line, v, d);
	add_slots(&line, a, end / 4);
	add_amplification(&line, v, row->slot);
	add_action(&line, v, row->slot, &a->action);
	trouble_add_badges(&line, v, row->slot);
	x = line_draw(v, &line, MARGIN, end, y, &right);
	rule_end = right < end ? right - 1 : end;
	if (a->action.percent_tenths != UNKNOWN_I32 && action_kind_name(a->action.kind) &&
	    rule_end - x > BAR_WIDTH + 5) {
		rule_end -= BAR_WIDTH + 2;
		draw_bar(v, rule_end, y, BAR_WIDTH, a->action.percent_tenths);
		rule_end--;
	}
	surface_fill(v->s, x + 1, y, rule_end - x - 1, 1, STYLE_FRAME, v->glyphs->rule);
}

/* ---- figures in words, and the graph ---- */

static void band_of(struct view *v, int slot, enum series series, size_t n, struct band *ret)
{
	struct history_cell *cells = scratch_graph(v->scratch, n);

	memset(cells, 0, n * sizeof(*cells));
	if (v->m->history)
		history_read(v->m->history, slot, series, v->end_us, v->cell_us, cells, n);
	band_compute(ret, cells, n, scratch_floats(v->scratch, n));
}

/*
 * "read 189-236  mean 213  (dips down to 158)": low to peak; least to most with few values, and
 * then n is told. `words` may be empty.
 */
static void add_band(struct line *l, const struct view *v, enum series series,
		     const struct band *band, const char *words)
{
	static const char *const names[SERIES_COUNT] = { "read", "write" };
	static const enum style styles[SERIES_COUNT] = { STYLE_READ, STYLE_WRITE };
	char low[32], peak[32], mean[32];

	if (band->n == 0 || !(band->max > 0))
		return;
	units_format_three(low, sizeof(low), units_rate(v->m->units, band->low));
	units_format_three(peak, sizeof(peak), units_rate(v->m->units, band->peak));
	units_format_three(mean, sizeof(mean), units_rate(v->m->units, band->mean));
	line_add(l, styles[series], 1, "%s %s%s%s", names[series], low, v->glyphs->to, peak);
	line_add(l, STYLE_MUTED, 3, "mean %s", mean);
	line_add(l, STYLE_TEXT, 2, "%s", words);
	if (!band->from_quantiles)
		line_add(l, STYLE_MUTED, 4, "n %zu", band->n);
}

static void format_words(const struct view *v, int slot, enum series series, char *buf, size_t size)
{
	const struct note_style style = { .units = v->m->units, .to = v->glyphs->to };
	struct note note;

	insights_note(v->m->insights, slot, series, &note);
	note_format(buf, size, &note, &style);
}

static int graph_width(const struct view *v)
{
	int width = v->s->width - 2 * MARGIN - SCALE_WIDTH;

	return width > 1 ? width : 0;
}

/*
 * Where the words do not fit beside the figures, they are left out rather than crowd out a mean
 * and then fall away themselves.
 */
static void build_bands(struct view *v, int slot, bool with_words, struct line *line)
{
	size_t n = (size_t)graph_width(v);
	struct trouble trouble;
	const struct row row = { .kind = ROW_FIGURES, .slot = slot, .array = slot };
	struct band band;

	line->n = 0;
	if (v->s->width < STATE_WORDS_FROM && trouble_of_row(v, &row, ITEM_BYTES, &trouble))
		line_add(line, trouble.style, 0, "%s", trouble.text);
	for (enum series s = 0; s < SERIES_COUNT; s++) {
		char words[ITEM_BYTES] = "";

		band_of(v, slot, s, n, &band);
		if (with_words)
			format_words(v, slot, s, words, sizeof(words));
		add_band(line, v, s, &band, words);
	}
}

void array_draw_bands(struct view *v, int slot, int x, int y, int width)
{
	struct line line;
	int right;

	build_bands(v, slot, true, &line);
	if (line_width(&line, 2) > width)
		build_bands(v, slot, false, &line);
	if (line.n > 0)
		line_draw(v, &line, x, x + width, y, &right);
}

/* The scale at the right edge: its top with the unit, and at its foot what is drawn. */
static void draw_scale(struct view *v, int y, int lines, double top, const char *name,
		       enum style style)
{
	int x = v->s->width - MARGIN - SCALE_WIDTH, after;
	char text[32];

	scale_format(text, sizeof(text), top, v->m->units);
	for (int i = 0; i < lines; i++)
		surface_put(v->s, x, y + i, STYLE_FRAME, v->glyphs->tick);
	if (lines > 1 && top > 0) {
		after = surface_text(v->s, x + 2, y, STYLE_TEXT, text);
		surface_text(v->s, after + 1, y, STYLE_MUTED, units_rate_name(v->m->units));
	}
	surface_text(v->s, x + 2, y + lines - 1, style, name);
}

static void draw_half(struct view *v, int slot, enum series series, int y, int lines, double top)
{
	static const enum style styles[] = { STYLE_READ, STYLE_WRITE };
	static const enum style bands[] = { STYLE_READ_BAND, STYLE_WRITE_BAND };
	static const char *const names[] = { "read", "write" };
	size_t n = (size_t)graph_width(v);
	struct bandgraph g = {
		.n = n,
		.top = top,
		.height = lines,
		.style = styles[series],
		.band_style = bands[series],
		.glyphs = v->glyphs,
	};

	band_of(v, slot, series, n, &g.band);
	g.cells = v->scratch->graph;
	bandgraph_draw(v->s, MARGIN, y, &g);
	draw_scale(v, y, lines, top, names[series], styles[series]);
}

/*
 * How many of the lines reading gets. Half of them, or all but one where the other direction is
 * next to nothing all over the graph: a flat line needs no more.
 */
static int split_lines(int lines, double read, double write)
{
	if (write < read / 50)
		return lines - 1;
	if (read < write / 50)
		return 1;
	return (lines + 1) / 2;
}

void array_draw_graph(struct view *v, int slot, int y, int lines)
{
	double *scale = &v->scratch->scales[curves_own_scale(slot)];
	size_t n = (size_t)graph_width(v);
	struct band read, write;
	int above;

	if (n == 0)
		return;
	band_of(v, slot, SERIES_READ, n, &read);
	band_of(v, slot, SERIES_WRITE, n, &write);
	*scale = scale_top(read.max > write.max ? read.max : write.max, *scale, v->m->units);
	above = split_lines(lines, read.max, write.max);
	draw_half(v, slot, SERIES_READ, y, above, *scale);
	draw_half(v, slot, SERIES_WRITE, y + above, lines - above, *scale);
}
