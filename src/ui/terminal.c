/*
 * The terminal, by ncurses, which knows how to get from one picture to the next with few bytes.
 * It writes once per cursor move, so it is given a memory file in place of the terminal; what a
 * frame left there goes out in one write, wrapped as a synchronized update where the terminal
 * has said that it knows them, with colours made true where COLORTERM promises them. Modes, size
 * and keys are read without ncurses, which cannot see the terminal through the memory file.
 */
#include "raidtop/terminal.h"

#include <errno.h>
#include <locale.h>
#include <langinfo.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <wchar.h>

#include <ncurses.h>
#include <term.h>

#include "raidtop/memory.h"
#include "input.h"
#include "output.h"
#include "paint.h"
#include "theme.h"
#include "tty.h"

/* How long a frame may wait for a terminal that takes nothing; the rest goes out later. */
#define FRAME_PATIENCE_MS 40
#define LAST_PATIENCE_MS 400
/* How long an ESC is held back for what may belong to it; longer while an answer is awaited. */
#define ESCAPE_PATIENCE_MS 25
#define ANSWER_PATIENCE_MS 40

struct terminal {
	struct tty tty;
	SCREEN *screen;
	FILE *file; /* the memory file that ncurses draws into */
	struct input input;
	struct paint paint;
	enum colour_mode mode;
	bool utf8;
	bool on_screen; /* something was shown: the way back is needed */
	bool forgotten;
	attr_t attributes[STYLE_COUNT][2];
	short pairs[STYLE_COUNT][2];
	uint32_t blanks[STYLE_COUNT];
	struct surface shown; /* what ncurses was told last */
	cchar_t *line;
	int line_size;
	struct buffer raw; /* what ncurses wrote for the frame */
	struct output output;
};

/* ---- colours ---- */

static short colour_index(struct terminal *t, int32_t colour)
{
	if (colour == LOOK_DEFAULT)
		return -1;
	if (t->mode == COLOUR_TRUE)
		return (short)paint_index(&t->paint, (uint32_t)colour);
	return (short)colour;
}

static attr_t attributes_of(unsigned int attributes)
{
	attr_t a = A_NORMAL;

	a |= attributes & LOOK_BOLD ? A_BOLD : A_NORMAL;
	a |= attributes & LOOK_DIM ? A_DIM : A_NORMAL;
	a |= attributes & LOOK_REVERSE ? A_REVERSE : A_NORMAL;
	a |= attributes & LOOK_UNDERLINE ? A_UNDERLINE : A_NORMAL;
	return a;
}

static void prepare_looks(struct terminal *t)
{
	short pair = 1;

	for (int style = 0; style < STYLE_COUNT; style++) {
		for (int selected = 0; selected < 2; selected++) {
			struct look look = theme_look(t->mode, (enum style)style, selected);

			t->attributes[style][selected] = attributes_of(look.attributes);
			t->pairs[style][selected] = 0;
			if (look.fg == LOOK_DEFAULT && look.bg == LOOK_DEFAULT)
				continue;
			if (pair < COLOR_PAIRS && init_pair(pair, colour_index(t, look.fg),
							    colour_index(t, look.bg)) != ERR)
				t->pairs[style][selected] = pair++;
		}
		t->blanks[style] = theme_blank(t->mode, (enum style)style, t->utf8);
	}
}

/* ---- opening and closing ---- */

/* ncurses takes signals that are the event loop's: they are put back after newterm(). */
static const int held_signals[] = { SIGINT, SIGTERM, SIGTSTP, SIGWINCH };
#define N_HELD (sizeof(held_signals) / sizeof(held_signals[0]))

