/* How many streams are shown: a third of the screen, and what the devices leave blank. */
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

#define WIDTH 80
#define STREAMS 40

static void build(struct scene *s)
{
	static const char *const names[] = { "sdx", "sdy", "sdz" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct device *d = topology_add_device(&s->topology, DEVICE_DISK, names[i]);

		d->size_bytes = 500000000000;
		d->counts_io = TRUTH_YES;
		s->loads[i] = (struct scene_load){ 1e6, 0, 4, 0, 0, 0 };
	}
}

static const struct scene_recipe recipe = { "three disks", build, 10 };

static void fill_streams(struct stream_view *views)
{
	for (unsigned int i = 0; i < STREAMS; i++) {
		struct stream_view *v = &views[i];

		v->number = i + 1;
		text_copy(v->spec.workload, sizeof(v->spec.workload), "seq-read");
		text_copy(v->spec.device, sizeof(v->spec.device), "sdx");
		v->state = STREAM_RUNNING;
		v->read_bytes = 1000000;
		v->running_ns = NS_PER_SEC;
		v->read_bytes_per_sec = 1e6;
	}
}

/* Lines with `text` in them. */
static int count_lines(const struct surface *s, const char *text)
{
	char line[WIDTH + 1];
	int n = 0;

	for (int y = 0; y < s->height; y++) {
		for (int x = 0; x < s->width; x++) {
			uint32_t rune = s->cells[y * s->width + x].rune;

			line[x] = rune >= ' ' && rune < 0x7f ? (char)rune : '#';
		}
		line[s->width] = '\0';
		n += strstr(line, text) != NULL;
	}
	return n;
}

static const struct room_case {
	const char *name;
	int height;
	size_t n_streams;
	int shown;
} cases[] = {
	{ "within a third", 24, 6, 6 },
	{ "in what three disks leave", 24, 8, 8 },
	{ "all that they leave", 24, STREAMS, 24 - 3 - 2 - 3 - 1 - 2 },
	{ "too low for more than the header", 13, 8, 0 },
};

static void rooms(void **state)
{
	struct scene *scene = calloc(1, sizeof(*scene));
	struct stream_view *views = calloc(STREAMS, sizeof(*views));

	(void)state;
	assert_non_null(scene);
	assert_non_null(views);
	scene_init(scene, &recipe);
	fill_streams(views);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct surface surface;
		struct screen screen;

		print_message("  %s\n", cases[i].name);
		scene->model.streams = views;
		scene->model.n_streams = cases[i].n_streams;
		surface_init(&surface);
		screen_init(&screen);
		surface_resize(&surface, WIDTH, cases[i].height);
		screen_draw(&screen, &scene->model, &surface);
		assert_int_equal(count_lines(&surface, "seq-read"), cases[i].shown);
		assert_int_equal(count_lines(&surface, "  sum"), cases[i].shown > 0);
		assert_int_equal(count_lines(&surface, " sdx ") - cases[i].shown, 1);
		assert_int_equal(count_lines(&surface, " sdz "), 1);
		screen_release(&screen);
		surface_release(&surface);
	}
	free(views);
	scene_release(scene);
	free(scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(rooms) };

	return cmocka_run_group_tests_name("streams, on the screen", tests, NULL, NULL);
}
