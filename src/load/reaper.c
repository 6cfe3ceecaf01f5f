/*
 * Workers that were killed but did not end at once (they hang in the kernel): each stays a zombie
 * until it is reaped, which is tried whenever a stream is started, refreshed or freed. What is
 * left at exit goes to init.
 */
#include "reaper.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <sys/wait.h>

#include "raidtop/memory.h"

static struct {
	pid_t *pids;
	size_t n, size;
} orphans;

bool reaper_try(pid_t pid, int *ret_status)
{
	pid_t r = waitpid(pid, ret_status, WNOHANG);

	if (r < 0 && errno == ECHILD) { /* reaped by someone else, or SIGCHLD is ignored */
		*ret_status = 0;
		return true;
	}
	return r == pid;
}

void reaper_kill(pid_t pid)
{
	int status;

	kill(pid, SIGKILL);
	if (reaper_try(pid, &status))
		return;
	if (orphans.n == orphans.size) {
		orphans.size = orphans.size ? 2 * orphans.size : 8;
		orphans.pids = memory_resize(orphans.pids, orphans.size, sizeof(*orphans.pids));
	}
	orphans.pids[orphans.n++] = pid;
}

void reaper_sweep(void)
{
	int status;

	for (size_t i = 0; i < orphans.n;) {
		if (reaper_try(orphans.pids[i], &status))
			orphans.pids[i] = orphans.pids[--orphans.n];
		else
			i++;
	}
}
