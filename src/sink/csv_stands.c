/*
 * What the devices that are no arrays rest on, in lines `link` with the key stands_on. As with the
 * members of an array, it is told as one list whenever it is another than what was written.
 */
#include "csv.h"
#include "raidtop/memory.h"
#include "raidtop/number.h"

#include <string.h>

static const char key[] = "stands_on";

static bool is_there(const struct csv *csv, int slot)
{
	return slot >= 0 && (size_t)slot < csv->topology->n_devices &&
	       csv->topology->devices[slot]->present;
}

void csv_stands_find(struct csv *csv)
{
	const struct topology *t = csv->topology;

	for (size_t i = 0; i < csv->n_devices; i++)
		csv->devices[i].carries = false;
	for (size_t i = 0; i < t->n_stands; i++) {
		int on = t->stands[i].on, disk = topology_disk_of(t, on);

		if (!is_there(csv, t->stands[i].device) || !is_there(csv, on))
			continue;
		csv->devices[on].carries = true;
		if (is_there(csv, disk))
			csv->devices[disk].carries = true;
	}
}

static void write_line(struct csv *csv, const char *name, const char *parent, const char *value)
{
	csv_line_begin(csv, RECORD_LINK);
	record_line_set_text(&csv->line, COLUMN_NAME, name);
	record_line_set_text(&csv->line, COLUMN_PARENT, parent);
	record_line_set_text(&csv->line, COLUMN_KEY, key);
	record_line_set_text(&csv->line, COLUMN_VALUE, value);
	csv_line_end(csv);
}

static bool is_written(const struct csv *csv, const struct csv_device *c,
		       const struct stand *stands, size_t n)
{
	if (c->n_on != n)
		return false;
	for (size_t i = 0; i < n; i++)
		if (strcmp(c->on[i], csv->topology->devices[stands[i].on]->name) != 0)
			return false;
	return true;
}

static void write_stands(struct csv *csv, struct csv_device *c, const struct device *d,
			 const struct stand *stands, size_t n)
{
	char count[NUMBER_BYTES];

	if (is_written(csv, c, stands, n))
		return;
	if (c->on_size < n) {
		c->on = memory_resize(c->on, n, sizeof(c->on[0]));
		c->on_size = n;
	}
	c->n_on = n;
	number_format_u64(count, n);
	write_line(csv, "", d->name, count);
	for (size_t i = 0; i < n; i++) {
		text_copy(c->on[i], sizeof(c->on[i]), csv->topology->devices[stands[i].on]->name);
		write_line(csv, c->on[i], d->name, "");
	}
}

/* They are sorted by device. */
void csv_stands_write(struct csv *csv)
{
	const struct topology *t = csv->topology;
	size_t first = 0;

	for (size_t i = 0; i < t->n_devices; i++) {
		size_t n = 0;

		while (first < t->n_stands && (size_t)t->stands[first].device < i)
			first++;
		while (first + n < t->n_stands && (size_t)t->stands[first + n].device == i)
			n++;
		if (csv->devices[i].is_written)
			write_stands(csv, &csv->devices[i], t->devices[i], t->stands + first, n);
	}
}
