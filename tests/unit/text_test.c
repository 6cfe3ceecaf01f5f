/* Bounded text, text from outside, widths, patterns, the growing buffer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "raidtop/memory.h"
#include "raidtop/text.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static const struct copy_case {
	const char *name, *src;
	size_t size;
	const char *dst;
	bool whole;
} copies[] = {
	{ "empty", "", 8, "", true },
	{ "fits exactly", "sda1234", 8, "sda1234", true },
	{ "one too long", "sda12345", 8, "sda1234", false },
	{ "room for the terminator alone", "sda", 1, "", false },
	{ "cut before a two-byte character", "ab\xc3\xa9", 4, "ab", false },
	{ "a two-byte character that fits", "ab\xc3\xa9", 5, "ab\xc3\xa9", true },
	{ "cut before a three-byte character", "a\xe2\x82\xac!", 4, "a", false },
	{ "cut after a three-byte character", "a\xe2\x82\xac!", 5, "a\xe2\x82\xac", false },
	{ "cut within a four-byte character", "\xf0\x9f\x92\xbe", 4, "", false },
	{ "stray continuation bytes are not swallowed", "\x80\x80\x80\x80\x80\x80", 6,
	  "\x80\x80\x80\x80\x80", false },
};

static void copies_cut_between_characters(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(copies); i++) {
		const struct copy_case *c = &copies[i];
		char dst[16], formatted[16];

		print_message("  %s\n", c->name);
		memset(dst, '#', sizeof(dst));
		memset(formatted, '#', sizeof(formatted));
		assert_int_equal(text_copy(dst, c->size, c->src), c->whole);
		assert_string_equal(dst, c->dst);
		assert_int_equal(text_format(formatted, c->size, "%s", c->src), c->whole);
		assert_string_equal(formatted, c->dst);
		for (size_t k = c->size; k < sizeof(dst); k++)
			assert_true(dst[k] == '#' && formatted[k] == '#');
	}
}

static void copies_take_no_more_than_asked(void **state)
{
	char dst[8] = "untouch";

	(void)state;
	assert_true(text_copy_n(dst, sizeof(dst), "sda1", 3));
	assert_string_equal(dst, "sda");
	assert_true(text_copy_n(dst, sizeof(dst), "md\0x", 4));
	assert_string_equal(dst, "md");
	assert_false(text_copy(dst, 0, "x"));
	assert_false(text_format(dst, 0, "x"));
	assert_false(text_clean(dst, 0, "x"));
	assert_string_equal(dst, "md");
}

static const struct clean_case {
	const char *name, *src, *dst;
	bool clean; /* nothing to replace */
} cleanings[] = {
	{ "plain", "WDC WD5000AAKS", "WDC WD5000AAKS", true },
	{ "empty", "", "", true },
	{ "padding", "  ST3500  \n", "ST3500", false },
	{ "padding alone", " \t \v\r\n", "", false },
	{ "blank inside", "a b", "a b", true },
	{ "tab inside", "a\tb", "a?b", false },
	{ "escape sequence", "\x1b[2Jdisk\x07", "?[2Jdisk?", false },
	{ "delete", "a\x7f", "a?", false },
	{ "C1 control as a character",
	  "a\xc2\x9b"
	  "1m",
	  "a?1m", false },
	{ "C1 control as a byte",
	  "a\x9b"
	  "1m",
	  "a?1m", false },
	{ "right-to-left override",
	  "a\xe2\x80\xae"
	  "b",
	  "a?b", false },
	{ "isolate", "\xe2\x81\xa6x\xe2\x81\xa9", "?x?", false },
	{ "line separator", "a\xe2\x80\xa8", "a?", false },
	{ "accents and symbols stay", "\xc3\xa9\xe2\x82\xac\xf0\x9f\x92\xbe",
	  "\xc3\xa9\xe2\x82\xac\xf0\x9f\x92\xbe", true },
	{ "overlong slash", "\xc0\xaf", "??", false },
	{ "overlong in three bytes", "\xe0\x80\xaf", "???", false },
	{ "surrogate", "\xed\xa0\x80", "???", false },
	{ "beyond Unicode", "\xf4\x90\x80\x80", "????", false },
	{ "torn at the end", "a\xe2\x82", "a??", false },
	{ "torn in the middle", "\xe2\x82z", "??z", false },
	{ "0xff", "\xff\xfe", "??", false },
};

