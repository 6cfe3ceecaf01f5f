/* The machine does nothing by itself: what a test does not move stands still. */
#include "rates_bench.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

void bench_init(struct bench *b)
{
	topology_init(&b->t);
	snapshot_init(&b->s);
	b->rates = rates_new();
	b->tick = NULL;
}

void bench_release(struct bench *b)
{
	rates_free(b->rates);
	snapshot_release(&b->s);
	topology_release(&b->t);
}

struct counters *bench_counters(struct bench *b, int slot)
{
	return &b->s.devices[slot];
}

void bench_add(struct bench *b, int slot, enum counter which, uint64_t growth)
{
	struct counters *c = bench_counters(b, slot);

	counters_set(c, which, c->value[which] + growth);
}

/* All devices there, all counters at `value`. */
void bench_start(struct bench *b, uint64_t value)
{
	snapshot_reset(&b->s, b->t.n_devices);
	for (size_t i = 0; i < b->t.n_devices; i++) {
		for (enum counter c = 0; c < COUNTER_COUNT; c++)
			b->s.devices[i].value[c] = value;
		b->s.devices[i].valid = ALL_COUNTERS;
	}
	b->s.elapsed_us = SECOND;
	b->s.boottime_us = 500 * SECOND;
	b->tick = rates_step(b->rates, &b->t, &b->s);
}

/* Time goes on by so much, awake; then a tick. */
void bench_step(struct bench *b, uint64_t us)
{
	b->s.elapsed_us += us;
	if (b->s.boottime_us != UNKNOWN_U64)
		b->s.boottime_us += us;
	b->tick = rates_step(b->rates, &b->t, &b->s);
}

const struct figures *bench_figures(const struct bench *b, int slot)
{
	return &b->tick->devices[slot];
}

void assert_rate(const struct figures *f, enum rate which, double value)
{
	assert_true(figures_has(f, which));
	if (!(fabs(f->value[which] - value) <= 1e-9 + value * 1e-12))
		fail_msg("%s is %g, not %g", rate_descriptions[which].column, f->value[which],
			 value);
}

struct member *bench_add_member(struct array *a, const char *name, int device,
				enum member_state state)
{
	struct member *m = array_add_member(a, name);

	m->device = device;
	m->state = state;
	return m;
}
