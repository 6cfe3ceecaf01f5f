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
#include <stdint.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "raidtop/remover.h"
#include "raidtop/stream.h"

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

/* What the worker is handed, in the order of the numbers that it gets, from SPAWN_SHARED_FD on. */
enum { HANDED_SHARED, HANDED_TARGET, HANDED_BARRIER, HANDED };

static int child_place_descriptors(const int *fds, int n)
{
	int copies[HANDED];
	int nothing = open("/dev/null", O_RDWR);

	if (nothing < 0)
		return -errno;
	/* First out of the way, so that none is overwritten before it has been copied. */
	for (int i = 0; i < n; i++) {
		copies[i] = fcntl(fds[i], F_DUPFD, SPAWN_SHARED_FD + HANDED);
		if (copies[i] < 0)
			return -errno;
	}
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		if (dup2(nothing, fd) < 0)
			return -errno;
	}
	for (int i = 0; i < n; i++) {
		if (dup2(copies[i], SPAWN_SHARED_FD + i) < 0)
			return -errno;
	}
	child_close_from(SPAWN_SHARED_FD + n);
	return 0;
}

static _Noreturn void child_exec(const int fds[HANDED], struct shared *shared)
{
	static char name[] = "raidtop", argument[] = STREAM_WORKER_ARGUMENT;
	static char numbers[HANDED][2] = { { '0' + SPAWN_SHARED_FD },
					   { '0' + SPAWN_TARGET_FD },
					   { '0' + SPAWN_BARRIER_FD } };
	int n = fds[HANDED_BARRIER] >= 0 ? HANDED : HANDED_BARRIER;
	char *argv[] = { name,
			 argument,
			 numbers[HANDED_SHARED],
			 numbers[HANDED_TARGET],
			 n == HANDED ? numbers[HANDED_BARRIER] : NULL,
			 NULL };
	int r;

	setpgid(0, 0); /* ^C on the terminal is for the screen */
	child_reset_signals();
	r = chdir("/") < 0 ? -errno : child_place_descriptors(fds, n);
	if (r == 0) {
		execve("/proc/self/exe", argv, environ);
		r = -errno;
	}
	atomic_store_explicit(&shared->error, -r, memory_order_relaxed);
	atomic_store_explicit(&shared->failure, FAILURE_SPAWN, memory_order_relaxed);
	atomic_store_explicit(&shared->phase, PHASE_FAILED, memory_order_release);
	_exit(1);
}

/* 0 in the child, whose signals are as they were in neither of them; or its number, or -errno. */
static pid_t fork_quietly(sigset_t *before)
{
	sigset_t all;
	pid_t pid;
	int error;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, before);
	pid = fork();
	error = errno;
	if (pid != 0)
		pthread_sigmask(SIG_SETMASK, before, NULL);
	return pid < 0 ? -error : pid;
}

int spawn_worker(int shared_fd, int target_fd, int barrier_fd, struct shared *shared,
		 pid_t *ret_pid)
{
	const int fds[HANDED] = { shared_fd, target_fd, barrier_fd };
	sigset_t before;
	pid_t pid = fork_quietly(&before);

	if (pid == 0)
		child_exec(fds, shared);
	if (pid < 0)
		return pid;
	*ret_pid = pid;
	return 0;
}

static _Noreturn void child_exec_remover(const int fds[2], const char *session, const char *target)
{
	static char name[] = "raidtop", argument[] = REMOVER_ARGUMENT;
	const char *const argv[] = { name, argument, session, target, NULL };

	setpgid(0, 0);
	child_reset_signals();
	if (child_place_descriptors(fds, 2) == 0)
		execve("/proc/self/exe", (char *const *)(uintptr_t)argv, environ);
	_exit(127);
}

int spawn_remover(int directory, int output, const char *session, const char *target,
		  pid_t *ret_pid)
{
	const int fds[2] = { directory, output };
	sigset_t before;
	pid_t pid = fork_quietly(&before);

	if (pid == 0)
		child_exec_remover(fds, session, target);
	if (pid < 0)
		return pid;
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
