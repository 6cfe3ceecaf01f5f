/*
 * The life of a worker: it takes the plan from the shared memory, prepares, waits for those that
 * begin with it, runs, syncs what it wrote, checks it where that was asked for, and ends. What it
 * does between is in the other worker_*.c; here is what all of them end with.
 */
#include "worker.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "raidtop/clock.h"
#include "raidtop/number.h"
#include "raidtop/stream.h"
#include "sentence.h"
#include "spawn.h"
#include "worker_recheck.h"

/* Exit status; the reason for WORKER_FAILED lies in the shared memory. */
enum { WORKER_DONE = 0, WORKER_FAILED = 1, WORKER_NOT_ASKED = 2 };

void worker_fail(struct worker *w, enum failure failure, int error, uint64_t offset, bool writing)
{
	w->ending = true;
	if (w->failed)
		return; /* the first one is told */
	w->failed = true;
	shared_set(&w->shared->error_offset, offset);
	atomic_store_explicit(&w->shared->error_writing, writing, memory_order_relaxed);
	atomic_store_explicit(&w->shared->error, error, memory_order_relaxed);
	atomic_store_explicit(&w->shared->failure, failure, memory_order_relaxed);
}

void worker_end(struct worker *w, enum ending why)
{
	if (!w->ending)
		atomic_store_explicit(&w->shared->ending, why, memory_order_relaxed);
	w->ending = true;
}

void worker_set_phase(struct worker *w, enum phase phase)
{
	atomic_store_explicit(&w->shared->phase, phase, memory_order_release);
}

void worker_set_access(struct worker *w, enum stream_access access)
{
	w->access = access;
	atomic_store_explicit(&w->shared->access, access, memory_order_relaxed);
}

/* Buffered errors of writing come to light here only. */
static void worker_sync(struct worker *w)
{
	uint64_t begun_ns = clock_monotonic_ns();
	int r;

	if (!w->workload->writes || !w->moved_any || w->plan->spec.sync == STREAM_SYNC_NONE)
		return;
	worker_set_phase(w, PHASE_SYNC);
	do {
		r = w->workload->tree ? tree_sync(&w->tree) : (fdatasync(w->fd) < 0 ? -errno : 0);
	} while (r == -EINTR);
	if (r < 0) {
		shared_add(&w->shared->errors, 1);
		worker_fail(w, FAILURE_SYNC, -r, 0, true);
	}
	shared_set(&w->shared->sync_ns, clock_monotonic_ns() - begun_ns);
}

/*
 * A descriptor does not care where its directory is seen. What was moved through it is true of the
 * disk that it was on, but whoever reads the result may look for it behind the name.
 */
static void worker_look_where(struct worker *w)
{
	char buf[SENTENCE_NAME_BYTES];

	if (w->failed || w->shared->sentence[0] || w->plan->target != SHARED_TARGET_DIRECTORY ||
	    files_check_place(w->plan, w->target_fd) != -ESTALE)
		return;
	sentence_set(0, w->shared->sentence, sizeof(w->shared->sentence),
		     "%s was moved, unmounted or mounted over: the figures are of where it lay",
		     sentence_name(buf, w->plan->spec.target));
}

static void worker_live(struct worker *w)
{
	int r = worker_prepare(w);

	if (r < 0) {
		if (!w->ending) /* else it was stopped meanwhile, or has told it */
			worker_fail(w, FAILURE_SETUP, -r, 0, false);
		return;
	}
	worker_wait_for_others(w);
	if (w->workload->run)
		w->workload->run(w);
	else
		worker_run(w);
	shared_set(&w->shared->ended_ns, clock_monotonic_ns());
	worker_sync(w);
	if (w->counting)
		worker_publish_usage(w);
	worker_look_where(w);
	if (!w->failed)
		worker_recheck(w);
}

static int worker_work(struct shared *shared, int target_fd, struct barrier *barrier)
{
	struct worker w = {
		.shared = shared,
		.plan = &shared->plan,
		.target_fd = target_fd,
		.fd = target_fd,
		.barrier = barrier,
		.files = FILES_HANDLE_INIT,
		.tree = { .fd = -1, .folder_fd = -1 },
	};

	worker_live(&w);
	worker_release(&w);
	if (shared_get(&shared->ended_ns) == 0)
		shared_set(&shared->ended_ns, clock_monotonic_ns());
	worker_set_phase(&w, w.failed ? PHASE_FAILED : PHASE_DONE);
	return w.failed ? WORKER_FAILED : WORKER_DONE;
}

/*
 * A mark is made by SIGUSR1 to all that is called raidtop, and a terminal that is closed tells
 * raidtop, which then ends this one: neither shall kill a stream.
 */
static void ignore_signals(void)
{
	static const int ignored[] = { SIGHUP, SIGPIPE, SIGUSR1, SIGUSR2 };

	for (size_t i = 0; i < sizeof(ignored) / sizeof(ignored[0]); i++)
		signal(ignored[i], SIG_IGN);
}

static int parse_descriptor(const char *text, int *ret)
{
	uint64_t number;
	int r = number_parse_u64(text, strlen(text), &number);

	if (r < 0 || number > INT_MAX)
		return -EINVAL;
	*ret = (int)number;
	return 0;
}

static int take_barrier(const char *text, struct barrier **ret)
{
	int fd;
	int r = parse_descriptor(text, &fd);

	if (r == 0)
		r = barrier_attach(fd, ret);
	if (r == 0)
		close(fd);
	return r;
}

int stream_worker_main(int argc, char **argv)
{
	struct barrier *barrier = NULL;
	struct shared *shared;
	int shared_fd, target_fd, status;

	if (argc < 4 || argc > 5 || parse_descriptor(argv[2], &shared_fd) < 0 ||
	    parse_descriptor(argv[3], &target_fd) < 0)
		return WORKER_NOT_ASKED;
	if (shared_attach(shared_fd, &shared) < 0)
		return WORKER_NOT_ASKED;
	close(shared_fd);
	status = WORKER_NOT_ASKED;
	if ((argc == 4 || take_barrier(argv[4], &barrier) == 0) &&
	    spawn_bind_to_parent(shared->plan.parent) == 0) {
		ignore_signals();
		status = worker_work(shared, target_fd, barrier);
	}
	barrier_free(barrier);
	shared_detach(shared);
	return status;
}
