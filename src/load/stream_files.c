/*
 * The end of a raidtop must not hang where its streams did: a frozen or dying filesystem blocks
 * unlink() as it blocks a read. So a forked process does it, tells what it did through a pipe, and
 * is given up where it takes too long.
 */
#include "raidtop/stream_files.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "raidtop/files_clean.h"
#include "files_session.h"
#include "raidtop/clock.h"
#include "raidtop/file.h"
#include "raidtop/text.h"

#define PATIENCE_NS (10 * NS_PER_SEC)
#define SENTENCES_BYTES 16384 /* of what one removal tells; the rest is cut */

int stream_files_clean(const char *path, const struct stream_files_listener *listener)
{
	struct files_report report = { .say = listener->say, .data = listener->data };

	return files_clean(path, &report);
}

/* ---- the process that removes ---- */

static void say_through_pipe(void *data, const char *sentence)
{
	int fd = *(const int *)data;

	/* Where nobody listens any more there is nobody to tell. */
	if (file_write_all(fd, sentence, strlen(sentence)) == 0)
		(void)file_write_all(fd, "\n", 1);
}

/* Its exit status tells the error; there is none above 255. */
static void remove_all(const char *target, pid_t raidtop, int pipe_fd) __attribute__((noreturn));
static void remove_all(const char *target, pid_t raidtop, int pipe_fd)
{
	struct files_report report = { .say = say_through_pipe, .data = &pipe_fd };
	char session[128];
	int directory, r;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != raidtop)
		_exit(ECANCELED);
	r = files_session_name(raidtop, session, sizeof(session));
	directory = open(target, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (directory < 0)
		_exit(errno);
	if (r == 0)
		r = files_clean_session(directory, target, session, &report);
	_exit(-r);
}

/* ---- raidtop's side ---- */

/* Until the pipe is closed: true, or the patience is over. */
static bool listen_to(int fd, struct buffer *said, uint64_t until_ns)
{
	char text[1024];

	for (;;) {
		struct pollfd p = { .fd = fd, .events = POLLIN };
		uint64_t now_ns = clock_monotonic_ns();
		ssize_t n;

		if (now_ns >= until_ns)
			return false;
		if (poll(&p, 1, (int)((until_ns - now_ns) / NS_PER_MS) + 1) <= 0)
			continue;
		n = read(fd, text, sizeof(text));
		if (n == 0 || (n < 0 && errno != EINTR))
			return true;
		if (n > 0 && said->len < SENTENCES_BYTES)
			buffer_add(said, text, (size_t)n);
	}
}

static void hand_on(struct buffer *said, const struct stream_files_listener *listener)
{
	char *line = said->data, *end;

	while (line && (end = strchr(line, '\n'))) {
		*end = '\0';
		listener->say(listener->data, line);
		line = end + 1;
	}
}

static int reap(pid_t pid, bool ended)
{
	int status;

	if (!ended)
		kill(pid, SIGKILL); /* one in D state stays until the kernel lets it go */
	while (waitpid(pid, &status, ended ? 0 : WNOHANG) < 0) {
		if (errno != EINTR)
			return 0; /* SIGCHLD is ignored: its status is lost */
	}
	if (!ended)
		return -ETIMEDOUT;
	return WIFEXITED(status) ? -WEXITSTATUS(status) : -EINTR;
}

int stream_files_end(const char *target, const struct stream_files_listener *listener)
{
	struct buffer said = BUFFER_INIT;
	pid_t raidtop = getpid(), pid;
	int fds[2], r;
	bool ended;

	if (pipe2(fds, O_CLOEXEC) < 0)
		return -errno;
	pid = fork();
	if (pid == 0) {
		close(fds[0]);
		remove_all(target, raidtop, fds[1]);
	}
	r = -errno;
	close(fds[1]);
	if (pid > 0) {
		ended = listen_to(fds[0], &said, clock_monotonic_ns() + PATIENCE_NS);
		r = reap(pid, ended);
		hand_on(&said, listener);
	}
	close(fds[0]);
	buffer_release(&said);
	return r;
}
