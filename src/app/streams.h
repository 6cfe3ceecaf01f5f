/* The streams that run: started and stopped from the screen, refreshed each tick. */
#ifndef RAIDTOP_STREAMS_H
#define RAIDTOP_STREAMS_H

#include <stddef.h>
#include <stdint.h>

#include "raidtop/events.h"
#include "raidtop/stream.h"

#define STREAMS_MAX 64

struct streams {
	struct stream *stream[STREAMS_MAX];
	struct stream_view view[STREAMS_MAX]; /* of the same index */
	size_t n;
	unsigned int last_number;
};

void streams_init(struct streams *s);
/* Ends all of them at once; waits for none that hangs in the kernel. */
void streams_release(struct streams *s);
/* Starts a direct sequential read of /dev/`kernel_name`. `why` gets a sentence. 0 or -errno. */
int streams_start_read(struct streams *s, const char *name, const char *kernel_name,
		       struct event_log *log, char *why, size_t size);
/* Asks the newest running stream on the device to end: its number, or 0 where none runs. */
unsigned int streams_stop_on(struct streams *s, const char *name);
/* Takes in what they have done. Streams that are over stay in view once, then go. */
void streams_refresh(struct streams *s, uint64_t now_ns, struct event_log *log);

#endif
