/* Who a disk is: model, serial, firmware, WWN, how it is attached, whether it turns. */
#ifndef RAIDTOP_PROVIDER_LINUX_DISK_IDENTITY_H
#define RAIDTOP_PROVIDER_LINUX_DISK_IDENTITY_H

#include <stddef.h>

#include "raidtop/topology.h"

struct block;

/* Fills what is known of `disk`; the rest is left as it is. `b` keeps what is not asked twice. */
void disk_identity_read(struct disk *disk, struct block *b);

/* The transport that a device's path tells: "ata", "nvme", "usb", ...; "" where it tells none. */
const char *disk_transport(const char *path);

/* udev's \x20 turned back into what it stands for; cut to `size`. */
void disk_decode_udev(char *dst, size_t size, const char *encoded);

#endif
