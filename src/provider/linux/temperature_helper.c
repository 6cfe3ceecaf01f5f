/*
 * Sensors are read in a process of their own. A disk that hangs can keep its reader in the kernel
 * for minutes, where not even SIGKILL reaches it; a thread of ours in that state would keep the
 * whole program from ending. This process holds nothing but its end of the pipe: nobody waits for
 * it, and it goes once the kernel lets it, after us if need be. Files below a --root are read here
 * as well: they may be the real sysfs of a machine that we see from a container.
 */
#include "temperature_helper.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "raidtop/clock.h"
#include "raidtop/file.h"
#include "sensor_rest.h"
#include "temperature.h"

#define PIPE_FD 3

/* Nothing of the terminal's, and no descriptor but the pipe's. */
static void take_own_place(int fd)
{
	int null = open("/dev/null", O_RDWR);

	if (fd != PIPE_FD)
		dup2(fd, PIPE_FD);
	for (int standard = 0; null >= 0 && standard < PIPE_FD; standard++)
		dup2(null, standard);
	close_range(PIPE_FD + 1, ~0u, 0);
}

/* Ctrl-C is for the program, which decides what it means. A broken pipe ends us. */
static void set_signals(void)
{
	sigset_t none;

	sigemptyset(&none);
	signal(SIGINT, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	signal(SIGHUP, SIG_DFL);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

static bool send_reading(void *context, const struct sensor_reading *r)
{
	(void)context;
	/* In one piece: it is smaller than PIPE_BUF. */
	return file_write_all(PIPE_FD, r, sizeof(*r)) == 0;
}

static void sleep_until(uint64_t when_ns)
{
	struct timespec when = { (time_t)(when_ns / NS_PER_SEC), (long)(when_ns % NS_PER_SEC) };

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &when, NULL) == EINTR)
		continue;
}

static void scan(const char *root, struct sensor_memory *memory)
{
	static const struct sensor_sink sink = { send_reading, NULL };

	if (root[0])
		sensor_scan_files(root, &sink, memory);
	else
		sensor_scan(&sink, memory);
}

static _Noreturn void helper_main(int fd, pid_t parent, const char *root, uint64_t period_ns)
{
	struct sensor_memory memory;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	/* The parent may have died before that was set. */
	if (getppid() != parent)
		_exit(0);
	prctl(PR_SET_NAME, "raidtop-sensors");
	set_signals();
	take_own_place(fd);
	sensor_memory_init(&memory);
	memory.ask_power = root[0] ? NULL : ata_power_ask;
	do {
		uint64_t begin_ns = clock_monotonic_ns();

		scan(root, &memory);
		if (period_ns == TEMPERATURE_ONCE)
			break;
		sleep_until(begin_ns + period_ns);
	} while (getppid() == parent);
	_exit(0);
}

pid_t temperature_helper_start(const char *root, uint64_t period_ns, int *ret_fd)
{
	pid_t parent = getpid(), child;
	int ends[2], r;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return -errno;
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	child = fork();
	if (child == 0)
		helper_main(ends[1], parent, root, period_ns);
	r = -errno;
	close(ends[1]);
	if (child < 0) {
		close(ends[0]);
		return r;
	}
	*ret_fd = ends[0];
	return child;
}
