/* Events of block devices that come and go. */
#ifndef RAIDTOP_PROVIDER_LINUX_MONITOR_H
#define RAIDTOP_PROVIDER_LINUX_MONITOR_H

#include <stdbool.h>

struct udev;
struct udev_monitor;

struct monitor {
	struct udev *udev;           /* also for enumeration; NULL where libudev does not work */
	struct udev_monitor *socket; /* NULL: no events */
	bool from_udevd;             /* which group it listens to */
};

/* Nothing of it can fail for good: without a socket there are no events. */
void monitor_init(struct monitor *m);
void monitor_release(struct monitor *m);

/* Joins the group that fits: udevd may have been started since. Call before a survey. */
void monitor_refresh(struct monitor *m);

/* To wait for POLLIN on; -1 without a socket. */
int monitor_fd(const struct monitor *m);

/* Takes in what has come, without blocking; whether anything came or was lost. */
bool monitor_take(struct monitor *m);

#endif
