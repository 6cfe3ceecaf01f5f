/*
 * The format of a recording, version 1 (raidtop/recording.h): the names of its columns and of
 * the kinds of lines, and the header line in both directions. A reader goes by the names in the
 * file's own header, so that a newer program may add columns and another tool may reorder them.
 */
#include "raidtop/recording.h"

#include <errno.h>
#include <string.h>

#include "recording_fields.h"

const char *const column_names[COLUMN_COUNT] = {
	[COLUMN_TIME] = "time",
	[COLUMN_SEGMENT] = "segment",
	[COLUMN_ELAPSED_S] = "elapsed_s",
	[COLUMN_HOST] = "host",
	[COLUMN_KIND] = "kind",
	[COLUMN_NAME] = "name",
	[COLUMN_PARENT] = "parent",
	[COLUMN_STATE] = "state",
	[COLUMN_READ_MB_S] = "read_mb_s",
	[COLUMN_WRITE_MB_S] = "write_mb_s",
	[COLUMN_READ_IOPS] = "read_iops",
	[COLUMN_WRITE_IOPS] = "write_iops",
	[COLUMN_READ_AWAIT_MS] = "read_await_ms",
	[COLUMN_WRITE_AWAIT_MS] = "write_await_ms",
	[COLUMN_QUEUE] = "queue",
	[COLUMN_UTIL_PCT] = "util_pct",
	[COLUMN_TEMP_C] = "temp_c",
	[COLUMN_SYNC_PCT] = "sync_pct",
	[COLUMN_READ_BYTES] = "read_bytes",
	[COLUMN_WRITE_BYTES] = "write_bytes",
	[COLUMN_READ_IOS] = "read_ios",
	[COLUMN_WRITE_IOS] = "write_ios",
	[COLUMN_READ_US] = "read_us",
	[COLUMN_WRITE_US] = "write_us",
	[COLUMN_BUSY_US] = "busy_us",
	[COLUMN_QUEUE_US] = "queue_us",
	[COLUMN_INFLIGHT] = "inflight",
	[COLUMN_READ_MERGES] = "read_merges",
	[COLUMN_WRITE_MERGES] = "write_merges",
	[COLUMN_DISCARD_IOS] = "discard_ios",
	[COLUMN_DISCARD_BYTES] = "discard_bytes",
	[COLUMN_FLUSH_IOS] = "flush_ios",
	[COLUMN_SYNC_DONE_BYTES] = "sync_done_bytes",
	[COLUMN_SYNC_TOTAL_BYTES] = "sync_total_bytes",
	[COLUMN_TEMP_AGE_S] = "temp_age_s",
	[COLUMN_KEY] = "key",
	[COLUMN_VALUE] = "value",
};

const char *const record_kind_names[RECORD_KIND_COUNT] = {
	[RECORD_UNKNOWN] = "",      [RECORD_SESSION] = "session", [RECORD_FACT] = "fact",
	[RECORD_DEVICE] = "device", [RECORD_LINK] = "link",       [RECORD_SAMPLE] = "sample",
	[RECORD_STREAM] = "stream", [RECORD_HIST] = "hist",       [RECORD_EVENT] = "event",
	[RECORD_MARK] = "mark",
};

const char *record_gap_name(enum gap gap)
{
	if (gap == GAP_MISSED)
		return "missed";
	return gap == GAP_SUSPEND ? "suspend" : NULL;
}

void record_header_write(struct buffer *out)
{
	for (size_t c = 0; c < COLUMN_COUNT; c++) {
		if (c > 0)
			buffer_add_char(out, ',');
		buffer_add_text(out, column_names[c]);
	}
	buffer_add_char(out, '\n');
}

static int column_of_name(const struct record_field *name)
{
	for (int c = 0; c < COLUMN_COUNT; c++) {
		if (strlen(column_names[c]) == name->len &&
		    memcmp(column_names[c], name->text, name->len) == 0)
			return c;
	}
	return -1;
}

int record_header_read(struct record_header *h, char *line, size_t len)
{
	static const char mark[] = "\xef\xbb\xbf"; /* some programs write it before UTF-8 */
	bool found[COLUMN_COUNT] = { false };
	struct record_cursor cursor;
	struct record_field name;
	int r;

	if (len >= sizeof(mark) - 1 && memcmp(line, mark, sizeof(mark) - 1) == 0) {
		line += sizeof(mark) - 1;
		len -= sizeof(mark) - 1;
	}
	memset(h, 0, sizeof(*h));
	record_cursor_init(&cursor, line, len);
	while ((r = record_cursor_next(&cursor, &name)) > 0) {
		int c = column_of_name(&name);

		if (h->n_columns == sizeof(h->column) / sizeof(h->column[0]))
			return -E2BIG;
		if (c >= 0 && found[c])
			c = -1; /* a name twice: the first one counts */
		if (c >= 0)
			found[c] = true;
		h->column[h->n_columns++] = c;
	}
	if (r < 0 || !found[COLUMN_KIND] || !found[COLUMN_ELAPSED_S] || !found[COLUMN_NAME])
		return -EINVAL;
	return 0;
}
