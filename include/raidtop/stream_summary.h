/*
 * What a stream's course comes to (STATISTICS.md): its one-second values while it runs, and from
 * them mean, low, high, dips, warm-up, steady state and confidence; for streams that ran side by
 * side, their sum over the union of their times.
 */
#ifndef RAIDTOP_STREAM_SUMMARY_H
#define RAIDTOP_STREAM_SUMMARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "raidtop/confidence.h"
#include "raidtop/latency.h"
#include "raidtop/notes.h"
#include "raidtop/seconds.h"
#include "raidtop/settling.h"
#include "raidtop/stream_view.h"

/* Of a longer run the newest values are judged; its mean is of all. */
#define STREAM_VALUES_MAX 3600

/* Plain memory; bytes a second, or files a second of a workload that counts those. */
struct stream_series {
	float values[STREAM_VALUES_MAX]; /* NAN: a pause */
	size_t n;
	size_t n_dropped; /* the oldest, that there was no room for */
	struct seconds_fold fold;
	uint64_t amount;     /* bytes or files at the last sample */
	uint64_t running_ns; /* at the last sample */
};

/* What a stream has done so far, in what its series counts. */
uint64_t stream_amount(const struct stream_view *v);

/* For samples that come every `interval_us`. */
void stream_series_init(struct stream_series *s, uint64_t interval_us);
/* Takes in where the stream stands; a pause ends a value. Returns whether a value was added. */
bool stream_series_add(struct stream_series *s, const struct stream_view *v);
/*
 * The same for the sum of streams: `views` are all that ever belonged to it, those that are over
 * with their last figures. A time in which none ran is a gap.
 */
bool stream_series_add_sum(struct stream_series *s, const struct stream_view *views, size_t n);
/* At the end: what is left over becomes a value if it is long enough. */
void stream_series_end(struct stream_series *s);

/* Time from first to last I/O of each, pauses included; what several share is counted once. */
uint64_t stream_union_ns(const struct stream_view *views, size_t n);

struct stream_summary {
	size_t n_values, n_dropped;
	double slot_s;       /* what a value stands for */
	double mean;         /* of all, amount over time; NAN: it did not run */
	double mean_to_disk; /* of what writes, with the last fdatasync; NAN */
	struct note note;    /* band.low, band.peak, dips, words */
	/* Of the longest stretch without a pause: */
	struct warmup warmup;
	double settled_mean;          /* of the values after the warm-up; NAN */
	struct confidence confidence; /* of those */
	bool has_steady;              /* there are five rounds to judge */
	struct steady_state steady;   /* of five parts of those alike */
};

/* `scratch` has room for as many floats as the series has values. No allocation. */
void stream_summary_compute(struct stream_summary *ret, const struct stream_series *s,
			    float *scratch);
/* What the writer's last fdatasync makes of its mean. */
void stream_summary_take_sync(struct stream_summary *ret, const struct stream_view *v);

/* Words, low and peak alone, for the screen. */
void stream_series_note(const struct stream_series *s, float *scratch, struct note *ret);

struct latency_summary {
	uint64_t count; /* 0: nothing of the rest means anything */
	uint64_t p50_ns, p95_ns, p99_ns, p999_ns, max_ns;
};

/* NULL is an empty one. */
void latency_summarize(struct latency_summary *ret, const struct latency *l);

/* Streams that ran side by side. */
struct stream_group_times {
	uint64_t union_ns;
	uint64_t first_finish_ns, last_finish_ns; /* since the first of them began */
};
/* False, nothing written, where none has begun. */
bool stream_group_times(struct stream_group_times *ret, const struct stream_view *views, size_t n);

#endif
