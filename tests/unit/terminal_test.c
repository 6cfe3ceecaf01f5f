/*
 * The terminal, tried on a pseudo-terminal: a child takes it over, draws, reads keys and gives it
 * back, in one way or another; here we play the terminal, keep what it wrote and answer it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <poll.h>
#include <pty.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>
#include <utmp.h>

#include "raidtop/clock.h"
#include "raidtop/terminal.h"
#include "raidtop/text.h"

#define QUESTION "\033[?2026$p"
#define BEGIN "\033[?2026h"
#define END "\033[?2026l"

struct play {
	int master, slave;
	pid_t child;
	int report[2]; /* what the child tells us: ints */
	struct buffer screen;
	struct termios before;
};

/* ---- the child's side ---- */

static int report_fd;

static void tell(int value)
{
	if (write(report_fd, &value, sizeof(value)) != sizeof(value))
		_exit(9);
}

static struct terminal *open_or_leave(void)
{
	const struct terminal_options options = { .colours = COLOUR_AUTO };
	struct terminal *t;
	char why[200];
	int r = terminal_open(&options, &t, why, sizeof(why));

	if (r < 0) {
		tell(r);
		tell(why[0] != '\0');
		_exit(0);
	}
	return t;
}

static void draw_text(struct terminal *t, struct surface *s, const char *text, enum style style)
{
	int width, height;

	terminal_measure(t, &width, &height);
	surface_resize(s, width, height);
	surface_text(s, 1, 0, style, text);
	surface_text(s, 1, height - 1, style, "last line");
	tell(terminal_draw(t, s));
}

/* Draws a frame a key, tells the keys, and ends on q. */
static void keys_until_q(void)
{
	struct terminal *t = open_or_leave();
	struct surface s;
	char text[32] = "frame 0";
	int key = 0;

	surface_init(&s);
	draw_text(t, &s, text, STYLE_READ);
	while (key != 'q') {
		struct pollfd p = { .fd = terminal_input_fd(t), .events = POLLIN };

		poll(&p, 1, 2000);
		while ((key = terminal_read_key(t)) != KEY_NONE_YET && key != 'q') {
			tell(key);
			text_format(text, sizeof(text), "frame %d", key);
			draw_text(t, &s, text, STYLE_READ);
		}
		if (p.revents == 0)
			break;
	}
	surface_release(&s);
	terminal_close(t);
}

static void open_and_close(void)
{
	terminal_close(open_or_leave());
	tell(1);
}

static void draw_and_crash(void)
{
	struct terminal *t = open_or_leave();
	struct surface s;

	surface_init(&s);
	draw_text(t, &s, "before the crash", STYLE_TEXT);
	terminal_emergency_restore();
	_exit(3);
}

static void suspend_and_resume(void)
{
	struct terminal *t = open_or_leave();
	struct surface s;
	char c;

	surface_init(&s);
	draw_text(t, &s, "before", STYLE_TEXT);
	terminal_suspend(t);
	tell(1000);
	if (read(STDIN_FILENO, &c, 1) != 1) /* a whole line: the modes are back */
		_exit(4);
	tell(terminal_resume(t));
	draw_text(t, &s, "before", STYLE_TEXT); /* the same picture, painted anew */
	surface_release(&s);
	terminal_close(t);
}

/* Nobody reads: frames are left out, and none takes long. */
static void draw_into_a_stalled_line(void)
{
	struct terminal *t = open_or_leave();
	uint64_t longest_ns = 0;
	struct surface s;

	surface_init(&s);
	for (int i = 0; i < 60; i++) {
		uint64_t begin_ns = clock_monotonic_ns(), took_ns;

		surface_resize(&s, 200, 60);
		surface_fill(&s, 0, 0, 200, 60, i % 2 ? STYLE_READ : STYLE_BAD,
			     (uint32_t)('a' + i % 26));
		if (terminal_draw(t, &s) < 0)
			_exit(5);
		took_ns = clock_monotonic_ns() - begin_ns;
		longest_ns = took_ns > longest_ns ? took_ns : longest_ns;
	}
	tell((int)(longest_ns / NS_PER_MS));
	surface_release(&s);
	terminal_close(t);
}

/* ---- our side ---- */

static void begin_play(struct play *p, const char *term, const char *colorterm, void (*child)(void))
{
	struct winsize size = { .ws_row = 24, .ws_col = 80 };

	memset(p, 0, sizeof(*p));
	assert_int_equal(openpty(&p->master, &p->slave, NULL, NULL, &size), 0);
	assert_int_equal(tcgetattr(p->slave, &p->before), 0);
	assert_int_equal(pipe(p->report), 0);
	p->child = fork();
	assert_true(p->child >= 0);
	if (p->child > 0)
		return;
	unsetenv("TERM");
	unsetenv("NO_COLOR");
	unsetenv("COLORTERM");
	if (term)
		setenv("TERM", term, 1);
	if (colorterm)
		setenv("COLORTERM", colorterm, 1);
	setlocale(LC_ALL, "C.UTF-8");
	login_tty(dup(p->slave));
	report_fd = p->report[1];
	child();
	_exit(0);
}

