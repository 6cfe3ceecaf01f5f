/*
 * A load stream: one workload on one target, run by a worker process of its own, so that one
 * stuck in the kernel holds neither the screen nor the exit. Its statistics lie in shared memory.
 */
#ifndef RAIDTOP_STREAM_H
#define RAIDTOP_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "raidtop/stream_view.h"

struct stream;
struct barrier;

/* Which stream of all, and what it shall do. */
struct stream_order {
	unsigned int number; /* 1, 2, ... */
	unsigned int group;  /* number of the first that is started with it; 0: it is that itself */
	unsigned int copy;   /* 0 .. spec->copies - 1 */
	const struct stream_spec *spec;
	/* Those with the same barrier begin together; NULL: it begins by itself. */
	struct barrier *barrier;
	unsigned int place; /* at the barrier, 0, 1, ... */
};

/*
 * Starts a stream: opens the target here (so that a missing permission is told at once), spawns
 * this program as its worker and hands over the descriptor. Call it from the main thread (the
 * worker dies with the thread that spawned it). On failure `why` gets a sentence, and nobody waits
 * for it at the barrier. The stream holds the barrier for itself. 0 or -errno.
 */
int stream_start(const struct stream_order *order, struct stream **ret, char *why, size_t size);
/*
 * Orders, none of which waits. To end (a second time: not even to check what it wrote, where
 * verify asks for that); to begin no transfer until it is resumed; to keep to a rate, in the
 * units of its spec, 0 being none.
 */
void stream_stop(struct stream *s);
void stream_pause(struct stream *s);
void stream_resume(struct stream *s);
void stream_set_rate(struct stream *s, uint64_t rate_per_sec);
/* Takes in what it has done; call once a tick and after SIGCHLD. Never blocks. */
void stream_refresh(struct stream *s, uint64_t now_ns, struct stream_view *ret);
bool stream_is_over(const struct stream *s);
/* Ends the worker at once where it still runs, and forgets it. Never waits for one in D state. */
void stream_free(struct stream *s);

/*
 * What main() calls when the program was started as a worker; returns its exit status: 0, 1 where
 * the stream failed, 2 where nobody handed over what a worker needs (it was typed by a person).
 */
#define STREAM_WORKER_ARGUMENT "--stream-worker"
int stream_worker_main(int argc, char **argv);

#endif
