/*
 * A handler only sets a bit. The signals are blocked while the program works and open only while
 * ppoll waits, so none is lost between a look at the bits and the wait. What would end the program
 * at once (a crash, ^\) puts the terminal back first.
 */
#include "signals.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#define ARRAY_LENGTH(a) (sizeof(a) / sizeof((a)[0]))

static const struct {
	int number;
	unsigned int bit;
	bool may_be_ignored; /* by whoever started us, and then stays so: nohup */
} handled[] = {
	{ SIGINT, SIGNAL_END, false },    { SIGTERM, SIGNAL_END, false },
	{ SIGHUP, SIGNAL_END, true },     { SIGWINCH, SIGNAL_RESIZE, false },
	{ SIGTSTP, SIGNAL_STOP, true },   { SIGCONT, SIGNAL_CONTINUE, false },
	{ SIGCHLD, SIGNAL_CHILD, false }, { SIGUSR1, SIGNAL_MARK, false },
};

/* An error of the write says as much as these, and can be told in words. */
static const int ignored[] = { SIGPIPE, SIGXFSZ };

static const struct {
	int number;
	bool recurs; /* as soon as the handler has returned, where the program itself did it */
} deadly[] = {
	{ SIGSEGV, true },  { SIGBUS, true },   { SIGFPE, true },   { SIGILL, true },
	{ SIGABRT, false }, { SIGTRAP, false }, { SIGSYS, false },  { SIGQUIT, false },
	{ SIGALRM, false }, { SIGUSR2, false }, { SIGXCPU, false },
};

static atomic_uint pending;
static struct sigaction deadly_before[ARRAY_LENGTH(deadly)];
static void (*last_deed)(void);

static void note(int number)
{
	for (size_t i = 0; i < ARRAY_LENGTH(handled); i++) {
		if (handled[i].number == number)
			atomic_fetch_or(&pending, handled[i].bit);
	}
}

static bool is_ignored(int number)
{
	struct sigaction now;

	return sigaction(number, NULL, &now) == 0 && now.sa_handler == SIG_IGN;
}

void signals_install(sigset_t *ret_wait_mask)
{
	struct sigaction action = { .sa_handler = note };
	struct sigaction ignore = { .sa_handler = SIG_IGN };
	sigset_t blocked;

	sigemptyset(&action.sa_mask);
	sigemptyset(&blocked);
	for (size_t i = 0; i < ARRAY_LENGTH(handled); i++) {
		if (handled[i].may_be_ignored && is_ignored(handled[i].number))
			continue;
		sigaction(handled[i].number, &action, NULL);
		sigaddset(&blocked, handled[i].number);
	}
	for (size_t i = 0; i < ARRAY_LENGTH(ignored); i++)
		sigaction(ignored[i], &ignore, NULL);
	sigprocmask(SIG_BLOCK, &blocked, ret_wait_mask);
	for (size_t i = 0; i < ARRAY_LENGTH(handled); i++)
		sigdelset(ret_wait_mask, handled[i].number);
}

void signals_end_mask(sigset_t *ret_mask)
{
	sigprocmask(SIG_BLOCK, NULL, ret_mask);
	for (size_t i = 0; i < ARRAY_LENGTH(handled); i++) {
		if (handled[i].bit == SIGNAL_END)
			sigdelset(ret_mask, handled[i].number);
	}
}

/* Then all goes on as it would have: a fault happens again, what was sent is sent again. */
static void die(int number, siginfo_t *info, void *context)
{
	bool recurs = false;

	(void)context;
	last_deed();
	for (size_t i = 0; i < ARRAY_LENGTH(deadly); i++) {
		sigaction(deadly[i].number, &deadly_before[i], NULL);
		if (deadly[i].number == number)
			recurs = deadly[i].recurs && info->si_code > 0;
	}
	if (!recurs)
		raise(number);
}

void signals_before_death(void (*deed)(void))
{
	struct sigaction action = { .sa_sigaction = die, .sa_flags = SA_SIGINFO };

	last_deed = deed;
	sigfillset(&action.sa_mask);
	for (size_t i = 0; i < ARRAY_LENGTH(deadly); i++) {
		sigaction(deadly[i].number, NULL, &deadly_before[i]);
		if (!is_ignored(deadly[i].number))
			sigaction(deadly[i].number, &action, NULL);
	}
	atexit(deed); /* out of memory */
}

unsigned int signals_take(void)
{
	return atomic_exchange(&pending, 0);
}

/* As ^Z stops others: not at all where no shell is there that could let it go on. */
void signals_stop_here(void)
{
	struct sigaction action = { .sa_handler = SIG_DFL }, before;
	sigset_t stop, mask;

	sigemptyset(&action.sa_mask);
	sigemptyset(&stop);
	sigaddset(&stop, SIGTSTP);
	sigaction(SIGTSTP, &action, &before);
	raise(SIGTSTP);
	sigprocmask(SIG_UNBLOCK, &stop, &mask); /* here it stops */
	sigprocmask(SIG_SETMASK, &mask, NULL);
	sigaction(SIGTSTP, &before, NULL);
	/* SIGCONT has been noted by now or will be by the next wait. */
}
