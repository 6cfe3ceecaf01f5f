/*
 * The worker's side of a stream: takes the plan from the shared memory, keeps as many transfers
 * in flight as it asks for, and writes down what came of each. After each transfer it looks
 * whether it is to end; those in flight are then waited for, no new one is begun. An I/O error
 * ends the stream with the offset of the block that could not be read.
 */
#include "raidtop/stream.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "engine.h"
#include "raidtop/clock.h"
#include "raidtop/memory.h"
#include "raidtop/number.h"
#include "safety.h"
#include "shared.h"
#include "spawn.h"
#include "target.h"
#include "workload.h"

/* Exit status; the reason for WORKER_FAILED lies in the shared memory. */
enum { WORKER_DONE = 0, WORKER_FAILED = 1, WORKER_NOT_ASKED = 2 };

struct worker {
	struct shared *shared;
	const struct shared_plan *plan;
	int fd;
	const struct workload *workload;
	struct pattern pattern;
	struct engine engine;
	enum stream_access access;
	struct io *ios;   /* plan->depth of them */
	struct io **idle; /* those not in flight */
	unsigned int n_idle;
	unsigned char *memory; /* the blocks */
	size_t memory_bytes;
	uint64_t end_ns; /* when its time is over; 0: never */
	bool ending;
	bool failed;
};

static void worker_fail(struct worker *w, enum failure failure, int error, uint64_t offset)
{
	w->ending = true;
	if (w->failed)
		return; /* the first one is told */
	w->failed = true;
	shared_set(&w->shared->error_offset, offset);
	atomic_store_explicit(&w->shared->error, error, memory_order_relaxed);
	atomic_store_explicit(&w->shared->failure, failure, memory_order_relaxed);
}

static void worker_set_access(struct worker *w, enum stream_access access)
{
	w->access = access;
	atomic_store_explicit(&w->shared->access, access, memory_order_relaxed);
}

static bool plan_is_sound(const struct shared_plan *p)
{
	return memchr(p->spec.workload, 0, sizeof(p->spec.workload)) &&
	       workload_find(p->spec.workload) &&
	       memchr(p->spec.engine, 0, sizeof(p->spec.engine)) && engine_find(p->spec.engine) &&
	       p->spec.block_bytes > 0 && p->size_bytes > 0 && p->align_bytes > 0 &&
	       p->spec.block_bytes % p->align_bytes == 0 && p->spec.depth > 0 &&
	       p->spec.depth <= STREAM_DEPTH_MAX &&
	       p->spec.block_bytes <= SIZE_MAX / 2 / p->spec.depth &&
	       p->spec.access <= STREAM_DONTCACHE;
}

