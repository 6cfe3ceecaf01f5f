/* Which disks are left in peace, and what the reader of the sensors remembers between rounds. */
#ifndef RAIDTOP_PROVIDER_LINUX_SENSOR_REST_H
#define RAIDTOP_PROVIDER_LINUX_SENSOR_REST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ata_power.h"
#include "sensor.h"

/* A disk that can spin down and has done nothing for so long is not asked any more. */
#define SENSOR_IDLE_NS (300 * NS_PER_SEC)
/* Limits hardly ever change, and an NVMe drive must be asked for them. */
#define SENSOR_LIMITS_NS (600 * NS_PER_SEC)

/* What the counters of a disk say of it. */
struct sensor_activity {
	bool is_known; /* it counts what it does */
	uint64_t requests;
	uint64_t in_flight;
};

/* What is remembered of a chip. */
struct sensor_past {
	char path[SENSOR_PATH_BYTES]; /* of its device, with the prefix of --root */
	uint64_t round;               /* in which it was met last */
	bool is_counted;              /* `requests` is known */
	bool is_standby;              /* the drive said so when it was asked last */
	uint64_t requests;
	uint64_t moved_ns;  /* when those were seen to have grown */
	uint64_t asked_ns;  /* when the drive was asked for its power mode; 0: never */
	uint64_t limits_ns; /* when its limits were read; 0: never */
	struct sensor_limits limits;
};

struct sensor_memory {
	struct sensor_past **pasts; /* each owned */
	size_t n, size;
	uint64_t round;
	uint64_t idle_ns;
	/* Asks the drive of /dev/NAME without waking it; NULL: nobody is asked. */
	enum ata_power (*ask_power)(const char *name);
};

void sensor_memory_init(struct sensor_memory *m);
void sensor_memory_release(struct sensor_memory *m);

/* Around a round: chips that were not met in it are forgotten. */
void sensor_memory_begin(struct sensor_memory *m);
void sensor_memory_end(struct sensor_memory *m);
/* What is remembered of the chip on that device; valid until it is forgotten. */
struct sensor_past *sensor_memory_of(struct sensor_memory *m, const char *path);

/* What the disk of the device with that directory has done; not known where it cannot rest. */
void sensor_activity_read(struct sensor_activity *a, const char *dir);

/*
 * Takes in what the counters say now; whether the disk has been at rest for `idle_ns`. One that is
 * met for the first time, or does not count, is not.
 */
bool sensor_take_activity(struct sensor_past *past, const struct sensor_activity *a,
			  uint64_t idle_ns, uint64_t now_ns);

/* SENSOR_READ: it may be asked; SENSOR_ASLEEP or SENSOR_RESTING: it must not. */
enum sensor_state sensor_may_be_read(struct sensor_memory *m, struct sensor_past *past,
				     const char *dir, uint64_t now_ns);
/* After a reading, which newer kernels can be told to count as a request: it was ours. */
void sensor_was_read(struct sensor_past *past, const char *dir);

#endif
