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
/* Starts a direct sequential read of /dev/`kernel_name`. `why` gets a sentence. 0 or -errno. */
int streams_start_read(struct streams *s, const char *name, const char *kernel_name,
		       const struct topology *t, const struct tick *tick, struct event_log *log,
		       char *why, size_t size);
/* Asks the newest running stream on the device to end: its number, or 0 where none runs. */
unsigned int streams_stop_on(struct streams *s, const char *name);
/* Asks all to end. */
void streams_stop_all(struct streams *s);
/*
 * Ends all of them at once and takes away the files that need not stay, which is waited for some
 * seconds at most. 0, or -EBUSY where something is left, which has been told.
 */
int streams_end(struct streams *s, struct files_report *report);
/*
 * Takes in what they have done, and judges it by what the devices did in the same tick (NULL: not
 * known). Streams that are over stay in view once, then go.
 */
void streams_refresh(struct streams *s, uint64_t now_ns, const struct topology *t,
		     const struct tick *tick, struct event_log *log);

#endif
