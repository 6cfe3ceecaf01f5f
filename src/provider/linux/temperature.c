/*
 * What is known of the disks' temperatures. The helper sends reading after reading and marks the
 * end of each round; a sensor that did not answer in a whole round is gone. A value stays, with
 * the time it was read at, when its disk falls asleep, its sensor fails or the helper hangs: how
 * old it is says the rest.
 */
#include "temperature.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "raidtop/clock.h"
#include "raidtop/memory.h"
#include "raidtop/text.h"
#include "sysfs.h"
#include "temperature_helper.h"

/* More sensors than this are no disks'. */
#define MOST_RECORDS 16384
/* Further than this between two readings, and those no longer apart, is doubted. */
#define MOST_JUMP_MC 40000
#define JUMP_WITHIN_NS (60 * NS_PER_SEC)
/* A round may take so long beyond its time before the sensors are said to hang. */
#define ROUND_LATE_NS (20 * NS_PER_SEC)

void temperatures_init(struct temperatures *t, const char *root, uint64_t period_ns)
{
	pid_t helper;

	memset(t, 0, sizeof(*t));
	t->root = root;
	t->period_ns = period_ns;
	t->fd = -1;
	t->scan = 1;
	if (period_ns == 0)
		return;
	helper = temperature_helper_start(root, period_ns, &t->fd);
	t->ended = helper < 0;
	t->helper = helper < 0 ? 0 : helper;
}

/*
 * A helper that is stuck in the kernel dies when it comes back; it is nobody's business then. Any
 * other one is gone within a millisecond or two, and is worth those, lest it stays as a zombie
 * where nobody reaps orphans (in a container, say).
 */
static void end_helper(struct temperatures *t)
{
	const struct timespec pause = { 0, 500 * 1000 };

	if (t->fd >= 0)
		close(t->fd);
	t->fd = -1;
	if (t->helper > 0) {
		kill(t->helper, SIGKILL);
		for (int i = 0; i < 20 && waitpid(t->helper, NULL, WNOHANG) == 0; i++)
			nanosleep(&pause, NULL);
	}
	t->helper = 0;
	t->ended = true;
}

void temperatures_release(struct temperatures *t)
{
	end_helper(t);
	free(t->records);
	t->records = NULL;
	t->n_records = t->size = 0;
}

int temperatures_fd(const struct temperatures *t)
{
	return t->fd;
}

/* ---- readings ---- */

static struct sensor_record *record_of(struct temperatures *t, const char *path)
{
	struct sensor_record *r;
	int found = -1;

	for (size_t i = 0; i < t->n_records && found < 0; i++)
		if (strcmp(t->records[i].newest.path, path) == 0)
			found = (int)i;
	if (found >= 0)
		return &t->records[found];
	if (t->n_records == MOST_RECORDS)
		return NULL;
	if (t->n_records == t->size) {
		t->size = t->size ? t->size * 2 : 16;
		t->records = memory_resize(t->records, t->size, sizeof(*r));
	}
	r = &t->records[t->n_records++];
	memset(r, 0, sizeof(*r));
	r->value_mc = r->doubtful_mc = UNKNOWN_I32;
	t->version++;
	return r;
}

/*
 * Some drives say 83 degrees once in a while, between 31 and 31. No drive warms so fast, so what
 * is that far away counts once it is said again. Returns whether the value counts.
 */
static bool is_credible(struct sensor_record *r, const struct sensor_reading *reading)
{
	int64_t jump_mc = (int64_t)reading->value_mc - r->value_mc;
	int64_t again_mc = (int64_t)reading->value_mc - r->doubtful_mc;

	if (r->value_mc == UNKNOWN_I32 || (jump_mc <= MOST_JUMP_MC && jump_mc >= -MOST_JUMP_MC) ||
	    reading->at_ns - r->value_at_ns > JUMP_WITHIN_NS ||
	    (r->doubtful_mc != UNKNOWN_I32 && again_mc <= MOST_JUMP_MC &&
	     again_mc >= -MOST_JUMP_MC)) {
		r->doubtful_mc = UNKNOWN_I32;
		return true;
	}
	r->doubtful_mc = reading->value_mc;
	return false;
}

