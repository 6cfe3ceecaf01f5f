/* The format of recordings: lines written, lines read, and lines that must not be read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "raidtop/recording.h"

/* ---- names ---- */

static int column_named(const char *name)
{
	for (int c = 0; c < COLUMN_COUNT; c++) {
		if (strcmp(column_names[c], name) == 0)
			return c;
	}
	return -1;
}

static void columns_have_names_of_their_own(void **state)
{
	(void)state;
	for (int c = 0; c < COLUMN_COUNT; c++)
		assert_int_equal(column_named(column_names[c]), c);
	for (int k = RECORD_SESSION; k < RECORD_KIND_COUNT; k++)
		assert_true(record_kind_names[k][0] != '\0');
	assert_string_equal(record_kind_names[RECORD_UNKNOWN], "");
}

/* A figure with all counters and rates known, each with a value of its own. */
static struct figures all_known(void)
{
	struct figures f = { .valid = (1u << RATE_COUNT) - 1 };

	for (enum counter c = 0; c < COUNTER_COUNT; c++)
		counters_set(&f.totals, c, 1000 + c);
	for (enum rate r = 0; r < RATE_COUNT; r++)
		f.value[r] = (r + 1) * rate_descriptions[r].column_scale;
	return f;
}

static void read_back(struct record_row *row, char *text, size_t len)
{
	struct record_header header;
	struct buffer names = BUFFER_INIT;

	record_header_write(&names);
	assert_int_equal(record_header_read(&header, names.data, names.len - 1), 0);
	assert_int_equal(header.n_columns, COLUMN_COUNT);
	assert_int_equal(text[len - 1], '\n');
	assert_int_equal(record_row_read(row, &header, text, len - 1), 0);
	buffer_release(&names);
}

static void figures_stand_in_the_columns_of_their_names(void **state)
{
	struct figures f = all_known();
	struct record_line line;
	struct record_row row;
	struct buffer out = BUFFER_INIT;
	struct counters counters;

	(void)state;
	record_line_init(&line);
	record_line_begin(&line, RECORD_SAMPLE, 0, 1, 1500000, "host");
	record_line_set_figures(&line, &f);
	record_line_end(&line, &out);
	read_back(&row, out.data, out.len);
	for (enum counter c = 0; c < COUNTER_COUNT; c++) {
		int column = column_named(counter_descriptions[c].column);
		uint64_t value;

		assert_true(column >= 0);
		assert_int_equal(record_field_u64(&row.field[column], &value), 0);
		assert_int_equal(value, 1000 + c);
	}
	for (enum rate r = 0; r < RATE_COUNT; r++) {
		int column = column_named(rate_descriptions[r].column);
		int64_t value;

		assert_true(column >= 0);
		assert_int_equal(record_field_fixed(&row.field[column], 3, &value), 0);
		assert_int_equal(value, (r + 1) * 1000);
	}
	assert_int_equal(record_row_counters(&row, &counters), 0);
	assert_int_equal(counters.valid, f.totals.valid);
	assert_memory_equal(counters.value, f.totals.value, sizeof(counters.value));
	assert_false(counters.derived);
	record_line_release(&line);
	buffer_release(&out);
}

static void derived_figures_say_so(void **state)
{
	struct figures f = all_known();
	struct record_line line;
	struct record_row row;
	struct buffer out = BUFFER_INIT;
	struct counters counters;

	(void)state;
	f.derived = true;
	record_line_init(&line);
	record_line_begin(&line, RECORD_SAMPLE, 0, 1, 0, "host");
	record_line_set_figures(&line, &f);
	record_line_end(&line, &out);
	read_back(&row, out.data, out.len);
	assert_int_equal(record_row_counters(&row, &counters), 0);
	assert_true(counters.derived);
	record_line_release(&line);
	buffer_release(&out);
}

/* ---- text ---- */

