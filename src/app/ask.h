/* Asking the person at the terminal, before something is overwritten. */
#ifndef RAIDTOP_ASK_H
#define RAIDTOP_ASK_H

#include <signal.h>
#include <stddef.h>

/*
 * For consent_set_ask(): shows the question on /dev/tty and takes a line from there. `context` is
 * a const sigset_t for ppoll, under which a signal that asks for the end ends the waiting. 0,
 * -ENOTTY where there is no terminal, -EINTR, or another -errno.
 */
int ask_at_terminal(void *context, const char *question, char *answer, size_t size);

#endif
