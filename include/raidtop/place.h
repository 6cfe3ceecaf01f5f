/*
 * Where a target lies: on which mount, on which devices down to the disks, and what of them
 * stands in the way of writing. Found out without opening a device.
 *
 * What cannot be found out is said to be unknown, and unknown is never taken for harmless.
 */
#ifndef RAIDTOP_PLACE_H
#define RAIDTOP_PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "raidtop/topology.h"

enum place_kind { PLACE_DISK, PLACE_PARTITION, PLACE_MD, PLACE_DM, PLACE_LOOP };

/* What an array's state is, as bits. */
enum place_state {
	PLACE_DEGRADED = 1 << 0,
	PLACE_RECOVERING = 1 << 1, /* resync, recovery, reshape or repair, running or to come */
	PLACE_AUTO_READ_ONLY = 1 << 2,
	PLACE_READ_ONLY = 1 << 3,
	PLACE_STATE_HIDDEN = 1 << 4, /* a RAID whose state this user cannot see */
};

/* Devices that take writes which their pool or copy may have no room for. */
enum place_thin {
	PLACE_THICK,
	PLACE_THIN, /* a volume of a thin pool, or the pool itself */
	PLACE_VDO,
	PLACE_SNAPSHOT_ORIGIN,
	PLACE_SNAPSHOT,
	PLACE_THIN_HIDDEN, /* device-mapper, and this user cannot see of what type */
};

struct place_device {
	char name[DEVICE_NAME_BYTES];  /* the kernel's, with '/': sda1, md0, dm-3 */
	char alias[DEVICE_TEXT_BYTES]; /* device-mapper's: vg-data; "" */
	char level[32];                /* raid1; of device-mapper its type: thin, crypt; "" */
	enum place_kind kind;
	uint32_t major, minor;
	int above;          /* index of the device that lies on this one; -1: none */
	unsigned int state; /* enum place_state */
	enum place_thin thin;
};

struct place {
	dev_t number;                 /* st_dev of a file or directory, st_rdev of a device */
	bool is_device;               /* the target is the device itself, there is no mount */
	uint64_t mount_id;            /* as place_mount_id() gives it; UNKNOWN_U64 */
	char mount_point[512];        /* "" where it is mounted nowhere (any more) */
	char type[32];                /* ext4; "" */
	char source[256];             /* what was mounted: /dev/md0 */
	char options[256];            /* rw,relatime */
	bool read_only;               /* the mount or its filesystem is */
	struct place_device *devices; /* owned; those of one parent follow it at some distance */
	size_t n_devices;             /* 0: no device can be told (tmpfs, nfs, overlay) */
	bool complete;                /* false: there are more devices than could be followed */
};

#define PLACE_INIT                       \
	{                                \
		.mount_id = UNKNOWN_U64, \
	}
void place_release(struct place *p);

/*
 * Finds out where the target behind the descriptor lies (O_PATH does). `root` is "" or what stands
 * before /sys and /proc, in tests. 0 or -errno.
 */
int place_find(struct place *p, int fd, const char *root);
/* The devices alone, below that number. */
void place_find_devices(struct place *p, const char *root, uint32_t major, uint32_t minor);

/* The number of the descriptor's mount, as in /proc/self/mountinfo; UNKNOWN_U64. */
uint64_t place_mount_id(int fd);

/* Whether a name means that device: md0, vg-data, vg/data, or a node's path (/dev/md/data). */
bool place_device_is(const struct place_device *d, const char *name);
/* Whether it lies on a device of that name. */
bool place_lies_on(const struct place *p, const char *name);
/* The device to call it after: the first array, else the first device, else NULL. */
const struct place_device *place_main_device(const struct place *p);
/* The alias of a device where there is one, else its name. */
const char *place_device_name(const struct place_device *d);

/*
 * "/mnt/md0: ext4 on md0 (raid1 of sda1, sdb1), mounted rw,relatime", cut where there is no more
 * room, control characters neutralised.
 */
void place_describe(const struct place *p, char *dst, size_t size);

/* A device's directory in sysfs, and one that cannot be looked up by number is not known. */
bool place_sysfs_dir(char *dst, size_t size, const char *root, uint32_t major, uint32_t minor);

#endif