static int worker_get_memory(struct worker *w)
{
	void *p;

	w->memory_bytes = w->plan->spec.block_bytes * w->plan->spec.depth;
	p = mmap(NULL, w->memory_bytes, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	if (p == MAP_FAILED)
		return -errno;
	w->memory = p;
	w->ios = memory_new(w->plan->spec.depth, sizeof(*w->ios));
	w->idle = memory_new(w->plan->spec.depth, sizeof(struct io *));
	for (unsigned int i = 0; i < w->plan->spec.depth; i++) {
		w->ios[i].buffer = w->memory + i * w->plan->spec.block_bytes;
		w->ios[i].slot = i;
		w->idle[w->n_idle++] = &w->ios[i];
	}
	return 0;
}

static int worker_prepare(struct worker *w)
{
	const struct shared_plan *p = w->plan;
	int r;

	if (!plan_is_sound(p))
		return -EINVAL;
	r = safety_check_read_only(w->fd);
	if (r < 0)
		return r;
	w->workload = workload_find(p->spec.workload);
	w->pattern =
		(struct pattern){ .size_bytes = p->size_bytes, .block_bytes = p->spec.block_bytes };
	worker_set_access(w, p->spec.access);
	if (w->access == STREAM_DONTCACHE)
		target_drop_cache(w->fd, 0, 0);
	r = engine_open(&w->engine, engine_find(p->spec.engine), w->fd, p->spec.depth);
	return r < 0 ? r : worker_get_memory(w);
}

static void worker_release(struct worker *w)
{
	engine_close(&w->engine);
	if (w->memory)
		munmap(w->memory, w->memory_bytes);
	free(w->ios);
	free(w->idle);
}

static void worker_retire(struct worker *w, struct io *io)
{
	shared_set(&w->shared->flight_ns[io->slot], 0);
	w->idle[w->n_idle++] = io;
}

/* Asks the engine for what is left of a block. */
static void worker_submit(struct worker *w, struct io *io)
{
	uint64_t align = w->plan->align_bytes;
	int r;

	io->direct = w->access == STREAM_DIRECT;
	io->request_bytes = io->wanted_bytes - io->done_bytes;
	/* A file may end within a sector: the request must not, and the kernel moves less. */
	if (io->direct)
		io->request_bytes = (io->request_bytes + align - 1) / align * align;
	r = w->engine.ops->submit(&w->engine, io);
	if (r < 0) {
		worker_fail(w, FAILURE_ENGINE, -r, io->offset);
		worker_retire(w, io);
	}
}

static void worker_mark_start(struct worker *w, uint64_t now_ns)
{
	if (w->plan->spec.time_ns > 0)
		w->end_ns = now_ns + w->plan->spec.time_ns;
	shared_set(&w->shared->started_ns, now_ns);
	atomic_store_explicit(&w->shared->phase, PHASE_RUNNING, memory_order_release);
}

static void worker_begin(struct worker *w)
{
	struct io *io = w->idle[--w->n_idle];

	w->workload->next(&w->pattern, io);
	io->done_bytes = 0;
	io->started_ns = clock_monotonic_ns();
	shared_set(&w->shared->flight_ns[io->slot], io->started_ns);
	if (shared_get(&w->shared->started_ns) == 0)
		worker_mark_start(w, io->started_ns);
	worker_submit(w, io);
}

/* Some filesystems accept O_DIRECT and refuse the transfer: only the first one tells. */
static bool worker_leaves_direct(struct worker *w, const struct io *io)
{
	if (io->result != -EINVAL || !io->direct || shared_get(&w->shared->read.bytes) > 0)
		return false;
	if (w->access == STREAM_DIRECT) {
		if (target_leave_direct(w->fd) < 0)
			return false;
		target_drop_cache(w->fd, 0, 0);
		worker_set_access(w, STREAM_DONTCACHE);
	}
	return true;
}

static void worker_take_error(struct worker *w, struct io *io)
{
	int error = (int)-io->result;
	enum failure failure = error ? FAILURE_IO : FAILURE_SHORT;

	if (error == ENODEV || error == ENXIO || target_is_gone(w->fd))
		failure = FAILURE_GONE;
	shared_add(&w->shared->errors, 1);
	worker_fail(w, failure, error, io->offset + io->done_bytes);
	worker_retire(w, io);
}

static void worker_take_block(struct worker *w, struct io *io, uint64_t now_ns)
{
	shared_add(&w->shared->read.latency_ns, now_ns - io->started_ns);
	latency_shared_add(&w->shared->read_latency, now_ns - io->started_ns);
	shared_add(&w->shared->read.ios, 1);
	if (w->access == STREAM_DONTCACHE)
		target_drop_cache(w->fd, io->offset, io->wanted_bytes);
	worker_retire(w, io);
}

/* What came of a transfer: a block, a part of one, or an error. */
static void worker_take(struct worker *w, struct io *io, uint64_t now_ns)
{
	uint64_t left = io->wanted_bytes - io->done_bytes;
	uint64_t moved;

	if (worker_leaves_direct(w, io)) {
		worker_submit(w, io);
		return;
	}
	if (io->result <= 0) {
		worker_take_error(w, io);
		return;
	}
	/* More than there was: the file has grown since, and a request is rounded up. */
	moved = (uint64_t)io->result < left ? (uint64_t)io->result : left;
	io->done_bytes += moved;
	shared_add(&w->shared->read.bytes, moved);
	if (moved < left)
		worker_submit(w, io);
	else
		worker_take_block(w, io, now_ns);
}

static bool worker_is_told_to_end(const struct worker *w, uint64_t now_ns)
{
	return atomic_load_explicit(&w->shared->stop, memory_order_relaxed) ||
	       (w->end_ns > 0 && now_ns >= w->end_ns);
}

static void worker_run(struct worker *w)
{
	w->ending = worker_is_told_to_end(w, 0);
	for (;;) {
		struct io *io;
		uint64_t now_ns;
		int r;

		while (!w->ending && w->n_idle > 0)
			worker_begin(w);
		if (w->n_idle == w->plan->spec.depth)
			return;
		r = w->engine.ops->wait(&w->engine, &io);
		if (r < 0) {
			worker_fail(w, FAILURE_ENGINE, -r, 0);
			return;
		}
		now_ns = clock_monotonic_ns();
		worker_take(w, io, now_ns);
		if (worker_is_told_to_end(w, now_ns))
			w->ending = true;
	}
}

static int worker_work(struct shared *shared, int fd)
{
	struct worker w = { .shared = shared, .plan = &shared->plan, .fd = fd };
	int r = worker_prepare(&w);

	if (r < 0)
		worker_fail(&w, FAILURE_SETUP, -r, 0);
	else
		worker_run(&w);
	worker_release(&w);
	shared_set(&shared->ended_ns, clock_monotonic_ns());
	atomic_store_explicit(&shared->phase, w.failed ? PHASE_FAILED : PHASE_DONE,
			      memory_order_release);
	return w.failed ? WORKER_FAILED : WORKER_DONE;
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

int stream_worker_main(int argc, char **argv)
{
	struct shared *shared;
	int shared_fd, target_fd, status;

	if (argc != 4 || parse_descriptor(argv[2], &shared_fd) < 0 ||
	    parse_descriptor(argv[3], &target_fd) < 0)
		return WORKER_NOT_ASKED;
	if (shared_attach(shared_fd, &shared) < 0)
		return WORKER_NOT_ASKED;
	close(shared_fd);
	status = WORKER_NOT_ASKED;
	if (spawn_bind_to_parent(shared->plan.parent) == 0)
		status = worker_work(shared, target_fd);
	shared_detach(shared);
	return status;
}
