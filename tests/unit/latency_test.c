/* The latency histogram: its buckets' bounds and error, percentiles, sums and differences. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "raidtop/latency.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

/* Each value lies in a bucket whose middle is at most 1/128 off, and buckets go up with values. */
static void test_buckets(void **state)
{
	unsigned int before = 0;

	(void)state;
	for (uint64_t ns = 1; ns < 1ULL << 45; ns += 1 + ns / 100) {
		unsigned int bucket = latency_bucket(ns);
		uint64_t middle = latency_bucket_ns(bucket);
		uint64_t off = middle > ns ? middle - ns : ns - middle;

		assert_true(bucket >= before && bucket < LATENCY_BUCKETS);
		assert_true(off * 128 <= ns);
		assert_int_equal(latency_bucket(middle), bucket);
		before = bucket;
	}
}

static void test_bucket_bounds(void **state)
{
	static const struct {
		uint64_t ns;
		unsigned int bucket;
	} cases[] = {
		{ 0, 0 },
		{ 63, 63 },
		{ 64, 64 },
		{ 127, 127 },
		{ 128, 128 },
		{ 129, 128 },
		{ 130, 129 },
		{ (1ULL << 45) - 1, LATENCY_BUCKETS - 1 },
		{ 1ULL << 45, LATENCY_BUCKETS - 1 },
		{ UINT64_MAX, LATENCY_BUCKETS - 1 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++)
		assert_int_equal(latency_bucket(cases[i].ns), cases[i].bucket);
}

static void test_quantiles(void **state)
{
	static const struct {
		unsigned int permille;
		uint64_t ns;
	} cases[] = { { 0, 1000 },     { 500, 500000 }, { 950, 950000 },
		      { 990, 990000 }, { 999, 999000 }, { 1000, 1000000 } };
	static struct latency l;
	uint64_t ns;

	(void)state;
	memset(&l, 0, sizeof(l));
	assert_false(latency_quantile(&l, 500, &ns));
	for (uint64_t us = 1; us <= 1000; us++)
		latency_add(&l, us * 1000);
	assert_int_equal(l.total, 1000);
	for (size_t i = 0; i < COUNT(cases); i++) {
		assert_true(latency_quantile(&l, cases[i].permille, &ns));
		assert_in_range(ns, cases[i].ns - cases[i].ns / 128,
				cases[i].ns + cases[i].ns / 128);
	}
	assert_true(latency_quantile(&l, 1000, &ns));
	assert_int_equal(ns, l.max_ns); /* the exact one, not its bucket's middle */
}

/* Percentiles of a sum are those of all its values, not a mean of percentiles. */
static void test_merge(void **state)
{
	static struct latency quick, slow, both;
	uint64_t ns;

	(void)state;
	for (int i = 0; i < 99; i++)
		latency_add(&quick, 1000);
	latency_add(&slow, 5000000);
	latency_merge(&both, &quick);
	latency_merge(&both, &slow);
	assert_int_equal(both.total, 100);
	assert_int_equal(both.min_ns, 1000);
	assert_int_equal(both.max_ns, 5000000);
	assert_true(latency_quantile(&both, 990, &ns));
	assert_in_range(ns, 992, 1008);
	assert_true(latency_quantile(&both, 999, &ns));
	assert_in_range(ns, 4960000, 5000000);
}

static void test_shared(void **state)
{
	static struct latency_shared shared;
	static struct latency before, now, since;

	(void)state;
	latency_take(&before, &shared);
	assert_int_equal(before.total, 0);
	latency_shared_add(&shared, 700);
	latency_take(&before, &shared);
	assert_int_equal(before.total, 1);
	assert_int_equal(before.min_ns, 700);
	assert_int_equal(before.max_ns, 700);
	latency_shared_add(&shared, 0);
	latency_shared_add(&shared, 123456);
	latency_take(&now, &shared);
	assert_int_equal(now.min_ns, 0);
	assert_int_equal(now.max_ns, 123456);
	latency_since(&since, &before, &now);
	assert_int_equal(since.total, 2);
	assert_int_equal(since.count[latency_bucket(700)], 0);
	assert_int_equal(since.count[latency_bucket(123456)], 1);
	latency_since(&since, &now, &now);
	assert_int_equal(since.total, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_buckets),   cmocka_unit_test(test_bucket_bounds),
		cmocka_unit_test(test_quantiles), cmocka_unit_test(test_merge),
		cmocka_unit_test(test_shared),
	};

	return cmocka_run_group_tests_name("latency", tests, NULL, NULL);
}
