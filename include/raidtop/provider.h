/* A provider: where the topology and the snapshots come from. One ops table each. */
#ifndef RAIDTOP_PROVIDER_H
#define RAIDTOP_PROVIDER_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "raidtop/events.h"
#include "raidtop/snapshot.h"
#include "raidtop/topology.h"

#define PROVIDER_MAX_FDS 8

struct provider_options {
	const char *root;        /* prefix of /proc and /sys, "" for the machine itself */
	uint64_t temperature_ns; /* how often temperatures are read; 0: never */
	bool show_all;           /* ram, zram and empty loop devices too */
};

struct provider;

struct provider_ops {
	const char *name;
	/*
	 * Surveys the machine into `t`, which the provider has not seen before. Called at the
	 * start and whenever `dirty` says that something may have changed. 0 or -errno.
	 */
	int (*survey)(struct provider *p, struct topology *t);
	/* Descriptors to wait on; returns how many (at most PROVIDER_MAX_FDS). */
	size_t (*poll_fds)(struct provider *p, struct pollfd *fds);
	/* What ppoll said of them: takes in events without blocking. */
	void (*dispatch)(struct provider *p, const struct pollfd *fds, size_t n);
	/* Whether a survey is due. */
	bool (*dirty)(struct provider *p);
	/*
	 * Fills the snapshot (reset by the callee to the topology's size) and brings the moving
	 * parts of the topology up to date: sync progress and temperatures. 0, -errno, or
	 * -ENODATA at the end of a recording. No allocation.
	 */
	int (*sample)(struct provider *p, struct topology *t, struct snapshot *s);
	void (*free)(struct provider *p);
};

/* Embedded first in each provider's own struct. */
struct provider {
	const struct provider_ops *ops;
};

/*
 * The provider of the operating system this is built for. `why` (of `size` bytes) gets a
 * sentence where it fails. 0 or -errno.
 */
int provider_system_new(const struct provider_options *options, struct provider **ret, char *why,
			size_t size);

static inline void provider_free(struct provider *p)
{
	if (p)
		p->ops->free(p);
}

#endif
