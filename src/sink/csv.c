/*
 * The recording as a CSV file. Each tick becomes one piece of text and one write: what changed
 * of the equipment first, then what happened, then a line for each stream and device. A reader
 * that starts at a segment or a keyframe finds all that it needs from there on.
 */
#include "csv.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "raidtop/clock.h"
#include "raidtop/memory.h"
#include "raidtop/number.h"
#include "raidtop/version.h"

static struct csv *csv_of(struct sink *s)
{
	return (struct csv *)s;
}

void csv_line_begin(struct csv *csv, enum record_kind kind)
{
	record_line_begin(&csv->line, kind, csv->tick->realtime_ms, csv->segment,
			  csv->tick->elapsed_us, csv->topology->host);
}

void csv_line_end(struct csv *csv)
{
	record_line_end(&csv->line, &csv->out);
}

static void write_session(struct csv *csv, const char *key, const char *value)
{
	csv_line_begin(csv, RECORD_SESSION);
	record_line_set_text(&csv->line, COLUMN_KEY, key);
	record_line_set_text(&csv->line, COLUMN_VALUE, value);
	csv_line_end(csv);
}

static void write_session_if(struct csv *csv, const char *key, const char *value)
{
	if (value[0])
		write_session(csv, key, value);
}

static void write_circumstances(struct csv *csv)
{
	char text[NUMBER_BYTES];

	write_session(csv, "version", RAIDTOP_VERSION);
	number_format_fixed(text, (int64_t)(csv->interval_ns / NS_PER_MS), 3);
	write_session_if(csv, "interval_s", csv->interval_ns ? text : "");
	write_session_if(csv, "kernel", csv->topology->kernel);
	write_session_if(csv, "boot_id", csv->boot_id);
	write_session(csv, "clock", "monotonic");
	clock_format_utc(text, csv->start_realtime_ms);
	write_session(csv, "start", text);
}

static void open_segment(struct csv *csv)
{
	char text[NUMBER_BYTES];

	csv->segment++;
	csv->tick_segment = csv->tick->segment;
	csv_topology_forget(csv);
	csv_streams_forget(csv);
	number_format_u64(text, RECORDING_VERSION);
	write_session(csv, "format", text);
	write_circumstances(csv);
}

/* Whether time did not simply go on from the tick before; all bisection rests on that it does. */
static bool begins_segment(const struct csv *csv)
{
	const struct tick *tick = csv->tick;

	return csv->segment == 0 || tick->segment != csv->tick_segment ||
	       tick->elapsed_us <= csv->elapsed_us || tick->gap == GAP_FIRST ||
	       tick->gap == GAP_SEGMENT || tick->gap == GAP_CLOCK;
}

/* The equipment: at the beginning of a segment and at a keyframe all of it. */
static void write_topology(struct csv *csv)
{
	csv->tells_all = false;
	if (begins_segment(csv)) {
		open_segment(csv);
		csv->since_keyframe_bytes = 0;
	} else if (csv->since_keyframe_bytes >= RECORD_KEYFRAME_BYTES) {
		write_session(csv, "keyframe", "");
		write_circumstances(csv);
		csv->since_keyframe_bytes = 0;
		csv->tells_all = true;
	}
	csv_topology_write(csv, csv->tells_all);
}

static void write_gap(struct csv *csv)
{
	const char *name = record_gap_name(csv->tick->gap);

	if (!name)
		return;
	csv_line_begin(csv, RECORD_EVENT);
	record_line_set_text(&csv->line, COLUMN_STATE, name);
	record_line_set_text(&csv->line, COLUMN_KEY, event_kind_name(EVENT_GAP));
	record_line_set_u64(&csv->line, COLUMN_VALUE, csv->tick->missed_ticks);
	csv_line_end(csv);
}

static void write_event(struct csv *csv, const struct event *e)
{
	bool is_mark = e->kind == EVENT_MARK;

	csv_line_begin(csv, is_mark ? RECORD_MARK : RECORD_EVENT);
	record_line_set_text(&csv->line, COLUMN_NAME, e->name);
	record_line_set_text(&csv->line, COLUMN_PARENT, e->parent);
	if (!is_mark)
		record_line_set_text(&csv->line, COLUMN_KEY, event_kind_name(e->kind));
	record_line_set_text(&csv->line, COLUMN_VALUE, e->text);
	csv_line_end(csv);
}

