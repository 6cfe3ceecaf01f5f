/* /proc/mdstat on a descriptor that stays open, and what it said last. */
#ifndef RAIDTOP_PROVIDER_LINUX_MDSTAT_SOURCE_H
#define RAIDTOP_PROVIDER_LINUX_MDSTAT_SOURCE_H

#include "mdstat.h"
#include "raidtop/text.h"

struct mdstat_source {
	int fd; /* -1: md is not there (yet) */
	struct buffer text;
	struct mdstat parsed; /* empty where there is no text */
};

void mdstat_source_init(struct mdstat_source *m);
void mdstat_source_release(struct mdstat_source *m);

/*
 * Reads it anew, opening ROOT/proc/mdstat where that is not done yet. Reading also arms the
 * descriptor: POLLPRI on it means that an array has changed since.
 */
void mdstat_source_read(struct mdstat_source *m, const char *root);

#endif
