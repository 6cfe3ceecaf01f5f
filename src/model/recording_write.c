/*
 * One line of a recording, written. Its fields are collected in any order and put down in the
 * order of the columns; what is not set stays empty, which means that it is not known.
 */
#include <string.h>

#include "raidtop/clock.h"
#include "raidtop/number.h"
#include "raidtop/recording.h"
#include "recording_fields.h"

/* Holds a line of figures however large the counters grow, so that no tick allocates. */
enum { LINE_BYTES = 2048 };

void record_line_init(struct record_line *l)
{
	memset(l, 0, sizeof(*l));
	buffer_reserve(&l->text, LINE_BYTES);
}

void record_line_release(struct record_line *l)
{
	buffer_release(&l->text);
}

static void set(struct record_line *l, enum column c, const char *text, size_t len)
{
	l->begin[c] = l->text.len;
	l->len[c] = len;
	buffer_add(&l->text, text, len);
}

void record_line_begin(struct record_line *l, enum record_kind kind, int64_t realtime_ms,
		       uint32_t segment, uint64_t elapsed_us, const char *host)
{
	char time[NUMBER_BYTES];

	buffer_reset(&l->text);
	memset(l->len, 0, sizeof(l->len));
	if (realtime_ms != INT64_MIN)
		set(l, COLUMN_TIME, time, clock_format_utc(time, realtime_ms));
	record_line_set_u64(l, COLUMN_SEGMENT, segment);
	if (elapsed_us <= INT64_MAX)
		record_line_set_fixed(l, COLUMN_ELAPSED_S, (int64_t)elapsed_us, 6);
	record_line_set_text(l, COLUMN_HOST, host);
	set(l, COLUMN_KIND, record_kind_names[kind], strlen(record_kind_names[kind]));
}

static void add_escaped(struct buffer *b, const char *bytes, size_t n)
{
	static const char digits[] = "0123456789abcdef";

	for (size_t i = 0; i < n; i++) {
		unsigned char byte = (unsigned char)bytes[i];
		char escape[4] = { '\\', 'x', digits[byte >> 4], digits[byte & 15] };

		buffer_add(b, escape, sizeof(escape));
	}
}

void record_line_set_text(struct record_line *l, enum column c, const char *text)
{
	size_t begin = l->text.len, left = strlen(text);

	while (left > 0) {
		unsigned int rune;
		int n = text_decode(text, left, &rune);
		size_t taken = n > 0 ? (size_t)n : 1;

		if (n > 0 && rune != '\\' && text_rune_is_clean(rune))
			buffer_add(&l->text, text, taken);
		else
			add_escaped(&l->text, text, taken);
		text += taken;
		left -= taken;
	}
	l->begin[c] = begin;
	l->len[c] = l->text.len - begin;
}

void record_line_set_u64(struct record_line *l, enum column c, uint64_t value)
{
	char text[NUMBER_BYTES];

	set(l, c, text, number_format_u64(text, value));
}

void record_line_set_fixed(struct record_line *l, enum column c, int64_t value, unsigned int digits)
{
	char text[NUMBER_BYTES];

	set(l, c, text, number_format_fixed(text, value, digits));
}

void record_line_set_double(struct record_line *l, enum column c, double value, unsigned int digits)
{
	char text[NUMBER_BYTES];

	set(l, c, text, number_format_double(text, value, digits));
}

void record_line_set_figures(struct record_line *l, const struct figures *f)
{
	for (enum rate r = 0; r < RATE_COUNT; r++) {
		if (figures_has(f, r))
			record_line_set_double(l, rate_columns[r],
					       f->value[r] / rate_descriptions[r].column_scale, 3);
	}
	for (enum counter c = 0; c < COUNTER_COUNT; c++) {
		if (counters_has(&f->totals, c))
			record_line_set_u64(l, counter_columns[c], f->totals.value[c]);
	}
	if (f->derived || (f->gap == GAP_ABSENT && f->totals.valid))
		record_line_set_text(l, COLUMN_KEY, RECORD_DERIVED);
}

static void add_field(struct buffer *out, const char *text, size_t len)
{
	if (!memchr(text, ',', len) && !memchr(text, '"', len)) {
		buffer_add(out, text, len);
		return;
	}
	buffer_add_char(out, '"');
	for (size_t i = 0; i < len; i++) {
		if (text[i] == '"')
			buffer_add_char(out, '"');
		buffer_add_char(out, text[i]);
	}
	buffer_add_char(out, '"');
}

void record_line_end(const struct record_line *l, struct buffer *out)
{
	for (size_t c = 0; c < COLUMN_COUNT; c++) {
		if (c > 0)
			buffer_add_char(out, ',');
		if (l->len[c] > 0)
			add_field(out, l->text.data + l->begin[c], l->len[c]);
	}
	buffer_add_char(out, '\n');
}
