/* The Linux provider: what its files share. */
#ifndef RAIDTOP_PROVIDER_LINUX_LINUX_H
#define RAIDTOP_PROVIDER_LINUX_LINUX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "block.h"
#include "diskstats.h"
#include "md_sysfs.h"
#include "mdstat_source.h"
#include "monitor.h"
#include "raidtop/provider.h"
#include "raidtop/text.h"
#include "sysfs.h"
#include "temperature.h"

/* /proc/diskstats on a descriptor that stays open. */
struct counter_source {
	int fd; /* -1: not there */
	struct buffer text;
	struct diskstats_index index;
	bool is_settled;         /* the index has seen a text since it was reset */
	size_t n_strange;        /* lines met since then that are no device's that we know */
	size_t n_strange_before; /* at the last survey */
};

/* What a slot of the held topology is here; made anew whenever that topology changes. */
struct slot_link {
	const struct block *block; /* NULL: none (it is gone) */
	const struct block *disk;  /* of a partition; else the same */
	int sensor;                /* its disk's record, -1 */
	struct md_files files;     /* of an array */
	uint64_t cache_ios;        /* its requests when its stripe cache was read; UNKNOWN_U64 */
};

struct slot_number {
	uint64_t number; /* major and minor */
	int slot;
};

struct slot_links {
	const struct topology *of;
	uint64_t generation;
	uint64_t sensor_version;
	bool stale;                  /* a survey has been since */
	struct slot_link *links;     /* by slot */
	struct slot_number *numbers; /* sorted */
	int *arrays;                 /* slots of those that sysfs has */
	size_t n, n_numbers, n_arrays, size;
};

/* Who was looked at last, of what is looked at in turns. */
struct turns {
	size_t folder, diskseq;     /* of the blocks, for having been replaced */
	size_t array, stripe_cache; /* of links.arrays */
};

struct linux_provider {
	struct provider base;
	char root[SYSFS_PATH_BYTES]; /* real path, "" for this machine */
	bool show_all;
	bool dirty;
	bool surveyed;
	uint64_t start_ns; /* zero of elapsed_us */
	struct monitor monitor;
	struct temperatures temperatures;
	struct mdstat_source mdstat;
	struct counter_source counters;
	struct block_list blocks; /* of the last survey */
	struct slot_links links;
	struct turns turns;
};

/* survey.c */
int linux_survey(struct linux_provider *p, struct topology *t);

/* sample.c */
void linux_sample_init(struct linux_provider *p);
void linux_sample_release(struct linux_provider *p);
int linux_sample(struct linux_provider *p, struct topology *t, struct snapshot *s);

/*
 * sample_arrays.c: brings up to date what moves in arrays, given the counters of this tick. A
 * bounded number of reads beside those of /proc/mdstat, which is read only while an action runs.
 */
void linux_sample_arrays(struct linux_provider *p, struct topology *t, const struct snapshot *s);

#endif
