/* What insights keep between ticks: of each device, and of each array what only it has. */
#ifndef RAIDTOP_INSIGHTS_STATE_H
#define RAIDTOP_INSIGHTS_STATE_H

#include "raidtop/insights.h"
#include "raidtop/level_change.h"
#include "raidtop/no_answer.h"
#include "raidtop/seconds.h"
#include "raidtop/straggler.h"
#include "raidtop/sync_left.h"
#include "raidtop/traffic.h"

struct device_watch {
	struct device_insights is;
	struct traffic_window window;
	bool is_told;     /* that it gives no answer */
	int told_array;   /* which array it was said to block: its slot, or NO_SLOT */
	uint64_t told_us; /* for how long it was silent when it was last seen so */
};

/* A condition that begins and ends only when it has done so for some seconds. */
struct lasting {
	bool is_on;
	unsigned int n_against; /* seconds in a row that said otherwise */
};

struct member_watch {
	int device; /* whose it is: that of another begins anew */
	struct lasting slow;
};

/* The newest seconds of one series of an array. */
struct value_ring {
	float values[INSIGHTS_NOTE_VALUES];  /* bytes per second; NAN: a gap */
	float seconds[INSIGHTS_NOTE_VALUES]; /* how long each was */
	bool demanded[INSIGHTS_NOTE_VALUES];
	size_t n;     /* since the last gap */
	double scale; /* what they are to be multiplied by to be the array's; NAN: not known */
};

struct array_watch {
	struct array_insights is;
	uint64_t shape;                 /* a hash of all that its ratios depend on */
	uint64_t same_us;               /* for how long that has not changed */
	struct straggler_trail *trails; /* by member, as are these: */
	struct member_insights *members;
	struct member_watch *watches;
	size_t capacity;
	double write_scale; /* what members wrote times this is the array's; NAN: not known */
	struct lasting rmw;
	struct sync_left sync;
	struct level_watch level[SERIES_COUNT];
	struct value_ring ring[SERIES_COUNT];
};

struct insights {
	struct seconds_fold clock;    /* tells when a second is over, for all devices at once */
	struct device_watch *devices; /* by slot */
	struct answer_watch *answers; /* by slot */
	struct array_watch **arrays;  /* by slot; NULL where there never was one */
	uint64_t interval_us;         /* nominal; 0: not known */
	size_t n_devices, capacity;
	uint32_t segment; /* of the last step */
	bool any_silent;  /* at the last step: who gives no answer, or was told to */
	/* Room for the members of the one array that is looked at. */
	struct traffic *seconds, *windows;
	float *floats;
	double *read_pct, *write_pct;
	size_t members_capacity;
};

/* What a step is about. */
struct insights_step {
	struct insights *ins;
	const struct topology *t;
	const struct tick *tick;
	struct event_log *log; /* NULL: nobody listens */
};

/* Nothing is known of an array any more; its memory stays. */
void insights_forget_array(struct array_watch *w);

/* insights_answer.c: who gives no answer, and whom that blocks; each tick. */
void insights_answers(const struct insights_step *step);

/* insights_array.c: a second of an array is over; that of all windows has been closed. */
void insights_array_second(const struct insights_step *step, int slot);
/* Instead, where there is a gap: `n` seconds of which nothing is known. */
void insights_array_gap(const struct insights_step *step, int slot, unsigned int n);

/*
 * insights_tell.c: what has begun or ended in that second, and to what level a series went; times
 * `scale` (NAN: not known) it is the array's bytes per second.
 */
void insights_tell_members(const struct insights_step *step, int slot);
void insights_tell_rmw(const struct insights_step *step, int slot);
void insights_tell_level(const struct insights_step *step, int slot, enum series series,
			 double value, double scale);

#endif
