/*
 * A worker is this program executed anew, not merely forked: it has none of the screen's memory,
 * descriptors or threads, and its CPU time and I/O counters are its own. Between fork and exec
 * only async-signal-safe calls are made, since another thread may have held a lock.
 */
#include "spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "raidtop/stream.h"

#define FIRST_FREE_FD (SPAWN_TARGET_FD + 1)

/* All that raidtop had installed or ignored; a handler of its own must not run in the child. */
static void child_reset_signals(void)
{
	sigset_t none;

	for (int number = 1; number < NSIG; number++)
		signal(number, SIG_DFL); /* two of them cannot be changed, and two are libc's */
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

static void child_close_from(int first)
{
	long last;

	if (close_range((unsigned int)first, ~0U, 0) == 0)
		return;
	last = sysconf(_SC_OPEN_MAX); /* before Linux 5.9 */
	for (int fd = first; fd < last; fd++)
		close(fd);
}

static int child_place_descriptors(int shared_fd, int target_fd)
{
	/* First out of the way, so that none is overwritten before it has been copied. */
	int shared_copy = fcntl(shared_fd, F_DUPFD, FIRST_FREE_FD);
	int target_copy = fcntl(target_fd, F_DUPFD, FIRST_FREE_FD);
	int nothing = open("/dev/null", O_RDWR);

	if (shared_copy < 0 || target_copy < 0 || nothing < 0)
		return -errno;
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		if (dup2(nothing, fd) < 0)
			return -errno;
	}
	if (dup2(shared_copy, SPAWN_SHARED_FD) < 0 || dup2(target_copy, SPAWN_TARGET_FD) < 0)
		return -errno;
	child_close_from(FIRST_FREE_FD);
	return 0;
}

static _Noreturn void child_exec(int shared_fd, int target_fd, struct shared *shared)
{
	static char name[] = "raidtop", argument[] = STREAM_WORKER_ARGUMENT;
	static char shared_number[] = { '0' + SPAWN_SHARED_FD, '\0' };
	static char target_number[] = { '0' + SPAWN_TARGET_FD, '\0' };
	static char *const argv[] = { name, argument, shared_number, target_number, NULL };
	int r;

	setpgid(0, 0); /* ^C on the terminal is for the screen */
	child_reset_signals();
	r = chdir("/") < 0 ? -errno : child_place_descriptors(shared_fd, target_fd);
	if (r == 0) {
		execve("/proc/self/exe", argv, environ);
		r = -errno;
	}
	atomic_store_explicit(&shared->error, -r, memory_order_relaxed);
	atomic_store_explicit(&shared->failure, FAILURE_SPAWN, memory_order_relaxed);
	atomic_store_explicit(&shared->phase, PHASE_FAILED, memory_order_release);
	_exit(1);
}

int spawn_worker(int shared_fd, int target_fd, struct shared *shared, pid_t *ret_pid)
{
	sigset_t all, before;
	pid_t pid;
	int error;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	pid = fork();
	error = errno;
	if (pid == 0)
		child_exec(shared_fd, target_fd, shared);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (pid < 0)
		return -error;
	*ret_pid = pid;
	return 0;
}

int spawn_bind_to_parent(pid_t parent)
{
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0)
		return -errno;
	/* It may have ended between the fork and this. */
	if (getppid() != parent)
		return -ESRCH;
	(void)prctl(PR_SET_NAME, "raidtop-stream"); /* exec of /proc/self/exe made it "exe" */
	return 0;
}
