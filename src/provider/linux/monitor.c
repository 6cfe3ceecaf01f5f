/*
 * Hotplug. The kernel tells of each device on a netlink socket; where udevd runs, it tells again
 * once its rules have run, and only then are names and links what they will stay. So its group is
 * taken where it is there, the kernel's where it is not. What an event says in particular does not
 * matter: it says that a survey is due, and one survey serves any number of events.
 */
#include "monitor.h"

#include <errno.h>
#include <libudev.h>
#include <string.h>
#include <unistd.h>

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

void monitor_init(struct monitor *m)
{
	memset(m, 0, sizeof(*m));
	m->udev = udev_new();
	monitor_refresh(m);
}

void monitor_release(struct monitor *m)
{
	if (m->socket)
		udev_monitor_unref(m->socket);
	if (m->udev)
		udev_unref(m->udev);
	memset(m, 0, sizeof(*m));
}

void monitor_refresh(struct monitor *m)
{
	bool from_udevd = udevd_is_there();

	if (!m->udev || (m->socket && from_udevd == m->from_udevd))
		return;
	if (m->socket)
		udev_monitor_unref(m->socket);
	m->socket = listen_to(m->udev, from_udevd ? "udev" : "kernel");
	m->from_udevd = from_udevd;
}

int monitor_fd(const struct monitor *m)
{
	return m->socket ? udev_monitor_get_fd(m->socket) : -1;
}

bool monitor_take(struct monitor *m)
{
	bool changed = false;

	for (int i = 0; m->socket && i < MOST_AT_ONCE; i++) {
		struct udev_device *device;

		errno = 0;
		device = udev_monitor_receive_device(m->socket);
		if (!device) {
			/* Events lost because we came too late are a change as well. */
			changed = changed || errno == ENOBUFS;
			break;
		}
		changed = true;
		udev_device_unref(device);
	}
	return changed;
}
