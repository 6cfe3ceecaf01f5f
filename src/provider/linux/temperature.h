/* Temperatures of the disks, read by a helper process and matched to disks by device path. */
#ifndef RAIDTOP_PROVIDER_LINUX_TEMPERATURE_H
#define RAIDTOP_PROVIDER_LINUX_TEMPERATURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "raidtop/topology.h"
#include "sensor.h"

/* Read once, and no more. */
#define TEMPERATURE_ONCE UINT64_MAX

/* The newest of a sensor, and the last value it gave, which may be older. */
struct sensor_record {
	struct sensor_reading newest;
	int32_t value_mc; /* UNKNOWN_I32: none yet */
	uint64_t value_at_ns;
	int32_t doubtful_mc; /* far from `value_mc`, and not said twice yet; UNKNOWN_I32 */
	uint32_t scan;       /* in which it was seen last */
};

struct temperatures {
	const char *root;    /* not owned; "": this machine's sensors, else files */
	uint64_t period_ns;  /* 0: never */
	pid_t helper;        /* 0: none */
	int fd;              /* of its pipe, -1: none */
	bool ended;          /* the helper is gone */
	uint32_t scan;       /* the one that is coming in; 1 is the first */
	uint64_t scanned_ns; /* when the last complete one began */
	bool has_drivetemp;  /* the module for ATA disks is there */
	struct sensor_record *records;
	size_t n_records, size;
	uint64_t version; /* grows whenever records move, come or go */
};

/* Starts the helper: before anything heavy, since it is a fork. `root` stays the caller's. */
void temperatures_init(struct temperatures *t, const char *root, uint64_t period_ns);
/* Ends the helper; never waits for it. */
void temperatures_release(struct temperatures *t);

/* To wait for POLLIN on; -1: nothing to wait for. */
int temperatures_fd(const struct temperatures *t);
/* Takes in what the helper has sent, without blocking. */
void temperatures_take(struct temperatures *t);
/* As long as the first scan is not complete, but at most so long. */
void temperatures_wait(struct temperatures *t, uint64_t timeout_ns);

/* The record of the sensor on the device with that path, -1 where there is none. */
int temperatures_find(const struct temperatures *t, const char *device);

/* Moments on CLOCK_MONOTONIC that a disk's temperature is seen from. */
struct temperature_times {
	uint64_t start_ns; /* zero of the snapshots' clock */
	uint64_t since_ns; /* the disk is there; what was read before is another one's */
	uint64_t now_ns;
};

/* Sets a disk's temperature from a record (-1: it has none), or why there is none. */
void temperatures_apply(const struct temperatures *t, int record,
			const struct temperature_times *times, struct disk *disk);

#endif
