/*
 * The loop of a worker whose workload is a walk of blocks: keeps as many transfers in flight as
 * asked for, and looks at orders after each of them. Those in flight when it is to end are waited
 * for, no new one is begun. For reads one look at the clock a transfer is enough: what ends a
 * transfer begins the next one.
 */
#include "worker.h"

#include <errno.h>
#include <sys/uio.h>

#include "content.h"
#include "raidtop/clock.h"
#include "target.h"

#ifndef RWF_DONTCACHE
#define RWF_DONTCACHE 0x00000080 /* Linux 6.14 */
#endif

void worker_drop_all(struct worker *w)
{
	if (w->engine.ops && w->engine.ops->forget)
		w->engine.ops->forget(&w->engine, w->plan->part_offset, w->plan->part_bytes);
	target_drop_cache(w->fd, w->plan->part_offset, w->plan->part_bytes);
}

/* A second pass over what raidtop made itself comes from the disk again, not from the cache. */
static void worker_take_pass(struct worker *w)
{
	if (w->pattern.passes == w->passes)
		return;
	w->passes = w->pattern.passes;
	if (w->access != STREAM_DIRECT && !w->workload->writes &&
	    w->plan->target == SHARED_TARGET_DIRECTORY)
		worker_drop_all(w);
}

void worker_dress(struct worker *w, struct io *io)
{
	if (w->workload->each_char)
		w->char_sum += w->workload->each_char(io->buffer, io->wanted_bytes, &w->random);
	else
		content_stamp(io->buffer, io->wanted_bytes, w->content_seed, w->blocks_begun);
	w->blocks_begun++;
	if (w->verify.generations)
		io->generation = verify_label(&w->verify, io->buffer, io->wanted_bytes, io->offset);
}

/* For a write the next of the slot's own blocks in turn: what lies in them stays random. */
static void worker_place(struct worker *w, struct io *io)
{
	size_t per_slot = w->turns + 1;
	size_t block = io->writing ? 1 + w->blocks_begun % w->turns : 0;

	io->buffer = w->memory + (io->slot * per_slot + block) * w->stride_bytes;
}

static int transfer_flags(const struct worker *w, const struct io *io)
{
	int flags = w->flag_dontcache ? RWF_DONTCACHE : 0;

	if (io->writing && w->plan->spec.sync == STREAM_SYNC_EACH)
		flags |= RWF_DSYNC;
	return w->engine.ops->has_direct ? flags : 0;
}

void worker_submit(struct worker *w, struct io *io)
{
	uint64_t align = w->plan->align_bytes;
	int r;

	io->direct = w->access == STREAM_DIRECT;
	io->flags = transfer_flags(w, io);
	io->request_bytes = io->wanted_bytes - io->done_bytes;
	/* A file may end within a sector: the request must not, and the kernel moves less. */
	if (io->direct && !io->writing)
		io->request_bytes = (io->request_bytes + align - 1) / align * align;
	r = engine_submit(&w->engine, io);
	if (r < 0) {
		worker_fail(w, FAILURE_ENGINE, -r, io->offset, io->writing);
		shared_set(&w->shared->flight_ns[io->slot], 0);
		w->idle[w->n_idle++] = io;
	}
}

/* With verify, no block may be read while it is written. */
static bool is_in_flight(const struct worker *w, uint64_t offset)
{
	for (unsigned int i = 0; i < w->depth; i++) {
		if (shared_get(&w->shared->flight_ns[i]) > 0 && w->ios[i].offset == offset)
			return true;
	}
	return false;
}

static bool is_within_limit(struct worker *w, const struct io *io)
{
	uint64_t bytes = io->writing || io->write_back ? io->wanted_bytes : 0;

	if (bytes > w->bytes_to_write)
		return false;
	w->bytes_to_write -= bytes;
	return true;
}

/* Settles what comes next. False: not now, what is in flight has to end first; or not at all. */
static bool worker_choose(struct worker *w)
{
	if (!w->has_next) {
		w->workload->next(&w->pattern, &w->next);
		if (!is_within_limit(w, &w->next)) {
			worker_end(w, ENDING_LIMIT);
			return false;
		}
		w->has_next = true;
	}
	return !w->verify.generations || !is_in_flight(w, w->next.offset);
}

static void worker_begin(struct worker *w, uint64_t now_ns)
{
	struct io *io = w->idle[--w->n_idle];

	w->has_next = false;
	worker_take_pass(w);
	io->offset = w->next.offset;
	io->wanted_bytes = w->next.wanted_bytes;
	io->writing = w->next.writing;
	io->write_back = w->next.write_back;
	io->done_bytes = 0;
	io->counted = w->counting;
	io->due_ns = pace_take(&w->pace, io->wanted_bytes * (io->write_back ? 2 : 1), now_ns);
	worker_place(w, io);
	if (io->writing) {
		worker_dress(w, io);
		now_ns = clock_monotonic_ns(); /* what that took is not the disk's */
	}
	io->started_ns = now_ns;
	shared_set(&w->shared->flight_ns[io->slot], now_ns);
	worker_submit(w, io);
}

static void worker_fill(struct worker *w, uint64_t now_ns)
{
	while (!w->ending && w->n_idle > 0 && !worker_is_paused(w) &&
	       (w->pace.rate_per_sec == 0 || now_ns >= w->pace.due_ns) && worker_choose(w))
		worker_begin(w, now_ns);
}

/* When the next one may be begun while others are in flight; 0: it waits for those only. */
static uint64_t next_due_ns(const struct worker *w)
{
	return w->ending || w->n_idle == 0 || w->has_next || worker_is_paused(w) ? 0
										 : w->pace.due_ns;
}

void worker_run(struct worker *w)
{
	uint64_t now_ns;

	while (worker_is_paused(w) && !w->ending)
		worker_sleep(w);
	now_ns = clock_monotonic_ns();
	if (!w->ending)
		worker_mark_begin(w, now_ns);
	for (;;) {
		struct io *io;
		int r;

		worker_obey(w, now_ns);
		worker_fill(w, now_ns);
		if (w->n_idle == w->depth) {
			if (w->ending)
				return;
			worker_sleep(w);
			now_ns = clock_monotonic_ns();
			continue;
		}
		r = w->engine.ops->wait(&w->engine, w->pace.rate_per_sec ? next_due_ns(w) : 0, &io);
		now_ns = clock_monotonic_ns();
		if (r == 0) {
			worker_take(w, io, now_ns);
		} else if (r != -ETIME) {
			worker_fail(w, FAILURE_ENGINE, -r, 0, false);
			return;
		}
	}
}
