/* Tables for people: as wide as their cells, and in parts where the terminal is narrower. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "app/text_table.h"

static const char whole[] = "name  MB/s  note\n"
			    "a       12  fast, and steady\n"
			    "bcd      3\n";

static const struct width_case {
	const char *name;
	int width;
	const char *text;
} cases[] = {
	{ "no limit", 0, whole },
	{ "just wide enough", 28, whole },
	{ "one cell too narrow", 27,
	  "name  MB/s\n"
	  "a       12\n"
	  "bcd      3\n"
	  "\n"
	  "name  note\n"
	  "a     fast, and steady\n"
	  "bcd\n" },
	{ "too narrow for any", 3,
	  "name  MB/s\n"
	  "a       12\n"
	  "bcd      3\n"
	  "\n"
	  "name  note\n"
	  "a     fast, and steady\n"
	  "bcd\n" },
};

static void widths(void **state)
{
	struct text_table t;
	struct text_table_row *row;

	(void)state;
	text_table_init(&t);
	text_table_add_column(&t, "name", false);
	text_table_add_column(&t, "empty", true);
	text_table_add_column(&t, "MB/s", true);
	text_table_add_column(&t, "note", false);
	text_table_add_column(&t, "empty, too", false);
	row = text_table_add_row(&t);
	text_copy(row->cell[0], TEXT_TABLE_CELL_BYTES, "a");
	text_copy(row->cell[2], TEXT_TABLE_CELL_BYTES, "12");
	text_copy(row->cell[3], TEXT_TABLE_CELL_BYTES, "fast, and steady");
	row = text_table_add_row(&t);
	text_copy(row->cell[0], TEXT_TABLE_CELL_BYTES, "bcd");
	text_copy(row->cell[2], TEXT_TABLE_CELL_BYTES, "3");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct buffer out = BUFFER_INIT;

		print_message("  %s\n", cases[i].name);
		text_table_print(&t, cases[i].width, 1, &out);
		assert_string_equal(buffer_text(&out), cases[i].text);
		buffer_release(&out);
	}
	text_table_release(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(widths) };

	return cmocka_run_group_tests_name("text_table", tests, NULL, NULL);
}
