/*
 * Workers that write, with each engine: which bytes are moved, what lies on the disk afterwards,
 * and that orders are followed. Nothing here is timed.
 */
#include "load_trial.h"

#include "load/engine.h"
#include "load/workload.h"

#define FILE_BYTES (2 * MIB)
#define BLOCKS (FILE_BYTES / (64 * KIB))

static unsigned char before[FILE_BYTES], after[FILE_BYTES];

static void load(const char *path, unsigned char *data)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(pread(fd, data, FILE_BYTES, 0), FILE_BYTES);
	close(fd);
}

/* Prepares a file, and keeps what is in it. */
static void prepare(struct trial *t, const struct shared_plan *plan)
{
	trial_prepare(t, plan);
	load(t->path, before);
}

/* How many blocks of the file are not what they were. */
static unsigned int changed_blocks(const char *path)
{
	unsigned int n = 0;

	load(path, after);
	for (size_t i = 0; i < BLOCKS; i++)
		n += memcmp(before + i * 64 * KIB, after + i * 64 * KIB, 64 * KIB) != 0;
	return n;
}

static int compare_words(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Of the words of all data: nothing repeats, as nothing does in random numbers. */
static void assert_nothing_repeats(const unsigned char *data, size_t bytes)
{
	uint64_t *words = malloc(bytes);
	size_t n = bytes / sizeof(*words), same = 0;

	assert_non_null(words);
	memcpy(words, data, bytes);
	qsort(words, n, sizeof(*words), compare_words);
	for (size_t i = 1; i < n; i++)
		same += words[i] == words[i - 1];
	free(words);
	assert_int_equal(same, 0);
}

static const struct engine_case {
	const char *engine;
	unsigned int depth;
	enum stream_access access;
} engine_cases[] = {
	{ "psync", 1, STREAM_DIRECT },    { "psync", 1, STREAM_BUFFERED },
	{ "psync", 1, STREAM_DONTCACHE }, { "uring", 1, STREAM_DIRECT },
	{ "uring", 8, STREAM_DIRECT },    { "uring", 8, STREAM_BUFFERED },
	{ "uring", 8, STREAM_DONTCACHE },
};

static struct shared_plan plan_of(const struct engine_case *c, const char *workload)
{
	struct shared_plan plan = trial_plan(workload, FILE_BYTES);

	print_message("  %s by %s, depth %u, access %d\n", workload, c->engine, c->depth,
		      (int)c->access);
	text_copy(plan.spec.engine, sizeof(plan.spec.engine), c->engine);
	plan.spec.depth = c->depth;
	plan.spec.access = c->access;
	return plan;
}

/* One pass writes each block once, and nothing of it twice. */
static void a_pass_writes_all_of_its_part(void **state)
{
	static const char *const workloads[] = { "seq-write", "rand-write" };

	(void)state;
	for (size_t i = 0; i < 2 * sizeof(engine_cases) / sizeof(engine_cases[0]); i++) {
		struct shared_plan plan = plan_of(&engine_cases[i / 2], workloads[i % 2]);
		struct trial t;

		plan.spec.limit_bytes = FILE_BYTES;
		prepare(&t, &plan);
		trial_finish(&t);
		assert_int_equal(trial_ending(&t), ENDING_LIMIT);
		assert_int_equal(shared_get(&t.shared->write.bytes), FILE_BYTES);
		assert_int_equal(shared_get(&t.shared->write.ios), BLOCKS);
		assert_int_equal(shared_get(&t.shared->read.bytes), 0);
		assert_true(shared_get(&t.shared->sync_ns) > 0);
		assert_int_equal(changed_blocks(t.path), BLOCKS);
		/* With one in flight each block has its own memory until its turn comes again. */
		assert_nothing_repeats(after, plan.spec.depth == 1 ? FILE_BYTES : 64 * KIB);
		trial_release(&t);
	}
}

static void passes_are_unlike_each_other(void **state)
{
	struct shared_plan plan = trial_plan("seq-write", FILE_BYTES);
	struct trial t;

	(void)state;
	plan.spec.limit_bytes = FILE_BYTES;
	prepare(&t, &plan);
	trial_finish(&t);
	trial_release(&t);
	load(t.path, before);
	plan.spec.limit_bytes = 2 * FILE_BYTES;
	prepare(&t, &plan);
	trial_finish(&t);
	trial_release(&t);
	assert_int_equal(changed_blocks(t.path), BLOCKS);
	/* Each sector of a block is unlike the same one of the pass before. */
	for (size_t at = 0; at < FILE_BYTES; at += 512)
		assert_true(memcmp(before + at, after + at, 512) != 0);
}

static void only_the_part_is_written(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(engine_cases) / sizeof(engine_cases[0]); i++) {
		struct shared_plan plan = plan_of(&engine_cases[i], "rand-write");
		struct trial t;

		plan.part_offset = 4096;
		plan.part_bytes -= 4096;
		plan.spec.limit_bytes = 4 * MIB;
		prepare(&t, &plan);
		trial_finish(&t);
		trial_release(&t);
		load(t.path, after);
		assert_memory_equal(before, after, 4096);
		/* Whole blocks only: the last 60 KiB are less than one. */
		assert_memory_equal(before + FILE_BYTES - 60 * KIB, after + FILE_BYTES - 60 * KIB,
				    60 * KIB);
		assert_true(memcmp(before + 4096, after + 4096, 512) != 0);
	}
}

