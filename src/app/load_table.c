/*
 * The final table: a line a stream in the order in which they were started, their sum, and for each
 * array that a stream ran on what its members did meanwhile. Headings tell the units.
 */
#include "load_tell.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "raidtop/clock.h"
#include "raidtop/memory.h"
#include "raidtop/number.h"
#include "raidtop/proof.h"
#include "text_table.h"

enum { CELL = TEXT_TABLE_CELL_BYTES };

#define KEYS 2 /* stream and on: they begin each line of a table that is too wide */

enum column_id {
	COLUMN_STREAM,
	COLUMN_ON,
	COLUMN_MEAN,
	COLUMN_LOW,
	COLUMN_HIGH,
	COLUMN_TO_DISK,
	COLUMN_OPS,
	COLUMN_P50,
	COLUMN_P95,
	COLUMN_P99,
	COLUMN_P999,
	COLUMN_MAX,
	COLUMN_CPU,
	COLUMN_SECONDS,
	COLUMN_PROOF,
	COLUMN_NOTE,
	COLUMNS,
};

static const struct {
	const char *heading;
	bool at_right;
	bool is_rate; /* its heading gets the unit */
} columns[COLUMNS] = {
	[COLUMN_STREAM] = { "stream", false, false }, [COLUMN_ON] = { "on", false, false },
	[COLUMN_MEAN] = { "mean", true, true },       [COLUMN_LOW] = { "low", true, false },
	[COLUMN_HIGH] = { "high", true, false },      [COLUMN_TO_DISK] = { "to disk", true, false },
	[COLUMN_OPS] = { "per s", true, false },      [COLUMN_P50] = { "ms p50", true, false },
	[COLUMN_P95] = { "p95", true, false },        [COLUMN_P99] = { "p99", true, false },
	[COLUMN_P999] = { "p99.9", true, false },     [COLUMN_MAX] = { "max", true, false },
	[COLUMN_CPU] = { "CPU %", true, false },      [COLUMN_SECONDS] = { "s", true, false },
	[COLUMN_PROOF] = { "proof", false, false },   [COLUMN_NOTE] = { "note", false, false },
};

/* ---- cells ---- */

static void set_number(char *cell, double value)
{
	if (value >= 0)
		units_format_three(cell, CELL, value);
	else
		text_copy(cell, CELL, "-"); /* NAN, too */
}

static bool all_count_files(const struct load_tally *t)
{
	for (size_t i = 0; i < t->n; i++) {
		if (!stream_kind_counts_files(t->views[i].spec.workload))
			return false;
	}
	return true;
}

static void set_rate(const struct load_result *r, char *cell, bool files, double per_sec)
{
	set_number(cell, files ? per_sec : units_rate(r->units, per_sec));
}

static void set_latency(struct text_table_row *row, const struct latency *l)
{
	struct latency_summary sum;
	const uint64_t *values[] = { &sum.p50_ns, &sum.p95_ns, &sum.p99_ns, &sum.p999_ns,
				     &sum.max_ns };

	latency_summarize(&sum, l);
	for (size_t i = 0; sum.count > 0 && i < sizeof(values) / sizeof(values[0]); i++)
		set_number(row->cell[COLUMN_P50 + i], (double)*values[i] / (double)NS_PER_MS);
}

/* With both kinds the slower one's: what people wait for. JSON has each. */
static const struct latency *slower(const struct latency *read, const struct latency *write)
{
	struct latency_summary r, w;

	latency_summarize(&r, read);
	latency_summarize(&w, write);
	if (r.count == 0 || w.count == 0)
		return r.count == 0 ? write : read;
	return r.p50_ns > w.p50_ns ? read : write;
}

static double cpu_pct(const struct stream_view *v)
{
	if (v->running_ns == 0)
		return (double)NAN;
	return 100 * (double)(v->cpu_user_ns + v->cpu_system_ns) / (double)v->running_ns;
}

/* Under a heading that has the unit of the others, files a second say that they are. */
static void add_unit(const struct load_result *r, struct text_table_row *row)
{
	if (all_count_files(r->tally))
		return;
	for (enum column_id c = COLUMN_MEAN; c <= COLUMN_TO_DISK; c++) {
		if (row->cell[c][0] && strcmp(row->cell[c], "-") != 0)
			text_format(row->cell[c] + strlen(row->cell[c]),
				    CELL - strlen(row->cell[c]), " files/s");
	}
}

static void set_summary(const struct load_result *r, struct text_table_row *row, bool files,
			const struct stream_summary *sum)
{
	bool has_band = sum->note.band.n > 0;

	set_rate(r, row->cell[COLUMN_MEAN], files, sum->mean);
	set_rate(r, row->cell[COLUMN_LOW], files, has_band ? sum->note.band.low : (double)NAN);
	set_rate(r, row->cell[COLUMN_HIGH], files, has_band ? sum->note.band.peak : (double)NAN);
	if (!isnan(sum->mean_to_disk))
		set_rate(r, row->cell[COLUMN_TO_DISK], files, sum->mean_to_disk);
	if (files)
		add_unit(r, row);
}

