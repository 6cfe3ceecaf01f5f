/*
 * Hotplug. The kernel tells of each device on a netlink socket; where udevd runs, it tells again
 * once its rules have run, and only then are serial numbers and links what they will stay: a disk
 * that came back would not be known again before. So udevd's events count where it runs, the
 * kernel's where it does not. That it runs shows by its control socket, which may be left behind;
 * so where the kernel has told something and udevd nothing for some seconds, the kernel's events
 * count until udevd speaks again.
 *
 * What an event says in particular does not matter: it says that a survey is due, and one survey
 * serves any number of events.
 */
#include "monitor.h"

#include <errno.h>
#include <libudev.h>
#include <string.h>
#include <unistd.h>

#include "raidtop/clock.h"

/* Room for some thousand events; more where we are allowed to. */
#define RECEIVE_BUFFER_BYTES (8 * 1024 * 1024)
/* Events taken in at once: others keep their place until the next wait. */
#define MOST_AT_ONCE 4096

static bool udevd_is_there(void)
{
	return access("/run/udev/control", F_OK) == 0;
}

static struct udev_monitor *listen_to(struct udev *udev, const char *group)
{
	struct udev_monitor *socket = udev_monitor_new_from_netlink(udev, group);

	if (!socket)
		return NULL;
	udev_monitor_filter_add_match_subsystem_devtype(socket, "block", NULL);
	udev_monitor_set_receive_buffer_size(socket, RECEIVE_BUFFER_BYTES);
	if (udev_monitor_enable_receiving(socket) >= 0)
		return socket;
	udev_monitor_unref(socket);
	return NULL;
}

static void stop_listening(struct udev_monitor **socket)
{
	if (*socket)
		udev_monitor_unref(*socket);
	*socket = NULL;
}

void monitor_init(struct monitor *m)
{
	memset(m, 0, sizeof(*m));
	m->udev = udev_new();
	if (m->udev)
		m->by_kernel = listen_to(m->udev, "kernel");
	monitor_refresh(m);
}

void monitor_release(struct monitor *m)
{
	stop_listening(&m->by_kernel);
	stop_listening(&m->by_udevd);
	if (m->udev)
		udev_unref(m->udev);
	memset(m, 0, sizeof(*m));
}

/* libudev joins udevd's group only where it is there: anew when it comes. */
void monitor_refresh(struct monitor *m)
{
	bool has_control = udevd_is_there();

	if (m->udev && has_control && !(m->by_udevd && m->had_control)) {
		stop_listening(&m->by_udevd);
		m->by_udevd = listen_to(m->udev, "udev");
		m->is_silent = false;
	}
	m->had_control = has_control;
	m->from_udevd = has_control && m->by_udevd && !m->is_silent;
	if (!m->from_udevd)
		m->waiting_ns = 0;
}

size_t monitor_fds(const struct monitor *m, int *fds)
{
	size_t n = 0;

	if (m->by_kernel)
		fds[n++] = udev_monitor_get_fd(m->by_kernel);
	if (m->by_udevd)
		fds[n++] = udev_monitor_get_fd(m->by_udevd);
	return n;
}

bool monitor_has_fd(const struct monitor *m, int fd)
{
	int fds[MONITOR_SOCKETS];
	size_t n = monitor_fds(m, fds);

	for (size_t i = 0; i < n; i++)
		if (fds[i] == fd)
			return true;
	return false;
}

/* Whether anything came, or was lost. */
static bool empty_socket(struct udev_monitor *socket)
{
	bool came = false;

	for (int i = 0; socket && i < MOST_AT_ONCE; i++) {
		struct udev_device *device;

		errno = 0;
		device = udev_monitor_receive_device(socket);
		if (!device) {
			/* Events lost because we came too late are a change as well. */
			came = came || errno == ENOBUFS;
			break;
		}
		came = true;
		udev_device_unref(device);
	}
	return came;
}

bool monitor_take(struct monitor *m, uint64_t now_ns)
{
	bool by_kernel = empty_socket(m->by_kernel), by_udevd = empty_socket(m->by_udevd);

	if (by_udevd) {
		m->is_silent = false;
		m->waiting_ns = 0;
	} else if (by_kernel && m->from_udevd && m->waiting_ns == 0) {
		m->waiting_ns = now_ns;
	}
	return by_udevd || (by_kernel && !m->from_udevd);
}

bool monitor_is_overdue(struct monitor *m, uint64_t now_ns)
{
	if (m->waiting_ns == 0 || now_ns - m->waiting_ns < MONITOR_SILENCE_NS)
		return false;
	m->waiting_ns = 0;
	m->is_silent = true;
	m->from_udevd = false;
	return true;
}