static SCREEN *new_screen(const char *term, FILE *file)
{
	struct sigaction actions[N_HELD];
	SCREEN *screen;
	int error;

	/* Asked first: newterm() loses memory where the terminal is unknown. */
	if (setupterm(term, fileno(file), &error) == ERR)
		return NULL;
	del_curterm(cur_term);
	for (size_t i = 0; i < N_HELD; i++)
		sigaction(held_signals[i], NULL, &actions[i]);
	use_env(FALSE); /* LINES and COLUMNS may tell of another terminal */
	/* Of some (linux, cygwin) terminfo knows no size: only so is one made up for them then. */
	use_tioctl(TRUE);
	screen = newterm(term, file, stdin);
	for (size_t i = 0; i < N_HELD; i++)
		sigaction(held_signals[i], &actions[i], NULL);
	return screen;
}

static const char *capability(const char *name)
{
	const char *value = tigetstr(name);

	return value && value != (const char *)-1 ? value : NULL;
}

static int refuse(char *why, size_t size, const char *term)
{
	if (!term || !term[0])
		text_format(why, size, "TERM is not set: the kind of terminal is unknown");
	else
		text_format(why, size,
			    "terminal '%.40s' is unknown or cannot place its cursor; set TERM",
			    text_is_clean(term) ? term : "?");
	return -ENOTTY;
}

static int open_screen(struct terminal *t, char *why, size_t size)
{
	const char *term = getenv("TERM");
	int fd;

	if (!term || !term[0])
		return refuse(why, size, NULL);
	fd = memfd_create("raidtop-frame", MFD_CLOEXEC);
	t->file = fd >= 0 ? fdopen(fd, "w+") : NULL;
	if (!t->file) {
		int r = -errno;

		if (fd >= 0)
			close(fd);
		text_format(why, size, "no memory file to draw in: %s", strerror(-r));
		return r;
	}
	t->screen = new_screen(term, t->file);
	if (!t->screen || !capability("cup"))
		return refuse(why, size, term);
	return 0;
}

static void set_up_screen(struct terminal *t, const struct terminal_options *options)
{
	scrollok(stdscr, FALSE);
	/* A cursor that cannot be hidden is kept in the last corner. */
	leaveok(stdscr, curs_set(0) != ERR);
	if (has_colors()) {
		start_color();
		use_default_colors();
	}
	t->mode = theme_mode(options->colours, has_colors() ? COLORS : 0, getenv("NO_COLOR"),
			     getenv("COLORTERM"));
	prepare_looks(t);
	/* What it has to say first is in the memory file from here on: see free_scrolling(). */
	wnoutrefresh(stdscr);
	doupdate();
}

/* The way back, for a crash: end of an update, plain characters, cursor, first screen. */
static void arm_emergency(struct terminal *t)
{
	static const char *const names[] = { "sgr0", "op", "cnorm", "rmcup" };
	struct buffer bytes = BUFFER_INIT;

	if (t->output.may_ask)
		buffer_add_text(&bytes, OUTPUT_END_SYNCHRONIZED);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (capability(names[i]))
			paint_unpadded(capability(names[i]), &bytes);
	tty_arm_emergency(&t->tty, buffer_text(&bytes), bytes.len);
	buffer_release(&bytes);
}

static void free_terminal(struct terminal *t)
{
	if (t->screen)
		delscreen(t->screen);
	if (t->file)
		fclose(t->file);
	surface_release(&t->shown);
	buffer_release(&t->raw);
	output_release(&t->output);
	free(t->line);
	free(t);
}

int terminal_open(const struct terminal_options *options, struct terminal **ret, char *why,
		  size_t size)
{
	struct terminal *t = memory_new(1, sizeof(*t));
	int r, width, height;

	r = tty_open(&t->tty, why, size);
	if (r < 0) {
		free_terminal(t);
		return r;
	}
	t->utf8 = !options->ascii && strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
	input_init(&t->input, t->utf8);
	r = open_screen(t, why, size);
	if (r == 0) {
		r = tty_take(&t->tty);
		if (r < 0)
			text_format(why, size, "cannot set the terminal's modes: %s", strerror(-r));
	}
	if (r < 0) {
		tty_close(&t->tty);
		free_terminal(t);
		return r;
	}
	set_up_screen(t, options);
	output_init(&t->output, getenv("TERM"));
	t->forgotten = true;
	terminal_measure(t, &width, &height);
	*ret = t;
	return 0;
}