static void set_note(const struct load_result *r, char *cell, const struct stream_view *v,
		     const struct stream_summary *sum)
{
	struct note_style style = { r->units, true, "-" };

	if (v->state == STREAM_FAILED) {
		text_format(cell, CELL, "FAILED: %s", v->why);
		return;
	}
	if (stream_kind_counts_files(v->spec.workload))
		text_copy(cell, CELL, v->note);
	else
		note_format(cell, CELL, &sum->note, &style);
	if (sum->warmup.state == WARMUP_SETTLED && sum->warmup.n_values > 0)
		text_format(cell + strlen(cell), CELL - strlen(cell), "%swarm-up %.0f s",
			    cell[0] ? ", " : "", (double)sum->warmup.n_values * sum->slot_s);
	else if (sum->warmup.state == WARMUP_NOT_SETTLED)
		text_format(cell + strlen(cell), CELL - strlen(cell), "%snot settled",
			    cell[0] ? ", " : "");
}

/* ---- streams ---- */

static void add_stream(const struct load_result *r, struct text_table *table, size_t i)
{
	const struct stream_view *v = &r->tally->views[i];
	bool files = stream_kind_counts_files(v->spec.workload);
	struct text_table_row *row = text_table_add_row(table);
	struct stream_summary sum;
	double seconds = (double)v->running_ns / 1e9;

	load_tally_stream(r->tally, i, &sum);
	text_format(row->cell[COLUMN_STREAM], CELL, "%u %s", v->number, v->spec.workload);
	text_copy(row->cell[COLUMN_ON], CELL, v->spec.device[0] ? v->spec.device : "-");
	set_summary(r, row, files, &sum);
	if (seconds > 0)
		set_number(row->cell[COLUMN_OPS], (double)(v->read_ios + v->write_ios) / seconds);
	set_latency(row, slower(v->read_latency, v->write_latency));
	set_number(row->cell[COLUMN_CPU], cpu_pct(v));
	number_format_double(row->cell[COLUMN_SECONDS], seconds, 1);
	proof_format(row->cell[COLUMN_PROOF], CELL, v->proof, v->disk_pct);
	set_note(r, row->cell[COLUMN_NOTE], v, &sum);
}

/* Files and bytes are not added up. */
static bool can_be_summed(const struct load_tally *t)
{
	size_t files = 0;

	for (size_t i = 0; i < t->n; i++)
		files += stream_kind_counts_files(t->views[i].spec.workload);
	return t->n > 1 && (files == 0 || files == t->n);
}

static void add_sum(const struct load_result *r, struct text_table *table)
{
	struct text_table_row *row = text_table_add_row(table);
	struct note_style style = { r->units, true, "-" };
	struct latency *merged = memory_new(2, sizeof(*merged));
	struct load_sum sum;
	double seconds;

	load_tally_sum(r->tally, &sum);
	text_copy(row->cell[COLUMN_STREAM], CELL, "sum");
	set_summary(r, row, all_count_files(r->tally), &sum.summary);
	set_latency(row, slower(load_tally_latency(r->tally, STREAM_HIST_READ, &merged[0]),
				load_tally_latency(r->tally, STREAM_HIST_WRITE, &merged[1])));
	free(merged);
	seconds = sum.has_times ? (double)sum.times.union_ns / 1e9 : 0;
	if (seconds > 0)
		set_number(row->cell[COLUMN_OPS], (double)sum.ios / seconds);
	number_format_double(row->cell[COLUMN_SECONDS], seconds, 1);
	if (!all_count_files(r->tally))
		note_format(row->cell[COLUMN_NOTE], CELL, &sum.summary.note, &style);
}

static void print_streams(const struct load_result *r, struct buffer *out)
{
	struct text_table table;
	char heading[64];

	text_table_init(&table);
	for (size_t i = 0; i < COLUMNS; i++) {
		text_copy(heading, sizeof(heading), columns[i].heading);
		if (columns[i].is_rate)
			text_format(heading, sizeof(heading), "%s %s",
				    all_count_files(r->tally) ? "files/s"
							      : units_rate_name(r->units),
				    columns[i].heading);
		text_table_add_column(&table, heading, columns[i].at_right);
	}
	for (size_t i = 0; i < r->tally->n; i++)
		add_stream(r, &table, i);
	if (can_be_summed(r->tally))
		add_sum(r, &table);
	text_table_print(&table, r->width, KEYS, out);
	text_table_release(&table);
}

static void print_finishes(const struct load_result *r, struct buffer *out)
{
	struct stream_group_times times;

	if (r->tally->n < 2 || !stream_group_times(&times, r->tally->views, r->tally->n))
		return;
	buffer_format(out, "first finish after %.1f s, last after %.1f s, %.1f s apart\n",
		      (double)times.first_finish_ns / 1e9, (double)times.last_finish_ns / 1e9,
		      (double)(times.last_finish_ns - times.first_finish_ns) / 1e9);
}

