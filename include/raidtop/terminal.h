/*
 * The terminal: the only place that knows ncurses. It draws a surface with one write a frame,
 * gives keys, and leaves the terminal as it was, however the program ends.
 */
#ifndef RAIDTOP_TERMINAL_H
#define RAIDTOP_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "raidtop/surface.h"

enum colour_mode { COLOUR_AUTO, COLOUR_NONE, COLOUR_8, COLOUR_16, COLOUR_256, COLOUR_TRUE };

struct terminal_options {
	enum colour_mode colours; /* AUTO: by terminfo, COLORTERM and NO_COLOR */
	bool ascii;               /* even where the locale has UTF-8 */
};

/* Keys that are no character; characters are their Unicode value. */
enum key {
	KEY_NONE_YET = -1,    /* nothing more to read */
	KEY_IS_UP = 0x110000, /* beyond Unicode */
	KEY_IS_DOWN,
	KEY_IS_LEFT,
	KEY_IS_RIGHT,
	KEY_IS_PAGE_UP,
	KEY_IS_PAGE_DOWN,
	KEY_IS_HOME,
	KEY_IS_END,
	KEY_IS_ENTER,
	KEY_IS_ESCAPE,
	KEY_IS_TAB,
	KEY_IS_BACK_TAB, /* with Shift */
	KEY_IS_BACKSPACE,
	KEY_IS_MOUSE, /* click or wheel: terminal_mouse() */
	KEY_IS_UNKNOWN,
};

struct terminal;

/*
 * Takes over the terminal on standard input and output. `why` gets a sentence: not a terminal,
 * TERM unset or unknown. 0 or -errno. The locale must have been set before.
 */
int terminal_open(const struct terminal_options *options, struct terminal **ret, char *why,
		  size_t size);
/* Puts the terminal back and frees it. NULL is accepted. */
void terminal_close(struct terminal *t);
/* Puts the terminal back from a signal handler of a crash: async-signal-safe. */
void terminal_emergency_restore(void);

/* Whether the screen can show UTF-8 (locale and options). */
bool terminal_is_utf8(const struct terminal *t);
/* Asks the size anew (after SIGWINCH, and at the start); at least 1 × 1. */
void terminal_measure(struct terminal *t, int *ret_width, int *ret_height);
/*
 * Shows the surface with one write (more only where the terminal takes less at once). 0 or
 * -errno: -EIO, -EPIPE when the terminal is gone. Allocates nothing once warm.
 */
int terminal_draw(struct terminal *t, const struct surface *s);
/* The next draw paints every cell anew (^L, after a resume). */
void terminal_forget(struct terminal *t);
/* Wait for this to become readable, then read keys until KEY_NONE_YET. */
int terminal_input_fd(const struct terminal *t);
int terminal_read_key(struct terminal *t);
/* For ^Z: puts the terminal back; and takes it again after SIGCONT. */
void terminal_suspend(struct terminal *t);
int terminal_resume(struct terminal *t);
/* Bytes and frames written so far, for the benchmark. */
uint64_t terminal_bytes_written(const struct terminal *t);
uint64_t terminal_frames_written(const struct terminal *t);

#endif