static void what_is_rewritten_is_read_first(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(engine_cases) / sizeof(engine_cases[0]); i++) {
		struct shared_plan plan = plan_of(&engine_cases[i], "rewrite");
		struct trial t;
		size_t same = 0;

		plan.spec.limit_bytes = FILE_BYTES;
		prepare(&t, &plan);
		trial_finish(&t);
		assert_int_equal(shared_get(&t.shared->read.bytes), FILE_BYTES);
		assert_int_equal(shared_get(&t.shared->write.bytes), FILE_BYTES);
		assert_int_equal(changed_blocks(t.path), BLOCKS);
		for (size_t at = 0; at < FILE_BYTES; at++)
			same += before[at] == after[at];
		assert_true(same > FILE_BYTES / 100 * 95); /* changed, and not made anew */
		trial_release(&t);
	}
}

static const struct share_case {
	const char *workload;
	unsigned int write_pct;
	uint64_t min_pct, max_pct; /* of all transfers that are writes, among thousands */
} share_cases[] = {
	{ "mix", 0, 0, 0 },    { "mix", 30, 25, 35 },    { "mix", 100, 100, 100 },
	{ "seeks", 0, 7, 12 }, { "rewrite", 0, 50, 50 },
};

static void reads_and_writes_keep_their_shares(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(share_cases) / sizeof(share_cases[0]); i++) {
		const struct share_case *c = &share_cases[i];
		struct shared_plan plan = trial_plan(c->workload, FILE_BYTES);
		uint64_t reads, writes;
		struct trial t;

		print_message("  %s, %u %%\n", c->workload, c->write_pct);
		plan.spec.block_bytes = plan.spec.align_bytes = 4096;
		plan.spec.write_pct = c->write_pct;
		plan.spec.access = STREAM_BUFFERED;
		prepare(&t, &plan);
		trial_begin(&t);
		trial_wait_for_ios(&t, 5000);
		trial_stop(&t);
		trial_wait(&t);
		reads = shared_get(&t.shared->read.ios);
		writes = shared_get(&t.shared->write.ios);
		assert_int_equal(trial_failure(&t), FAILURE_NONE);
		assert_int_equal(shared_get(&t.shared->read.bytes), reads * 4096);
		assert_int_equal(shared_get(&t.shared->write.bytes), writes * 4096);
		assert_true(writes * 100 >= (reads + writes) * c->min_pct);
		assert_true(writes * 100 <= (reads + writes) * c->max_pct);
		trial_release(&t);
	}
}

static const char *const readers[] = { "seq-read", "rand-read", "char-read", "copy" };
static const struct engine_case read_engines[] = { { "psync", 1, STREAM_BUFFERED },
						   { "uring", 32, STREAM_DIRECT },
						   { "mmap", 1, 0 } };

static void readers_change_nothing(void **state)
{
	char path[128];

	(void)state;
	make_file(path, sizeof(path), "readers", FILE_BYTES);
	load(path, before);
	for (size_t i = 0; i < 4 * sizeof(read_engines) / sizeof(read_engines[0]); i++) {
		struct shared_plan plan = plan_of(&read_engines[i / 4], readers[i % 4]);
		struct trial t;
		int fd = open(path, O_RDONLY | O_CLOEXEC);

		plan.target = SHARED_TARGET_READ;
		trial_start_fd(&t, &plan, fd);
		close(fd);
		trial_wait_for_ios(&t, 3 * BLOCKS);
		trial_stop(&t);
		trial_wait(&t);
		assert_int_equal(trial_failure(&t), FAILURE_NONE);
		assert_int_equal(trial_ending(&t), ENDING_STOPPED);
		assert_int_equal(shared_get(&t.shared->read.bytes),
				 shared_get(&t.shared->read.ios) * 64 * KIB);
		assert_int_equal(shared_get(&t.shared->write.bytes), 0);
		assert_int_equal(shared_get(&t.shared->sync_ns), 0);
		assert_string_equal(t.shared->engine, plan.spec.engine);
		assert_int_equal(changed_blocks(path), 0);
		trial_release(&t);
	}
}

