/* Sparklines, graphs and scales: that they hide no dip, bridge no gap and do not jump. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "raidtop/surface.h"
#include "ui/bandgraph.h"
#include "ui/glyphs.h"
#include "ui/scale.h"
#include "ui/sparkline.h"

#define GAP                    \
	{                      \
		.known = false \
	}
#define AT(v)                 \
	{                     \
		true, v, v, v \
	}
#define FROM_TO(mean, min, max)      \
	{                            \
		true, mean, min, max \
	}

/* ---- sparklines ---- */

static const struct line_case {
	const char *name;
	bool utf8, in_pairs;
	double top;
	struct history_cell cells[8];
	size_t n;
	const char *picture;
	const char *styles;
} line_cases[] = {
	{ "heights",
	  true,
	  false,
	  80,
	  { AT(10), AT(20), AT(30), AT(40), AT(50), AT(60), AT(70), AT(80) },
	  8,
	  "▁▂▃▄▅▆▇█\n",
	  "rrrrrrrr\n" },
	{ "zero is a foot, a gap is empty",
	  true,
	  false,
	  80,
	  { AT(0), GAP, AT(80) },
	  3,
	  "▁ █\n",
	  "f r\n" },
	{ "the least is more than nothing", true, false, 1000, { AT(0.001F) }, 1, "▁\n", "r\n" },
	{ "beyond the scale is marked", true, false, 80, { AT(80), AT(81) }, 2, "█▲\n", "rr\n" },
	{ "without a scale all is zero", true, false, 0, { AT(0) }, 1, "▁\n", "f\n" },
	{ "one sample a cell, its mean",
	  true,
	  false,
	  80,
	  { FROM_TO(40, 10, 80) },
	  1,
	  "▄\n",
	  "r\n" },
	{ "several: largest and smallest",
	  true,
	  true,
	  80,
	  { FROM_TO(40, 10, 80), AT(40) },
	  2,
	  "█▁▄▄\n",
	  "rrrr\n" },
	{ "a dip to nothing within a cell",
	  true,
	  true,
	  80,
	  { FROM_TO(40, 0, 80) },
	  1,
	  "█▁\n",
	  "rf\n" },
	{ "a gap is as wide as its cell",
	  true,
	  true,
	  80,
	  { AT(80), GAP, AT(80) },
	  3,
	  "██  ██\n",
	  "rr  rr\n" },
	{ "ASCII",
	  false,
	  false,
	  80,
	  { AT(0), AT(10), AT(40), AT(80), GAP, AT(90) },
	  6,
	  "_.=# ^\n",
	  "frrr r\n" },
};

static void check(const struct surface *s, const char *picture, const char *styles)
{
	struct buffer text = BUFFER_INIT;

	surface_to_text(s, &text);
	assert_string_equal(buffer_text(&text), picture);
	buffer_reset(&text);
	surface_styles_to_text(s, &text);
	assert_string_equal(buffer_text(&text), styles);
	buffer_release(&text);
}

static void sparklines(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(line_cases) / sizeof(line_cases[0]); i++) {
		const struct line_case *c = &line_cases[i];
		struct sparkline line = { c->cells,    c->n,       c->top,
					  c->in_pairs, STYLE_READ, glyphs_for(c->utf8) };
		struct surface s;

		print_message("  %s\n", c->name);
		surface_init(&s);
		surface_resize(&s, 16, 1);
		sparkline_draw(&s, 0, 0, &line);
		check(&s, c->picture, c->styles);
		assert_int_equal(sparkline_width(&line), c->n * (c->in_pairs ? 2 : 1));
		surface_release(&s);
	}
}

/* ---- graphs ---- */

