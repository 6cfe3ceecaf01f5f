/*
 * Events that are lost or do not come. The kernel drops what does not fit into the socket's buffer
 * and says ENOBUFS once, instead of an event. libudev receives through the functions below, which
 * stand before the C library's and fail when they are told to.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "machine_files.h"
#include "provider/linux/monitor.h"
#include "raidtop/clock.h"

static int failures; /* how often receiving fails from now on */
static int receptions;

static bool fails(void)
{
	receptions++;
	if (failures == 0)
		return false;
	failures--;
	errno = ENOBUFS;
	return true;
}

ssize_t recvmsg(int fd, struct msghdr *message, int flags)
{
	return fails() ? -1 : syscall(SYS_recvmsg, fd, message, flags);
}

ssize_t recv(int fd, void *buf, size_t size, int flags)
{
	return fails() ? -1 : syscall(SYS_recvfrom, fd, buf, size, flags, NULL, NULL);
}

static bool monitor_make(struct monitor *m)
{
	int fds[MONITOR_SOCKETS];

	monitor_init(m);
	if (monitor_fds(m, fds) > 0)
		return true;
	print_message("  no socket for events here\n");
	monitor_release(m);
	return false;
}

static void lost_events_are_a_change(void **state)
{
	struct monitor m;

	(void)state;
	if (!monitor_make(&m))
		skip();
	while (monitor_take(&m, 1)) /* what this machine itself may have had to say */
		continue;
	receptions = 0;
	assert_false(monitor_take(&m, 1));
	assert_true(receptions > 0);
	failures = MONITOR_SOCKETS; /* each group's */
	assert_true(monitor_take(&m, 1));
	/* Told once: what came after the loss is taken in as usual. */
	failures = 0;
	while (monitor_take(&m, 1))
		continue;
	assert_false(monitor_take(&m, 1));
	monitor_release(&m);
}

/* Through the provider: one survey is due, and after it none is. */
static void a_survey_follows(void **state)
{
	struct provider_options options = { .root = "", .temperature_ns = 0 };
	struct pollfd fds[PROVIDER_MAX_FDS];
	struct provider *p = NULL;
	struct monitor m;
	struct topology t;
	char why[256];
	size_t n;

	(void)state;
	if (!monitor_make(&m))
		skip();
	monitor_release(&m);
	assert_int_equal(provider_system_new(&options, &p, why, sizeof(why)), 0);
	machine_survey(p, &t);
	topology_release(&t);
	n = p->ops->poll_fds(p, fds);
	assert_true(n > 0);
	assert_false(p->ops->dirty(p));
	for (size_t i = 0; i < n; i++)
		fds[i].revents = 0;
	fds[0].revents = POLLIN; /* the events' socket is the first */
	failures = MONITOR_SOCKETS;
	p->ops->dispatch(p, fds, n);
	assert_true(p->ops->dirty(p));
	failures = 0;
	machine_survey(p, &t);
	topology_release(&t);
	assert_false(p->ops->dirty(p));
	provider_free(p);
}

/*
 * The kernel has told something that udevd, whose control socket is there, does not tell: it is
 * not running any more. Waited for, then the kernel's word counts, until udevd speaks again.
 */
static void udevd_that_is_silent(void **state)
{
	struct monitor m = { .from_udevd = true, .waiting_ns = 7 * NS_PER_SEC };

	(void)state;
	assert_false(monitor_is_overdue(&m, 8 * NS_PER_SEC));
	assert_true(m.from_udevd);
	assert_true(monitor_is_overdue(&m, 7 * NS_PER_SEC + MONITOR_SILENCE_NS));
	assert_false(m.from_udevd);
	assert_true(m.is_silent);
	assert_false(monitor_is_overdue(&m, 100 * NS_PER_SEC)); /* once */
}

/* Without a socket there are no events, and nothing fails. */
static void without_a_socket(void **state)
{
	struct monitor m = { .udev = NULL };
	int fds[MONITOR_SOCKETS];

	(void)state;
	assert_int_equal(monitor_fds(&m, fds), 0);
	assert_false(monitor_has_fd(&m, -1));
	assert_false(monitor_take(&m, 1));
	assert_false(monitor_is_overdue(&m, NS_PER_SEC));
	monitor_refresh(&m);
	assert_int_equal(monitor_fds(&m, fds), 0);
	monitor_release(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lost_events_are_a_change),
		cmocka_unit_test(a_survey_follows),
		cmocka_unit_test(udevd_that_is_silent),
		cmocka_unit_test(without_a_socket),
	};

	return cmocka_run_group_tests_name("events", tests, NULL, NULL);
}
