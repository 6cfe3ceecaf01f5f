/*
 * What came of a transfer. A kernel may move less than it was asked for: the rest is asked for
 * again. What a filesystem or kernel refuses at the very first transfer (direct access, a flag) is
 * done without, and told; later the same errors are errors. An I/O error ends the stream with the
 * offset of what could not be moved.
 */
#include "worker.h"

#include <errno.h>
#include <unistd.h>

#include "raidtop/clock.h"
#include "target.h"

static void worker_retire(struct worker *w, struct io *io)
{
	shared_set(&w->shared->flight_ns[io->slot], 0);
	w->idle[w->n_idle++] = io;
}

/* Some filesystems accept O_DIRECT and refuse the transfer: only the first one tells. */
static bool worker_leaves_direct(struct worker *w, const struct io *io)
{
	if (io->result != -EINVAL || !io->direct || w->moved_any)
		return false;
	if (w->access == STREAM_DIRECT) {
		if (target_leave_direct(w->fd) < 0)
			return false;
		target_drop_cache(w->fd, 0, 0);
		worker_set_access(w, STREAM_DONTCACHE);
	}
	return true;
}

/* Kernels before 6.14 do not know the flag, and not all filesystems do: dropped by hand then. */
static bool worker_leaves_flag(struct worker *w, const struct io *io)
{
	if ((io->result != -EOPNOTSUPP && io->result != -EINVAL) || w->moved_any || !io->flags)
		return false;
	w->flag_dontcache = false;
	return true;
}

static void worker_take_error(struct worker *w, struct io *io)
{
	int error = (int)-io->result;
	enum failure failure = error ? FAILURE_IO : FAILURE_SHORT;

	if (io->writing && error == 0)
		failure = FAILURE_IO, error = EIO;
	if (error == ENODEV || error == ENXIO || target_is_gone(w->fd))
		failure = FAILURE_GONE;
	shared_add(&w->shared->errors, 1);
	worker_fail(w, failure, error, io->offset + io->done_bytes, io->writing);
	worker_retire(w, io);
}

/* A block that was read is used as its workload uses it. */
static void worker_use(struct worker *w, struct io *io)
{
	if (w->verify.generations &&
	    !verify_check(&w->verify, io->buffer, io->wanted_bytes, io->offset)) {
		shared_add(&w->shared->errors, 1);
		worker_fail(w, FAILURE_VERIFY, EIO, io->offset, false);
	}
	if (w->workload->each_char)
		w->char_sum += w->workload->each_char(io->buffer, io->wanted_bytes, &w->random);
	/* It is /dev/null (see spawn.h); what it says to that is of no interest. */
	if (w->workload->copies_out &&
	    write(STDOUT_FILENO, io->buffer, io->wanted_bytes) != (ssize_t)io->wanted_bytes)
		worker_fail(w, FAILURE_SETUP, EIO, io->offset, true);
}

/* The same block goes back, changed; its rate and place among those in flight are kept. */
static void worker_write_back(struct worker *w, struct io *io)
{
	io->writing = true;
	io->write_back = false;
	io->done_bytes = 0;
	io->due_ns = 0; /* the read was due then */
	worker_dress(w, io);
	io->started_ns = clock_monotonic_ns();
	shared_set(&w->shared->flight_ns[io->slot], io->started_ns);
	worker_submit(w, io);
}

static void worker_take_block(struct worker *w, struct io *io, uint64_t now_ns)
{
	if (io->counted)
		worker_count(w, io->writing, io->started_ns, io->due_ns, now_ns);
	if (io->writing) {
		if (w->verify.generations)
			verify_note(&w->verify, io->offset, io->generation);
	} else {
		worker_use(w, io);
	}
	if (w->access == STREAM_DONTCACHE && !w->flag_dontcache) {
		if (w->engine.ops->forget)
			w->engine.ops->forget(&w->engine, io->offset, io->wanted_bytes);
		target_drop_cache(w->fd, io->offset, io->wanted_bytes);
	}
	if (io->write_back && !w->failed)
		worker_write_back(w, io);
	else
		worker_retire(w, io);
}

void worker_take(struct worker *w, struct io *io, uint64_t now_ns)
{
	uint64_t left = io->wanted_bytes - io->done_bytes;
	uint64_t moved;

	if (worker_leaves_direct(w, io) || worker_leaves_flag(w, io)) {
		worker_submit(w, io);
		return;
	}
	if (io->result <= 0) {
		worker_take_error(w, io);
		return;
	}
	w->moved_any = true;
	/* More than there was: the file has grown since, and a request is rounded up. */
	moved = (uint64_t)io->result < left ? (uint64_t)io->result : left;
	io->done_bytes += moved;
	if (io->counted)
		worker_count_bytes(w, io->writing, moved);
	if (moved < left)
		worker_submit(w, io);
	else
		worker_take_block(w, io, now_ns);
}
