/*
 * What is to be said of an array beside its level, size and state, each in a few words: the same
 * in --list and on the screen.
 */
#ifndef RAIDTOP_ARRAY_FACTS_H
#define RAIDTOP_ARRAY_FACTS_H

#include <stdbool.h>
#include <stddef.h>

#include "raidtop/topology.h"
#include "raidtop/units.h"

enum array_fact {
	ARRAY_FACT_VOLUME,       /* volume 0 of md127 */
	ARRAY_FACT_HOLDS,        /* imsm, holds md125, md126 */
	ARRAY_FACT_DISKS,        /* 6 (4) disks: now and before, while that changes */
	ARRAY_FACT_RESHAPE,      /* reshape at 1.20 GB */
	ARRAY_FACT_SPARES,       /* 2 spares */
	ARRAY_FACT_JOURNAL,      /* journal write-through */
	ARRAY_FACT_POLICY,       /* partial parity log */
	ARRAY_FACT_BITMAP,       /* bitmap internal by 65536K: what a bit stands for */
	ARRAY_FACT_STRIPE_CACHE, /* stripe cache 12 of 256 */
	ARRAY_FACT_LIMITS,       /* sync limits 1.02 MB/s (system) to 205 MB/s (local) */
	ARRAY_FACT_MISMATCHES,   /* 128 mismatches, no fault on raid1 */
	ARRAY_FACTS,
};

#define ARRAY_FACT_BYTES 320

/* Writes it into `buf`; false (and "") where it is unknown, or nothing worth saying. */
bool array_fact_format(enum array_fact which, const struct topology *t, const struct device *d,
		       enum units units, char *buf, size_t size);

#endif
