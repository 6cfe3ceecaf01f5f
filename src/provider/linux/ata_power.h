/* Whether an ATA drive stands still, asked in a way that does not make it turn. */
#ifndef RAIDTOP_PROVIDER_LINUX_ATA_POWER_H
#define RAIDTOP_PROVIDER_LINUX_ATA_POWER_H

#include <stddef.h>
#include <stdint.h>

enum ata_power {
	ATA_POWER_UNKNOWN, /* no ATA drive, not allowed to ask, or no answer */
	ATA_POWER_STANDBY,
	ATA_POWER_AWAKE,
};

/*
 * Asks the drive of /dev/NAME (with '/'). May block for seconds on a drive that hangs: for the
 * process that reads sensors only. Needs CAP_SYS_RAWIO and leave to open the device.
 */
enum ata_power ata_power_ask(const char *name);

/* What the sense data of `len` bytes, which the command was answered with, says. */
enum ata_power ata_power_of_sense(const uint8_t *sense, size_t len);

#endif
