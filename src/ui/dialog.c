/*
 * How a dialog answers keys. Up, down and Tab move between fields, left and right through a
 * field's values, characters edit its end: there is no cursor to steer, as values are short and
 * quickly typed anew.
 */
#include "raidtop/dialog.h"

#include <assert.h>
#include <string.h>

#include "raidtop/terminal.h"
#include "raidtop/text.h"

#define CONTROL_C 0x03
#define CONTROL_U 0x15

struct dialog_field *dialog_add(struct dialog *d, const char *label)
{
	assert(d->n_fields < DIALOG_FIELDS_MAX);
	d->fields[d->n_fields] = (struct dialog_field){ .label = label, .fresh = true };
	return &d->fields[d->n_fields++];
}

struct dialog_field *dialog_find(struct dialog *d, const char *label)
{
	for (size_t i = 0; i < d->n_fields; i++) {
		if (strcmp(d->fields[i].label, label) == 0)
			return &d->fields[i];
	}
	return NULL;
}

void dialog_set(struct dialog_field *f, const char *text)
{
	text_copy(f->text, sizeof(f->text), text);
	f->fresh = true;
}

static void move_focus(struct dialog *d, size_t by)
{
	d->fields[d->focus].fresh = true;
	d->focus = (d->focus + by) % d->n_fields;
}

/* The index of the value that the field holds, n_values where it holds another text. */
static size_t value_of(const struct dialog_field *f)
{
	size_t i = 0;

	while (i < f->n_values && strcmp(f->values[i], f->text) != 0)
		i++;
	return i;
}

static enum dialog_answer go_through(struct dialog_field *f, bool forward)
{
	size_t at = value_of(f);

	if (f->n_values == 0)
		return DIALOG_NOTHING;
	if (at == f->n_values)
		at = forward ? 0 : f->n_values - 1;
	else
		at = (at + (forward ? 1 : f->n_values - 1)) % f->n_values;
	dialog_set(f, f->values[at]);
	return DIALOG_CHANGED;
}

/* To the next value that begins with the letter. */
static enum dialog_answer go_to_letter(struct dialog_field *f, int letter)
{
	size_t at = value_of(f);

	for (size_t i = 1; i <= f->n_values; i++) {
		const char *value = f->values[(at + i) % f->n_values];

		if ((unsigned char)value[0] == letter) {
			dialog_set(f, value);
			return DIALOG_CHANGED;
		}
	}
	return DIALOG_NOTHING;
}

static size_t encode_utf8(char out[4], unsigned int rune)
{
	if (rune < 0x80) {
		out[0] = (char)rune;
		return 1;
	}
	if (rune < 0x800) {
		out[0] = (char)(0xc0 | rune >> 6);
		out[1] = (char)(0x80 | (rune & 0x3f));
		return 2;
	}
	if (rune < 0x10000) {
		out[0] = (char)(0xe0 | rune >> 12);
		out[1] = (char)(0x80 | (rune >> 6 & 0x3f));
		out[2] = (char)(0x80 | (rune & 0x3f));
		return 3;
	}
	out[0] = (char)(0xf0 | rune >> 18);
	out[1] = (char)(0x80 | (rune >> 12 & 0x3f));
	out[2] = (char)(0x80 | (rune >> 6 & 0x3f));
	out[3] = (char)(0x80 | (rune & 0x3f));
	return 4;
}

static enum dialog_answer type(struct dialog_field *f, int rune)
{
	char bytes[4];
	size_t n, len;

	if (f->only_values)
		return go_to_letter(f, rune);
	n = encode_utf8(bytes, (unsigned int)rune);
	if (f->fresh)
		f->text[0] = '\0';
	f->fresh = false;
	len = strlen(f->text);
	if (len + n >= sizeof(f->text))
		return DIALOG_NOTHING;
	memcpy(f->text + len, bytes, n);
	f->text[len + n] = '\0';
	return DIALOG_CHANGED;
}

static enum dialog_answer take_back(struct dialog_field *f)
{
	size_t len = strlen(f->text);

	if (f->only_values || len == 0)
		return DIALOG_NOTHING;
	f->fresh = false;
	do
		len--;
	while (len > 0 && ((unsigned char)f->text[len] & 0xc0) == 0x80);
	f->text[len] = '\0';
	return DIALOG_CHANGED;
}

static enum dialog_answer clear(struct dialog_field *f)
{
	if (f->only_values || f->text[0] == '\0')
		return DIALOG_NOTHING;
	dialog_set(f, "");
	return DIALOG_CHANGED;
}

enum dialog_answer dialog_press(struct dialog *d, int key)
{
	struct dialog_field *f = &d->fields[d->focus];

	switch (key) {
	case KEY_IS_ENTER:
		return DIALOG_ENTER;
	case KEY_IS_ESCAPE:
	case CONTROL_C:
		return DIALOG_CANCEL;
	case KEY_IS_DOWN:
	case KEY_IS_TAB:
		move_focus(d, 1);
		return DIALOG_NOTHING;
	case KEY_IS_UP:
	case KEY_IS_BACK_TAB:
		move_focus(d, d->n_fields - 1);
		return DIALOG_NOTHING;
	case KEY_IS_LEFT:
		return go_through(f, false);
	case KEY_IS_RIGHT:
		return go_through(f, true);
	case KEY_IS_BACKSPACE:
		return take_back(f);
	case CONTROL_U:
		return clear(f);
	default:
		return key >= ' ' && key != 0x7f && key <= 0x10ffff ? type(f, key) : DIALOG_NOTHING;
	}
}
