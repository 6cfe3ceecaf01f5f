/*
 * Plain pread: one transfer at a time, finished when the call returns. What dd does, and the
 * engine that works everywhere.
 */
#include "engine.h"

#include <errno.h>
#include <stddef.h>
#include <unistd.h>

static int psync_submit(struct engine *e, struct io *io)
{
	off_t at = (off_t)(io->offset + io->done_bytes);

	do {
		io->result = pread(e->fd, io->buffer + io->done_bytes, io->request_bytes, at);
	} while (io->result < 0 && errno == EINTR);
	if (io->result < 0)
		io->result = -errno;
	e->ready = io;
	return 0;
}

static int psync_wait(struct engine *e, struct io **ret)
{
	if (!e->ready)
		return -ENOENT;
	*ret = e->ready;
	e->ready = NULL;
	return 0;
}

const struct engine_ops engine_psync = {
	.name = "psync",
	.does = "pread, one transfer at a time",
	.max_depth = 1,
	.submit = psync_submit,
	.wait = psync_wait,
};
