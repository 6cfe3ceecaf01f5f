/* What is said of an array second by second: words, ratios, stragglers, levels, time left. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "insights_bench.h"
#include "raidtop/memory.h"
#include "raidtop/text.h"

static const struct array_insights *md0(const struct insights_bench *b)
{
	return insights_array(b->insights, SLOT_MD0);
}

static struct note note_of(const struct insights_bench *b, enum series series)
{
	struct note note;

	insights_note(b->insights, SLOT_MD0, series, &note);
	return note;
}

static void assert_about(double value, double wanted)
{
	if (!(fabs(value - wanted) <= 0.01 * fabs(wanted) + 1e-9))
		fail_msg("%g, not %g", value, wanted);
}

/* ---- words ---- */

/* What md0 does in second i of its load. */
static double steady(int i)
{
	return 90 + i % 3;
}

static double with_dips(int i)
{
	return i % 20 == 15 ? 50 : 90 + i % 3;
}

static double wild(int i)
{
	return i % 2 ? 120 : 200;
}

/* Buffered writing: the array takes in what it gets, its members write on. */
static double submitted(int i)
{
	static const double mb[] = { 58, 6, 0, 40 };

	return mb[i % 4] * 2;
}

static const struct words_case {
	const char *name;
	double (*mb)(int i);
	double member_mb; /* what each member writes then; 0: the array reads */
	double busy_pct;
	int seconds;
	const char *words;
} words_cases[] = {
	{ "steady", steady, 0, 100, 40, "steady" },
	{ "dips", with_dips, 0, 100, 60, "(dips down to 50 MB/s)" },
	{ "wild", wild, 0, 100, 40, "(wildly fluctuating 120-200 MB/s)" },
	{ "nobody asked for more", wild, 0, 50, 40, "demand varies" },
	{ "too short", steady, 0, 100, 5, "demand varies" },
	{ "buffered writes are judged on the members'", submitted, 26, 100, 40, "steady" },
	{ "nothing", NULL, 0, 0, 40, "" },
};

static void words_of(const struct words_case *c)
{
	enum series series = c->member_mb > 0 ? SERIES_WRITE : SERIES_READ;
	struct insights_bench b;

	print_message("  %s\n", c->name);
	insights_bench_init(&b);
	for (int i = 0; i < c->seconds && c->mb; i++) {
		double mb = c->mb(i);
		struct second s = { .busy_pct = c->busy_pct };
		const struct second member = { .write_mb = c->member_mb, .busy_pct = c->busy_pct };

		*(c->member_mb > 0 ? &s.write_mb : &s.read_mb) = mb;
		insights_bench_move(&b, SLOT_MD0, &s);
		insights_bench_move(&b, SLOT_SDA, &member);
		insights_bench_move(&b, SLOT_SDB, &member);
		insights_bench_move(&b, SLOT_SDC1, &member);
		insights_bench_step(&b, SECOND);
	}
	insights_bench_assert_note(&b, series, c->words);
	insights_bench_assert_note(&b, series == SERIES_READ ? SERIES_WRITE : SERIES_READ, "");
	if (c->member_mb > 0) /* three members, of which one holds parity: 2/3 is the array's */
		assert_about(note_of(&b, series).mean, 2e6 * c->member_mb);
	insights_bench_release(&b);
}

static void words(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(words_cases); i++)
		words_of(&words_cases[i]);
}

/* Words are of what follows a gap alone. */
static void words_after_a_gap(void **state)
{
	struct insights_bench b;

	(void)state;
	insights_bench_init(&b);
	for (int i = 0; i < 60; i++) {
		insights_bench_read(&b, i < 30 ? wild(i) : steady(i));
		b.machine.s.missed_ticks = i == 30 ? 3 : 0;
		insights_bench_step(&b, i == 30 ? 4 * SECOND : SECOND);
	}
	insights_bench_assert_note(&b, SERIES_READ, "steady");
	assert_int_equal(note_of(&b, SERIES_READ).band.n, 29);
	insights_bench_release(&b);
}

