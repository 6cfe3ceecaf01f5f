/* What a replay makes of a recording is what was made of the machine when it was recorded. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "insights_bench.h"
#include "raidtop/text.h"
#include "recording_support.h"

#define TICKS 200

static void dump_number(struct buffer *out, const char *name, double value)
{
	char text[64];

	text_format(text, sizeof(text), " %s=%a", name, value); /* each bit */
	buffer_add_text(out, text);
}

static void dump_array(struct buffer *out, const struct topology *t, const struct insights *ins,
		       int slot)
{
	const struct array_insights *a = insights_array(ins, slot);
	const struct note_style style = { .units = UNITS_SI, .to = "-" };
	char text[128];

	buffer_add_text(out, a->blocked_by == NO_SLOT ? "free" : t->devices[a->blocked_by]->name);
	dump_number(out, "for", (double)a->blocked_us);
	dump_number(out, "straggler", (double)a->straggler);
	dump_number(out, "r", a->amplification.reads);
	dump_number(out, "w", a->amplification.writes);
	dump_number(out, "r*", a->amplification.extra_reads);
	dump_number(out, "expected", a->expected_writes);
	dump_number(out, "left", a->time_left_known ? (double)a->time_left_ns : -1);
	for (enum series s = 0; s < SERIES_COUNT; s++) {
		struct note note;

		insights_note(ins, slot, s, &note);
		note_format(text, sizeof(text), &note, &style);
		buffer_add_text(out, text);
		dump_number(out, "mean", note.mean);
	}
	for (size_t i = 0; i < a->n_members; i++) {
		dump_number(out, "read", a->members[i].read_share_pct);
		dump_number(out, "await", a->members[i].await_times);
	}
	buffer_add_text(out, "\n");
}

static void dump(struct buffer *out, const struct topology *t, const struct insights *ins)
{
	static const char *const names[] = { "sda", "sdb", "sdc", "sdc1", "sdd", "md0" };

	for (size_t i = 0; i < COUNT(names); i++) {
		int slot = topology_find(t, names[i]);

		buffer_add_text(out, names[i]);
		dump_number(out, "silent",
			    (double)insights_device(ins, slot)->silent_us / (double)SECOND);
		buffer_add_text(out, "\n");
	}
	dump_array(out, t, ins, topology_find(t, "md0"));
}

/* All sorts of load, a straggler, a hung member, missed ticks, a sync. */
static void act(struct insights_bench *b, int i)
{
	struct array *a = insights_bench_md0(b);
	const struct second slow = { .read_mb = 3, .await_ms = 90, .busy_pct = 100 };

	b->machine.s.missed_ticks = i == 100 ? 2 : 0;
	if (i < 70)
		insights_bench_read(b, i < 35 ? 120 + i % 3 : 60 + i % 5);
	else if (i > 110 && i < 150)
		insights_bench_write(b, 60 + 17 * (i % 3));
	if (i > 45 && i < 65)
		insights_bench_move(b, SLOT_SDA, &slow);
	insights_bench_wait(b, SLOT_SDB, i > 80 && i < 95 ? 3 : 0);
	a->action.kind = i > 150 && i < 190 ? ACTION_CHECK : ACTION_NONE;
	b->machine.t.generation += i == 151 || i == 190;
	a->action.done_bytes = (uint64_t)(i > 150 ? i - 150 : 0) * 50 * MIB;
	a->action.total_bytes = 2500ULL * MIB;
	a->action.finish_s = a->action.speed_bytes_per_sec = UNKNOWN_U64;
	a->action.percent_tenths = UNKNOWN_I32;
}

static void keep_tick(struct insights_bench *b, struct sink *sink, struct buffer *out)
{
	assert_int_equal(sink->ops->tick(sink, &b->machine.t, b->machine.tick, &b->log, NULL, 0),
			 0);
	dump(out, &b->machine.t, b->insights);
}

static void record(struct insights_bench *b, struct sink *sink, struct buffer *dumps)
{
	keep_tick(b, sink, &dumps[0]);
	for (int i = 1; i < TICKS; i++) {
		act(b, i);
		insights_bench_step(b, i == 100 ? 3 * SECOND : SECOND + (uint64_t)(i % 7) * MS);
		keep_tick(b, sink, &dumps[i]);
	}
	assert_int_equal(sink->ops->close(sink), 0);
}

/* The events that insights tell, there and back. */
static void assert_same_events(const struct event_log *live, const struct event_log *replayed)
{
	unsigned int seen = 0;
	uint64_t at = 1;

	for (uint64_t n = 1; n <= live->last; n++) {
		const struct event *a = event_log_get(live, n), *b = event_log_get(replayed, at++);

		if (b && b->kind == EVENT_GAP) /* which the session tells, and the recording */
			b = event_log_get(replayed, at++);
		assert_non_null(b);
		assert_int_equal(a->kind, b->kind);
		assert_string_equal(a->name, b->name);
		assert_string_equal(a->parent, b->parent);
		assert_string_equal(a->text, b->text);
		seen |= 1u << a->kind;
	}
	for (enum event_kind kind = EVENT_NO_ANSWER; kind <= EVENT_STRAGGLER_END; kind++)
		assert_true(seen >> kind & 1);
	assert_true(seen >> EVENT_LEVEL_CHANGE & 1);
}

static void a_replay_says_the_same(void **state)
{
	static struct buffer dumps[TICKS];
	struct insights *ins = insights_new(SECOND);
	struct insights_bench b;
	struct player p;

	(void)state;
	scratch_make();
	insights_bench_init(&b);
	record(&b, sink_to(scratch_path("r.csv")), dumps);
	player_open(&p, scratch_path("r.csv"));
	for (size_t i = 0; i < TICKS; i++) {
		struct buffer replayed = BUFFER_INIT;

		assert_int_equal(player_step(&p), 0);
		insights_step(ins, &p.topology, p.tick, NULL);
		dump(&replayed, &p.topology, ins);
		assert_same_text(&dumps[i], &replayed, i);
		buffer_release(&replayed);
		buffer_release(&dumps[i]);
	}
	assert_same_events(&b.log, &p.log);
	player_close(&p);
	insights_free(ins);
	insights_bench_release(&b);
	scratch_remove();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_replay_says_the_same),
	};

	return cmocka_run_group_tests_name("insights_replay", tests, NULL, NULL);
}
