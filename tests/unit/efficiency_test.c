/* Every entry of the table of ceilings, and when an efficiency is shown. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>

#include "raidtop/efficiency.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static struct array array_of(const char *level, const char *layout, uint64_t n, uint64_t lost)
{
	struct array a = { .raid_disks = n, .working = n - lost, .degraded = lost };

	snprintf(a.level, sizeof(a.level), "%s", level);
	snprintf(a.layout, sizeof(a.layout), "%s", layout);
	return a;
}

/* ---- ceilings ---- */

#define LS "left-symmetric"

/* In the order of enum access_pattern; members without seeks unless they rotate. */
static const struct ceiling_case {
	const char *name;
	const char *level, *layout;
	uint64_t n, lost;
	unsigned int streams;
	bool deep;
	enum truth rotational;
	double ceiling[ACCESS_PATTERN_COUNT];
} ceiling_cases[] = {
	{ "raid0", "raid0", "", 4, 0, 1, false, TRUTH_NO, { 4, 4, 4, 4 } },
	{ "raid0, rotating", "raid0", "", 4, 0, 1, false, TRUTH_YES, { 4, 4, 4, 4 } },
	{ "raid1, one stream", "raid1", "", 2, 0, 1, false, TRUTH_NO, { 1, 1, 1, 1 } },
	{ "raid1, none told", "raid1", "", 2, 0, 0, false, TRUTH_NO, { 1, 1, 1, 1 } },
	{ "raid1, one stream, deep", "raid1", "", 2, 0, 1, true, TRUTH_NO, { 1.4, 1, 2, 1 } },
	{ "raid1, two streams of three", "raid1", "", 3, 0, 2, false, TRUTH_NO, { 2, 1, 2, 1 } },
	{ "raid1, five streams", "raid1", "", 3, 0, 5, false, TRUTH_NO, { 3, 1, 3, 1 } },
	{ "raid1, five streams, deep", "raid1", "", 3, 0, 5, true, TRUTH_NO, { 3, 1, 3, 1 } },
	{ "raid1, one of three lost", "raid1", "", 3, 1, 5, true, TRUTH_NO, { 2, 1, 2, 1 } },
	{ "raid1, one left, deep", "raid1", "", 2, 1, 1, true, TRUTH_NO, { 1, 1, 1, 1 } },
	{ "raid10 n2, shallow", "raid10", "n2", 4, 0, 1, false, TRUTH_NO, { 2, 2, 4, 2 } },
	{ "raid10 n2, deep", "raid10", "n2", 4, 0, 1, true, TRUTH_NO, { 4, 2, 4, 2 } },
	{ "raid10 n2, three streams", "raid10", "n2", 4, 0, 3, false, TRUTH_NO, { 4, 2, 4, 2 } },
	{ "raid10 f2", "raid10", "f2", 4, 0, 1, false, TRUTH_NO, { 4, 2, 4, 2 } },
	{ "raid10 o2, of three", "raid10", "o2", 3, 0, 1, false, TRUTH_NO, { 3, 1.5, 3, 1.5 } },
	{ "raid10 n2, one lost", "raid10", "n2", 4, 1, 1, true, TRUTH_NO, { 2, 2, 2, 2 } },
	{ "raid10 f2, one lost", "raid10", "f2", 4, 1, 4, true, TRUTH_NO, { 2, 2, 2, 2 } },
	{ "raid10 o2, one lost", "raid10", "o2", 4, 1, 1, false, TRUTH_YES, { 2, 2, 2, 2 } },
	{ "raid5 of 5", "raid5", LS, 5, 0, 1, false, TRUTH_NO, { 5, 4, 5, 5 / 4.0 } },
	{ "raid5 of 5, rotating", "raid5", LS, 5, 0, 1, false, TRUTH_YES, { 4, 4, 5, 5 / 4.0 } },
	{ "raid5 of 5, who knows",
	  "raid5",
	  LS,
	  5,
	  0,
	  1,
	  true,
	  TRUTH_UNKNOWN,
	  { NAN, 4, 5, 5 / 4.0 } },
	{ "raid5 of 4", "raid5", LS, 4, 0, 1, false, TRUTH_NO, { 4, 3, 4, 1 } },
	{ "raid5 of 3: one other chunk is read",
	  "raid5",
	  LS,
	  3,
	  0,
	  1,
	  false,
	  TRUTH_NO,
	  { 3, 2, 3, 1 } },
	{ "raid5 of 5, one lost", "raid5", LS, 5, 1, 1, false, TRUTH_NO, { 4, 4, 2.5, 1 } },
	{ "raid5 of 3, one lost", "raid5", LS, 3, 1, 1, true, TRUTH_YES, { 2, 2, 1.5, 1 } },
	{ "raid6 of 6", "raid6", LS, 6, 0, 1, false, TRUTH_NO, { 6, 4, 6, 1 } },
	{ "raid6 of 6, rotating", "raid6", LS, 6, 0, 1, false, TRUTH_YES, { 4, 4, 6, 1 } },
	{ "raid6 of 8", "raid6", LS, 8, 0, 1, false, TRUTH_NO, { 8, 6, 8, 8 / 6.0 } },
	{ "raid6 of 4: one other chunk is read",
	  "raid6",
	  LS,
	  4,
	  0,
	  1,
	  false,
	  TRUTH_NO,
	  { 4, 2, 4, 1 } },
	{ "raid6, one lost", "raid6", LS, 6, 1, 1, false, TRUTH_NO, { NAN, NAN, NAN, NAN } },
	{ "raid5, two lost", "raid5", LS, 5, 2, 1, false, TRUTH_NO, { NAN, NAN, NAN, NAN } },
	{ "raid10, two lost", "raid10", "n2", 4, 2, 1, false, TRUTH_NO, { NAN, NAN, NAN, NAN } },
	{ "raid10 n3", "raid10", "n3", 6, 0, 1, false, TRUTH_NO, { NAN, NAN, NAN, NAN } },
	{ "raid10, layout unknown",
	  "raid10",
	  "",
	  4,
	  0,
	  1,
	  false,
	  TRUTH_NO,
	  { NAN, NAN, NAN, NAN } },
	{ "raid4", "raid4", "", 4, 0, 1, false, TRUTH_NO, { NAN, NAN, NAN, NAN } },
	{ "linear", "linear", "", 4, 0, 1, false, TRUTH_NO, { NAN, NAN, NAN, NAN } },
	{ "losses unknown",
	  "raid5",
	  LS,
	  UNKNOWN_U64,
	  0,
	  1,
	  false,
	  TRUTH_NO,
	  { NAN, NAN, NAN, NAN } },
};

