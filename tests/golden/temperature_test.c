/*
 * The cell of a temperature: its number, its age, that its disk sleeps, and the colour of the
 * drive's own limits. Numbers in brackets are rows of WISHES.md and of corpus/BUGS.md.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "raidtop/clock.h"
#include "raidtop/surface.h"
#include "raidtop/text.h"
#include "scene.h"

#define NONE UNKNOWN_I32

static const struct temperature_case {
	const char *name;
	int32_t value_mc, max_mc, crit_mc;
	enum truth rotational, asleep;
	unsigned int age_s;
	const char *wide, *narrow; /* the seven cells of a wide screen, the four of a narrow one */
	enum style style;          /* of the number */
} cases[] = {
	{ "beside its disk (WISHES 4)", 31400, NONE, NONE, TRUTH_YES, TRUTH_NO, 0, " 31    ",
	  " 31 ", STYLE_TEMPERATURE },
	{ "rounded, below zero (BUGS 54)", -4600, NONE, NONE, TRUTH_YES, TRUTH_NO, 0, " -5    ",
	  " -5 ", STYLE_TEMPERATURE },
	{ "no limits, turns", 48000, NONE, NONE, TRUTH_YES, TRUTH_NO, 0, " 48    ", " 48 ",
	  STYLE_WARNING },
	{ "no limits, flash", 48000, NONE, NONE, TRUTH_NO, TRUTH_NO, 0, " 48    ", " 48 ",
	  STYLE_TEMPERATURE },
	{ "no limits, turns, hot", 58000, NONE, NONE, TRUTH_YES, TRUTH_NO, 0, " 58    ", " 58 ",
	  STYLE_BAD },
	{ "below its own limits", 59900, 60000, 70000, TRUTH_YES, TRUTH_NO, 0, " 60    ", " 60 ",
	  STYLE_TEMPERATURE },
	{ "at its own maximum", 60000, 60000, 70000, TRUTH_YES, TRUTH_NO, 0, " 60    ", " 60 ",
	  STYLE_WARNING },
	{ "at its own critical one", 70000, 60000, 70000, TRUTH_YES, TRUTH_NO, 0, " 70    ", " 70 ",
	  STYLE_BAD },
	{ "strict limits of its own", 41000, 40000, 60000, TRUTH_NO, TRUTH_NO, 0, " 41    ", " 41 ",
	  STYLE_WARNING },
	{ "maximum and critical one alike (sensors 18)", 70000, 70000, 70000, TRUTH_YES, TRUTH_NO,
	  0, " 70    ", " 70 ", STYLE_BAD },
	{ "only a critical one", 75000, NONE, 80000, TRUTH_NO, TRUTH_NO, 0, " 75    ", " 75 ",
	  STYLE_WARNING },
	{ "only a maximum", 80000, 70000, NONE, TRUTH_NO, TRUTH_NO, 0, " 80    ", " 80 ",
	  STYLE_BAD },
	{ "old (WISHES 25)", 31000, NONE, NONE, TRUTH_YES, TRUTH_NO, 200, " 31 3m ", " 31~",
	  STYLE_MUTED },
	{ "asleep (WISHES 28, BUGS 52)", 31000, NONE, NONE, TRUTH_YES, TRUTH_YES, 200, " 31 zzz",
	  " 31z", STYLE_MUTED },
	{ "asleep before it was read", NONE, NONE, NONE, TRUTH_YES, TRUTH_YES, 0, "  - zzz", "  -z",
	  STYLE_MUTED },
	{ "unknown is no zero (BUGS 52)", NONE, 60000, 70000, TRUTH_YES, TRUTH_UNKNOWN, 0,
	  "  -    ", "  - ", STYLE_MUTED },
};

static void build(struct scene *s)
{
	struct device *d = topology_add_device(&s->topology, DEVICE_DISK, "sdtest");

	d->size_bytes = 500000000000;
	d->counts_io = TRUTH_YES;
	text_copy(d->disk.transport, sizeof(d->disk.transport), "sata");
}

static const struct scene_recipe recipe = { "one disk", build, 300 };

static bool has_text(const struct surface *s, int x, int y, const char *text)
{
	for (; *text; text++, x++)
		if (x >= s->width || s->cells[y * s->width + x].rune != (uint32_t)(uint8_t)*text)
			return false;
	return true;
}

static bool find_text(const struct surface *s, const char *text, int *ret_x, int *ret_y)
{
	for (*ret_y = 0; *ret_y < s->height; ++*ret_y)
		for (*ret_x = 0; *ret_x < s->width; ++*ret_x)
			if (has_text(s, *ret_x, *ret_y, text))
				return true;
	return false;
}

static void draw(struct scene *scene, int width, struct surface *surface)
{
	struct screen screen;

	scene->model.utf8 = true;
	screen_init(&screen);
	surface_resize(surface, width, 24);
	screen_draw(&screen, &scene->model, surface);
	screen_release(&screen);
}

/* The column is found by its heading, whose degree sign has the place of the number's end. */
static void check_cell(struct scene *scene, int width, const char *expected, enum style style)
{
	struct surface surface;
	int x, y, row, left;

	surface_init(&surface);
	draw(scene, width, &surface);
	assert_true(find_text(&surface, "sdtest", &left, &row));
	for (x = 0, y = 0; y < row; y++)
		for (x = 0; x + 1 < width; x++)
			if (surface.cells[y * width + x].rune == 0xb0 &&
			    surface.cells[y * width + x + 1].rune == 'C')
				goto found;
	fail_msg("no column of temperatures at width %d", width);
found:
	if (!has_text(&surface, x - 1, row, expected))
		fail_msg("not '%s' at width %d", expected, width);
	assert_int_equal(surface.cells[row * width + x + 1].style, style);
	surface_release(&surface);
}

static void cells(void **state)
{
	struct scene *scene = calloc(1, sizeof(*scene));

	(void)state;
	assert_non_null(scene);
	scene_init(scene, &recipe);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct temperature_case *c = &cases[i];
		struct disk *disk = &scene->topology.devices[0]->disk;

		print_message("  %s\n", c->name);
		disk->temperature_mc = c->value_mc;
		disk->temperature_max_mc = c->max_mc;
		disk->temperature_crit_mc = c->crit_mc;
		disk->rotational = c->rotational;
		disk->asleep = c->asleep;
		disk->temperature_at_us = scene->tick.elapsed_us - c->age_s * US_PER_SEC;
		check_cell(scene, 120, c->wide, c->style);
		check_cell(scene, 80, c->narrow, c->style);
	}
	scene_release(scene);
	free(scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(cells) };

	return cmocka_run_group_tests_name("temperatures on the screen", tests, NULL, NULL);
}