static const struct text_case {
	const char *name;
	const char *text;
	const char *written; /* as it stands between the commas */
} text_cases[] = {
	{ "plain", "sda", "sda" },
	{ "empty", "", "" },
	{ "blanks", " WDC  WD40 ", " WDC  WD40 " },
	{ "comma", "a,b", "\"a,b\"" },
	{ "quote", "12\" disk", "\"12\"\" disk\"" },
	{ "quotes alone", "\"\"", "\"\"\"\"\"\"" },
	{ "backslash", "a\\b", "a\\x5cb" },
	{ "what looks like an escape", "\\x41", "\\x5cx41" },
	{ "line feed", "a\nb", "a\\x0ab" },
	{ "carriage return", "a\r", "a\\x0d" },
	{ "escape sequence", "\x1b[2J", "\\x1b[2J" },
	{ "delete", "\x7f", "\\x7f" },
	{ "UTF-8", "Größe Ω", "Größe Ω" },
	{ "a control character of two bytes", "\xc2\x9b", "\\xc2\\x9b" },
	{ "a mark that turns the writing round", "\xe2\x80\xae", "\\xe2\\x80\\xae" },
	{ "not UTF-8", "a\xff\xc3", "a\\xff\\xc3" },
	{ "a formula", "=1+1", "=1+1" },
};

static void text_goes_in_and_comes_out(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(text_cases) / sizeof(text_cases[0]); i++) {
		const struct text_case *c = &text_cases[i];
		struct record_line line;
		struct record_row row;
		struct buffer out = BUFFER_INIT, wanted = BUFFER_INIT;
		char text[256];

		print_message("  %s\n", c->name);
		record_line_init(&line);
		record_line_begin(&line, RECORD_MARK, INT64_MIN, 3, 12000001, "");
		record_line_set_text(&line, COLUMN_VALUE, c->text);
		record_line_end(&line, &out);
		buffer_add_text(&wanted, ",3,12.000001,,mark");
		for (int k = COLUMN_KIND; k < COLUMN_VALUE; k++)
			buffer_add_char(&wanted, ',');
		buffer_add_text(&wanted, c->written);
		buffer_add_char(&wanted, '\n');
		assert_string_equal(buffer_text(&out), buffer_text(&wanted));
		read_back(&row, out.data, out.len);
		assert_int_equal(row.kind, RECORD_MARK);
		assert_int_equal(row.segment, 3);
		assert_int_equal(row.elapsed_us, 12000001);
		assert_true(row.realtime_ms == INT64_MIN);
		assert_true(record_field_text(&row.field[COLUMN_VALUE], text, sizeof(text)));
		assert_string_equal(text, c->text);
		record_line_release(&line);
		buffer_release(&out);
		buffer_release(&wanted);
	}
}

static const struct cut_case {
	const char *name;
	const char *text;
	size_t size;
	const char *read;
	bool fits;
} cut_cases[] = {
	{ "fits just so", "abc", 4, "abc", true },
	{ "is cut", "abcd", 4, "abc", false },
	{ "not within a character", "ab\xc3\xa9", 4, "ab", false },
	{ "nor within one of four bytes", "\xf0\x9f\x98\x80", 4, "", false },
	{ "room for the terminator alone", "a", 1, "", false },
	{ "an escape is one byte", "\\x41\\x42", 3, "AB", true },
	{ "an escape of nothing stays", "\\x00", 8, "\\x00", true },
	{ "half an escape stays", "\\x4", 8, "\\x4", true },
	{ "no hexadecimal", "\\xzz", 8, "\\xzz", true },
};

static void text_is_cut_to_its_place(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cut_cases) / sizeof(cut_cases[0]); i++) {
		const struct cut_case *c = &cut_cases[i];
		struct record_field f = { c->text, strlen(c->text) };
		char text[16];

		print_message("  %s\n", c->name);
		memset(text, '#', sizeof(text));
		assert_int_equal(record_field_text(&f, text, c->size), c->fits);
		assert_string_equal(text, c->read);
		assert_int_equal(text[c->size], '#');
	}
}

/* ---- rows that another program wrote ---- */

static const char small_header[] = "kind,elapsed_s,name,new,value";

