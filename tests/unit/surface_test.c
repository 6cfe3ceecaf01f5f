/* Drawing on a surface of cells: clipping, wide characters, and what must not reach a terminal. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "raidtop/surface.h"

#define WIDTH 8
#define HEIGHT 2

/* What a text looks like after it was drawn at x, y. */
static const struct text_case {
	const char *name;
	int x, y;
	const char *text;
	const char *picture; /* both lines */
	int after;           /* the column returned */
} text_cases[] = {
	{ "plain", 1, 0, "md0", " md0\n\n", 4 },
	{ "second line", 0, 1, "sda", "\nsda\n", 3 },
	{ "cut at the right edge", 5, 0, "abcdef", "     abc\n\n", 8 },
	{ "cut at the left edge", -2, 0, "abcd", "cd\n\n", 2 },
	{ "above", 0, -1, "abc", "\n\n", 3 },
	{ "below", 0, 2, "abc", "\n\n", 3 },
	{ "far to the right", 100, 0, "abc", "\n\n", 100 },
	{ "escape sequence", 0, 0, "a\033[2Jb", "a?[2Jb\n\n", 6 },
	{ "bell and delete", 0, 0, "\a\177x", "??x\n\n", 3 },
	{ "C1 control", 0, 0, "a\302\233b", "a?b\n\n", 3 },
	{ "right-to-left override", 0, 0, "a\342\200\256b", "a?b\n\n", 3 },
	{ "broken UTF-8", 0, 0, "a\377\376b", "a??b\n\n", 4 },
	{ "torn at the end", 0, 0, "a\342\226", "a??\n\n", 3 },
	{ "two bytes", 0, 0, "é", "é\n\n", 1 },
	{ "combining mark has no cell", 0, 0, "e\314\201x", "ex\n\n", 2 },
	{ "wide", 0, 0, "漢字x", "漢字x\n\n", 5 },
	{ "half a wide one at the edge", 5, 0, "漢字", "     漢\n\n", 9 },
};

static void check_picture(const struct surface *s, const char *should_be)
{
	struct buffer text = BUFFER_INIT;

	surface_to_text(s, &text);
	assert_string_equal(buffer_text(&text), should_be);
	buffer_release(&text);
}

static void check_styles(const struct surface *s, const char *should_be)
{
	struct buffer text = BUFFER_INIT;

	surface_styles_to_text(s, &text);
	assert_string_equal(buffer_text(&text), should_be);
	buffer_release(&text);
}

static void texts_are_clipped_and_cleaned(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(text_cases) / sizeof(text_cases[0]); i++) {
		const struct text_case *c = &text_cases[i];
		struct surface s;

		print_message("  %s\n", c->name);
		surface_init(&s);
		surface_resize(&s, WIDTH, HEIGHT);
		assert_int_equal(surface_text(&s, c->x, c->y, STYLE_TEXT, c->text), c->after);
		check_picture(&s, c->picture);
		surface_release(&s);
	}
}

static const struct cut_case {
	const char *name;
	int width;
	const char *text;
	uint32_t cut;
	const char *picture;
	int after;
} cut_cases[] = {
	{ "fits", 5, "abcde", '~', "abcde\n\n", 5 },
	{ "cut with a sign", 4, "abcde", '~', "abc~\n\n", 4 },
	{ "cut without one", 4, "abcde", 0, "abcd\n\n", 4 },
	{ "room for the sign alone", 1, "abc", '~', "~\n\n", 1 },
	{ "no room", 0, "abc", '~', "\n\n", 0 },
	{ "less than no room", -3, "abc", '~', "\n\n", 0 },
	{ "a wide one that straddles the cut", 4, "ab漢字", 0x2026, "ab …\n\n", 4 },
	{ "controls count as the sign they become", 3, "\033\033\033\033", '~', "??~\n\n", 3 },
};

static void texts_are_cut_to_a_width(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cut_cases) / sizeof(cut_cases[0]); i++) {
		const struct cut_case *c = &cut_cases[i];
		struct surface s;

		print_message("  %s\n", c->name);
		surface_init(&s);
		surface_resize(&s, WIDTH, HEIGHT);
		assert_int_equal(surface_text_in(&s, 0, 0, c->width, STYLE_TEXT, c->text, c->cut),
				 c->after);
		check_picture(&s, c->picture);
		surface_release(&s);
	}
}

static void figures_stand_at_the_right(void **state)
{
	struct surface s;

	(void)state;
	surface_init(&s);
	surface_resize(&s, WIDTH, HEIGHT);
	surface_text_right(&s, 1, 0, 5, STYLE_READ, "42.6");
	surface_text_right(&s, 1, 1, 5, STYLE_READ, "1234567");
	check_picture(&s, "  42.6\n 1234~\n");
	check_styles(&s, "  rrrr\n rrrrr\n");
	surface_release(&s);
}

static void half_a_wide_character_never_stays(void **state)
{
	struct surface s;

	(void)state;
	surface_init(&s);
	surface_resize(&s, WIDTH, HEIGHT);
	surface_text(&s, 0, 0, STYLE_TEXT, "漢字");
	surface_put(&s, 1, 0, STYLE_TEXT, 'x'); /* over a second half */
	surface_put(&s, 2, 0, STYLE_TEXT, 'y'); /* over a first half */
	check_picture(&s, " xy\n\n");
	surface_release(&s);
}

static void a_selected_row_keeps_its_styles(void **state)
{
	struct surface s;

	(void)state;
	surface_init(&s);
	surface_resize(&s, WIDTH, HEIGHT);
	surface_text(&s, 0, 0, STYLE_BAD, "ab");
	surface_text(&s, 2, 0, STYLE_BADGE_BAD, "c");
	surface_select_row(&s, -5, 0, 9);
	surface_select_row(&s, 0, 7, 9);
	check_styles(&s, "XX!=\n\n");
	surface_release(&s);
}

static void filling_is_clipped_on_all_sides(void **state)
{
	struct surface s;

	(void)state;
	surface_init(&s);
	surface_resize(&s, WIDTH, HEIGHT);
	surface_fill(&s, -3, -3, 100, 4, STYLE_FRAME, '-');
	surface_fill(&s, 6, 1, 100, 100, STYLE_FRAME, '+');
	check_picture(&s, "--------\n      ++\n");
	surface_release(&s);
}

static void a_smaller_size_needs_no_new_cells(void **state)
{
	struct cell *cells;
	struct surface s;

	(void)state;
	surface_init(&s);
	surface_resize(&s, 100, 40);
	cells = s.cells;
	surface_text(&s, 0, 0, STYLE_TEXT, "old");
	surface_resize(&s, 40, 100);
	assert_ptr_equal(s.cells, cells);
	assert_int_equal(s.cells[0].rune, ' ');
	surface_resize(&s, 0, -1);
	assert_int_equal(surface_text(&s, 0, 0, STYLE_TEXT, "x"), 0);
	surface_release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts_are_clipped_and_cleaned),
		cmocka_unit_test(texts_are_cut_to_a_width),
		cmocka_unit_test(figures_stand_at_the_right),
		cmocka_unit_test(half_a_wide_character_never_stays),
		cmocka_unit_test(a_selected_row_keeps_its_styles),
		cmocka_unit_test(filling_is_clipped_on_all_sides),
		cmocka_unit_test(a_smaller_size_needs_no_new_cells),
	};

	return cmocka_run_group_tests_name("surface", tests, NULL, NULL);
}
