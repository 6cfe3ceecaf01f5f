/*
 * The answer is taken from the controlling terminal and nowhere else: what is piped into standard
 * input was written by a script, and a script has not looked at the disk's label.
 */
#include "ask.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "raidtop/file.h"
#include "signals.h"

/* A byte of the line: 1, 0 at its end, or -errno. */
static int read_byte(int fd, const sigset_t *mask, char *ret)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	ssize_t n;

	while (ppoll(&p, 1, NULL, mask) < 0) {
		int error = errno;

		if (error != EINTR || (signals_take() & SIGNAL_END))
			return -error;
	}
	n = read(fd, ret, 1);
	if (n < 0)
		return -errno;
	return n == 1 && *ret != '\n';
}

/* All of the line is taken off the terminal, even where it is too long to be an answer. */
static int read_line(int fd, const sigset_t *mask, char *answer, size_t size)
{
	size_t len = 0;
	bool fits = true;
	char c = '\0';
	int r;

	while ((r = read_byte(fd, mask, &c)) > 0) {
		if (len + 1 < size)
			answer[len++] = c;
		else
			fits = false;
	}
	answer[len] = '\0';
	if (r == 0 && !fits)
		answer[0] = '\0';
	return r;
}

int ask_at_terminal(void *context, const char *question, char *answer, size_t size)
{
	int fd, r;

	if (size == 0)
		return -EINVAL;
	answer[0] = '\0';
	fd = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return -ENOTTY;
	(void)tcflush(fd, TCIFLUSH); /* nothing that was typed before the question answers it */
	r = file_write_all(fd, question, strlen(question));
	if (r == 0)
		r = file_write_all(fd, " ", 1);
	if (r == 0)
		r = read_line(fd, context, answer, size);
	close(fd);
	return r;
}