/* ---- arrays ---- */

enum member_column { MEMBER_NAME, MEMBER_READ, MEMBER_READ_PCT, MEMBER_WRITE, MEMBER_WRITE_PCT };

static void set_per_sec(const struct load_result *r, char *cell, double bytes, double seconds)
{
	set_rate(r, cell, false, bytes / seconds);
}

static void add_member(const struct load_result *r, struct text_table *table, const char *name,
		       const struct load_member *m, double seconds)
{
	struct text_table_row *row = text_table_add_row(table);

	text_format(row->cell[MEMBER_NAME], CELL, "  %s", name[0] ? name : "missing");
	set_per_sec(r, row->cell[MEMBER_READ], m->read_bytes, seconds);
	set_number(row->cell[MEMBER_READ_PCT], m->read_share_pct);
	set_per_sec(r, row->cell[MEMBER_WRITE], m->write_bytes, seconds);
	set_number(row->cell[MEMBER_WRITE_PCT], m->write_share_pct);
}

static void print_members(const struct load_result *r, const struct load_array *a,
			  struct buffer *out)
{
	static const char *const headings[] = { "read", "share %", "write", "share %" };
	struct load_member self = { NULL, a->read_bytes, a->write_bytes, (double)NAN, (double)NAN };
	struct text_table table;
	char heading[64];

	text_table_init(&table);
	text_format(heading, sizeof(heading), "%s while load ran, %s", a->device->name,
		    units_rate_name(r->units));
	text_table_add_column(&table, heading, false);
	for (size_t i = 0; i < sizeof(headings) / sizeof(headings[0]); i++)
		text_table_add_column(&table, headings[i], true);
	add_member(r, &table, "the array", &self, a->seconds);
	for (size_t i = 0; i < a->device->array->n_members; i++)
		add_member(r, &table, a->members[i].name, &a->members[i], a->seconds);
	text_table_print(&table, r->width, 1, out);
	text_table_release(&table);
}

static void tell_writes(const struct load_array *a, struct buffer *out)
{
	static const char *const words[] = {
		[RMW_UNKNOWN] = NULL,
		[RMW_NONE] = "full stripes, or nearly",
		[RMW_PARTLY] = "partly read-modify-write",
		[RMW_FULL] = "read-modify-write",
	};
	const struct amplification *m = &a->amplification;

	if (isnan(m->writes))
		return;
	buffer_format(out, "  members wrote %.2f for each byte", m->writes);
	if (!isnan(a->expected_writes))
		buffer_format(out, " (%.2f expected)", a->expected_writes);
	if (!isnan(m->extra_reads))
		buffer_format(out, " and read %.2f for it", m->extra_reads);
	buffer_format(out, "%s%s\n", words[m->rmw] ? ": " : "", words[m->rmw] ? words[m->rmw] : "");
}

static void tell_balance(const struct load_array *a, struct buffer *out)
{
	if (a->balance.reads == BALANCE_FEW_REQUESTS)
		buffer_add_text(out, "  too few requests at once for all mirrors (normal)\n");
	else if (a->balance.reads == BALANCE_UNEVEN)
		buffer_format(out, "  UNEVEN: %s reads less than half a fair share\n",
			      a->members[a->balance.least].name);
}

static void print_arrays(const struct load_result *r, struct buffer *out)
{
	for (size_t i = 0; i < r->topology->n_devices; i++) {
		struct load_array a;

		if (!load_array_judge(r->tally, r->topology, i, &a))
			continue;
		buffer_add_char(out, '\n');
		print_members(r, &a, out);
		tell_writes(&a, out);
		tell_balance(&a, out);
		if (a.action != ACTION_NONE)
			buffer_format(out,
				      "  a %s ran meanwhile: these are not the figures of the "
				      "streams alone\n",
				      action_kind_name(a.action));
		load_array_release(&a);
	}
}

/* What limits a figure, or how a stream came to its end; the same of several said once. */
static void print_remarks(const struct load_result *r, struct buffer *out)
{
	const struct stream_view *views = r->tally->views;
	size_t n = r->tally->n, last;

	for (size_t i = 0; i < n; i = last + 1) {
		last = i;
		while (last + 1 < n && strcmp(views[last + 1].why, views[i].why) == 0 &&
		       views[last + 1].state == views[i].state)
			last++;
		if (views[i].why[0] == '\0' || views[i].state == STREAM_FAILED)
			continue;
		if (last > i)
			buffer_format(out, "streams %u to %u, each: %s\n", views[i].number,
				      views[last].number, views[i].why);
		else
			buffer_format(out, "stream %u: %s\n", views[i].number, views[i].why);
	}
	for (size_t i = 0; i < n; i++) {
		if (views[i].errors > 0)
			buffer_format(out, "stream %u: %" PRIu64 " errors\n", views[i].number,
				      views[i].errors);
	}
}

void load_print_table(const struct load_result *r, struct buffer *out)
{
	print_streams(r, out);
	print_finishes(r, out);
	print_remarks(r, out);
	print_arrays(r, out);
}
