/*
 * JSON goes out as it is made: no tree is built. Numbers keep all their digits, and text is
 * escaped beyond what the format asks for, since a terminal may be what reads it.
 */
#include "raidtop/json.h"

#include <assert.h>
#include <string.h>

#include "raidtop/number.h"

void json_init(struct json *j, struct buffer *out, bool pretty)
{
	*j = (struct json){ .out = out, .pretty = pretty };
}

static void start_line(struct json *j)
{
	if (!j->pretty)
		return;
	buffer_add_char(j->out, '\n');
	for (int i = 0; i < j->depth; i++)
		buffer_add_char(j->out, '\t');
}

static void escape_rune(struct buffer *out, unsigned int rune)
{
	/* All that are not clean lie below U+10000: one escape each. */
	buffer_format(out, "\\u%04x", rune);
}

static void put_text(struct buffer *out, const char *text)
{
	size_t len = strlen(text);

	buffer_add_char(out, '"');
	while (len > 0) {
		unsigned int rune;
		int n = text_decode(text, len, &rune);

		if (n < 0)
			buffer_add_text(out, "\xef\xbf\xbd");
		else if (rune == '"' || rune == '\\')
			buffer_format(out, "\\%c", (char)rune);
		else if (text_rune_is_clean(rune))
			buffer_add(out, text, (size_t)n);
		else
			escape_rune(out, rune);
		n = n < 0 ? 1 : n;
		text += n;
		len -= (size_t)n;
	}
	buffer_add_char(out, '"');
}

/* What stands before each item: a comma, a new line, its key. */
static void begin_item(struct json *j, const char *key)
{
	if (j->has_items[j->depth])
		buffer_add_char(j->out, ',');
	if (j->depth > 0)
		start_line(j);
	j->has_items[j->depth] = true;
	if (!key)
		return;
	put_text(j->out, key);
	buffer_add_text(j->out, j->pretty ? ": " : ":");
}

static void open_group(struct json *j, const char *key, char bracket)
{
	begin_item(j, key);
	buffer_add_char(j->out, bracket);
	assert(j->depth + 1 < JSON_DEPTH);
	j->has_items[++j->depth] = false;
}

static void close_group(struct json *j, char bracket)
{
	bool had_items = j->has_items[j->depth];

	assert(j->depth > 0);
	j->depth--;
	if (had_items)
		start_line(j);
	buffer_add_char(j->out, bracket);
}

void json_open_object(struct json *j, const char *key)
{
	open_group(j, key, '{');
}

void json_close_object(struct json *j)
{
	close_group(j, '}');
}

void json_open_array(struct json *j, const char *key)
{
	open_group(j, key, '[');
}

void json_close_array(struct json *j)
{
	close_group(j, ']');
}

void json_add_text(struct json *j, const char *key, const char *text)
{
	if (!text) {
		json_add_null(j, key);
		return;
	}
	begin_item(j, key);
	put_text(j->out, text);
}

static void add_raw(struct json *j, const char *key, const char *raw)
{
	begin_item(j, key);
	buffer_add_text(j->out, raw);
}

void json_add_u64(struct json *j, const char *key, uint64_t value)
{
	char number[NUMBER_BYTES];

	number_format_u64(number, value);
	add_raw(j, key, number);
}

void json_add_i64(struct json *j, const char *key, int64_t value)
{
	json_add_fixed(j, key, value, 0);
}

void json_add_fixed(struct json *j, const char *key, int64_t value, unsigned int digits)
{
	char number[NUMBER_BYTES];

	number_format_fixed(number, value, digits);
	add_raw(j, key, number);
}

void json_add_bool(struct json *j, const char *key, bool value)
{
	add_raw(j, key, value ? "true" : "false");
}

void json_add_null(struct json *j, const char *key)
{
	add_raw(j, key, "null");
}
