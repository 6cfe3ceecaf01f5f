/*
 * A replay shows what was recorded: thousands of ticks of a machine where everything happens,
 * through the real sink and back, must give the same topology and the same bits of each figure.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "raidtop/memory.h"
#include "raidtop/replay.h"
#include "recording_support.h"

/* ---- the long comparison ---- */

/* Steps the machine and writes what it shows; all is kept as text by tick. */
static struct buffer *record(const char *path, uint64_t seed, size_t before, size_t ticks,
			     bool totals, struct event_log *ret_log)
{
	struct buffer *dumps = calloc(ticks, sizeof(*dumps));
	struct machine m;
	struct sink *sink = sink_to(path);

	assert_non_null(dumps);
	machine_init(&m, seed);
	for (size_t i = 0; i < before; i++)
		machine_step(&m);
	for (size_t i = 0; i < ticks; i++) {
		machine_step(&m);
		assert_int_equal(
			sink->ops->tick(sink, &m.topology, m.tick, &m.log, m.streams, m.n_streams),
			0);
		buffer_init(&dumps[i]);
		dump_tick(&dumps[i], &m.topology, m.tick, totals);
		dump_streams(&dumps[i], m.streams, m.n_streams);
	}
	assert_int_equal(sink->ops->close(sink), 0);
	*ret_log = m.log;
	machine_release(&m);
	return dumps;
}

static void free_dumps(struct buffer *dumps, size_t n)
{
	for (size_t i = 0; i < n; i++)
		buffer_release(&dumps[i]);
	free(dumps);
}

/* The newest event at or before that number that is none of a gap, which the machine logs not. */
static const struct event *event_before(const struct event_log *log, uint64_t number)
{
	const struct event *e = event_log_get(log, number);

	while (e && e->kind == EVENT_GAP)
		e = event_log_get(log, e->number - 1);
	return e;
}

/* Backwards from the newest, as far as both logs reach. */
static void assert_same_events(const struct event_log *live, const struct event_log *replayed)
{
	const struct event *a = event_before(live, live->last);
	const struct event *b = event_before(replayed, replayed->last);
	size_t n = 0;

	while (a && b) {
		assert_int_equal(a->kind, b->kind);
		assert_string_equal(a->name, b->name);
		assert_string_equal(a->parent, b->parent);
		assert_string_equal(a->text, b->text);
		a = event_before(live, a->number - 1);
		b = event_before(replayed, b->number - 1);
		n++;
	}
	assert_true(n > 20);
}

static void assert_replays(uint64_t seed, size_t before, size_t ticks)
{
	const char *path = scratch_path("long.csv");
	struct event_log log;
	struct buffer *dumps = record(path, seed, before, ticks, before == 0, &log),
		      now = BUFFER_INIT;
	struct player p;

	player_open(&p, path);
	for (size_t i = 0; i < ticks; i++) {
		assert_int_equal(player_step(&p), 0);
		player_dump(&now, &p, before == 0);
		if (before == 0 || i > 0) /* a recording that begins later has no rates at first */
			assert_same_text(&dumps[i], &now, i);
	}
	assert_int_equal(player_step(&p), -ENODATA);
	assert_int_equal(p.at.damaged_lines, 0);
	assert_int_equal(p.at.unknown_lines, 0);
	assert_true(p.at.next_us == UNKNOWN_U64);
	assert_int_equal(p.at.now_us, p.at.end_us);
	assert_same_events(&log, &p.log);
	player_close(&p);
	buffer_release(&now);
	free_dumps(dumps, ticks);
	unlink(path);
}

static void a_run_replays_bit_by_bit(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 4; seed++) {
		print_message("  seed %d\n", (int)seed);
		assert_replays(seed, 0, 1500);
	}
}

static void a_recording_begun_in_mid_run_too(void **state)
{
	(void)state;
	for (uint64_t seed = 11; seed <= 14; seed++) {
		print_message("  seed %d\n", (int)seed);
		assert_replays(seed, 300, 500);
	}
}

/* A raid0 that shows nothing of the little that its disks do: known only after a long time. */
static const struct tick *step_striped(struct topology *t, struct snapshot *s, struct rates *r)
{
	static const enum counter idle[] = { COUNTER_READ_IOS, COUNTER_READ_BYTES,
					     COUNTER_WRITE_IOS, COUNTER_WRITE_BYTES };
	uint64_t elapsed_us = s->elapsed_us + 1000000;

	snapshot_reset(s, t->n_devices);
	s->elapsed_us = s->boottime_us = elapsed_us;
	for (size_t k = 0; k < sizeof(idle) / sizeof(idle[0]); k++) {
		for (size_t i = 0; i < 2; i++)
			counters_set(&s->devices[i], idle[k], elapsed_us / 1000);
		counters_set(&s->devices[2], idle[k], 0);
	}
	return rates_step(r, t, s);
}

