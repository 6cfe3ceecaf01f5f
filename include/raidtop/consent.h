/*
 * How a person is asked before a device is overwritten. app/ has the terminal and says how; the
 * rules say when, and judge the answer. As long as nobody said how, such writes are refused.
 */
#ifndef RAIDTOP_CONSENT_H
#define RAIDTOP_CONSENT_H

#include <stddef.h>

/*
 * `ask` shows the question (one line, clean, without a newline) at the person's terminal and puts
 * the line that was typed into `answer`, without its newline. 0, or -errno: -ENOTTY where there is
 * no terminal. NULL: there is nobody to ask.
 */
void consent_set_ask(int (*ask)(void *context, const char *question, char *answer, size_t size),
		     void *context);
/* Asks. As `ask` above; -ENOTTY where nobody said how. */
int consent_ask(const char *question, char *answer, size_t size);

#endif