/*
 * What is new in the log, but for gaps, which write_gap() has told from the tick itself. Of what
 * a first tick finds in the log only that is written which was logged at that very tick.
 */
static void write_events(struct csv *csv, const struct event_log *log, bool first)
{
	uint64_t n = csv->last_event;

	if (log->last - n > EVENT_LOG_SIZE)
		n = log->last > EVENT_LOG_SIZE ? log->last - EVENT_LOG_SIZE : 0;
	while (n < log->last) {
		const struct event *e = event_log_get(log, ++n);

		if (e && e->kind != EVENT_GAP && (!first || e->elapsed_us == csv->tick->elapsed_us))
			write_event(csv, e);
	}
	csv->last_event = log->last;
}

static int sync_when_due(struct csv *csv)
{
	uint64_t now_us = csv->tick->elapsed_us;

	if (csv->sync_ns == 0)
		return 0;
	if (now_us < csv->synced_us)
		csv->synced_us = now_us;
	if (now_us - csv->synced_us < csv->sync_ns / NS_PER_US)
		return 0;
	csv->synced_us = now_us;
	return csv_file_sync(&csv->file);
}

static int csv_tick(struct sink *s, const struct topology *t, const struct tick *tick,
		    const struct event_log *log, const struct stream_view *streams,
		    size_t n_streams)
{
	struct csv *csv = csv_of(s);
	bool first = csv->segment == 0;

	if (csv->error)
		return csv->error;
	csv->topology = t;
	csv->tick = tick;
	if (first)
		csv->synced_us = tick->elapsed_us;
	buffer_reset(&csv->out);
	write_topology(csv);
	write_gap(csv);
	write_events(csv, log, first);
	csv_streams_write(csv, streams, n_streams);
	csv_samples_write(csv); /* last: a reader knows by them that the tick is whole */
	csv->elapsed_us = tick->elapsed_us;
	csv->since_keyframe_bytes += csv->out.len;
	csv->error = csv_file_write(&csv->file, csv->out.data, csv->out.len);
	if (csv->error == 0)
		csv->error = sync_when_due(csv);
	return csv->error;
}

static void csv_free(struct csv *csv)
{
	csv_topology_release(csv);
	csv_streams_release(csv);
	record_line_release(&csv->line);
	buffer_release(&csv->out);
	buffer_release(&csv->list);
	free(csv);
}

static int csv_close(struct sink *s)
{
	struct csv *csv = csv_of(s);
	int r = csv->error == 0 && csv->sync_ns ? csv_file_sync(&csv->file) : 0;
	int closed = csv_file_close(&csv->file);

	csv_free(csv);
	return r < 0 ? r : closed;
}

static const struct sink_ops csv_ops = {
	.name = "csv",
	.tick = csv_tick,
	.close = csv_close,
};

const char *sink_csv_name(const char *path)
{
	return strcmp(path, "-") == 0 ? "standard output" : path;
}

uint64_t sink_csv_bytes(const struct sink *s)
{
	return ((const struct csv *)s)->file.size;
}

static int write_header(struct csv *csv, const char *name, char *why, size_t size)
{
	int r;

	record_header_write(&csv->out);
	r = csv_file_write(&csv->file, csv->out.data, csv->out.len);
	if (r < 0)
		text_format(why, size, "%s cannot be written: %s", name, strerror(-r));
	return r;
}

int sink_csv_new(const struct csv_options *options, struct sink **ret, char *why, size_t size)
{
	struct csv *csv = memory_new(1, sizeof(*csv));
	int r = csv_file_open(&csv->file, options->path, options->force, why, size);

	if (r < 0) {
		free(csv);
		return r;
	}
	csv->sink.ops = &csv_ops;
	csv->file.wait_mask = options->wait_mask;
	csv->interval_ns = options->interval_ns;
	csv->sync_ns = options->sync_ns;
	csv->start_realtime_ms = options->start_realtime_ms;
	text_copy(csv->boot_id, sizeof(csv->boot_id), options->boot_id ? options->boot_id : "");
	record_line_init(&csv->line);
	csv_topology_init(csv);
	r = write_header(csv, sink_csv_name(options->path), why, size);
	if (r < 0) {
		if (csv->file.is_new)
			unlink(options->path);
		csv_file_close(&csv->file);
		csv_free(csv);
		return r;
	}
	*ret = &csv->sink;
	return 0;
}
