/*
 * A place in words: whose name it goes by, whether a name that was typed means one of its devices
 * (the kernel's name, device-mapper's, LVM's VG/LV, or any node of the same number), and the line
 * that is printed before anything is done.
 */
#include "place_parts.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "raidtop/text.h"

#define DESCRIBE_DEPTH_MAX 6

const char *place_device_name(const struct place_device *d)
{
	return d->alias[0] ? d->alias : d->name;
}

const struct place_device *place_main_device(const struct place *p)
{
	for (size_t i = 0; i < p->n_devices; i++) {
		if (p->devices[i].kind == PLACE_MD)
			return &p->devices[i];
	}
	return p->n_devices > 0 ? &p->devices[0] : NULL;
}

static bool is_node_of(const struct place_device *d, const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISBLK(st.st_mode) && major(st.st_rdev) == d->major &&
	       minor(st.st_rdev) == d->minor;
}

/* LVM's VG/LV as device-mapper has it: "my-vg/data" is my--vg-data. "" where it is no such name. */
static void mangle_lvm(char *dst, size_t size, const char *name)
{
	const char *slash;
	size_t n = 0;

	dst[0] = '\0';
	if (strncmp(name, "/dev/", 5) == 0)
		name += 5;
	slash = strchr(name, '/');
	if (!slash || strchr(slash + 1, '/'))
		return;
	for (; *name && n + 3 < size; name++) {
		if (*name == '-')
			dst[n++] = '-';
		dst[n++] = *name == '/' ? '-' : *name;
	}
	dst[n] = '\0';
}

/* LVM shows a pool under its own name, but what a volume lies on is its inner part. */
static bool is_alias(const char *alias, const char *name)
{
	static const char *const inner[] = { "", "-tpool", "-vpool" };
	size_t len = strlen(name);

	if (len == 0 || strncmp(alias, name, len) != 0)
		return false;
	for (size_t i = 0; i < sizeof(inner) / sizeof(inner[0]); i++) {
		if (strcmp(alias + len, inner[i]) == 0)
			return true;
	}
	return false;
}

bool place_device_is(const struct place_device *d, const char *name)
{
	static const char *const folders[] = { "/dev/", "/dev/md/", "/dev/mapper/" };
	char path[512], mangled[2 * DEVICE_TEXT_BYTES];

	mangle_lvm(mangled, sizeof(mangled), name);
	if (is_alias(d->alias, mangled))
		return true;
	if (name[0] == '/')
		return is_node_of(d, name) ||
		       (strncmp(name, "/dev/mapper/", 12) == 0 && is_alias(d->alias, name + 12));
	if (strcmp(d->name, name) == 0 || is_alias(d->alias, name))
		return true;
	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		if (text_format(path, sizeof(path), "%s%s", folders[i], name) &&
		    is_node_of(d, path))
			return true;
	}
	return false;
}

bool place_lies_on(const struct place *p, const char *name)
{
	for (size_t i = 0; i < p->n_devices; i++) {
		if (place_device_is(&p->devices[i], name))
			return true;
	}
	return false;
}

static void describe_state(const struct place_device *d, struct buffer *b)
{
	static const struct {
		unsigned int bit;
		const char *word;
	} words[] = {
		{ PLACE_DEGRADED, "degraded" },
		{ PLACE_RECOVERING, "recovering" },
		{ PLACE_AUTO_READ_ONLY, "auto-read-only" },
		{ PLACE_READ_ONLY, "read-only" },
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (d->state & words[i].bit)
			buffer_format(b, " %s", words[i].word);
	}
}

static void describe_below(const struct place *p, int above, int depth, struct buffer *b);

/* "md0 (raid1 of sda1, sdb1)"; a partition's disk goes without saying. */
static void describe_device(const struct place *p, int index, int depth, struct buffer *b)
{
	const struct place_device *d = &p->devices[index];
	bool is_plain = d->kind == PLACE_DISK || d->kind == PLACE_PARTITION;
	const char *what = d->level[0]             ? d->level
			   : d->kind == PLACE_LOOP ? "loop"
			   : d->kind == PLACE_MD   ? "array"
						   : "mapped";

	buffer_add_text(b, place_device_name(d));
	if (is_plain || depth == DESCRIBE_DEPTH_MAX)
		return;
	buffer_format(b, " (%s", what);
	describe_state(d, b);
	describe_below(p, index, depth + 1, b);
	buffer_add_char(b, ')');
}

static void describe_below(const struct place *p, int above, int depth, struct buffer *b)
{
	const char *before = above < 0 ? "" : " of ";

	for (size_t i = 0; i < p->n_devices; i++) {
		if (p->devices[i].above != above)
			continue;
		buffer_add_text(b, before);
		describe_device(p, (int)i, depth, b);
		before = ", ";
	}
}

void place_describe(const struct place *p, char *dst, size_t size)
{
	struct buffer b = BUFFER_INIT;

	if (!p->is_device)
		buffer_format(&b, "%s: %s on ",
			      p->mount_point[0] ? p->mount_point : "(not mounted)",
			      p->type[0] ? p->type : "unknown");
	if (p->n_devices > 0)
		describe_below(p, -1, 0, &b);
	else
		buffer_format(&b, "no device (%s)", p->source[0] ? p->source : "unknown");
	if (!p->is_device)
		buffer_format(&b, ", mounted %s", p->options[0] ? p->options : "no more");
	text_clean(dst, size, buffer_text(&b));
	buffer_release(&b);
}
