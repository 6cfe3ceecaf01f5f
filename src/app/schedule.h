/* When the next tick is due: absolute deadlines, so that lateness never adds up. */
#ifndef RAIDTOP_SCHEDULE_H
#define RAIDTOP_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

struct schedule {
	uint64_t interval_ns;
	uint64_t next_ns; /* CLOCK_MONOTONIC */
	uint64_t missed;  /* deadlines that passed without a tick, so far */
	uint64_t late;    /* ticks taken more than a tenth of the interval late, so far */
};

/* The first tick is due at once. */
void schedule_start(struct schedule *s, uint64_t interval_ns, uint64_t now_ns);
/* How long to wait: 0 when a tick is due. */
uint64_t schedule_wait_ns(const struct schedule *s, uint64_t now_ns);
/*
 * Whether a tick is due; then the next deadline is set, and *ret_missed says how many whole
 * deadlines passed before this one.
 */
bool schedule_take(struct schedule *s, uint64_t now_ns, uint32_t *ret_missed);

#endif