/* ---- ratios ---- */

static void ratios(void **state)
{
	struct insights_bench b;

	(void)state;
	insights_bench_init(&b);
	for (int i = 0; i < 9; i++) {
		insights_bench_read(&b, 90);
		insights_bench_step(&b, SECOND);
		assert_true(isnan(md0(&b)->amplification.reads));
	}
	for (int i = 0; i < 3; i++) {
		insights_bench_read(&b, 90);
		insights_bench_step(&b, SECOND);
	}
	assert_about(md0(&b)->amplification.reads, 1);
	assert_about(insights_member(b.insights, SLOT_MD0, 1)->read_share_pct, 100.0 / 3);
	assert_true(isnan(insights_member(b.insights, SLOT_MD0, 1)->write_share_pct));
	assert_true(isnan(md0(&b)->amplification.writes));
	for (int i = 0; i < 12; i++) {
		insights_bench_write(&b, 60);
		insights_bench_step(&b, SECOND);
	}
	assert_about(md0(&b)->amplification.writes, 1.5);
	assert_about(md0(&b)->expected_writes, 1.5);
	assert_int_equal(md0(&b)->amplification.rmw, RMW_NONE);
	assert_false(md0(&b)->reads_before_writing);
	insights_bench_release(&b);
}

/* Where the array became another one, 10 s must go by until its members are related to it again. */
static void ratios_of_an_array_made_anew(void **state)
{
	struct insights_bench b;

	(void)state;
	insights_bench_init(&b);
	for (int i = 0; i < 40; i++) {
		if (i == 20) /* the second member is another disk now */
			insights_bench_md0(&b)->members[1].device = SLOT_SDD;
		insights_bench_read(&b, 90);
		insights_bench_move(&b, SLOT_SDD, &(struct second){ 30, 0, 2, 60 });
		insights_bench_step(&b, SECOND);
		if (i >= 11 && (i < 20 || i >= 31))
			assert_about(md0(&b)->amplification.reads, 1);
		else if (i < 9 || (i >= 20 && i < 29))
			assert_true(isnan(md0(&b)->amplification.reads));
	}
	insights_bench_assert_told(&b, "");
	insights_bench_release(&b);
}

static void write_in_parts(struct insights_bench *b)
{
	/* Each 10 MB: old data and old parity are read, new data and parity written. */
	const struct second member = { .read_mb = 20 / 3.0, .write_mb = 20 / 3.0, .busy_pct = 90 };

	insights_bench_move(b, SLOT_MD0, &(struct second){ .write_mb = 10, .busy_pct = 100 });
	insights_bench_move(b, SLOT_SDA, &member);
	insights_bench_move(b, SLOT_SDB, &member);
	insights_bench_move(b, SLOT_SDC1, &member);
}

static void read_modify_write(void **state)
{
	struct insights_bench b;
	int n = 0;

	(void)state;
	insights_bench_init(&b);
	while (!md0(&b)->reads_before_writing && n++ < 30) {
		write_in_parts(&b);
		insights_bench_step(&b, SECOND);
	}
	assert_in_range(n, 11, 14); /* the window, and some seconds of it */
	assert_about(md0(&b)->amplification.writes, 2);
	assert_about(md0(&b)->expected_writes, 2);
	insights_bench_assert_told(&b, "rmw md0 : md0 does read-modify-write: its members write "
				       "2.00 times its bytes");
	for (int i = 0; i < 30; i++)
		insights_bench_step(&b, SECOND);
	assert_false(md0(&b)->reads_before_writing);
	insights_bench_assert_told(&b, "level_change md0 : md0 writes went from 10.0 to 0 MB/s 15 "
				       "s ago");
	insights_bench_assert_told(&b, "rmw_end md0 : md0 does no read-modify-write any more");
	insights_bench_assert_told(&b, "");
	insights_bench_release(&b);
}

