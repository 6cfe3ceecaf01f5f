/* How a dialog answers keys: what each does to the focus and to the field that has it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "raidtop/dialog.h"
#include "raidtop/terminal.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static const char *const blocks[] = { "4k", "64k", "1M" };
static const char *const workloads[] = { "seq-read", "seq-write", "rand-read", "mix" };

/* workload: of a few values; block: of values and typed; target: typed. */
static void make_dialog(struct dialog *d)
{
	struct dialog_field *f;

	memset(d, 0, sizeof(*d));
	f = dialog_add(d, "workload");
	f->values = workloads;
	f->n_values = COUNT(workloads);
	f->only_values = true;
	dialog_set(f, "seq-read");
	f = dialog_add(d, "block");
	f->values = blocks;
	f->n_values = COUNT(blocks);
	dialog_set(f, "64k");
	dialog_set(dialog_add(d, "target"), "/dev/md0");
}

#define KEYS 8

static const struct {
	const char *name, *field;
	int keys[KEYS];
	enum dialog_answer answer; /* to the last key */
	const char *text;
} cases[] = {
	{ "right is the next value", "block", { KEY_IS_RIGHT }, DIALOG_CHANGED, "1M" },
	{ "the last is followed by the first",
	  "block",
	  { KEY_IS_RIGHT, KEY_IS_RIGHT },
	  DIALOG_CHANGED,
	  "4k" },
	{ "left is the value before", "block", { KEY_IS_LEFT }, DIALOG_CHANGED, "4k" },
	{ "typing replaces", "block", { '8', 'k' }, DIALOG_CHANGED, "8k" },
	{ "after another text left is the last value",
	  "block",
	  { '8', 'k', KEY_IS_LEFT },
	  DIALOG_CHANGED,
	  "1M" },
	{ "backspace takes one back", "block", { KEY_IS_BACKSPACE }, DIALOG_CHANGED, "64" },
	{ "backspace, then typing goes on",
	  "block",
	  { KEY_IS_BACKSPACE, 'M' },
	  DIALOG_CHANGED,
	  "64M" },
	{ "backspace takes a whole character",
	  "target",
	  { 0xfc, 0x4e2d, KEY_IS_BACKSPACE },
	  DIALOG_CHANGED,
	  "\xc3\xbc" },
	{ "all characters", "target", { 0x1f4be, '/' }, DIALOG_CHANGED, "\xf0\x9f\x92\xbe/" },
	{ "^U clears", "target", { 0x15 }, DIALOG_CHANGED, "" },
	{ "nothing to take back", "target", { 0x15, KEY_IS_BACKSPACE }, DIALOG_NOTHING, "" },
	{ "no values, no left", "target", { KEY_IS_LEFT }, DIALOG_NOTHING, "/dev/md0" },
	{ "a letter goes to a value", "workload", { 'm' }, DIALOG_CHANGED, "mix" },
	{ "the same letter to the next of them",
	  "workload",
	  { 's', 's', 's' },
	  DIALOG_CHANGED,
	  "seq-write" },
	{ "a letter of no value", "workload", { 'z' }, DIALOG_NOTHING, "seq-read" },
	{ "fixed values are not edited",
	  "workload",
	  { KEY_IS_BACKSPACE },
	  DIALOG_NOTHING,
	  "seq-read" },
	{ "control characters are no text", "target", { 0x01, 0x7f }, DIALOG_NOTHING, "/dev/md0" },
	{ "Enter", "block", { KEY_IS_ENTER }, DIALOG_ENTER, "64k" },
	{ "Escape", "block", { KEY_IS_ESCAPE }, DIALOG_CANCEL, "64k" },
	{ "^C", "block", { 0x03 }, DIALOG_CANCEL, "64k" },
	{ "down and up", "block", { KEY_IS_DOWN, KEY_IS_UP, KEY_IS_RIGHT }, DIALOG_CHANGED, "1M" },
	{ "coming back, typing replaces again",
	  "block",
	  { '8', KEY_IS_TAB, KEY_IS_BACK_TAB, '9' },
	  DIALOG_CHANGED,
	  "9" },
};

static void test_keys(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct dialog d;
		enum dialog_answer answer = DIALOG_NOTHING;

		make_dialog(&d);
		d.focus = (size_t)(dialog_find(&d, cases[i].field) - d.fields);
		for (size_t k = 0; k < KEYS && cases[i].keys[k]; k++)
			answer = dialog_press(&d, cases[i].keys[k]);
		if (answer != cases[i].answer)
			fail_msg("%s: answer %d", cases[i].name, (int)answer);
		if (strcmp(dialog_find(&d, cases[i].field)->text, cases[i].text) != 0)
			fail_msg("%s: '%s'", cases[i].name, dialog_find(&d, cases[i].field)->text);
	}
}

static void test_focus_goes_round(void **state)
{
	struct dialog d;

	(void)state;
	make_dialog(&d);
	for (size_t i = 0; i < 4; i++) {
		assert_int_equal(d.focus, i % 3);
		assert_int_equal(dialog_press(&d, KEY_IS_TAB), DIALOG_NOTHING);
	}
	assert_int_equal(dialog_press(&d, KEY_IS_UP), DIALOG_NOTHING);
	assert_int_equal(d.focus, 0);
	dialog_press(&d, KEY_IS_UP);
	assert_int_equal(d.focus, 2);
}

/* However much is typed or pasted, it stays text within its bounds. */
static void test_too_much(void **state)
{
	static struct dialog d;
	struct dialog_field *f;

	(void)state;
	make_dialog(&d);
	d.focus = 2;
	f = dialog_find(&d, "target");
	for (int i = 0; i < 3 * DIALOG_TEXT_BYTES; i++)
		dialog_press(&d, i % 2 ? 0x20ac : 'x');
	assert_true(strlen(f->text) < sizeof(f->text));
	assert_true(strlen(f->text) > sizeof(f->text) - 8);
	while (f->text[0])
		assert_int_equal(dialog_press(&d, KEY_IS_BACKSPACE), DIALOG_CHANGED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_keys),
		cmocka_unit_test(test_focus_goes_round),
		cmocka_unit_test(test_too_much),
	};

	return cmocka_run_group_tests_name("dialog", tests, NULL, NULL);
}
