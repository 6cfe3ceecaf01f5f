/*
 * A sensor must not be read at any price. Some disks count the reading of a temperature as use, so
 * that one which is asked every ten seconds never goes to sleep; and one that sleeps wakes up for
 * the answer, or fails it. What protects them, for disks that can spin down (SCSI devices that do
 * not say "not rotational"; flash has nothing to spin down and is always asked):
 *
 *   the kernel has suspended the device       asleep
 *   the drive says that it is in standby      asleep; only root may ask it, see ata_power.c
 *   no request for five minutes               at rest: what goes to sleep by itself may do so
 *
 * The drive is asked for its mode only where the counters do not show that it works; one at rest
 * but rarely, since some drives may take even that question for use.
 */
#include "sensor_rest.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "raidtop/clock.h"
#include "raidtop/memory.h"
#include "raidtop/number.h"
#include "raidtop/text.h"
#include "sysfs.h"

void sensor_memory_init(struct sensor_memory *m)
{
	memset(m, 0, sizeof(*m));
	m->idle_ns = SENSOR_IDLE_NS;
}

void sensor_memory_release(struct sensor_memory *m)
{
	for (size_t i = 0; i < m->n; i++)
		free(m->pasts[i]);
	free(m->pasts);
	m->pasts = NULL;
	m->n = m->size = 0;
}

void sensor_memory_begin(struct sensor_memory *m)
{
	m->round++;
}

void sensor_memory_end(struct sensor_memory *m)
{
	size_t kept = 0;

	for (size_t i = 0; i < m->n; i++) {
		if (m->pasts[i]->round == m->round)
			m->pasts[kept++] = m->pasts[i];
		else
			free(m->pasts[i]);
	}
	m->n = kept;
}

struct sensor_past *sensor_memory_of(struct sensor_memory *m, const char *path)
{
	struct sensor_past *past = NULL;

	for (size_t i = 0; i < m->n && !past; i++)
		if (strcmp(m->pasts[i]->path, path) == 0)
			past = m->pasts[i];
	if (!past) {
		if (m->n == m->size) {
			m->size = m->size ? m->size * 2 : 16;
			m->pasts = memory_resize(m->pasts, m->size, sizeof(past));
		}
		past = m->pasts[m->n++] = memory_new(1, sizeof(*past));
		text_copy(past->path, sizeof(past->path), path);
		past->limits = (struct sensor_limits){ UNKNOWN_I32, UNKNOWN_I32 };
	}
	past->round = m->round;
	return past;
}

/* ---- counters ---- */

/* The directory of the disk on a SCSI device; false where there is none. */
static bool find_disk(const char *dir, char *disk, size_t size)
{
	char block[SYSFS_PATH_BYTES];
	struct dirent *entry;
	bool found = false;
	DIR *d = NULL;

	if (sysfs_path(block, sizeof(block), dir, "block"))
		d = opendir(block);
	while (d && !found && (entry = readdir(d)))
		found = entry->d_name[0] != '.' && sysfs_path(disk, size, block, entry->d_name);
	if (d)
		closedir(d);
	return found;
}

static bool can_rest(const char *disk)
{
	return sysfs_truth(disk, "queue/rotational") != TRUTH_NO;
}

/* Columns of Documentation/block/stat.rst, each a request that was completed. */
static void parse_stat(struct sensor_activity *a, const char *text)
{
	enum { READS = 0, WRITES = 4, IN_FLIGHT = 8, DISCARDS = 11, FLUSHES = 15 };
	size_t column = 0;

	for (; *text; column++) {
		uint64_t value;
		size_t n;

		text += strspn(text, " ");
		n = strcspn(text, " ");
		if (n == 0 || number_parse_u64(text, n, &value) < 0)
			break;
		if (column == IN_FLIGHT)
			a->in_flight = value;
		if (column == READS || column == WRITES || column == DISCARDS || column == FLUSHES)
			a->requests += value;
		text += n;
	}
	a->is_known = column > IN_FLIGHT;
}

static void read_disk_activity(struct sensor_activity *a, const char *disk)
{
	char stat[512];

	*a = (struct sensor_activity){ .is_known = false };
	if (!can_rest(disk) || sysfs_truth(disk, "queue/iostats") == TRUTH_NO)
		return;
	sysfs_text(disk, "stat", stat, sizeof(stat));
	parse_stat(a, stat);
}

void sensor_activity_read(struct sensor_activity *a, const char *dir)
{
	char disk[SYSFS_PATH_BYTES];

	*a = (struct sensor_activity){ .is_known = false };
	if (find_disk(dir, disk, sizeof(disk)))
		read_disk_activity(a, disk);
}

bool sensor_take_activity(struct sensor_past *past, const struct sensor_activity *a,
			  uint64_t idle_ns, uint64_t now_ns)
{
	bool moved = !a->is_known || !past->is_counted || a->in_flight > 0 ||
		     a->requests != past->requests;

	past->is_counted = a->is_known;
	past->requests = a->requests;
	if (moved)
		past->moved_ns = now_ns;
	return !moved && now_ns - past->moved_ns >= idle_ns;
}

/* ---- the whole ---- */

/* A drive that has just worked is awake; one that rests is asked as seldom as it must. */
static bool is_standby(struct sensor_memory *m, struct sensor_past *past, const char *disk,
		       bool has_worked, bool rests, uint64_t now_ns)
{
	char name[DEVICE_NAME_BYTES];

	if (!m->ask_power || has_worked) {
		past->is_standby = false;
		return false;
	}
	if (rests && past->asked_ns != 0 && now_ns - past->asked_ns < m->idle_ns)
		return past->is_standby;
	sysfs_kernel_name(name, sizeof(name), strrchr(disk, '/') + 1);
	past->asked_ns = now_ns;
	past->is_standby = m->ask_power(name) == ATA_POWER_STANDBY;
	return past->is_standby;
}

enum sensor_state sensor_may_be_read(struct sensor_memory *m, struct sensor_past *past,
				     const char *dir, uint64_t now_ns)
{
	bool was_counted = past->is_counted, rests;
	char disk[SYSFS_PATH_BYTES];
	struct sensor_activity a;

	if (sensor_is_asleep(dir))
		return SENSOR_ASLEEP;
	if (!find_disk(dir, disk, sizeof(disk)) || !can_rest(disk))
		return SENSOR_READ;
	read_disk_activity(&a, disk);
	rests = sensor_take_activity(past, &a, m->idle_ns, now_ns);
	if (is_standby(m, past, disk, was_counted && a.is_known && past->moved_ns == now_ns, rests,
		       now_ns))
		return SENSOR_ASLEEP;
	return rests ? SENSOR_RESTING : SENSOR_READ;
}

void sensor_was_read(struct sensor_past *past, const char *dir)
{
	struct sensor_activity a;

	if (!past->is_counted)
		return;
	sensor_activity_read(&a, dir);
	if (a.is_known)
		past->requests = a.requests;
}
