/*
 * One line of a recording, written. Its fields are collected in any order and put down in the
 * order of the columns; what is not set stays empty, which means that it is not known. A tick has
 * a line for each device, so what they share is written once, numbers are put where they stay, and
 * only text is looked at for what must be escaped or quoted.
 */
#include <string.h>

#include "raidtop/clock.h"
#include "raidtop/number.h"
#include "raidtop/recording.h"
#include "recording_fields.h"

/* Holds a line of figures however large the counters grow, so that no tick allocates. */
enum { LINE_BYTES = 2048 };

_Static_assert(COLUMN_COUNT <= 64, "a bit for each");

static uint64_t bit(enum column c)
{
	return UINT64_C(1) << c;
}

void record_line_init(struct record_line *l)
{
	memset(l, 0, sizeof(*l));
	buffer_reserve(&l->text, LINE_BYTES);
}

void record_line_release(struct record_line *l)
{
	buffer_release(&l->text);
	buffer_release(&l->stamp);
}

/* Where a number goes; hold() says how long it became. */
static char *number_room(struct record_line *l)
{
	if (l->text.size - l->text.len <= NUMBER_BYTES)
		buffer_reserve(&l->text, NUMBER_BYTES);
	return l->text.data + l->text.len;
}

/* The last `len` bytes, just written or about to be counted in, are that column. */
static void hold(struct record_line *l, enum column c, size_t len)
{
	l->begin[c] = l->text.len;
	l->len[c] = len;
	l->text.len += len;
	l->quoted &= ~bit(c);
	if (len)
		l->filled |= bit(c);
	else
		l->filled &= ~bit(c);
}

/* ---- fields between commas ---- */

static char *put_commas(char *at, unsigned int n)
{
	while (n-- > 0)
		*at++ = ',';
	return at;
}

static char *put_quoted(char *at, const char *text, size_t len)
{
	*at++ = '"';
	for (size_t i = 0; i < len; i++) {
		if (text[i] == '"')
			*at++ = '"';
		*at++ = text[i];
	}
	*at++ = '"';
	return at;
}

/* The columns from `first` to before `end`, a comma between each two of them. */
static void put_fields(const struct record_line *l, enum column first, enum column end,
		       struct buffer *out)
{
	unsigned int column = first;
	char *at;

	/* As if each byte were a quote. */
	buffer_reserve(out, 2 * l->text.len + 3 * COLUMN_COUNT);
	at = out->data + out->len;
	for (uint64_t left = l->filled; left; left &= left - 1) {
		unsigned int c = (unsigned int)__builtin_ctzll(left);
		const char *text = l->text.data + l->begin[c];

		at = put_commas(at, c - column);
		column = c;
		if (l->quoted & bit(c)) {
			at = put_quoted(at, text, l->len[c]);
		} else {
			memcpy(at, text, l->len[c]);
			at += l->len[c];
		}
	}
	at = put_commas(at, end - 1 - column);
	*at = '\0';
	out->len = (size_t)(at - out->data);
}

/* ---- what the lines of a tick share ---- */

static void forget_fields(struct record_line *l)
{
	l->text.len = 0;
	l->filled = l->quoted = 0;
}

static bool is_stamped(const struct record_line *l, int64_t realtime_ms, uint32_t segment,
		       uint64_t elapsed_us, const char *host)
{
	return l->stamp.len > 0 && l->elapsed_us == elapsed_us && l->realtime_ms == realtime_ms &&
	       l->segment == segment && strcmp(l->host, host) == 0;
}

static void make_stamp(struct record_line *l, int64_t realtime_ms, uint32_t segment,
		       uint64_t elapsed_us, const char *host)
{
	forget_fields(l);
	if (realtime_ms != INT64_MIN)
		hold(l, COLUMN_TIME, clock_format_utc(number_room(l), realtime_ms));
	record_line_set_u64(l, COLUMN_SEGMENT, segment);
	if (elapsed_us <= INT64_MAX)
		record_line_set_fixed(l, COLUMN_ELAPSED_S, (int64_t)elapsed_us, 6);
	record_line_set_text(l, COLUMN_HOST, host);
	buffer_reset(&l->stamp);
	put_fields(l, COLUMN_TIME, COLUMN_KIND, &l->stamp);
	buffer_add_char(&l->stamp, ',');
	l->realtime_ms = realtime_ms;
	l->segment = segment;
	l->elapsed_us = elapsed_us;
	/* One that does not fit is like none, and is made anew each time. */
	text_copy(l->host, sizeof(l->host), host);
}

void record_line_begin(struct record_line *l, enum record_kind kind, int64_t realtime_ms,
		       uint32_t segment, uint64_t elapsed_us, const char *host)
{
	size_t len = strlen(record_kind_names[kind]);

	if (!is_stamped(l, realtime_ms, segment, elapsed_us, host))
		make_stamp(l, realtime_ms, segment, elapsed_us, host);
	forget_fields(l);
	buffer_reserve(&l->text, len);
	memcpy(l->text.data, record_kind_names[kind], len);
	hold(l, COLUMN_KIND, len);
}

/* ---- fields ---- */

static void add_escaped(struct buffer *b, const char *bytes, size_t n)
{
	static const char digits[] = "0123456789abcdef";

	for (size_t i = 0; i < n; i++) {
		unsigned char byte = (unsigned char)bytes[i];
		char escape[4] = { '\\', 'x', digits[byte >> 4], digits[byte & 15] };

		buffer_add(b, escape, sizeof(escape));
	}
}

/* Any text, from the first byte that is not plain ASCII or is a backslash. */
static void add_difficult(struct buffer *b, const char *text, size_t left)
{
	while (left > 0) {
		unsigned int rune;
		int n = text_decode(text, left, &rune);
		size_t taken = n > 0 ? (size_t)n : 1;

		if (n > 0 && rune != '\\' && text_rune_is_clean(rune))
			buffer_add(b, text, taken);
		else
			add_escaped(b, text, taken);
		text += taken;
		left -= taken;
	}
}

static bool is_plain(char c)
{
	return c >= 0x20 && c < 0x7f && c != '\\';
}

void record_line_set_text(struct record_line *l, enum column c, const char *text)
{
	size_t plain = 0, begin = l->text.len, len;
	bool quoted = false;

	for (; is_plain(text[plain]); plain++)
		quoted |= text[plain] == ',' || text[plain] == '"';
	buffer_add(&l->text, text, plain);
	if (text[plain]) {
		text += plain;
		quoted = quoted || strpbrk(text, ",\"");
		add_difficult(&l->text, text, strlen(text));
	}
	len = l->text.len - begin;
	l->text.len = begin;
	hold(l, c, len);
	if (quoted)
		l->quoted |= bit(c);
}

void record_line_set_u64(struct record_line *l, enum column c, uint64_t value)
{
	hold(l, c, number_format_u64(number_room(l), value));
}

void record_line_set_fixed(struct record_line *l, enum column c, int64_t value, unsigned int digits)
{
	hold(l, c, number_format_fixed(number_room(l), value, digits));
}

void record_line_set_double(struct record_line *l, enum column c, double value, unsigned int digits)
{
	hold(l, c, number_format_double(number_room(l), value, digits));
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

void record_line_end(const struct record_line *l, struct buffer *out)
{
	buffer_add(out, l->stamp.data, l->stamp.len);
	put_fields(l, COLUMN_KIND, COLUMN_COUNT, out);
	buffer_add_char(out, '\n');
}
