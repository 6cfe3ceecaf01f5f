/* One reading of a disk's sensor, and how a reading is chosen among the values of a chip. */
#ifndef RAIDTOP_PROVIDER_LINUX_SENSOR_H
#define RAIDTOP_PROVIDER_LINUX_SENSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum sensor_state {
	SENSOR_READ,       /* `value_mc` is the temperature */
	SENSOR_ASLEEP,     /* not asked, because that would wake the disk */
	SENSOR_RESTING,    /* not asked, because that could keep an idle disk from sleeping */
	SENSOR_UNREADABLE, /* it gave no value */
	SENSOR_IMPOSSIBLE, /* it gave values that no disk can have */
	SENSOR_SCAN_DONE,  /* no reading: every sensor there was at `at_ns` has been asked */
};

#define SENSOR_PATH_BYTES 496

/* What a drive itself calls too warm, and harmful; UNKNOWN_I32 where it says nothing. */
struct sensor_limits {
	int32_t max_mc;
	int32_t crit_mc;
};

/* Goes through the helper's pipe as it is, in one piece: smaller than PIPE_BUF. */
struct sensor_reading {
	uint64_t at_ns; /* CLOCK_MONOTONIC */
	uint32_t state; /* enum sensor_state */
	int32_t value_mc;
	struct sensor_limits limits;
	char path[SENSOR_PATH_BYTES]; /* /sys/devices/... of the chip's device; "" */
};

/* Takes one reading; returns false where there is no use in going on. */
struct sensor_sink {
	bool (*take)(void *context, const struct sensor_reading *r);
	void *context;
};

/* The value of a chip, offered one after the other. Start with all zero. */
struct sensor_choice {
	bool chosen;
	bool is_composite;
	bool saw_impossible;
	int32_t value_mc;
};

/*
 * A value in thousandths of a degree. "Composite" is what an NVMe drive vouches for; else the first
 * one counts, whatever its label. Values that no running disk has are passed over. Returns whether
 * this is the one, so far.
 */
bool sensor_offer(struct sensor_choice *c, const char *label, int64_t value_mc);
/*
 * A limit in thousandths of a degree, UNKNOWN_I32 for one that was never set: drives then have 0,
 * 65535 or no kelvins in it, and what cannot be read is printed as 0.
 */
int32_t sensor_limit(int64_t limit_mc);
enum sensor_state sensor_choice_state(const struct sensor_choice *c);

/*
 * Whether the device with that real path in sysfs (`dir`, with the prefix of --root) is a disk
 * or an NVMe controller: chips of anything else are none of our business, and asking them may
 * cost time.
 */
bool sensor_is_disks(const char *dir);
/* Whether the device is in a sleep that reading its sensor would end. */
bool sensor_is_asleep(const char *dir);

/*
 * Whether a chip on device `chip` measures the disk on device `disk` (both without prefix): they
 * are one, or the chip is on the PCI device of that NVMe controller (Linux before 5.17).
 */
bool sensor_belongs(const char *chip, const char *disk);

struct sensor_memory;

/* Reads every sensor that may be asked now, through libsensors. `memory` is kept over rounds. */
void sensor_scan(const struct sensor_sink *sink, struct sensor_memory *memory);
/* Reads the files below ROOT/sys/class/hwmon; `root` is a real path. */
void sensor_scan_files(const char *root, const struct sensor_sink *sink,
		       struct sensor_memory *memory);

#endif
