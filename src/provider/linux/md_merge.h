/* An md array from its two sources, /proc/mdstat and sysfs. */
#ifndef RAIDTOP_PROVIDER_LINUX_MD_MERGE_H
#define RAIDTOP_PROVIDER_LINUX_MD_MERGE_H

#include "raidtop/topology.h"

struct block;
struct mdstat_array;
struct md_sysfs;
struct md_sysfs_moving;

/*
 * Fills `dev` (with its array, all unknown) with what `printed` of mdstat (NULL: not printed) and
 * sysfs say; members are looked up in `t`.
 */
void md_merge(struct topology *t, struct device *dev, const struct mdstat_array *printed,
	      const struct md_sysfs *md);

/* Brings the sync action, and what it changes, up to date. No allocation. */
void md_merge_moving(struct array *a, const struct mdstat_array *printed,
		     const struct md_sysfs_moving *moving);

/*
 * Brings how far its sync action is up to date from mdstat alone (NULL: not printed). What it is
 * and how fast it goes is sysfs' to say, and stays.
 */
void md_merge_progress(struct array *a, const struct mdstat_array *printed);

#endif
