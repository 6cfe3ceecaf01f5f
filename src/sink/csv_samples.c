/*
 * The lines that each tick has: a sample of each device, and of each stream what it has done.
 * A rate is written only where a reader has it too, which needs the sample before.
 */
#include <string.h>

#include "csv.h"
#include "raidtop/clock.h"

static void set_parent(struct csv *csv, int slot)
{
	if (slot >= 0)
		record_line_set_text(&csv->line, COLUMN_PARENT, csv->topology->devices[slot]->name);
}

static void set_state(struct csv *csv, const struct csv_device *c, const struct device *d)
{
	const char *state =
		d->array ? array_state_name(d->array->state) : member_state_name(c->member);

	if (state)
		record_line_set_text(&csv->line, COLUMN_STATE, state);
}

static void set_temperature(struct csv *csv, const struct disk *disk)
{
	int64_t milli = disk->temperature_mc;
	uint64_t now_us = csv->tick->elapsed_us, at_us = disk->temperature_at_us;

	if (disk->temperature_mc == UNKNOWN_I32)
		return;
	record_line_set_fixed(&csv->line, COLUMN_TEMP_C, (milli + (milli < 0 ? -50 : 50)) / 100, 1);
	if (at_us == UNKNOWN_U64)
		return;
	record_line_set_fixed(&csv->line, COLUMN_TEMP_AGE_S,
			      at_us < now_us ? (int64_t)((now_us - at_us + 50000) / 100000) : 0, 1);
}

static void set_progress(struct csv *csv, const struct action *action)
{
	if (action->percent_tenths != UNKNOWN_I32)
		record_line_set_fixed(&csv->line, COLUMN_SYNC_PCT,
				      (int64_t)action->percent_tenths * 100, 3);
	if (action->done_bytes != UNKNOWN_U64)
		record_line_set_u64(&csv->line, COLUMN_SYNC_DONE_BYTES, action->done_bytes);
	if (action->total_bytes != UNKNOWN_U64)
		record_line_set_u64(&csv->line, COLUMN_SYNC_TOTAL_BYTES, action->total_bytes);
}

static void write_sample(struct csv *csv, struct csv_device *c, const struct device *d,
			 const struct figures *figures)
{
	struct figures shown = *figures;

	if (!c->was_sampled)
		shown.valid = 0;
	c->was_sampled = true;
	csv_line_begin(csv, RECORD_SAMPLE);
	record_line_set_text(&csv->line, COLUMN_NAME, d->name);
	set_parent(csv, c->array);
	set_state(csv, c, d);
	record_line_set_figures(&csv->line, &shown);
	set_temperature(csv, &d->disk);
	if (d->array)
		set_progress(csv, &d->array->action);
	csv_line_end(csv);
}

void csv_samples_write(struct csv *csv)
{
	static const struct figures unknown;
	const struct tick *tick = csv->tick;

	for (size_t i = 0; i < csv->n_devices; i++) {
		struct csv_device *c = &csv->devices[i];

		if (c->is_written)
			write_sample(csv, c, csv->topology->devices[i],
				     i < tick->n_devices ? &tick->devices[i] : &unknown);
	}
}

/* ---- streams ---- */

static void add_unless_zero(struct buffer *list, const char *key, uint64_t value)
{
	if (value)
		record_list_add_u64(list, key, value);
}

static void add_rate(struct buffer *list, const char *key, double bytes_per_sec)
{
	if (bytes_per_sec >= 0 && bytes_per_sec < 1e18)
		record_list_add_u64(list, key, (uint64_t)(bytes_per_sec + 0.5));
}

static void make_list(struct buffer *list, const struct stream_view *v)
{
	buffer_reset(list);
	record_list_add(list, "workload", v->spec.workload);
	record_list_add(list, "target", v->spec.target);
	add_unless_zero(list, "block_bytes", v->spec.block_bytes);
	add_unless_zero(list, "time_ns", v->spec.time_ns);
	add_rate(list, "read_bytes_per_sec", v->read_bytes_per_sec);
	add_rate(list, "write_bytes_per_sec", v->write_bytes_per_sec);
	add_unless_zero(list, "read_ns", v->read_ns);
	add_unless_zero(list, "write_ns", v->write_ns);
	add_unless_zero(list, "running_ns", v->running_ns);
	add_unless_zero(list, "oldest_io_ns", v->oldest_io_ns);
	if (v->why[0])
		record_list_add(list, "why", v->why);
}

static void set_rate(struct csv *csv, enum column column, double bytes_per_sec)
{
	if (bytes_per_sec >= 0)
		record_line_set_double(&csv->line, column, bytes_per_sec / 1e6, 3);
}

static void write_stream(struct csv *csv, const struct stream_view *v)
{
	char name[DEVICE_NAME_BYTES];

	text_format(name, sizeof(name), "stream%u", v->number);
	make_list(&csv->list, v);
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

void csv_streams_write(struct csv *csv, const struct stream_view *streams, size_t n)
{
	for (size_t i = 0; i < n; i++)
		write_stream(csv, &streams[i]);
}
