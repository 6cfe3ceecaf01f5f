/*
 * A tick: what the devices have done so far, and what moves in the topology between two surveys.
 *
 * /proc/diskstats is read to its end on its open descriptor; the moment that its figures belong
 * to is the middle of that reading. Sync actions move, so their arrays are read anew, as are
 * arrays that change without a word: read-only ones, and those that count on a disk which is
 * gone. What they say is read from descriptors that stay open, and so is the use of a stripe cache.
 * Everything else is left alone: a machine at rest costs two or three system calls (without udevd
 * some more, to see disks being replaced) and one for each array with parity, and no allocation.
 */
#include "linux.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "md_merge.h"
#include "md_sysfs.h"
#include "raidtop/clock.h"
#include "raidtop/file.h"
#include "raidtop/memory.h"

/* Devices looked at for having been replaced. */
#define LOOKS_PER_TICK 16
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

	l->links[slot] = (struct slot_link){ .sensor = -1 };
	md_files_init(&l->links[slot].files);
	if (!d->present)
		return;
	if (d->major != 0)
		l->numbers[l->n_numbers++] =
			(struct slot_number){ number_of(d->major, d->minor), slot };
	l->links[slot].block = block_list_find(&p->blocks, d->kernel_name);
	l->links[slot].disk = disk_of(p, t, d);
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
	l->n_numbers = 0;
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

/*
 * In a container events may not come, and a disk that is replaced by another one under its name
 * and number leaves the list as it was. So where no udevd vouches for the events, some devices are
 * looked at in each tick, one after the other: of 100, all within seven ticks.
 */
static void look_for_changes(struct linux_provider *p)
{
	size_t n = p->blocks.n < LOOKS_PER_TICK ? p->blocks.n : LOOKS_PER_TICK;

	p->dirty = monitor_is_overdue(&p->monitor, clock_monotonic_ns()) || p->dirty;
	if (p->monitor.from_udevd || p->dirty)
		return;
	for (size_t i = 0; i < n && !p->dirty; i++) {
		if (p->next_look >= p->blocks.n)
			p->next_look = 0;
		p->dirty = !block_is_unchanged(&p->blocks.blocks[p->next_look++]);
	}
}

/* ---- arrays and temperatures ---- */

/*
 * md counts on a device that is gone until the next request fails, and then raid0 and linear turn
 * broken without an event (seen on Linux 6.1).
 */
static bool counts_on_the_gone(const struct topology *t, const struct array *a)
{
	for (size_t i = 0; i < a->n_members; i++) {
		const struct member *m = &a->members[i];

		if (m->state == MEMBER_FAULTY || m->state == MEMBER_MISSING)
			continue;
		if (m->device == NO_SLOT || !t->devices[m->device]->present)
			return true;
	}
	return false;
}

/* Whether it changes without anything that tells us. */
static bool is_moving(const struct topology *t, const struct array *a)
{
	return a->action.kind != ACTION_NONE || a->readonly != ARRAY_READ_WRITE ||
	       a->frozen == TRUTH_YES || (a->state == ARRAY_ACTIVE && counts_on_the_gone(t, a));
}

static void refresh_array(struct linux_provider *p, struct device *d, struct slot_link *link)
{
	struct array *a = d->array;
	const enum action_kind kind = a->action.kind;
	const enum array_state state = a->state;
	const enum array_readonly readonly = a->readonly;
	const uint64_t degraded = a->degraded;
	struct md_sysfs_moving moving;

	md_sysfs_read_moving(&moving, &link->files, link->block->dir);
	md_merge_moving(a, mdstat_find(&p->mdstat.parsed, d->kernel_name), &moving);
	/* Then roles and states of members have changed as well. */
	if (a->action.kind != kind || a->state != state || a->readonly != readonly ||
	    a->degraded != degraded)
		p->dirty = true;
}

/* Only parity levels have one; how full it is says whether it is large enough. */
static void refresh_stripe_cache(struct array *a, struct slot_link *link)
{
	if (a->state == ARRAY_ACTIVE && a->stripe_cache_size != UNKNOWN_U64)
		a->stripe_cache_active = md_sysfs_read_stripe_cache(&link->files, link->block->dir);
}

static void refresh_arrays(struct linux_provider *p, struct topology *t)
{
	bool mdstat_is_fresh = false;

	for (size_t i = 0; i < t->n_devices; i++) {
		struct device *d = t->devices[i];
		struct slot_link *link = &p->links.links[i];

		if (!d->present || !d->array || !link->block)
			continue;
		refresh_stripe_cache(d->array, link);
		if (!is_moving(t, d->array))
			continue;
		if (!mdstat_is_fresh && d->array->action.kind != ACTION_NONE)
			mdstat_source_read(&p->mdstat, p->root);
		mdstat_is_fresh = mdstat_is_fresh || d->array->action.kind != ACTION_NONE;
		refresh_array(p, d, link);
	}
}

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
	refresh_arrays(p, t);
	refresh_temperatures(p, t);
	s->read_cost_ns = clock_monotonic_ns() - begin_ns;
	return 0;
}
