/*
 * CHECK POWER MODE is the one ATA command that a sleeping drive answers from its sleep. It goes
 * through SG_IO as an ATA PASS-THROUGH (16) without data, as the SAT standard has it, so that a
 * drive behind a SAS adapter is reached as well as one on a SATA port. The mode comes back in the
 * count register, for which the command asks by CK_COND: the answer then is a "check condition"
 * whose sense data hold the registers, of an error or of none.
 */
#include "ata_power.h"

#include <fcntl.h>
#include <scsi/sg.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "raidtop/text.h"

enum {
	ATA_PASS_THROUGH_16 = 0x85,
	PROTOCOL_NON_DATA = 3 << 1,
	CK_COND = 1 << 5,
	CHECK_POWER_MODE = 0xe5,

	SENSE_DESCRIPTOR = 0x72, /* and 0x73 for a deferred error */
	DESCRIPTOR_ATA = 0x09,
	DESCRIPTOR_ATA_LENGTH = 12,
	STATUS_ERROR = 1 << 0,

	TIMEOUT_MS = 5000,
};

/* Standby_z, standby_y, and spun down behind a cache that still answers. */
static enum ata_power power_of_count(uint8_t count)
{
	return count == 0x00 || count == 0x01 || count == 0x40 ? ATA_POWER_STANDBY
							       : ATA_POWER_AWAKE;
}

/* Byte 7 says how much follows; descriptors have their own length in their second byte. */
enum ata_power ata_power_of_sense(const uint8_t *sense, size_t len)
{
	size_t end, at = 8;

	if (len < 8 || (sense[0] & 0x7f) != SENSE_DESCRIPTOR)
		return ATA_POWER_UNKNOWN;
	end = 8 + (size_t)sense[7];
	end = end < len ? end : len;
	while (at + 2 <= end) {
		const uint8_t *d = sense + at;
		size_t size = 2 + (size_t)d[1];

		if (at + size > end)
			break;
		if (d[0] == DESCRIPTOR_ATA && d[1] >= DESCRIPTOR_ATA_LENGTH)
			return d[13] & STATUS_ERROR ? ATA_POWER_UNKNOWN : power_of_count(d[5]);
		at += size;
	}
	return ATA_POWER_UNKNOWN;
}

static enum ata_power ask(int fd)
{
	uint8_t command[16] = { ATA_PASS_THROUGH_16, PROTOCOL_NON_DATA, CK_COND };
	uint8_t sense[64] = { 0 };
	struct sg_io_hdr io;

	command[14] = CHECK_POWER_MODE;
	memset(&io, 0, sizeof(io));
	io.interface_id = 'S';
	io.dxfer_direction = SG_DXFER_NONE;
	io.cmd_len = sizeof(command);
	io.cmdp = command;
	io.mx_sb_len = sizeof(sense);
	io.sbp = sense;
	io.timeout = TIMEOUT_MS;
	if (ioctl(fd, SG_IO, &io) < 0 || io.host_status != 0)
		return ATA_POWER_UNKNOWN;
	return ata_power_of_sense(sense,
				  io.sb_len_wr < sizeof(sense) ? io.sb_len_wr : sizeof(sense));
}

enum ata_power ata_power_ask(const char *name)
{
	enum ata_power power;
	char path[128];
	int fd;

	if (!text_format(path, sizeof(path), "/dev/%s", name))
		return ATA_POWER_UNKNOWN;
	/* Without O_NONBLOCK a medium would be looked for. */
	fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return ATA_POWER_UNKNOWN;
	power = ask(fd);
	close(fd);
	return power;
}
