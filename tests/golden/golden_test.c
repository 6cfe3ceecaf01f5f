/*
 * Golden screens: what each invented machine looks like at four sizes, in UTF-8 and in ASCII,
 * compared with the files beside this one; at 80x24 the styles too. With GOLDEN_UPDATE=1 in the
 * environment the files are written instead: look at what changed before committing it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "raidtop/file.h"
#include "raidtop/surface.h"
#include "raidtop/text.h"
#include "scene.h"

static const struct size {
	int width, height;
	bool with_styles;
} sizes[] = {
	{ 40, 10, false },
	{ 80, 24, true },
	{ 120, 40, false },
	{ 200, 60, false },
};

#define MAX_BYTES (1 << 20)

static bool updating(void)
{
	return getenv("GOLDEN_UPDATE") != NULL;
}

/* The picture as it is kept in a file. */
static void draw(struct scene *scene, const struct size *size, bool utf8, struct buffer *out)
{
	struct surface surface;
	struct screen screen;

	scene->model.utf8 = utf8;
	surface_init(&surface);
	screen_init(&screen);
	surface_resize(&surface, size->width, size->height);
	screen_draw(&screen, &scene->model, &surface);
	surface_to_text(&surface, out);
	if (size->with_styles) {
		buffer_add_text(out, "---- styles ----\n");
		surface_styles_to_text(&surface, out);
	}
	screen_release(&screen);
	surface_release(&surface);
}

/* Prints the first line that differs; the rest follows from it more often than not. */
static void tell_difference(const char *path, const char *is, const char *should_be)
{
	int number = 1;

	while (*is && *should_be) {
		size_t len_is = strcspn(is, "\n"), len_should = strcspn(should_be, "\n");

		if (len_is != len_should || strncmp(is, should_be, len_is) != 0)
			break;
		is += len_is + (is[len_is] == '\n');
		should_be += len_should + (should_be[len_should] == '\n');
		number++;
	}
	print_message("%s:%d differs\n  is     |%.*s\n  should |%.*s\n", path, number,
		      (int)strcspn(is, "\n"), is, (int)strcspn(should_be, "\n"), should_be);
}

static void write_file(const char *path, const struct buffer *text)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_int_equal(fwrite(text->data, 1, text->len, f), text->len);
	assert_int_equal(fclose(f), 0);
}

/* 1 where the picture is not the one in the file. */
static int check_picture(struct scene *scene, const char *name, const struct size *size, bool utf8)
{
	struct buffer is = BUFFER_INIT, should_be = BUFFER_INIT;
	char path[256];
	int differs = 0, r;

	text_format(path, sizeof(path), "tests/golden/%s-%dx%d-%s.txt", name, size->width,
		    size->height, utf8 ? "utf8" : "ascii");
	draw(scene, size, utf8, &is);
	if (updating()) {
		write_file(path, &is);
	} else {
		r = file_read(path, MAX_BYTES, &should_be);
		if (r < 0)
			print_message("%s: %s\n", path, strerror(-r));
		else if (strcmp(buffer_text(&is), buffer_text(&should_be)) != 0)
			tell_difference(path, buffer_text(&is), buffer_text(&should_be));
		differs = r < 0 || strcmp(buffer_text(&is), buffer_text(&should_be)) != 0;
	}
	buffer_release(&is);
	buffer_release(&should_be);
	return differs;
}

static void looks_as_it_did(void **state)
{
	const struct scene_recipe *recipe = *state;
	struct scene *scene = calloc(1, sizeof(*scene));
	int differing = 0;

	assert_non_null(scene);
	scene_init(scene, recipe);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		differing += check_picture(scene, recipe->name, &sizes[i], true);
		differing += check_picture(scene, recipe->name, &sizes[i], false);
	}
	scene_release(scene);
	free(scene);
	assert_int_equal(differing, 0);
	if (updating())
		skip();
}

int main(void)
{
	struct CMUnitTest tests[16] = { 0 };
	size_t n = n_scene_recipes;

	setenv("TZ", "UTC0", 1);
	assert_true(n <= sizeof(tests) / sizeof(tests[0]));
	for (size_t i = 0; i < n; i++) {
		tests[i].name = scene_recipes[i].name;
		tests[i].test_func = looks_as_it_did;
		/* The table is constant, and cmocka does not write to it. */
		tests[i].initial_state = (void *)(uintptr_t)&scene_recipes[i];
	}
	return _cmocka_run_group_tests("golden", tests, n, NULL, NULL);
}
