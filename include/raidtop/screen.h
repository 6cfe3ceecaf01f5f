/*
 * The screen: what is shown, where the selection is, and how the keys' actions change that. Pure:
 * it draws a model on a surface and knows neither terminal nor provider.
 */
#ifndef RAIDTOP_SCREEN_H
#define RAIDTOP_SCREEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "raidtop/dialog.h"
#include "raidtop/events.h"
#include "raidtop/history.h"
#include "raidtop/insights.h"
#include "raidtop/rates.h"
#include "raidtop/stream_view.h"
#include "raidtop/surface.h"
#include "raidtop/topology.h"
#include "raidtop/units.h"

/* Replay only. */
struct transport {
	bool playing;
	double speed;
	uint64_t now_us, end_us; /* on the recording's axis */
	bool at_end;
	uint64_t damaged_lines;
};

/* A key and what it does, for the key line and the help page; comes from the key table. */
struct key_hint {
	const char *keys;  /* "s", "arrows hjkl" */
	const char *label; /* "stream": for the key line, NULL: only in the help */
	const char *help;  /* "start a direct sequential read of the selected device" */
};

/* Everything that a frame shows; owned by the caller, valid while it is drawn. */
struct screen_model {
	const struct topology *topology;
	const struct tick *tick; /* NULL before the first */
	const struct history *history;
	const struct insights *insights; /* NULL: none */
	const struct event_log *events;
	const struct stream_view *streams;
	size_t n_streams;
	uint64_t interval_ns;
	int64_t clock_ms;                  /* the header's clock: now, or the recorded time */
	const char *recording;             /* file that is being recorded, NULL */
	uint64_t recording_ns;             /* for how long */
	const struct transport *transport; /* NULL: live */
	bool paused;                       /* live and standing still */
	uint64_t missed_ticks;             /* so far */
	uint64_t late_ticks;
	const char *status; /* an answer to a key, shown before events; "" none */
	bool status_is_error;
	const struct key_hint *hints;
	size_t n_hints;
	const struct dialog *dialog; /* over the screen; NULL: none */
	const char *demo;            /* NULL, or a sentence that offers the demonstration */
	enum units units;
	bool utf8;
};

enum screen_page { PAGE_WATCH, PAGE_HELP };

/* Where the user stands. */
struct screen {
	enum screen_page page;
	int selected;       /* slot of the selected device, NO_SLOT: none */
	int selected_array; /* the array under which it is selected, or NO_SLOT */
	int top;            /* first line shown of the scrolled part */
	int help_top;
	unsigned int stream; /* number of the selected stream; 0: a device is selected, no stream */
	uint64_t freeze_end_us;         /* history end shown while paused; 0: the newest */
	struct screen_scratch *scratch; /* owned: rows and cells kept between frames */
};

void screen_init(struct screen *s);
void screen_release(struct screen *s);

/* Draws a frame. No allocation once warm for that size and topology. */
void screen_draw(struct screen *s, const struct screen_model *m, struct surface *surface);

/* Moves the selection by rows, pages (of the last drawn height) or to an end. */
enum screen_move {
	MOVE_UP,
	MOVE_DOWN,
	MOVE_PAGE_UP,
	MOVE_PAGE_DOWN,
	MOVE_HOME,
	MOVE_END,
};
void screen_move(struct screen *s, const struct screen_model *m, enum screen_move move);

/* From the devices to the newest stream and back. Whether a stream is selected now. */
bool screen_select_streams(struct screen *s, const struct screen_model *m);
/* To the stream `by` lines below. False where none is selected (any more). */
bool screen_move_stream(struct screen *s, const struct screen_model *m, int by);

#endif
