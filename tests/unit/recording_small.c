/* The small machine, and its recording as text that a test can be compared with. */
#include "recording_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "raidtop/clock.h"
#include "raidtop/recording.h"

void small_init(struct small *s)
{
	struct topology *t = &s->topology;
	struct array *a;

	memset(s, 0, sizeof(*s));
	topology_init(t);
	event_log_init(&s->log);
	text_copy(t->host, sizeof(t->host), "h");
	text_copy(t->kernel, sizeof(t->kernel), "6.1");
	topology_add_device(t, DEVICE_DISK, "sda");
	topology_add_device(t, DEVICE_PARTITION, "sda1")->parent = SMALL_SDA;
	topology_add_device(t, DEVICE_PARTITION, "sda2")->parent = SMALL_SDA;
	topology_add_device(t, DEVICE_DISK, "sdb");
	topology_add_device(t, DEVICE_DISK, "loop1")->minor_interest = true;
	a = topology_add_array(t, "md0")->array;
	text_copy(t->devices[SMALL_SDA]->disk.serial, DEVICE_TEXT_BYTES, "S1,\"x\"");
	t->devices[SMALL_SDB]->size_bytes = 4000;
	text_copy(a->level, sizeof(a->level), "raid1");
	a->state = ARRAY_ACTIVE;
	array_add_member(a, "sda1")->device = SMALL_SDA1;
	array_add_member(a, "sdb")->device = SMALL_SDB;
	a->members[0].slot = 0;
	a->members[0].state = MEMBER_IN_SYNC;
	a->members[1].state = MEMBER_FAULTY;
	a->members[1].flags = MEMBER_FLAG_FAULTY;
	t->generation = 1;
	s->tick = (struct tick){
		.elapsed_us = 1000,
		.realtime_ms = 1796050327123,
		.segment = 1,
		.gap = GAP_FIRST,
		.devices = s->figures,
		.n_devices = SMALL_SLOTS,
	};
}

void small_release(struct small *s)
{
	topology_release(&s->topology);
}

int small_tick(struct small *s, struct sink *sink)
{
	return sink->ops->tick(sink, &s->topology, &s->tick, &s->log, NULL, 0);
}

void small_go_on(struct small *s)
{
	struct figures *f = &s->figures[SMALL_SDA];

	s->tick.elapsed_us += US_PER_SEC;
	s->tick.interval_us = US_PER_SEC;
	s->tick.realtime_ms += 1000;
	s->tick.gap = GAP_NONE;
	counters_set(&f->totals, COUNTER_READ_BYTES, f->totals.value[COUNTER_READ_BYTES] + 1000000);
	f->value[RATE_READ_BYTES] = 1e6;
	f->valid = 1u << RATE_READ_BYTES;
}

static void shorten(struct buffer *out, char *text)
{
	struct record_header header;
	char *line = text, *end;
	struct record_row row;

	end = strchr(line, '\n');
	assert_non_null(end);
	assert_int_equal(record_header_read(&header, line, (size_t)(end - line)), 0);
	for (line = end + 1; (end = strchr(line, '\n')); line = end + 1) {
		assert_int_equal(record_row_read(&row, &header, line, (size_t)(end - line)), 0);
		buffer_format(
			out, "%u %u.%06u %s", row.segment, (unsigned int)(row.elapsed_us / 1000000),
			(unsigned int)(row.elapsed_us % 1000000), record_kind_names[row.kind]);
		for (int c = COLUMN_NAME; c < COLUMN_COUNT; c++) {
			if (row.field[c].len > 0)
				buffer_format(out, " %s=%.*s", column_names[c],
					      (int)row.field[c].len, row.field[c].text);
		}
		buffer_add_char(out, '\n');
	}
	assert_string_equal(line, "");
}

void small_assert_text(struct sink *sink, const char *path, const char *wanted)
{
	struct buffer out = BUFFER_INIT;
	size_t len, wanted_len = strlen(wanted);
	char *text;

	assert_int_equal(sink->ops->close(sink), 0);
	text = read_whole(path, &len);
	shorten(&out, text);
	assert_true(out.len >= wanted_len);
	assert_string_equal(out.data + out.len - wanted_len, wanted);
	buffer_release(&out);
	free(text);
	unlink(path);
}