/* A worker that was handed the wrong descriptor writes nothing and says what is wrong. */
static void the_wrong_descriptor_is_refused(void **state)
{
	static const struct {
		const char *name, *workload;
		enum shared_target target;
		int flags;
	} cases[] = {
		{ "to write what was opened to be read", "seq-write", SHARED_TARGET_READ, O_RDWR },
		{ "to write to what is no device", "seq-write", SHARED_TARGET_DEVICE, O_RDWR },
		{ "to write below what is no directory", "rewrite", SHARED_TARGET_DIRECTORY,
		  O_RDWR },
		{ "to read with permission to write", "seq-read", SHARED_TARGET_READ, O_RDWR },
	};
	char path[128];

	(void)state;
	make_file(path, sizeof(path), "wrong", FILE_BYTES);
	load(path, before);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct shared_plan plan = trial_plan(cases[i].workload, FILE_BYTES);
		int fd = open(path, cases[i].flags | O_CLOEXEC);
		struct trial t;

		print_message("  %s\n", cases[i].name);
		plan.target = cases[i].target;
		trial_start_fd(&t, &plan, fd);
		close(fd);
		trial_wait(&t);
		assert_int_equal(atomic_load(&t.shared->error), EPERM);
		assert_int_equal(trial_phase(&t), PHASE_FAILED);
		assert_int_equal(trial_ios(&t), 0);
		assert_int_equal(changed_blocks(path), 0);
		trial_release(&t);
	}
}

static void a_pause_stands_still_and_is_left_out(void **state)
{
	struct shared_plan plan = trial_plan("seq-write", FILE_BYTES);
	struct trial t;
	uint64_t ios;

	(void)state;
	prepare(&t, &plan);
	trial_begin(&t);
	trial_wait_for_ios(&t, 1);
	atomic_store(&t.shared->pause, 1);
	trial_order(&t);
	while (shared_get(&t.shared->pause_began_ns) == 0)
		nap();
	ios = trial_ios(&t);
	wait_for_state(t.pid, 'S');
	for (int i = 0; i < 20; i++)
		nap();
	assert_int_equal(trial_ios(&t), ios);
	assert_int_equal(shared_get(&t.shared->paused_ns), 0);
	atomic_store(&t.shared->pause, 0);
	trial_order(&t);
	trial_wait_for_ios(&t, ios + 1);
	assert_true(shared_get(&t.shared->paused_ns) >= 20 * 2 * NS_PER_MS);
	assert_int_equal(shared_get(&t.shared->pause_began_ns), 0);
	atomic_store(&t.shared->pause, 1); /* and one that is paused can be stopped */
	trial_order(&t);
	trial_stop(&t);
	trial_wait(&t);
	assert_int_equal(trial_phase(&t), PHASE_DONE);
	trial_release(&t);
}

static void a_rate_is_kept_and_changed(void **state)
{
	static const struct engine_case *const cases[] = { &engine_cases[0], &engine_cases[4] };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct shared_plan plan = plan_of(cases[i], "seq-write");
		uint64_t ran_ns, late;
		struct latency l;
		struct trial t;

		plan.spec.rate_per_sec = MIB; /* a block each 62.5 ms */
		prepare(&t, &plan);
		trial_begin(&t);
		trial_wait_for_ios(&t, 3);
		ran_ns = clock_monotonic_ns() - shared_get(&t.shared->started_ns);
		/* The first is due at once, and the clock was read after the transfers. */
		assert_true(trial_ios(&t) <= 2 + ran_ns / (62 * NS_PER_MS));
		shared_set(&t.shared->rate_per_sec, 0);
		trial_order(&t);
		trial_wait_for_ios(&t, 500); /* which would take half a minute */
		trial_stop(&t);
		trial_wait(&t);
		assert_int_equal(trial_failure(&t), FAILURE_NONE);
		latency_take(&l, &t.shared->scheduled_latency);
		late = l.total;
		latency_take(&l, &t.shared->write_latency);
		assert_true(late >= 2 && late < 500); /* those under the rate */
		assert_int_equal(l.total, shared_get(&t.shared->write.ios) - 1);
		assert_true(shared_get(&t.shared->first_ns) > 0);
		trial_release(&t);
	}
}

