/*
 * The schedule goes on while a transfer is slow, so those behind it are begun late, and count
 * their latency from when they were due: a load of that rate would have had to wait. It does not
 * go on for ever, though: what is more than a second late is taken off the schedule, or a disk that
 * stood still for a minute would then be given a minute's load at once.
 */
#include "pace.h"

#include "raidtop/clock.h"

#define LATE_NS_MAX NS_PER_SEC

void pace_set(struct pace *p, uint64_t rate_per_sec, uint64_t now_ns)
{
	*p = (struct pace){ .rate_per_sec = rate_per_sec, .due_ns = now_ns };
}

uint64_t pace_take(struct pace *p, uint64_t cost, uint64_t now_ns)
{
	uint64_t due, sum;

	if (p->rate_per_sec == 0)
		return 0;
	if (now_ns > LATE_NS_MAX && p->due_ns < now_ns - LATE_NS_MAX)
		p->due_ns = now_ns - LATE_NS_MAX;
	due = p->due_ns;
	sum = cost * NS_PER_SEC + p->rest; /* 64 bits do for blocks of 18 GB */
	p->due_ns += sum / p->rate_per_sec;
	p->rest = sum % p->rate_per_sec;
	return due;
}

void pace_shift(struct pace *p, uint64_t ns)
{
	p->due_ns += ns;
}
