/* Changes of level in series that have known ones, or none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "raidtop/level_change.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))
#define MB 1e6f
#define MAX_FOUND 64
#define TURN 6.283185307179586

struct found {
	size_t n, at[MAX_FOUND], delay[MAX_FOUND];
	double before[MAX_FOUND], after[MAX_FOUND];
};

static void add_value(struct level_watch *w, size_t i, float value, struct found *found)
{
	struct level_change change;

	if (!level_watch_add(w, value, &change))
		return;
	assert_true(found->n < MAX_FOUND);
	assert_true(change.n_values_ago <= i);
	found->at[found->n] = i - change.n_values_ago;
	found->delay[found->n] = change.n_values_ago;
	found->before[found->n] = change.before;
	found->after[found->n++] = change.after;
}

/* ---- without noise ---- */

/* Pieces of so many values that go in a line from one level to another, in MB/s. */
static const struct level_case {
	const char *name;
	struct {
		size_t n;
		float from, to;
	} pieces[5];
	size_t n_changes, at[4];
} level_cases[] = {
	{ "constant", { { 300, 200, 200 } }, 0, { 0 } },
	{ "nothing at all", { { 300, 0, 0 } }, 0, { 0 } },
	{ "half of it", { { 100, 200, 200 }, { 100, 100, 100 } }, 1, { 100 } },
	{ "twice as much", { { 100, 200, 200 }, { 100, 400, 400 } }, 1, { 100 } },
	{ "to nothing", { { 100, 200, 200 }, { 100, 0, 0 } }, 1, { 100 } },
	{ "a load begins", { { 100, 0, 0 }, { 100, 50, 50 } }, 1, { 100 } },
	{ "15 % down", { { 100, 200, 200 }, { 100, 170, 170 } }, 1, { 100 } },
	{ "14 % down is none", { { 100, 200, 200 }, { 100, 172, 172 } }, 0, { 0 } },
	{ "15 % up", { { 100, 200, 200 }, { 100, 230, 230 } }, 1, { 100 } },
	{ "14 % up is none", { { 100, 200, 200 }, { 100, 228, 228 } }, 0, { 0 } },
	{ "as early as can be", { { 10, 200, 200 }, { 100, 100, 100 } }, 1, { 10 } },
	{ "too early for a baseline", { { 4, 200, 200 }, { 100, 100, 100 } }, 0, { 0 } },
	{ "stairs",
	  { { 50, 100, 100 },
	    { 25, 200, 200 },
	    { 25, 300, 300 },
	    { 25, 200, 200 },
	    { 50, 50, 50 } },
	  4,
	  { 50, 75, 100, 125 } },
	{ "there and back",
	  { { 50, 200, 200 }, { 30, 100, 100 }, { 50, 200, 200 } },
	  2,
	  { 50, 80 } },
	{ "a dip of a second", { { 60, 200, 200 }, { 1, 0, 0 }, { 90, 200, 200 } }, 0, { 0 } },
	{ "a dip of four", { { 60, 200, 200 }, { 4, 0, 0 }, { 90, 200, 200 } }, 0, { 0 } },
	{ "a slow ramp", { { 50, 100, 100 }, { 600, 100, 300 }, { 50, 300, 300 } }, 0, { 0 } },
	{ "a trickle", { { 100, 0, 0 }, { 100, 0.14f, 0.14f } }, 0, { 0 } },
};

static void changes_of_known_series(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(level_cases); i++) {
		const struct level_case *c = &level_cases[i];
		struct found found = { .n = 0 };
		struct level_watch w = { 0 };
		size_t at = 0;

		for (size_t p = 0; p < COUNT(c->pieces); p++)
			for (size_t k = 0; k < c->pieces[p].n; k++) {
				float part = (float)k / (float)c->pieces[p].n;
				float from = c->pieces[p].from, to = c->pieces[p].to;

				add_value(&w, at++, (from + (to - from) * part) * MB, &found);
			}
		print_message("  %s: %zu\n", c->name, found.n);
		assert_int_equal(found.n, c->n_changes);
		for (size_t k = 0; k < found.n; k++) {
			assert_int_equal(found.at[k], c->at[k]);
			assert_true(found.before[k] == (double)(c->pieces[k].to * MB));
			assert_true(found.after[k] == (double)(c->pieces[k + 1].from * MB));
			assert_in_range(found.delay[k], 10, 20);
		}
	}
}

