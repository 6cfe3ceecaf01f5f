/*
 * A survey: which disks, partitions and arrays there are, who they are, and how they hang together.
 * The list of block devices comes first, then each device's facts, then the arrays, whose members
 * are looked up among them. Everything may change while it is read; what a device no longer says is
 * unknown, a survey in which a device was replaced is made again, and the event that told of the
 * change makes the next one due.
 */
#include "linux.h"

#include <errno.h>
#include <string.h>
#include <sys/utsname.h>

#include "disk_identity.h"
#include "raidtop/clock.h"
#include "raidtop/file.h"
#include "raidtop/number.h"
#include "survey_lines.h"
#include "survey_md.h"
#include "survey_stands.h"

#define SECTOR 512
/* Made in a row, where devices change while they are read. */
#define MOST_SURVEYS 3
/* How long --list waits for the sensors. */
#define ONCE_TIMEOUT_NS (2 * NS_PER_SEC)

/* ---- the host ---- */

static void read_line(const char *root, const char *name, char *dst, size_t size)
{
	char path[SYSFS_PATH_BYTES], line[DEVICE_TEXT_BYTES];

	dst[0] = '\0';
	if (sysfs_path(path, sizeof(path), root, name) &&
	    file_read_line(path, line, sizeof(line)) == 0)
		text_clean(dst, size, line);
}

static void read_host(struct topology *t, const char *root)
{
	char release[DEVICE_TEXT_BYTES];
	struct utsname u;

	read_line(root, "proc/sys/kernel/hostname", t->host, sizeof(t->host));
	read_line(root, "proc/sys/kernel/osrelease", release, sizeof(release));
	if (!root[0] && uname(&u) == 0) {
		if (!t->host[0])
			text_clean(t->host, sizeof(t->host), u.nodename);
		if (!release[0])
			text_clean(release, sizeof(release), u.release);
	}
	if (release[0])
		text_format(t->kernel, sizeof(t->kernel), "Linux %s", release);
}

/* ---- one device ---- */

static bool is_of_minor_interest(const struct block *b, const struct device *d)
{
	enum { MAJOR_LOOP = 7 };
	bool is_virtual = strncmp(b->path, "/sys/devices/virtual/", 21) == 0;

	if (block_is_minor(d->major, b->name) ||
	    (d->major == MAJOR_LOOP && !sysfs_has(b->dir, "loop/backing_file")))
		return true;
	/* A network block device that nothing stands behind; not a disk that lost its size. */
	return is_virtual && d->size_bytes == 0;
}

/* Device-mapper counts by itself, and its queues say that they do not. */
static enum truth read_counts_io(const struct block *b)
{
	enum truth counts = sysfs_truth(b->dir, "queue/iostats");

	return counts == TRUTH_NO && sysfs_has(b->dir, "dm") ? TRUTH_UNKNOWN : counts;
}

/*
 * Linux 3.10 to 4.20: the busy time of multi-queue devices goes on while they are idle (atop#47).
 * RHEL may have mended its own; then util is unknown there for nothing.
 */
static bool is_busy_broken(const struct topology *t)
{
	static const char prefix[] = "Linux ";
	const char *at = t->kernel + sizeof(prefix) - 1, *dot = strchr(t->kernel, '.');
	uint64_t major, minor;

	if (strncmp(t->kernel, prefix, sizeof(prefix) - 1) != 0 || !dot || dot < at ||
	    number_parse_u64(at, (size_t)(dot - at), &major) ||
	    number_parse_u64(dot + 1, strspn(dot + 1, "0123456789"), &minor))
		return false;
	return (major == 3 && minor >= 10) || (major == 4 && minor <= 20);
}

static void read_device(const struct topology *t, struct device *d, const struct block *b)
{
	uint64_t sectors = sysfs_u64(b->dir, "size");

	text_copy(d->kernel_name, sizeof(d->kernel_name), b->name);
	sysfs_number(b->dir, &d->major, &d->minor);
	d->diskseq = b->diskseq;
	if (sectors <= UINT64_MAX / SECTOR)
		d->size_bytes = sectors * SECTOR;
	d->counts_io = read_counts_io(b);
	if (is_busy_broken(t) && sysfs_has(b->dir, "mq"))
		d->busy_is_load = TRUTH_NO;
}

static void add_disk(struct linux_provider *p, struct topology *t, struct block *b)
{
	struct device *d = topology_add_device(t, DEVICE_DISK, b->name);

	read_device(t, d, b);
	disk_identity_read(&d->disk, b);
	d->minor_interest = !p->show_all && is_of_minor_interest(b, d);
}

