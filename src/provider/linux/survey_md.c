/*
 * The arrays among the devices: their other names, what their two sources say of them, and which of
 * the devices they stand on.
 */
#include "survey_md.h"

#include <dirent.h>
#include <string.h>

#include "md_container.h"
#include "md_merge.h"
#include "md_sysfs.h"
#include "md_words.h"
#include "raidtop/file.h"
#include "raidtop/text.h"
#include "sysfs.h"

bool survey_md_is_array(const struct block *b)
{
	return !b->parent[0] && sysfs_has(b->dir, "md");
}

bool survey_md_is_empty(const struct block *b, const struct mdstat *printed)
{
	char state[24];

	sysfs_text(b->dir, "md/array_state", state, sizeof(state));
	return strcmp(state, "clear") == 0 && !mdstat_find(printed, b->name);
}

/* ---- names ---- */

/* The NAME of a link /dev/md/NAME in a list of links, parted by blanks. */
static bool alias_from_links(char *dst, size_t size, const char *links)
{
	static const char dir[] = "/dev/md/";
	size_t len = strlen(dir);

	while (*links) {
		size_t n = strcspn(links, " ");
		char name[DEVICE_TEXT_BYTES];

		if (n > len && strncmp(links, dir, len) == 0 &&
		    text_copy_n(name, sizeof(name), links + len, n - len)) {
			text_clean(dst, size, name);
			return true;
		}
		links += n + strspn(links + n, " ");
	}
	return false;
}

/* Where there is no udev to ask: the link in ROOT/dev/md that leads to the array. */
static bool alias_from_directory(char *dst, size_t size, const char *root, const char *array)
{
	char top[SYSFS_PATH_BYTES], link[SYSFS_PATH_BYTES], target[DEVICE_NAME_BYTES];
	struct dirent *entry;
	bool found = false;
	DIR *d = NULL;

	if (sysfs_path(top, sizeof(top), root, "dev/md"))
		d = opendir(top);
	while (d && !found && (entry = readdir(d))) {
		if (entry->d_name[0] == '.' ||
		    !sysfs_path(link, sizeof(link), top, entry->d_name) ||
		    file_read_link_name(link, target, sizeof(target)) || strcmp(target, array) != 0)
			continue;
		text_clean(dst, size, entry->d_name);
		found = true;
	}
	if (d)
		closedir(d);
	return found;
}

static void read_alias(struct array *a, const struct block *b, const char *root)
{
	if (alias_from_links(a->alias, sizeof(a->alias), block_property(b, "DEVLINKS")) ||
	    alias_from_directory(a->alias, sizeof(a->alias), root, b->name))
		return;
	text_clean(a->alias, sizeof(a->alias), block_property(b, "MD_DEVNAME"));
}

struct device *survey_md_add(struct topology *t, const struct block *b, const char *root)
{
	struct device *d = topology_add_array(t, b->name);

	text_copy(d->array->kind, sizeof(d->array->kind), "md");
	read_alias(d->array, b, root);
	return d;
}

/* ---- contents ---- */

static void fill_array(struct topology *t, const struct block *b, const struct mdstat *printed)
{
	int slot = topology_find(t, b->name);
	struct md_sysfs md;
	struct array *a;

	if (slot == NO_SLOT || t->devices[slot]->kind != DEVICE_ARRAY)
		return;
	a = t->devices[slot]->array;
	md_sysfs_read(&md, b->dir);
	md_merge(t, t->devices[slot], mdstat_find(printed, b->name), &md);
	md_sysfs_release(&md);
	/* The queue of an array that does not run has not been set up. */
	if (a->state == ARRAY_INACTIVE)
		t->devices[slot]->counts_io = TRUTH_UNKNOWN;
	/* The UUID of a volume in a container is not known to md, but udev has asked mdadm. */
	if (!a->uuid[0])
		md_uuid(a->uuid, sizeof(a->uuid), block_property(b, "MD_UUID"), a->metadata);
}

/* Arrays that have no directory, or not any more: what is printed is all there is. */
static void add_printed(struct topology *t, const struct mdstat_array *from)
{
	int slot = topology_find(t, from->name);
	struct device *d = slot == NO_SLOT ? topology_add_array(t, from->name) : t->devices[slot];

	if (!d->array || d->array->kind[0])
		return;
	mdstat_fill_array(from, t, d);
	md_container_name(d->array);
	if (array_is_container(d->array))
		d->size_bytes = UNKNOWN_U64;
}

static void make_interesting(struct topology *t, int slot)
{
	for (; slot != NO_SLOT; slot = t->devices[slot]->parent)
		t->devices[slot]->minor_interest = false;
}

void survey_md_fill(struct topology *t, const struct block_list *blocks,
		    const struct mdstat *printed)
{
	for (size_t i = 0; i < blocks->n; i++)
		if (!blocks->blocks[i].parent[0])
			fill_array(t, &blocks->blocks[i], printed);
	for (size_t i = 0; i < printed->n_arrays; i++)
		add_printed(t, &printed->arrays[i]);
	md_container_settle(t);
	for (size_t i = 0; i < t->n_devices; i++) {
		const struct array *a = t->devices[i]->array;

		for (size_t m = 0; a && m < a->n_members; m++)
			make_interesting(t, a->members[m].device);
	}
}
