/* A stream's reads judged by what its device moved meanwhile, and its words as it goes on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/stream_course.h"
#include "raidtop/clock.h"
#include "raidtop/text.h"

#define MB 1000000ULL

/* Two devices and two streams. */
struct bench {
	struct topology t;
	struct figures figures[2];
	struct tick tick;
	struct stream_course *courses[2];
	struct stream_view views[2];
};

static float scratch[STREAM_VALUES_MAX];

static void bench_init(struct bench *b, const char *first_on, const char *second_on)
{
	memset(b, 0, sizeof(*b));
	topology_init(&b->t);
	topology_add_array(&b->t, "md0");
	topology_add_array(&b->t, "md1");
	b->tick.devices = b->figures;
	b->tick.n_devices = 2;
	for (size_t i = 0; i < 2; i++) {
		counters_set(&b->figures[i].totals, COUNTER_READ_BYTES, 7 * MB);
		b->courses[i] =
			stream_course_new(US_PER_SEC, i ? second_on : first_on, &b->t, &b->tick);
		text_copy(b->views[i].spec.device, DEVICE_NAME_BYTES, i ? second_on : first_on);
		text_copy(b->views[i].spec.workload, sizeof(b->views[i].spec.workload), "seq-read");
	}
}

static void bench_release(struct bench *b)
{
	topology_release(&b->t);
	free(b->courses[0]);
	free(b->courses[1]);
}

static void step(struct bench *b)
{
	stream_courses_step(b->courses, b->views, 2, &b->t, &b->tick, scratch);
}

/* A stream runs for a second: it got so much, its process so much from devices. */
static void read_on(struct bench *b, size_t i, uint64_t bytes, uint64_t disk)
{
	struct stream_view *v = &b->views[i];

	v->began_ns = 5;
	v->state = STREAM_RUNNING;
	v->running_ns += NS_PER_SEC;
	v->read_bytes += bytes;
	v->disk_read_bytes += disk;
	v->disk_read_of_bytes = v->read_bytes;
}

static void device_reads(struct bench *b, size_t i, uint64_t bytes)
{
	b->figures[i].totals.value[COUNTER_READ_BYTES] += bytes;
}

static void test_two_on_one_device(void **state)
{
	struct bench b;

	(void)state;
	bench_init(&b, "md0", "md0");
	device_reads(&b, 0, 900 * MB); /* before they begin: no proof of anything */
	step(&b);
	assert_int_equal(b.views[0].proof, PROOF_UNKNOWN);
	for (int i = 0; i < 3; i++) {
		read_on(&b, 0, 60 * MB, 60 * MB);
		read_on(&b, 1, 40 * MB, 40 * MB);
		device_reads(&b, 0, 100 * MB);
		step(&b);
	}
	assert_int_equal(b.views[0].proof, PROOF_DISK);
	assert_int_equal(b.views[1].proof, PROOF_DISK);
	/* from here on the device gives only one of them its bytes */
	read_on(&b, 0, 60 * MB, 60 * MB);
	read_on(&b, 1, 40 * MB, 40 * MB);
	device_reads(&b, 0, 60 * MB);
	step(&b);
	assert_int_equal(b.views[0].proof, PROOF_UNPROVEN);
	assert_true(fabs(b.views[0].disk_pct - 90) < 0.01);
	bench_release(&b);
}

static void test_each_by_its_own_device(void **state)
{
	struct bench b;

	(void)state;
	bench_init(&b, "md0", "md1");
	step(&b);
	read_on(&b, 0, 60 * MB, 60 * MB);
	read_on(&b, 1, 60 * MB, 3 * MB);
	device_reads(&b, 0, 60 * MB);
	device_reads(&b, 1, 3 * MB);
	step(&b);
	assert_int_equal(b.views[0].proof, PROOF_DISK);
	assert_int_equal(b.views[1].proof, PROOF_CACHE);
	assert_true(fabs(b.views[1].disk_pct - 5) < 0.01);
	bench_release(&b);
}

/* A stream that begins before its first tick: what its device moves until then counts already. */
static void test_begins_at_once(void **state)
{
	struct bench b;

	(void)state;
	bench_init(&b, "md0", "md1");
	read_on(&b, 0, 60 * MB, 60 * MB);
	device_reads(&b, 0, 60 * MB);
	step(&b);
	assert_int_equal(b.views[0].proof, PROOF_DISK);
	bench_release(&b);
}

static void test_devices_that_say_nothing(void **state)
{
	struct bench b;

	(void)state;
	bench_init(&b, "md0", "md9");
	step(&b);
	read_on(&b, 0, 60 * MB, 60 * MB);
	read_on(&b, 1, 60 * MB, 60 * MB);
	b.figures[0].derived = true; /* of its members, not its own */
	device_reads(&b, 0, 60 * MB);
	step(&b);
	assert_int_equal(b.views[0].proof, PROOF_UNPROVEN);
	assert_int_equal(b.views[1].proof, PROOF_UNPROVEN);
	/* what was not known once is never known again */
	b.figures[0].derived = false;
	step(&b);
	read_on(&b, 0, MB, MB);
	device_reads(&b, 0, 600 * MB);
	step(&b);
	assert_int_equal(b.views[0].proof, PROOF_UNPROVEN);
	stream_courses_step(b.courses, b.views, 2, NULL, NULL, scratch);
	assert_int_equal(b.views[0].proof, PROOF_UNPROVEN);
	bench_release(&b);
}

static void test_words(void **state)
{
	struct bench b;

	(void)state;
	bench_init(&b, "md0", "md0");
	text_copy(b.views[1].spec.workload, sizeof(b.views[1].spec.workload), "create");
	for (int i = 0; i < 60; i++) {
		bool dips = i % 20 == 19;

		read_on(&b, 0, (dips ? 160 : 213) * MB, 0);
		read_on(&b, 1, 0, 0);
		b.views[1].write_ios += dips ? 160 : 213;
		step(&b);
	}
	assert_string_equal(b.views[0].note, "(dips down to 160 MB/s)");
	assert_string_equal(b.views[1].note, "(dips down to 160)");
	assert_true(fabs(b.views[0].low_bytes_per_sec - 160e6) < 1);
	assert_true(fabs(b.views[0].high_bytes_per_sec - 213e6) < 1);
	assert_true(fabs(b.views[1].high_bytes_per_sec - 213) < 1);
	bench_release(&b);
}

/* A stream that goes to half its speed and stays there: told once, with both figures. */
static void test_level(void **state)
{
	struct bench b;
	unsigned int told = 0;

	(void)state;
	bench_init(&b, "md0", "md0");
	for (unsigned int i = 0; i < 80; i++) {
		read_on(&b, 0, (i < 40 ? 200 + i % 3 : 100 + i % 3) * MB, 0);
		read_on(&b, 1, (200 + i % 3) * MB, 0);
		step(&b);
		assert_false(b.courses[1]->level_changed);
		if (!b.courses[0]->level_changed)
			continue;
		told++;
		assert_in_range(i, 45, 60);
		assert_true(fabs(b.courses[0]->change.before - 201e6) < 2e6);
		assert_true(fabs(b.courses[0]->change.after - 101e6) < 2e6);
	}
	assert_int_equal(told, 1);
	bench_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_two_on_one_device),
		cmocka_unit_test(test_each_by_its_own_device),
		cmocka_unit_test(test_begins_at_once),
		cmocka_unit_test(test_devices_that_say_nothing),
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_level),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
