/*
 * One window onto the file, moved where it is needed. A row may lie across its edge: it is then
 * read anew from the row's beginning, which is why a window is larger than any row.
 */
#include "replay_window.h"

#include <errno.h>
#include <unistd.h>

static int load(struct replay_file *f, uint64_t at, size_t size)
{
	f->window_at = at;
	f->window_len = 0;
	while (f->window_len < size) {
		ssize_t n = pread(f->fd, f->window + f->window_len, size - f->window_len,
				  (off_t)(at + f->window_len));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			break;
		f->window_len += (size_t)n;
	}
	return 0;
}

static bool holds(const struct replay_file *f, uint64_t at)
{
	return at >= f->window_at && at - f->window_at < f->window_len;
}

int replay_window_need(struct replay_file *f, uint64_t at, size_t piece, char **ret,
		       size_t *ret_len)
{
	int r = holds(f, at) ? 0 : load(f, at, piece < WINDOW_BYTES ? piece : WINDOW_BYTES);

	if (r < 0)
		return r;
	*ret = f->window + (at - f->window_at);
	*ret_len = f->window_len - (size_t)(at - f->window_at);
	return 0;
}

int replay_window_back(struct replay_file *f, uint64_t from, uint64_t to, size_t extra,
		       uint64_t *ret_begin, char **ret, size_t *ret_len)
{
	uint64_t begin = to - from > WINDOW_BACK_BYTES ? to - WINDOW_BACK_BYTES : from;
	uint64_t end = to + extra < f->size ? to + extra : f->size;
	uint64_t loaded; /* up to there; a file that was cut short meanwhile ends before `end` */
	int r = 0;

	if (holds(f, to - 1) && holds(f, end - 1))
		begin = f->window_at > from ? f->window_at : from;
	else
		r = load(f, begin, (size_t)(to - begin) + extra + WINDOW_AHEAD_BYTES);
	if (r < 0)
		return r;
	loaded = f->window_at + f->window_len;
	*ret_begin = begin;
	*ret = f->window + (begin - f->window_at);
	end = loaded < to + extra ? loaded : to + extra;
	*ret_len = end > begin ? (size_t)(end - begin) : 0;
	return 0;
}