static const struct graph_case {
	const char *name;
	double top;
	struct history_cell cells[6];
	size_t n;
	struct band band;
	const char *picture;
	const char *styles;
} graph_cases[] = {
	{ "heights over three lines",
	  30,
	  { AT(0), AT(5), AT(10), AT(25), AT(30) },
	  5,
	  { .n = 0 },
	  "   ▄█\n   ██\n▁▄███\n",
	  "   rr\n   rr\nfrrrr\n" },
	{ "a gap has thin edges",
	  30,
	  { AT(30), GAP, GAP, GAP, AT(30) },
	  5,
	  { .n = 0 },
	  "█╎ ╎█\n█╎ ╎█\n█╎ ╎█\n",
	  "rf fr\nrf fr\nrf fr\n" },
	{ "before the beginning is no gap",
	  30,
	  { GAP, GAP, AT(30) },
	  3,
	  { .n = 0 },
	  "  █\n  █\n  █\n",
	  "  r\n  r\n  r\n" },
	{ "smallest to largest is shaded",
	  30,
	  { FROM_TO(15, 10, 30), FROM_TO(15, 0, 20) },
	  2,
	  { .n = 0 },
	  "▒\n▒▒\n█▒\n",
	  "r\nrr\nrr\n" },
	{ "a dip within one line is shaded too",
	  30,
	  { FROM_TO(8, 2, 9), FROM_TO(8, 8, 9) },
	  2,
	  { .n = 0 },
	  "\n\n▒▇\n",
	  "\n\nrr\n" },
	{ "a clipped top is marked", 30, { AT(31) }, 1, { .n = 0 }, "▲\n█\n█\n", "r\nr\nr\n" },
	{ "the band lies behind, the mean is dotted",
	  30,
	  { AT(10), AT(0), AT(30) },
	  3,
	  { .n = 30, .low = 11, .mean = 15, .peak = 19, .from_quantiles = true },
	  "  █\n┈┈█\n█▁█\n",
	  "  r\nddd\nrfr\n" },
	{ "no band over a gap",
	  30,
	  { AT(10), GAP, GAP, AT(10) },
	  4,
	  { .n = 30, .low = 21, .mean = 22, .peak = 29, .from_quantiles = true },
	  "┈╎╎┈\n ╎╎\n█╎╎█\n",
	  "dffd\n ff\nrffr\n" },
	{ "without a scale there is a foot",
	  0,
	  { AT(0), AT(0) },
	  2,
	  { .n = 2 },
	  "\n\n▁▁\n",
	  "\n\nff\n" },
};

static void graphs(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(graph_cases) / sizeof(graph_cases[0]); i++) {
		const struct graph_case *c = &graph_cases[i];
		struct bandgraph g = { .cells = c->cells,
				       .n = c->n,
				       .band = c->band,
				       .top = c->top,
				       .height = 3,
				       .style = STYLE_READ,
				       .band_style = STYLE_READ_BAND,
				       .glyphs = glyphs_for(true) };
		struct surface s;

		print_message("  %s\n", c->name);
		surface_init(&s);
		surface_resize(&s, 8, 3);
		bandgraph_draw(&s, 0, 0, &g);
		check(&s, c->picture, c->styles);
		surface_release(&s);
	}
}

/* ---- scales ---- */

#define MB 1e6
#define MIB 1048576.0

static const struct scale_case {
	const char *name;
	double largest, before;
	enum units units;
	double top;
} scale_cases[] = {
	{ "nothing moves", 0, 0, UNITS_SI, 0 },
	{ "nothing moves any more", 0, 250 * MB, UNITS_SI, 0 },
	{ "a trickle stays small", 0.3 * MB, 0, UNITS_SI, 5 * MB },
	{ "rounded up", 231 * MB, 0, UNITS_SI, 250 * MB },
	{ "just at a step", 250 * MB, 0, UNITS_SI, 250 * MB },
	{ "just above it", 251 * MB, 0, UNITS_SI, 300 * MB },
	{ "of the units shown", 231 * MIB, 0, UNITS_IEC, 250 * MIB },
	{ "thousands", 12345 * MB, 0, UNITS_SI, 15000 * MB },
	{ "grows at once", 251 * MB, 250 * MB, UNITS_SI, 300 * MB },
	{ "does not shrink at the edge", 249 * MB, 300 * MB, UNITS_SI, 300 * MB },
	{ "shrinks well below it", 220 * MB, 300 * MB, UNITS_SI, 250 * MB },
	{ "shrinks by more than a step", 3 * MB, 300 * MB, UNITS_SI, 5 * MB },
};

static void scales(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(scale_cases) / sizeof(scale_cases[0]); i++) {
		const struct scale_case *c = &scale_cases[i];

		print_message("  %s\n", c->name);
		assert_float_equal(scale_top(c->largest, c->before, c->units), c->top, 1);
	}
}

/* Values that waver about a step must not make the scale jump to and fro. */
static void a_scale_is_steady(void **state)
{
	double top = 0;
	int changes = 0;

	(void)state;
	for (int i = 0; i < 100; i++) {
		double next = scale_top((i % 2 ? 252 : 248) * MB, top, UNITS_SI);

		changes += next < top || next > top;
		top = next;
	}
	assert_int_equal(changes, 2); /* to 250 and then to 300 */
}

static void scales_as_text(void **state)
{
	char text[32];

	(void)state;
	scale_format(text, sizeof(text), 50 * MB, UNITS_SI);
	assert_string_equal(text, "50");
	scale_format(text, sizeof(text), 2.5 * MB, UNITS_SI);
	assert_string_equal(text, "2.5");
	scale_format(text, sizeof(text), 300 * MIB, UNITS_IEC);
	assert_string_equal(text, "300");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sparklines),     cmocka_unit_test(graphs),
		cmocka_unit_test(scales),         cmocka_unit_test(a_scale_is_steady),
		cmocka_unit_test(scales_as_text),
	};

	return cmocka_run_group_tests_name("graphs", tests, NULL, NULL);
}
