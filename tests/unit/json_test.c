/* JSON to the byte: commas, depth, escapes and exact numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "raidtop/json.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static void fill(struct json *j)
{
	json_open_object(j, NULL);
	json_add_text(j, "name", "md0");
	json_add_null(j, "level");
	json_add_text(j, "layout", NULL);
	json_open_array(j, "disks");
	json_add_u64(j, NULL, 1);
	json_add_i64(j, NULL, -2);
	json_open_object(j, NULL);
	json_close_object(j);
	json_close_array(j);
	json_open_array(j, "none");
	json_close_array(j);
	json_add_bool(j, "bitmap", true);
	json_add_bool(j, "frozen", false);
	json_add_fixed(j, "percent", 431, 1);
	json_close_object(j);
}

static void documents_are_written(void **state)
{
	struct buffer b = BUFFER_INIT;
	struct json j;

	(void)state;
	json_init(&j, &b, false);
	fill(&j);
	assert_string_equal(buffer_text(&b),
			    "{\"name\":\"md0\",\"level\":null,\"layout\":null,\"disks\":[1,-2,{}],"
			    "\"none\":[],\"bitmap\":true,\"frozen\":false,\"percent\":43.1}");
	buffer_reset(&b);
	json_init(&j, &b, true);
	fill(&j);
	assert_string_equal(buffer_text(&b), "{\n"
					     "\t\"name\": \"md0\",\n"
					     "\t\"level\": null,\n"
					     "\t\"layout\": null,\n"
					     "\t\"disks\": [\n"
					     "\t\t1,\n"
					     "\t\t-2,\n"
					     "\t\t{}\n"
					     "\t],\n"
					     "\t\"none\": [],\n"
					     "\t\"bitmap\": true,\n"
					     "\t\"frozen\": false,\n"
					     "\t\"percent\": 43.1\n"
					     "}");
	buffer_release(&b);
}

static const struct text_case {
	const char *name, *text, *json;
} texts[] = {
	{ "empty", "", "\"\"" },
	{ "padding is kept", "ST3500  ", "\"ST3500  \"" },
	{ "quote and backslash", "a\"b\\c", "\"a\\\"b\\\\c\"" },
	{ "control characters", "\x1b[2J\n\t", "\"\\u001b[2J\\u000a\\u0009\"" },
	{ "delete and C1", "\x7f\xc2\x9b", "\"\\u007f\\u009b\"" },
	{ "direction marks", "\xe2\x80\xae", "\"\\u202e\"" },
	{ "other text as it is", "\xc3\xa9\xf0\x9f\x92\xbe", "\"\xc3\xa9\xf0\x9f\x92\xbe\"" },
	{ "bytes that are no text", "a\xff\xc3z", "\"a\xef\xbf\xbd\xef\xbf\xbdz\"" },
	{ "surrogates", "\xed\xa0\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"" },
	{ "slash", "cciss/c0d0", "\"cciss/c0d0\"" },
};

static void texts_are_escaped(void **state)
{
	struct buffer b = BUFFER_INIT;
	struct json j;

	(void)state;
	for (size_t i = 0; i < COUNT(texts); i++) {
		print_message("  %s\n", texts[i].name);
		buffer_reset(&b);
		json_init(&j, &b, true);
		json_add_text(&j, NULL, texts[i].text);
		assert_string_equal(buffer_text(&b), texts[i].json);
	}
	buffer_reset(&b);
	json_init(&j, &b, false);
	json_open_object(&j, NULL);
	json_add_null(&j, "a\"b");
	json_close_object(&j);
	assert_string_equal(buffer_text(&b), "{\"a\\\"b\":null}");
	buffer_release(&b);
}

static void numbers_are_exact(void **state)
{
	struct buffer b = BUFFER_INIT;
	struct json j;

	(void)state;
	json_init(&j, &b, false);
	json_open_array(&j, NULL);
	json_add_u64(&j, NULL, UINT64_MAX);
	json_add_i64(&j, NULL, INT64_MIN);
	json_add_fixed(&j, NULL, -5, 1);
	json_add_fixed(&j, NULL, 0, 1);
	json_close_array(&j);
	assert_string_equal(buffer_text(&b),
			    "[18446744073709551615,-9223372036854775808,-0.5,0.0]");
	buffer_release(&b);
}

static void deep_nesting(void **state)
{
	struct buffer b = BUFFER_INIT;
	struct json j;

	(void)state;
	json_init(&j, &b, false);
	for (int i = 1; i < JSON_DEPTH; i++)
		json_open_array(&j, NULL);
	for (int i = 1; i < JSON_DEPTH; i++)
		json_close_array(&j);
	assert_string_equal(buffer_text(&b), "[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]");
	buffer_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(documents_are_written),
		cmocka_unit_test(texts_are_escaped),
		cmocka_unit_test(numbers_are_exact),
		cmocka_unit_test(deep_nesting),
	};

	return cmocka_run_group_tests_name("json", tests, NULL, NULL);
}
