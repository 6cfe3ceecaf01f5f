/*
 * The mount that a descriptor lies on, by its number in /proc/self/mountinfo. Names do not tell:
 * two filesystems may be mounted over each other at one path. proc(5) describes the line; blanks
 * and backslashes in names are written as octal escapes.
 */
#include "place_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "raidtop/file.h"
#include "raidtop/number.h"
#include "raidtop/text.h"

/* A machine may have ten thousands of mounts (containers); what is longer is no mountinfo. */
#define MOUNTINFO_BYTES_MAX (64 << 20)

/* Linux older than 5.8 has it in the descriptor's fdinfo only. */
static uint64_t mount_id_of_fdinfo(int fd)
{
	static const char key[] = "mnt_id:";
	struct buffer b = BUFFER_INIT;
	uint64_t id = UNKNOWN_U64;
	const char *at;
	char path[64];

	text_format(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	if (file_read(path, 65536, &b) == 0 && (at = strstr(buffer_text(&b), key))) {
		at += strlen(key);
		at += strspn(at, " \t");
		(void)number_parse_u64(at, strcspn(at, "\n"), &id);
	}
	buffer_release(&b);
	return id;
}

uint64_t place_mount_id(int fd)
{
	struct statx x;

	if (statx(fd, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_MNT_ID, &x) == 0 &&
	    (x.stx_mask & STATX_MNT_ID))
		return x.stx_mnt_id;
	return mount_id_of_fdinfo(fd);
}

/* The next field of a line, ended and unescaped in place; NULL where there is none. */
static char *next_field(char **line)
{
	char *field, *end, *to;

	if (!*line || !**line)
		return NULL;
	field = *line;
	end = field + strcspn(field, " ");
	*line = *end ? end + 1 : end;
	*end = '\0';
	to = field;
	for (const char *c = field; *c; c++) {
		if (c[0] == '\\' && c[1] >= '0' && c[1] <= '3' && c[2] >= '0' && c[2] <= '7' &&
		    c[3] >= '0' && c[3] <= '7') {
			*to++ = (char)((c[1] - '0') * 64 + (c[2] - '0') * 8 + (c[3] - '0'));
			c += 3;
		} else {
			*to++ = *c;
		}
	}
	*to = '\0';
	return field;
}

static bool has_option(const char *options, const char *wanted)
{
	size_t len = strlen(wanted);

	for (const char *at = options; *at;) {
		size_t n = strcspn(at, ",");

		if (n == len && memcmp(at, wanted, n) == 0)
			return true;
		at += n + (at[n] == ',');
	}
	return false;
}

bool place_mount_take_line(struct place *p, char *line)
{
	char *field[6], *type, *source, *super, *optional;
	uint64_t id;

	for (size_t i = 0; i < 6; i++) {
		field[i] = next_field(&line);
		if (!field[i])
			return false;
		if (i == 0 &&
		    (number_parse_u64(field[0], strlen(field[0]), &id) < 0 || id != p->mount_id))
			return false;
	}
	while ((optional = next_field(&line)) && strcmp(optional, "-") != 0) {
	}
	type = next_field(&line);
	source = next_field(&line);
	super = next_field(&line);
	if (!type || !source)
		return false;
	text_copy(p->mount_point, sizeof(p->mount_point), field[4]);
	text_copy(p->options, sizeof(p->options), field[5]);
	text_copy(p->type, sizeof(p->type), type);
	text_copy(p->source, sizeof(p->source), source);
	p->read_only = has_option(field[5], "ro") || (super && has_option(super, "ro"));
	return true;
}

int place_mount_find(struct place *p, const char *root)
{
	struct buffer b = BUFFER_INIT;
	char path[PATH_MAX];
	bool found = false;
	char *line;
	int r;

	if (p->mount_id == UNKNOWN_U64)
		return -ENOENT;
	if (!text_format(path, sizeof(path), "%s/proc/self/mountinfo", root))
		return -ENAMETOOLONG;
	r = file_read(path, MOUNTINFO_BYTES_MAX, &b);
	line = b.data;
	while (r == 0 && !found && line && *line) {
		char *end = strchr(line, '\n');

		if (end)
			*end = '\0';
		found = place_mount_take_line(p, line);
		line = end ? end + 1 : NULL;
	}
	buffer_release(&b);
	return r < 0 ? r : found ? 0 : -ENOENT;
}
