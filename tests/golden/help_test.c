/*
 * The help page explains each letter that a narrow screen has for the state of a member or an
 * array, in its colour.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "raidtop/surface.h"
#include "raidtop/text.h"
#include "scene.h"
#include "ui/view.h"

#define WIDTH 80
#define HEIGHT 70
#define SIGNS 10 /* the columns in which signs stand */

static void build(struct scene *s)
{
	topology_add_device(&s->topology, DEVICE_DISK, "sda");
}

static const struct scene_recipe recipe = { "one disk", build, 3 };

static void draw_help(struct surface *surface)
{
	struct scene *scene = calloc(1, sizeof(*scene));
	struct screen screen;

	assert_non_null(scene);
	scene_init(scene, &recipe);
	screen_init(&screen);
	screen.page = PAGE_HELP;
	surface_resize(surface, WIDTH, HEIGHT);
	screen_draw(&screen, &scene->model, surface);
	screen_release(&screen);
	scene_release(scene);
	free(scene);
}

/* Whether the letter stands alone among the signs, below their title. */
static bool explains(const struct surface *s, char letter)
{
	bool below = false;

	for (int y = 0; y < s->height; y++) {
		const struct cell *line = &s->cells[y * s->width];

		below = below || (line[1].rune == 'S' && line[2].rune == 'i');
		for (int x = 1; below && x < SIGNS; x++)
			if (line[x].rune == (uint32_t)letter && line[x - 1].rune <= ' ' &&
			    line[x + 1].rune <= ' ')
				return true;
	}
	return false;
}

static void letters_of_members(void **state)
{
	struct surface surface;

	(void)state;
	surface_init(&surface);
	draw_help(&surface);
	for (int s = MEMBER_STATE_UNKNOWN; s <= MEMBER_UNUSED; s++) {
		struct member m = { .state = (enum member_state)s };
		struct state_look look = member_look(&m);

		print_message("  %s\n", look.word);
		assert_true(explains(&surface, look.letter));
		m.flags = MEMBER_FLAG_WRITE_MOSTLY;
		assert_true(explains(&surface, member_look(&m).letter));
	}
	assert_true(explains(&surface, '!')); /* the shortest word of view_trouble.c */
	assert_false(explains(&surface, 'Q'));
	surface_release(&surface);
}

static void letters_of_arrays(void **state)
{
	static const struct {
		const char *level;
		enum array_state state;
		uint64_t degraded;
	} arrays[] = {
		{ "raid1", ARRAY_ACTIVE, 0 },       { "raid1", ARRAY_ACTIVE, 1 },
		{ "raid1", ARRAY_INACTIVE, 0 },     { "raid0", ARRAY_BROKEN, 0 },
		{ "container", ARRAY_INACTIVE, 0 }, { "raid1", ARRAY_STATE_UNKNOWN, 0 },
	};
	struct array *a = calloc(1, sizeof(*a));
	struct surface surface;

	(void)state;
	assert_non_null(a);
	surface_init(&surface);
	draw_help(&surface);
	for (size_t i = 0; i < sizeof(arrays) / sizeof(arrays[0]); i++) {
		text_copy(a->level, sizeof(a->level), arrays[i].level);
		a->state = arrays[i].state;
		a->degraded = arrays[i].degraded;
		print_message("  %s\n", array_look(a).word);
		assert_true(explains(&surface, array_look(a).letter));
	}
	surface_release(&surface);
	free(a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(letters_of_members),
		cmocka_unit_test(letters_of_arrays),
	};

	return cmocka_run_group_tests_name("the help page", tests, NULL, NULL);
}
