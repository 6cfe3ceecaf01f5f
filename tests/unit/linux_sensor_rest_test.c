/*
 * Which disks are not asked for their temperature, so that they may sleep: by counters and times
 * that are made up here, by what a drive answers, and as it all comes together in files. Numbers in
 * brackets are rows of WISHES.md and of corpus/BUGS.md.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "machine_files.h"
#include "provider/linux/sensor_rest.h"
#include "provider/linux/temperature.h"
#include "raidtop/clock.h"
#include "raidtop/file.h"
#include "raidtop/text.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))
#define MINUTE_NS (60 * NS_PER_SEC)

/* ---- counters ---- */

struct look {
	unsigned int minute;
	struct sensor_activity seen;
	bool rests;
};

static const struct rest_case {
	const char *name;
	struct look looks[6];
} rest_cases[] = {
	{ "idle for long (WISHES 25, BUGS 55)",
	  { { 10, { true, 7, 0 }, false },
	    { 12, { true, 7, 0 }, false },
	    { 14, { true, 7, 0 }, false },
	    { 15, { true, 7, 0 }, true },
	    { 500, { true, 7, 0 }, true },
	    { 501, { true, 8, 0 }, false } } },
	{ "a request now and then",
	  { { 10, { true, 7, 0 }, false },
	    { 14, { true, 8, 0 }, false },
	    { 18, { true, 9, 0 }, false },
	    { 22, { true, 10, 0 }, false },
	    { 26, { true, 10, 0 }, false },
	    { 28, { true, 10, 0 }, true } } },
	{ "one request that takes long",
	  { { 10, { true, 7, 0 }, false },
	    { 14, { true, 7, 1 }, false },
	    { 18, { true, 7, 1 }, false },
	    { 22, { true, 7, 1 }, false },
	    { 26, { true, 7, 0 }, false },
	    { 27, { true, 7, 0 }, true } } },
	{ "counters that began anew are no rest",
	  { { 10, { true, 700, 0 }, false },
	    { 14, { true, 700, 0 }, false },
	    { 16, { true, 2, 0 }, false },
	    { 20, { true, 2, 0 }, false },
	    { 21, { true, 2, 0 }, true },
	    { 22, { true, 2, 0 }, true } } },
	{ "a disk that counts nothing cannot be known to rest",
	  { { 10, { false, 0, 0 }, false },
	    { 20, { false, 0, 0 }, false },
	    { 30, { true, 0, 0 }, false },
	    { 34, { true, 0, 0 }, false },
	    { 36, { false, 0, 0 }, false },
	    { 50, { true, 0, 0 }, false } } },
};

static void counters_tell_rest(void **state)
{
	(void)state;
	assert_int_equal(SENSOR_IDLE_NS, 5 * MINUTE_NS);
	for (size_t i = 0; i < COUNT(rest_cases); i++) {
		struct sensor_past past = { .path = "" };

		print_message("  %s\n", rest_cases[i].name);
		for (size_t k = 0; k < COUNT(rest_cases[i].looks); k++) {
			const struct look *l = &rest_cases[i].looks[k];

			assert_int_equal(sensor_take_activity(&past, &l->seen, SENSOR_IDLE_NS,
							      l->minute * MINUTE_NS),
					 l->rests);
		}
	}
}

/* ---- both, of files ---- */

#define ATA "sys/devices/pci0/ata1/host0/target0:0:0/0:0:0:0"
#define STAT_OF(reads) reads " 0 8 0 2 0 8 0 0 0 0 0 0 0 0 1 0\n"

static int asked;
static enum ata_power answer;

static enum ata_power ask(const char *name)
{
	assert_string_equal(name, "sda");
	asked++;
	return answer;
}

struct disk_files {
	struct machine_files files;
	struct sensor_memory memory;
	struct sensor_past *past;
	char dir[256];
};

static void disk_make(struct disk_files *d)
{
	machine_make(&d->files);
	machine_write(&d->files, ATA "/block/sda/stat", STAT_OF("5"));
	machine_write(&d->files, ATA "/block/sda/queue/rotational", "1\n");
	machine_write(&d->files, ATA "/block/sda/queue/iostats", "1\n");
	text_format(d->dir, sizeof(d->dir), "%s/" ATA, d->files.dir);
	sensor_memory_init(&d->memory);
	d->memory.ask_power = ask;
	sensor_memory_begin(&d->memory);
	d->past = sensor_memory_of(&d->memory, "/" ATA);
	asked = 0;
	answer = ATA_POWER_UNKNOWN;
}

