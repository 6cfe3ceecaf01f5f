/* The memory that a stream's two processes share: what the worker accepts, and what it does not. */
#include "load_support.h"

#include <sys/mman.h>

#include "load/shared.h"

static void both_sides_see_the_same(void **state)
{
	struct shared *ours, *theirs;
	int fd;

	(void)state;
	assert_int_equal(shared_create(&ours, &fd), 0);
	assert_int_equal(fcntl(fd, F_GETFD), FD_CLOEXEC);
	assert_int_equal(shared_attach(fd, &theirs), 0);
	close(fd);
	assert_ptr_not_equal(ours, theirs);
	ours->plan.spec.time_ns = 7;
	assert_int_equal(theirs->plan.spec.time_ns, 7);
	shared_add(&theirs->read.bytes, 40);
	shared_add(&theirs->read.bytes, 2);
	assert_int_equal(shared_get(&ours->read.bytes), 42);
	shared_detach(ours);
	shared_add(&theirs->read.bytes, 1); /* the other side is still there */
	shared_detach(theirs);
	shared_detach(NULL);
}

static void its_size_cannot_change(void **state)
{
	struct shared *s;
	int fd;

	(void)state;
	assert_int_equal(shared_create(&s, &fd), 0);
	assert_int_equal(ftruncate(fd, 0), -1);
	assert_int_equal(ftruncate(fd, 2 * sizeof(*s)), -1);
	close(fd);
	shared_detach(s);
}

static void writers_have_cache_lines_of_their_own(void **state)
{
	static const size_t at[] = {
		offsetof(struct shared, stop),      offsetof(struct shared, phase),
		offsetof(struct shared, read),      offsetof(struct shared, write),
		offsetof(struct shared, flight_ns),
	};

	(void)state;
	for (size_t i = 0; i < sizeof(at) / sizeof(at[0]); i++)
		assert_int_equal(at[i] % SHARED_LINE_BYTES, 0);
	assert_true(offsetof(struct shared, stop) >=
		    offsetof(struct shared, plan) + sizeof(struct shared_plan));
}

static void what_is_not_ours_is_refused(void **state)
{
	struct shared *ours, *theirs;
	int fd, file;
	char path[128];

	(void)state;
	assert_int_equal(shared_create(&ours, &fd), 0);
	ours->magic++;
	assert_int_equal(shared_attach(fd, &theirs), -EINVAL);
	ours->magic--;
	ours->version++;
	assert_int_equal(shared_attach(fd, &theirs), -EINVAL);
	ours->version--;
	ours->size--;
	assert_int_equal(shared_attach(fd, &theirs), -EINVAL);
	ours->size++;
	assert_int_equal(shared_attach(fd, &theirs), 0);
	shared_detach(theirs);
	shared_detach(ours);
	close(fd);

	make_file(path, sizeof(path), "file", sizeof(struct shared));
	file = open(path, O_RDWR | O_CLOEXEC);
	assert_int_equal(shared_attach(file, &theirs), -EINVAL); /* no memfd, or not sealed */
	close(file);
	assert_int_equal(shared_attach(-1, &theirs), -EBADF);
	fd = memfd_create("unsealed", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	assert_int_equal(ftruncate(fd, sizeof(struct shared)), 0);
	assert_int_equal(shared_attach(fd, &theirs), -EINVAL);
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_sides_see_the_same),
		cmocka_unit_test(its_size_cannot_change),
		cmocka_unit_test(writers_have_cache_lines_of_their_own),
		cmocka_unit_test(what_is_not_ours_is_refused),
	};

	return cmocka_run_group_tests_name("load_shared", tests, make_test_dir, remove_test_dir);
}
