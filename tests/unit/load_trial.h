/*
 * A worker by itself, on the file that it makes below the test's directory: it can be looked at
 * between preparation and run, as a barrier of the test's holds the worker there. The test program
 * is the worker, too.
 */
#ifndef TESTS_LOAD_TRIAL_H
#define TESTS_LOAD_TRIAL_H

#include "load_support.h"

#include <ftw.h>

#include "load/futex.h"
#include "load/shared.h"
#include "load/spawn.h"
#include "raidtop/barrier.h"
#include "raidtop/snapshot.h"

#define KIB 1024ULL

struct trial {
	struct shared *shared;
	struct barrier *barrier; /* NULL: it has begun */
	char path[128];          /* of its file */
	pid_t pid;
	int status; /* as waitpid() gave it */
};

/* All of the file, in blocks of 64 KiB; may be changed before the start. */
static inline struct shared_plan trial_plan(const char *workload, uint64_t file_bytes)
{
	struct shared_plan plan = {
		.target = SHARED_TARGET_DIRECTORY,
		.size_bytes = file_bytes,
		.part_bytes = file_bytes,
		.align_bytes = 512,
		.mount_id = UNKNOWN_U64,
		.device = UNKNOWN_U64,
	};

	text_copy(plan.spec.workload, sizeof(plan.spec.workload), workload);
	text_copy(plan.spec.target, sizeof(plan.spec.target), test_dir);
	plan.spec.block_bytes = plan.spec.align_bytes = 64 * KIB;
	plan.spec.depth = plan.spec.copies = 1;
	plan.spec.size_bytes = file_bytes;
	return plan;
}

static inline void trial_spawn(struct trial *t, const struct shared_plan *plan, int fd)
{
	struct stat st;
	int shared_fd;

	*t = (struct trial){ .status = -1 };
	assert_true(fd >= 0);
	assert_int_equal(fstat(fd, &st), 0);
	assert_int_equal(shared_create(&t->shared, &shared_fd), 0);
	assert_int_equal(barrier_new(&t->barrier, 2), 0);
	t->shared->plan = *plan;
	t->shared->plan.parent = getpid();
	t->shared->plan.device = S_ISBLK(st.st_mode) ? st.st_rdev : st.st_dev;
	shared_set(&t->shared->rate_per_sec, plan->spec.rate_per_sec);
	assert_int_equal(spawn_worker(shared_fd, fd, barrier_fd(t->barrier), t->shared, &t->pid),
			 0);
	close(shared_fd);
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

/* Up to the barrier: its file is there then. */
static inline void trial_prepare(struct trial *t, const struct shared_plan *plan)
{
	int fd = open(plan->spec.target, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	trial_spawn(t, plan, fd);
	close(fd);
	trial_wait_for_phase(t, PHASE_READY);
	assert_int_equal(trial_phase(t), PHASE_READY);
	text_format(t->path, sizeof(t->path), "%s/.raidtop/%s", plan->spec.target, t->shared->file);
}

static inline void trial_begin(struct trial *t)
{
	barrier_arrive(t->barrier, 1);
	barrier_free(t->barrier);
	t->barrier = NULL;
}

static inline void trial_start(struct trial *t, const struct shared_plan *plan)
{
	trial_prepare(t, plan);
	trial_begin(t);
}

/* On a descriptor of the test's: a device, or a file that is only read. */
static inline void trial_start_fd(struct trial *t, const struct shared_plan *plan, int fd)
{
	trial_spawn(t, plan, fd);
	trial_begin(t);
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
	barrier_free(t->barrier);
	shared_detach(t->shared);
}

/* To its end, and it must end well. */
static inline void trial_finish(struct trial *t)
{
	if (t->barrier)
		trial_begin(t);
	trial_wait(t);
	assert_int_equal(trial_failure(t), FAILURE_NONE);
	assert_int_equal(trial_phase(t), PHASE_DONE);
	assert_int_equal(t->status, 0);
}

static inline int trial_remove(const char *path, const struct stat *st, int kind, struct FTW *f)
{
	(void)st;
	(void)kind;
	(void)f;
	return remove(path);
}

/* With what the workers left there: it stays until raidtop ends. */
static inline int remove_trial_dir(void **state)
{
	(void)state;
	return nftw(test_dir, trial_remove, 8, FTW_DEPTH | FTW_PHYS);
}

#endif
