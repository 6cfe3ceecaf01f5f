/* What sysfs says of an md array: /sys/block/mdX/md/. */
#ifndef RAIDTOP_PROVIDER_LINUX_MD_SYSFS_H
#define RAIDTOP_PROVIDER_LINUX_MD_SYSFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "raidtop/topology.h"
#include "sysfs.h"

/* A directory dev-NAME. */
struct md_sysfs_member {
	char name[DEVICE_NAME_BYTES]; /* the kernel's, with '/' */
	int32_t role;                 /* its place, UNKNOWN_I32 for "none" and "journal" */
	char words[96];               /* "in_sync,write_mostly"; "" */
	bool is_there;                /* the device that the array holds still exists... */
	uint32_t major, minor;        /* ...under this number */
	bool number_known;            /* false: look it up by its name */
};

/* The attributes that are read again between surveys. */
enum md_file {
	MD_FILE_ARRAY_STATE,
	MD_FILE_SYNC_ACTION,
	MD_FILE_DEGRADED,
	MD_FILE_MISMATCHES,
	MD_FILE_SYNC_COMPLETED,
	MD_FILE_SYNC_SPEED,
	MD_FILE_SYNC_MIN,
	MD_FILE_SYNC_MAX,
	MD_FILE_RESHAPE_POSITION,
	MD_FILE_STRIPE_CACHE_ACTIVE,
	MD_FILES,
};

/* An array's, open as long as its directory is the same. */
struct md_files {
	struct sysfs_file files[MD_FILES];
};
void md_files_init(struct md_files *f);
void md_files_release(struct md_files *f);

/* "1000 (system)", "2000 (local)": for the whole machine, or for this array alone. */
struct md_sync_limit {
	uint64_t kib_per_sec; /* UNKNOWN_U64 */
	enum truth is_local;
};

/* What changes while an array works: read in each tick of a sync action. Texts "" if unknown. */
struct md_sysfs_moving {
	char array_state[24];
	char sync_action[24];
	uint64_t degraded; /* UNKNOWN_U64, as the others */
	uint64_t mismatch_count;
	/* these only while an action runs, or in a survey */
	char sync_completed[48];
	uint64_t speed_kib_per_sec;
	struct md_sync_limit min, max;
	uint64_t reshape_position; /* sectors of the array */
};

struct md_sysfs {
	struct md_sysfs_moving moving;
	char level[24];
	char metadata[48]; /* "none": no superblock */
	char uuid[64];     /* as printed */
	char consistency_policy[24];
	char bitmap_location[32]; /* "none", "file", "+8" */
	char journal_mode[48];    /* "[write-through] write-back"; "" without a journal */
	uint64_t bitmap_chunk_bytes;
	uint64_t layout;
	uint64_t chunk_bytes;
	uint64_t raid_disks, raid_disks_before;
	uint64_t stripe_cache_size, stripe_cache_active;
	struct md_sysfs_member *members; /* owned */
	size_t n_members;
};

/* `dir` is the array's block device: /sys/devices/virtual/block/md0. */
void md_sysfs_read(struct md_sysfs *md, const char *dir);
void md_sysfs_release(struct md_sysfs *md);

/*
 * The moving part alone, and what of the stripe cache is in use (UNKNOWN_U64 but on parity
 * levels). No allocation.
 */
void md_sysfs_read_moving(struct md_sysfs_moving *moving, struct md_files *files, const char *dir);
uint64_t md_sysfs_read_stripe_cache(struct md_files *files, const char *dir);

#endif
