/* Events of block devices that come and go. */
#ifndef RAIDTOP_PROVIDER_LINUX_MONITOR_H
#define RAIDTOP_PROVIDER_LINUX_MONITOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct udev;
struct udev_monitor;

#define MONITOR_SOCKETS 2

/* How long udevd may be silent after the kernel has spoken. */
#define MONITOR_SILENCE_NS (5 * NS_PER_SEC)

struct monitor {
	struct udev *udev; /* also for enumeration; NULL where libudev does not work */
	struct udev_monitor *by_kernel, *by_udevd; /* NULL: no events of that group */
	bool from_udevd;                           /* whose events say that a survey is due */
	bool had_control;    /* udevd's control socket was there when its group was joined */
	bool is_silent;      /* udevd says nothing any more: killed, say */
	uint64_t waiting_ns; /* since when it has not told what the kernel has told; 0: nothing */
};

/* Nothing of it can fail for good: without sockets there are no events. */
void monitor_init(struct monitor *m);
void monitor_release(struct monitor *m);

/* Whom to believe now: udevd may have been started since. Call before a survey. */
void monitor_refresh(struct monitor *m);

/* To wait for POLLIN on; returns how many, MONITOR_SOCKETS at most. */
size_t monitor_fds(const struct monitor *m, int *fds);
bool monitor_has_fd(const struct monitor *m, int fd);

/* Takes in what has come, without blocking; whether a survey is due. */
bool monitor_take(struct monitor *m, uint64_t now_ns);
/* Whether one is due because udevd has said nothing for too long. Once a tick. */
bool monitor_is_overdue(struct monitor *m, uint64_t now_ns);

#endif
