/* Shares of members, and what may be said of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>

#include "raidtop/balance.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))
#define WINDOW_US 10000000ULL
#define MAX 5
#define S MEMBER_IN_SYNC
#define W MEMBER_FLAG_WRITE_MOSTLY

/* Megabytes that members read in 10 s. */
static const struct balance_case {
	const char *name;
	const char *level;
	size_t n;
	double inflight; /* mean, of the array */
	double reads[MAX];
	enum member_state states[MAX];
	uint32_t flags[MAX];
	enum balance_verdict verdict;
	double fair_pct;
	size_t least;
} balance_cases[] = {
	{ "one stream, two mirrors",
	  "raid1",
	  2,
	  1,
	  { 500, 0 },
	  { S, S },
	  { 0 },
	  BALANCE_FEW_REQUESTS,
	  50,
	  1 },
	{ "two streams, three mirrors",
	  "raid1",
	  3,
	  2,
	  { 250, 250, 0 },
	  { S, S, S },
	  { 0 },
	  BALANCE_FEW_REQUESTS,
	  100 / 3.0,
	  2 },
	{ "a deep queue, one mirror idle",
	  "raid1",
	  2,
	  4,
	  { 500, 0 },
	  { S, S },
	  { 0 },
	  BALANCE_UNEVEN,
	  50,
	  1 },
	{ "not quite deep enough",
	  "raid1",
	  2,
	  3.9,
	  { 500, 0 },
	  { S, S },
	  { 0 },
	  BALANCE_FEW_REQUESTS,
	  50,
	  1 },
	{ "just half a fair share",
	  "raid1",
	  2,
	  64,
	  { 300, 100 },
	  { S, S },
	  { 0 },
	  BALANCE_FAIR,
	  50,
	  1 },
	{ "less than half", "raid1", 2, 64, { 99, 301 }, { S, S }, { 0 }, BALANCE_UNEVEN, 50, 0 },
	{ "even with few requests",
	  "raid1",
	  2,
	  1,
	  { 250, 250 },
	  { S, S },
	  { 0 },
	  BALANCE_FAIR,
	  50,
	  0 },
	{ "write-mostly is not asked",
	  "raid1",
	  3,
	  64,
	  { 250, 250, 0 },
	  { S, S, S },
	  { 0, 0, W },
	  BALANCE_FAIR,
	  50,
	  0 },
	{ "nor is one that is rebuilt",
	  "raid1",
	  3,
	  64,
	  { 250, 0, 250 },
	  { S, MEMBER_REBUILDING, S },
	  { 0 },
	  BALANCE_FAIR,
	  50,
	  0 },
	{ "one mirror left",
	  "raid1",
	  2,
	  64,
	  { 500, 0 },
	  { S, MEMBER_FAULTY },
	  { 0 },
	  BALANCE_UNKNOWN,
	  0,
	  0 },
	{ "raid10",
	  "raid10",
	  4,
	  64,
	  { 200, 190, 210, 40 },
	  { S, S, S, S },
	  { 0 },
	  BALANCE_UNEVEN,
	  25,
	  3 },
	{ "raid5 is not judged",
	  "raid5",
	  3,
	  64,
	  { 250, 250, 0 },
	  { S, S, S },
	  { 0 },
	  BALANCE_UNKNOWN,
	  0,
	  0 },
	{ "too little", "raid1", 2, 64, { 9, 0 }, { S, S }, { 0 }, BALANCE_UNKNOWN, 0, 0 },
	{ "queue unknown", "raid1", 2, NAN, { 500, 0 }, { S, S }, { 0 }, BALANCE_UNKNOWN, 50, 1 },
};

static struct traffic window_of(double megabytes)
{
	return (struct traffic){
		.known = true,
		.time_us = WINDOW_US,
		.read_bytes = megabytes * 1e6,
		.write_bytes = 100e6,
		.read_ios = megabytes,
		.write_ios = 100,
		.queue_us = NAN,
		.inflight_before = 1,
		.inflight = 1,
	};
}

