/* The recording tick by tick: which rows are of one tick, and when a tick is whole. */
#ifndef RAIDTOP_PROVIDER_REPLAY_READER_H
#define RAIDTOP_PROVIDER_REPLAY_READER_H

#include <stdbool.h>
#include <stdint.h>

#include "replay_file.h"
#include "replay_index.h"
#include "replay_state.h"

/* A tick that was read. */
struct replay_tick {
	uint64_t at; /* its first row */
	struct replay_place place;
	uint64_t axis_us;
	int64_t realtime_ms;
	uint32_t segment; /* grows where time does not go on, also where the file's does not */
};

struct replay_reader {
	struct replay_file file;
	struct replay_index index;
	struct replay_state state;
	uint64_t next_at;   /* where the tick after the one in `state` begins */
	uint64_t judged_at; /* the row there was found to be no stray one */
	bool has_tick;      /* `tick` is one, and the next one continues it */
	struct replay_tick tick;
	struct replay_segment segment; /* that it is of */
	bool is_torn;                  /* the last tick of the file is not whole (yet) */
	uint64_t ended_size;           /* the file's, when there was no tick; 0: there was */
	uint64_t unknown_lines;
	uint64_t unknown_to;
};

/* Opens a recording at its first tick, which is not read yet. `why` gets a sentence. */
int replay_reader_open(struct replay_reader *r, const char *path, char *why, size_t size);
void replay_reader_close(struct replay_reader *r);
/* Reads the next tick into `state`; -ENODATA where the file holds none that is whole (yet). */
int replay_reader_next(struct replay_reader *r);
/* Goes to the last tick at or before that place on the axis and reads it, as above. */
int replay_reader_seek(struct replay_reader *r, uint64_t axis_us);

#endif
