/*
 * Workloads on many files: create, stat, delete, and the unpacking of a tree like one of sources.
 * The worker calls tree_step() for each operation and does rate, pause, time and counting itself.
 */
#ifndef LOAD_TREE_H
#define LOAD_TREE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "raidtop/stream_spec.h"
#include "random.h"
#include "tree_names.h"

struct tree;

struct tree_workload {
	enum tree_kind kind;
	/*
	 * One operation. 1: done, ret_bytes written by it; 0: the pass is over; or -errno.
	 */
	int (*step)(struct tree *t, uint64_t *ret_bytes);
	bool needs_files; /* they are there before each pass, else none of them is */
	bool keeps_files; /* a pass leaves them as they were */
	bool reads;       /* counted as reading operations */
};

struct tree {
	const struct tree_workload *workload;
	struct tree_names names;
	uint64_t content_bytes; /* of each file of a flat tree */
	enum stream_sync sync;
	bool random_order;
	int fd;        /* of N.tree; not owned */
	uint64_t next; /* operation of this pass */
	uint64_t n;    /* files of a flat tree: operations in a pass */
	uint64_t pass; /* 0, 1, ...: each has an order of its own */
	struct shuffle order;
	unsigned int folder;    /* the one that is open, or the next to be made */
	int folder_fd;          /* owned; -1 */
	unsigned int file;      /* the next one in it */
	bool is_filled;         /* the files are there */
	unsigned char *content; /* random data; owned */
};

/* Named in the table of workload.c. */
extern const struct tree_workload tree_create, tree_stat, tree_delete, tree_untar;

/* What the specification asks for; nothing is made yet. Never fails. */
void tree_init(struct tree *t, const struct tree_workload *w, const struct stream_spec *spec);
void tree_release(struct tree *t);

/* As many files as that room is enough for, at least one. */
void tree_shrink(struct tree *t, uint64_t bytes, uint64_t inodes);
/* Bytes and inodes that a full tree takes at most, for the reserve. */
uint64_t tree_bytes(const struct tree *t);
uint64_t tree_inodes(const struct tree *t);

/*
 * Makes what a pass needs and takes away what the last one left. Not part of the workload: its
 * time is to be left out like a pause. `stop` is looked at between two files: -ECANCELED.
 */
int tree_begin_pass(struct tree *t, const _Atomic uint32_t *stop);
/*
 * One operation. 1: done, `ret_bytes` written by it; 0: the pass is over, nothing was done;
 * -errno.
 */
int tree_step(struct tree *t, uint64_t *ret_bytes);
/* What that operation would write, before it does. */
uint64_t tree_next_bytes(const struct tree *t);
/* Sees that all of it is on the disk. */
int tree_sync(struct tree *t);

#endif
