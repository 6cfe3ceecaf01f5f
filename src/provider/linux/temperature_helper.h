/* The process that reads the sensors. */
#ifndef RAIDTOP_PROVIDER_LINUX_TEMPERATURE_HELPER_H
#define RAIDTOP_PROVIDER_LINUX_TEMPERATURE_HELPER_H

#include <stdint.h>
#include <sys/types.h>

/*
 * Starts it: struct sensor_reading after struct sensor_reading comes out of `ret_fd`, which does
 * not block. Returns its process id or -errno. It ends with its parent, with the pipe, or by
 * SIGKILL.
 */
pid_t temperature_helper_start(uint64_t period_ns, int *ret_fd);

#endif
