/* What sysfs says of an md array: /sys/block/mdX/md/. */
#ifndef RAIDTOP_PROVIDER_LINUX_MD_SYSFS_H
#define RAIDTOP_PROVIDER_LINUX_MD_SYSFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "raidtop/topology.h"

/* A directory dev-NAME. */
struct md_sysfs_member {
	char name[DEVICE_NAME_BYTES]; /* the kernel's, with '/' */
	int32_t role;                 /* its place, UNKNOWN_I32 for "none" and "journal" */
	char words[96];               /* "in_sync,write_mostly"; "" */
	bool is_there;                /* the device that the array holds still exists... */
	uint32_t major, minor;        /* ...under this number */
	bool number_known;            /* false: look it up by its name */
};

/* What changes while an array works: read in each tick of a sync action. Texts "" if unknown. */
struct md_sysfs_moving {
	char array_state[24];
	char sync_action[24];
	char sync_completed[48];
	uint64_t speed_kib_per_sec; /* UNKNOWN_U64, as the others */
	uint64_t degraded;
	uint64_t mismatch_count;
};

struct md_sysfs {
	struct md_sysfs_moving moving;
	char level[24];
	char metadata[48]; /* "none": no superblock */
	char uuid[64];     /* as printed */
	char consistency_policy[24];
	char bitmap_location[32]; /* "none", "file", "+8" */
	uint64_t layout;
	uint64_t chunk_bytes;
	uint64_t raid_disks, raid_disks_before;
	uint64_t stripe_cache_size;
	struct md_sysfs_member *members; /* owned */
	size_t n_members;
};

/* `dir` is the array's block device: /sys/devices/virtual/block/md0. */
void md_sysfs_read(struct md_sysfs *md, const char *dir);
void md_sysfs_release(struct md_sysfs *md);

/* The moving part alone. No allocation. */
void md_sysfs_read_moving(struct md_sysfs_moving *moving, const char *dir);

#endif
