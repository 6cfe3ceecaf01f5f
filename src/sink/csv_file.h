/* The file, pipe or device that a recording is written to. */
#ifndef RAIDTOP_SINK_CSV_FILE_H
#define RAIDTOP_SINK_CSV_FILE_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct csv_file {
	int fd;
	bool is_own;     /* opened here, and so to be closed */
	bool is_new;     /* it was not there before */
	bool is_regular; /* keeps no writer waiting */
	bool can_sync;
	/* In place while a reader is waited for: what it lets in ends the wait. NULL: nothing. */
	const sigset_t *wait_mask;
	uint64_t size; /* bytes written whole */
};

/* Opens or makes it. `why` gets a sentence. 0 or -errno. */
int csv_file_open(struct csv_file *f, const char *path, bool force, char *why, size_t size);
/*
 * Writes all of it with one call where the system lets it. Where it fails, a file of our own is
 * cut back to what was written whole before. 0 or -errno; -EINTR by a signal that `wait_mask` lets
 * in, while a pipe's reader took nothing.
 */
int csv_file_write(struct csv_file *f, const void *data, size_t len);
/* Brings it to the disk; nothing for pipes and devices. 0 or -errno. */
int csv_file_sync(struct csv_file *f);
int csv_file_close(struct csv_file *f);

#endif
