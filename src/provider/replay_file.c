/*
 * Rows of a recording's file. Lines are found by their line feeds; only where a line holds an
 * odd number of quotes may a field contain one, and the row then goes on. A damaged byte may
 * look like such a quote, so a joined row must be a good one as a whole, or else only its first
 * line is given up.
 */
#include "replay_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "raidtop/memory.h"
#include "replay_window.h"

enum {
	LINE_MAX_BYTES = 64 * 1024, /* the longest row; a value is at most a few KiB */
	JOINED_LINES_MAX = 64,
	PIECE_NEAR = 16 * 1024, /* read where one row is wanted */
};

static size_t count_quotes(const char *text, size_t len)
{
	size_t n = 0;

	for (const char *end = text + len; (text = memchr(text, '"', (size_t)(end - text))); text++)
		n++;
	return n;
}

/* The line at `at` without its LF: 0, -EMSGSIZE where it is too long, -ENODATA without LF. */
static int find_line(struct replay_file *f, uint64_t at, size_t piece, char **ret, size_t *ret_len)
{
	char *feed, *text;
	size_t len, searched = 0;

	for (;;) {
		int r = replay_window_need(f, at, searched ? WINDOW_BYTES : piece, &text, &len);

		if (r < 0)
			return r;
		feed = len > searched ? memchr(text + searched, '\n', len - searched) : NULL;
		if (feed || len > LINE_MAX_BYTES)
			break;
		if (len == searched || at + len >= f->size)
			return -ENODATA;
		searched = len;
		f->window_len = 0; /* more of it is needed */
	}
	*ret = text;
	*ret_len = feed ? (size_t)(feed - text) : len;
	return *ret_len > LINE_MAX_BYTES ? -EMSGSIZE : 0;
}

/* Where the line after the one at `at` begins, however long that is. */
static int skip_line(struct replay_file *f, uint64_t at, size_t piece, uint64_t *ret_next)
{
	for (;;) {
		char *text, *feed;
		size_t len;
		int r = replay_window_need(f, at, piece, &text, &len);

		if (r < 0 || len == 0)
			return r < 0 ? r : -ENODATA;
		feed = memchr(text, '\n', len);
		if (feed) {
			*ret_next = at + (uint64_t)(feed - text) + 1;
			return 0;
		}
		at += len;
	}
}

/*
 * A row whose first line has quotes: it is copied, for unquoting changes it, and joined with
 * the lines after it while a quote is open.
 */
static int read_quoted(struct replay_file *f, size_t piece, struct replay_row *ret, char *text,
		       size_t len)
{
	uint64_t first_next = ret->at + len + 1, next = first_next;
	size_t n = len, quotes = count_quotes(text, len);

	memcpy(f->joined, text, len);
	for (int lines = 1; quotes % 2 == 1; lines++) {
		if (lines == JOINED_LINES_MAX || find_line(f, next, piece, &text, &len) < 0 ||
		    n + 1 + len > LINE_MAX_BYTES)
			break;
		f->joined[n++] = '\n';
		memcpy(f->joined + n, text, len);
		n += len;
		quotes += count_quotes(text, len);
		next += len + 1;
	}
	ret->next = first_next;
	if (quotes % 2 == 1 || record_row_read(&ret->row, &f->header, f->joined, n) < 0)
		return -EBADMSG;
	ret->next = next;
	return 0;
}

/* The row that begins at `at`: 0, -EBADMSG (damaged, ret->next is set), -ENODATA or -errno. */
static int read_row(struct replay_file *f, uint64_t at, size_t piece, struct replay_row *ret)
{
	size_t len;
	char *text;
	int r = find_line(f, at, piece, &text, &len);

	ret->at = ret->next = at;
	if (r == -EMSGSIZE) {
		r = skip_line(f, at, WINDOW_BYTES, &ret->next);
		return r < 0 ? r : -EBADMSG;
	}
	if (r < 0)
		return r;
	if (memchr(text, '"', len))
		return read_quoted(f, piece, ret, text, len);
	ret->next = at + len + 1;
	return record_row_read(&ret->row, &f->header, text, len) < 0 ? -EBADMSG : 0;
}

