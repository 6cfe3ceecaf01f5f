/*
 * TARGET/.raidtop, and nothing else in TARGET: opened without following links, ours alone, and
 * held by a lock so that nobody cleans it away while a stream works in it.
 */
#ifndef LOAD_FILES_FOLDER_H
#define LOAD_FILES_FOLDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FILES_FOLDER_NAME ".raidtop"

struct files_folder {
	int parent;          /* the target directory; not owned */
	int fd;              /* of .raidtop, with a lock on it; owned; -1: none */
	uint64_t device;     /* st_dev */
	uint64_t filesystem; /* f_fsid: on many filesystems the same after a restart; 0: none */
};

#define FILES_FOLDER_INIT               \
	{                               \
		.parent = -1, .fd = -1, \
	}

enum files_hold {
	FILES_HOLD_SHARED,   /* as each stream does; the folder is made where it is missing */
	FILES_HOLD_EXISTING, /* the same, and it is not made */
	FILES_HOLD_ALONE,    /* as --clean does: -EWOULDBLOCK where somebody works in it */
};

/*
 * 0 or -errno: -ENOENT where there is none (and none was to be made), -EPERM where what is there
 * is no folder of ours. `target` is the directory's name for the sentence in `why`.
 */
int files_folder_open(struct files_folder *f, int directory, enum files_hold hold,
		      const char *target, char *why, size_t size);
void files_folder_release(struct files_folder *f);

/* From shared to alone; what it finds out before is out of date then. 0 or -EWOULDBLOCK. */
int files_folder_take_alone(struct files_folder *f);

/* Removes it, which only an empty one allows. 0 or -errno. */
int files_folder_remove(struct files_folder *f);

#endif