static void disk_remove(struct disk_files *d)
{
	sensor_memory_release(&d->memory);
	machine_remove(&d->files);
}

static enum sensor_state look(struct disk_files *d, unsigned int minute)
{
	return sensor_may_be_read(&d->memory, d->past, d->dir, minute * MINUTE_NS);
}

static void a_disk_at_rest_is_left_alone(void **state)
{
	struct disk_files d;

	(void)state;
	disk_make(&d);
	assert_int_equal(look(&d, 10), SENSOR_READ);
	assert_int_equal(look(&d, 15), SENSOR_RESTING);
	assert_int_equal(look(&d, 16), SENSOR_RESTING);
	/* Asked at first and when it came to rest, not again so soon after. */
	assert_int_equal(asked, 2);
	answer = ATA_POWER_STANDBY;
	assert_int_equal(look(&d, 20), SENSOR_ASLEEP);
	assert_int_equal(look(&d, 21), SENSOR_ASLEEP);
	assert_int_equal(asked, 3);
	/* It works: that it is awake needs no question. */
	machine_write(&d.files, ATA "/block/sda/stat", STAT_OF("6"));
	assert_int_equal(look(&d, 22), SENSOR_READ);
	assert_int_equal(asked, 3);
	/* Our own reading is no work, even where the kernel counts it. */
	machine_write(&d.files, ATA "/block/sda/stat", STAT_OF("7"));
	sensor_was_read(d.past, d.dir);
	answer = ATA_POWER_AWAKE;
	assert_int_equal(look(&d, 27), SENSOR_RESTING);
	disk_remove(&d);
}

static const struct sleep_case {
	const char *name, *path, *text; /* a file that is written besides */
	enum ata_power answer;
	enum sensor_state first, later;
} sleep_cases[] = {
	{ "awake", NULL, NULL, ATA_POWER_AWAKE, SENSOR_READ, SENSOR_RESTING },
	{ "standby (BUGS 55, 56)", NULL, NULL, ATA_POWER_STANDBY, SENSOR_ASLEEP, SENSOR_ASLEEP },
	{ "may not be asked", NULL, NULL, ATA_POWER_UNKNOWN, SENSOR_READ, SENSOR_RESTING },
	{ "suspended by the kernel (WISHES 28)", "power/runtime_status", "suspended\n",
	  ATA_POWER_AWAKE, SENSOR_ASLEEP, SENSOR_ASLEEP },
	{ "flash has nothing to spin down", "block/sda/queue/rotational", "0\n", ATA_POWER_STANDBY,
	  SENSOR_READ, SENSOR_READ },
	{ "counts nothing", "block/sda/queue/iostats", "0\n", ATA_POWER_AWAKE, SENSOR_READ,
	  SENSOR_READ },
	{ "counts nothing, in standby", "block/sda/queue/iostats", "0\n", ATA_POWER_STANDBY,
	  SENSOR_ASLEEP, SENSOR_ASLEEP },
	{ "nonsense for counters", "block/sda/stat", "5 0 x 0 2 0\n", ATA_POWER_AWAKE, SENSOR_READ,
	  SENSOR_READ },
	{ "an old kernel's eleven columns", "block/sda/stat", "5 0 8 0 2 0 8 0 0 0 0\n",
	  ATA_POWER_AWAKE, SENSOR_READ, SENSOR_RESTING },
};

static void what_keeps_a_disk_from_being_asked(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(sleep_cases); i++) {
		const struct sleep_case *c = &sleep_cases[i];
		char path[256];
		struct disk_files d;

		print_message("  %s\n", c->name);
		disk_make(&d);
		text_format(path, sizeof(path), ATA "/%s", c->path ? c->path : "");
		if (c->path)
			machine_write(&d.files, path, c->text);
		answer = c->answer;
		assert_int_equal(look(&d, 10), c->first);
		assert_int_equal(look(&d, 60), c->later);
		disk_remove(&d);
	}
}

