/* What the interactive program holds: shared by the loop (watch.c) and the keys (keys.c). */
#ifndef RAIDTOP_WATCH_STATE_H
#define RAIDTOP_WATCH_STATE_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "player.h"
#include "raidtop/screen.h"
#include "raidtop/terminal.h"
#include "schedule.h"
#include "session.h"

struct watch {
	struct session session;
	struct schedule schedule;
	struct player player; /* of a replay */
	struct screen screen;
	struct surface surface;
	struct terminal *terminal;
	struct screen_model model;
	struct dialog dialog; /* of a new stream; open where the model has it */
	struct transport transport;
	sigset_t wait_mask;
	bool quit;
	bool must_draw;
	bool paused;             /* live: the picture stands, sampling goes on */
	struct tick paused_tick; /* its own copy of the figures shown meanwhile */
	uint64_t surveyed_ns;    /* when a survey was last made between ticks */
	uint64_t drawn_ns;
	int status;       /* the exit status */
	char answer[512]; /* to a key, shown in the status line */
	bool answer_is_error;
	uint64_t answered_ns;
};

/* Puts a sentence into the status line. */
void watch_answer(struct watch *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
void watch_answer_error(struct watch *w, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Live: freezes the picture or lets it go on. */
void watch_set_paused(struct watch *w, bool paused);
/* Replay: goes to a place on the recording's axis, with the history before it filled in. */
void watch_seek(struct watch *w, uint64_t axis_us);
/* Replay: takes the next tick whatever the playhead says; false at the end. */
bool watch_step(struct watch *w);

/* What a key does; the key table in keys.c. */
void keys_press(struct watch *w, int key);
/* The table as hints for the key line and the help page, for this kind of session. */
const struct key_hint *keys_hints(bool is_replay, size_t *ret_n);

#endif
