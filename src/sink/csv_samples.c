/*
 * The lines that each tick has of devices: a sample of each.
 * A rate is written only where a reader has it too, which needs the sample before.
 */
#include <string.h>

#include "csv.h"

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