static const struct row_case {
	const char *name;
	const char *line;
	int r;
	enum record_kind kind;
	const char *value;
} row_cases[] = {
	{ "plain", "mark,1.5,a,,b", 0, RECORD_MARK, "b" },
	{ "CRLF", "mark,1.5,a,,b\r", 0, RECORD_MARK, "b" },
	{ "quoted", "\"mark\",\"1.5\",\"a\",\"\",\"b\"", 0, RECORD_MARK, "b" },
	{ "quoted, CRLF", "mark,1.5,a,,\"b\"\r", 0, RECORD_MARK, "b" },
	{ "a comma in quotes", "mark,1.5,a,,\"b,c\"", 0, RECORD_MARK, "b,c" },
	{ "a line feed in quotes", "mark,1.5,a,,\"b\nc\"", 0, RECORD_MARK, "b\nc" },
	{ "doubled quotes", "mark,1.5,a,,\"\"\"b\"\"\"", 0, RECORD_MARK, "\"b\"" },
	{ "a kind of tomorrow", "smell,1.5,a,,b", 0, RECORD_UNKNOWN, "b" },
	{ "no kind", ",1.5,a,,b", 0, RECORD_UNKNOWN, "b" },
	{ "a field too few", "mark,1.5,a,b", -EINVAL, 0, NULL },
	{ "a field too many", "mark,1.5,a,,b,", -EINVAL, 0, NULL },
	{ "empty", "", -EINVAL, 0, NULL },
	{ "no time", "mark,,a,,b", -EINVAL, 0, NULL },
	{ "a time with a unit", "mark,1.5s,a,,b", -EINVAL, 0, NULL },
	{ "a time before the beginning", "mark,-1,a,,b", -EINVAL, 0, NULL },
	{ "a time beyond all", "mark,99999999999999999999,a,,b", -EINVAL, 0, NULL },
	{ "a quote in the middle", "mark,1.5,a\"b,,b", -EINVAL, 0, NULL },
	{ "a quote that is not closed", "mark,1.5,a,,\"b", -EINVAL, 0, NULL },
	{ "something after a quote", "mark,1.5,a,,\"b\"c", -EINVAL, 0, NULL },
	{ "a control character", "mark,1.5,a\x01,,b", -EINVAL, 0, NULL },
	{ "a tab", "mark,1.5,a\t,,b", -EINVAL, 0, NULL },
};

static void rows_are_read_or_refused(void **state)
{
	char names[] = "kind,elapsed_s,name,new,value";
	struct record_header header;

	(void)state;
	assert_string_equal(names, small_header);
	assert_int_equal(record_header_read(&header, names, strlen(names)), 0);
	for (size_t i = 0; i < sizeof(row_cases) / sizeof(row_cases[0]); i++) {
		const struct row_case *c = &row_cases[i];
		struct record_row row;
		char line[64], value[64];

		print_message("  %s\n", c->name);
		memcpy(line, c->line, strlen(c->line) + 1);
		assert_int_equal(record_row_read(&row, &header, line, strlen(line)), c->r);
		if (c->r < 0)
			continue;
		assert_int_equal(row.kind, c->kind);
		assert_int_equal(row.elapsed_us, 1500000);
		assert_int_equal(row.segment, 1); /* there is no such column */
		assert_true(record_field_text(&row.field[COLUMN_VALUE], value, sizeof(value)));
		assert_string_equal(value, c->value);
	}
}

static void a_byte_of_nothing_is_damage_even_in_quotes(void **state)
{
	char names[] = "kind,elapsed_s,name", line[] = "mark,1.5,\"a\0b\"";
	struct record_header header;
	struct record_row row;

	(void)state;
	assert_int_equal(record_header_read(&header, names, strlen(names)), 0);
	assert_int_equal(record_row_read(&row, &header, line, sizeof(line) - 1), -EINVAL);
}

static const struct header_case {
	const char *name;
	const char *line;
	int r;
	int kind_at; /* which of the file's columns */
} header_cases[] = {
	{ "the least", "kind,elapsed_s,name", 0, 0 },
	{ "another order", "name,kind,elapsed_s", 0, 1 },
	{ "quoted", "\"name\",\"elapsed_s\",\"kind\"", 0, 2 },
	{ "with the mark of UTF-8", "\xef\xbb\xbfkind,elapsed_s,name", 0, 0 },
	{ "CRLF", "elapsed_s,name,kind\r", 0, 2 },
	{ "a column twice", "kind,kind,elapsed_s,name", 0, 0 },
	{ "no kind", "elapsed_s,name", -EINVAL, 0 },
	{ "no time", "kind,name", -EINVAL, 0 },
	{ "no name", "kind,elapsed_s", -EINVAL, 0 },
	{ "a stray quote", "kind,elapsed_s,name,\"x", -EINVAL, 0 },
	{ "empty", "", -EINVAL, 0 },
	{ "another table", "Device,r/s,rkB/s", -EINVAL, 0 },
};

