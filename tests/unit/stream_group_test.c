/*
 * Streams that are started together, and what becomes of all of them when raidtop ends. What is
 * read is a file, in parts of their own.
 */
#include "load_support.h"

#include "raidtop/barrier.h"
#include "raidtop/latency.h"

#define COPIES 3
#define MANY 8

static struct stream *start_copy(const struct stream_spec *spec, struct barrier *b, unsigned int i)
{
	const struct stream_order order = {
		.number = i + 1, .group = 1, .copy = i, .spec = spec, .barrier = b, .place = i
	};
	struct stream *s = NULL;
	char why[160] = "";

	if (stream_start(&order, &s, why, sizeof(why)) < 0)
		print_error("%s\n", why);
	assert_non_null(s);
	return s;
}

static void wait_for_stream(struct stream *s, enum stream_state state, struct stream_view *v)
{
	uint64_t until_ns = clock_monotonic_ns() + PATIENCE_NS;

	do {
		nap();
		stream_refresh(s, clock_monotonic_ns(), v);
	} while (v->state != state && clock_monotonic_ns() < until_ns);
	assert_int_equal(v->state, state);
}

static struct stream_spec copies_of(char *path, size_t size, const char *name)
{
	struct stream_spec spec;

	make_file(path, size, name, 6 * MIB);
	spec = read_of(path);
	spec.copies = COPIES;
	return spec;
}

static void all_begin_with_the_last_one(void **state)
{
	struct stream *s[COPIES];
	struct stream_view v[COPIES];
	struct stream_spec spec;
	struct barrier *b;
	char path[128];

	(void)state;
	spec = copies_of(path, sizeof(path), "together");
	assert_int_equal(barrier_new(&b, COPIES), 0);
	for (unsigned int i = 0; i < COPIES; i++) {
		if (i == COPIES - 1) { /* the others are there, and wait */
			for (unsigned int k = 0; k < i; k++) {
				wait_for_stream(s[k], STREAM_WAITING, &v[k]);
				assert_int_equal(v[k].read_ios + v[k].began_ns, 0);
			}
			assert_false(barrier_is_open(b));
		}
		s[i] = start_copy(&spec, b, i);
	}
	barrier_free(b); /* each of them holds it */
	for (unsigned int i = 0; i < COPIES; i++) {
		wait_for_stream(s[i], STREAM_RUNNING, &v[i]);
		assert_int_equal(v[i].group, 1);
		assert_int_equal(v[i].number, i + 1);
		stream_free(s[i]);
	}
}

/* One that cannot start, and one that dies before it begins: nobody waits for them. */
static void nobody_waits_for_the_dead(void **state)
{
	struct stream *first, *second, *third = NULL;
	struct stream_view v;
	struct stream_spec spec, bad = read_of("/dev/nosuch");
	struct barrier *b;
	char path[128], why[160];

	(void)state;
	spec = copies_of(path, sizeof(path), "dead");
	assert_int_equal(barrier_new(&b, COPIES), 0);
	first = start_copy(&spec, b, 0);
	wait_for_stream(first, STREAM_WAITING, &v);
	assert_int_equal(kill(find_worker(getpid()), SIGKILL), 0);
	wait_for_stream(first, STREAM_FAILED, &v);
	second = start_copy(&spec, b, 1);
	wait_for_stream(second, STREAM_WAITING, &v);
	assert_int_equal(stream_start(
				 &(struct stream_order){
					 .number = 3, .spec = &bad, .barrier = b, .place = 2 },
				 &third, why, sizeof(why)),
			 -ENOENT);
	wait_for_stream(second, STREAM_RUNNING, &v);
	stream_free(first);
	stream_free(second);
	barrier_free(b);
}

static void one_that_waits_can_be_stopped(void **state)
{
	struct stream_view v;
	struct stream_spec spec;
	struct stream *s;
	struct barrier *b;
	char path[128];

	(void)state;
	spec = copies_of(path, sizeof(path), "waits");
	assert_int_equal(barrier_new(&b, 2), 0);
	s = start_copy(&spec, b, 0);
	wait_for_stream(s, STREAM_WAITING, &v);
	stream_stop(s);
	wait_for_end(s, &v);
	assert_int_equal(v.state, STREAM_ENDED);
	assert_int_equal(v.read_ios + v.running_ns, 0);
	stream_free(s);
	barrier_free(b);
}

static uint64_t byte_told(const char *why)
{
	const char *number = strstr(why, "byte ") + strlen("byte ");
	uint64_t byte;

	assert_int_equal(number_parse_u64(number, strcspn(number, ","), &byte), 0);
	return byte;
}

