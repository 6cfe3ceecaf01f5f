/*
 * Plain pread and pwrite: one transfer at a time, finished when the call returns. What dd does,
 * and the engine that works everywhere.
 */
#include "engine.h"

#include <errno.h>
#include <stddef.h>
#include <sys/uio.h>
#include <unistd.h>

static ssize_t transfer(int fd, const struct io *io)
{
	unsigned char *buffer = io->buffer + io->done_bytes;
	off_t at = (off_t)(io->offset + io->done_bytes);
	struct iovec v = { buffer, io->request_bytes };

	if (io->flags)
		return io->writing ? pwritev2(fd, &v, 1, at, io->flags)
				   : preadv2(fd, &v, 1, at, io->flags);
	return io->writing ? pwrite(fd, buffer, io->request_bytes, at)
			   : pread(fd, buffer, io->request_bytes, at);
}

static int psync_submit(struct engine *e, struct io *io)
{
	do {
		io->result = transfer(e->setup.fd, io);
	} while (io->result < 0 && errno == EINTR);
	if (io->result < 0)
		io->result = -errno;
	e->ready = io;
	return 0;
}

static int psync_wait(struct engine *e, uint64_t until_ns, struct io **ret)
{
	(void)until_ns;
	if (!e->ready)
		return -ENOENT;
	*ret = e->ready;
	e->ready = NULL;
	return 0;
}

const struct engine_ops engine_psync = {
	.name = "psync",
	.does = "pread and pwrite, one transfer at a time",
	.max_depth = 1,
	.has_direct = true,
	.submit = psync_submit,
	.wait = psync_wait,
};