static void names_from_outside_are_cleaned(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(cleanings); i++) {
		const struct clean_case *c = &cleanings[i];
		char dst[64], in_place[64];

		print_message("  %s\n", c->name);
		assert_true(text_clean(dst, sizeof(dst), c->src));
		assert_string_equal(dst, c->dst);
		assert_int_equal(text_is_clean(c->src), c->clean);
		assert_true(text_is_clean(dst));
		text_copy(in_place, sizeof(in_place), c->src);
		assert_true(text_clean(in_place, sizeof(in_place), in_place));
		assert_string_equal(in_place, c->dst);
	}
}

static void cleaning_cuts_between_characters(void **state)
{
	char dst[4];

	(void)state;
	assert_false(text_clean(dst, sizeof(dst), "ab\xe2\x82\xac"));
	assert_string_equal(dst, "ab");
	assert_false(text_clean(dst, sizeof(dst), "\x01\x02\x03\x04"));
	assert_string_equal(dst, "???");
	assert_true(text_clean(dst, sizeof(dst), "abc"));
	assert_false(text_clean(dst, 1, "abc"));
	assert_string_equal(dst, "");
}

/* Encodes by hand what text_decode must give back: all of Unicode. */
static int encode(char *dst, unsigned int rune)
{
	if (rune < 0x80) {
		dst[0] = (char)rune;
		return 1;
	}
	if (rune < 0x800) {
		dst[0] = (char)(0xc0 | rune >> 6);
		dst[1] = (char)(0x80 | (rune & 0x3f));
		return 2;
	}
	if (rune < 0x10000) {
		dst[0] = (char)(0xe0 | rune >> 12);
		dst[1] = (char)(0x80 | (rune >> 6 & 0x3f));
		dst[2] = (char)(0x80 | (rune & 0x3f));
		return 3;
	}
	dst[0] = (char)(0xf0 | rune >> 18);
	dst[1] = (char)(0x80 | (rune >> 12 & 0x3f));
	dst[2] = (char)(0x80 | (rune >> 6 & 0x3f));
	dst[3] = (char)(0x80 | (rune & 0x3f));
	return 4;
}

static void every_character_is_decoded(void **state)
{
	(void)state;
	for (unsigned int rune = 0; rune < 0x120000; rune++) {
		bool exists = rune < 0x110000 && (rune < 0xd800 || rune > 0xdfff);
		char bytes[4] = "";
		int n = encode(bytes, rune);
		unsigned int got = 1;

		assert_int_equal(text_decode(bytes, (size_t)n, &got), exists ? n : -1);
		assert_int_equal(got, exists ? rune : 1);
		if (n > 1)
			assert_int_equal(text_decode(bytes, (size_t)n - 1, &got), -1);
	}
	assert_int_equal(text_decode("", 0, &(unsigned int){ 0 }), 0);
}

static const struct width_case {
	const char *name, *text;
	int width;
} widths[] = {
	{ "empty", "", 0 },
	{ "ascii", "md0 raid5", 9 },
	{ "bar characters", "\xe2\x96\x88\xe2\xa3\xbf\xe2\x94\x9c", 3 },
	{ "accent as one character", "\xc3\xa9", 1 },
	{ "accent as a combining one", "e\xcc\x81", 1 },
	{ "Chinese", "\xe7\xa3\x81\xe7\x9b\x98", 4 },
	{ "Korean syllable", "\xed\x95\x9c", 2 },
	{ "floppy disk", "\xf0\x9f\x92\xbe", 2 },
	{ "full-width letter", "\xef\xbc\xa1", 2 },
	{ "half-width katakana", "\xef\xbd\xb1", 1 },
	{ "zero width joiner", "\xe2\x80\x8d", 0 },
	{ "control characters take none",
	  "a\x01\x1b"
	  "b",
	  2 },
	{ "bytes that are no text take one each", "\xff\xc3", 2 },
};

