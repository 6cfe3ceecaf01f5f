/*
 * Insights: what the figures of the last seconds say of each device and each array. Who gives no
 * answer, who stands apart from its peers, what a byte costs the members, how a series wavers and
 * when it went to another level; each as its own header defines it (no_answer.h, straggler.h,
 * amplification.h, balance.h, notes.h, level_change.h, sync_left.h). Here they are stepped
 * together, on one clock, and what begins and ends is told.
 */
#ifndef RAIDTOP_INSIGHTS_H
#define RAIDTOP_INSIGHTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "raidtop/amplification.h"
#include "raidtop/balance.h"
#include "raidtop/events.h"
#include "raidtop/history.h"
#include "raidtop/notes.h"
#include "raidtop/rates.h"
#include "raidtop/topology.h"

/* Notes are of at most so many of the newest one-second values, and of at least so many. */
#define INSIGHTS_NOTE_VALUES 60
#define INSIGHTS_NOTE_LEAST 10

struct device_insights {
	/*
	 * Requests are in flight and none has completed for 3 s or more. Where that is of another
	 * device's making it is said of that one alone: of the partition that is an array's member
	 * and not of its disk, of the member and not of its array.
	 */
	bool no_answer;
	uint64_t silent_us; /* for how long, where no_answer; else 0 */
};

struct member_insights {
	bool is_straggler;
	double await_times;     /* its await in the last late second, in medians */
	double busy_pct;        /* where it was late by being busy alone, else 0 */
	double read_share_pct;  /* of what the members read in 10 s; NAN: not known */
	double write_share_pct; /* the same of writes */
};

struct array_insights {
	/*
	 * The device that blocks it, by giving no answer: of arrays on arrays the one at the
	 * bottom. NO_SLOT: none.
	 */
	int blocked_by;
	uint64_t blocked_us; /* for how long that one gives no answer; 0 where none does */
	/* Index of the member that stands apart, of several the slowest; NO_MEMBER: none. */
	size_t straggler;
	struct amplification amplification; /* of the last 10 s; NAN where it is not known */
	double expected_writes;             /* what amplification.writes should be; NAN */
	bool reads_before_writing;          /* read-modify-write, for some seconds now */
	struct balance balance;
	bool time_left_known; /* of a sync, at the measured speed */
	uint64_t time_left_ns;
	const struct member_insights *members; /* of array->members[i]; n_members of them */
	size_t n_members;
};

#define NO_MEMBER SIZE_MAX

struct insights;

/* For ticks that come every `interval_us`; 0: not known. */
struct insights *insights_new(uint64_t interval_us);
void insights_free(struct insights *ins);
/* Forgets everything, as after a jump in a replay. */
void insights_reset(struct insights *ins);

/*
 * The next tick. What begins and ends is told to `log` (NULL: nobody listens). No allocation
 * unless the topology grew.
 */
void insights_step(struct insights *ins, const struct topology *t, const struct tick *tick,
		   struct event_log *log);

/* Valid until the next step; of a slot that is not known: nothing is. */
const struct device_insights *insights_device(const struct insights *ins, int slot);
/* The same of an array; of a device that is none: nothing is known. */
const struct array_insights *insights_array(const struct insights *ins, int slot);
/*
 * The words for how an array's series wavers, judged when they are asked for: of its newest
 * seconds in which load was demanded throughout, writes on what the members wrote. NOTE_NONE where
 * nothing moved, or nobody knows; NOTE_DEMAND_VARIES where they are too few.
 */
void insights_note(const struct insights *ins, int slot, enum series series, struct note *ret);
/* Of member `member` of the array in that slot. */
const struct member_insights *insights_member(const struct insights *ins, int slot, size_t member);

#endif
