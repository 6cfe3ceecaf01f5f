/*
 * What rests on what, besides arrays and partitions.
 *
 *   slaves/             what a device-mapper map or a bcache lies on
 *   loop/backing_file   a file, whose filesystem lies on a device: /proc/self/mountinfo knows on
 *                       which. The file itself is not touched, which could take for ever; a path
 *                       of another mount namespace, and a filesystem without a device of its own
 *                       (tmpfs, overlay, nfs) tell nothing.
 *   hidden              a path of a native NVMe multipath; its head has the same wwid
 */
#include "survey_stands.h"

#include <dirent.h>
#include <string.h>

#include "mountinfo.h"
#include "raidtop/file.h"
#include "raidtop/text.h"
#include "sysfs.h"

#define LIMIT_BYTES (16 * 1024 * 1024)

struct stands_survey {
	struct topology *t;
	const struct block_list *blocks;
	const char *root;
	struct buffer mounts; /* read when the first loop device asks */
	bool has_mounts;
};

static int slot_of(const struct stands_survey *s, const char *name)
{
	const struct block *b = block_list_find(s->blocks, name);

	return b ? b->slot : NO_SLOT;
}

/* ---- maps ---- */

static void read_slaves(const struct stands_survey *s, const struct block *b)
{
	char path[SYSFS_PATH_BYTES], name[DEVICE_NAME_BYTES];
	struct dirent *entry;
	DIR *d = NULL;

	if (sysfs_path(path, sizeof(path), b->dir, "slaves"))
		d = opendir(path);
	while (d && (entry = readdir(d))) {
		if (entry->d_name[0] == '.' || strlen(entry->d_name) >= sizeof(name))
			continue;
		sysfs_kernel_name(name, sizeof(name), entry->d_name);
		topology_add_stand(s->t, b->slot, slot_of(s, name));
	}
	if (d)
		closedir(d);
}

/* ---- loop devices ---- */

/* The device of a node in /dev: a kernel name, or a name that the device-mapper gave. */
static int slot_of_node(const struct stands_survey *s, const char *node)
{
	static const char dev[] = "/dev/", mapper[] = "/dev/mapper/";
	char name[DEVICE_TEXT_BYTES];

	if (strncmp(node, dev, sizeof(dev) - 1) != 0)
		return NO_SLOT;
	if (strncmp(node, mapper, sizeof(mapper) - 1) != 0)
		return slot_of(s, node + sizeof(dev) - 1);
	for (size_t i = 0; i < s->blocks->n; i++) {
		const struct block *b = &s->blocks->blocks[i];

		if (b->parent[0] || b->device[0])
			continue;
		sysfs_text(b->dir, "dm/name", name, sizeof(name));
		if (name[0] && strcmp(name, node + sizeof(mapper) - 1) == 0)
			return b->slot;
	}
	return NO_SLOT;
}

static void read_mounts(struct stands_survey *s)
{
	char path[SYSFS_PATH_BYTES];

	if (!s->has_mounts && sysfs_path(path, sizeof(path), s->root, "proc/self/mountinfo"))
		file_read(path, LIMIT_BYTES, &s->mounts);
	s->has_mounts = true;
}

static void read_backing_file(struct stands_survey *s, const struct block *b)
{
	char path[SYSFS_PATH_BYTES], file[SYSFS_PATH_BYTES];
	struct mountinfo_mount mount;
	int on;

	if (!sysfs_path(path, sizeof(path), b->dir, "loop/backing_file") ||
	    file_read_line(path, file, sizeof(file)))
		return;
	on = slot_of_node(s, file);
	read_mounts(s);
	if (on == NO_SLOT && mountinfo_find(buffer_text(&s->mounts), s->mounts.len, file, &mount)) {
		on = topology_find_number(s->t, mount.major, mount.minor);
		if (on == NO_SLOT) /* btrfs has a number of its own */
			on = slot_of_node(s, mount.source);
	}
	topology_add_stand(s->t, b->slot, on);
}

/* ---- paths ---- */

void survey_stands_head_name(const char *path, char *head, size_t size)
{
	const char *c = strchr(path, 'c'), *n = c ? strchr(c, 'n') : NULL;

	text_format(head, size, "%.*s%s", n ? (int)(c - path) : 0, path, n ? n : "");
}

static bool is_head(const struct block *b, const char *wwid)
{
	char own[DEVICE_TEXT_BYTES];

	if (b->is_hidden || b->parent[0])
		return false;
	sysfs_text(b->dir, "wwid", own, sizeof(own));
	return own[0] && strcmp(own, wwid) == 0;
}

/* The one that the name points to is asked first; the wwid decides, where there is one. */
static int find_head(const struct stands_survey *s, const struct block *path)
{
	char name[DEVICE_NAME_BYTES], wwid[DEVICE_TEXT_BYTES];
	const struct block *by_name;

	survey_stands_head_name(path->name, name, sizeof(name));
	by_name = block_list_find(s->blocks, name);
	sysfs_text(path->dir, "wwid", wwid, sizeof(wwid));
	if (by_name && !by_name->is_hidden && (!wwid[0] || is_head(by_name, wwid)))
		return by_name->slot;
	for (size_t i = 0; wwid[0] && i < s->blocks->n; i++)
		if (is_head(&s->blocks->blocks[i], wwid))
			return s->blocks->blocks[i].slot;
	return NO_SLOT;
}

static void place_path(const struct stands_survey *s, const struct block *b)
{
	struct device *d = s->t->devices[b->slot];

	d->parent = find_head(s, b);
	d->present = d->parent != NO_SLOT;
}

/* ---- the whole ---- */

void survey_stands(struct topology *t, const struct block_list *blocks, const char *root)
{
	struct stands_survey s = { t, blocks, root, BUFFER_INIT, false };

	for (size_t i = 0; i < blocks->n; i++) {
		const struct block *b = &blocks->blocks[i];

		if (b->slot == NO_SLOT || b->parent[0])
			continue;
		if (b->is_hidden)
			place_path(&s, b);
		else if (!b->device[0] && !t->devices[b->slot]->array) /* not hardware, nor md */
			read_slaves(&s, b);
		if (b->slot != NO_SLOT && sysfs_has(b->dir, "loop"))
			read_backing_file(&s, b);
	}
	buffer_release(&s.mounts);
}