/* ---- bytes ---- */

/* Takes what ncurses has written since the last time into t->raw. */
static void collect(struct terminal *t)
{
	int fd = fileno(t->file);
	off_t len = lseek(fd, 0, SEEK_CUR);
	ssize_t n;

	buffer_reset(&t->raw);
	if (len <= 0)
		return;
	buffer_reserve(&t->raw, (size_t)len);
	n = pread(fd, t->raw.data, (size_t)len, 0);
	t->raw.len = n > 0 ? (size_t)n : 0;
	t->raw.data[t->raw.len] = '\0';
	lseek(fd, 0, SEEK_SET);
}

void terminal_suspend(struct terminal *t)
{
	if (t->on_screen) {
		output_flush(&t->output, &t->tty, FRAME_PATIENCE_MS);
		endwin();
		collect(t);
		output_frame(&t->output, &t->raw, NULL, &t->input);
		output_flush(&t->output, &t->tty, LAST_PATIENCE_MS);
		t->on_screen = false;
	}
	tty_disarm_emergency();
	tty_give_back(&t->tty);
}

int terminal_resume(struct terminal *t)
{
	int r = tty_take(&t->tty);

	if (r < 0)
		return r;
	terminal_forget(t);
	return 0;
}

void terminal_close(struct terminal *t)
{
	if (!t)
		return;
	terminal_suspend(t);
	tty_close(&t->tty);
	free_terminal(t);
}

void terminal_emergency_restore(void)
{
	tty_emergency();
}

/* ---- drawing ---- */

/* A character as ncurses and the terminal will both take it: as wide as the surface thinks. */
static wchar_t safe_rune(const struct terminal *t, uint32_t rune, bool is_wide)
{
	if (rune >= 0x20 && rune < 0x7f)
		return (wchar_t)rune;
	if (!t->utf8 || rune == 0)
		return L'?'; /* and so does the half that is left of a wide one */
	if (rune >= 0x2500 && rune < 0x25a0)
		return (wchar_t)rune; /* lines and blocks, the most of a screen */
	return wcwidth((wchar_t)rune) == (is_wide ? 2 : 1) ? (wchar_t)rune : L'?';
}

static void set_cell(struct terminal *t, const struct cell *c, bool is_wide, cchar_t *ret)
{
	wchar_t text[2] = { safe_rune(t, c->rune, is_wide), 0 };

	if (c->rune == ' ' && !c->selected)
		text[0] = (wchar_t)t->blanks[c->style];
	setcchar(ret, text, t->attributes[c->style][c->selected], t->pairs[c->style][c->selected],
		 NULL);
}

/* Tells ncurses the cells [from, end) of a row. */
static void tell_cells(struct terminal *t, const struct cell *row, int y, int from, int end)
{
	int n = 0;

	for (int x = from; x < end; x++) {
		bool is_wide = x + 1 < end && row[x + 1].rune == 0;

		set_cell(t, &row[x], is_wide, &t->line[n]);
		if (is_wide && wcwidth(t->line[n].chars[0]) == 2)
			x++; /* ncurses fills the second half itself */
		n++;
	}
	mvadd_wchnstr(y, from, t->line, n);
}

static bool same_cell(const struct cell *a, const struct cell *b)
{
	return a->rune == b->rune && a->style == b->style && a->selected == b->selected;
}

/* Tells ncurses what differs from the frame before, from the first to the last cell of a row. */
static void tell_row(struct terminal *t, const struct surface *s, int y)
{
	const struct cell *row = &s->cells[y * s->width];
	struct cell *old = &t->shown.cells[y * s->width];
	int from = 0, end = s->width;

	while (from < end && same_cell(&row[from], &old[from]))
		from++;
	if (from == end)
		return;
	while (same_cell(&row[end - 1], &old[end - 1]))
		end--;
	/* Not half a wide character. */
	while (from > 0 && (row[from].rune == 0 || old[from].rune == 0))
		from--;
	while (end < s->width && (row[end].rune == 0 || old[end].rune == 0))
		end++;
	tell_cells(t, row, y, from, end);
	memcpy(old + from, row + from, (size_t)(end - from) * sizeof(*row));
}