static void what_counts_nothing_is_known_from_the_first(void **state)
{
	const char *path = scratch_path("striped.csv");
	struct sink *sink = sink_to(path);
	struct rates *rates = rates_new();
	struct event_log log;
	struct topology t;
	struct snapshot s;
	struct player p;
	struct array *a;

	(void)state;
	event_log_init(&log);
	topology_init(&t);
	snapshot_init(&s);
	topology_add_device(&t, DEVICE_DISK, "sda");
	topology_add_device(&t, DEVICE_DISK, "sdb");
	a = topology_add_array(&t, "md0")->array;
	text_copy(a->level, sizeof(a->level), "raid0");
	a->state = ARRAY_ACTIVE;
	array_add_member(a, "sda")->device = 0;
	array_add_member(a, "sdb")->device = 1;
	for (int i = 0; i < 1000; i++)
		step_striped(&t, &s, rates);
	for (int i = 0; i < 3; i++) {
		const struct tick *tick = step_striped(&t, &s, rates);

		assert_true(tick->devices[2].derived);
		assert_int_equal(sink->ops->tick(sink, &t, tick, &log, NULL, 0), 0);
	}
	assert_int_equal(sink->ops->close(sink), 0);
	player_open(&p, path);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(player_step(&p), 0);
		assert_int_equal(p.tick->devices[2].derived, i > 0);
		if (i > 0)
			assert_true(p.tick->devices[2].value[RATE_READ_BYTES] == 2000);
	}
	player_close(&p);
	rates_free(rates);
	topology_release(&t);
	snapshot_release(&s);
	unlink(path);
}

static void a_member_need_not_be_the_device_of_its_name(void **state)
{
	const char *path = scratch_path("member.csv");
	struct sink *sink = sink_to(path);
	struct small s;
	struct player p;
	const struct array *a;

	(void)state;
	small_init(&s);
	s.topology.devices[SMALL_MD0]->array->members[1].device = NO_SLOT;
	array_add_member(s.topology.devices[SMALL_MD0]->array, "old name")->device = SMALL_SDB;
	assert_int_equal(small_tick(&s, sink), 0);
	assert_int_equal(sink->ops->close(sink), 0);
	small_release(&s);
	player_open(&p, path);
	assert_int_equal(player_step(&p), 0);
	a = p.topology.devices[p.topology.n_devices - 1]->array;
	assert_non_null(a);
	assert_int_equal(a->n_members, 3);
	assert_string_equal(a->members[1].name, "sdb");
	assert_int_equal(a->members[1].device, NO_SLOT);
	assert_string_equal(p.topology.devices[a->members[2].device]->name, "sdb");
	player_close(&p);
	unlink(path);
}

/* ---- going to places ---- */

static void any_place_can_be_gone_to(void **state)
{
	enum { TICKS = 4500, SEEKS = 60 };
	const char *path = scratch_path("seek.csv");
	struct event_log log;
	struct buffer *dumps = record(path, 21, 0, TICKS, false, &log), now = BUFFER_INIT;
	uint64_t *axis = calloc(TICKS, sizeof(*axis));
	struct dice dice = { 99 };
	struct player p;

	(void)state;
	assert_non_null(axis);
	player_open(&p, path);
	for (size_t i = 0; i < TICKS; i++) {
		assert_int_equal(player_step(&p), 0);
		axis[i] = p.at.now_us;
	}
	assert_int_equal(axis[0], 0);
	assert_int_equal(axis[TICKS - 1], p.at.end_us);
	for (int i = 0; i < SEEKS; i++) {
		size_t tick = dice_roll(&dice, TICKS - 1);
		uint64_t later = dice_roll(&dice, axis[tick + 1] - axis[tick]);

		player_seek(&p, axis[tick] + later);
		assert_int_equal(p.at.now_us, axis[tick]);
		assert_int_equal(p.at.next_us, axis[tick + 1]);
		assert_int_equal(p.tick->gap, GAP_FIRST);
		assert_int_equal(player_step(&p), 0);
		player_dump(&now, &p, false);
		assert_same_text(&dumps[tick + 1], &now, tick + 1);
	}
	player_seek(&p, UINT64_MAX);
	assert_int_equal(p.at.now_us, axis[TICKS - 1]);
	player_seek(&p, 0);
	assert_int_equal(p.at.now_us, 0);
	player_close(&p);
	buffer_release(&now);
	free_dumps(dumps, TICKS);
	free(axis);
	unlink(path);
}

/* ---- several runs in one file ---- */

/* Ticks of a machine, numbered as those of another run. */
static void record_run(struct sink *sink, uint64_t seed, uint32_t segment, size_t ticks)
{
	struct machine m;

	machine_init(&m, seed);
	for (size_t i = 0; i < ticks; i++) {
		struct tick tick;

		machine_step(&m);
		tick = *m.tick;
		tick.segment = segment;
		assert_int_equal(sink->ops->tick(sink, &m.topology, &tick, &m.log, NULL, 0), 0);
	}
	machine_release(&m);
}

