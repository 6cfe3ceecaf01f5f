/* Devices that do not answer, and the arrays that they block. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "raidtop/no_answer.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))
#define NOT_SAMPLED UINT64_MAX
#define MS 1000ULL

/* Samples: when, how many in flight, how many completed so far, and for how long it is silent. */
static const struct answer_case {
	const char *name;
	struct {
		uint64_t ms, inflight, completed, silent_ms;
	} samples[10];
	size_t n;
} answer_cases[] = {
	{ "idle", { { 1000, 0, 7, 0 }, { 2000, 0, 7, 0 }, { 60000, 0, 7, 0 } }, 3 },
	{ "busy",
	  { { 1000, 4, 7, 0 }, { 2000, 4, 107, 0 }, { 3000, 4, 207, 0 }, { 9000, 1, 208, 0 } },
	  4 },
	{ "a disk that hangs",
	  { { 1000, 4, 7, 0 },
	    { 2000, 4, 107, 0 },
	    { 3000, 4, 107, 1000 },
	    { 4000, 9, 107, 2000 },
	    { 4999, 9, 107, 2999 },
	    { 5000, 9, 107, 3000 },
	    { 62000, 9, 107, 60000 } },
	  7 },
	{ "and answers again",
	  { { 1000, 4, 7, 0 }, { 9000, 4, 7, 8000 }, { 10000, 4, 8, 0 }, { 11000, 4, 8, 1000 } },
	  4 },
	{ "a request that is not older than it is seen",
	  { { 1000, 0, 7, 0 }, { 5000, 1, 7, 0 }, { 6000, 1, 7, 1000 }, { 8000, 1, 7, 3000 } },
	  4 },
	{ "missed ticks do no harm", { { 1000, 2, 7, 0 }, { 31000, 2, 7, 30000 } }, 2 },
	{ "they all completed, and it is idle",
	  { { 1000, 2, 7, 0 }, { 9000, 2, 7, 8000 }, { 10000, 0, 9, 0 } },
	  3 },
	{ "given up without a completion",
	  { { 1000, 2, 7, 0 }, { 9000, 2, 7, 8000 }, { 10000, 0, 7, 0 } },
	  3 },
	{ "a reset", { { 1000, 2, 700, 0 }, { 9000, 2, 700, 8000 }, { 10000, 2, 3, 0 } }, 3 },
	{ "not sampled",
	  { { 1000, 2, 7, 0 },
	    { 9000, NOT_SAMPLED, 7, 0 },
	    { 19000, 2, 7, 0 },
	    { 20000, 2, 7, 1000 } },
	  4 },
	{ "another segment",
	  { { 50000, 2, 7, 0 }, { 59000, 2, 7, 9000 }, { 1000, 2, 7, 0 }, { 5000, 2, 7, 4000 } },
	  4 },
};

static struct counters counters_of(uint64_t inflight, uint64_t completed)
{
	struct counters c = { .valid = 0 };

	counters_set(&c, COUNTER_READ_IOS, completed);
	counters_set(&c, COUNTER_WRITE_IOS, 50);
	if (inflight != NOT_SAMPLED)
		counters_set(&c, COUNTER_INFLIGHT, inflight);
	return c;
}

static void silence(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(answer_cases); i++) {
		const struct answer_case *c = &answer_cases[i];
		struct answer_watch w = { .waiting = false };

		print_message("  %s\n", c->name);
		for (size_t k = 0; k < c->n; k++) {
			struct counters counters =
				counters_of(c->samples[k].inflight, c->samples[k].completed);

			answer_watch_step(&w, c->samples[k].ms * MS, &counters);
			assert_int_equal(w.silent_us, c->samples[k].silent_ms * MS);
			assert_int_equal(answer_is_missing(&w), c->samples[k].silent_ms >= 3000);
		}
	}
}