/* A partition has its disk's equipment, and its counters are kept where the disk's are. */
static void add_partition(const struct linux_provider *p, struct topology *t, const struct block *b)
{
	const struct block *on = block_list_find(&p->blocks, b->parent);
	int parent = on ? on->slot : NO_SLOT;
	struct device *d = topology_add_device(t, DEVICE_PARTITION, b->name);
	const struct device *disk;

	read_device(t, d, b);
	d->parent = parent;
	if (parent == NO_SLOT)
		return;
	disk = t->devices[parent];
	d->disk = disk->disk;
	d->diskseq = disk->diskseq;
	d->counts_io = disk->counts_io;
	d->busy_is_load = disk->busy_is_load;
	d->minor_interest = disk->minor_interest;
}

/* ---- the whole ---- */

static void add_blocks(struct linux_provider *p, struct topology *t)
{
	for (size_t i = 0; i < p->blocks.n; i++) {
		struct block *b = &p->blocks.blocks[i];

		b->slot = NO_SLOT;
		if (b->parent[0])
			add_partition(p, t, b);
		else if (b->is_hidden)
			read_device(t, topology_add_device(t, DEVICE_PATH, b->name), b);
		else if (!survey_md_is_array(b))
			add_disk(p, t, b);
		else if (!survey_md_is_empty(b, &p->mdstat.parsed))
			read_device(t, survey_md_add(t, b, p->root), b);
		else
			continue;
		b->slot = (int)t->n_devices - 1;
	}
	if (p->blocks.n == 0)
		survey_lines(t, &p->mdstat.parsed, p->root);
}

static void list_blocks(struct linux_provider *p, uint64_t now_ns)
{
	struct block_list fresh;

	block_list_init(&fresh);
	block_list_read(&fresh, p->monitor.udev, p->root);
	/* What the first survey finds has been there before us. */
	if (p->surveyed)
		block_list_remember(&fresh, &p->blocks, now_ns);
	p->surveyed = true;
	block_list_release(&p->blocks);
	p->blocks = fresh;
}

static void read_temperatures(struct linux_provider *p, struct topology *t, uint64_t now_ns)
{
	if (p->temperatures.period_ns == TEMPERATURE_ONCE)
		temperatures_wait(&p->temperatures, ONCE_TIMEOUT_NS);
	for (size_t i = 0; i < t->n_devices; i++) {
		struct device *d = t->devices[i];
		int disk = d->kind == DEVICE_PARTITION ? d->parent : (int)i;
		const struct block *b = NULL;

		if (disk != NO_SLOT && t->devices[disk]->kind == DEVICE_DISK)
			b = block_list_find(&p->blocks, t->devices[disk]->kernel_name);
		if (b) {
			const struct temperature_times times = { p->start_ns, b->since_ns, now_ns };

			temperatures_apply(&p->temperatures,
					   temperatures_find(&p->temperatures, b->device), &times,
					   &d->disk);
		}
	}
}

static void survey_once(struct linux_provider *p, struct topology *t)
{
	uint64_t now_ns = clock_monotonic_ns();

	/* What happens from here on makes another survey due. */
	p->dirty = false;
	monitor_refresh(&p->monitor);
	monitor_take(&p->monitor, now_ns);
	list_blocks(p, now_ns);
	mdstat_source_read(&p->mdstat, p->root);
	read_host(t, p->root);
	add_blocks(p, t);
	survey_stands(t, &p->blocks, p->root);
	survey_md_fill(t, &p->blocks, &p->mdstat.parsed);
	read_temperatures(p, t, now_ns);
	block_list_forget_udev(&p->blocks);
	p->links.stale = true;
}

/* Whether a device went, or another one took its name, while its facts were read. */
static bool was_overtaken(const struct linux_provider *p)
{
	for (size_t i = 0; i < p->blocks.n; i++)
		if (!block_is_unchanged(&p->blocks.blocks[i]))
			return true;
	return false;
}

/*
 * A survey that was overtaken may have taken one device's number and another's serial for one
 * device, so it is made again; in a storm that does not end, the next tick must do.
 */
int linux_survey(struct linux_provider *p, struct topology *t)
{
	survey_once(p, t);
	for (int i = 1; i < MOST_SURVEYS && was_overtaken(p); i++) {
		topology_release(t);
		topology_init(t);
		survey_once(p, t);
	}
	p->dirty = p->dirty || was_overtaken(p);
	return 0;
}
