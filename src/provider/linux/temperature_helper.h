/* The process that reads the sensors. */
#ifndef RAIDTOP_PROVIDER_LINUX_TEMPERATURE_HELPER_H
#define RAIDTOP_PROVIDER_LINUX_TEMPERATURE_HELPER_H

#include <stdint.h>
#include <sys/types.h>

/*
 * Starts it, for the sensors of this machine or (`root` not "", a real path) for those that the
 * files below that directory tell of. struct sensor_reading after struct sensor_reading comes out
 * of `ret_fd`, which does not block. Returns its process id or -errno. It ends with its parent,
 * with the pipe, or by SIGKILL.
 */
pid_t temperature_helper_start(const char *root, uint64_t period_ns, int *ret_fd);

#endif
