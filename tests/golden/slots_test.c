/* The map of an array's slots where it is too long: what is cut off must not hide a lost member. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "raidtop/surface.h"
#include "raidtop/text.h"
#include "raidtop/topology.h"
#include "ui/glyphs.h"
#include "ui/view.h"

static const struct slots_case {
	const char *name, *slots;
	int width;
	const char *drawn; /* "" where there is room for nothing */
	enum style last;   /* of the letter before the bracket */
} cases[] = {
	{ "fits", "UU_", 5, "[UU_]", STYLE_BAD },
	{ "fits in more", "UU_", 9, "[UU_]", STYLE_BAD },
	{ "cut, all well", "UUUUUUUU", 7, "[UUUU~]", STYLE_MUTED },
	{ "lost at the end", "UUUUUUU_", 7, "[UUU~_]", STYLE_BAD },
	{ "lost just behind the cut", "UUUU_UUU", 7, "[UUU~_]", STYLE_BAD },
	{ "lost before the cut and behind", "_UUUUU_U", 7, "[_UU~_]", STYLE_BAD },
	{ "lost before the cut only", "_UUUUUUU", 7, "[_UUU~]", STYLE_MUTED },
	{ "with errors, as Synology has them", "UUUUUUUE", 7, "[UUU~E]", STYLE_BAD },
	{ "room for two", "UUUUUUU_", 4, "[~_]", STYLE_BAD },
	{ "room for one", "UUUUUUU_", 3, "[_]", STYLE_BAD },
	{ "room for one, all well", "UUUUUUUU", 3, "[~]", STYLE_MUTED },
	{ "no room", "UUUUUUU_", 2, "", STYLE_TEXT },
	{ "no map", "", 8, "", STYLE_TEXT },
};

static void maps(void **state)
{
	struct array *a = calloc(1, sizeof(*a));
	struct surface surface;

	(void)state;
	assert_non_null(a);
	surface_init(&surface);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct slots_case *c = &cases[i];
		struct view v = { .s = &surface, .glyphs = glyphs_for(false) };
		char drawn[16] = "";
		int end;

		print_message("  %s\n", c->name);
		surface_resize(&surface, 16, 1);
		surface_clear(&surface);
		text_copy(a->slots, sizeof(a->slots), c->slots);
		end = array_draw_slots(&v, a, 0, 0, c->width);
		for (int x = 0; x < end; x++)
			drawn[x] = (char)surface.cells[x].rune;
		assert_string_equal(drawn, c->drawn);
		if (end > 1)
			assert_int_equal(surface.cells[end - 2].style, c->last);
	}
	surface_release(&surface);
	free(a);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(maps) };

	return cmocka_run_group_tests_name("maps of slots", tests, NULL, NULL);
}