/* Plays it all; how many ticks, and in how many stretches. */
static void count_ticks(struct player *p, size_t *ret_ticks, size_t *ret_stretches)
{
	uint64_t before_us = 0;

	*ret_ticks = *ret_stretches = 0;
	while (player_step(p) == 0) {
		bool begins = p->tick->gap == GAP_FIRST || p->tick->gap == GAP_SEGMENT;

		*ret_stretches += begins;
		assert_true(*ret_ticks == 0 || p->at.now_us > before_us);
		assert_int_equal(p->tick->gap == GAP_FIRST, *ret_ticks == 0);
		for (size_t i = 0; begins && i < p->tick->n_devices; i++)
			assert_int_equal(p->tick->devices[i].valid, 0);
		before_us = p->at.now_us;
		++*ret_ticks;
	}
}

static void segments_follow_each_other_on_one_axis(void **state)
{
	const char *path = scratch_path("segments.csv");
	struct sink *sink = sink_to(path);
	struct player p;
	size_t ticks, stretches;

	(void)state;
	for (uint32_t segment = 1; segment <= 5; segment++)
		record_run(sink, segment, segment, 20);
	assert_int_equal(sink->ops->close(sink), 0);
	player_open(&p, path);
	replay_where(p.provider, &p.at);
	assert_true(p.at.end_us > 20 * 5 * 100000);
	count_ticks(&p, &ticks, &stretches);
	assert_int_equal(ticks, 100);
	assert_int_equal(stretches, 5);
	assert_int_equal(p.at.now_us, p.at.end_us);
	assert_int_equal(p.at.damaged_lines, 0);
	for (uint64_t us = 0; us <= p.at.end_us; us += 777777) {
		player_seek(&p, us);
		assert_true(p.at.now_us <= us);
		assert_true(p.at.next_us > us);
	}
	player_close(&p);
	unlink(path);
}

static void recordings_may_be_joined(void **state)
{
	const char *one = scratch_path("one.csv"), *two = scratch_path("two.csv");
	struct sink *sink = sink_to(one);
	struct buffer both = BUFFER_INIT;
	size_t len, ticks, stretches;
	struct player p;
	char *text;

	(void)state;
	record_run(sink, 7, 1, 12);
	assert_int_equal(sink->ops->close(sink), 0);
	text = read_whole(one, &len);
	buffer_add(&both, text, len);
	buffer_add(&both, text, len); /* with its header, and the same numbers again */
	write_whole(two, both.data, both.len);
	player_open(&p, two);
	count_ticks(&p, &ticks, &stretches);
	assert_int_equal(ticks, 24);
	assert_int_equal(stretches, 2);
	assert_int_equal(p.at.damaged_lines, 0);
	for (uint64_t us = 0; us <= p.at.end_us; us += 777777) {
		player_seek(&p, us); /* now that the second one is known */
		assert_true(p.at.now_us <= us);
	}
	player_close(&p);
	buffer_release(&both);
	free(text);
	unlink(one);
	unlink(two);
}

/* ---- memory ---- */

static void a_quiet_replay_allocates_nothing(void **state)
{
	const char *path = scratch_path("quiet.csv");
	struct sink *sink = sink_to(path);
	struct machine m;
	struct player p;
	size_t allocations;

	(void)state;
	machine_init(&m, 51);
	for (int i = 0; i < 1200; i++) {
		machine_step_quietly(&m);
		if (i == 100)
			allocations = memory_allocations();
		assert_int_equal(sink->ops->tick(sink, &m.topology, m.tick, &m.log, NULL, 0), 0);
	}
	assert_int_equal(memory_allocations(), allocations);
	assert_int_equal(sink->ops->close(sink), 0);
	player_open(&p, path);
	for (int i = 0; i < 1200; i++) {
		assert_int_equal(player_step(&p), 0);
		if (i == 100)
			allocations = memory_allocations();
	}
	assert_int_equal(memory_allocations(), allocations);
	player_close(&p);
	machine_release(&m);
	unlink(path);
}

static int make(void **state)
{
	(void)state;
	scratch_make();
	return 0;
}

static int clean(void **state)
{
	(void)state;
	scratch_remove();
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_run_replays_bit_by_bit),
		cmocka_unit_test(a_recording_begun_in_mid_run_too),
		cmocka_unit_test(what_counts_nothing_is_known_from_the_first),
		cmocka_unit_test(a_member_need_not_be_the_device_of_its_name),
		cmocka_unit_test(any_place_can_be_gone_to),
		cmocka_unit_test(segments_follow_each_other_on_one_axis),
		cmocka_unit_test(recordings_may_be_joined),
		cmocka_unit_test(a_quiet_replay_allocates_nothing),
	};

	return cmocka_run_group_tests_name("replay", tests, make, clean);
}
