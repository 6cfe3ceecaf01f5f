/* The streams that run: started together, steered, refreshed each tick. */
#ifndef RAIDTOP_STREAMS_H
#define RAIDTOP_STREAMS_H

#include <stddef.h>
#include <stdint.h>

#include "raidtop/events.h"
#include "raidtop/rates.h"
#include "raidtop/stream.h"
#include "raidtop/files_clean.h"
#include "raidtop/stream_summary.h"
#include "raidtop/topology.h"

#define STREAMS_MAX 64

struct stream_course;

struct streams {
	struct stream *stream[STREAMS_MAX];
	struct stream_view view[STREAMS_MAX];      /* of the same index */
	struct stream_course *course[STREAMS_MAX]; /* of the same index */
	size_t n;
	unsigned int last_number;
	uint64_t interval_us;             /* at which they are refreshed */
	float scratch[STREAM_VALUES_MAX]; /* for their notes */
};

/* Refreshed every `interval_us`, as far as is known. */
void streams_init(struct streams *s, uint64_t interval_us);
/* Ends all of them at once; waits for none that hangs in the kernel. */
void streams_release(struct streams *s);
/*
 * Starts all copies of all specifications; they begin together, when the last of them has prepared
 * its files. Each gets spec.device from where its target lies, as far as `t` knows it; `tick` is
 * the last one. All or none: where one cannot be started, those before it are ended and `why` gets
 * a sentence. 0 or -errno. *ret_first (may be NULL) is the number of the first; the others follow
 * in order.
 */
int streams_start(struct streams *s, const struct stream_spec *specs, size_t n,
		  const struct topology *t, const struct tick *tick, struct event_log *log,
		  unsigned int *ret_first, char *why, size_t size);
/* Fills in spec->device from where its target lies, where that is known. */
void streams_find_place(struct stream_spec *spec, const struct topology *t);

/* The stream of that number, NULL where it is over and gone. */
const struct stream_view *streams_find(const struct streams *s, unsigned int number);
/* The number of the newest stream on a device that has not been asked to end; 0: there is none. */
unsigned int streams_newest_on(const struct streams *s, const char *name);
/* Orders to the stream of that number; false where there is none that could take them. */
bool streams_stop(struct streams *s, unsigned int number);
/* Pauses it or lets it go on; *ret_paused tells which. */
bool streams_toggle_pause(struct streams *s, unsigned int number, bool *ret_paused);
/* In the units of its specification; 0: no limit. */
bool streams_set_rate(struct streams *s, unsigned int number, uint64_t rate_per_sec);
/* Asks all to end. */
void streams_stop_all(struct streams *s);
/*
 * Ends all of them at once and takes away the files that need not stay, which is waited for so long
 * at most. 0, or -EBUSY where something is left, which has been told.
 */
#define STREAMS_PATIENCE_NS (5 * NS_PER_SEC)
int streams_end(struct streams *s, uint64_t patience_ns, struct files_report *report);
/*
 * Takes in what they have done, and judges it by what the devices did in the same tick (NULL: not
 * known). Streams that are over stay in view once, then go.
 */
void streams_refresh(struct streams *s, uint64_t now_ns, const struct topology *t,
		     const struct tick *tick, struct event_log *log);

#endif
