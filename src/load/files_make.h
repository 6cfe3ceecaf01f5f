/* Making a test file: it is named in the manifest before anybody can see it. */
#ifndef LOAD_FILES_MAKE_H
#define LOAD_FILES_MAKE_H

#include <stdatomic.h>
#include <stdint.h>

#include "files_folder.h"
#include "manifest.h"

enum files_way {
	FILES_UNNAMED, /* O_TMPFILE: it gets its name when the manifest has its inode */
	FILES_NAMED,   /* where there is none of that: the manifest has the name first */
};

/*
 * Makes an empty file of e->size_bytes, allocated where the filesystem can, and sets number,
 * inode and state of the entry. Returns a descriptor for reading and writing, locked, or -errno:
 * nothing is left then. -EOPNOTSUPP: not in this way.
 */
int files_make(struct manifest *m, const struct files_folder *f, enum files_way way,
	       struct manifest_entry *e);
/* The same of a folder for a tree. */
int files_make_tree(struct manifest *m, const struct files_folder *f, struct manifest_entry *e);

/*
 * Writes all of it with random data of that seed, past the page cache where that can be had, and
 * onto the disk. `progress` counts bytes; `stop` ends it with -ECANCELED. 0 or -errno.
 */
int files_fill(int fd, uint64_t size_bytes, uint64_t seed, const _Atomic uint32_t *stop,
	       _Atomic uint64_t *progress);

#endif