static void ceilings(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(ceiling_cases); i++) {
		const struct ceiling_case *c = &ceiling_cases[i];
		struct array a = array_of(c->level, c->layout, c->n, c->lost);

		print_message("  %s\n", c->name);
		for (int p = 0; p < ACCESS_PATTERN_COUNT; p++) {
			struct load_shape load = { (enum access_pattern)p, c->streams, c->deep,
						   c->rotational };
			double got = efficiency_ceiling(&a, &load);

			if (isnan(c->ceiling[p]))
				assert_true(isnan(got));
			else
				assert_true(fabs(got - c->ceiling[p]) < 1e-9);
		}
	}
}

/* ---- efficiency ---- */

static const struct efficiency_case {
	const char *name;
	struct efficiency_inputs in;
	enum action_kind action;
	double pct;
} efficiency_cases[] = {
	{ "a member is busy", { 180e6, 60e6, 90, false }, ACTION_NONE, 75 },
	{ "none is", { 180e6, 60e6, 89.9, false }, ACTION_NONE, NAN },
	{ "none is, but the stream is our own", { 180e6, 60e6, 20, true }, ACTION_NONE, 75 },
	{ "nobody knows", { 180e6, 60e6, NAN, false }, ACTION_NONE, NAN },
	{ "more than the ceiling is no error", { 300e6, 60e6, 99, false }, ACTION_NONE, 125 },
	{ "members not measured", { 180e6, NAN, 99, true }, ACTION_NONE, NAN },
	{ "members measured as nothing", { 180e6, 0, 99, true }, ACTION_NONE, NAN },
	{ "a check runs", { 180e6, 60e6, 99, true }, ACTION_CHECK, NAN },
	{ "nothing moves", { 0, 60e6, 95, false }, ACTION_NONE, 0 },
};

static void efficiencies(void **state)
{
	struct load_shape load = { ACCESS_SEQUENTIAL_READ, 1, false, TRUTH_NO };

	(void)state;
	for (size_t i = 0; i < COUNT(efficiency_cases); i++) {
		const struct efficiency_case *c = &efficiency_cases[i];
		struct array a = array_of("raid0", "", 4, 0);
		double got;

		a.action = (struct action){ .kind = c->action, .state = ACTION_RUNNING };
		got = efficiency_pct(&a, &load, &c->in);
		print_message("  %s: %.0f\n", c->name, got);
		assert_int_equal(isnan(got), isnan(c->pct));
		assert_true(isnan(got) || fabs(got - c->pct) < 1e-9);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ceilings),
		cmocka_unit_test(efficiencies),
	};

	return cmocka_run_group_tests_name("efficiency", tests, NULL, NULL);
}
