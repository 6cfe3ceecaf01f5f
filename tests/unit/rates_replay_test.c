/*
 * A machine to which everything happens, and the replay of what a recording keeps of it: the same
 * figures to the last bit, and nothing allocated on the way.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "rates_bench.h"
#include "raidtop/memory.h"
#include "raidtop/text.h"

#define DEVICES 11
#define TICKS 3000

static uint64_t next_random(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return *seed >> 33;
}

/*
 * Disks 0..3, md0 on the first two that counts, md1 on the others that does not; a map on md0, a
 * loop device on the map, and a disk that counts on its two paths alone.
 */
static void build(struct bench *b)
{
	struct device *md;

	bench_init(b);
	for (int i = 0; i < 4; i++)
		topology_add_device(&b->t, DEVICE_DISK, (const char *[]){ "a", "b", "c", "d" }[i]);
	for (int i = 0; i < 2; i++) {
		md = topology_add_array(&b->t, i ? "md1" : "md0");
		md->array->state = ARRAY_ACTIVE;
		text_copy(md->array->level, sizeof(md->array->level), "raid0");
		bench_add_member(md->array, "x", 2 * i, MEMBER_IN_SYNC);
		bench_add_member(md->array, "y", 2 * i + 1, MEMBER_IN_SYNC);
	}
	topology_add_device(&b->t, DEVICE_DISK, "dm-0");
	topology_add_device(&b->t, DEVICE_DISK, "loop0");
	topology_add_stand(&b->t, 6, 4);
	topology_add_stand(&b->t, 7, 6);
	topology_add_device(&b->t, DEVICE_DISK, "nvme0n1");
	topology_add_device(&b->t, DEVICE_PATH, "nvme0c0n1")->parent = 8;
	topology_add_device(&b->t, DEVICE_PATH, "nvme0c1n1")->parent = 8;
	snapshot_reset(&b->s, DEVICES);
	b->s.boottime_us = 77;
}

/* A second of a machine to which everything happens. */
static void live_tick(struct bench *b, uint64_t *seed)
{
	for (int i = 0; i < DEVICES; i++) {
		struct counters *c = bench_counters(b, i);
		bool is_there = c->valid != 0;

		if (next_random(seed) % 50 == 0)
			c->valid = is_there ? 0 : ALL_COUNTERS;
		if (next_random(seed) % 100 == 0)
			memset(c->value, 0, sizeof(c->value));
		if (i == 5 || i == 8) { /* counts nothing */
			memset(c->value, 0, sizeof(c->value));
			continue;
		}
		for (enum counter k = 0; k < COUNTER_COUNT; k++) {
			c->value[k] += next_random(seed) % 1000000 * MS;
			if (counter_descriptions[k].kind == COUNTER_KIND_MS32)
				c->value[k] %= MS << 32;
		}
	}
	b->s.missed_ticks = next_random(seed) % 40 == 0;
	b->s.boottime_us += next_random(seed) % 40 == 0 ? SECOND : 0;
	if (next_random(seed) % 200 == 0) {
		b->s.segment++;
		b->s.elapsed_us = 0;
	}
	bench_step(b, SECOND + next_random(seed) % 1000);
}

static void assert_same_figures(const struct figures *a, const struct figures *b)
{
	assert_int_equal(a->gap, b->gap);
	assert_int_equal(a->valid, b->valid);
	assert_int_equal(a->derived, b->derived);
	assert_int_equal(a->totals.valid, b->totals.valid);
	for (enum rate k = 0; k < RATE_COUNT; k++)
		if (figures_has(a, k))
			assert_memory_equal(&a->value[k], &b->value[k], sizeof(double));
	for (enum counter c = 0; c < COUNTER_COUNT; c++)
		if (counters_has(&a->totals, c))
			assert_int_equal(a->totals.value[c], b->totals.value[c]);
}

static void a_replay_of_totals_gives_the_same_bits(void **state)
{
	struct bench live, replay;
	uint64_t seed = 42;
	size_t rates = 0, gaps = 0, derived = 0;

	(void)state;
	build(&live);
	build(&replay);
	replay.s.unwrapped = true;
	for (int n = 0; n < TICKS; n++) {
		live_tick(&live, &seed);
		replay.s.elapsed_us = live.s.elapsed_us;
		replay.s.boottime_us = live.s.boottime_us;
		replay.s.segment = live.s.segment;
		replay.s.missed_ticks = live.s.missed_ticks;
		for (int i = 0; i < DEVICES; i++)
			replay.s.devices[i] = bench_figures(&live, i)->totals;
		replay.tick = rates_step(replay.rates, &replay.t, &replay.s);
		assert_int_equal(live.tick->gap, replay.tick->gap);
		assert_int_equal(live.tick->interval_us, replay.tick->interval_us);
		for (int i = 0; i < DEVICES; i++) {
			assert_same_figures(bench_figures(&live, i), bench_figures(&replay, i));
			rates += bench_figures(&live, i)->gap == GAP_NONE;
			gaps += bench_figures(&live, i)->gap == GAP_RESET;
			derived += bench_figures(&live, i)->derived;
		}
		assert_same_figures(&live.tick->total, &replay.tick->total);
	}
	print_message("  %zu rates, %zu resets, %zu derived\n", rates, gaps, derived);
	assert_true(rates > TICKS && gaps > TICKS / 100 && derived > TICKS / 4);
	bench_release(&live);
	bench_release(&replay);
}

static void a_tick_allocates_nothing(void **state)
{
	uint64_t seed = 7;
	struct bench b;
	size_t before;

	(void)state;
	build(&b);
	live_tick(&b, &seed);
	before = memory_allocations();
	for (int i = 0; i < 1000; i++)
		live_tick(&b, &seed);
	assert_int_equal(memory_allocations() - before, 0);
	bench_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_replay_of_totals_gives_the_same_bits),
		cmocka_unit_test(a_tick_allocates_nothing),
	};

	return cmocka_run_group_tests_name("rates_replay", tests, NULL, NULL);
}
