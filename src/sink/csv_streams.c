/*
 * The lines that each tick has of streams: what each has done, and the latencies that were counted
 * since the tick before. A reader adds those up; where one may begin in the middle, after a
 * keyframe, all counts so far stand beside.
 */
#include <stdlib.h>
#include <string.h>

#include "csv.h"
#include "raidtop/clock.h"
#include "raidtop/memory.h"
#include "raidtop/recording_stream.h"

static void set_rate(struct csv *csv, enum column column, double bytes_per_sec)
{
	if (bytes_per_sec >= 0)
		record_line_set_double(&csv->line, column, bytes_per_sec / 1e6, 3);
}

/* What a reader knows of a stream's histograms: only what came since is written. */
struct csv_stream {
	unsigned int number;
	bool seen;                               /* in this tick */
	struct latency *told[STREAM_HIST_COUNT]; /* NULL: nothing yet */
};

static void stream_name(char name[DEVICE_NAME_BYTES], const struct stream_view *v)
{
	text_format(name, DEVICE_NAME_BYTES, "stream%u", v->number);
}

static void write_stream(struct csv *csv, const struct stream_view *v)
{
	char name[DEVICE_NAME_BYTES];

	stream_name(name, v);
	record_stream_format(&csv->list, v);
	csv_line_begin(csv, RECORD_STREAM);
	record_line_set_text(&csv->line, COLUMN_NAME, name);
	record_line_set_text(&csv->line, COLUMN_PARENT, v->spec.device);
	record_line_set_text(&csv->line, COLUMN_STATE, stream_state_name(v->state));
	set_rate(csv, COLUMN_READ_MB_S, v->read_bytes_per_sec);
	set_rate(csv, COLUMN_WRITE_MB_S, v->write_bytes_per_sec);
	record_line_set_u64(&csv->line, COLUMN_READ_BYTES, v->read_bytes);
	record_line_set_u64(&csv->line, COLUMN_WRITE_BYTES, v->write_bytes);
	record_line_set_u64(&csv->line, COLUMN_READ_IOS, v->read_ios);
	record_line_set_u64(&csv->line, COLUMN_WRITE_IOS, v->write_ios);
	record_line_set_u64(&csv->line, COLUMN_READ_US, v->read_ns / NS_PER_US);
	record_line_set_u64(&csv->line, COLUMN_WRITE_US, v->write_ns / NS_PER_US);
	record_line_set_text(&csv->line, COLUMN_VALUE, buffer_text(&csv->list));
	csv_line_end(csv);
}

/* ---- histograms ---- */

static void write_hist(struct csv *csv, const struct stream_view *v, const char *key,
		       const struct latency *before, const struct latency *now)
{
	char name[DEVICE_NAME_BYTES];

	if (!record_hist_format(&csv->list, before, now))
		return;
	stream_name(name, v);
	csv_line_begin(csv, RECORD_HIST);
	record_line_set_text(&csv->line, COLUMN_NAME, name);
	record_line_set_text(&csv->line, COLUMN_PARENT, v->spec.device);
	record_line_set_text(&csv->line, COLUMN_KEY, key);
	record_line_set_text(&csv->line, COLUMN_VALUE, buffer_text(&csv->list));
	csv_line_end(csv);
}

static struct csv_stream *find_stream(struct csv *csv, unsigned int number)
{
	for (size_t i = 0; i < csv->n_streams; i++) {
		if (csv->streams[i].number == number)
			return &csv->streams[i];
	}
	if (csv->n_streams == csv->streams_size) {
		csv->streams_size = csv->streams_size ? 2 * csv->streams_size : 4;
		csv->streams =
			memory_resize(csv->streams, csv->streams_size, sizeof(*csv->streams));
	}
	csv->streams[csv->n_streams] = (struct csv_stream){ .number = number };
	return &csv->streams[csv->n_streams++];
}

static void write_hists(struct csv *csv, const struct stream_view *v)
{
	struct csv_stream *s = find_stream(csv, v->number);

	s->seen = true;
	for (enum stream_hist h = 0; h < STREAM_HIST_COUNT; h++) {
		const struct latency *now = record_hist_of(v, h);

		if (!now || now->total == 0)
			continue;
		write_hist(csv, v, record_hists[h].key, s->told[h], now);
		if (csv->tells_all)
			write_hist(csv, v, record_hists[h].sum_key, NULL, now);
		if (!s->told[h])
			s->told[h] = memory_new(1, sizeof(*now));
		*s->told[h] = *now;
	}
}

static void forget_stream(struct csv *csv, size_t i)
{
	for (enum stream_hist h = 0; h < STREAM_HIST_COUNT; h++)
		free(csv->streams[i].told[h]);
	csv->streams[i] = csv->streams[--csv->n_streams];
}

void csv_streams_forget(struct csv *csv)
{
	while (csv->n_streams > 0)
		forget_stream(csv, csv->n_streams - 1);
}

void csv_streams_release(struct csv *csv)
{
	csv_streams_forget(csv);
	free(csv->streams);
}

void csv_streams_write(struct csv *csv, const struct stream_view *streams, size_t n)
{
	for (size_t i = 0; i < csv->n_streams; i++)
		csv->streams[i].seen = false;
	for (size_t i = 0; i < n; i++) {
		write_stream(csv, &streams[i]);
		write_hists(csv, &streams[i]);
	}
	for (size_t i = csv->n_streams; i > 0; i--) {
		if (!csv->streams[i - 1].seen)
			forget_stream(csv, i - 1);
	}
}
