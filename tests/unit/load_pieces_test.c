/* The small parts of a worker, each by itself: order, schedule, contents, barrier, memory. */
#include "load_support.h"

#include "load/content.h"
#include "load/pace.h"
#include "load/plan.h"
#include "load/random.h"
#include "load/verify.h"
#include "raidtop/barrier.h"

static void a_shuffle_visits_each_once(void **state)
{
	static const uint64_t sizes[] = { 1, 2, 3, 4, 5, 7, 8, 9, 63, 64, 65, 1000, 4097 };
	static unsigned char seen[5000];

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		for (uint64_t key = 0; key < 5; key++) {
			struct shuffle s;

			shuffle_init(&s, sizes[i], random_mix(key));
			memset(seen, 0, sizeof(seen));
			for (uint64_t k = 0; k < sizes[i]; k++) {
				uint64_t x = shuffle_get(&s, k);

				assert_true(x < sizes[i]);
				assert_int_equal(seen[x]++, 0);
			}
		}
	}
}

/* Neither in order nor nearly so, and another order for another key. */
static void a_shuffle_looks_random(void **state)
{
	struct shuffle a, b;
	unsigned int same = 0, next = 0, rising = 0;

	(void)state;
	shuffle_init(&a, 100000, 1);
	shuffle_init(&b, 100000, 2);
	for (uint64_t k = 0; k + 1 < 100000; k++) {
		uint64_t x = shuffle_get(&a, k), y = shuffle_get(&a, k + 1);

		same += x == shuffle_get(&b, k);
		next += y == x + 1;
		rising += y > x;
	}
	assert_true(same < 20);
	assert_true(next < 20);
	assert_true(rising > 49000 && rising < 51000);
}

static void large_shuffles_stay_within(void **state)
{
	static const uint64_t sizes[] = { (1ULL << 32) + 1, 1ULL << 52, (1ULL << 55) - 3 };

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct shuffle s;
		uint64_t high = 0;

		shuffle_init(&s, sizes[i], 7);
		for (uint64_t k = 0; k < 1000; k++) {
			uint64_t x = shuffle_get(&s, sizes[i] - 1 - k);

			assert_true(x < sizes[i]);
			high += x >= sizes[i] / 2;
		}
		assert_true(high > 400 && high < 600);
	}
}

static void random_numbers_are_even_and_repeatable(void **state)
{
	struct random a, b;
	unsigned int count[7] = { 0 };

	(void)state;
	random_seed(&a, 0);
	random_seed(&b, 0);
	for (int i = 0; i < 70000; i++) {
		uint64_t x = random_below(&a, 7);

		assert_true(x < 7);
		count[x]++;
		assert_int_equal(x, random_below(&b, 7));
	}
	for (int i = 0; i < 7; i++)
		assert_true(count[i] > 9500 && count[i] < 10500);
	assert_int_equal(random_below(&a, 1), 0);
	random_seed(&b, 1);
	assert_int_not_equal(random_next(&a), random_next(&b));
}

/* The generator's authors give no vectors; these come from their own C code with these words. */
static void it_is_the_known_generator(void **state)
{
	static const uint64_t known[] = { 11520, 0, 1509978240, 1215971899390074240 };
	struct random r = { { 1, 2, 3, 4 } };

	(void)state;
	for (size_t i = 0; i < 4; i++)
		assert_true(random_next(&r) == known[i]);
}

static void a_schedule_is_exact(void **state)
{
	static const uint64_t rates[] = { 1, 3, 1000, 999999937, 3ULL << 30 };

	(void)state;
	for (size_t i = 0; i < sizeof(rates) / sizeof(rates[0]); i++) {
		struct pace p;
		uint64_t due = 0, cost = rates[i] / 10 + 1;

		pace_set(&p, rates[i], 5000);
		for (uint64_t k = 0; k < 1000; k++)
			due = pace_take(&p, cost, p.due_ns);
		/* The k-th is due after k costs, to the nanosecond. */
		assert_true(due ==
			    5000 + (uint64_t)((__uint128_t)999 * cost * NS_PER_SEC / rates[i]));
	}
}

static void a_schedule_forgets_what_is_too_late(void **state)
{
	struct pace p;
	uint64_t now = 100 * NS_PER_SEC;

	(void)state;
	pace_set(&p, 0, now);
	assert_int_equal(pace_take(&p, 1 << 20, now), 0); /* no rate: nothing is due at a time */
	pace_set(&p, 10, now);
	assert_int_equal(pace_take(&p, 1, now), now);
	/* Half a second late: the schedule holds. */
	assert_int_equal(pace_take(&p, 1, now + NS_PER_SEC / 2), now + NS_PER_SEC / 10);
	/* A minute late: all but the last second is forgiven. */
	assert_int_equal(pace_take(&p, 1, now + 60 * NS_PER_SEC), now + 59 * NS_PER_SEC);
	pace_shift(&p, NS_PER_SEC);
	assert_int_equal(p.due_ns, now + 60 * NS_PER_SEC + NS_PER_SEC / 10);
}

static unsigned char block[65536], other[65536];

static void stamps_make_sectors_unlike(void **state)
{
	(void)state;
	memset(block, 0, sizeof(block));
	memset(other, 0, sizeof(other));
	content_stamp(block, sizeof(block), 1, 1);
	content_stamp(other, sizeof(other), 1, 2);
	for (size_t i = 0; i < sizeof(block); i += 512) {
		assert_true(memcmp(block + i, other + i, 8) != 0);
		for (size_t k = 0; k < i; k += 512)
			assert_true(memcmp(block + i, block + k, 8) != 0);
	}
	content_stamp(other, sizeof(other), 2, 1);
	assert_true(memcmp(block, other, 8) != 0);
	memset(other, 0, sizeof(other));
	content_stamp(other, 7, 1, 1); /* no room for a stamp */
	assert_int_equal(other[0], 0);
}