static void a_ramp_is_left_out(void **state)
{
	struct shared_plan plan = trial_plan("seq-write", FILE_BYTES);
	struct trial t;

	(void)state;
	plan.spec.ramp_ns = 300 * NS_PER_MS;
	prepare(&t, &plan);
	trial_begin(&t);
	trial_wait_for_phase(&t, PHASE_RUNNING);
	while (changed_blocks(t.path) == 0)
		nap();
	if (shared_get(&t.shared->started_ns) == 0) /* we were quick enough to see it */
		assert_int_equal(shared_get(&t.shared->write.bytes), 0);
	trial_wait_for_ios(&t, 2);
	assert_true(shared_get(&t.shared->started_ns) > 0);
	trial_stop(&t);
	trial_wait(&t);
	assert_int_equal(trial_failure(&t), FAILURE_NONE);
	trial_release(&t);
}

static void sync_follows_its_policy(void **state)
{
	static const enum stream_sync policies[] = { STREAM_SYNC_END, STREAM_SYNC_NONE,
						     STREAM_SYNC_EACH };

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct shared_plan plan = plan_of(&engine_cases[i % 2 ? 5 : 1], "seq-write");
		struct trial t;

		plan.spec.sync = policies[i];
		plan.spec.limit_bytes = MIB;
		prepare(&t, &plan);
		trial_finish(&t);
		assert_int_equal(shared_get(&t.shared->sync_ns) > 0,
				 policies[i] != STREAM_SYNC_NONE);
		assert_int_equal(shared_get(&t.shared->write.bytes), MIB);
		trial_release(&t);
	}
}

static void its_own_cpu_time_and_disk_reads_are_told(void **state)
{
	struct shared_plan plan = trial_plan("rand-read", FILE_BYTES);
	struct trial t;

	(void)state;
	prepare(&t, &plan);
	trial_begin(&t);
	trial_wait_for_ios(&t, 200);
	trial_stop(&t);
	trial_wait(&t);
	assert_true(shared_get(&t.shared->cpu_user_ns) + shared_get(&t.shared->cpu_system_ns) > 0);
	assert_int_equal(shared_get(&t.shared->disk_read_of_bytes),
			 shared_get(&t.shared->read.bytes));
	if (atomic_load(&t.shared->access) == STREAM_DIRECT)
		assert_int_equal(shared_get(&t.shared->disk_read_bytes),
				 shared_get(&t.shared->read.bytes));
	trial_release(&t);
}

/* What ends or stops most programs, and wakes all from their sleep. */
static void signals_do_no_harm(void **state)
{
	static const int numbers[] = { SIGUSR1, SIGCONT, SIGWINCH, SIGHUP,  SIGPIPE,
				       SIGUSR2, SIGCHLD, SIGURG,   SIGSTOP, SIGCONT };

	(void)state;
	for (size_t i = 0; i < sizeof(engine_cases) / sizeof(engine_cases[0]); i++) {
		struct shared_plan plan = plan_of(&engine_cases[i], "rand-write");
		struct trial t;

		plan.spec.limit_bytes = 4 * FILE_BYTES;
		plan.spec.rate_per_sec = 32 * MIB;
		prepare(&t, &plan);
		trial_begin(&t);
		trial_wait_for_phase(&t, PHASE_RUNNING);
		for (size_t k = 0; k < 1000; k++)
			kill(t.pid, numbers[k % (sizeof(numbers) / sizeof(numbers[0]))]);
		trial_wait(&t);
		assert_int_equal(trial_failure(&t), FAILURE_NONE);
		assert_int_equal(shared_get(&t.shared->write.bytes), 4 * FILE_BYTES);
		assert_int_equal(changed_blocks(t.path), BLOCKS);
		trial_release(&t);
	}
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_pass_writes_all_of_its_part),
		cmocka_unit_test(passes_are_unlike_each_other),
		cmocka_unit_test(only_the_part_is_written),
		cmocka_unit_test(what_is_rewritten_is_read_first),
		cmocka_unit_test(reads_and_writes_keep_their_shares),
		cmocka_unit_test(readers_change_nothing),
		cmocka_unit_test(the_wrong_descriptor_is_refused),
		cmocka_unit_test(a_pause_stands_still_and_is_left_out),
		cmocka_unit_test(a_rate_is_kept_and_changed),
		cmocka_unit_test(a_ramp_is_left_out),
		cmocka_unit_test(sync_follows_its_policy),
		cmocka_unit_test(its_own_cpu_time_and_disk_reads_are_told),
		cmocka_unit_test(signals_do_no_harm),
	};

	if (argc > 1 && strcmp(argv[1], STREAM_WORKER_ARGUMENT) == 0)
		return stream_worker_main(argc, argv);
	return cmocka_run_group_tests_name("load_worker", tests, make_test_dir, remove_trial_dir);
}
