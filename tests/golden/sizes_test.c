/*
 * Every size and every condition: machines put together at random are drawn at all sizes from
 * 1x1 up, the selection moved about meanwhile. What is looked for are crashes (the sanitizers
 * see to that), cells outside of what may reach a terminal, a selection that is not seen, and
 * allocations in a frame that has been drawn before.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "raidtop/clock.h"
#include "raidtop/memory.h"
#include "raidtop/surface.h"
#include "raidtop/text.h"
#include "scene.h"

static uint64_t sequence;

static unsigned int random_below(unsigned int n)
{
	sequence = sequence * 6364136223846793005ULL + 1442695040888963407ULL;
	return (unsigned int)(sequence >> 33) % n;
}

static const struct scene_recipe *recipe_of(const char *name)
{
	for (size_t i = 0; i < n_scene_recipes; i++)
		if (strcmp(scene_recipes[i].name, name) == 0)
			return &scene_recipes[i];
	fail();
	return NULL;
}

static struct scene *new_scene(const char *name)
{
	struct scene *scene = calloc(1, sizeof(*scene));

	assert_non_null(scene);
	scene_init(scene, recipe_of(name));
	return scene;
}

static void free_scene(struct scene *scene)
{
	scene_release(scene);
	free(scene);
}

/* ---- random conditions ---- */

static void shake_array(struct array *a)
{
	a->state = (enum array_state)random_below(4);
	a->readonly = (enum array_readonly)random_below(3);
	a->degraded = random_below(2) ? UNKNOWN_U64 : random_below(4);
	a->raid_disks = random_below(3) ? random_below(40) : UNKNOWN_U64;
	a->raid_disks_before = random_below(4) ? UNKNOWN_U64 : random_below(40);
	a->mismatch_count = random_below(2) ? random_below(1000000) : UNKNOWN_U64;
	a->stripe_cache_size = random_below(2) ? random_below(1u << 31) : UNKNOWN_U64;
	a->stripe_cache_active = random_below(2) ? random_below(1u << 31) : UNKNOWN_U64;
	a->spares = random_below(2) ? random_below(40) : UNKNOWN_U64;
	a->sync_min_bytes_per_sec = random_below(2) ? random_below(1u << 31) : UNKNOWN_U64;
	a->sync_max_bytes_per_sec = random_below(2) ? random_below(1u << 31) : UNKNOWN_U64;
	a->reshape_position_bytes = random_below(2) ? random_below(1u << 31) : UNKNOWN_U64;
	if (random_below(5) == 0)
		text_copy(a->level, sizeof(a->level), "container");
	a->frozen = (enum truth)((int)random_below(3) - 1);
	a->chunk_bytes = random_below(2) ? 65536 : UNKNOWN_U64;
	a->action.kind = (enum action_kind)random_below(6);
	a->action.state = (enum action_state)random_below(5);
	a->action.percent_tenths = random_below(3) ? (int32_t)random_below(1001) : UNKNOWN_I32;
	a->action.finish_s = random_below(3) ? random_below(1u << 31) : UNKNOWN_U64;
	a->action.speed_bytes_per_sec = random_below(3) ? random_below(1u << 31) : UNKNOWN_U64;
	for (size_t i = 0; i < sizeof(a->slots) - 1 && random_below(30); i++) {
		a->slots[i] = random_below(5) ? 'U' : '_';
		a->slots[i + 1] = '\0';
	}
	for (size_t i = 0; i < a->n_members; i++) {
		a->members[i].state = (enum member_state)random_below(9);
		a->members[i].flags = random_below(32);
		if (random_below(10) == 0)
			a->members[i].device = NO_SLOT;
	}
}

static void shake(struct scene *s)
{
	for (size_t i = 0; i < s->topology.n_devices; i++) {
		struct device *d = s->topology.devices[i];

		d->present = random_below(12) != 0;
		d->counts_io = (enum truth)((int)random_below(3) - 1);
		d->disk.temperature_mc =
			random_below(3) ? (int32_t)random_below(200000) - 50000 : UNKNOWN_I32;
		d->disk.temperature_max_mc =
			random_below(2) ? (int32_t)random_below(150000) : UNKNOWN_I32;
		d->disk.temperature_crit_mc =
			random_below(2) ? (int32_t)random_below(150000) : UNKNOWN_I32;
		d->disk.asleep = (enum truth)((int)random_below(3) - 1);
		s->figures[i].valid &= random_below(4) ? ~0u : random_below(256);
		s->loads[i].read_per_sec = random_below(2) ? random_below(1u << 30) : 0;
		s->loads[i].write_per_sec = random_below(2) ? random_below(1u << 30) : 0;
		if (d->array)
			shake_array(d->array);
	}
	s->topology.generation++;
	s->model.interval_ns = (random_below(40) + 1) * 100 * NS_PER_MS;
	s->model.paused = random_below(2);
	s->model.units = random_below(2) ? UNITS_SI : UNITS_IEC;
	s->model.utf8 = random_below(2);
	s->model.n_hints = random_below(10);
	s->model.n_streams = s->model.streams ? random_below(SCENE_STREAMS + 1) : 0;
}

