/*
 * One line of a recording, read. A recording may come from anywhere and may be torn or damaged:
 * whatever is not exactly a line of the format is refused as a whole, never read in part, so
 * that the caller can count it.
 */
#include <errno.h>
#include <string.h>

#include "raidtop/clock.h"
#include "raidtop/number.h"
#include "raidtop/recording.h"
#include "recording_fields.h"

static enum record_kind kind_of(const struct record_field *f)
{
	for (enum record_kind k = RECORD_UNKNOWN + 1; k < RECORD_KIND_COUNT; k++) {
		if (strlen(record_kind_names[k]) == f->len &&
		    memcmp(record_kind_names[k], f->text, f->len) == 0)
			return k;
	}
	return RECORD_UNKNOWN;
}

static int read_place(struct record_row *row)
{
	const struct record_field *time = &row->field[COLUMN_TIME];
	int64_t elapsed_us;
	uint64_t segment = 1; /* where the file has no such column */

	if (row->field[COLUMN_SEGMENT].text &&
	    (record_field_u64(&row->field[COLUMN_SEGMENT], &segment) < 0 || segment > UINT32_MAX))
		return -EINVAL;
	if (record_field_fixed(&row->field[COLUMN_ELAPSED_S], 6, &elapsed_us) < 0 || elapsed_us < 0)
		return -EINVAL;
	row->segment = (uint32_t)segment;
	row->elapsed_us = (uint64_t)elapsed_us;
	if (time->len == 0 || clock_parse_utc(time->text, time->len, &row->realtime_ms) < 0)
		row->realtime_ms = INT64_MIN;
	return 0;
}

int record_row_read(struct record_row *row, const struct record_header *h, char *line, size_t len)
{
	struct record_cursor cursor;
	struct record_field f;
	size_t n = 0;
	int r;

	memset(row, 0, sizeof(*row));
	record_cursor_init(&cursor, line, len);
	while ((r = record_cursor_next(&cursor, &f)) > 0) {
		if (n == h->n_columns)
			return -EINVAL;
		if (h->column[n] >= 0)
			row->field[h->column[n]] = f;
		n++;
	}
	if (r < 0 || n != h->n_columns)
		return -EINVAL;
	row->kind = kind_of(&row->field[COLUMN_KIND]);
	return read_place(row);
}

enum record_kind record_line_kind(const struct record_header *h, const char *line, size_t len)
{
	const char *end = line + len, *comma;
	struct record_field f;
	size_t n = 0;

	if (memchr(line, '"', len))
		return RECORD_UNKNOWN;
	for (; n < h->n_columns && h->column[n] != COLUMN_KIND; n++) {
		comma = memchr(line, ',', (size_t)(end - line));
		if (!comma)
			return RECORD_UNKNOWN;
		line = comma + 1;
	}
	comma = memchr(line, ',', (size_t)(end - line));
	f = (struct record_field){ line, (size_t)((comma ? comma : end) - line) };
	return kind_of(&f);
}

/* The byte that begins at `text`, \xNN undone; how many bytes of the text it took. */
static size_t take_byte(const char *text, size_t len, char *ret)
{
	int high, low;

	*ret = text[0];
	if (len < 4 || text[0] != '\\' || text[1] != 'x')
		return 1;
	high = record_hex_digit(text[2]);
	low = record_hex_digit(text[3]);
	if (high < 0 || low < 0 || high + low == 0)
		return 1; /* no escape of ours; \x00 would end the text */
	*ret = (char)(high << 4 | low);
	return 4;
}

/* Takes off a character at the end that was cut in the middle. */
static void cut_at_character(char *buf, size_t len)
{
	size_t begin = len;
	unsigned int rune;

	while (begin > 0 && len - begin < 3 && ((unsigned char)buf[begin - 1] & 0xc0) == 0x80)
		begin--;
	if (begin > 0 && (unsigned char)buf[begin - 1] >= 0xc0) {
		begin--;
		if (text_decode(buf + begin, len - begin, &rune) < 0)
			buf[begin] = '\0';
	}
}

bool record_field_text(const struct record_field *f, char *buf, size_t size)
{
	size_t at = 0, out = 0;

	if (size == 0)
		return false;
	while (at < f->len && out < size - 1)
		at += take_byte(f->text + at, f->len - at, &buf[out++]);
	buf[out] = '\0';
	if (at == f->len)
		return true;
	cut_at_character(buf, out);
	return false;
}

int record_field_u64(const struct record_field *f, uint64_t *ret)
{
	return number_parse_u64(f->text, f->len, ret);
}

int record_field_fixed(const struct record_field *f, unsigned int digits, int64_t *ret)
{
	return number_parse_fixed(f->text, f->len, digits, ret);
}

int record_row_counters(const struct record_row *row, struct counters *c)
{
	const struct record_field *key = &row->field[COLUMN_KEY];
	struct counters read = { .valid = 0 };

	for (enum counter i = 0; i < COUNTER_COUNT; i++) {
		const struct record_field *f = &row->field[counter_columns[i]];
		uint64_t value;

		if (f->len == 0)
			continue;
		if (record_field_u64(f, &value) < 0)
			return -EINVAL;
		counters_set(&read, i, value);
	}
	read.derived = key->len == strlen(RECORD_DERIVED) &&
		       memcmp(key->text, RECORD_DERIVED, key->len) == 0;
	*c = read;
	return 0;
}