static void widths_on_a_terminal(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(widths); i++) {
		print_message("  %s\n", widths[i].name);
		assert_int_equal(text_width(widths[i].text), widths[i].width);
	}
}

static const struct match_case {
	const char *pattern, *name;
	bool matches;
} matches[] = {
	{ "sda", "sda", true },    { "sda", "sda1", false },    { "sda*", "sda1", true },
	{ "sd[ab]", "sdb", true }, { "sd[!ab]", "sdb", false }, { "md?", "md0", true },
	{ "md?", "md10", false },  { "*", "", true },           { "*", "cciss/c0d0", true },
	{ "", "", true },          { "", "sda", false },        { "sd\\a", "sda", false },
	{ "[", "[", true },        { "sd[", "sda", false },
};

static void patterns(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(matches); i++) {
		print_message("  '%s' on '%s'\n", matches[i].pattern, matches[i].name);
		assert_int_equal(text_matches(matches[i].pattern, matches[i].name),
				 matches[i].matches);
	}
}

static void a_buffer_grows_and_keeps_what_it_has(void **state)
{
	struct buffer b = BUFFER_INIT;
	char expected[4001];
	size_t before;

	(void)state;
	assert_string_equal(buffer_text(&b), "");
	for (int i = 0; i < 1000; i++)
		buffer_format(&b, "%04d", i);
	assert_int_equal(b.len, 4000);
	for (int i = 0; i < 1000; i++)
		text_format(expected + 4 * (size_t)i, 5, "%04d", i);
	assert_string_equal(buffer_text(&b), expected);
	before = memory_allocations();
	for (int round = 0; round < 100; round++) {
		buffer_reset(&b);
		assert_string_equal(buffer_text(&b), "");
		buffer_add(&b, expected, 3999);
		buffer_add_char(&b, '!');
	}
	assert_int_equal(memory_allocations(), before);
	assert_int_equal(b.len, 4000);
	assert_int_equal(b.data[3999], '!');
	buffer_release(&b);
	assert_string_equal(buffer_text(&b), "");
}

static void a_buffer_takes_any_bytes_of_any_length(void **state)
{
	struct buffer b;
	static char long_text[5000];

	(void)state;
	memset(long_text, 'x', sizeof(long_text) - 1);
	buffer_init(&b);
	buffer_add(&b, "a\0b", 3);
	buffer_add(&b, "", 0);
	assert_int_equal(b.len, 3);
	assert_memory_equal(b.data, "a\0b", 4);
	buffer_format(&b, "%s|", long_text);
	assert_int_equal(b.len, 3 + 4999 + 1);
	assert_int_equal(b.data[b.len - 1], '|');
	buffer_reserve(&b, 100000);
	assert_true(b.size > 100000 + b.len);
	assert_int_equal(b.data[b.len], '\0');
	buffer_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(copies_cut_between_characters),
		cmocka_unit_test(copies_take_no_more_than_asked),
		cmocka_unit_test(names_from_outside_are_cleaned),
		cmocka_unit_test(cleaning_cuts_between_characters),
		cmocka_unit_test(every_character_is_decoded),
		cmocka_unit_test(widths_on_a_terminal),
		cmocka_unit_test(patterns),
		cmocka_unit_test(a_buffer_grows_and_keeps_what_it_has),
		cmocka_unit_test(a_buffer_takes_any_bytes_of_any_length),
	};

	return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
