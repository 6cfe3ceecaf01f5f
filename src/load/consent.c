/*
 * The one question that raidtop asks. It is the program's terminal that it is asked on, of which
 * there is one, so that this is kept for the whole process.
 */
#include "raidtop/consent.h"

#include <errno.h>

static struct {
	int (*ask)(void *context, const char *question, char *answer, size_t size);
	void *context;
} consent;

void consent_set_ask(int (*ask)(void *context, const char *question, char *answer, size_t size),
		     void *context)
{
	consent.ask = ask;
	consent.context = context;
}

int consent_ask(const char *question, char *answer, size_t size)
{
	if (!consent.ask)
		return -ENOTTY;
	answer[0] = '\0';
	return consent.ask(consent.context, question, answer, size);
}
