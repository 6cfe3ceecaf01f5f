/*
 * /proc/diskstats: the kernel's counters of each block device, one line each.
 *
 *   8  0 sda  read ios, merges, sectors, ms   write ios, merges, sectors, ms
 *             in flight   busy ms   queue ms          (14 columns: 2.6.0)
 *             discard ios, merges, sectors, ms        (18: 4.18)
 *             flush ios, ms                           (20: 5.5)
 *
 * Partitions before 2.6.25 have 7 columns: read ios, sectors, write ios, sectors. Sectors are of
 * 512 bytes whatever the device's are. Columns to come are passed over; a group that is not all
 * there is not used. 15 columns are 2.4's /proc/partitions, where all is shifted by one.
 */
#ifndef RAIDTOP_PROVIDER_LINUX_DISKSTATS_H
#define RAIDTOP_PROVIDER_LINUX_DISKSTATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "raidtop/snapshot.h"
#include "raidtop/topology.h"

/* One line. */
struct diskstats_line {
	uint32_t major, minor;
	char name[DEVICE_NAME_BYTES]; /* as printed, with '/' */
	struct counters counters;     /* bytes and microseconds */
};

/*
 * Reads the line that begins at `text`; `end` is that of the whole text. 0; -EINVAL for what is
 * no such line (`line` is then unspecified); -ENODATA for an empty one. In all cases *ret_next
 * is where the next line begins.
 *
 * A number that the text ends with may be cut short, so it is not there. Times that RHEL kernels
 * print as negative are what they stand for, modulo 2^32 ms; a number in flight that cannot be
 * (negative, or 2^31 and more: a known bug of several kernels) is unknown.
 */
int diskstats_read_line(const char *text, const char *end, struct diskstats_line *line,
			const char **ret_next);

/*
 * Remembers which slot each line went to. Lines keep their order from tick to tick, so a line is
 * known again when it begins with the same bytes (numbers and name), and nothing is looked up.
 * A line that is new or has moved is asked for once: `find` returns the slot of the device, or
 * NO_SLOT where nobody wants it; it is then passed over until the index is reset.
 */
struct diskstats_index {
	struct diskstats_known *lines; /* in the text's order */
	size_t n_lines, lines_room;
	int (*find)(void *context, uint32_t major, uint32_t minor, const char *name);
	void *context;
};

void diskstats_index_init(struct diskstats_index *index,
			  int (*find)(void *context, uint32_t major, uint32_t minor,
				      const char *name),
			  void *context);
void diskstats_index_release(struct diskstats_index *index);
/* Forgets all lines: whenever slots may have changed. Keeps the memory. */
void diskstats_index_reset(struct diskstats_index *index);

/* What a text held. */
struct diskstats_summary {
	size_t lines;   /* well-formed ones */
	size_t refused; /* not empty and not well-formed */
	bool changed;   /* lines came, went or moved: a survey is due */
};

/*
 * Reads a whole text into `devices`, by slot; those that no line is of are left as they were.
 * No allocation while the lines stay the same.
 */
void diskstats_read(struct diskstats_index *index, const char *text, size_t len,
		    struct counters *devices, size_t n_devices, struct diskstats_summary *summary);

#endif
