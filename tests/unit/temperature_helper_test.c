/*
 * The process that reads the sensors, which must hold nobody up: one that hangs, one that is left
 * behind, and one that ends by itself. BUGS.md 56 asks for this: a reading has all the time that
 * the disk takes, and nobody waits for it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "provider/linux/temperature.h"
#include "provider/linux/temperature_helper.h"
#include "raidtop/clock.h"
#include "raidtop/file.h"

/* One round is read, ends with its mark, and the helper ends. */
static void helper_reads_once(void **state)
{
	struct temperatures t;

	(void)state;
	temperatures_init(&t, "", TEMPERATURE_ONCE);
	assert_true(t.helper > 0);
	temperatures_wait(&t, 20 * NS_PER_SEC);
	assert_int_equal(t.scan, 2);
	temperatures_release(&t);
}

/* A helper that can do nothing any more, as one that hangs in the kernel: nobody waits for it. */
static void helper_that_hangs(void **state)
{
	struct temperatures t;
	uint64_t begin_ns;
	pid_t helper;
	int status;

	(void)state;
	temperatures_init(&t, "", 3600 * NS_PER_SEC);
	temperatures_wait(&t, 20 * NS_PER_SEC);
	helper = t.helper;
	assert_true(helper > 0);
	assert_int_equal(kill(helper, SIGSTOP), 0);
	begin_ns = clock_monotonic_ns();
	temperatures_take(&t);
	temperatures_release(&t);
	assert_true(clock_monotonic_ns() - begin_ns < NS_PER_SEC);
	/* Ours to collect, in case it was not done yet. */
	assert_true(waitpid(helper, &status, 0) == helper || errno == ECHILD);
}

/* Waits for a process that is ours to collect; whether it ended in time. */
static bool ends_in_time(pid_t pid, int *ret_status)
{
	for (int i = 0; i < 500; i++) {
		if (waitpid(pid, ret_status, WNOHANG) == pid)
			return true;
		usleep(10000);
	}
	return false;
}

/* However the program dies, its helper goes too. Its orphan comes to us. */
static void helper_dies_with_its_parent(void **state)
{
	pid_t parent, helper = 0;
	int ends[2], status = 0;

	(void)state;
	assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
	assert_int_equal(pipe(ends), 0);
	parent = fork();
	if (parent == 0) {
		int fd;

		helper = temperature_helper_start("", 3600 * NS_PER_SEC, &fd);
		if (file_write_all(ends[1], &helper, sizeof(helper)) == 0)
			pause();
		_exit(1);
	}
	assert_true(parent > 0);
	assert_int_equal(read(ends[0], &helper, sizeof(helper)), sizeof(helper));
	assert_true(helper > 0);
	usleep(200000); /* it has asked for the signal by now */
	assert_int_equal(kill(helper, 0), 0);
	assert_int_equal(kill(parent, SIGKILL), 0);
	assert_true(ends_in_time(parent, &status));
	assert_true(ends_in_time(helper, &status));
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	close(ends[0]);
	close(ends[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(helper_reads_once),
		cmocka_unit_test(helper_that_hangs),
		cmocka_unit_test(helper_dies_with_its_parent),
	};

	return cmocka_run_group_tests_name("sensors' process", tests, NULL, NULL);
}
