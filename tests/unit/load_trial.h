/*
 * A worker by itself: what safety.c and the files of a stream would have prepared is handed over by
 * the test, so that writing can be tried on files of its own. The test program is the worker, too.
 */
#ifndef TESTS_LOAD_TRIAL_H
#define TESTS_LOAD_TRIAL_H

#include "load_support.h"

#include "load/futex.h"
#include "load/shared.h"
#include "load/spawn.h"

#define KIB 1024ULL

struct trial {
	struct shared *shared;
	pid_t pid;
	int status; /* as waitpid() gave it */
};

/* All of the file, direct where that can be had; `plan` may be changed before trial_start(). */
static inline struct shared_plan trial_plan(const char *workload, uint64_t file_bytes)
{
	struct shared_plan plan = {
		.target = SHARED_TARGET_DEVICE,
		.size_bytes = file_bytes,
		.part_bytes = file_bytes,
		.align_bytes = 512,
		.parent = getpid(),
	};

	text_copy(plan.spec.workload, sizeof(plan.spec.workload), workload);
	plan.spec.block_bytes = plan.spec.align_bytes = 64 * KIB;
	plan.spec.depth = plan.spec.copies = 1;
	return plan;
}

static inline void trial_start_fd(struct trial *t, const struct shared_plan *plan, int fd)
{
	int shared_fd;

	*t = (struct trial){ .status = -1 };
	assert_int_equal(shared_create(&t->shared, &shared_fd), 0);
	t->shared->plan = *plan;
	t->shared->plan.parent = getpid();
	shared_set(&t->shared->rate_per_sec, plan->spec.rate_per_sec);
	assert_int_equal(spawn_worker(shared_fd, fd, -1, t->shared, &t->pid), 0);
	close(shared_fd);
}

static inline void trial_start(struct trial *t, const struct shared_plan *plan, const char *path)
{
	int fd = open(path, O_RDWR | O_CLOEXEC);

	assert_true(fd >= 0);
	trial_start_fd(t, plan, fd);
	close(fd);
}

static inline enum phase trial_phase(const struct trial *t)
{
	return (enum phase)atomic_load(&t->shared->phase);
}

static inline enum failure trial_failure(const struct trial *t)
{
	return (enum failure)atomic_load(&t->shared->failure);
}

static inline enum ending trial_ending(const struct trial *t)
{
	return (enum ending)atomic_load(&t->shared->ending);
}

static inline uint64_t trial_ios(const struct trial *t)
{
	return shared_get(&t->shared->read.ios) + shared_get(&t->shared->write.ios);
}

static inline void trial_order(struct trial *t)
{
	atomic_fetch_add(&t->shared->wake, 1);
	futex_wake(&t->shared->wake);
}

static inline void trial_stop(struct trial *t)
{
	atomic_fetch_add(&t->shared->stop, 1);
	trial_order(t);
}

static inline void trial_wait_for_ios(struct trial *t, uint64_t ios)
{
	uint64_t until_ns = clock_monotonic_ns() + PATIENCE_NS;

	while (trial_ios(t) < ios && trial_phase(t) < PHASE_SYNC && clock_monotonic_ns() < until_ns)
		nap();
	assert_true(trial_ios(t) >= ios);
}

static inline void trial_wait_for_phase(struct trial *t, enum phase phase)
{
	uint64_t until_ns = clock_monotonic_ns() + PATIENCE_NS;

	while (trial_phase(t) < phase && clock_monotonic_ns() < until_ns)
		nap();
	assert_true(trial_phase(t) >= phase);
}

static inline void trial_wait(struct trial *t)
{
	uint64_t until_ns = clock_monotonic_ns() + PATIENCE_NS;
	pid_t r;

	while ((r = waitpid(t->pid, &t->status, WNOHANG)) == 0 && clock_monotonic_ns() < until_ns)
		nap();
	if (r != t->pid)
		kill(t->pid, SIGKILL);
	assert_int_equal(r, t->pid);
}

static inline void trial_release(struct trial *t)
{
	shared_detach(t->shared);
}

/* From start to end, and it must end well. */
static inline void trial_run(struct trial *t, const struct shared_plan *plan, const char *path)
{
	trial_start(t, plan, path);
	trial_wait(t);
	assert_int_equal(trial_failure(t), FAILURE_NONE);
	assert_int_equal(trial_phase(t), PHASE_DONE);
	assert_int_equal(t->status, 0);
}

#endif
