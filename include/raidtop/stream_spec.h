/*
 * What a load stream is asked to do: a workload, where, and how. What people type as
 * "seq-read,target=/mnt/md0,copies=3,block=64k,time=60s", and what the dialog fills in.
 */
#ifndef RAIDTOP_STREAM_SPEC_H
#define RAIDTOP_STREAM_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "raidtop/text.h"
#include "raidtop/topology.h"

#define STREAM_TARGET_BYTES 1024
#define STREAM_COPIES_MAX 64
#define STREAM_DEPTH_MAX 256

/* How the page cache is treated. */
enum stream_access {
	STREAM_DIRECT,    /* O_DIRECT: past it */
	STREAM_BUFFERED,  /* through it, whatever it holds after the run began */
	STREAM_DONTCACHE, /* through it, nothing left behind: RWF_DONTCACHE, else dropped by hand */
};

/* What a writing stream does so that its data reaches the disk. */
enum stream_sync {
	STREAM_SYNC_END,  /* one fdatasync at the end, counted in the figure "to the disk" */
	STREAM_SYNC_NONE, /* never */
	STREAM_SYNC_EACH, /* after each block */
};

/* "direct", "end", ...: as they are typed. */
const char *stream_access_name(enum stream_access access);
const char *stream_sync_name(enum stream_sync sync);

/* In which order a workload goes through many files. */
enum stream_order_of_names {
	STREAM_BY_NAME,      /* as they were made: file 0, 1, ... */
	STREAM_IN_ANY_ORDER, /* one that seed and pass give */
};
const char *stream_order_name(enum stream_order_of_names order);

/* All zero is the default of each but workload and target. */
struct stream_spec {
	char workload[16];                /* "seq-read" */
	char target[STREAM_TARGET_BYTES]; /* /mnt/md0, /dev/md0, a file */
	char device[DEVICE_NAME_BYTES];   /* the topology's name of what it lies on: md0; "" */
	char on[DEVICE_NAME_BYTES];       /* what the user says that it must lie on; "" */
	unsigned int copies;              /* streams of this kind, on files apart; 0 counts as 1 */
	uint64_t block_bytes;             /* 0: the workload's own */
	unsigned int depth;               /* transfers in flight; 0 counts as 1 */
	char engine[16];                  /* psync, uring, mmap; "": chosen */
	enum stream_access access;
	enum stream_sync sync;
	uint64_t rate_per_sec;  /* bytes (of workloads that count operations: those); 0: no limit */
	uint64_t ramp_ns;       /* left out of the figures, at the beginning */
	uint64_t time_ns;       /* 0: until stopped */
	uint64_t size_bytes;    /* of the file, or the part of a device, of each copy; 0: 1 GiB */
	uint64_t limit_bytes;   /* written at most; 0: 10 times the size */
	uint64_t offset_bytes;  /* where the part of a device or file begins */
	uint64_t align_bytes;   /* of random offsets; 0: the block's size */
	uint64_t seed;          /* of random data and offsets; 0 is one as well */
	unsigned int write_pct; /* of workload mix: 100 - its "mix" (percent of reads) */
	bool verify;            /* each block says what it is, and is checked when read */
	bool keep;              /* files stay when raidtop ends */
	enum stream_order_of_names order; /* of workloads on many files */
	/* Given on the command line or in the dialog, one each; none by default. */
	bool allow_degraded;
	char allow_raw_write[STREAM_TARGET_BYTES]; /* the device's name; "" */
	char allow_raw_overwrite[STREAM_TARGET_BYTES];
	char allow_thin_write[STREAM_TARGET_BYTES]; /* the pool's or device's name; "" */
};

/* What a workload is like, as far as a specification must know. */
enum stream_trait {
	STREAM_READS = 1 << 0,
	STREAM_WRITES = 1 << 1,
	STREAM_RANDOM = 1 << 2, /* draws offsets: "align" means something */
	STREAM_DEEP = 1 << 3,   /* can have several transfers in flight */
	STREAM_BLOCKS = 1 << 4, /* moves blocks of one file or device, not whole files */
	STREAM_MIXES = 1 << 5,  /* has a share of reads: "mix" */
	STREAM_FILES = 1 << 6,  /* goes through many files alike: "order", "block" is their size */
};

struct stream_kind {
	const char *name;       /* "seq-read" */
	const char *for_people; /* "sequential read" */
	unsigned int traits;    /* enum stream_trait */
};

/* By name, NULL where there is none; by index, NULL behind the last. */
const struct stream_kind *stream_kind_find(const char *name);
const struct stream_kind *stream_kind_get(size_t i);
/* Whether what it does is counted in operations (files made, looked up, ...) and not in bytes. */
bool stream_kind_counts_files(const char *name);
/* What a stream writes at most to a file of size_bytes: its limit, else ten times the size. */
uint64_t stream_spec_limit_bytes(const struct stream_spec *spec, uint64_t size_bytes);

/*
 * Takes apart "seq-read,target=/mnt/md0,copies=3,block=64k,time=60s": the workload, then key=value
 * in any order, each once. In a value a comma is written "\,", a backslash "\\". What is not given
 * is zero; device and what is allowed are not of the text. Contradictions are refused as below.
 * 0, or -EINVAL with one sentence in `why` (of `size` bytes, clean) that names the key, what is
 * wrong and what to give; *ret is then untouched.
 */
int stream_spec_parse(const char *text, struct stream_spec *ret, char *why, size_t size);

/* Whether the parts of a specification go together, from wherever it comes. As above. */
int stream_spec_check(const struct stream_spec *spec, char *why, size_t size);

/* Appends the shortest text that is parsed to the same: keys in a fixed order, no defaults. */
void stream_spec_format(const struct stream_spec *spec, struct buffer *out);

#endif