/*
 * ncurses cannot see the terminal's size and has told it to scroll within terminfo's idea of it;
 * without this, a line feed at that line would scroll instead of moving down.
 */
static void free_scrolling(struct terminal *t, int height)
{
	struct buffer bytes = BUFFER_INIT;

	if (!capability("csr"))
		return;
	paint_unpadded(tiparm(capability("csr"), 0, height - 1), &bytes);
	/* The same file position as ncurses', which has flushed what it wrote. */
	if (write(fileno(t->file), bytes.data, bytes.len) < 0)
		t->forgotten = true;
	buffer_release(&bytes);
}

static void fit(struct terminal *t, const struct surface *s)
{
	if (s->width == t->shown.width && s->height == t->shown.height)
		return;
	resize_term(s->height, s->width);
	free_scrolling(t, s->height);
	clearok(curscr, TRUE);
	surface_resize(&t->shown, s->width, s->height);
	erase();
	if (s->width > t->line_size) {
		t->line = memory_resize(t->line, (size_t)s->width, sizeof(*t->line));
		t->line_size = s->width;
	}
}

int terminal_draw(struct terminal *t, const struct surface *s)
{
	int r = output_flush(&t->output, &t->tty, 0);

	if (r < 0)
		return r;
	if (!output_is_idle(&t->output) || s->width <= 0 || s->height <= 0)
		return 0; /* the terminal is behind: this frame is left out */
	fit(t, s);
	if (t->forgotten)
		clearok(curscr, TRUE);
	t->forgotten = false;
	for (int y = 0; y < s->height; y++)
		tell_row(t, s, y);
	wmove(stdscr, s->height - 1, s->width - 1);
	wnoutrefresh(stdscr);
	doupdate();
	collect(t);
	output_frame(&t->output, &t->raw, t->mode == COLOUR_TRUE ? &t->paint : NULL, &t->input);
	if (!t->on_screen)
		arm_emergency(t);
	t->on_screen = true;
	return output_flush(&t->output, &t->tty, FRAME_PATIENCE_MS);
}

void terminal_forget(struct terminal *t)
{
	t->forgotten = true;
}

bool terminal_is_utf8(const struct terminal *t)
{
	return t->utf8;
}

void terminal_measure(struct terminal *t, int *ret_width, int *ret_height)
{
	tty_measure(&t->tty, ret_width, ret_height);
}

/* ---- keys ---- */

int terminal_input_fd(const struct terminal *t)
{
	return t->tty.in;
}

static size_t read_more(struct terminal *t, int patience_ms)
{
	struct input *in = &t->input;
	size_t n = tty_read(&t->tty, in->bytes + in->len, input_room(in), patience_ms);

	input_added(in, n);
	return n;
}

int terminal_read_key(struct terminal *t)
{
	int key = input_next(&t->input, false);
	int patience_ms;

	if (key != KEY_NONE_YET)
		return key;
	output_expect(&t->output, &t->input);
	if (read_more(t, 0) > 0)
		key = input_next(&t->input, false);
	patience_ms = t->input.asked ? ANSWER_PATIENCE_MS : ESCAPE_PATIENCE_MS;
	while (key == KEY_NONE_YET && t->input.len > 0) {
		bool is_all = read_more(t, patience_ms) == 0;

		key = input_next(&t->input, is_all);
		if (is_all)
			break;
	}
	return key;
}

uint64_t terminal_bytes_written(const struct terminal *t)
{
	return t->output.total_bytes;
}

uint64_t terminal_frames_written(const struct terminal *t)
{
	return t->output.frames;
}
