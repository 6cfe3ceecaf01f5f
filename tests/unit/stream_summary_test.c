/* What a stream's course comes to: values, pauses, sums over the union of times, percentiles. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "raidtop/clock.h"
#include "raidtop/stream_summary.h"
#include "raidtop/text.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))
#define SECOND NS_PER_SEC
#define MB 1000000ULL

static struct stream_series series;
static float scratch[STREAM_VALUES_MAX];

static struct stream_view a_stream(const char *workload)
{
	struct stream_view v;

	memset(&v, 0, sizeof(v));
	text_copy(v.spec.workload, sizeof(v.spec.workload), workload);
	v.state = STREAM_RUNNING;
	v.began_ns = 1000 * SECOND;
	return v;
}

/* Goes on for so long, reading so much. */
static bool go_on(struct stream_view *v, uint64_t ns, uint64_t bytes)
{
	v->running_ns += ns;
	v->read_bytes += bytes;
	return stream_series_add(&series, v);
}

static void assert_near(double got, double wanted)
{
	if (!(fabs(got - wanted) <= 1e-6 * (fabs(wanted) + 1)))
		fail_msg("wanted %g, got %g", wanted, got);
}

static void test_mean_is_all_over_all(void **state)
{
	struct stream_view v = a_stream("seq-read");
	struct stream_summary sum;

	(void)state;
	stream_series_init(&series, US_PER_SEC);
	for (int i = 0; i < 30; i++)
		assert_true(go_on(&v, SECOND, 100 * MB));
	assert_true(go_on(&v, 2 * SECOND, 400 * MB)); /* a late tick weighs as long as it was */
	stream_series_end(&series);
	stream_summary_compute(&sum, &series, scratch);
	assert_int_equal(sum.n_values, 31);
	assert_near(sum.mean, 3400e6 / 32);
	assert_near(sum.note.band.low, 100e6);
	assert_near(sum.note.band.peak, 100e6);
	assert_true(isnan(sum.mean_to_disk));
	assert_int_equal(sum.warmup.state, WARMUP_SETTLED);
	assert_true(sum.has_steady);
}

static void test_preparing_is_not_timed(void **state)
{
	struct stream_view v = a_stream("seq-read");
	struct stream_summary sum;

	(void)state;
	stream_series_init(&series, US_PER_SEC);
	v.state = STREAM_PREPARING;
	v.began_ns = 0;
	for (int i = 0; i < 5; i++)
		assert_false(go_on(&v, 0, 0));
	stream_summary_compute(&sum, &series, scratch);
	assert_int_equal(sum.n_values, 0);
	assert_true(isnan(sum.mean));
	v.state = STREAM_RUNNING;
	assert_true(go_on(&v, SECOND, 5 * MB));
	stream_summary_compute(&sum, &series, scratch);
	assert_near(sum.mean, 5e6);
}

static void test_pauses_are_gaps(void **state)
{
	struct stream_view v = a_stream("seq-read");
	struct stream_summary sum;

	(void)state;
	stream_series_init(&series, US_PER_SEC);
	go_on(&v, SECOND, 100 * MB);
	go_on(&v, SECOND, 100 * MB);
	v.state = STREAM_PAUSED;
	assert_true(go_on(&v, 700 * NS_PER_MS, 70 * MB)); /* its last 0.7 s, and the gap */
	assert_false(go_on(&v, 0, 0));
	assert_false(go_on(&v, 0, 0));
	v.state = STREAM_RUNNING;
	go_on(&v, SECOND, 200 * MB);
	assert_int_equal(series.n, 5);
	assert_near((double)series.values[2], 100e6);
	assert_true(isnan(series.values[3]));
	assert_near((double)series.values[4], 200e6);
	v.state = STREAM_PAUSED;
	go_on(&v, 0, 0);
	v.state = STREAM_ENDED;
	go_on(&v, 0, 0);
	stream_series_end(&series);
	stream_summary_compute(&sum, &series, scratch);
	assert_int_equal(sum.n_values, 5); /* no gap at the end */
	assert_near(sum.mean, 470e6 / 3.7);
}

static void test_files_are_counted_as_such(void **state)
{
	struct stream_view v = a_stream("create");

	(void)state;
	stream_series_init(&series, US_PER_SEC);
	v.write_ios = 300;
	v.write_bytes = 12345678;
	go_on(&v, SECOND, 0);
	assert_near((double)series.values[0], 300);
}

static void test_long_runs(void **state)
{
	struct stream_view v = a_stream("seq-read");
	struct stream_summary sum;

	(void)state;
	stream_series_init(&series, US_PER_SEC);
	for (int i = 0; i < STREAM_VALUES_MAX + 10; i++)
		go_on(&v, SECOND, i < 10 ? 0 : MB);
	stream_summary_compute(&sum, &series, scratch);
	assert_int_equal(sum.n_values, STREAM_VALUES_MAX);
	assert_int_equal(sum.n_dropped, 10);
	assert_near(sum.note.band.min, 1e6);
	assert_near(sum.mean, 1e6 * STREAM_VALUES_MAX / (STREAM_VALUES_MAX + 10));
}

static void test_ten_a_second(void **state)
{
	struct stream_view v = a_stream("seq-read");

	(void)state;
	stream_series_init(&series, 100000);
	for (unsigned int i = 0; i < 25; i++)
		go_on(&v, 100 * NS_PER_MS, i * MB);
	assert_int_equal(series.n, 2);
	assert_near((double)series.values[0], 45e6);
	stream_series_end(&series);
	assert_int_equal(series.n, 3); /* half a second is enough */
	assert_near((double)series.values[2], 110e6 / 0.5);
}