/* ---- what must hold of each picture ---- */

static void check_cells(const struct surface *s)
{
	for (int i = 0; i < s->width * s->height; i++) {
		const struct cell *c = &s->cells[i];

		assert_true(c->style < STYLE_COUNT);
		if (c->rune == 0) {
			assert_true(i % s->width > 0);
			assert_int_equal(text_rune_width(s->cells[i - 1].rune), 2);
		} else {
			assert_true(text_rune_is_clean(c->rune));
			if (text_rune_width(c->rune) == 2)
				assert_true(i % s->width < s->width - 1);
		}
	}
}

static bool selection_is_seen(const struct surface *s)
{
	for (int i = 0; i < s->width * s->height; i++)
		if (s->cells[i].selected)
			return true;
	return false;
}

static void draw_and_check(struct screen *screen, struct scene *scene, struct surface *surface,
			   int width, int height)
{
	surface_resize(surface, width, height);
	screen_draw(screen, &scene->model, surface);
	check_cells(surface);
	/* Below 40 x 10 there are the totals alone. */
	if (screen->page == PAGE_WATCH && width >= 40 && height >= 10)
		assert_int_equal(selection_is_seen(surface), screen->selected != NO_SLOT);
}

static void any_size_any_condition(void **state)
{
	static const char *const names[] = { "hostile", "three-arrays", "many-disks", "degraded",
					     "replay",  "no-disks",     "one-disk",   "no-answer" };

	(void)state;
	sequence = 1;
	for (size_t k = 0; k < sizeof(names) / sizeof(names[0]); k++) {
		struct scene *scene = new_scene(names[k]);
		struct surface surface;
		struct screen screen;

		surface_init(&surface);
		screen_init(&screen);
		for (int i = 0; i < 250; i++) {
			int width = 1 + (int)random_below(i % 2 ? 120 : 500);
			int height = 1 + (int)random_below(i % 3 ? 40 : 200);

			if (i % 5 == 0)
				shake(scene);
			scene_step(scene);
			screen.page = random_below(8) ? PAGE_WATCH : PAGE_HELP;
			screen_move(&screen, &scene->model, (enum screen_move)random_below(6));
			draw_and_check(&screen, scene, &surface, width, height);
		}
		screen_release(&screen);
		surface_release(&surface);
		free_scene(scene);
	}
}

/* Each width and each height once, on the machine that has everything. */
static void every_width_and_height(void **state)
{
	struct scene *scene = new_scene("three-arrays");
	struct surface surface;
	struct screen screen;

	(void)state;
	surface_init(&surface);
	screen_init(&screen);
	for (int width = 1; width <= 250; width++)
		draw_and_check(&screen, scene, &surface, width, 24);
	for (int height = 1; height <= 100; height++)
		draw_and_check(&screen, scene, &surface, 100, height);
	for (int n = 1; n <= 40; n++)
		draw_and_check(&screen, scene, &surface, n, n);
	screen_release(&screen);
	surface_release(&surface);
	free_scene(scene);
}

static void before_the_first_tick(void **state)
{
	struct scene *scene = new_scene("one-array");
	struct buffer text = BUFFER_INIT;
	struct surface surface;
	struct screen screen;

	(void)state;
	scene->model.tick = NULL;
	scene->model.history = NULL;
	scene->model.events = NULL;
	surface_init(&surface);
	screen_init(&screen);
	draw_and_check(&screen, scene, &surface, 80, 24);
	surface_to_text(&surface, &text);
	/* Unknown is a dash, never a zero. */
	assert_non_null(strstr(buffer_text(&text), "sda     U      -      -"));
	buffer_release(&text);
	screen_release(&screen);
	surface_release(&surface);
	free_scene(scene);
}

