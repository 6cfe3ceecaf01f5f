/*
 * Which block devices there are. libudev names them and brings what udevd has found out about
 * each; where there is no udevd (containers, early boot, another machine's files) the
 * directories of sysfs name them as well. What the kernel hides are the single paths of a native
 * NVMe multipath.
 */
#include "block.h"

#include <dirent.h>
#include <libudev.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "raidtop/memory.h"
#include "raidtop/text.h"
#include "sysfs.h"

void block_list_init(struct block_list *list)
{
	memset(list, 0, sizeof(*list));
}

void block_list_release(struct block_list *list)
{
	for (size_t i = 0; i < list->n; i++) {
		free(list->blocks[i].dir);
		free(list->blocks[i].device);
		udev_device_unref(list->blocks[i].udev);
	}
	free(list->blocks);
	block_list_init(list);
}

/*
 * A namespace of an NVMe subsystem with several controllers hangs on the subsystem, which has links
 * to them: the first one (by name) stands for all.
 */
static void find_controller(char *dir, size_t size)
{
	char first[DEVICE_NAME_BYTES] = "", real[SYSFS_PATH_BYTES];
	const char *name = strrchr(dir, '/');
	struct dirent *entry;
	DIR *d = NULL;

	if (name && strncmp(name, "/nvme-subsys", 12) == 0)
		d = opendir(dir);
	while (d && (entry = readdir(d)))
		if (strncmp(entry->d_name, "nvme", 4) == 0 &&
		    !entry->d_name[4 + strspn(entry->d_name + 4, "0123456789")] &&
		    (!first[0] || block_name_compare(entry->d_name, first) < 0))
			text_copy(first, sizeof(first), entry->d_name);
	if (d)
		closedir(d);
	if (first[0] && sysfs_real(dir, first, real, sizeof(real)))
		text_copy(dir, size, real);
}

static char *find_device(const char *dir, size_t root_len)
{
	char device[SYSFS_PATH_BYTES];

	/* In somebody else's files a link may lead anywhere; the kernel's lead to real paths. */
	if (root_len ? !sysfs_real(dir, "device", device, sizeof(device))
		     : !sysfs_link(dir, "device", device, sizeof(device)))
		return memory_copy_text("");
	find_controller(device, sizeof(device));
	return memory_copy_text(strncmp(device, dir, root_len) == 0 ? device + root_len : "");
}

static uint64_t inode_of(const char *dir)
{
	struct stat st;

	return stat(dir, &st) < 0 ? 0 : st.st_ino;
}

/* `dir` is a real path; the first `root_len` bytes of it are the prefix. */
static void list_add(struct block_list *list, const char *sysfs_name, const char *sysfs_parent,
		     const char *dir, size_t root_len, struct udev_device *udev)
{
	struct block *b;

	if (list->n == list->size) {
		list->size = list->size ? list->size * 2 : 32;
		list->blocks = memory_resize(list->blocks, list->size, sizeof(*b));
	}
	b = &list->blocks[list->n++];
	memset(b, 0, sizeof(*b));
	sysfs_kernel_name(b->name, sizeof(b->name), sysfs_name);
	sysfs_kernel_name(b->parent, sizeof(b->parent), sysfs_parent);
	b->dir = memory_copy_text(dir);
	b->path = b->dir + root_len;
	/* A partition hangs on nothing but its disk. */
	b->device = sysfs_parent[0] ? memory_copy_text("") : find_device(dir, root_len);
	b->diskseq = sysfs_u64(dir, "diskseq");
	b->inode = inode_of(dir);
	b->udev = udev ? udev_device_ref(udev) : NULL;
	b->slot = NO_SLOT;
	b->is_hidden = sysfs_u64(dir, "hidden") == 1 || block_is_nvme_path(b->name);
}

static const char *skip_digits(const char *text)
{
	return text + strspn(text, "0123456789");
}

