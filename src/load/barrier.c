/*
 * Each place has a flag of its own, and the gate is opened by whoever finds all of them set. A
 * count would have to be counted down exactly once for each, and a worker that is killed between
 * counting and saying so would leave it wrong: all others would wait for ever.
 */
#include "raidtop/barrier.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "futex.h"
#include "raidtop/memory.h"

/* What lies in the shared memory. */
struct gate {
	_Atomic uint32_t open; /* a futex word */
	uint32_t places;
	_Atomic uint32_t arrived[BARRIER_PLACES_MAX];
};

struct barrier {
	struct gate *gate;
	int fd;
	unsigned int holders;
};

/* NULL with errno where it cannot be. */
static struct gate *gate_map(int fd)
{
	void *p = mmap(NULL, sizeof(struct gate), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	return p == MAP_FAILED ? NULL : p;
}

static struct barrier *barrier_wrap(struct gate *gate, int fd)
{
	struct barrier *b = memory_new(1, sizeof(*b));

	*b = (struct barrier){ .gate = gate, .fd = fd, .holders = 1 };
	return b;
}

int barrier_new(struct barrier **ret, unsigned int places)
{
	struct gate *gate = NULL;
	int fd, r;

	if (places == 0 || places > BARRIER_PLACES_MAX)
		return -EINVAL;
	fd = memfd_create("raidtop-barrier", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (fd < 0)
		return -errno;
	if (ftruncate(fd, sizeof(struct gate)) == 0 &&
	    fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0)
		gate = gate_map(fd);
	if (!gate) {
		r = -errno;
		close(fd);
		return r;
	}
	gate->places = places;
	*ret = barrier_wrap(gate, fd);
	return 0;
}

int barrier_attach(int fd, struct barrier **ret)
{
	int seals = fcntl(fd, F_GET_SEALS);
	struct gate *gate;
	struct stat st;

	if (seals < 0 || fstat(fd, &st) < 0)
		return -errno;
	if (!(seals & F_SEAL_SHRINK) || st.st_size != sizeof(struct gate))
		return -EINVAL;
	gate = gate_map(fd);
	if (!gate)
		return -errno;
	if (gate->places == 0 || gate->places > BARRIER_PLACES_MAX) {
		munmap(gate, sizeof(*gate));
		return -EINVAL;
	}
	*ret = barrier_wrap(gate, -1);
	return 0;
}

struct barrier *barrier_hold(struct barrier *b)
{
	if (b)
		b->holders++;
	return b;
}

void barrier_free(struct barrier *b)
{
	if (!b || --b->holders > 0)
		return;
	munmap(b->gate, sizeof(*b->gate));
	if (b->fd >= 0)
		close(b->fd);
	free(b);
}

int barrier_fd(const struct barrier *b)
{
	return b->fd;
}

void barrier_arrive(struct barrier *b, unsigned int place)
{
	struct gate *g = b->gate;

	if (place < g->places)
		atomic_store(&g->arrived[place], 1);
	for (uint32_t i = 0; i < g->places; i++) {
		if (!atomic_load(&g->arrived[i]))
			return;
	}
	atomic_store(&g->open, 1);
	futex_wake(&g->open);
}

bool barrier_is_open(const struct barrier *b)
{
	return atomic_load(&b->gate->open) != 0;
}

bool barrier_wait(struct barrier *b, uint64_t timeout_ns)
{
	if (!barrier_is_open(b))
		futex_wait(&b->gate->open, 0, timeout_ns);
	return barrier_is_open(b);
}