/* ---- stragglers ---- */

static void read_with_a_slow_one(struct insights_bench *b, int slow, double slow_ms)
{
	insights_bench_move(b, SLOT_MD0, &(struct second){ .read_mb = 30, .busy_pct = 100 });
	for (int slot = SLOT_SDA; slot <= SLOT_SDC1; slot++) {
		const struct second s = { .read_mb = 10,
					  .await_ms = slot == slow ? slow_ms : 1,
					  .busy_pct = slot == slow ? 80 : 30 };

		insights_bench_move(b, slot, &s);
	}
}

static void a_straggler_is_named_and_told(void **state)
{
	struct insights_bench b;

	(void)state;
	insights_bench_init(&b);
	for (int i = 0; i < 20; i++) {
		read_with_a_slow_one(&b, SLOT_SDB, 8);
		insights_bench_step(&b, SECOND);
		assert_int_equal(md0(&b)->straggler, i < 4 ? NO_MEMBER : 1);
	}
	insights_bench_assert_told(&b, "straggler sdb md0: sdb is slow in md0: a request takes "
				       "8.00 times as long as the others'");
	assert_about(md0(&b)->members[1].await_times, 8);
	assert_false(md0(&b)->members[0].is_straggler || md0(&b)->members[2].is_straggler);
	for (int i = 0; i < 20; i++) {
		read_with_a_slow_one(&b, NO_SLOT, 0);
		insights_bench_step(&b, SECOND);
	}
	assert_int_equal(md0(&b)->straggler, NO_MEMBER);
	insights_bench_assert_told(&b, "straggler_end sdb md0: sdb does not stand apart in md0 any "
				       "more");
	insights_bench_assert_told(&b, "");
	insights_bench_release(&b);
}

/* A member that fails, or is replaced, is not said to have become faster. */
static void a_straggler_that_leaves(void **state)
{
	struct insights_bench b;

	(void)state;
	for (int way = 0; way < 3; way++) {
		insights_bench_init(&b);
		for (int i = 0; i < 30; i++) {
			struct array *a = insights_bench_md0(&b);

			if (i == 10 && way == 0)
				a->members[1].state = MEMBER_FAULTY;
			else if (i == 10 && way == 1)
				a->members[1].device = SLOT_SDD;
			else if (i == 10)
				a->action = (struct action){ .kind = ACTION_CHECK };
			read_with_a_slow_one(&b, SLOT_SDB, 8);
			insights_bench_move(&b, SLOT_SDD, &(struct second){ 10, 0, 1, 30 });
			insights_bench_step(&b, SECOND);
			assert_int_equal(md0(&b)->straggler, i >= 4 && i < 10 ? 1 : NO_MEMBER);
		}
		insights_bench_assert_told(&b, "straggler sdb md0: sdb is slow in md0: a request "
					       "takes 8.00 times as long as the others'");
		insights_bench_assert_told(&b, "");
		insights_bench_release(&b);
	}
}

/* ---- levels, time left ---- */

static void a_change_of_level(void **state)
{
	struct insights_bench b;

	(void)state;
	insights_bench_init(&b);
	for (int i = 0; i < 90; i++) {
		insights_bench_read(&b, (i < 45 ? 213 : 152) + i % 3 - 1);
		insights_bench_step(&b, SECOND);
	}
	insights_bench_assert_told(&b, "level_change md0 : md0 reads went from 213 to 152 MB/s 15 "
				       "s ago");
	insights_bench_assert_told(&b, "");
	insights_bench_release(&b);
}

