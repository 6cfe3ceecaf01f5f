/*
 * No line may be longer than the terminal is wide: it would take two, and going up by as many lines
 * as there are streams would end in the wrong one. Of more streams than there are lines the newest
 * are shown.
 */
#include "load_progress.h"

#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "load_tell.h"
#include "raidtop/file.h"

#define WIDTH_UNKNOWN 80
#define HEIGHT_UNKNOWN 24

void load_progress_init(struct load_progress *p, int fd)
{
	memset(p, 0, sizeof(*p));
	p->fd = isatty(fd) ? fd : -1;
	load_progress_resize(p);
}

void load_progress_resize(struct load_progress *p)
{
	struct winsize size;

	p->width = WIDTH_UNKNOWN;
	p->height = HEIGHT_UNKNOWN;
	if (p->fd >= 0 && ioctl(p->fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 1) {
		p->width = size.ws_col;
		p->height = size.ws_row;
	}
}

/* As much of a text as fits into so many cells. */
static size_t fitting(const char *text, size_t len, int cells)
{
	size_t at = 0;

	while (at < len) {
		unsigned int rune;
		int n = text_decode(text + at, len - at, &rune);

		if (n <= 0)
			break;
		cells -= text_rune_width(rune);
		if (cells < 0)
			break;
		at += (size_t)n;
	}
	return at;
}

static void begin_again(struct load_progress *p)
{
	buffer_reset(&p->out);
	if (p->n_lines > 0)
		buffer_format(&p->out, "\033[%dA", p->n_lines);
	buffer_add_text(&p->out, "\r\033[J");
	p->n_lines = 0;
}

static void add_line(struct load_progress *p)
{
	const char *text = buffer_text(&p->line);

	buffer_add(&p->out, text, fitting(text, p->line.len, p->width - 1));
	buffer_add_char(&p->out, '\n');
	p->n_lines++;
}

static bool any_prepares(const struct load_tally *t)
{
	for (size_t i = 0; i < t->n; i++) {
		if (t->views[i].state == STREAM_PREPARING)
			return true;
	}
	return false;
}

void load_progress_draw(struct load_progress *p, const struct load_tally *t, enum units units,
			uint64_t now_ns)
{
	size_t room = p->height > 2 ? (size_t)p->height - 2 : 1;

	if (p->fd < 0)
		return;
	if (!any_prepares(t))
		p->preparing_ns = 0;
	else if (p->preparing_ns == 0)
		p->preparing_ns = now_ns;
	begin_again(p);
	for (size_t i = t->n > room ? t->n - room : 0; i < t->n; i++) {
		buffer_reset(&p->line);
		load_tell_progress(&p->line, &t->views[i], units, now_ns - p->preparing_ns);
		add_line(p);
	}
	file_write_all(p->fd, buffer_text(&p->out), p->out.len);
}

void load_progress_end(struct load_progress *p)
{
	if (p->fd >= 0) {
		begin_again(p);
		file_write_all(p->fd, buffer_text(&p->out), p->out.len);
	}
	buffer_release(&p->out);
	buffer_release(&p->line);
}
