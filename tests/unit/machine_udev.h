/* A capture as a device description for umockdev, so that real libudev and libsensors see it. */
#ifndef RAIDTOP_TESTS_MACHINE_UDEV_H
#define RAIDTOP_TESTS_MACHINE_UDEV_H

#include "machine_files.h"
#include "raidtop/text.h"

/*
 * Appends the description of all devices below the machine's sys/devices, with what the capture's
 * udev database says of them. `m` was unpacked from that capture.
 */
void machine_describe(const struct machine_files *m, const char *capture, struct buffer *out);

#endif