struct bench {
	struct array array;
	struct member members[MAX];
	struct traffic self, windows[MAX];
	double read_pct[MAX], write_pct[MAX];
};

static void set_up(struct bench *b, const struct balance_case *c)
{
	double reads = 0;

	*b = (struct bench){ .array = { .n_members = c->n, .raid_disks = c->n, .working = c->n } };
	snprintf(b->array.level, sizeof(b->array.level), "%s", c->level);
	snprintf(b->array.layout, sizeof(b->array.layout), "n2");
	b->array.members = b->members;
	for (size_t i = 0; i < c->n; i++) {
		b->members[i].state = c->states[i];
		b->members[i].flags = c->flags[i];
		b->windows[i] = window_of(c->reads[i]);
		reads += c->reads[i];
	}
	b->self = window_of(reads);
	b->self.queue_us = c->inflight * (double)WINDOW_US;
}

static struct balance compute(struct bench *b)
{
	struct balance balance;

	balance_compute(&balance, &b->array, &b->self, b->windows, b->read_pct, b->write_pct);
	return balance;
}

static void verdicts(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(balance_cases); i++) {
		const struct balance_case *c = &balance_cases[i];
		struct balance balance;
		struct bench b;

		print_message("  %s\n", c->name);
		set_up(&b, c);
		balance = compute(&b);
		assert_int_equal(balance.reads, c->verdict);
		assert_true(fabs(balance.fair_pct - c->fair_pct) < 1e-9);
		if (c->fair_pct > 0)
			assert_int_equal(balance.least, c->least);
	}
}

static void shares_are_of_what_was_moved(void **state)
{
	static const struct balance_case c = {
		"", "raid5", 4, 1, { 100, 200, 100, 0 }, { S, S, S, MEMBER_SPARE }, { 0 }, 0, 0, 0
	};
	struct bench b;

	(void)state;
	set_up(&b, &c);
	compute(&b);
	assert_true(b.read_pct[0] == 25 && b.read_pct[1] == 50 && b.read_pct[2] == 25);
	assert_true(isnan(b.read_pct[3]) && isnan(b.write_pct[3]));
	for (size_t i = 0; i < 3; i++)
		assert_true(fabs(b.write_pct[i] - 100 / 3.0) < 1e-9);
	b.windows[1].write_bytes = b.windows[2].write_bytes = 0;
	b.windows[0].write_bytes = 5e6; /* too little; reads are still shown */
	compute(&b);
	assert_true(isnan(b.write_pct[0]) && b.read_pct[0] == 25);
	b.windows[3].known = false; /* a spare is not missed */
	compute(&b);
	assert_true(b.read_pct[0] == 25);
	b.windows[1].known = false;
	compute(&b);
	assert_true(isnan(b.read_pct[0]));
}

/* Where the array's own queue is not known, its members' are. */
static void the_members_queue_stands_in(void **state)
{
	struct bench b;

	(void)state;
	set_up(&b, &balance_cases[2]);
	b.self.queue_us = NAN;
	b.windows[0].queue_us = 5.0 * WINDOW_US;
	b.windows[1].queue_us = 0;
	assert_int_equal(compute(&b).reads, BALANCE_UNEVEN);
	b.windows[0].queue_us = 1.0 * WINDOW_US;
	assert_int_equal(compute(&b).reads, BALANCE_FEW_REQUESTS);
}

static void a_sync_reads_too(void **state)
{
	struct bench b;

	(void)state;
	set_up(&b, &balance_cases[2]);
	b.array.action = (struct action){ .kind = ACTION_CHECK, .state = ACTION_RUNNING };
	assert_int_equal(compute(&b).reads, BALANCE_UNKNOWN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(verdicts),
		cmocka_unit_test(shares_are_of_what_was_moved),
		cmocka_unit_test(the_members_queue_stands_in),
		cmocka_unit_test(a_sync_reads_too),
	};

	return cmocka_run_group_tests_name("balance", tests, NULL, NULL);
}