static void headers_are_read_or_refused(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(header_cases) / sizeof(header_cases[0]); i++) {
		const struct header_case *c = &header_cases[i];
		struct record_header header;
		char line[128];

		print_message("  %s\n", c->name);
		memcpy(line, c->line, strlen(c->line) + 1);
		assert_int_equal(record_header_read(&header, line, strlen(line)), c->r);
		if (c->r == 0)
			assert_int_equal(header.column[c->kind_at], COLUMN_KIND);
	}
}

static void a_header_has_at_most_256_columns(void **state)
{
	struct record_header header;
	struct buffer line = BUFFER_INIT;

	(void)state;
	buffer_add_text(&line, "kind,elapsed_s,name");
	for (int i = 3; i < 256; i++)
		buffer_add_text(&line, ",x");
	assert_int_equal(record_header_read(&header, line.data, line.len), 0);
	assert_int_equal(header.n_columns, 256);
	buffer_add_text(&line, ",x");
	assert_int_equal(record_header_read(&header, line.data, line.len), -E2BIG);
	buffer_release(&line);
}

static void a_counter_that_is_no_number_is_damage(void **state)
{
	char names[] = "kind,elapsed_s,name,read_bytes,write_bytes", line[] = "sample,1,a,,4k2";
	struct record_header header;
	struct record_row row;
	struct counters counters;

	(void)state;
	assert_int_equal(record_header_read(&header, names, strlen(names)), 0);
	assert_int_equal(record_row_read(&row, &header, line, strlen(line)), 0);
	assert_int_equal(record_row_counters(&row, &counters), -EINVAL);
}

/* ---- lists ---- */

static void lists_hold_any_text(void **state)
{
	static const char *const texts[] = {
		"", "plain", "a b", "50%=half", "a\nb\x7f", "%41", "Ω"
	};
	struct buffer list = BUFFER_INIT;
	char key[8] = "k0", text[32];

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		key[1] = (char)('0' + i);
		record_list_add(&list, key, texts[i]);
	}
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		key[1] = (char)('0' + i);
		assert_true(record_list_text(list.data, key, text, sizeof(text)));
		assert_string_equal(text, texts[i]);
	}
	assert_false(record_list_text(list.data, "k", text, sizeof(text)));
	assert_string_equal(text, "");
	assert_true(record_list_text(list.data, "k1", text, 3));
	assert_string_equal(text, "pl");
	buffer_release(&list);
}

static void lists_hold_numbers(void **state)
{
	struct buffer list = BUFFER_INIT;
	uint64_t value = 7;

	(void)state;
	record_list_add_u64(&list, "most", UINT64_MAX);
	record_list_add(&list, "word", "many");
	assert_string_equal(buffer_text(&list), "most=18446744073709551615 word=many");
	assert_int_equal(record_list_u64(list.data, "most", &value), 0);
	assert_true(value == UINT64_MAX);
	assert_int_equal(record_list_u64(list.data, "word", &value), -EINVAL);
	assert_int_equal(record_list_u64(list.data, "none", &value), -ENOENT);
	buffer_release(&list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(columns_have_names_of_their_own),
		cmocka_unit_test(figures_stand_in_the_columns_of_their_names),
		cmocka_unit_test(derived_figures_say_so),
		cmocka_unit_test(text_goes_in_and_comes_out),
		cmocka_unit_test(text_is_cut_to_its_place),
		cmocka_unit_test(rows_are_read_or_refused),
		cmocka_unit_test(a_byte_of_nothing_is_damage_even_in_quotes),
		cmocka_unit_test(headers_are_read_or_refused),
		cmocka_unit_test(a_header_has_at_most_256_columns),
		cmocka_unit_test(a_counter_that_is_no_number_is_damage),
		cmocka_unit_test(lists_hold_any_text),
		cmocka_unit_test(lists_hold_numbers),
	};

	return cmocka_run_group_tests_name("recording", tests, NULL, NULL);
}