/* Nothing is carried across a gap. */
static void a_gap_begins_anew(void **state)
{
	struct found found = { .n = 0 };
	struct level_watch w = { 0 };

	(void)state;
	for (size_t i = 0; i < 200; i++)
		add_value(&w, i, i == 100 ? NAN : i < 100 ? 200 * MB : 100 * MB, &found);
	assert_int_equal(found.n, 0);
	add_value(&w, 200, NAN, &found);
	assert_true(w.n_values == 0 && w.n_level == 0 && w.n_baseline == 0 && w.n_alarmed == 0);
}

static void nothing_is_told_without_a_change(void **state)
{
	struct level_change change = { 99, 98, 97 };
	struct level_watch w = { 0 };

	(void)state;
	for (size_t i = 0; i < 113; i++)
		assert_false(level_watch_add(&w, i < 100 ? 200 * MB : 100 * MB, &change));
	assert_int_equal(change.n_values_ago, 99);
	assert_true(change.before == 98 && change.after == 97);
	while (!level_watch_add(&w, 100 * MB, &change))
		assert_int_equal(change.n_values_ago, 99);
	assert_int_not_equal(change.n_values_ago, 99);
}

/* ---- with noise ---- */

static uint64_t seed = 1;

/* Above 0, below 1. */
static double any_part(void)
{
	uint64_t x;

	seed = seed * 6364136223846793005u + 1442695040888963407u;
	x = (seed ^ seed >> 32) * 0xd6e8feb86659fd93u;
	x ^= x >> 32;
	return ((double)(x >> 11) + 0.5) / 9007199254740992.0;
}

static double any_normal(void)
{
	return sqrt(-2 * log(any_part())) * cos(TURN * any_part());
}

static const struct noise_case {
	double phi;       /* correlation of a value with the next */
	double variation; /* of the level */
	double step;      /* of the level, at value 100 of 200 */
	size_t found_pct; /* at least, within 3 values of the place */
	size_t false_per_hour;
} noise_cases[] = {
	{ 0, 0.05, 0, 0, 0 },       { 0, 0.05, -0.3, 99, 0 },  { 0, 0.05, 0.5, 99, 0 },
	{ 0, 0.10, -0.5, 99, 2 },   { 0.8, 0.03, 0, 0, 0 },    { 0.8, 0.03, 0.3, 99, 0 },
	{ 0.8, 0.05, -0.3, 95, 4 }, { 0.8, 0.05, 0.5, 99, 4 }, { 0.9, 0.03, -0.5, 99, 0 },
};

#define ROUNDS 200
#define LENGTH 200
#define PLACE 100

static void changes_in_noise(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(noise_cases); i++) {
		const struct noise_case *c = &noise_cases[i];
		size_t right = 0, wrong = 0;

		for (int round = 0; round < ROUNDS; round++) {
			struct found found = { .n = 0 };
			struct level_watch w = { 0 };
			double off = any_normal();

			for (size_t k = 0; k < LENGTH; k++) {
				double level = 200e6 * (k < PLACE ? 1 : 1 + c->step);

				add_value(&w, k, (float)(level * (1 + c->variation * off)), &found);
				off = c->phi * off + sqrt(1 - c->phi * c->phi) * any_normal();
			}
			for (size_t k = 0; k < found.n; k++) {
				bool near = found.at[k] + 3 >= PLACE && found.at[k] <= PLACE + 3;

				right += c->step != 0 && near;
				wrong += c->step == 0 || !near;
			}
		}
		print_message("  phi %.1f, CV %.0f %%, step %.0f %%: %zu of %d found, %zu false in "
			      "%.0f h\n",
			      c->phi, 100 * c->variation, 100 * c->step, right, ROUNDS, wrong,
			      ROUNDS * LENGTH / 3600.0);
		assert_true(right * 100 >= ROUNDS * c->found_pct);
		assert_true(right <= ROUNDS); /* none is told twice */
		assert_true(wrong * 3600 <= c->false_per_hour * ROUNDS * LENGTH);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(changes_of_known_series),
		cmocka_unit_test(a_gap_begins_anew),
		cmocka_unit_test(nothing_is_told_without_a_change),
		cmocka_unit_test(changes_in_noise),
	};

	return cmocka_run_group_tests_name("level_change", tests, NULL, NULL);
}