static void test_words(void **state)
{
	static const struct note_style style = { UNITS_SI, true, "-" };
	struct stream_view v = a_stream("seq-read");
	struct note note;
	char buf[96];

	(void)state;
	stream_series_init(&series, US_PER_SEC);
	for (int i = 0; i < 120; i++)
		go_on(&v, SECOND, (i % 40 == 20 ? 160 : 213) * MB);
	stream_series_note(&series, scratch, &note);
	note_format(buf, sizeof(buf), &note, &style);
	assert_string_equal(buf, "(dips down to 160 MB/s)");
}

static void test_to_the_disk(void **state)
{
	struct stream_view v = a_stream("seq-write");
	struct stream_summary sum;

	(void)state;
	stream_series_init(&series, US_PER_SEC);
	v.write_bytes = 1000 * MB;
	v.sync_ns = SECOND;
	go_on(&v, SECOND, 0);
	stream_summary_compute(&sum, &series, scratch);
	stream_summary_take_sync(&sum, &v);
	assert_near(sum.mean, 1000e6);
	assert_near(sum.mean_to_disk, 500e6);
}

/* ---- several ---- */

static struct stream_view ran(uint64_t from_s, uint64_t seconds, uint64_t mb)
{
	struct stream_view v = a_stream("seq-read");

	v.state = STREAM_ENDED;
	v.began_ns = from_s * SECOND;
	v.running_ns = seconds * SECOND;
	v.read_bytes = mb * MB;
	return v;
}

static void test_union_of_times(void **state)
{
	static const struct {
		const char *name;
		struct {
			uint64_t from_s, seconds;
		} streams[4];
		uint64_t union_s, first_s, last_s;
	} cases[] = {
		{ "one", { { 100, 10 } }, 10, 10, 10 },
		{ "side by side", { { 100, 10 }, { 100, 10 } }, 10, 10, 10 },
		{ "one ends earlier", { { 100, 10 }, { 100, 4 } }, 10, 4, 10 },
		{ "they overlap", { { 105, 10 }, { 100, 10 } }, 15, 10, 15 },
		{ "one within another", { { 100, 10 }, { 102, 3 }, { 109, 4 } }, 13, 5, 13 },
		{ "one after the other", { { 120, 5 }, { 100, 10 } }, 15, 10, 25 },
		{ "touching", { { 110, 5 }, { 100, 10 } }, 15, 10, 15 },
		{ "four, two apart",
		  { { 100, 5 }, { 101, 6 }, { 200, 1 }, { 200, 2 } },
		  9,
		  5,
		  102 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct stream_view v[5];
		struct stream_group_times times;
		size_t n = 0;

		v[n++] = ran(0, 0, 0); /* one that has not begun */
		for (size_t k = 0; k < 4 && cases[i].streams[k].seconds; k++)
			v[n++] = ran(cases[i].streams[k].from_s, cases[i].streams[k].seconds, 1);
		assert_false(stream_group_times(&times, v, 1));
		assert_true(stream_group_times(&times, v, n));
		if (times.union_ns != cases[i].union_s * SECOND ||
		    times.first_finish_ns != cases[i].first_s * SECOND ||
		    times.last_finish_ns != cases[i].last_s * SECOND)
			fail_msg("%s: %g %g %g", cases[i].name, (double)times.union_ns / 1e9,
				 (double)times.first_finish_ns / 1e9,
				 (double)times.last_finish_ns / 1e9);
	}
}

/* Of two that begin and end apart the sum is over the time in which one ran, each byte once. */
static void test_sum(void **state)
{
	struct stream_view v[2] = { ran(1000, 0, 0), ran(1003, 0, 0) };
	struct stream_summary sum;

	(void)state;
	v[1].began_ns = 0;
	v[0].state = v[1].state = STREAM_RUNNING;
	stream_series_init(&series, US_PER_SEC);
	for (uint64_t s = 1; s <= 10; s++) {
		if (s <= 6)
			v[0] = ran(1000, s, 100 * s);
		if (s < 6)
			v[0].state = STREAM_RUNNING;
		if (s > 3) {
			v[1] = ran(1003, s - 3, 50 * (s - 3));
			v[1].state = STREAM_RUNNING;
		}
		assert_true(stream_series_add_sum(&series, v, 2));
	}
	stream_summary_compute(&sum, &series, scratch);
	assert_int_equal(sum.n_values, 10);
	assert_near((double)series.values[0], 100e6);
	assert_near((double)series.values[4], 150e6);
	assert_near((double)series.values[9], 50e6);
	assert_near(sum.mean, 950e6 / 10);
}

static void test_latencies(void **state)
{
	static struct latency l;
	struct latency_summary sum;

	(void)state;
	latency_summarize(&sum, NULL);
	assert_int_equal(sum.count, 0);
	for (uint64_t i = 1; i <= 50; i++)
		latency_add(&l, i);
	latency_summarize(&sum, &l);
	assert_int_equal(sum.count, 50);
	assert_int_equal(sum.p50_ns, 25);
	assert_int_equal(sum.p95_ns, 48);
	assert_int_equal(sum.p99_ns, 50);
	assert_int_equal(sum.p999_ns, 50);
	assert_int_equal(sum.max_ns, 50);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mean_is_all_over_all),
		cmocka_unit_test(test_preparing_is_not_timed),
		cmocka_unit_test(test_pauses_are_gaps),
		cmocka_unit_test(test_files_are_counted_as_such),
		cmocka_unit_test(test_long_runs),
		cmocka_unit_test(test_ten_a_second),
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_to_the_disk),
		cmocka_unit_test(test_union_of_times),
		cmocka_unit_test(test_sum),
		cmocka_unit_test(test_latencies),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