bool block_is_nvme_path(const char *name)
{
	const char *at;

	if (strncmp(name, "nvme", 4) != 0)
		return false;
	at = skip_digits(name + 4);
	if (*at != 'c')
		return false;
	at = skip_digits(at + 1);
	return *at == 'n' && !*skip_digits(at + 1);
}

bool block_is_minor(uint32_t major, const char *name)
{
	enum { MAJOR_RAM = 1, MAJOR_FLOPPY = 2, MAJOR_CDROM = 11 };

	return major == MAJOR_RAM || major == MAJOR_FLOPPY || major == MAJOR_CDROM ||
	       strncmp(name, "zram", 4) == 0;
}

/* A name that a terminal would not show as it is belongs to no device that we could watch. */
static bool is_wanted(const char *name)
{
	return name[0] && name[0] != '.' && strlen(name) < DEVICE_NAME_BYTES && text_is_clean(name);
}

/* ---- through libudev ---- */

static void add_udev_device(struct block_list *list, struct udev_device *device)
{
	const char *type = udev_device_get_devtype(device), *parent = "";
	const char *dir = udev_device_get_syspath(device), *name = udev_device_get_sysname(device);

	if (!dir || !name || !is_wanted(name))
		return;
	if (type && strcmp(type, "partition") == 0) {
		/* The parent belongs to the device. */
		struct udev_device *disk = udev_device_get_parent(device);

		parent = disk ? udev_device_get_sysname(disk) : NULL;
		if (!parent)
			return;
	}
	list_add(list, name, parent, dir, 0, device);
}

/*
 * The kernel's own properties (MAJOR, DEVNAME...) are there without a database, ID_... never
 * are.
 */
static bool is_from_database(struct udev_device *device)
{
	struct udev_list_entry *property;

	if (udev_device_get_is_initialized(device) > 0)
		return true;
	udev_list_entry_foreach(property,
				udev_device_get_properties_list_entry(
					device)) if (strncmp(udev_list_entry_get_name(property),
							     "ID_", 3) == 0) return true;
	return false;
}

/* Whether udevd runs, or has been here: then its database is worth asking. */
static bool read_by_udev(struct block_list *list, struct udev *udev)
{
	struct udev_enumerate *enumerate = udev_enumerate_new(udev);
	bool has_database = access("/run/udev/control", F_OK) == 0;
	struct udev_list_entry *entry;

	if (!enumerate)
		return false;
	udev_enumerate_add_match_subsystem(enumerate, "block");
	udev_enumerate_scan_devices(enumerate);
	udev_list_entry_foreach(entry, udev_enumerate_get_list_entry(enumerate))
	{
		const char *path = udev_list_entry_get_name(entry);
		/* NULL for one that has gone since. */
		struct udev_device *device = udev_device_new_from_syspath(udev, path);

		if (!device)
			continue;
		has_database = has_database || is_from_database(device);
		add_udev_device(list, device);
		udev_device_unref(device);
	}
	udev_enumerate_unref(enumerate);
	return has_database;
}

/* ---- through the directories ---- */

static void walk_partitions(struct block_list *list, const char *disk, const char *dir,
			    size_t root_len)
{
	size_t len = strlen(disk);
	struct dirent *entry;
	DIR *d = opendir(dir);

	while (d && (entry = readdir(d))) {
		char path[SYSFS_PATH_BYTES];

		/* The kernel names a partition by its disk's name and something more. */
		if (strncmp(entry->d_name, disk, len) == 0 &&
		    sysfs_path(path, sizeof(path), dir, entry->d_name) &&
		    sysfs_has(path, "partition") && is_wanted(entry->d_name))
			list_add(list, entry->d_name, disk, path, root_len, NULL);
	}
	if (d)
		closedir(d);
}

/* Links of somebody else's files must not lead to this machine's devices. */
static bool is_below(const char *path, const char *root)
{
	size_t len = strlen(root);

	return strncmp(path, root, len) == 0 && path[len] == '/';
}

