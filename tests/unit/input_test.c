/* Bytes from terminals as keys, whole and torn; and the terminal's answer, which is no key. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "ui/input.h"

#define MAX_KEYS 16

/* The bytes come in up to three portions; after each everything is read, and a moment passes. */
static const struct key_case {
	const char *name;
	const char *portions[3];
	bool asked; /* an answer is awaited */
	int keys[MAX_KEYS];
	size_t n;
	bool synchronizes;
} cases[] = {
	{ "characters", { "qS?" }, false, { 'q', 'S', '?' }, 3, false },
	{ "controls",
	  { "\f\r\n\t\b\177" },
	  false,
	  { 12, KEY_IS_ENTER, KEY_IS_ENTER, KEY_IS_TAB, KEY_IS_BACKSPACE, KEY_IS_BACKSPACE },
	  6,
	  false },
	{ "arrows",
	  { "\033[A\033[B\033[C\033[D" },
	  false,
	  { KEY_IS_UP, KEY_IS_DOWN, KEY_IS_RIGHT, KEY_IS_LEFT },
	  4,
	  false },
	{ "arrows in application mode",
	  { "\033OA\033OB\033OH\033OF" },
	  false,
	  { KEY_IS_UP, KEY_IS_DOWN, KEY_IS_HOME, KEY_IS_END },
	  4,
	  false },
	{ "with modifiers", { "\033[1;5A\033[1;2D" }, false, { KEY_IS_UP, KEY_IS_LEFT }, 2, false },
	{ "paging",
	  { "\033[5~\033[6~\033[1~\033[4~\033[7~\033[8~\033[H\033[F" },
	  false,
	  { KEY_IS_PAGE_UP, KEY_IS_PAGE_DOWN, KEY_IS_HOME, KEY_IS_END, KEY_IS_HOME, KEY_IS_END,
	    KEY_IS_HOME, KEY_IS_END },
	  8,
	  false },
	{ "function keys are unknown, not letters",
	  { "\033[15~\033[[A\033[21;2~" },
	  false,
	  { KEY_IS_UNKNOWN, KEY_IS_UNKNOWN, KEY_IS_UNKNOWN },
	  3,
	  false },
	{ "mouse reports",
	  { "\033[<0;10;5M\033[<0;10;5m\033[M abq" },
	  false,
	  { KEY_IS_MOUSE, KEY_IS_MOUSE, KEY_IS_MOUSE, 'q' },
	  4,
	  false },
	{ "Escape alone", { "\033" }, false, { KEY_IS_ESCAPE }, 1, false },
	{ "Escape and a letter at once", { "\033q" }, false, { KEY_IS_ESCAPE, 'q' }, 2, false },
	{ "twice Escape", { "\033\033" }, false, { KEY_IS_ESCAPE, KEY_IS_ESCAPE }, 2, false },
	{ "a sequence torn in the middle is dropped whole",
	  { "\033[1;", "5Aq" },
	  false,
	  { KEY_IS_UNKNOWN, '5', 'A', 'q' },
	  4,
	  false },
	{ "UTF-8", { "é漢" }, false, { 0xe9, 0x6f22 }, 2, false },
	{ "broken UTF-8",
	  { "\377\302(" },
	  false,
	  { KEY_IS_UNKNOWN, KEY_IS_UNKNOWN, '(' },
	  3,
	  false },
	{ "the answer is no key", { "\033[?2026;2$y" }, true, { 0 }, 0, true },
	{ "set is known as well", { "\033[?2026;1$y" }, true, { 0 }, 0, true },
	{ "not known to it", { "\033[?2026;0$y" }, true, { 0 }, 0, false },
	{ "for ever off", { "\033[?2026;4$y" }, true, { 0 }, 0, false },
	{ "between keys", { "a\033[?2026;2$yb" }, true, { 'a', 'b' }, 2, true },
	{ "torn in the middle", { "\033[?20", "26;2", "$yq" }, true, { 'q' }, 1, true },
	{ "torn after its bracket", { "\033[", "?2026;2$yq" }, true, { 'q' }, 1, true },
	{ "torn after its ESC", { "\033", "[?2026;2$yq" }, true, { KEY_IS_ESCAPE, 'q' }, 2, true },
	{ "torn twice", { "\033", "[?20", "26;2$yq" }, true, { KEY_IS_ESCAPE, 'q' }, 2, true },
	{ "unasked for", { "\033[?2026;2$yq" }, false, { 'q' }, 1, true },
	{ "of another mode", { "\033[?25;1$yq" }, true, { 'q' }, 1, false },
	{ "a bracket typed after Escape",
	  { "\033", "[", "q" },
	  true,
	  { KEY_IS_ESCAPE, '[', 'q' },
	  3,
	  false },
};

static size_t read_all(struct input *in, bool is_all, int *keys, size_t n)
{
	for (;;) {
		int key = input_next(in, is_all);

		if (key == KEY_NONE_YET)
			return n;
		assert_true(n < MAX_KEYS);
		keys[n++] = key;
	}
}

static void bytes_become_keys(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct key_case *c = &cases[i];
		int keys[MAX_KEYS];
		struct input in;
		size_t n = 0;

		print_message("  %s\n", c->name);
		input_init(&in, true);
		in.asked = c->asked;
		for (size_t k = 0; k < 3 && c->portions[k]; k++) {
			size_t len = strlen(c->portions[k]);

			assert_true(len <= input_room(&in));
			memcpy(in.bytes + in.len, c->portions[k], len);
			input_added(&in, len);
			n = read_all(&in, false, keys, n);
			n = read_all(&in, true, keys, n);
		}
		assert_int_equal(n, c->n);
		for (size_t k = 0; k < n; k++)
			assert_int_equal(keys[k], c->keys[k]);
		assert_int_equal(in.synchronizes, c->synchronizes);
	}
}

/* Whatever comes, it ends, and what is kept stays within bounds. */
static void rubbish_is_survived(void **state)
{
	uint64_t sequence = 7;
	struct input in;

	(void)state;
	input_init(&in, true);
	for (int i = 0; i < 100000; i++) {
		size_t room = input_room(&in), n;
		int key;

		sequence = sequence * 6364136223846793005ULL + 1442695040888963407ULL;
		n = (size_t)(sequence >> 40) % (room + 1);
		for (size_t k = 0; k < n; k++) {
			sequence = sequence * 6364136223846793005ULL + 1442695040888963407ULL;
			in.bytes[in.len + k] = sequence >> 60 < 6
						       ? (unsigned char)"\033[?;$y"[sequence >> 60]
						       : (unsigned char)(sequence >> 33);
		}
		input_added(&in, n);
		in.asked = i % 3 == 0;
		while ((key = input_next(&in, i % 2)) != KEY_NONE_YET)
			assert_true(key >= 0 && key <= KEY_IS_UNKNOWN);
		assert_true(input_room(&in) > 0);
	}
}

static void without_utf8_a_byte_is_no_character(void **state)
{
	struct input in;

	(void)state;
	input_init(&in, false);
	memcpy(in.bytes, "\303\251q", 3);
	input_added(&in, 3);
	assert_int_equal(input_next(&in, false), KEY_IS_UNKNOWN);
	assert_int_equal(input_next(&in, false), KEY_IS_UNKNOWN);
	assert_int_equal(input_next(&in, false), 'q');
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bytes_become_keys),
		cmocka_unit_test(rubbish_is_survived),
		cmocka_unit_test(without_utf8_a_byte_is_no_character),
	};

	return cmocka_run_group_tests_name("input", tests, NULL, NULL);
}