static void any_completion_is_an_answer(void **state)
{
	static const enum counter kinds[] = { COUNTER_READ_IOS, COUNTER_WRITE_IOS,
					      COUNTER_DISCARD_IOS, COUNTER_FLUSH_IOS };

	(void)state;
	for (size_t i = 0; i < COUNT(kinds); i++) {
		struct counters c = counters_of(1, 0);
		struct answer_watch w = { .waiting = false };

		for (size_t k = 0; k < COUNT(kinds); k++)
			counters_set(&c, kinds[k], 100);
		answer_watch_step(&w, 1000 * MS, &c);
		answer_watch_step(&w, 9000 * MS, &c);
		assert_true(answer_is_missing(&w));
		counters_set(&c, kinds[i], 101);
		answer_watch_step(&w, 10000 * MS, &c);
		assert_false(answer_is_missing(&w));
	}
}

/* Five devices, silent for so many seconds; of which one the array is said to be blocked. */
static const struct blocked_case {
	const char *name;
	uint64_t silent_s[5];
	enum member_state states[3];
	int devices[3];
	int blocking; /* a member */
} blocked_cases[] = {
	{ "none",
	  { 0, 2, 2, 2, 99 },
	  { MEMBER_IN_SYNC, MEMBER_IN_SYNC, MEMBER_IN_SYNC },
	  { 1, 2, 3 },
	  -1 },
	{ "one",
	  { 0, 0, 3, 0, 0 },
	  { MEMBER_IN_SYNC, MEMBER_IN_SYNC, MEMBER_IN_SYNC },
	  { 1, 2, 3 },
	  1 },
	{ "the longest",
	  { 0, 5, 9, 12, 99 },
	  { MEMBER_IN_SYNC, MEMBER_IN_SYNC, MEMBER_IN_SYNC },
	  { 3, 1, 2 },
	  0 },
	{ "not one that failed",
	  { 0, 5, 9, 12, 0 },
	  { MEMBER_IN_SYNC, MEMBER_IN_SYNC, MEMBER_FAULTY },
	  { 1, 2, 3 },
	  1 },
	{ "nor a spare",
	  { 0, 0, 0, 12, 0 },
	  { MEMBER_IN_SYNC, MEMBER_IN_SYNC, MEMBER_SPARE },
	  { 1, 2, 3 },
	  -1 },
	{ "a journal does",
	  { 0, 0, 0, 12, 0 },
	  { MEMBER_IN_SYNC, MEMBER_IN_SYNC, MEMBER_JOURNAL },
	  { 1, 2, 3 },
	  2 },
	{ "one that is rebuilt does",
	  { 0, 0, 0, 12, 0 },
	  { MEMBER_IN_SYNC, MEMBER_IN_SYNC, MEMBER_REBUILDING },
	  { 1, 2, 3 },
	  2 },
	{ "members without a device",
	  { 9, 9, 9, 9, 9 },
	  { MEMBER_MISSING, MEMBER_IN_SYNC, MEMBER_IN_SYNC },
	  { NO_SLOT, NO_SLOT, 5 },
	  -1 },
};

static void blocked_by(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(blocked_cases); i++) {
		const struct blocked_case *c = &blocked_cases[i];
		struct answer_watch watches[5] = { { .waiting = false } };
		struct member members[3] = { { .device = 0 } };
		struct array array = { .members = members, .n_members = 3 };

		for (size_t k = 0; k < 5; k++)
			watches[k].silent_us = c->silent_s[k] * 1000 * MS;
		for (size_t k = 0; k < 3; k++) {
			members[k].state = c->states[k];
			members[k].device = c->devices[k];
		}
		print_message("  %s\n", c->name);
		assert_int_equal(answer_find_blocking(&array, watches, 5), c->blocking);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(silence),
		cmocka_unit_test(any_completion_is_an_answer),
		cmocka_unit_test(blocked_by),
	};

	return cmocka_run_group_tests_name("no_answer", tests, NULL, NULL);
}