/* Takes in what the child writes, for so long or until `until` has come. */
static void watch(struct play *p, int ms, const char *until)
{
	uint64_t end_ns = clock_monotonic_ns() + (unsigned int)ms * NS_PER_MS;

	while (clock_monotonic_ns() < end_ns) {
		struct pollfd fd = { .fd = p->master, .events = POLLIN };
		char bytes[4096];
		ssize_t n;

		if (until && p->screen.len > 0 && strstr(buffer_text(&p->screen), until))
			return;
		if (poll(&fd, 1, 10) <= 0)
			continue;
		n = read(p->master, bytes, sizeof(bytes));
		if (n <= 0)
			return;
		buffer_add(&p->screen, bytes, (size_t)n);
	}
	if (until)
		fail_msg("'%s' did not come", until + (until[0] == '\033'));
}

static void type(struct play *p, const char *text)
{
	assert_int_equal(write(p->master, text, strlen(text)), strlen(text));
}

static int hear(struct play *p)
{
	struct pollfd fd = { .fd = p->report[0], .events = POLLIN };
	int value = -12345;

	assert_int_equal(poll(&fd, 1, 5000), 1);
	assert_int_equal(read(p->report[0], &value, sizeof(value)), sizeof(value));
	return value;
}

static bool said(struct play *p, const char *text)
{
	return strstr(buffer_text(&p->screen), text) != NULL;
}

/* Waits for the child, takes in the rest; the modes must be as they were. Its exit status. */
static int end_play(struct play *p)
{
	struct termios after;
	int status = 0;

	for (int i = 0; i < 1000 && waitpid(p->child, &status, WNOHANG) == 0; i++)
		watch(p, 10, NULL);
	watch(p, 20, NULL);
	assert_true(WIFEXITED(status));
	assert_int_equal(tcgetattr(p->slave, &after), 0);
	assert_int_equal(after.c_lflag, p->before.c_lflag);
	assert_int_equal(after.c_iflag, p->before.c_iflag);
	assert_int_equal(after.c_oflag, p->before.c_oflag);
	assert_memory_equal(after.c_cc, p->before.c_cc, sizeof(after.c_cc));
	close(p->master);
	close(p->slave);
	close(p->report[0]);
	close(p->report[1]);
	buffer_release(&p->screen);
	return WEXITSTATUS(status);
}

/* ---- what must hold ---- */

static void takes_the_terminal_and_gives_it_back(void **state)
{
	struct termios raw;
	struct play p;

	(void)state;
	begin_play(&p, "xterm-256color", NULL, keys_until_q);
	watch(&p, 5000, "last line");
	assert_int_equal(hear(&p), 0);
	assert_int_equal(tcgetattr(p.slave, &raw), 0);
	assert_false(raw.c_lflag & (ICANON | ECHO));
	assert_true(raw.c_lflag & ISIG);
	/* The question comes first, then the other screen, then the picture in 256 colours. */
	assert_ptr_equal(strstr(buffer_text(&p.screen), QUESTION), p.screen.data);
	assert_true(said(&p, "\033[?1049h"));
	assert_true(said(&p, "38;5;"));
	assert_true(said(&p, "frame 0"));
	assert_false(said(&p, BEGIN));
	type(&p, "q");
	watch(&p, 5000, "\033[?1049l");
	assert_int_equal(end_play(&p), 0);
}

static void keys_come_through(void **state)
{
	struct play p;

	(void)state;
	begin_play(&p, "xterm-256color", NULL, keys_until_q);
	watch(&p, 5000, "last line");
	assert_int_equal(hear(&p), 0);
	type(&p, "s\033[A");
	assert_int_equal(hear(&p), 's');
	assert_int_equal(hear(&p), 0);
	assert_int_equal(hear(&p), KEY_IS_UP);
	assert_int_equal(hear(&p), 0);
	type(&p, "\033");
	assert_int_equal(hear(&p), KEY_IS_ESCAPE);
	assert_int_equal(hear(&p), 0);
	type(&p, "q");
	assert_int_equal(end_play(&p), 0);
}

static void pause_ms(int ms)
{
	struct timespec t = { .tv_nsec = ms * 1000000L };

	nanosleep(&t, NULL);
}

/* The answer makes no key, and from then on frames are updates of their own. */
static void the_answer_is_no_key(void **state)
{
	struct play p;

	(void)state;
	begin_play(&p, "xterm-256color", NULL, keys_until_q);
	watch(&p, 5000, "last line");
	assert_int_equal(hear(&p), 0);
	type(&p, "\033[?2026;");
	pause_ms(150); /* longer than any patience */
	type(&p, "2$yz");
	assert_int_equal(hear(&p), 'z');
	watch(&p, 5000, END);
	assert_true(said(&p, BEGIN));
	assert_int_equal(hear(&p), 0);
	type(&p, "q");
	assert_int_equal(end_play(&p), 0);
}

static void true_colours_where_promised(void **state)
{
	struct play p;

	(void)state;
	begin_play(&p, "xterm-256color", "truecolor", keys_until_q);
	watch(&p, 5000, "last line");
	assert_true(said(&p, "38;2;"));
	assert_false(said(&p, "38;5;"));
	type(&p, "q");
	assert_int_equal(end_play(&p), 0);
}

