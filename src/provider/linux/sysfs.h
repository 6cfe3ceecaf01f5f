/* Attributes of sysfs: what is missing, unreadable or something else than expected is unknown. */
#ifndef RAIDTOP_PROVIDER_LINUX_SYSFS_H
#define RAIDTOP_PROVIDER_LINUX_SYSFS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "raidtop/topology.h"

/* Room for a path; longer ones are treated as not there. */
#define SYSFS_PATH_BYTES PATH_MAX

/* "DIR/NAME" into `dst` of `size` bytes; false (and "") where it does not fit. */
bool sysfs_path(char *dst, size_t size, const char *dir, const char *name);

bool sysfs_has(const char *dir, const char *attribute);
/* The first line, cleaned for a terminal and cut to `size`; "" where unknown. */
void sysfs_text(const char *dir, const char *attribute, char *dst, size_t size);
/*
 * The same of an attribute that is read again and again, on a descriptor that stays open: one
 * system call each. After an error it is opened anew the next time; one that was not there is not
 * looked for again until it is closed.
 */
struct sysfs_file {
	int fd; /* SYSFS_FILE_CLOSED, SYSFS_FILE_ABSENT */
};
#define SYSFS_FILE_CLOSED (-1)
#define SYSFS_FILE_ABSENT (-2)
void sysfs_file_text(struct sysfs_file *f, const char *dir, const char *attribute, char *dst,
		     size_t size);
void sysfs_file_close(struct sysfs_file *f);
/* A whole number, UNKNOWN_U64 where unknown. */
uint64_t sysfs_u64(const char *dir, const char *attribute);
/* 0 is no, another number yes. */
enum truth sysfs_truth(const char *dir, const char *attribute);

/*
 * The directory that DIR/ATTRIBUTE (or DIR itself, `attribute` NULL) really is, links resolved;
 * false (and "") where there is none.
 */
bool sysfs_real(const char *dir, const char *attribute, char *dst, size_t size);
/*
 * The same for a link of the kernel's own sysfs in a directory whose path is real: there, the
 * target has no links in it, and one system call tells it instead of one for each of its folders.
 */
bool sysfs_link(const char *dir, const char *attribute, char *dst, size_t size);

/* A device's number from its "dev" ("8:16"); false where unknown. */
bool sysfs_number(const char *dir, uint32_t *ret_major, uint32_t *ret_minor);

/*
 * "4 (3)", as md prints some numbers during a reshape: the new one and the old one. Either is
 * UNKNOWN_U64 where it is not there.
 */
void sysfs_parse_pair(const char *text, uint64_t *ret_now, uint64_t *ret_before);

/* A name as the kernel writes it: sysfs has '!' in place of '/' (cciss!c0d0). */
void sysfs_kernel_name(char *dst, size_t size, const char *sysfs_name);

#endif