static bool find_drivetemp(const char *root)
{
	char path[SYSFS_PATH_BYTES];

	return sysfs_path(path, sizeof(path), root, "sys/module/drivetemp") &&
	       access(path, F_OK) == 0;
}

/* The end of a round: what was not seen in it is no longer there. */
static void finish_scan(struct temperatures *t, uint64_t began_ns)
{
	size_t kept = 0;

	for (size_t i = 0; i < t->n_records; i++)
		if (t->records[i].scan == t->scan)
			t->records[kept++] = t->records[i];
	if (kept != t->n_records)
		t->version++;
	t->n_records = kept;
	t->has_drivetemp = find_drivetemp(t->root);
	t->scanned_ns = began_ns;
	t->scan++;
}

static bool take_reading(void *context, const struct sensor_reading *reading)
{
	struct temperatures *t = context;
	struct sensor_record *r;

	if (reading->state == SENSOR_SCAN_DONE) {
		finish_scan(t, reading->at_ns);
		return true;
	}
	if (reading->state > SENSOR_SCAN_DONE || !memchr(reading->path, 0, sizeof(reading->path)))
		return true;
	r = record_of(t, reading->path);
	if (!r)
		return true;
	r->newest = *reading;
	r->scan = t->scan;
	if (reading->state == SENSOR_READ && is_credible(r, reading)) {
		r->value_mc = reading->value_mc;
		r->value_at_ns = reading->at_ns;
	}
	return true;
}

void temperatures_take(struct temperatures *t)
{
	while (t->fd >= 0) {
		/* Readings are written, and so read, as whole ones. */
		struct sensor_reading readings[8];
		ssize_t n = read(t->fd, readings, sizeof(readings));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN)
			return;
		if (n <= 0) {
			end_helper(t);
			return;
		}
		for (size_t i = 0; i < (size_t)n / sizeof(readings[0]); i++)
			take_reading(t, &readings[i]);
	}
}

void temperatures_wait(struct temperatures *t, uint64_t timeout_ns)
{
	uint64_t end_ns = clock_monotonic_ns() + timeout_ns, now_ns;

	while (t->fd >= 0 && t->scan == 1 && (now_ns = clock_monotonic_ns()) < end_ns) {
		struct pollfd wait = { t->fd, POLLIN, 0 };

		if (poll(&wait, 1, (int)((end_ns - now_ns) / NS_PER_MS) + 1) > 0)
			temperatures_take(t);
	}
}

/* ---- disks ---- */

int temperatures_find(const struct temperatures *t, const char *device)
{
	for (size_t i = 0; device[0] && i < t->n_records; i++)
		if (sensor_belongs(t->records[i].newest.path, device))
			return (int)i;
	return -1;
}

static const struct no_sensor {
	const char *transport;
	const char *why;
} no_sensor[] = {
	{ "nvme", "the kernel shows no sensor of this drive" },
	{ "sas", "the kernel reads no temperatures of SAS disks" },
	{ "scsi", "the kernel reads no temperatures of SCSI disks" },
	{ "fc", "the kernel reads no temperatures of SCSI disks" },
	{ "iscsi", "a disk of another machine" },
	{ "usb", "the USB bridge shows no sensor" },
	{ "mmc", "memory cards have no sensor" },
	{ "virtio", "virtual disks have no sensor" },
	{ "xen", "virtual disks have no sensor" },
	{ "loop", "virtual disks have no sensor" },
	{ "ram", "virtual disks have no sensor" },
	{ "nbd", "virtual disks have no sensor" },
	{ "dm", "virtual disks have no sensor" },
};

