/* The block devices there are, each with its directory in sysfs and, where udev knows it, that. */
#ifndef RAIDTOP_PROVIDER_LINUX_BLOCK_H
#define RAIDTOP_PROVIDER_LINUX_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "raidtop/topology.h"

struct udev;
struct udev_device;

struct block {
	char name[DEVICE_NAME_BYTES];   /* the kernel's, with '/' */
	char parent[DEVICE_NAME_BYTES]; /* a partition's disk; "" */
	char *dir;                      /* real path in sysfs, with the prefix of --root; owned */
	const char *path;  /* the same without the prefix: /sys/devices/…/block/sda */
	char *device;      /* path of what it hangs on: SCSI device, NVMe controller; "" */
	uint64_t diskseq;  /* UNKNOWN_U64 */
	uint64_t inode;    /* of `dir`: a device that is made anew has another one */
	uint64_t since_ns; /* when it was first seen, 0: from the start */
	char serial[DEVICE_TEXT_BYTES]; /* its attribute "serial", once that was read; "" */
	struct udev_device *udev;       /* NULL where there is no database; owned */
	bool is_hidden;                 /* a path of a multipath head */
	int slot;                       /* in the survey that it was read for; NO_SLOT */
};

/* Sorted: sda before sdb before sdaa, a disk before its partitions. */
struct block_list {
	struct block *blocks;
	size_t n;
	size_t size;
};

void block_list_init(struct block_list *list);
void block_list_release(struct block_list *list);

/*
 * What there is now, added to an empty list. With a udev database (of a running udevd, or one
 * that it left) through libudev; else, and with a `root` (a real path), by a walk through
 * ROOT/sys/block. `udev` may be NULL. A machine without any leaves the list empty.
 */
void block_list_read(struct block_list *list, struct udev *udev, const char *root);

/*
 * Whether it is the same as when it was listed: not gone, and none in its place that has the same
 * name. One or three system calls, no allocation.
 */
bool block_is_unchanged(const struct block *b);

/* The weaker question whether its folder is the one that was listed: a system call, no read. */
bool block_has_its_folder(const struct block *b);

/* The block device of that name, or NULL. */
const struct block *block_list_find(const struct block_list *list, const char *name);

/*
 * Takes over what is remembered of devices that are the same in `before`: since when they are
 * there, and what they need not be asked again. The rest is new at `now_ns`.
 */
void block_list_remember(struct block_list *list, const struct block_list *before, uint64_t now_ns);

/* Lets go of udev's part, for a list that is kept. */
void block_list_forget_udev(struct block_list *list);

/* A property of the udev database, "" where there is none. */
const char *block_property(const struct block *b, const char *key);

/* nvme0c1n1: by its name, one path of the multipath head nvme0n1. */
bool block_is_nvme_path(const char *name);

/* Whether it is one of those that are everywhere and hardly ever anybody's disk: ram, optical. */
bool block_is_minor(uint32_t major, const char *name);

/* Order of names for people: sda, sdb, sdaa; md2, md10. As strcmp. */
int block_name_compare(const char *a, const char *b);

#endif
