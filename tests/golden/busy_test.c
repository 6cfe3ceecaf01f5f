/*
 * How busy a disk is, as the screen says it: never more than all of the time, never a number where
 * none is known, and no 0 for what is not counted.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "raidtop/surface.h"
#include "raidtop/text.h"
#include "scene.h"

#define WIDTH 120
#define WIDTH_MAX 200
#define HEIGHT 24

static void build(struct scene *s)
{
	struct device *d = topology_add_device(&s->topology, DEVICE_DISK, "sdtest");

	d->size_bytes = 500000000000;
	d->counts_io = TRUTH_YES;
	text_copy(d->disk.transport, sizeof(d->disk.transport), "sata");
	s->loads[0] = (struct scene_load){ 1e6, 0, 4, 0, 0, 0 };
}

static const struct scene_recipe recipe = { "one disk", build, 10 };

/* The first line with `text` in it as ASCII, other characters as '#'; false where there is none. */
static bool find_line(const struct surface *s, const char *text, char *line, size_t size)
{
	assert_true(size > (size_t)s->width);
	for (int y = 0; y < s->height; y++) {
		for (int x = 0; x < s->width; x++) {
			uint32_t rune = s->cells[y * s->width + x].rune;

			line[x] = rune >= ' ' && rune < 0x7f ? (char)rune : '#';
		}
		line[s->width] = '\0';
		if (strstr(line, text))
			return true;
	}
	return false;
}

static void draw(struct scene *scene, int width, const char *text, char *line, size_t size)
{
	struct surface surface;
	struct screen screen;

	surface_init(&surface);
	screen_init(&screen);
	surface_resize(&surface, width, HEIGHT);
	screen_draw(&screen, &scene->model, &surface);
	if (!find_line(&surface, text, line, size))
		fail_msg("no line with '%s'", text);
	screen_release(&screen);
	surface_release(&surface);
}

/* Whether the word stands in the columns below the heading that ends at `end`. */
static bool is_below(const char *line, const char *end, const char *heading, const char *word)
{
	const char *at = line + (end - heading) - strlen(word);

	return strncmp(at, word, strlen(word)) == 0 && at[-1] == ' ';
}

static const struct busy_case {
	const char *name;
	bool known;
	double pct;
	const char *shown;
	bool derived;
} cases[] = {
	{ "half of the time", true, 50, "50", false },
	{ "all of it", true, 100, "100", false },
	{ "rounded up to a jiffy (BUGS 38)", true, 100.4, "100", false },
	{ "far beyond the clock (WISHES 16, BUGS 38)", true, 2260, "100", false },
	{ "not known", false, 0, "-", false },
	{ "the head of a multipath, from its paths", false, 0, "paths", true },
};

static void busy(void **state)
{
	struct scene *scene = calloc(1, sizeof(*scene));
	char heading[WIDTH + 1], line[WIDTH + 1];

	(void)state;
	assert_non_null(scene);
	scene_init(scene, &recipe);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct figures *f = &scene->figures[0];
		const char *end;

		print_message("  %s\n", cases[i].name);
		f->derived = cases[i].derived;
		f->value[RATE_UTIL] = cases[i].pct;
		f->valid =
			cases[i].known ? f->valid | 1u << RATE_UTIL : f->valid & ~(1u << RATE_UTIL);
		draw(scene, WIDTH, "util %", heading, sizeof(heading));
		end = strstr(heading, "util %") + strlen("util %");
		draw(scene, WIDTH, "sdtest", line, sizeof(line));
		if (!is_below(line, end, heading, cases[i].shown))
			fail_msg("not '%s' in: %s", cases[i].shown, line);
	}
	scene_release(scene);
	free(scene);
}

/* WISHES 2, BUGS 41: said, with the way to turn it on where that has room, and never cut short. */
static void statistics_off(void **state)
{
	static const struct {
		int width;
		const char *said;
	} rooms[] = {
		{ 200, "statistics off: echo 1 >/sys/block/sdtest/queue/iostats " },
		{ 120, "statistics off (queue/iostats) " },
		{ 80, "statistics off (queue/iostats) " },
	};
	struct scene *scene = calloc(1, sizeof(*scene));
	char line[WIDTH_MAX + 1];

	(void)state;
	assert_non_null(scene);
	scene_init(scene, &recipe);
	scene->topology.devices[0]->counts_io = TRUTH_NO;
	scene->figures[0].valid = 0;
	scene->figures[0].gap = GAP_ABSENT;
	for (size_t i = 0; i < sizeof(rooms) / sizeof(rooms[0]); i++) {
		draw(scene, rooms[i].width, "sdtest", line, sizeof(line));
		if (!strstr(line, rooms[i].said))
			fail_msg("not said at %d: %s", rooms[i].width, line);
	}
	scene_release(scene);
	free(scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(busy),
		cmocka_unit_test(statistics_off),
	};

	return cmocka_run_group_tests_name("how busy, on the screen", tests, NULL, NULL);
}
