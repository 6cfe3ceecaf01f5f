/*
 * io_uring: many transfers in flight from one thread. What is submitted between two waits goes to
 * the kernel in one call, together with the wait; results are then taken one by one without any.
 * The file and the buffers are registered, so that the kernel need not look them up and pin them
 * for each transfer. Where locked memory is short (RLIMIT_MEMLOCK), buffers go unregistered.
 */
#include "engine.h"

#include <errno.h>
#include <liburing.h>
#include <limits.h>
#include <stdlib.h>

#include "raidtop/clock.h"
#include "raidtop/memory.h"
#include "raidtop/stream_spec.h"

#define BUFFER_BYTES_MAX (1UL << 30) /* of one registered buffer, so says the kernel */
#define BUFFERS_MAX 64

/* Flags of a ring that only newer kernels know, best first. */
static const unsigned int ring_flags[] = {
#if defined(IORING_SETUP_DEFER_TASKRUN) && defined(IORING_SETUP_SINGLE_ISSUER) /* Linux 6.1 */
	IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN,
#endif
#ifdef IORING_SETUP_COOP_TASKRUN /* Linux 5.19 */
	IORING_SETUP_COOP_TASKRUN,
#endif
	0,
};

struct uring {
	struct io_uring ring;
	bool has_buffers, has_file;
};

static int ring_open(struct io_uring *ring, unsigned int depth)
{
	int r = -EINVAL;

	for (size_t i = 0; i < sizeof(ring_flags) / sizeof(ring_flags[0]) && r == -EINVAL; i++)
		r = io_uring_queue_init(depth, ring, ring_flags[i]);
	return r;
}

/* One registered buffer is at most 1 GiB. */
static bool register_buffers(struct uring *u, const struct engine_setup *setup)
{
	struct iovec v[BUFFERS_MAX];
	unsigned int n = 0;

	for (size_t at = 0; at < setup->memory_bytes; at += BUFFER_BYTES_MAX) {
		size_t left = setup->memory_bytes - at;

		if (n == BUFFERS_MAX)
			return false;
		v[n].iov_base = (unsigned char *)setup->memory + at;
		v[n++].iov_len = left < BUFFER_BYTES_MAX ? left : BUFFER_BYTES_MAX;
	}
	return n > 0 && io_uring_register_buffers(&u->ring, v, n) == 0;
}

static int uring_open(struct engine *e)
{
	struct uring *u = memory_new(1, sizeof(*u));
	int r = ring_open(&u->ring, e->setup.depth);

	if (r < 0) {
		free(u);
		return r;
	}
	u->has_file = io_uring_register_files(&u->ring, &e->setup.fd, 1) == 0;
	u->has_buffers = e->setup.memory && register_buffers(u, &e->setup);
	e->state = u;
	return 0;
}

static void uring_close(struct engine *e)
{
	struct uring *u = e->state;

	io_uring_queue_exit(&u->ring);
	free(u);
	e->state = NULL;
}

/* The registered buffer that holds all of it; -1: none does. */
static int find_buffer(const struct uring *u, const struct engine_setup *setup,
		       const unsigned char *from, uint64_t bytes)
{
	size_t first = (size_t)(from - (const unsigned char *)setup->memory);

	if (!u->has_buffers || first / BUFFER_BYTES_MAX != (first + bytes - 1) / BUFFER_BYTES_MAX)
		return -1;
	return (int)(first / BUFFER_BYTES_MAX);
}

static int uring_submit(struct engine *e, struct io *io)
{
	struct uring *u = e->state;
	struct io_uring_sqe *sqe = io_uring_get_sqe(&u->ring);
	unsigned char *buffer = io->buffer + io->done_bytes;
	uint64_t at = io->offset + io->done_bytes;
	unsigned int bytes = (unsigned int)io->request_bytes;
	int fd = u->has_file ? 0 : e->setup.fd;
	int index = find_buffer(u, &e->setup, buffer, bytes);

	if (!sqe)
		return -EBUSY; /* more in flight than there is depth */
	if (index >= 0 && io->writing)
		io_uring_prep_write_fixed(sqe, fd, buffer, bytes, at, index);
	else if (index >= 0)
		io_uring_prep_read_fixed(sqe, fd, buffer, bytes, at, index);
	else if (io->writing)
		io_uring_prep_write(sqe, fd, buffer, bytes, at);
	else
		io_uring_prep_read(sqe, fd, buffer, bytes, at);
	sqe->rw_flags = io->flags;
	if (u->has_file)
		sqe->flags |= IOSQE_FIXED_FILE;
	io_uring_sqe_set_data(sqe, io);
	return 0;
}

/* Submits what is there and waits for one; by `until_ns` at the latest. */
static int enter(struct uring *u, uint64_t until_ns)
{
	struct __kernel_timespec timeout;
	struct io_uring_cqe *cqe;
	uint64_t now_ns, left_ns;
	int r;

	if (until_ns == 0) {
		r = io_uring_submit_and_wait(&u->ring, 1);
	} else {
		now_ns = clock_monotonic_ns();
		left_ns = until_ns > now_ns ? until_ns - now_ns : 0;
		timeout.tv_sec = (int64_t)(left_ns / NS_PER_SEC);
		timeout.tv_nsec = (int64_t)(left_ns % NS_PER_SEC);
		r = io_uring_submit_and_wait_timeout(&u->ring, &cqe, 1, &timeout, NULL);
	}
	/* A signal, or results that wait to be taken: both are looked at by whoever calls again. */
	return r >= 0 || r == -EINTR || r == -EAGAIN || r == -EBUSY ? 0 : r;
}

static struct io *take(struct uring *u, struct io_uring_cqe *cqe)
{
	struct io *io = io_uring_cqe_get_data(cqe);

	io->result = cqe->res;
	io_uring_cqe_seen(&u->ring, cqe);
	return io;
}

static int uring_wait(struct engine *e, uint64_t until_ns, struct io **ret)
{
	struct uring *u = e->state;
	struct io_uring_cqe *cqe;

	for (;;) {
		int r = 0;

		if (io_uring_peek_cqe(&u->ring, &cqe) != 0) {
			r = enter(u, until_ns);
		} else {
			*ret = take(u, cqe);
			if ((*ret)->result != -EINTR && (*ret)->result != -EAGAIN)
				return 0;
			r = uring_submit(e, *ret); /* asked for again, as psync does */
		}
		if (r < 0)
			return r;
	}
}

const struct engine_ops engine_uring = {
	.name = "uring",
	.does = "io_uring, many transfers in flight",
	.max_depth = STREAM_DEPTH_MAX,
	.has_direct = true,
	.open = uring_open,
	.close = uring_close,
	.submit = uring_submit,
	.wait = uring_wait,
};
