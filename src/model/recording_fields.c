/*
 * RFC 4180 below the level of lines: fields between commas, quotes around those that need them.
 * Fields are found in one pass and unquoted in place, so that reading a line allocates nothing.
 */
#include "recording_fields.h"

#include <errno.h>

const enum column counter_columns[COUNTER_COUNT] = {
	[COUNTER_READ_IOS] = COLUMN_READ_IOS,
	[COUNTER_READ_MERGES] = COLUMN_READ_MERGES,
	[COUNTER_READ_BYTES] = COLUMN_READ_BYTES,
	[COUNTER_READ_US] = COLUMN_READ_US,
	[COUNTER_WRITE_IOS] = COLUMN_WRITE_IOS,
	[COUNTER_WRITE_MERGES] = COLUMN_WRITE_MERGES,
	[COUNTER_WRITE_BYTES] = COLUMN_WRITE_BYTES,
	[COUNTER_WRITE_US] = COLUMN_WRITE_US,
	[COUNTER_INFLIGHT] = COLUMN_INFLIGHT,
	[COUNTER_BUSY_US] = COLUMN_BUSY_US,
	[COUNTER_QUEUE_US] = COLUMN_QUEUE_US,
	[COUNTER_DISCARD_IOS] = COLUMN_DISCARD_IOS,
	[COUNTER_DISCARD_BYTES] = COLUMN_DISCARD_BYTES,
	[COUNTER_FLUSH_IOS] = COLUMN_FLUSH_IOS,
};

const enum column rate_columns[RATE_COUNT] = {
	[RATE_READ_BYTES] = COLUMN_READ_MB_S,
	[RATE_WRITE_BYTES] = COLUMN_WRITE_MB_S,
	[RATE_READ_IOS] = COLUMN_READ_IOPS,
	[RATE_WRITE_IOS] = COLUMN_WRITE_IOPS,
	[RATE_READ_AWAIT] = COLUMN_READ_AWAIT_MS,
	[RATE_WRITE_AWAIT] = COLUMN_WRITE_AWAIT_MS,
	[RATE_QUEUE] = COLUMN_QUEUE,
	[RATE_UTIL] = COLUMN_UTIL_PCT,
};

void record_cursor_init(struct record_cursor *c, char *line, size_t len)
{
	if (len > 0 && line[len - 1] == '\r')
		len--;
	*c = (struct record_cursor){ .at = line, .end = line + len };
}

/* Steps over the comma that follows a field, or notes that it was the last. */
static void step(struct record_cursor *c)
{
	if (c->at < c->end)
		c->at++;
	else
		c->done = true;
}

static int next_plain(struct record_cursor *c, struct record_field *f)
{
	char *begin = c->at, *at = begin;

	while (at < c->end && *at != ',') {
		if ((unsigned char)*at < 0x20 || *at == '"' || *at == 0x7f)
			return -EINVAL;
		at++;
	}
	*f = (struct record_field){ begin, (size_t)(at - begin) };
	c->at = at;
	step(c);
	return 1;
}

static int next_quoted(struct record_cursor *c, struct record_field *f)
{
	char *from = c->at + 1, *to = from, *begin = from;

	for (;; from++) {
		if (from == c->end || *from == '\0')
			return -EINVAL;
		if (*from == '"') {
			from++;
			if (from == c->end || *from != '"')
				break;
		}
		*to++ = *from;
	}
	if (from < c->end && *from != ',')
		return -EINVAL;
	*f = (struct record_field){ begin, (size_t)(to - begin) };
	c->at = from;
	step(c);
	return 1;
}

int record_cursor_next(struct record_cursor *c, struct record_field *f)
{
	if (c->done)
		return 0;
	return c->at < c->end && *c->at == '"' ? next_quoted(c, f) : next_plain(c, f);
}

int record_hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}
