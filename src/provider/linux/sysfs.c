/*
 * sysfs as a source of facts about devices that may vanish at any moment: each attribute is opened,
 * read and closed by its path, and every failure has the same meaning, that the fact is not known.
 * Paths carry the prefix of --root where there is one.
 */
#include "sysfs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "raidtop/file.h"
#include "raidtop/number.h"
#include "raidtop/text.h"

bool sysfs_path(char *dst, size_t size, const char *dir, const char *name)
{
	if (text_format(dst, size, "%s/%s", dir, name))
		return true;
	dst[0] = '\0';
	return false;
}

bool sysfs_has(const char *dir, const char *attribute)
{
	char path[SYSFS_PATH_BYTES];
	struct stat st;

	/* A link counts wherever it leads: copies of sysfs may lack its target. */
	return sysfs_path(path, sizeof(path), dir, attribute) && lstat(path, &st) == 0;
}

void sysfs_text(const char *dir, const char *attribute, char *dst, size_t size)
{
	char path[SYSFS_PATH_BYTES], line[512];

	dst[0] = '\0';
	if (sysfs_path(path, sizeof(path), dir, attribute) &&
	    file_read_line(path, line, sizeof(line)) == 0)
		text_clean(dst, size, line);
}

/*
 * Descriptors beyond this are for others: a machine may have a hundred arrays, and many systems
 * allow a process 1,024.
 */
#define HIGHEST_KEPT_FD 511

static bool open_file(struct sysfs_file *f, const char *dir, const char *attribute)
{
	char path[SYSFS_PATH_BYTES];

	if (f->fd == SYSFS_FILE_CLOSED && sysfs_path(path, sizeof(path), dir, attribute)) {
		f->fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
		if (f->fd < 0)
			f->fd = errno == ENOENT ? SYSFS_FILE_ABSENT : SYSFS_FILE_CLOSED;
	}
	return f->fd >= 0;
}

void sysfs_file_text(struct sysfs_file *f, const char *dir, const char *attribute, char *dst,
		     size_t size)
{
	char line[512];
	ssize_t n;

	dst[0] = '\0';
	if (!open_file(f, dir, attribute))
		return;
	do /* from the start: the kernel makes the text anew */
		n = pread(f->fd, line, sizeof(line) - 1, 0);
	while (n < 0 && errno == EINTR);
	if (n < 0 || f->fd > HIGHEST_KEPT_FD)
		sysfs_file_close(f);
	if (n < 0)
		return;
	line[n] = '\0';
	line[strcspn(line, "\n")] = '\0';
	text_clean(dst, size, line);
}

void sysfs_file_close(struct sysfs_file *f)
{
	if (f->fd >= 0)
		close(f->fd);
	f->fd = SYSFS_FILE_CLOSED;
}

uint64_t sysfs_u64(const char *dir, const char *attribute)
{
	char path[SYSFS_PATH_BYTES];
	uint64_t value;

	if (sysfs_path(path, sizeof(path), dir, attribute) && file_read_u64(path, &value) == 0)
		return value;
	return UNKNOWN_U64;
}

enum truth sysfs_truth(const char *dir, const char *attribute)
{
	uint64_t value = sysfs_u64(dir, attribute);

	if (value == UNKNOWN_U64)
		return TRUTH_UNKNOWN;
	return value ? TRUTH_YES : TRUTH_NO;
}

bool sysfs_real(const char *dir, const char *attribute, char *dst, size_t size)
{
	char path[SYSFS_PATH_BYTES], *real = NULL;
	bool fits = false;

	dst[0] = '\0';
	if (!attribute)
		real = realpath(dir, NULL);
	else if (sysfs_path(path, sizeof(path), dir, attribute))
		real = realpath(path, NULL);
	if (real)
		fits = text_copy(dst, size, real);
	if (!fits)
		dst[0] = '\0';
	free(real);
	return fits;
}

bool sysfs_link(const char *dir, const char *attribute, char *dst, size_t size)
{
	char path[SYSFS_PATH_BYTES], target[SYSFS_PATH_BYTES];
	const char *at = target;
	ssize_t n;
	char *end;

	dst[0] = '\0';
	if (!sysfs_path(path, sizeof(path), dir, attribute))
		return false;
	n = readlink(path, target, sizeof(target) - 1);
	if (n <= 0 || target[0] == '/')
		return n > 0 && sysfs_real(dir, attribute, dst, size);
	target[n] = '\0';
	text_copy(path, sizeof(path), dir);
	for (; strncmp(at, "../", 3) == 0; at += 3) {
		end = strrchr(path, '/');
		if (!end)
			return false;
		*end = '\0';
	}
	if (strcmp(at, "..") == 0 || strstr(at, "/.."))
		return sysfs_real(dir, attribute, dst, size);
	return sysfs_path(dst, size, path, at);
}

/* Major and minor numbers have at most 12 and 20 bits. */
static bool parse_part(const char *text, size_t len, uint64_t limit, uint32_t *ret)
{
	uint64_t value;

	if (number_parse_u64(text, len, &value) || value > limit)
		return false;
	*ret = (uint32_t)value;
	return true;
}

bool sysfs_number(const char *dir, uint32_t *ret_major, uint32_t *ret_minor)
{
	uint32_t major, minor;
	const char *colon;
	char text[32];

	sysfs_text(dir, "dev", text, sizeof(text));
	colon = strchr(text, ':');
	if (!colon || !parse_part(text, (size_t)(colon - text), 0xfff, &major) ||
	    !parse_part(colon + 1, strlen(colon + 1), 0xfffff, &minor))
		return false;
	*ret_major = major;
	*ret_minor = minor;
	return true;
}

void sysfs_parse_pair(const char *text, uint64_t *ret_now, uint64_t *ret_before)
{
	size_t len = strcspn(text, " ");
	const char *open = text + len;
	size_t inner;

	/* The parser leaves untouched what it cannot read. */
	*ret_now = *ret_before = UNKNOWN_U64;
	(void)number_parse_u64(text, len, ret_now);
	if (strncmp(open, " (", 2) != 0)
		return;
	inner = strcspn(open + 2, ")");
	if (open[2 + inner] == ')')
		(void)number_parse_u64(open + 2, inner, ret_before);
}

void sysfs_kernel_name(char *dst, size_t size, const char *sysfs_name)
{
	text_copy(dst, size, sysfs_name);
	for (char *c = dst; *c; c++)
		if (*c == '!')
			*c = '/';
}
