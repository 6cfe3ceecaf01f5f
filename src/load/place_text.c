/* A place in words: whose name it goes by, and the line that is printed before anything is done. */
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

static bool has_number(const struct place *p, dev_t number)
{
	for (size_t i = 0; i < p->n_devices; i++) {
		if (p->devices[i].major == major(number) && p->devices[i].minor == minor(number))
			return true;
	}
	return false;
}

/* Whether a node of that path is a device of the place, whatever it is called. */
static bool has_node(const struct place *p, const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISBLK(st.st_mode) && has_number(p, st.st_rdev);
}

bool place_lies_on(const struct place *p, const char *name)
{
	static const char *const folders[] = { "/dev/", "/dev/md/", "/dev/mapper/" };
	char path[512];

	if (name[0] == '/')
		return has_node(p, name);
	for (size_t i = 0; i < p->n_devices; i++) {
		if (strcmp(p->devices[i].name, name) == 0 || strcmp(p->devices[i].alias, name) == 0)
			return true;
	}
	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		if (text_format(path, sizeof(path), "%s%s", folders[i], name) && has_node(p, path))
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
	const char *what = d->kind == PLACE_LOOP ? "loop" : d->level[0] ? d->level : "mapped";

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
