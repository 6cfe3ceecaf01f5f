/* The terminal as a device: modes, size, bytes out without ever hanging, and the way back. */
#ifndef RAIDTOP_TTY_H
#define RAIDTOP_TTY_H

#include <stdbool.h>
#include <stddef.h>
#include <termios.h>

struct tty {
	int in;
	int out; /* our own open file where it could be had: never blocks */
	bool out_is_own;
	bool raw;
	struct termios before;
};

/* On standard input and output. 0; -ENOTTY with the sentence in `why`. */
int tty_open(struct tty *t, char *why, size_t size);
void tty_close(struct tty *t);
/* Keys one by one, no echo; ^C and ^Z still make signals. 0 or -errno. */
int tty_take(struct tty *t);
/* Modes as they were. */
void tty_give_back(struct tty *t);
/* At least 1 x 1, at most 1000 x 1000. */
void tty_measure(const struct tty *t, int *ret_width, int *ret_height);
/*
 * Writes, waiting at most `patience_ms` in all for a terminal that takes nothing; *ret_written
 * tells how far it came. 0 also where that is not all; -errno when the terminal is gone.
 */
int tty_write(struct tty *t, const void *data, size_t len, int patience_ms, size_t *ret_written);
/* What has come, up to `size` bytes, waiting at most `patience_ms`; 0 where nothing has. */
size_t tty_read(struct tty *t, void *data, size_t size, int patience_ms);

/*
 * For a crash: `bytes` (kept, cut to 256) put the terminal back, along with its modes. Armed
 * until disarmed; tty_emergency() is async-signal-safe and does nothing while not armed.
 */
void tty_arm_emergency(const struct tty *t, const char *bytes, size_t len);
void tty_disarm_emergency(void);
void tty_emergency(void);

#endif