static bool is_header_again(struct replay_file *f, const struct replay_row *line)
{
	size_t len = f->header_line.len, have;
	char *text;

	if (line->next - line->at != len ||
	    replay_window_need(f, line->at, WINDOW_BYTES, &text, &have) < 0)
		return false;
	if (have < len) {
		f->window_len = 0; /* it holds a part only */
		if (replay_window_need(f, line->at, WINDOW_BYTES, &text, &have) < 0)
			return false;
	}
	return have >= len && memcmp(text, f->header_line.data, len) == 0;
}

void replay_file_note_damaged(struct replay_file *f, uint64_t at)
{
	if (at < f->counted_to)
		return;
	f->damaged_lines++;
	f->counted_to = at + 1;
}

int replay_file_row(struct replay_file *f, uint64_t at, struct replay_row *ret)
{
	int r;

	while ((r = read_row(f, at, WINDOW_BYTES, ret)) == -EBADMSG) {
		if (!is_header_again(f, ret))
			replay_file_note_damaged(f, at);
		at = ret->next;
	}
	return r;
}

int replay_file_row_of(struct replay_file *f, uint64_t at, unsigned int kinds,
		       struct replay_row *ret)
{
	size_t len;
	char *text;

	kinds |= 1u << RECORD_UNKNOWN;
	while (find_line(f, at, WINDOW_BYTES, &text, &len) == 0 &&
	       !(kinds >> record_line_kind(&f->header, text, len) & 1))
		at += len + 1;
	return replay_file_row(f, at, ret);
}

int replay_file_row_near(struct replay_file *f, uint64_t at, uint64_t before,
			 struct replay_row *ret)
{
	int r = 0;

	if (at > f->body_at)
		r = skip_line(f, at - 1, PIECE_NEAR, &at);
	else
		at = f->body_at;
	while (r == 0 && at < before && (r = read_row(f, at, PIECE_NEAR, ret)) == -EBADMSG) {
		at = ret->next;
		r = 0;
	}
	return r == 0 && at >= before ? -ENODATA : r;
}

int replay_file_line_begin(struct replay_file *f, uint64_t at, uint64_t *ret_at)
{
	while (at > f->body_at) {
		char *text, *feed;
		uint64_t begin;
		size_t len;
		/* With the byte at `at`: it is the line feed of the line that is sought. */
		int r = replay_window_back(f, f->body_at, at, 1, &begin, &text, &len);

		if (r < 0)
			return r;
		if (len > at - begin)
			len = (size_t)(at - begin);
		feed = memrchr(text, '\n', len);
		if (feed) {
			*ret_at = begin + (uint64_t)(feed - text) + 1;
			return 0;
		}
		at = begin;
	}
	*ret_at = f->body_at;
	return 0;
}

int replay_file_row_before(struct replay_file *f, uint64_t at, struct replay_row *ret)
{
	uint64_t limit = at;

	while (at > f->body_at) {
		int r = replay_file_line_begin(f, at - 1, &at);

		if (r == 0)
			r = read_row(f, at, PIECE_NEAR, ret);
		if (r == 0 && ret->next <= limit)
			return 0;
		if (r < 0 && r != -EBADMSG && r != -ENODATA)
			return r;
	}
	return -ENODATA;
}

/* The last place in the text where the word begins, or NULL. */
static char *find_last(char *text, size_t len, const char *word)
{
	char *end = text + len, *found = NULL;
	size_t word_len = strlen(word);

	while ((text = memmem(text, (size_t)(end - text), word, word_len)))
		found = text++;
	return found;
}

int replay_file_find_back(struct replay_file *f, uint64_t from, uint64_t to, const char *word,
			  uint64_t *ret_at)
{
	while (to > from) {
		char *text, *found;
		uint64_t begin;
		size_t len;
		int r = replay_window_back(f, from, to, strlen(word) - 1, &begin, &text, &len);

		if (r < 0)
			return r;
		found = find_last(text, len, word);
		if (found) {
			*ret_at = begin + (uint64_t)(found - text);
			return 0;
		}
		to = begin;
	}
	return -ENODATA;
}

