/*
 * A dialog: a small form over the screen. A field is a text that is typed, or one of a few values
 * that left and right go through, or both: values that most people want, and any other typed over
 * them. The dialog knows nothing of what the fields mean; its owner reads them when they change.
 */
#ifndef RAIDTOP_DIALOG_H
#define RAIDTOP_DIALOG_H

#include <stdbool.h>
#include <stddef.h>

#define DIALOG_FIELDS_MAX 16
#define DIALOG_TEXT_BYTES 1024
#define DIALOG_SENTENCE_BYTES 512

struct dialog_field {
	const char *label;         /* "block"; owned by the caller, as are the values */
	const char *const *values; /* to go through, n_values of them; NULL: typed only */
	size_t n_values;
	bool only_values;             /* nothing else can be typed; a letter goes to a value */
	bool beside;                  /* on the line of the field before, where there is room */
	char text[DIALOG_TEXT_BYTES]; /* what it holds */
	bool fresh; /* the first character typed replaces the whole, as nothing was edited yet */
};

struct dialog {
	const char *title;
	struct dialog_field fields[DIALOG_FIELDS_MAX];
	size_t n_fields;
	size_t focus;
	char sentence[DIALOG_SENTENCE_BYTES]; /* what Enter will do, or why it cannot */
	bool is_error;                        /* the latter */
	const char *enter;                    /* the word for it: "start" */
};

/* A new field at the end, empty; at most DIALOG_FIELDS_MAX. */
struct dialog_field *dialog_add(struct dialog *d, const char *label);
struct dialog_field *dialog_find(struct dialog *d, const char *label);
void dialog_set(struct dialog_field *f, const char *text);

enum dialog_answer {
	DIALOG_NOTHING, /* the key meant nothing here, or moved the focus only */
	DIALOG_CHANGED, /* a field has another text now */
	DIALOG_ENTER,
	DIALOG_CANCEL,
};
/* A key (enum key, or a character). */
enum dialog_answer dialog_press(struct dialog *d, int key);

#endif
