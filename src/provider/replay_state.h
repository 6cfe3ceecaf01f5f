/*
 * What holds at a place in a recording: devices with their facts and members, and what the tick
 * that was read last says of each. Rows are applied to it one by one.
 */
#ifndef RAIDTOP_PROVIDER_REPLAY_STATE_H
#define RAIDTOP_PROVIDER_REPLAY_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "raidtop/events.h"
#include "raidtop/recording.h"
#include "raidtop/snapshot.h"
#include "raidtop/stream_view.h"
#include "raidtop/topology.h"
#include "replay_hist.h"

struct replay_member {
	struct member member;
	bool names_device; /* its device is the one named here, not the one of its own name */
	char device[DEVICE_NAME_BYTES];
};

struct replay_device {
	struct device *device; /* owned by the state's topology */
	char parent[DEVICE_NAME_BYTES];
	struct replay_member *members;
	size_t n_members, members_size;
	char (*on)[DEVICE_NAME_BYTES]; /* names of what it rests on; owned */
	size_t n_on, on_size;
	uint64_t told_at;    /* the tick in which it was told to be there */
	uint64_t sampled_at; /* the tick that has its newest sample */
	struct counters counters;
	int slot; /* where the topology that was surveyed has it, as far as is known */
};

struct replay_streams {
	struct stream_view *views;
	size_t n, size;
};

struct replay_events {
	struct event *ring;          /* EVENT_LOG_SIZE of them; NULL before the first */
	uint64_t first, given, last; /* [first, given) may be taken, up to last are of this tick */
};

struct replay_state {
	struct topology topology;      /* its members and parents are kept below */
	struct replay_device *devices; /* by the same index */
	size_t devices_size;
	struct topology blank; /* one device of which nothing is known */
	uint32_t *names;       /* a hash table of indices + 1, by name */
	size_t names_size, n_names;
	bool is_newer;      /* in a segment of a newer format: nothing of it is understood */
	bool changed;       /* something that a survey tells, since the last one */
	uint64_t tick;      /* the number of the one that is being read */
	uint64_t before;    /* that of the last one that was whole */
	size_t samples;     /* in this tick */
	bool opens_segment; /* this tick does */
	uint32_t missed_ticks;
	bool was_suspended;
	struct replay_streams streams;
	struct replay_events events;
	struct replay_hists hists;
	char text[8192]; /* a value without its escapes; of a stream the longest */
};

void replay_state_init(struct replay_state *s);
void replay_state_release(struct replay_state *s);
/* Forgets all devices, as before a jump to another place. */
void replay_state_clear(struct replay_state *s);

/* The rows that follow are of another tick. */
void replay_state_begin_tick(struct replay_state *s);
/*
 * Takes in a row. 0, -EBADMSG where it says something impossible (it is damaged), -ENOTSUP where
 * it is of a kind that a newer program writes.
 */
int replay_state_apply(struct replay_state *s, const struct record_row *row);
/* The kinds of rows that hold for longer than their tick, as bits 1 << enum record_kind. */
unsigned int replay_state_lasting_kinds(void);
/* The same, passing over what holds for one tick only: samples, streams, events. */
int replay_state_apply_lasting(struct replay_state *s, const struct record_row *row);
/* The tick is whole, or else it is not, and its rows will come again. */
void replay_state_end_tick(struct replay_state *s, bool is_whole);
/*
 * How many devices that should have a sample in this tick have none; 1 where it opens a segment
 * and has told of none so far.
 */
size_t replay_state_missing(const struct replay_state *s);

/* The topology as it holds now. */
void replay_state_survey(struct replay_state *s, struct topology *t);
/* The tick's counters by the slots of `t`, and its temperatures and progress into `t`. */
void replay_state_fill(struct replay_state *s, struct topology *t, struct snapshot *snapshot);

/* ---- parts of replay_state_apply ---- */

struct replay_device *replay_state_find(struct replay_state *s, const char *name);
/* A name in a column, made harmless; false where it does not fit. */
bool replay_name_of(const struct record_row *row, enum column c, char name[DEVICE_NAME_BYTES]);
/* A text in a column, made harmless, in s->text; false where it does not fit. */
bool replay_text_of(struct replay_state *s, const struct record_row *row, enum column c);

int replay_apply_link(struct replay_state *s, const struct record_row *row);
int replay_apply_sample(struct replay_state *s, const struct record_row *row);
int replay_apply_stream(struct replay_state *s, const struct record_row *row);
int replay_apply_hist(struct replay_state *s, const struct record_row *row);
int replay_apply_event(struct replay_state *s, const struct record_row *row);
int replay_apply_mark(struct replay_state *s, const struct record_row *row);

#endif
