/* Colours: which mode a terminal gets, how a style looks in it, and true colours by replacement. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "ui/paint.h"
#include "ui/theme.h"

/* ---- replacement; 16 stands for #010203, 17 for #ffffff ---- */

static const struct paint_case {
	const char *name;
	const char *from, *to;
} paint_cases[] = {
	{ "plain text", "md0 raid5", "md0 raid5" },
	{ "foreground", "\033[38;5;16mx", "\033[38;2;1;2;3mx" },
	{ "background", "\033[48;5;17mx", "\033[48;2;255;255;255mx" },
	{ "both with others", "\033[0;1;38;5;16;48;5;17mx",
	  "\033[0;1;38;2;1;2;3;48;2;255;255;255mx" },
	{ "one that stands for nothing", "\033[38;5;18mx", "\033[38;5;18mx" },
	{ "a basic colour", "\033[38;5;9mx\033[31m", "\033[38;5;9mx\033[31m" },
	{ "no colour at all", "\033[m\033[1m", "\033[m\033[1m" },
	{ "true already", "\033[38;2;5;16;5m", "\033[38;2;5;16;5m" },
	{ "another sequence", "\033[16;5H\033(B\033[?25l", "\033[16;5H\033(B\033[?25l" },
	{ "torn at the end", "x\033[38;5;16", "x\033[38;5;16" },
	{ "ESC at the end", "x\033", "x\033" },
	{ "a huge number", "\033[99999999999m", "\033[99999999999m" },
};

static void indices_become_colours(void **state)
{
	struct paint paint = { .n = 0 };
	struct buffer out = BUFFER_INIT;

	(void)state;
	assert_int_equal(paint_index(&paint, 0x010203), 16);
	assert_int_equal(paint_index(&paint, 0xffffff), 17);
	assert_int_equal(paint_index(&paint, 0x010203), 16);
	for (size_t i = 0; i < sizeof(paint_cases) / sizeof(paint_cases[0]); i++) {
		const struct paint_case *c = &paint_cases[i];

		print_message("  %s\n", c->name);
		buffer_reset(&out);
		paint_apply(&paint, c->from, strlen(c->from), &out);
		assert_string_equal(buffer_text(&out), c->to);
	}
	buffer_release(&out);
}

static void padding_is_taken_off(void **state)
{
	struct buffer out = BUFFER_INIT;

	(void)state;
	paint_unpadded("\033[?5h$<100/>\033[?5l$<5*>x$y$<", &out);
	assert_string_equal(buffer_text(&out), "\033[?5h\033[?5lx$y$<");
	buffer_release(&out);
}

/* ---- modes ---- */

static const struct mode_case {
	const char *name;
	enum colour_mode wanted;
	int n_colours;
	const char *no_color, *colorterm;
	enum colour_mode mode;
} mode_cases[] = {
	{ "none", COLOUR_AUTO, 0, NULL, NULL, COLOUR_NONE },
	{ "eight", COLOUR_AUTO, 8, NULL, NULL, COLOUR_8 },
	{ "sixteen", COLOUR_AUTO, 16, NULL, NULL, COLOUR_16 },
	{ "88 are used as 16", COLOUR_AUTO, 88, NULL, NULL, COLOUR_16 },
	{ "256", COLOUR_AUTO, 256, NULL, NULL, COLOUR_256 },
	{ "true by COLORTERM", COLOUR_AUTO, 256, NULL, "truecolor", COLOUR_TRUE },
	{ "true by the other word", COLOUR_AUTO, 256, NULL, "24bit", COLOUR_TRUE },
	{ "any other COLORTERM", COLOUR_AUTO, 256, NULL, "yes", COLOUR_256 },
	{ "COLORTERM on a terminal of 8", COLOUR_AUTO, 8, NULL, "truecolor", COLOUR_8 },
	{ "NO_COLOR", COLOUR_AUTO, 256, "1", "truecolor", COLOUR_NONE },
	{ "NO_COLOR empty", COLOUR_AUTO, 256, "", NULL, COLOUR_256 },
	{ "asked for in spite of NO_COLOR", COLOUR_256, 256, "1", NULL, COLOUR_256 },
	{ "none asked for", COLOUR_NONE, 256, NULL, "truecolor", COLOUR_NONE },
	{ "more than there are", COLOUR_TRUE, 8, NULL, NULL, COLOUR_8 },
	{ "more than 16", COLOUR_256, 16, NULL, NULL, COLOUR_16 },
	{ "true without COLORTERM", COLOUR_TRUE, 256, NULL, NULL, COLOUR_TRUE },
	{ "colours where there are none", COLOUR_16, 0, NULL, NULL, COLOUR_NONE },
};

static void modes(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(mode_cases) / sizeof(mode_cases[0]); i++) {
		const struct mode_case *c = &mode_cases[i];

		print_message("  %s\n", c->name);
		assert_int_equal(theme_mode(c->wanted, c->n_colours, c->no_color, c->colorterm),
				 c->mode);
	}
}

/* ---- looks ---- */

static const struct {
	enum colour_mode mode;
	int most; /* the largest colour that may be named */
} ranges[] = {
	{ COLOUR_NONE, -1 }, { COLOUR_8, 7 },           { COLOUR_16, 15 },
	{ COLOUR_256, 255 }, { COLOUR_TRUE, 0xffffff },
};

static void looks_keep_to_the_palette(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++) {
		for (int style = 0; style < STYLE_COUNT; style++) {
			struct look plain = theme_look(ranges[i].mode, (enum style)style, false);
			struct look over = theme_look(ranges[i].mode, (enum style)style, true);

			assert_in_range(plain.fg + 1, 0, ranges[i].most + 1);
			assert_in_range(plain.bg + 1, 0, ranges[i].most + 1);
			assert_in_range(over.fg + 1, 0, ranges[i].most + 1);
			assert_in_range(over.bg + 1, 0, ranges[i].most + 1);
		}
	}
}

static bool same(struct look a, struct look b)
{
	return a.fg == b.fg && a.bg == b.bg && a.attributes == b.attributes;
}

/* What must be told apart at a glance looks different, with colours or without. */
static void what_matters_stands_out(void **state)
{
	static const enum style apart[][2] = {
		{ STYLE_TEXT, STYLE_BAD },   { STYLE_GOOD, STYLE_BAD },
		{ STYLE_TEXT, STYLE_TITLE }, { STYLE_TEXT, STYLE_BADGE_BAD },
		{ STYLE_TEXT, STYLE_MUTED }, { STYLE_BADGE_WARNING, STYLE_BADGE_BAD },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++) {
		for (size_t k = 0; k < sizeof(apart) / sizeof(apart[0]); k++) {
			struct look a = theme_look(ranges[i].mode, apart[k][0], false);
			struct look b = theme_look(ranges[i].mode, apart[k][1], false);

			assert_false(same(a, b));
		}
		assert_false(same(theme_look(ranges[i].mode, STYLE_TEXT, false),
				  theme_look(ranges[i].mode, STYLE_TEXT, true)));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(indices_become_colours),
		cmocka_unit_test(padding_is_taken_off),
		cmocka_unit_test(modes),
		cmocka_unit_test(looks_keep_to_the_palette),
		cmocka_unit_test(what_matters_stands_out),
	};

	return cmocka_run_group_tests_name("paint", tests, NULL, NULL);
}
