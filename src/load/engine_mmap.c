/*
 * A mapped file, read by copying from memory, as programs do that map their data. The kernel
 * fetches pages as they are touched. Where one cannot be had it raises SIGBUS, in the middle of a
 * copy: the handler jumps back, and the transfer ends with an error as any other.
 *
 * The process has this one thread and one such engine at a time, so what the handler needs lies in
 * one place. Signals that come at other moments are not ours, and kill as they would without us.
 */
#include "engine.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "raidtop/memory.h"

struct mapping {
	unsigned char *start;
	uint64_t bytes;
	struct sigaction before; /* what SIGBUS did */
};

static sigjmp_buf copy_failed;
static volatile sig_atomic_t is_copying;

static void take_bus_error(int number)
{
	if (is_copying)
		siglongjmp(copy_failed, 1);
	signal(number, SIG_DFL);
	raise(number);
}

static int mmap_open(struct engine *e)
{
	const struct sigaction action = { .sa_handler = take_bus_error };
	struct mapping *m;
	void *p;

	if (e->setup.end_bytes == 0)
		return -EINVAL;
	p = mmap(NULL, e->setup.end_bytes, PROT_READ, MAP_SHARED, e->setup.fd, 0);
	if (p == MAP_FAILED)
		return -errno;
	(void)madvise(p, e->setup.end_bytes, e->setup.sequential ? MADV_SEQUENTIAL : MADV_RANDOM);
	m = memory_new(1, sizeof(*m));
	m->start = p;
	m->bytes = e->setup.end_bytes;
	sigaction(SIGBUS, &action, &m->before);
	e->state = m;
	return 0;
}

static void mmap_close(struct engine *e)
{
	struct mapping *m = e->state;

	sigaction(SIGBUS, &m->before, NULL);
	munmap(m->start, m->bytes);
	free(m);
	e->state = NULL;
}

/* 0: the file has become shorter; else -EIO. */
static ssize_t why_not(const struct engine *e, uint64_t at)
{
	struct stat st;

	if (fstat(e->setup.fd, &st) == 0 && S_ISREG(st.st_mode) && (uint64_t)st.st_size <= at)
		return 0;
	return -EIO;
}

/*
 * Page by page, so that what came before the bad one is known. The mask is saved by sigsetjmp,
 * which costs a system call, and so only once a transfer.
 */
static ssize_t copy(const struct engine *e, struct io *io)
{
	const struct mapping *m = e->state;
	uint64_t first = io->offset + io->done_bytes;
	volatile uint64_t done = 0;
	uint64_t bytes = io->request_bytes;

	if (first >= m->bytes)
		return 0;
	if (bytes > m->bytes - first)
		bytes = m->bytes - first;
	if (sigsetjmp(copy_failed, 1) != 0) {
		is_copying = 0;
		return done > 0 ? (ssize_t)done : why_not(e, first);
	}
	is_copying = 1;
	while (done < bytes) {
		uint64_t at = first + done, n = 4096 - at % 4096;

		if (n > bytes - done)
			n = bytes - done;
		memcpy(io->buffer + io->done_bytes + done, m->start + at, n);
		done += n;
	}
	is_copying = 0;
	return (ssize_t)bytes;
}

static int mmap_submit(struct engine *e, struct io *io)
{
	io->result = io->writing ? -EROFS : copy(e, io);
	e->ready = io;
	return 0;
}

static int mmap_wait(struct engine *e, uint64_t until_ns, struct io **ret)
{
	(void)until_ns;
	if (!e->ready)
		return -ENOENT;
	*ret = e->ready;
	e->ready = NULL;
	return 0;
}

/* The cache cannot be dropped while a process has it mapped. Whole pages only. */
static void mmap_forget(struct engine *e, uint64_t offset, uint64_t bytes)
{
	const struct mapping *m = e->state;
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	uint64_t first = offset / page * page;

	if (first < m->bytes)
		(void)madvise(m->start + first,
			      bytes + offset - first < m->bytes - first ? bytes + offset - first
									: m->bytes - first,
			      MADV_DONTNEED);
}

const struct engine_ops engine_mmap = {
	.name = "mmap",
	.does = "a mapped file, read by copying from memory",
	.max_depth = 1,
	.reads_only = true,
	.open = mmap_open,
	.close = mmap_close,
	.submit = mmap_submit,
	.wait = mmap_wait,
	.forget = mmap_forget,
};
