/* Bytes from a terminal as keys; what a terminal answers to a question is told from keys. */
#ifndef RAIDTOP_INPUT_H
#define RAIDTOP_INPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "raidtop/terminal.h"

#define INPUT_BYTES 256

struct input {
	unsigned char bytes[INPUT_BYTES];
	size_t len;
	bool utf8;
	bool asked;        /* an answer to DECRQM 2026 may still come */
	bool synchronizes; /* it came and said that the mode is known */
	bool escape_given; /* an Escape was given while the rest of an answer may follow */
};

void input_init(struct input *in, bool utf8);
/* Room for more bytes at in->bytes + in->len; add what was read with input_added(). */
size_t input_room(const struct input *in);
void input_added(struct input *in, size_t n);
/*
 * The next key, or KEY_NONE_YET. With bytes left over after that (in->len > 0) they are the
 * beginning of a sequence: where no more came within a moment, call it with `is_all` true.
 */
int input_next(struct input *in, bool is_all);

#endif
