/* A rate as a schedule: when each transfer is due. Plain arithmetic, no clock of its own. */
#ifndef LOAD_PACE_H
#define LOAD_PACE_H

#include <stdint.h>

struct pace {
	uint64_t rate_per_sec; /* 0: none, all is due at once */
	uint64_t due_ns;       /* when the next one is */
	uint64_t rest;         /* of the division, so that nothing is lost over millions */
};

/* From now on that rate; what was late under the one before is forgiven. */
void pace_set(struct pace *p, uint64_t rate_per_sec, uint64_t now_ns);
/* A transfer of that cost is begun: when it was due. 0 without a rate. */
uint64_t pace_take(struct pace *p, uint64_t cost, uint64_t now_ns);
/* Everything that is still to come is due that much later (after a pause). */
void pace_shift(struct pace *p, uint64_t ns);

#endif