/* Copies on one file move in parts of it that do not overlap, so a pass of all reads it once. */
static void copies_have_parts_of_their_own(void **state)
{
	struct stream_view v;
	struct stream_spec spec;
	char path[128];

	(void)state;
	spec = copies_of(path, sizeof(path), "parts");
	for (unsigned int i = 0; i < COPIES; i++) {
		struct stream *s = start_copy(&spec, NULL, i);

		wait_for_ios(s, 1, &v);
		assert_int_equal(truncate(path, (off_t)(2 * i) * MIB),
				 0); /* its part begins there */
		wait_for_end(s, &v);
		assert_int_equal(v.state, STREAM_FAILED);
		assert_in(v.why, "ended at byte");
		assert_int_equal(byte_told(v.why) / (2 * MIB), i);
		stream_free(s);
		spec = copies_of(path, sizeof(path), "parts");
	}
}

static void orders_reach_the_worker(void **state)
{
	struct stream_view v;
	struct stream_spec spec;
	struct stream *s;
	uint64_t ios, running_ns;
	char path[128];

	(void)state;
	spec = copies_of(path, sizeof(path), "orders");
	s = start_copy(&spec, NULL, 0);
	wait_for_ios(s, 1, &v);
	stream_pause(s);
	wait_for_stream(s, STREAM_PAUSED, &v);
	ios = v.read_ios;
	running_ns = v.running_ns;
	stream_refresh(s, clock_monotonic_ns() + NS_PER_SEC, &v);
	assert_int_equal(v.read_ios, ios);
	assert_int_equal(v.running_ns, running_ns);
	assert_true(v.paused_ns >= NS_PER_SEC);
	stream_resume(s);
	wait_for_ios(s, ios + 1, &v);
	assert_int_equal(v.state, STREAM_RUNNING);
	assert_null(v.scheduled_latency);
	stream_set_rate(s, 100 * MIB);
	while (!v.scheduled_latency && !stream_is_over(s)) {
		nap();
		stream_refresh(s, clock_monotonic_ns(), &v);
	}
	assert_int_equal(v.spec.rate_per_sec, 100 * MIB);
	assert_true(v.read_latency->total > 0 && v.read_latency->total < v.read_ios + 1);
	assert_null(v.write_latency);
	stream_free(s);
}

static size_t count_workers(const pid_t *workers, size_t n)
{
	size_t left = 0;

	for (size_t i = 0; i < n; i++)
		left += !process_has_ended(workers[i]);
	return left;
}

/* Starts many streams, says on the pipe that all run, and waits to be killed. */
static _Noreturn void be_a_parent(const char *path, int ready)
{
	struct stream_spec spec = read_of(path);
	struct stream_view v;
	struct stream *s;

	for (unsigned int i = 0; i < MANY; i++) {
		char why[160];
		const struct stream_order order = { .number = i + 1, .spec = &spec };

		if (stream_start(&order, &s, why, sizeof(why)) < 0)
			_exit(1);
		do {
			nap();
			stream_refresh(s, clock_monotonic_ns(), &v);
		} while (v.read_ios == 0 && !stream_is_over(s));
	}
	if (write(ready, "", 1) != 1)
		_exit(1);
	for (;;)
		pause();
}

static size_t find_workers(pid_t parent, pid_t *ret, size_t size)
{
	DIR *dir = opendir("/proc");
	struct dirent *entry;
	size_t n = 0;

	while ((entry = readdir(dir))) {
		uint64_t pid;

		if (number_parse_u64(entry->d_name, strlen(entry->d_name), &pid) == 0 &&
		    process_parent((pid_t)pid) == parent && n < size)
			ret[n++] = (pid_t)pid;
	}
	closedir(dir);
	return n;
}

static void all_die_with_their_parent(void **state)
{
	pid_t parent, workers[MANY];
	struct stream_spec spec;
	char path[128], byte;
	int ready[2];
	uint64_t killed_ns;
	size_t left;

	(void)state;
	spec = copies_of(path, sizeof(path), "orphans");
	assert_int_equal(pipe(ready), 0);
	parent = fork();
	if (parent == 0)
		be_a_parent(spec.target, ready[1]);
	close(ready[1]);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	assert_int_equal(find_workers(parent, workers, MANY), MANY);
	kill(parent, SIGKILL);
	killed_ns = clock_monotonic_ns();
	assert_int_equal(waitpid(parent, NULL, 0), parent);
	while ((left = count_workers(workers, MANY)) > 0 &&
	       clock_monotonic_ns() < killed_ns + NS_PER_SEC)
		nap();
	for (size_t i = 0; left > 0 && i < MANY; i++)
		kill(workers[i], SIGKILL);
	assert_int_equal(left, 0);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_begin_with_the_last_one),
		cmocka_unit_test(nobody_waits_for_the_dead),
		cmocka_unit_test(one_that_waits_can_be_stopped),
		cmocka_unit_test(copies_have_parts_of_their_own),
		cmocka_unit_test(orders_reach_the_worker),
		cmocka_unit_test(all_die_with_their_parent),
	};

	if (argc > 1 && strcmp(argv[1], STREAM_WORKER_ARGUMENT) == 0)
		return stream_worker_main(argc, argv);
	return cmocka_run_group_tests_name("stream_group", tests, make_test_dir, remove_test_dir);
}
