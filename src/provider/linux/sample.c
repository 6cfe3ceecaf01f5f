/*
 * A tick: what the devices have done so far, and what moves in the topology between two surveys.
 *
 * /proc/diskstats is read to its end on its open descriptor; the moment that its figures belong
 * to is the middle of that reading. What moves in arrays is looked at by sample_arrays.c, and where
 * no udevd tells of disks being replaced, some of them are looked at here: in turns, so that a tick
 * costs no more on a large machine than on a small one beside its counters. Everything else is left
 * alone: a machine at rest costs two or three system calls, and no allocation.
 */
#include "linux.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "md_sysfs.h"
#include "raidtop/clock.h"
#include "raidtop/file.h"
#include "raidtop/memory.h"

/* Devices looked at for having been made anew, and those of them whose diskseq is read. */
#define LOOKS_PER_TICK 16
#define READS_PER_TICK 2
/* 5,000 lines are 600 kB. */
#define LIMIT_BYTES (64 * 1024 * 1024)

/* ---- slots ---- */

static uint64_t number_of(uint32_t major, uint32_t minor)
{
	return (uint64_t)major << 32 | minor;
}

static int compare_numbers(const void *a, const void *b)
{
	uint64_t left = ((const struct slot_number *)a)->number;
	uint64_t right = ((const struct slot_number *)b)->number;

	return (left > right) - (left < right);
}

static bool is_this(const struct topology *t, int slot, const char *name)
{
	return slot != NO_SLOT && strcmp(t->devices[slot]->kernel_name, name) == 0;
}

/*
 * By number, and only if the name fits too: after a quick change of disks the number may be
 * another's already. Devices without a known number go by their name.
 */
static int find_slot(const struct slot_links *l, uint32_t major, uint32_t minor, const char *name)
{
	struct slot_number key = { number_of(major, minor), NO_SLOT }, *found = NULL;
	int slot;

	if (l->n_numbers)
		found = bsearch(&key, l->numbers, l->n_numbers, sizeof(key), compare_numbers);
	if (found)
		return is_this(l->of, found->slot, name) ? found->slot : NO_SLOT;
	slot = topology_find(l->of, name);
	return slot != NO_SLOT && l->of->devices[slot]->major == 0 ? slot : NO_SLOT;
}

/*
 * For lines that are new to the index. Those of a device that is left out on purpose are not
 * strange.
 */
static int place_line(void *context, uint32_t major, uint32_t minor, const char *name)
{
	struct linux_provider *p = context;
	int slot = find_slot(&p->links, major, minor, name);

	if (slot == NO_SLOT && !block_list_find(&p->blocks, name) && !block_is_nvme_path(name))
		p->counters.n_strange++;
	return slot;
}

static void grow_links(struct slot_links *l, size_t n)
{
	if (n <= l->size)
		return;
	l->size = n;
	l->links = memory_resize(l->links, n, sizeof(l->links[0]));
	l->numbers = memory_resize(l->numbers, n, sizeof(l->numbers[0]));
	l->arrays = memory_resize(l->arrays, n, sizeof(l->arrays[0]));
}

/* The disk whose sensor counts; NULL for arrays and their partitions. */
static const struct block *disk_of(const struct linux_provider *p, const struct topology *t,
				   const struct device *d)
{
	if (d->kind == DEVICE_PARTITION)
		d = d->parent == NO_SLOT ? NULL : t->devices[d->parent];
	if (!d || d->kind != DEVICE_DISK)
		return NULL;
	return block_list_find(&p->blocks, d->kernel_name);
}

static void link_slot(struct linux_provider *p, const struct topology *t, int slot)
{
	const struct device *d = t->devices[slot];
	struct slot_links *l = &p->links;

	l->links[slot] = (struct slot_link){ .sensor = -1, .cache_ios = UNKNOWN_U64 };
	md_files_init(&l->links[slot].files);
	if (!d->present)
		return;
	if (d->major != 0)
		l->numbers[l->n_numbers++] =
			(struct slot_number){ number_of(d->major, d->minor), slot };
	l->links[slot].block = block_list_find(&p->blocks, d->kernel_name);
	l->links[slot].disk = disk_of(p, t, d);
	if (d->array && l->links[slot].block)
		l->arrays[l->n_arrays++] = slot;
}

static void link_sensors(struct linux_provider *p)
{
	struct slot_links *l = &p->links;

	l->sensor_version = p->temperatures.version;
	for (size_t i = 0; i < l->n; i++)
		if (l->links[i].disk)
			l->links[i].sensor =
				temperatures_find(&p->temperatures, l->links[i].disk->device);
}

/* Descriptors lead to what was there when they were opened. */
static void close_files(struct slot_links *l)
{
	for (size_t i = 0; i < l->n; i++)
		md_files_release(&l->links[i].files);
}

static void make_links(struct linux_provider *p, const struct topology *t)
{
	struct slot_links *l = &p->links;

	close_files(l);
	grow_links(l, t->n_devices);
	l->of = t;
	l->generation = t->generation;
	l->stale = false;
	l->n = t->n_devices;
	l->n_numbers = l->n_arrays = 0;
	for (size_t i = 0; i < t->n_devices; i++)
		link_slot(p, t, (int)i);
	if (l->n_numbers)
		qsort(l->numbers, l->n_numbers, sizeof(l->numbers[0]), compare_numbers);
	link_sensors(p);
	diskstats_index_reset(&p->counters.index);
	p->counters.is_settled = false;
	p->counters.n_strange = 0;
}