static void chips_that_are_gone_are_forgotten(void **state)
{
	struct sensor_memory m;
	char path[32];

	(void)state;
	sensor_memory_init(&m);
	sensor_memory_begin(&m);
	for (int i = 0; i < 100; i++) {
		text_format(path, sizeof(path), "/sys/devices/%d", i);
		sensor_memory_of(&m, path)->requests = (uint64_t)i;
	}
	sensor_memory_end(&m);
	assert_int_equal(m.n, 100);
	sensor_memory_begin(&m);
	assert_int_equal(sensor_memory_of(&m, "/sys/devices/70")->requests, 70);
	sensor_memory_end(&m);
	assert_int_equal(m.n, 1);
	sensor_memory_begin(&m);
	assert_int_equal(sensor_memory_of(&m, "/sys/devices/7")->requests, 0);
	sensor_memory_release(&m);
}

/* Between the files and what is said of the disk, in place of the process that reads them. */
struct reader {
	struct machine_files files;
	struct sensor_memory memory;
	struct temperatures known;
	struct sensor_sink sink;
	int fd;
};

static bool send_on(void *context, const struct sensor_reading *r)
{
	const struct reader *reader = context;

	return file_write_all(reader->fd, r, sizeof(*r)) == 0;
}

static void reader_init(struct reader *r)
{
	int ends[2];

	machine_make(&r->files);
	sensor_memory_init(&r->memory);
	temperatures_init(&r->known, "", 0);
	r->known.period_ns = NS_PER_SEC;
	assert_int_equal(pipe2(ends, O_CLOEXEC | O_NONBLOCK), 0);
	r->known.fd = ends[0];
	r->fd = ends[1];
	r->sink = (struct sensor_sink){ send_on, r };
}

static void reader_release(struct reader *r)
{
	close(r->fd);
	temperatures_release(&r->known);
	sensor_memory_release(&r->memory);
	machine_remove(&r->files);
}

static void read_and_see(struct reader *r, struct disk *disk)
{
	const struct temperature_times times = { 0, 0, 0 };

	sensor_scan_files(r->files.dir, &r->sink, &r->memory);
	temperatures_take(&r->known);
	temperatures_apply(&r->known, temperatures_find(&r->known, "/" ATA), &times, disk);
}

/* The value stays while the disk is at rest, and it is said why no newer one comes. */
static void the_cached_value_is_shown(void **state)
{
	struct disk disk = { .transport = "sata" };
	struct reader r;
	uint64_t at_us;

	(void)state;
	reader_init(&r);
	machine_write(&r.files, ATA "/block/sda/stat", STAT_OF("5"));
	machine_write(&r.files, ATA "/hwmon/hwmon7/temp1_input", "31000\n");
	machine_link(&r.files, ATA "/hwmon/hwmon7/device", "../..");
	machine_link(&r.files, "sys/class/hwmon/hwmon7", "../../../" ATA "/hwmon/hwmon7");
	r.memory.idle_ns = 0;
	read_and_see(&r, &disk);
	assert_int_equal(disk.temperature_mc, 31000);
	at_us = disk.temperature_at_us;
	machine_write(&r.files, ATA "/hwmon/hwmon7/temp1_input", "45000\n");
	read_and_see(&r, &disk);
	assert_int_equal(disk.temperature_mc, 31000);
	assert_int_equal(disk.temperature_at_us, at_us);
	assert_string_equal(disk.temperature_why,
			    "idle for long; asking could keep it from sleeping");
	assert_int_equal(disk.asleep, TRUTH_UNKNOWN);
	/* It works again, and is read again. */
	machine_write(&r.files, ATA "/block/sda/stat", STAT_OF("6"));
	read_and_see(&r, &disk);
	assert_int_equal(disk.temperature_mc, 45000);
	assert_string_equal(disk.temperature_why, "");
	assert_int_equal(disk.asleep, TRUTH_NO);
	reader_release(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counters_tell_rest),
		cmocka_unit_test(a_disk_at_rest_is_left_alone),
		cmocka_unit_test(what_keeps_a_disk_from_being_asked),
		cmocka_unit_test(chips_that_are_gone_are_forgotten),
		cmocka_unit_test(the_cached_value_is_shown),
	};

	return cmocka_run_group_tests_name("disks at rest", tests, NULL, NULL);
}
