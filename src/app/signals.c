/*
 * A handler only sets a bit. The signals are blocked while the program works and open only while
 * ppoll waits, so none is lost between a look at the bits and the wait.
 */
#include "signals.h"

#include <stdatomic.h>
#include <stddef.h>

static const struct {
	int number;
	unsigned int bit;
} handled[] = {
	{ SIGINT, SIGNAL_END },      { SIGTERM, SIGNAL_END },  { SIGHUP, SIGNAL_END },
	{ SIGWINCH, SIGNAL_RESIZE }, { SIGTSTP, SIGNAL_STOP }, { SIGCONT, SIGNAL_CONTINUE },
	{ SIGCHLD, SIGNAL_CHILD },   { SIGUSR1, SIGNAL_MARK },
};

static atomic_uint pending;

static void note(int number)
{
	for (size_t i = 0; i < sizeof(handled) / sizeof(handled[0]); i++) {
		if (handled[i].number == number)
			atomic_fetch_or(&pending, handled[i].bit);
	}
}

void signals_install(sigset_t *ret_wait_mask)
{
	struct sigaction action = { .sa_handler = note };
	struct sigaction ignore = { .sa_handler = SIG_IGN };
	sigset_t blocked;

	sigemptyset(&action.sa_mask);
	sigemptyset(&blocked);
	for (size_t i = 0; i < sizeof(handled) / sizeof(handled[0]); i++) {
		sigaction(handled[i].number, &action, NULL);
		sigaddset(&blocked, handled[i].number);
	}
	sigaction(SIGPIPE, &ignore, NULL);
	sigprocmask(SIG_BLOCK, &blocked, ret_wait_mask);
	for (size_t i = 0; i < sizeof(handled) / sizeof(handled[0]); i++)
		sigdelset(ret_wait_mask, handled[i].number);
}

unsigned int signals_take(void)
{
	return atomic_exchange(&pending, 0);
}

void signals_stop_here(void)
{
	raise(SIGSTOP);
	/* SIGCONT has been noted by now or will be by the next wait. */
}