static void a_warm_frame_allocates_nothing(void **state)
{
	struct scene *scene = new_scene("three-arrays");
	struct surface surface;
	struct screen screen;
	size_t before;

	(void)state;
	surface_init(&surface);
	screen_init(&screen);
	draw_and_check(&screen, scene, &surface, 160, 45);
	before = memory_allocations();
	for (int i = 0; i < 1000; i++) {
		scene_step(scene);
		screen_move(&screen, &scene->model, (enum screen_move)(i % 6));
		surface_resize(&surface, 160, 45);
		screen_draw(&screen, &scene->model, &surface);
	}
	assert_int_equal(memory_allocations(), before);
	screen_release(&screen);
	surface_release(&surface);
	free_scene(scene);
}

/* ---- moving ---- */

static const char *selected_name(const struct screen *s, const struct scene *scene)
{
	return s->selected == NO_SLOT ? "none" : scene->topology.devices[s->selected]->name;
}

static void the_selection_moves_by_devices(void **state)
{
	static const struct {
		enum screen_move move;
		const char *leads_to;
	} steps[] = {
		{ MOVE_UP, "md0" },      { MOVE_DOWN, "sda" },      { MOVE_DOWN, "sdb" },
		{ MOVE_END, "nvme0n1" }, { MOVE_DOWN, "nvme0n1" },  { MOVE_UP, "sdk" },
		{ MOVE_HOME, "md0" },    { MOVE_PAGE_DOWN, "sdh" }, { MOVE_PAGE_UP, "md0" },
	};
	struct scene *scene = new_scene("three-arrays");
	struct surface surface;
	struct screen screen;

	(void)state;
	surface_init(&surface);
	screen_init(&screen);
	draw_and_check(&screen, scene, &surface, 100, 24);
	assert_string_equal(selected_name(&screen, scene), "md0");
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		print_message("  step %zu\n", i);
		screen_move(&screen, &scene->model, steps[i].move);
		draw_and_check(&screen, scene, &surface, 100, 24);
		assert_string_equal(selected_name(&screen, scene), steps[i].leads_to);
	}
	screen_release(&screen);
	surface_release(&surface);
	free_scene(scene);
}

/* A device that goes takes the selection to its neighbour, and nothing else moves. */
static void a_device_that_goes_gives_the_selection_on(void **state)
{
	struct scene *scene = new_scene("many-disks");
	struct surface surface;
	struct screen screen;

	(void)state;
	surface_init(&surface);
	screen_init(&screen);
	draw_and_check(&screen, scene, &surface, 100, 24);
	for (int i = 0; i < 30; i++)
		screen_move(&screen, &scene->model, MOVE_DOWN);
	assert_string_equal(selected_name(&screen, scene), "sdae");
	draw_and_check(&screen, scene, &surface, 100, 24);
	scene->topology.devices[30]->present = false;
	scene->topology.generation++;
	draw_and_check(&screen, scene, &surface, 100, 24);
	assert_string_equal(selected_name(&screen, scene), "sdaf");
	screen_release(&screen);
	surface_release(&surface);
	free_scene(scene);
}

/* Who gives no answer is said on every screen that has a line of at least so many letters. */
static void small_screens_name_who_gives_no_answer(void **state)
{
	static const struct {
		int width, height;
		const char *text;
	} small[] = {
		{ 30, 6, "2 GIVE NO ANSWER" },    { 20, 3, "2 GIVE NO ANSWER" },
		{ 40, 10, "no answer" },          { 60, 12, "no answer" },
		{ 80, 24, "NO ANSWER sdb 11 s" },
	};
	struct scene *scene = new_scene("no-answer");

	(void)state;
	for (size_t i = 0; i < sizeof(small) / sizeof(small[0]); i++) {
		struct buffer picture = BUFFER_INIT;
		struct surface surface;
		struct screen screen;

		print_message("  %d x %d\n", small[i].width, small[i].height);
		surface_init(&surface);
		screen_init(&screen);
		surface_resize(&surface, small[i].width, small[i].height);
		screen_draw(&screen, &scene->model, &surface);
		surface_to_text(&surface, &picture);
		assert_non_null(strstr(buffer_text(&picture), small[i].text));
		buffer_release(&picture);
		screen_release(&screen);
		surface_release(&surface);
	}
	free_scene(scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_size_any_condition),
		cmocka_unit_test(every_width_and_height),
		cmocka_unit_test(before_the_first_tick),
		cmocka_unit_test(a_warm_frame_allocates_nothing),
		cmocka_unit_test(the_selection_moves_by_devices),
		cmocka_unit_test(a_device_that_goes_gives_the_selection_on),
		cmocka_unit_test(small_screens_name_who_gives_no_answer),
	};

	setenv("TZ", "UTC0", 1);
	return cmocka_run_group_tests_name("sizes", tests, NULL, NULL);
}
