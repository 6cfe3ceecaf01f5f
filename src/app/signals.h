/* Signals as bits that the event loop takes when ppoll returns. */
#ifndef RAIDTOP_SIGNALS_H
#define RAIDTOP_SIGNALS_H

#include <signal.h>

enum signal_bit {
	SIGNAL_END = 1 << 0,    /* INT, TERM, HUP */
	SIGNAL_RESIZE = 1 << 1, /* WINCH */
	SIGNAL_STOP = 1 << 2,   /* TSTP: ^Z */
	SIGNAL_CONTINUE = 1 << 3,
	SIGNAL_CHILD = 1 << 4,
	SIGNAL_MARK = 1 << 5, /* USR1 */
};

/*
 * Installs the handlers, blocks these signals everywhere but in ppoll, and ignores SIGPIPE and
 * SIGXFSZ. SIGHUP and SIGTSTP stay ignored where they are (nohup). *ret_wait_mask is for ppoll.
 */
void signals_install(sigset_t *ret_wait_mask);
/* `deed`, async-signal-safe, is done before a signal ends the program at once, and at exit(). */
void signals_before_death(void (*deed)(void));
/* For waits between: of those, only what ends the program comes through. */
void signals_end_mask(sigset_t *ret_mask);
/* What has come since the last call. */
unsigned int signals_take(void);
/*
 * Stops this process as ^Z would have, and returns when it goes on; at once where the kernel lets
 * no process stop because nobody could continue it (an orphaned group).
 */
void signals_stop_here(void);

#endif
