/*
 * For tests of recordings: a machine made of random numbers, run through the real topology and
 * rates into a real sink, and everything that is known at a tick as text to compare.
 */
#ifndef RAIDTOP_TESTS_RECORDING_SUPPORT_H
#define RAIDTOP_TESTS_RECORDING_SUPPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "raidtop/events.h"
#include "raidtop/latency.h"
#include "raidtop/provider.h"
#include "raidtop/rates.h"
#include "raidtop/replay.h"
#include "raidtop/sink.h"
#include "raidtop/snapshot.h"
#include "raidtop/text.h"
#include "raidtop/topology.h"

/* xorshift: the same numbers everywhere. */
struct dice {
	uint64_t state;
};
uint64_t dice_roll(struct dice *d, uint64_t n); /* 0 .. n - 1 */
bool dice_says(struct dice *d, double probability);

#define MACHINE_DEVICES 12

/* One thing that the machine's kernel knows. */
struct machine_device {
	bool present;
	unsigned int incarnation; /* another disk under the same name has another one */
	uint64_t raw[COUNTER_COUNT];
	uint32_t valid;
	bool counts_nothing;
	int32_t temperature_mc;
	uint64_t temperature_at_us;
};

struct machine {
	struct dice dice;
	struct machine_device devices[MACHINE_DEVICES];
	bool dirty;
	unsigned int members_of_md0; /* bit per place: in sync */
	int rebuilding;              /* place in md0, or -1 */
	struct action action;
	uint64_t elapsed_us, slept_us;
	int64_t realtime_ms;
	/* the program's side */
	struct topology topology;
	struct event_log log;
	struct snapshot snapshot;
	struct rates *rates;
	const struct tick *tick;
	struct stream_view streams[2];
	size_t n_streams;
	unsigned int first_stream;
	struct latency latencies[2][2];
};

void machine_init(struct machine *m, uint64_t seed);
void machine_release(struct machine *m);
/* Time goes on and anything may happen. */
void machine_step(struct machine *m);
/* The same, but nothing happens: disks read. */
void machine_step_quietly(struct machine *m);

/*
 * All that is known of the present devices at a tick: fields, members, figures with each bit.
 * `totals`: the sum of disks with its counters, which begin with the run.
 */
void dump_tick(struct buffer *out, const struct topology *t, const struct tick *tick, bool totals);
void dump_streams(struct buffer *out, const struct stream_view *streams, size_t n);

/* A small machine without dice: md0 of sda1 and sdb; sda2 and loop1 are of no interest. */
enum { SMALL_SDA, SMALL_SDA1, SMALL_SDA2, SMALL_SDB, SMALL_LOOP1, SMALL_MD0, SMALL_SLOTS };

struct small {
	struct topology topology;
	struct event_log log;
	struct figures figures[SMALL_SLOTS + 1]; /* room for one more */
	struct tick tick;
};

void small_init(struct small *s);
void small_release(struct small *s);
/* Gives the tick to the sink: 0 or what it returns. */
int small_tick(struct small *s, struct sink *sink);
/* A second later: sda has read a megabyte. */
void small_go_on(struct small *s);
/*
 * Ends the recording and removes it, after comparing its last lines, shortened to the segment,
 * the elapsed time, the kind and `column=value` for each that is not empty.
 */
void small_assert_text(struct sink *sink, const char *path, const char *wanted);

/* A replay as the program drives it. */
struct player {
	struct provider *provider;
	struct topology topology;
	struct snapshot snapshot;
	struct rates *rates;
	const struct tick *tick;
	struct event_log log;
	struct replay_position at;
};

/* Opens a recording, or the test fails. */
void player_open(struct player *p, const char *path);
/* The same, but 0 or what provider_replay_new() says; close it where it is 0. */
int player_try(struct player *p, const char *path, char *why, size_t size);
void player_close(struct player *p);
/* Takes the next tick: 0, or what sample() says. */
int player_step(struct player *p);
/* Goes there and takes that tick. */
void player_seek(struct player *p, uint64_t axis_us);

/* What it shows, as dump_tick() and dump_streams(). */
void player_dump(struct buffer *out, struct player *p, bool totals);
/* Fails at the first line that differs, with what stands before it. */
void assert_same_text(const struct buffer *live, const struct buffer *replayed, size_t tick);

/* A directory of the test's own, removed with all in it by the second. */
const char *scratch_make(void);
void scratch_remove(void);
/* The path of a name in it; valid until the next call but three. */
const char *scratch_path(const char *name);
/* A whole file; its length too. */
char *read_whole(const char *path, size_t *ret_len);
void write_whole(const char *path, const void *data, size_t len);

/* A CSV sink to that path, or the test fails. */
struct sink *sink_to(const char *path);

#endif
