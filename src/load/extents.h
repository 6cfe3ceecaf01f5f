/* Where the data of a file lie on the filesystem's device, as FIEMAP tells. */
#ifndef LOAD_EXTENTS_H
#define LOAD_EXTENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct extent {
	uint64_t physical, bytes;
};

struct extents {
	struct extent *extent; /* owned */
	size_t n;
	uint64_t hole_bytes;      /* of the file's size, not in any extent */
	uint64_t unwritten_bytes; /* allocated, read as zeros without a look at the disk */
	bool encoded; /* compressed, encrypted, or in the inode: not what a disk would give */
	bool shared;  /* some of it with another file */
	bool unknown; /* not on the disk yet, or not to be told */
};

/*
 * What is dirty is written first. 0; -EOPNOTSUPP where the filesystem does not tell (holes may
 * be known all the same: extents_hole_bytes), or another -errno.
 */
int extents_read(int fd, uint64_t size_bytes, struct extents *ret);
void extents_release(struct extents *e);

/* Whether any byte of the disk is in both. Sorts them. */
bool extents_overlap(struct extents *a, struct extents *b);

/* Holes as lseek(2) tells them; 0 as well where it cannot tell. */
uint64_t extents_hole_bytes(int fd, uint64_t size_bytes);

#endif
