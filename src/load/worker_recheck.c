/*
 * A stream that only writes would never check anything, and one that reads as well does not come
 * by all that it wrote. So when a run with verify is over and synced, each block that was written
 * is read back, past the page cache where that can be had. It is not timed, and ends early where
 * the stream is asked to end a second time.
 */
#include "worker_recheck.h"

#include <errno.h>

#include "engine.h"
#include "worker.h"

/* All of one block into the memory of the first slot. Bytes read, or -errno. */
static int64_t read_block(struct worker *w, uint64_t offset, uint64_t bytes)
{
	struct io io = { .buffer = w->memory, .offset = offset, .wanted_bytes = bytes };
	struct engine e;
	int r = engine_open(&e, &engine_psync, &(struct engine_setup){ .fd = w->fd, .depth = 1 });

	while (r == 0 && io.done_bytes < bytes) {
		struct io *done;

		io.request_bytes = bytes - io.done_bytes;
		r = engine_submit(&e, &io);
		if (r == 0)
			r = e.ops->wait(&e, 0, &done);
		if (r < 0 || io.result <= 0)
			return r < 0 ? r : io.result;
		io.done_bytes += (uint64_t)io.result;
	}
	return r < 0 ? r : (int64_t)bytes;
}

static void recheck_block(struct worker *w, uint64_t i)
{
	const struct verify *v = &w->verify;
	uint64_t within = i * v->block_bytes;
	uint64_t left = w->plan->part_bytes - within;
	uint64_t bytes = left < v->block_bytes ? left : v->block_bytes;
	uint64_t offset = v->first_offset + within;
	int64_t r = read_block(w, offset, bytes);

	if (r == (int64_t)bytes && verify_check(v, w->memory, bytes, offset))
		return;
	shared_add(&w->shared->errors, 1);
	if (r < 0)
		worker_fail(w, FAILURE_IO, (int)-r, offset, false);
	else if (r == 0)
		worker_fail(w, FAILURE_SHORT, 0, offset, false);
	else
		worker_fail(w, FAILURE_VERIFY, EIO, offset, false);
}

void worker_recheck(struct worker *w)
{
	uint32_t stops = atomic_load_explicit(&w->shared->stop, memory_order_relaxed);

	if (!w->verify.generations || !w->moved_any)
		return;
	worker_set_phase(w, PHASE_VERIFY);
	worker_drop_all(w);
	for (uint64_t i = 0; (i = verify_next(&w->verify, i)) < w->verify.n && !w->failed; i++) {
		if (atomic_load_explicit(&w->shared->stop, memory_order_relaxed) > stops)
			return;
		recheck_block(w, i);
	}
}