static const char *why_no_sensor(const struct temperatures *t, const char *transport,
				 uint64_t since_ns)
{
	if (t->period_ns == 0)
		return "temperatures are switched off";
	if (t->scan == 1 || since_ns > t->scanned_ns)
		return t->ended ? "the sensors could not be read" : "not read yet";
	if (strcmp(transport, "sata") == 0 || strcmp(transport, "ata") == 0)
		return t->has_drivetemp ? "drivetemp finds no sensor in this disk"
					: "no sensor; load its module: modprobe drivetemp";
	for (size_t i = 0; i < sizeof(no_sensor) / sizeof(no_sensor[0]); i++)
		if (strcmp(no_sensor[i].transport, transport) == 0)
			return no_sensor[i].why;
	return "no sensor found";
}

/* Whether readings should have come long ago: one disk that hangs holds up all that follow. */
static bool is_late(const struct temperatures *t, const struct sensor_record *r, uint64_t now_ns)
{
	return t->period_ns != TEMPERATURE_ONCE && now_ns > r->newest.at_ns &&
	       now_ns - r->newest.at_ns > t->period_ns + ROUND_LATE_NS;
}

static const char *why_no_value(const struct sensor_record *r)
{
	switch ((enum sensor_state)r->newest.state) {
	case SENSOR_READ:
		return r->doubtful_mc == UNKNOWN_I32 ? ""
						     : "a sudden jump; not believed until repeated";
	case SENSOR_SCAN_DONE:
		return "";
	case SENSOR_ASLEEP:
		return "asleep; asking would wake it";
	case SENSOR_RESTING:
		return "idle for long; asking could keep it from sleeping";
	case SENSOR_UNREADABLE:
		return "the sensor gives no value";
	case SENSOR_IMPOSSIBLE:
		return "the sensor gives impossible values";
	}
	return "";
}

static void set_why(struct disk *disk, const char *why)
{
	if (strcmp(disk->temperature_why, why) != 0)
		text_copy(disk->temperature_why, sizeof(disk->temperature_why), why);
}

static void forget(struct disk *disk)
{
	disk->temperature_mc = UNKNOWN_I32;
	disk->temperature_at_us = UNKNOWN_U64;
	disk->temperature_max_mc = UNKNOWN_I32;
	disk->temperature_crit_mc = UNKNOWN_I32;
	disk->asleep = TRUTH_UNKNOWN;
}

/* Whoever gives a value is awake; whoever gives none may be either. */
static void set_newest(const struct temperatures *t, const struct sensor_record *r, uint64_t now_ns,
		       struct disk *disk)
{
	disk->temperature_max_mc = r->newest.limits.max_mc;
	disk->temperature_crit_mc = r->newest.limits.crit_mc;
	if (is_late(t, r, now_ns)) {
		set_why(disk, "the sensors have not answered for long");
		return;
	}
	if (r->newest.state == SENSOR_ASLEEP)
		disk->asleep = TRUTH_YES;
	else if (r->newest.state == SENSOR_READ)
		disk->asleep = TRUTH_NO;
	set_why(disk, why_no_value(r));
}

void temperatures_apply(const struct temperatures *t, int record,
			const struct temperature_times *times, struct disk *disk)
{
	const struct sensor_record *r = record < 0 ? NULL : &t->records[record];

	forget(disk);
	if (!r) {
		set_why(disk, why_no_sensor(t, disk->transport, times->since_ns));
		return;
	}
	if (r->newest.at_ns < times->since_ns) {
		set_why(disk, "not read yet");
		return;
	}
	set_newest(t, r, times->now_ns, disk);
	if (r->value_mc == UNKNOWN_I32 || r->value_at_ns < times->since_ns)
		return;
	disk->temperature_mc = r->value_mc;
	disk->temperature_at_us = r->value_at_ns > times->start_ns
					  ? (r->value_at_ns - times->start_ns) / NS_PER_US
					  : 0;
}
