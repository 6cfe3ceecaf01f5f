/*
 * verify=1 on whole workers: a run over a sound file finds nothing, and what is corrupted behind
 * its back is found, with its offset. Blocks that were not written may hold anything.
 */
#include "load_trial.h"

#define FILE_BYTES (2 * MIB)
#define BLOCK (64 * KIB)

static const struct verify_case {
	const char *workload, *engine;
	unsigned int depth;
	enum stream_access access;
} verify_cases[] = {
	{ "seq-write", "psync", 1, STREAM_DIRECT },
	{ "seq-write", "uring", 8, STREAM_DIRECT },
	{ "rand-write", "psync", 1, STREAM_BUFFERED },
	{ "rand-write", "uring", 32, STREAM_DIRECT },
	{ "mix", "psync", 1, STREAM_DIRECT },
	{ "mix", "uring", 32, STREAM_DIRECT },
	{ "rewrite", "psync", 1, STREAM_DONTCACHE },
	{ "rewrite", "uring", 16, STREAM_DIRECT },
	{ "seeks", "uring", 16, STREAM_BUFFERED },
	{ "char-write", "psync", 1, STREAM_BUFFERED },
};

static struct shared_plan verified(const struct verify_case *c)
{
	struct shared_plan plan = trial_plan(c->workload, FILE_BYTES);

	print_message("  %s by %s, depth %u\n", c->workload, c->engine, c->depth);
	text_copy(plan.spec.engine, sizeof(plan.spec.engine), c->engine);
	plan.spec.depth = c->depth;
	plan.spec.access = c->access;
	plan.spec.verify = true;
	plan.spec.write_pct = 50;
	return plan;
}

/* Several passes, so that blocks of older generations have been replaced. */
static void a_sound_file_is_found_sound(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(verify_cases) / sizeof(verify_cases[0]); i++) {
		struct shared_plan plan = verified(&verify_cases[i]);
		struct trial t;

		plan.spec.limit_bytes = 3 * FILE_BYTES + BLOCK;
		trial_prepare(&t, &plan);
		trial_finish(&t);
		assert_int_equal(shared_get(&t.shared->write.bytes), 3 * FILE_BYTES + BLOCK);
		assert_int_equal(shared_get(&t.shared->errors), 0);
		trial_release(&t);
	}
}

static void flip(const char *path, uint64_t offset)
{
	unsigned char byte;
	int fd = open(path, O_RDWR | O_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(pread(fd, &byte, 1, (off_t)offset), 1);
	byte ^= 1;
	assert_int_equal(pwrite(fd, &byte, 1, (off_t)offset), 1);
	assert_int_equal(fsync(fd), 0);
	close(fd);
}

static void pause_trial(struct trial *t)
{
	atomic_store(&t->shared->pause, 1);
	trial_order(t);
	while (shared_get(&t->shared->pause_began_ns) == 0 && trial_phase(t) < PHASE_SYNC)
		nap();
}

/* One bit, in the middle of a block that was written, while the worker pauses. */
static void what_was_corrupted_is_found(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(verify_cases) / sizeof(verify_cases[0]); i++) {
		struct shared_plan plan = verified(&verify_cases[i]);
		struct trial t;

		trial_start(&t, &plan);
		/* So many that each block has been written, also by those that seldom write. */
		trial_wait_for_ios(&t, 4000);
		pause_trial(&t);
		flip(t.path, 5 * BLOCK + 12345);
		trial_stop(&t); /* it reads again what it wrote */
		trial_wait(&t);
		assert_int_equal(trial_phase(&t), PHASE_FAILED);
		assert_int_equal(trial_failure(&t), FAILURE_VERIFY);
		assert_int_equal(shared_get(&t.shared->error_offset), 5 * BLOCK);
		assert_int_equal(shared_get(&t.shared->errors), 1);
		trial_release(&t);
	}
}

/* By the reads of the run itself, as it goes on. */
static void readers_find_it_while_they_run(void **state)
{
	static const struct verify_case cases[] = {
		{ "mix", "uring", 8, STREAM_DIRECT },
		{ "rewrite", "psync", 1, STREAM_DIRECT },
	};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct shared_plan plan = verified(&cases[i]);
		struct trial t;

		trial_start(&t, &plan);
		trial_wait_for_ios(&t, 1000);
		pause_trial(&t);
		for (uint64_t k = 0; k < FILE_BYTES / BLOCK; k++)
			flip(t.path, k * BLOCK + 4096);
		atomic_store(&t.shared->pause, 0);
		trial_order(&t);
		trial_wait(&t);
		assert_int_equal(trial_failure(&t), FAILURE_VERIFY);
		assert_true(trial_ending(&t) == ENDING_NONE); /* nobody asked it to end */
		trial_release(&t);
	}
}

static void what_was_not_written_may_be_anything(void **state)
{
	struct shared_plan plan = verified(&verify_cases[0]);
	struct trial t;

	(void)state;
	plan.spec.limit_bytes = 4 * BLOCK;
	plan.spec.rate_per_sec = 16 * BLOCK;
	trial_start(&t, &plan);
	trial_wait_for_ios(&t, 1);
	flip(t.path, 4 * BLOCK);
	flip(t.path, FILE_BYTES - 1);
	trial_wait(&t);
	assert_int_equal(trial_failure(&t), FAILURE_NONE);
	assert_int_equal(shared_get(&t.shared->write.bytes), 4 * BLOCK);
	trial_release(&t);
}

static void a_stream_that_fails_is_told_by_its_sentence(void **state)
{
	struct shared_plan plan = verified(&verify_cases[0]);
	struct trial t;

	(void)state;
	trial_start(&t, &plan);
	trial_wait_for_ios(&t, 64);
	pause_trial(&t);
	assert_int_equal(truncate(t.path, BLOCK), 0);
	trial_stop(&t);
	trial_wait(&t);
	assert_int_equal(trial_failure(&t), FAILURE_SHORT);
	assert_int_equal(shared_get(&t.shared->error_offset), BLOCK);
	trial_release(&t);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sound_file_is_found_sound),
		cmocka_unit_test(what_was_corrupted_is_found),
		cmocka_unit_test(readers_find_it_while_they_run),
		cmocka_unit_test(what_was_not_written_may_be_anything),
		cmocka_unit_test(a_stream_that_fails_is_told_by_its_sentence),
	};

	if (argc > 1 && strcmp(argv[1], STREAM_WORKER_ARGUMENT) == 0)
		return stream_worker_main(argc, argv);
	return cmocka_run_group_tests_name("load_verify", tests, make_test_dir, remove_trial_dir);
}