static void keep_links(struct linux_provider *p, const struct topology *t)
{
	const struct slot_links *l = &p->links;

	if (l->stale || l->of != t || l->generation != t->generation || l->n != t->n_devices)
		make_links(p, t);
	else if (l->sensor_version != p->temperatures.version)
		link_sensors(p);
}

/* ---- counters ---- */

static void open_counters(struct counter_source *c, const char *root)
{
	char path[SYSFS_PATH_BYTES];

	if (c->fd < 0 && sysfs_path(path, sizeof(path), root, "proc/diskstats"))
		c->fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
}

static void stamp(struct snapshot *s, uint64_t start_ns, uint64_t begin_ns, uint64_t end_ns)
{
	uint64_t middle_ns = begin_ns + (end_ns - begin_ns) / 2;

	s->boottime_us = (clock_boottime_ns() - (end_ns - middle_ns)) / NS_PER_US;
	s->realtime_ms = clock_realtime_ms();
	s->elapsed_us = (middle_ns - start_ns) / NS_PER_US;
	s->segment = 1;
	s->missed_ticks = 0;
	s->unwrapped = false;
}

/*
 * Lines that come and go show by themselves that a survey is due, where no event does. Right after
 * one, all lines are new; then those count that the survey knows nothing of, unless the one before
 * did not know as many either.
 */
static void read_counters(struct linux_provider *p, struct snapshot *s)
{
	struct counter_source *c = &p->counters;
	struct diskstats_summary summary;

	diskstats_read(&c->index, buffer_text(&c->text), c->text.len, s->devices, s->n_devices,
		       &summary);
	if (c->is_settled ? summary.changed : c->n_strange != c->n_strange_before)
		p->dirty = true;
	if (!c->is_settled)
		c->n_strange_before = c->n_strange;
	c->is_settled = true;
}

/* Whether one of the next few devices is another one than was listed, by its folder's inode. */
static bool sees_folder_made_anew(struct linux_provider *p)
{
	size_t n = p->blocks.n < LOOKS_PER_TICK ? p->blocks.n : LOOKS_PER_TICK;

	for (size_t i = 0; i < n; i++) {
		p->turns.folder = (p->turns.folder + 1) % p->blocks.n;
		if (!block_has_its_folder(&p->blocks.blocks[p->turns.folder]))
			return true;
	}
	return false;
}

/* The same by its diskseq, which costs a read. */
static bool sees_another_diskseq(struct linux_provider *p)
{
	size_t reads = 0;

	for (size_t i = 0; i < p->blocks.n && reads < READS_PER_TICK; i++) {
		const struct block *b;

		p->turns.diskseq = (p->turns.diskseq + 1) % p->blocks.n;
		b = &p->blocks.blocks[p->turns.diskseq];
		if (b->diskseq == UNKNOWN_U64)
			continue;
		if (!block_is_unchanged(b))
			return true;
		reads++;
	}
	return false;
}

/*
 * In a container events may not come, and a disk that is replaced by another one under its name
 * and number leaves the list as it was. So where no udevd vouches for the events, some devices are
 * looked at in each tick, one after the other. A disk that is made anew has another folder: of n
 * devices, that is seen within n / 16 ticks. A loop device that is set up anew keeps its folder,
 * and only its diskseq tells: of n with one, within n / 2 ticks.
 */
static void look_for_changes(struct linux_provider *p)
{
	p->dirty = monitor_is_overdue(&p->monitor, clock_monotonic_ns()) || p->dirty;
	if (p->monitor.from_udevd || p->dirty)
		return;
	p->dirty = sees_folder_made_anew(p) || sees_another_diskseq(p);
}

/* ---- temperatures ---- */

static void refresh_temperatures(struct linux_provider *p, struct topology *t)
{
	struct temperature_times times = { p->start_ns, 0, clock_monotonic_ns() };

	for (size_t i = 0; i < t->n_devices; i++) {
		const struct slot_link *link = &p->links.links[i];

		if (!link->disk)
			continue;
		times.since_ns = link->disk->since_ns;
		temperatures_apply(&p->temperatures, link->sensor, &times, &t->devices[i]->disk);
	}
}

/* ---- the whole ---- */

void linux_sample_init(struct linux_provider *p)
{
	p->counters.fd = -1;
	buffer_init(&p->counters.text);
	diskstats_index_init(&p->counters.index, place_line, p);
	p->links.stale = true;
}

void linux_sample_release(struct linux_provider *p)
{
	if (p->counters.fd >= 0)
		close(p->counters.fd);
	p->counters.fd = -1;
	buffer_release(&p->counters.text);
	diskstats_index_release(&p->counters.index);
	close_files(&p->links);
	free(p->links.links);
	free(p->links.numbers);
	free(p->links.arrays);
	memset(&p->links, 0, sizeof(p->links));
}

int linux_sample(struct linux_provider *p, struct topology *t, struct snapshot *s)
{
	uint64_t begin_ns, end_ns;
	int r;

	keep_links(p, t);
	snapshot_reset(s, t->n_devices);
	open_counters(&p->counters, p->root);
	begin_ns = clock_monotonic_ns();
	r = p->counters.fd < 0 ? -ENOENT
			       : file_read_fd(p->counters.fd, LIMIT_BYTES, &p->counters.text);
	end_ns = clock_monotonic_ns();
	stamp(s, p->start_ns, begin_ns, end_ns);
	if (r == 0)
		read_counters(p, s);
	look_for_changes(p);
	linux_sample_arrays(p, t, s);
	refresh_temperatures(p, t);
	s->read_cost_ns = clock_monotonic_ns() - begin_ns;
	return 0;
}
