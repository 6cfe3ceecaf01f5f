/*
 * A drive is asked for its power mode: what is sent, and what is made of the answer. In place of a
 * drive, ioctl() below stands before the C library's.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <scsi/sg.h>
#include <string.h>
#include <sys/ioctl.h>

#include "provider/linux/ata_power.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static const struct sense_case {
	const char *name;
	size_t len;
	uint8_t sense[24];
	enum ata_power power;
} sense_cases[] = {
	{ "standby",
	  22,
	  { 0x72, 1, 0, 0x1d, 0, 0, 0, 14, 9, 12, 0, 0, 0, 0x00 },
	  ATA_POWER_STANDBY },
	{ "standby_y",
	  22,
	  { 0x72, 1, 0, 0x1d, 0, 0, 0, 14, 9, 12, 0, 0, 0, 0x01 },
	  ATA_POWER_STANDBY },
	{ "spun down behind a cache",
	  22,
	  { 0x72, 1, 0, 0x1d, 0, 0, 0, 14, 9, 12, 0, 0, 0, 0x40 },
	  ATA_POWER_STANDBY },
	{ "idle", 22, { 0x72, 1, 0, 0x1d, 0, 0, 0, 14, 9, 12, 0, 0, 0, 0x80 }, ATA_POWER_AWAKE },
	{ "active", 22, { 0x72, 1, 0, 0x1d, 0, 0, 0, 14, 9, 12, 0, 0, 0, 0xff }, ATA_POWER_AWAKE },
	{ "the command failed",
	  22,
	  { 0x72, 0xb, 0, 0, 0, 0, 0, 14, 9, 12, 0, 0x04, 0, 0x00, 0, 0, 0, 0, 0, 0, 0, 0x51 },
	  ATA_POWER_UNKNOWN },
	{ "another descriptor before",
	  24,
	  { 0x72, 1, 0, 0x1d, 0, 0, 0, 16, 3, 0, 9, 12, 0, 0, 0, 0xff },
	  ATA_POWER_AWAKE },
	{ "no descriptor", 8, { 0x72, 5, 0x20, 0, 0, 0, 0, 0 }, ATA_POWER_UNKNOWN },
	{ "cut off",
	  20,
	  { 0x72, 1, 0, 0x1d, 0, 0, 0, 14, 9, 12, 0, 0, 0, 0x00 },
	  ATA_POWER_UNKNOWN },
	{ "a length beyond its end",
	  22,
	  { 0x72, 1, 0, 0x1d, 0, 0, 0, 255, 3, 200, 0, 0 },
	  ATA_POWER_UNKNOWN },
	{ "fixed format", 18, { 0x70, 0, 1, 0, 0, 0, 0, 10 }, ATA_POWER_UNKNOWN },
	{ "nothing", 0, { 0 }, ATA_POWER_UNKNOWN },
};

static void drives_tell_their_mode(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(sense_cases); i++) {
		print_message("  %s\n", sense_cases[i].name);
		assert_int_equal(ata_power_of_sense(sense_cases[i].sense, sense_cases[i].len),
				 sense_cases[i].power);
	}
}

/* ---- the question ---- */

static struct drive {
	int errors; /* errno, 0: it answers */
	unsigned int host_status;
	uint8_t count;
	int asked;
} drive;

int ioctl(int fd, unsigned long request, ...)
{
	static const uint8_t question[16] = { 0x85, 3 << 1, 1 << 5, [14] = 0xe5 };
	struct sg_io_hdr *io;
	va_list arguments;

	va_start(arguments, request);
	io = va_arg(arguments, struct sg_io_hdr *);
	va_end(arguments);
	assert_true(fd >= 0);
	assert_int_equal(request, SG_IO);
	drive.asked++;
	/* No data, in no direction, and not for ever. */
	assert_int_equal(io->dxfer_direction, SG_DXFER_NONE);
	assert_int_equal(io->dxfer_len, 0);
	assert_int_equal(io->cmd_len, sizeof(question));
	assert_memory_equal(io->cmdp, question, sizeof(question));
	assert_in_range(io->timeout, 1, 10000);
	if (drive.errors) {
		errno = drive.errors;
		return -1;
	}
	assert_true(io->mx_sb_len >= 22);
	memcpy(io->sbp, (uint8_t[22]){ 0x72, 1, 0, 0x1d, 0, 0, 0, 14, 9, 12, 0, 0, 0, drive.count },
	       22);
	io->sb_len_wr = 22;
	io->host_status = (unsigned short)drive.host_status;
	return 0;
}

static const struct drive_case {
	const char *name;
	struct drive drive;
	enum ata_power power;
} drive_cases[] = {
	{ "standby", { .count = 0x00 }, ATA_POWER_STANDBY },
	{ "active", { .count = 0xff }, ATA_POWER_AWAKE },
	{ "not allowed", { .errors = EPERM }, ATA_POWER_UNKNOWN },
	{ "no SCSI device", { .errors = ENOTTY }, ATA_POWER_UNKNOWN },
	{ "an adapter that gave up", { .host_status = 3 }, ATA_POWER_UNKNOWN },
};

static void the_question(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(drive_cases); i++) {
		print_message("  %s\n", drive_cases[i].name);
		drive = drive_cases[i].drive;
		/* Anything that can be opened will do. */
		assert_int_equal(ata_power_ask("null"), drive_cases[i].power);
		assert_int_equal(drive.asked, 1);
	}
	drive.asked = 0;
	assert_int_equal(ata_power_ask("no such/device"), ATA_POWER_UNKNOWN);
	assert_int_equal(drive.asked, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(drives_tell_their_mode),
		cmocka_unit_test(the_question),
	};

	return cmocka_run_group_tests_name("power modes", tests, NULL, NULL);
}
