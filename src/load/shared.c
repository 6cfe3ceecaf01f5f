/*
 * The statistics of a stream lie in a memfd that both processes map: the screen reads them
 * without asking, and a worker that hangs in the kernel still shows its last figures and how
 * long it has been waiting. Its size is sealed, so that neither side can fault on it.
 */
#include "shared.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static_assert(ATOMIC_LLONG_LOCK_FREE == 2, "a lock inside the atomics would not be shared");

#define SIZE_SEALS (F_SEAL_SHRINK | F_SEAL_GROW)

/* NULL and errno where it cannot be had. */
static struct shared *shared_map(int fd)
{
	void *p = mmap(NULL, sizeof(struct shared), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	return p == MAP_FAILED ? NULL : p;
}

int shared_create(struct shared **ret, int *ret_fd)
{
	struct shared *s;
	int fd = memfd_create("raidtop-stream", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	int r;

	if (fd < 0)
		return -errno;
	if (ftruncate(fd, sizeof(struct shared)) < 0 ||
	    fcntl(fd, F_ADD_SEALS, SIZE_SEALS | F_SEAL_SEAL) < 0 || !(s = shared_map(fd))) {
		r = -errno;
		goto out;
	}
	s->magic = SHARED_MAGIC;
	s->version = SHARED_VERSION;
	s->size = sizeof(struct shared);
	*ret = s;
	*ret_fd = fd;
	return 0;
out:
	close(fd);
	return r;
}

int shared_attach(int fd, struct shared **ret)
{
	struct stat st;
	struct shared *s;
	int seals = fcntl(fd, F_GET_SEALS);

	if (seals < 0 || fstat(fd, &st) < 0)
		return -errno;
	if ((seals & SIZE_SEALS) != SIZE_SEALS || st.st_size != sizeof(struct shared))
		return -EINVAL;
	s = shared_map(fd);
	if (!s)
		return -errno;
	if (s->magic != SHARED_MAGIC || s->version != SHARED_VERSION ||
	    s->size != sizeof(struct shared)) {
		shared_detach(s);
		return -EINVAL;
	}
	*ret = s;
	return 0;
}

void shared_detach(struct shared *s)
{
	if (s)
		munmap(s, sizeof(*s));
}