static void a_plain_terminal_is_not_asked(void **state)
{
	struct play p;

	(void)state;
	begin_play(&p, "vt100", "truecolor", keys_until_q);
	watch(&p, 5000, "last line");
	assert_false(said(&p, QUESTION));
	assert_false(said(&p, "38;"));
	type(&p, "q");
	assert_int_equal(end_play(&p), 0);
}

/* Opened and closed without a frame: not a byte, lest the cursor jumps. */
static void nothing_is_written_before_a_frame(void **state)
{
	struct play p;

	(void)state;
	begin_play(&p, "xterm-256color", NULL, open_and_close);
	assert_int_equal(hear(&p), 1);
	watch(&p, 100, NULL);
	assert_int_equal(p.screen.len, 0);
	assert_int_equal(end_play(&p), 0);
}

static void a_crash_leaves_it_as_it_was(void **state)
{
	struct play p;

	(void)state;
	begin_play(&p, "xterm-256color", NULL, draw_and_crash);
	watch(&p, 5000, "\033[?1049l");
	assert_int_equal(hear(&p), 0);
	assert_int_equal(end_play(&p), 3);
}

static void suspends_and_resumes(void **state)
{
	struct termios between;
	struct play p;

	(void)state;
	begin_play(&p, "xterm-256color", NULL, suspend_and_resume);
	assert_int_equal(hear(&p), 0);
	assert_int_equal(hear(&p), 1000);
	watch(&p, 5000, "\033[?1049l");
	assert_int_equal(tcgetattr(p.slave, &between), 0);
	assert_int_equal(between.c_lflag, p.before.c_lflag);
	buffer_reset(&p.screen);
	type(&p, "\n");
	assert_int_equal(hear(&p), 0);
	assert_int_equal(hear(&p), 0);
	watch(&p, 5000, "last line");
	assert_true(said(&p, "\033[?1049h"));
	assert_true(said(&p, "before"));
	assert_int_equal(end_play(&p), 0);
}

static void a_stalled_line_holds_nothing_up(void **state)
{
	struct play p;
	int longest_ms;

	(void)state;
	begin_play(&p, "xterm-256color", NULL, draw_into_a_stalled_line);
	longest_ms = hear(&p);
	print_message("  longest frame %d ms\n", longest_ms);
	assert_true(longest_ms < 500);
	assert_int_equal(end_play(&p), 0);
}

static const struct refusal_case {
	const char *term;
} refusals[] = { { NULL }, { "" }, { "no-such-terminal" }, { "dumb" }, { "x\033[2Jy" } };

static void unknown_terminals_are_refused(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
		struct play p;

		begin_play(&p, refusals[i].term, NULL, open_and_close);
		assert_int_equal(hear(&p), -ENOTTY);
		assert_int_equal(hear(&p), 1);
		assert_int_equal(end_play(&p), 0);
	}
}

static bool has_terminfo(const char *term)
{
	static const char *const folders[] = { "/lib", "/usr/share", "/etc" };
	char path[128];

	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		text_format(path, sizeof(path), "%s/terminfo/%c/%s", folders[i], term[0], term);
		if (access(path, R_OK) == 0)
			return true;
	}
	return false;
}

static void terminals_of_no_size_are_taken(void **state)
{
	static const char *const terms[] = { "linux", "hurd", "cygwin", "screen" };
	size_t tried = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(terms) / sizeof(terms[0]); i++) {
		struct play p;

		if (!has_terminfo(terms[i]))
			continue;
		tried++;
		begin_play(&p, terms[i], NULL, open_and_close);
		assert_int_equal(hear(&p), 1);
		assert_int_equal(end_play(&p), 0);
	}
	assert_true(tried > 0);
}

static void open_without_a_terminal(void)
{
	int null = open("/dev/null", O_RDWR);

	dup2(null, STDIN_FILENO);
	open_and_close();
}

static void without_a_terminal_it_says_so(void **state)
{
	struct play p;

	(void)state;
	begin_play(&p, "xterm", NULL, open_without_a_terminal);
	assert_int_equal(hear(&p), -ENOTTY);
	assert_int_equal(hear(&p), 1);
	assert_int_equal(end_play(&p), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(takes_the_terminal_and_gives_it_back),
		cmocka_unit_test(keys_come_through),
		cmocka_unit_test(the_answer_is_no_key),
		cmocka_unit_test(true_colours_where_promised),
		cmocka_unit_test(a_plain_terminal_is_not_asked),
		cmocka_unit_test(nothing_is_written_before_a_frame),
		cmocka_unit_test(a_crash_leaves_it_as_it_was),
		cmocka_unit_test(suspends_and_resumes),
		cmocka_unit_test(a_stalled_line_holds_nothing_up),
		cmocka_unit_test(unknown_terminals_are_refused),
		cmocka_unit_test(terminals_of_no_size_are_taken),
		cmocka_unit_test(without_a_terminal_it_says_so),
	};

	return cmocka_run_group_tests_name("terminal", tests, NULL, NULL);
}