/* Any bit that is wrong, anywhere, and any other place or time. */
static void a_label_is_true_of_one_block_only(void **state)
{
	static const size_t sizes[] = { 40, 41, 71, 72, 73, 512, 4096 };
	struct random r;

	(void)state;
	random_seed(&r, 3);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		size_t n = sizes[i];

		random_fill(&r, block, n);
		content_label(block, n, 5, 8192, 1);
		assert_true(content_is(block, n, 5, 8192, 1));
		assert_false(content_is(block, n, 6, 8192, 1));
		assert_false(content_is(block, n, 5, 4096, 1));
		assert_false(content_is(block, n, 5, 8192, 2));
		assert_false(content_is(block, n - 1, 5, 8192, 1));
		for (size_t bit = 0; bit < n * 8; bit++) {
			block[bit / 8] ^= (unsigned char)(1 << bit % 8);
			assert_false(content_is(block, n, 5, 8192, 1));
			block[bit / 8] ^= (unsigned char)(1 << bit % 8);
		}
	}
}

static void only_what_was_written_is_checked(void **state)
{
	struct verify v;
	uint32_t first, second;

	(void)state;
	assert_int_equal(verify_init(&v, 0, VERIFY_BLOCKS_MAX * 512 + 1, 512, 0), -E2BIG);
	assert_int_equal(verify_init(&v, 4096, 10 * 512 + 20, 512, 9), 0);
	assert_int_equal(v.n, 11);
	assert_int_equal(verify_next(&v, 0), 11);
	memset(block, 0, 512);
	assert_true(verify_check(&v, block, 512, 4096 + 512));
	first = verify_label(&v, block, 512, 4096 + 512);
	assert_true(verify_check(&v, block, 512, 4096 + 512)); /* it has not been written yet */
	verify_note(&v, 4096 + 512, first);
	assert_int_equal(verify_next(&v, 0), 1);
	assert_int_equal(verify_next(&v, 2), 11);
	assert_true(verify_check(&v, block, 512, 4096 + 512));
	memcpy(other, block, 512);
	second = verify_label(&v, block, 512, 4096 + 512);
	verify_note(&v, 4096 + 512, second);
	assert_true(verify_check(&v, block, 512, 4096 + 512));
	assert_false(verify_check(&v, other, 512, 4096 + 512));            /* the write before */
	assert_int_equal(verify_label(&v, block, 20, 4096 + 10 * 512), 0); /* no room */
	verify_release(&v);
	verify_release(&v);
}

static void a_barrier_opens_with_the_last_one(void **state)
{
	struct barrier *b, *same;

	(void)state;
	assert_int_equal(barrier_new(&b, 0), -EINVAL);
	assert_int_equal(barrier_new(&b, BARRIER_PLACES_MAX + 1), -EINVAL);
	assert_int_equal(barrier_new(&b, 3), 0);
	assert_int_equal(barrier_attach(barrier_fd(b), &same), 0);
	barrier_arrive(b, 0);
	barrier_arrive(b, 0); /* twice is once */
	barrier_arrive(same, 2);
	barrier_arrive(b, 77); /* nobody's place */
	assert_false(barrier_is_open(b));
	assert_false(barrier_wait(same, NS_PER_MS));
	barrier_arrive(same, 1);
	assert_true(barrier_is_open(b));
	assert_true(barrier_wait(b, 0));
	assert_ptr_equal(barrier_hold(b), b);
	barrier_free(b);
	assert_true(barrier_is_open(b)); /* held once more */
	barrier_free(b);
	barrier_free(same);
	barrier_free(NULL);
	assert_int_equal(barrier_attach(STDIN_FILENO, &same) < 0, true);
}

/* Blocks times depth times copies, and what is written is drawn from as much again. */
static void memory_has_an_end(void **state)
{
	static const struct {
		const char *workload;
		uint64_t block_bytes;
		unsigned int depth, copies;
		int r;
	} cases[] = {
		{ "rand-read", 4096, 1, 1, 0 },
		{ "seq-write", 1 << 20, 4, 2, 0 },
		{ "seq-read", 64 << 20, 256, 1 << 24, -ENOMEM },
		{ "seq-write", 1 << 20, 256, 1 << 28, -ENOMEM },
		{ "create", 0, 1, 64, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct stream_spec spec = { .block_bytes = cases[i].block_bytes,
					    .depth = cases[i].depth };
		char why[160] = "";

		print_message("  %s\n", cases[i].workload);
		assert_int_equal(plan_check_memory(&spec, workload_find(cases[i].workload),
						   cases[i].copies, why, sizeof(why)),
				 cases[i].r);
		assert_int_equal(why[0] != '\0', cases[i].r < 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_shuffle_visits_each_once),
		cmocka_unit_test(a_shuffle_looks_random),
		cmocka_unit_test(large_shuffles_stay_within),
		cmocka_unit_test(random_numbers_are_even_and_repeatable),
		cmocka_unit_test(it_is_the_known_generator),
		cmocka_unit_test(a_schedule_is_exact),
		cmocka_unit_test(a_schedule_forgets_what_is_too_late),
		cmocka_unit_test(stamps_make_sectors_unlike),
		cmocka_unit_test(a_label_is_true_of_one_block_only),
		cmocka_unit_test(only_what_was_written_is_checked),
		cmocka_unit_test(a_barrier_opens_with_the_last_one),
		cmocka_unit_test(memory_has_an_end),
	};

	return cmocka_run_group_tests_name("load_pieces", tests, NULL, NULL);
}
