/*
 * The run of a workload on many files: one operation at a time, each of them one I/O in the
 * figures. Between two passes the files are made, or taken away; the stream is then preparing
 * again, and that time is left out like a pause.
 */
#include "worker.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "raidtop/clock.h"
#include "sentence.h"

static void fail(struct worker *w, int r)
{
	char buf[SENTENCE_NAME_BYTES];

	shared_add(&w->shared->errors, 1);
	if (w->failed)
		return; /* the first one is told */
	sentence_set(r, w->shared->sentence, sizeof(w->shared->sentence),
		     "%s in %s failed at operation %" PRIu64 ": %s", w->workload->name,
		     sentence_name(buf, w->plan->spec.target), w->tree.next,
		     r == -ESTALE ? "that is not where it was (moved, unmounted, or mounted over)"
				  : strerror(-r));
	worker_fail(w, r == -ESTALE ? FAILURE_MOVED : FAILURE_FILE, -r, 0, w->workload->writes);
}

/* The mount may have been pulled away since the last pass. */
static void begin_pass(struct worker *w)
{
	uint64_t began_ns = clock_monotonic_ns();
	int r;

	if (w->counting)
		worker_publish_usage(w);
	shared_set(&w->shared->pause_began_ns, began_ns);
	worker_set_phase(w, PHASE_PREPARE);
	r = files_check_place(w->plan, w->target_fd);
	if (r == 0)
		r = tree_begin_pass(&w->tree, &w->shared->stop);
	if (r == -ECANCELED)
		worker_end(w, ENDING_STOPPED);
	else if (r < 0)
		fail(w, r);
	worker_leave_out(w, clock_monotonic_ns() - began_ns);
	worker_set_phase(w, PHASE_RUNNING);
}

static void take(struct worker *w, uint64_t bytes, uint64_t begun_ns, uint64_t due_ns)
{
	bool writing = !w->tree.workload->reads;

	w->moved_any = true;
	worker_count_bytes(w, writing, bytes);
	worker_count(w, writing, begun_ns, due_ns, clock_monotonic_ns());
	w->bytes_to_write -= bytes;
}

void worker_run_tree(struct worker *w)
{
	uint64_t due_ns;

	while (worker_go_on(w, 1, &due_ns)) {
		uint64_t begun_ns = clock_monotonic_ns();
		uint64_t bytes = 0;
		int r;

		if (tree_next_bytes(&w->tree) > w->bytes_to_write) {
			worker_end(w, ENDING_LIMIT);
			return;
		}
		shared_set(&w->shared->flight_ns[0], begun_ns);
		r = tree_step(&w->tree, &bytes);
		shared_set(&w->shared->flight_ns[0], 0);
		if (r > 0)
			take(w, bytes, begun_ns, due_ns);
		else if (r == 0)
			begin_pass(w);
		else
			fail(w, r);
	}
}
