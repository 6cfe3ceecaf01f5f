/*
 * Lines of mountinfo, as in proc(5):
 *
 *   41 28 9:0 /    /mnt/md0 rw,relatime shared:7 - xfs  /dev/md0  rw,noquota
 *         number  point                     ^ options end  source
 *
 * Blanks, tabs, line ends and backslashes of a name are written as \\040 and so on.
 */
#include "mountinfo.h"

#include <string.h>

#include "raidtop/number.h"
#include "raidtop/text.h"

struct word {
	const char *at;
	size_t len;
};

/* The next word of a line; false at its end. */
static bool next_word(const char **at, const char *end, struct word *w)
{
	while (*at < end && **at == ' ')
		++*at;
	w->at = *at;
	while (*at < end && **at != ' ')
		++*at;
	w->len = (size_t)(*at - w->at);
	return w->len > 0;
}

static bool is_octal(const char *at)
{
	return at[0] >= '0' && at[0] <= '3' && at[1] >= '0' && at[1] <= '7' && at[2] >= '0' &&
	       at[2] <= '7';
}

/* Undoes the escapes; false where it does not fit. */
static bool unescape(char *dst, size_t size, const struct word *w)
{
	size_t n = 0;

	for (size_t i = 0; i < w->len; i++) {
		char c = w->at[i];

		if (c == '\\' && w->len - i > 3 && is_octal(w->at + i + 1)) {
			c = (char)((w->at[i + 1] - '0') << 6 | (w->at[i + 2] - '0') << 3 |
				   (w->at[i + 3] - '0'));
			i += 3;
		}
		if (n + 1 >= size || c == '\0')
			return false;
		dst[n++] = c;
	}
	dst[n] = '\0';
	return true;
}

static bool parse_number(const struct word *w, struct mountinfo_mount *m)
{
	const char *colon = memchr(w->at, ':', w->len);
	uint64_t major, minor;

	if (!colon || number_parse_u64(w->at, (size_t)(colon - w->at), &major) ||
	    number_parse_u64(colon + 1, (size_t)(w->at + w->len - colon - 1), &minor) ||
	    major > UINT32_MAX || minor > UINT32_MAX)
		return false;
	m->major = (uint32_t)major;
	m->minor = (uint32_t)minor;
	return true;
}

static bool lies_in(const char *path, const char *point)
{
	size_t len = strlen(point);

	if (len == 1 && point[0] == '/')
		return true;
	return strncmp(path, point, len) == 0 && (path[len] == '/' || path[len] == '\0');
}

/* A mount point that `path` lies in, and the mount; false for another or a damaged line. */
static bool read_mount(const char *at, const char *end, const char *path, size_t *ret_len,
		       struct mountinfo_mount *m)
{
	struct word w[5], type, source;
	char point[SYSFS_PATH_BYTES];

	for (size_t i = 0; i < 5; i++)
		if (!next_word(&at, end, &w[i]))
			return false;
	if (!unescape(point, sizeof(point), &w[4]) || !lies_in(path, point) ||
	    !parse_number(&w[2], m))
		return false;
	do {
		if (!next_word(&at, end, &type))
			return false;
	} while (type.len != 1 || type.at[0] != '-');
	m->source[0] = '\0';
	if (next_word(&at, end, &type) && next_word(&at, end, &source) &&
	    !unescape(m->source, sizeof(m->source), &source))
		m->source[0] = '\0';
	*ret_len = strlen(point);
	return true;
}

bool mountinfo_find(const char *text, size_t len, const char *path, struct mountinfo_mount *ret)
{
	const char *end = text + len;
	size_t longest = 0;

	for (const char *next; path[0] == '/' && text < end; text = next) {
		const char *newline = memchr(text, '\n', (size_t)(end - text));
		struct mountinfo_mount m;
		size_t n;

		next = newline ? newline + 1 : end;
		if (!read_mount(text, newline ? newline : end, path, &n, &m) || n < longest)
			continue;
		longest = n;
		*ret = m;
	}
	return longest > 0;
}
