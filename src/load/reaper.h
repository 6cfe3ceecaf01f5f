/* Workers that have ended are reaped without ever waiting for one. */
#ifndef LOAD_REAPER_H
#define LOAD_REAPER_H

#include <stdbool.h>
#include <sys/types.h>

/* Whether it has ended; its status as waitpid() gives it, 0 where somebody else has taken that. */
bool reaper_try(pid_t pid, int *ret_status);
/* Kills it and forgets it: it is reaped now or at one of the next sweeps. */
void reaper_kill(pid_t pid);
/* Reaps what has ended of those killed before. Allocates nothing. */
void reaper_sweep(void);

#endif
