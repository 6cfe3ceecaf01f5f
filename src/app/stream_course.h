/* What becomes of a stream, tick by tick: its seconds, and what its device moved meanwhile. */
#ifndef RAIDTOP_STREAM_COURSE_H
#define RAIDTOP_STREAM_COURSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "raidtop/level_change.h"
#include "raidtop/rates.h"
#include "raidtop/stream_summary.h"
#include "raidtop/topology.h"

struct stream_course {
	struct stream_series series;
	uint64_t read_bytes;   /* that the stream had read at the last tick */
	uint64_t more_bytes;   /* that came with this one */
	uint64_t device_total; /* read by its device so far; UNKNOWN_U64 */
	/* Since it began: what all streams on the device read, and the device itself. */
	uint64_t window_bytes, device_bytes; /* the latter UNKNOWN_U64 once it was not known */
	bool has_begun;
	char note[96];
	double low, high; /* < 0: unknown */
	struct level_watch level;
	bool level_changed; /* in the newest tick it became certain; `change` tells of it */
	struct level_change change;
};

/* Begins with what the last tick (NULL: none yet) says of the stream's device. */
struct stream_course *stream_course_new(uint64_t interval_us, const char *device,
					const struct topology *t, const struct tick *tick);
/*
 * Takes in the views of one tick, all streams at once, since those on one device share what it
 * moved, and fills in each view's note, low, high, proof and disk_pct. `scratch` has room for
 * STREAM_VALUES_MAX; whether one went to another level is in its course. Without topology and tick
 * the device is not known to have moved anything. No allocation.
 */
void stream_courses_step(struct stream_course *const *courses, struct stream_view *views, size_t n,
			 const struct topology *t, const struct tick *tick, float *scratch);

#endif
