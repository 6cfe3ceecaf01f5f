/* Frames on their way to the terminal: one write each, wrapped as a synchronized update. */
#ifndef RAIDTOP_OUTPUT_H
#define RAIDTOP_OUTPUT_H

#include <stdbool.h>
#include <stdint.h>

#include "raidtop/text.h"
#include "input.h"
#include "paint.h"
#include "tty.h"

/* Ends a synchronized update; does nothing where none is open. */
#define OUTPUT_END_SYNCHRONIZED "\033[?2026l"

struct output {
	struct buffer bytes; /* of the frame; from `sent` on still to be written */
	size_t sent;
	bool may_ask;      /* whether this terminal is asked about synchronized updates */
	uint64_t asked_ns; /* when it was; 0: not yet */
	uint64_t total_bytes, frames;
};

/* `term` tells whether the terminal can be asked. */
void output_init(struct output *o, const char *term);
void output_release(struct output *o);
/* Whether all of the last frame is out. */
bool output_is_idle(const struct output *o);
/* Writes what is left, waiting at most that long: 0 or -errno where the terminal is gone. */
int output_flush(struct output *o, struct tty *tty, int patience_ms);
/*
 * Makes a frame of what ncurses wrote (`raw`), with true colours where `paint` is not NULL. The
 * first one asks the terminal, whose answer comes as `in`put. Takes the place of a frame before.
 */
void output_frame(struct output *o, const struct buffer *raw, const struct paint *paint,
		  struct input *in);
/* Ends the waiting for an answer that does not come. */
void output_expect(const struct output *o, struct input *in);

#endif
