/*
 * The replay: a provider that feeds what a recording holds, tick by tick. It knows no clock: the
 * event loop asks when the next tick is due and calls sample() then.
 */
#ifndef RAIDTOP_REPLAY_H
#define RAIDTOP_REPLAY_H

#include <stddef.h>
#include <stdint.h>

#include "raidtop/events.h"
#include "raidtop/provider.h"
#include "raidtop/stream_view.h"

/*
 * Opens a recording. `why` gets a sentence: unreadable, not a recording, of a newer version.
 * 0 or -errno. The provider's survey() gives the topology at the position, dirty() says when the
 * recording changed it, sample() takes the next tick (-ENODATA at the end).
 */
int provider_replay_new(const char *path, struct provider **ret, char *why, size_t size);

/* All times on one axis that runs on over segments, from 0 at the recording's first tick. */
struct replay_position {
	uint64_t now_us;        /* of the tick sampled last */
	uint64_t next_us;       /* of the one that sample() would take; UNKNOWN_U64 at the end */
	uint64_t end_us;        /* of the last one in the file */
	int64_t realtime_ms;    /* of the tick sampled last */
	uint64_t damaged_lines; /* torn or damaged lines passed over so far */
	uint64_t unknown_lines; /* of kinds that a newer program writes */
};
void replay_where(const struct provider *p, struct replay_position *ret);

/*
 * Goes to the last tick at or before `axis_us`, such that the next sample() gives it. The caller
 * resets rates and history before; to fill them it seeks a little earlier and samples forward.
 */
int replay_seek(struct provider *p, uint64_t axis_us);

/* Events of the recording that sample() passed since the last call are added to the log. */
void replay_take_events(struct provider *p, struct event_log *log);
/* The streams at the position; returns how many. Owned by the provider until the next sample. */
size_t replay_streams(struct provider *p, const struct stream_view **ret);
/* Host and nominal interval (0 unknown) of the recording. */
uint64_t replay_interval_ns(const struct provider *p);

#endif