static void time_left(void **state)
{
	struct insights_bench b;
	struct array *a;

	(void)state;
	insights_bench_init(&b);
	a = insights_bench_md0(&b);
	a->action = (struct action){ .kind = ACTION_CHECK,
				     .state = ACTION_RUNNING,
				     .done_bytes = 0,
				     .total_bytes = 1000 * MIB };
	assert_false(md0(&b)->time_left_known);
	for (int i = 0; i < 20; i++) {
		a->action.done_bytes += 10 * MIB;
		insights_bench_step(&b, SECOND);
	}
	assert_true(md0(&b)->time_left_known);
	assert_int_equal(md0(&b)->time_left_ns / 1000000000, 80);
	a->action.kind = ACTION_NONE;
	insights_bench_step(&b, SECOND);
	assert_false(md0(&b)->time_left_known);
	insights_bench_release(&b);
}

/* ---- all of it ---- */

/* A healthy machine under a load that wavers by 10 %: nothing is told in 20 minutes. */
static void nothing_is_told_of_a_healthy_machine(void **state)
{
	uint64_t seed = 1;
	struct insights_bench b;

	(void)state;
	insights_bench_init(&b);
	for (int i = 0; i < 1200; i++) {
		seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
		insights_bench_read(&b, 90 + (double)(seed >> 33) / (double)(1ULL << 31) * 18);
		insights_bench_step(&b, SECOND + seed % 1000);
	}
	insights_bench_assert_told(&b, "");
	insights_bench_release(&b);
}

/* Half-second samples make the same of it. */
static void finer_samples_are_folded(void **state)
{
	struct insights_bench b;

	(void)state;
	insights_bench_init(&b);
	for (int i = 0; i < 80; i++) {
		insights_bench_read(&b, 45 + i % 2);
		insights_bench_step(&b, SECOND / 2);
	}
	assert_int_equal(note_of(&b, SERIES_READ).band.n, 40);
	insights_bench_assert_note(&b, SERIES_READ, "steady");
	assert_about(note_of(&b, SERIES_READ).mean, 91e6);
	insights_bench_release(&b);
}

static void a_tick_allocates_nothing(void **state)
{
	struct insights_bench b;
	size_t before;

	(void)state;
	insights_bench_init(&b);
	insights_bench_step(&b, SECOND);
	before = memory_allocations();
	for (int i = 0; i < 1000; i++) {
		insights_bench_write(&b, wild(i));
		insights_bench_wait(&b, SLOT_SDB, i / 10 % 2 ? 1 : 0);
		insights_bench_step(&b, SECOND);
		note_of(&b, SERIES_WRITE);
	}
	assert_int_equal(memory_allocations(), before);
	insights_bench_release(&b);
}

static void what_is_not_there_is_not_known(void **state)
{
	struct insights *ins = insights_new(0);
	struct note note;

	(void)state;
	for (int slot = -2; slot < 3; slot++) {
		assert_false(insights_device(ins, slot)->no_answer);
		assert_int_equal(insights_array(ins, slot)->blocked_by, NO_SLOT);
		assert_int_equal(insights_array(ins, slot)->straggler, NO_MEMBER);
		assert_false(insights_member(ins, slot, 0)->is_straggler);
		insights_note(ins, slot, SERIES_READ, &note);
		assert_int_equal(note.kind, NOTE_NONE);
		assert_true(isnan(insights_member(ins, slot, 0)->read_share_pct));
	}
	assert_false(insights_device(NULL, 0)->no_answer);
	insights_free(ins);
	insights_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words),
		cmocka_unit_test(words_after_a_gap),
		cmocka_unit_test(ratios),
		cmocka_unit_test(ratios_of_an_array_made_anew),
		cmocka_unit_test(read_modify_write),
		cmocka_unit_test(a_straggler_is_named_and_told),
		cmocka_unit_test(a_straggler_that_leaves),
		cmocka_unit_test(a_change_of_level),
		cmocka_unit_test(time_left),
		cmocka_unit_test(nothing_is_told_of_a_healthy_machine),
		cmocka_unit_test(finer_samples_are_folded),
		cmocka_unit_test(a_tick_allocates_nothing),
		cmocka_unit_test(what_is_not_there_is_not_known),
	};

	return cmocka_run_group_tests_name("insights", tests, NULL, NULL);
}