static void read_by_walk(struct block_list *list, const char *root)
{
	char top[SYSFS_PATH_BYTES];
	struct dirent *entry;
	DIR *d;

	if (!sysfs_path(top, sizeof(top), root, "sys/block"))
		return;
	d = opendir(top);
	while (d && (entry = readdir(d))) {
		char dir[SYSFS_PATH_BYTES];

		/* In some copies of sysfs partitions stand beside their disks. */
		if (entry->d_name[0] == '.' || !sysfs_real(top, entry->d_name, dir, sizeof(dir)) ||
		    !is_below(dir, root) || !is_wanted(entry->d_name) ||
		    sysfs_has(dir, "partition"))
			continue;
		list_add(list, entry->d_name, "", dir, strlen(root), NULL);
		walk_partitions(list, entry->d_name, dir, strlen(root));
	}
	if (d)
		closedir(d);
}

/* ---- both ---- */

/* Numbers by value; letters of the same family (sd, vd, md) by length first. */
static int compare_runs(const char *a, size_t a_len, const char *b, size_t b_len, bool family)
{
	if (family && strncmp(a, b, 2) != 0)
		return strncmp(a, b, 2);
	if (a_len != b_len)
		return a_len < b_len ? -1 : 1;
	return strncmp(a, b, a_len);
}

int block_name_compare(const char *a, const char *b)
{
	bool first = true;

	while (*a && *b) {
		const char *digits = "0123456789";
		bool number = strchr(digits, *a) && strchr(digits, *b);
		size_t a_len = number ? strspn(a, digits) : strcspn(a, digits);
		size_t b_len = number ? strspn(b, digits) : strcspn(b, digits);
		int r = compare_runs(a, a_len, b, b_len, first);

		if (r || !a_len || !b_len)
			return r ? r : strcmp(a, b);
		a += a_len;
		b += b_len;
		first = false;
	}
	return (*a != '\0') - (*b != '\0');
}

static int compare_blocks(const void *a, const void *b)
{
	return block_name_compare(((const struct block *)a)->name, ((const struct block *)b)->name);
}

void block_list_read(struct block_list *list, struct udev *udev, const char *root)
{
	if (root[0] || !udev || !read_by_udev(list, udev)) {
		block_list_release(list);
		read_by_walk(list, root);
	}
	if (list->n)
		qsort(list->blocks, list->n, sizeof(list->blocks[0]), compare_blocks);
}

const struct block *block_list_find(const struct block_list *list, const char *name)
{
	struct block key = { .name = "" };

	if (list->n == 0 || !text_copy(key.name, sizeof(key.name), name))
		return NULL;
	return bsearch(&key, list->blocks, list->n, sizeof(key), compare_blocks);
}

/* A loop device that is set up anew has another diskseq, a disk made anew another inode, too. */
bool block_is_unchanged(const struct block *b)
{
	return b->diskseq == UNKNOWN_U64 ? block_has_its_folder(b)
					 : sysfs_u64(b->dir, "diskseq") == b->diskseq;
}

bool block_has_its_folder(const struct block *b)
{
	return inode_of(b->dir) == b->inode;
}

static bool is_same(const struct block *a, const struct block *b)
{
	return a->diskseq == b->diskseq && a->inode == b->inode && strcmp(a->path, b->path) == 0;
}

void block_list_remember(struct block_list *list, const struct block_list *before, uint64_t now_ns)
{
	for (size_t i = 0; i < list->n; i++) {
		struct block *b = &list->blocks[i];
		const struct block *old = block_list_find(before, b->name);

		b->since_ns = now_ns;
		if (!old || !is_same(old, b))
			continue;
		b->since_ns = old->since_ns;
		text_copy(b->serial, sizeof(b->serial), old->serial);
	}
}

void block_list_forget_udev(struct block_list *list)
{
	for (size_t i = 0; i < list->n; i++) {
		udev_device_unref(list->blocks[i].udev);
		list->blocks[i].udev = NULL;
	}
}

const char *block_property(const struct block *b, const char *key)
{
	const char *value = b->udev ? udev_device_get_property_value(b->udev, key) : NULL;

	return value ? value : "";
}