static int refuse(char *why, size_t size, int r, const char *path, const char *what)
{
	text_format(why, size, "%s %s", path, what);
	return r;
}

/* Not blocking: a pipe without a writer would hold the program before it can be refused. */
static int open_file(struct replay_file *f, const char *path, char *why, size_t size)
{
	struct stat st;

	f->fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (f->fd < 0 || fstat(f->fd, &st) < 0) {
		int r = -errno;

		text_format(why, size, "%s cannot be opened: %s", path, strerror(-r));
		return r;
	}
	if (S_ISDIR(st.st_mode))
		return refuse(why, size, -EISDIR, path, "is a directory, not a recording");
	if (!S_ISREG(st.st_mode))
		return refuse(why, size, -ESPIPE, path,
			      "is no regular file: a replay goes back and forth, so save the "
			      "recording to a file first");
	if (st.st_size == 0)
		return refuse(why, size, -ENODATA, path, "is empty: nothing was recorded");
	f->size = (uint64_t)st.st_size;
	return 0;
}

/* What the first bytes say where they are no header line. */
static const char *what_it_is(const char *text, size_t len)
{
	static const struct {
		const char *magic, *what;
	} known[] = {
		{ "\x1f\x8b", "is compressed: unpack it first, with gunzip" },
		{ "\x28\xb5\x2f\xfd", "is compressed: unpack it first, with zstd -d" },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (len >= strlen(known[i].magic) &&
		    memcmp(text, known[i].magic, strlen(known[i].magic)) == 0)
			return known[i].what;
	}
	return "is not a recording of raidtop: its first line does not name the columns kind, name "
	       "and elapsed_s";
}

static int read_header(struct replay_file *f, const char *path, char *why, size_t size)
{
	char *text;
	size_t len;
	int r = find_line(f, 0, PIECE_NEAR, &text, &len);

	if (r < 0 && r != -EMSGSIZE && r != -ENODATA) {
		text_format(why, size, "%s cannot be read: %s", path, strerror(-r));
		return r;
	}
	if (r == 0) {
		buffer_add(&f->header_line, text, len + 1);
		memcpy(f->joined, text, len);
		r = record_header_read(&f->header, f->joined, len);
	}
	if (r == -E2BIG)
		return refuse(why, size, r, path, "has more than 256 columns: no recording");
	if (r < 0) {
		replay_window_need(f, 0, PIECE_NEAR, &text, &len);
		return refuse(why, size, -EBADMSG, path, what_it_is(text, len));
	}
	f->body_at = f->header_line.len;
	return 0;
}

int replay_file_open(struct replay_file *f, const char *path, char *why, size_t size)
{
	int r;

	memset(f, 0, sizeof(*f));
	f->fd = -1;
	if (strcmp(path, "-") == 0)
		return refuse(why, size, -ESPIPE, "standard input",
			      "cannot be replayed: a replay goes back and forth, so save the "
			      "recording to a file first");
	r = open_file(f, path, why, size);
	if (r < 0)
		return r;
	f->window = memory_resize(NULL, WINDOW_BYTES, 1);
	f->joined = memory_resize(NULL, LINE_MAX_BYTES + 1, 1);
	return read_header(f, path, why, size);
}

void replay_file_close(struct replay_file *f)
{
	if (f->fd >= 0)
		close(f->fd);
	free(f->window);
	free(f->joined);
	buffer_release(&f->header_line);
	f->fd = -1;
	f->window = f->joined = NULL;
}

bool replay_file_grew(struct replay_file *f)
{
	struct stat st;
	uint64_t before = f->size;

	if (fstat(f->fd, &st) < 0 || st.st_size < 0)
		return false;
	f->size = (uint64_t)st.st_size;
	return f->size > before;
}
