/*
 * The terminal as a device. Output goes through an open file of our own (the terminal opened
 * anew, non-blocking): a line that has stalled then holds neither keys nor samples, and the
 * shell's descriptors keep their flags. Modes are changed on standard input and put back at the
 * end, on a suspend, and from a crash's signal handler.
 */
#include "tty.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "raidtop/clock.h"
#include "raidtop/text.h"

#define MAX_CELLS 1000

static struct {
	volatile sig_atomic_t armed;
	int in, out;
	struct termios before;
	char bytes[256];
	size_t len;
} emergency;

int tty_open(struct tty *t, char *why, size_t size)
{
	char path[256];
	int fd = -1;

	*t = (struct tty){ .in = STDIN_FILENO, .out = STDOUT_FILENO };
	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) {
		text_format(why, size,
			    "standard %s is not a terminal; --list and --record need none",
			    isatty(STDIN_FILENO) ? "output" : "input");
		return -ENOTTY;
	}
	if (tcgetattr(t->in, &t->before) < 0) {
		int r = -errno;

		text_format(why, size, "cannot ask the terminal for its modes: %s", strerror(-r));
		return r;
	}
	if (ttyname_r(STDOUT_FILENO, path, sizeof(path)) == 0)
		fd = open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd >= 0) {
		t->out = fd;
		t->out_is_own = true;
	}
	return 0;
}

void tty_close(struct tty *t)
{
	tty_give_back(t);
	if (t->out_is_own)
		close(t->out);
	t->out = -1;
	t->out_is_own = false;
}

int tty_take(struct tty *t)
{
	struct termios raw = t->before;

	raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ECHONL | IEXTEN);
	raw.c_iflag &= ~(tcflag_t)(IXON | ICRNL | INLCR | IGNCR | ISTRIP);
	raw.c_cc[VMIN] = 0; /* a read with nothing there returns 0 at once */
	raw.c_cc[VTIME] = 0;
	while (tcsetattr(t->in, TCSANOW, &raw) < 0)
		if (errno != EINTR)
			return -errno;
	t->raw = true;
	return 0;
}

void tty_give_back(struct tty *t)
{
	if (!t->raw)
		return;
	t->raw = false;
	/* Here and above not TCSADRAIN: a line that has stalled must keep nobody waiting. */
	while (tcsetattr(t->in, TCSANOW, &t->before) < 0 && errno == EINTR)
		;
}

static int bounded(int value, int otherwise)
{
	if (value <= 0)
		return otherwise;
	return value < MAX_CELLS ? value : MAX_CELLS;
}

void tty_measure(const struct tty *t, int *ret_width, int *ret_height)
{
	struct winsize size = { 0 };

	if (ioctl(t->out, TIOCGWINSZ, &size) < 0)
		size = (struct winsize){ 0 };
	*ret_width = bounded(size.ws_col, 80);
	*ret_height = bounded(size.ws_row, 24);
}

static int wait_for(int fd, short what, int patience_ms)
{
	struct pollfd p = { .fd = fd, .events = what };

	return poll(&p, 1, patience_ms);
}

int tty_write(struct tty *t, const void *data, size_t len, int patience_ms, size_t *ret_written)
{
	uint64_t end_ns = clock_monotonic_ns() + (unsigned int)patience_ms * NS_PER_MS;
	const char *at = data;
	size_t done = 0;

	*ret_written = 0;
	while (done < len) {
		uint64_t now_ns;
		ssize_t n;

		/* A shared descriptor may block: ask first. */
		n = t->out_is_own || wait_for(t->out, POLLOUT, 0) > 0
			    ? write(t->out, at + done, len - done)
			    : (errno = EAGAIN, -1);
		if (n >= 0) {
			done += (size_t)n;
			*ret_written = done;
			continue;
		}
		if (errno == EINTR)
			continue;
		if (errno != EAGAIN)
			return -errno;
		now_ns = clock_monotonic_ns();
		if (now_ns >= end_ns)
			break;
		wait_for(t->out, POLLOUT, (int)((end_ns - now_ns) / NS_PER_MS) + 1);
	}
	return 0;
}

size_t tty_read(struct tty *t, void *data, size_t size, int patience_ms)
{
	ssize_t n;

	if (patience_ms > 0 && wait_for(t->in, POLLIN, patience_ms) <= 0)
		return 0;
	do
		n = read(t->in, data, size);
	while (n < 0 && errno == EINTR);
	return n > 0 ? (size_t)n : 0;
}

void tty_arm_emergency(const struct tty *t, const char *bytes, size_t len)
{
	emergency.armed = 0;
	emergency.in = t->in;
	emergency.out = t->out;
	emergency.before = t->before;
	emergency.len = len < sizeof(emergency.bytes) ? len : sizeof(emergency.bytes);
	memcpy(emergency.bytes, bytes, emergency.len);
	emergency.armed = 1;
}

void tty_disarm_emergency(void)
{
	emergency.armed = 0;
}

void tty_emergency(void)
{
	int saved = errno;

	if (!emergency.armed)
		return;
	emergency.armed = 0;
	if (write(emergency.out, emergency.bytes, emergency.len) < 0)
		errno = saved; /* nothing better can be done in a crash */
	tcsetattr(emergency.in, TCSANOW, &emergency.before);
	errno = saved;
}
