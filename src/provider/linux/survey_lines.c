/*
 * A bug report's files may be no more than /proc/diskstats, and a container may hide sysfs. Then
 * the lines are the devices, with a number, a name and nothing else. Which of them are
 * partitions is told only by the rule that the kernel makes their names with; where there is
 * sysfs, names are never asked.
 */
#include "survey_lines.h"

#include <stdbool.h>
#include <string.h>

#include "block.h"
#include "diskstats.h"
#include "raidtop/file.h"
#include "survey_stands.h"
#include "sysfs.h"

#define LIMIT_BYTES (64 * 1024 * 1024)
/* Where partitions go that have no room among their disk's numbers. */
#define MAJOR_EXTENDED 259

/* The disk's name and a number; a "p" between them where the disk's name ends with a digit. */
static bool is_partition_of(const char *name, const char *disk)
{
	size_t len = strlen(disk);
	const char *rest = name + len;

	if (len == 0 || strncmp(name, disk, len) != 0)
		return false;
	if (disk[len - 1] >= '0' && disk[len - 1] <= '9' && *rest++ != 'p')
		return false;
	return *rest >= '1' && *rest <= '9' && !rest[strspn(rest, "0123456789")];
}

/* Its disk is printed before it, and nearly always just before its first partition. */
static int find_disk(const struct topology *t, const struct diskstats_line *line)
{
	for (size_t i = t->n_devices; i-- > 0;) {
		const struct device *d = t->devices[i];

		if (d->kind != DEVICE_PARTITION &&
		    (d->major == line->major || line->major == MAJOR_EXTENDED) &&
		    is_partition_of(line->name, d->kernel_name))
			return (int)i;
	}
	return NO_SLOT;
}

static void add_line(struct topology *t, const struct mdstat *printed,
		     const struct diskstats_line *line)
{
	int disk = find_disk(t, line);
	struct device *d;

	if (mdstat_find(printed, line->name))
		d = topology_add_array(t, line->name);
	else if (block_is_nvme_path(line->name))
		d = topology_add_device(t, DEVICE_PATH, line->name);
	else if (disk == NO_SLOT)
		d = topology_add_device(t, DEVICE_DISK, line->name);
	else
		d = topology_add_device(t, DEVICE_PARTITION, line->name);
	if (d->kind == DEVICE_PARTITION)
		d->parent = disk;
	d->major = line->major;
	d->minor = line->minor;
	d->minor_interest = block_is_minor(line->major, line->name);
}

/* Paths without a head that is printed are no devices. */
static void place_paths(struct topology *t)
{
	for (size_t i = 0; i < t->n_devices; i++) {
		struct device *d = t->devices[i];
		char head[DEVICE_NAME_BYTES];

		if (d->kind != DEVICE_PATH)
			continue;
		survey_stands_head_name(d->kernel_name, head, sizeof(head));
		d->parent = topology_find(t, head);
		d->present = d->parent != NO_SLOT;
	}
}

void survey_lines(struct topology *t, const struct mdstat *printed, const char *root)
{
	struct buffer text = BUFFER_INIT;
	struct diskstats_line line;
	char path[SYSFS_PATH_BYTES];
	const char *at, *end;

	if (sysfs_path(path, sizeof(path), root, "proc/diskstats"))
		file_read(path, LIMIT_BYTES, &text);
	end = buffer_text(&text) + text.len;
	for (at = buffer_text(&text); at < end;)
		if (diskstats_read_line(at, end, &line, &at) == 0 && text_is_clean(line.name))
			add_line(t, printed, &line);
	place_paths(t);
	buffer_release(&text);
}
