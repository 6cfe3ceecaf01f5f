/*
 * Temperatures: which value of a chip counts, whose disk it is, what a disk without one says, and
 * how old values are told. Numbers in brackets are rows of corpus/BUGS.md.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "machine_files.h"
#include "provider/linux/temperature.h"
#include "raidtop/clock.h"
#include "raidtop/file.h"
#include "raidtop/text.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

/* ---- which value ---- */

struct offer {
	const char *label;
	int64_t value_mc;
};

static const struct choice_case {
	const char *name;
	struct offer offers[4];
	size_t n;
	enum sensor_state state;
	int32_t value_mc;
} choice_cases[] = {
	{ "one", { { "temp1", 31000 } }, 1, SENSOR_READ, 31000 },
	{ "any label (BUGS 57)", { { "Storage temp", 28000 } }, 1, SENSOR_READ, 28000 },
	{ "Composite before others (48)",
	  { { "Sensor 2", 81800 }, { "Composite", 31850 }, { "Sensor 1", 43900 } },
	  3,
	  SENSOR_READ,
	  31850 },
	{ "else the first",
	  { { "Sensor 1", 40000 }, { "Sensor 2", 50000 } },
	  2,
	  SENSOR_READ,
	  40000 },
	{ "impossible ones passed over (46)",
	  { { "Sensor 1", -216150 }, { "Sensor 2", -234150 }, { "Composite", 35850 } },
	  3,
	  SENSOR_READ,
	  35850 },
	{ "impossible Composite",
	  { { "Composite", 65261850 }, { "Sensor 1", 40850 } },
	  2,
	  SENSOR_READ,
	  40850 },
	{ "nothing but impossible ones", { { "Composite", -273150 } }, 1, SENSOR_IMPOSSIBLE, 0 },
	{ "below zero (54)", { { "temp1", -5000 } }, 1, SENSOR_READ, -5000 },
	{ "the limits",
	  { { "temp1", -40001 }, { "temp1", 150001 }, { "temp1", 150000 } },
	  3,
	  SENSOR_READ,
	  150000 },
	{ "nothing readable (BUGS 44)", { { NULL, 0 } }, 0, SENSOR_UNREADABLE, 0 },
};

static void choices(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(choice_cases); i++) {
		const struct choice_case *c = &choice_cases[i];
		struct sensor_choice choice = { 0 };

		print_message("  %s\n", c->name);
		for (size_t k = 0; k < c->n; k++)
			sensor_offer(&choice, c->offers[k].label, c->offers[k].value_mc);
		assert_int_equal(sensor_choice_state(&choice), c->state);
		if (c->state == SENSOR_READ)
			assert_int_equal(choice.value_mc, c->value_mc);
	}
}

/* BUGS 47: limits that nobody has set. */
static const struct limit_case {
	const char *name;
	int64_t limit_mc;
	int32_t is_mc;
} limit_cases[] = {
	{ "a disk's", 60000, 60000 },
	{ "an NVMe drive's", 84850, 84850 },
	{ "0xffff kelvins", 65261850, UNKNOWN_I32 },
	{ "no kelvins", -273150, UNKNOWN_I32 },
	{ "what cannot be read is printed as 0 (BUGS 46)", 0, UNKNOWN_I32 },
	{ "a byte's all ones", 255000, UNKNOWN_I32 },
	{ "beyond all numbers", INT64_MAX, UNKNOWN_I32 },
	{ "below all numbers", INT64_MIN, UNKNOWN_I32 },
};

static void limits(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(limit_cases); i++) {
		print_message("  %s\n", limit_cases[i].name);
		assert_int_equal(sensor_limit(limit_cases[i].limit_mc), limit_cases[i].is_mc);
	}
}

/* ---- whose disk: by the path of the chip's device (WISHES 26) ---- */

#define CONTROLLER "/sys/devices/pci0000:00/0000:00:02.1/0000:01:00.0"

static const struct owner_case {
	const char *name, *chip, *disk;
	bool belongs;
} owner_cases[] = {
	{ "drivetemp", "/sys/devices/ata1/0:0:0:0", "/sys/devices/ata1/0:0:0:0", true },
	{ "another disk", "/sys/devices/ata1/0:0:0:0", "/sys/devices/ata2/1:0:0:0", false },
	{ "a longer name", "/sys/devices/ata1/0:0:0:1", "/sys/devices/ata1/0:0:0:10", false },
	{ "nvme", CONTROLLER "/nvme/nvme0", CONTROLLER "/nvme/nvme0", true },
	{ "nvme, on the PCI device", CONTROLLER, CONTROLLER "/nvme/nvme0", true },
	{ "the adapter of a SATA disk", "/sys/devices/pci0", "/sys/devices/pci0/ata1/0:0:0:0",
	  false },
	{ "a bridge above the controller", "/sys/devices/pci0000:00/0000:00:02.1",
	  CONTROLLER "/nvme/nvme0", false },
	{ "nothing", "", CONTROLLER "/nvme/nvme0", false },
	{ "no device", CONTROLLER, "", false },
};

static void owners(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(owner_cases); i++) {
		print_message("  %s\n", owner_cases[i].name);
		assert_int_equal(sensor_belongs(owner_cases[i].chip, owner_cases[i].disk),
				 owner_cases[i].belongs);
	}
}

/* ---- chips as files ---- */

#define ATA "sys/devices/pci0/ata1/host0/target0:0:0/0:0:0:0"
#define NVME "sys/devices/pci1/nvme/nvme0"

static void add_chip(const struct machine_files *m, const char *number, const char *dir,
		     const char *device)
{
	char path[256], target[256];

	text_format(path, sizeof(path), "sys/class/hwmon/%s", number);
	text_format(target, sizeof(target), "../../../%s", dir);
	machine_link(m, path, target);
	text_format(path, sizeof(path), "%s/device", dir);
	machine_link(m, path, device);
}

/* A SATA disk whose chip is in a folder of its own, and an NVMe drive of either layout (13, 14). */
static void make_chips(const struct machine_files *m, bool old_layout)
{
	machine_link(m, "sys/block/sda", "../../" ATA "/block/sda");
	machine_write(m, ATA "/block/sda/size", "8\n");
	machine_link(m, ATA "/block/sda/device", "../..");
	add_chip(m, "hwmon7", ATA "/hwmon/hwmon7", "../..");
	machine_write(m, ATA "/hwmon/hwmon7/name", "drivetemp\n");
	machine_write(m, ATA "/hwmon/hwmon7/temp1_input", "31000\n");
	machine_write(m, ATA "/hwmon/hwmon7/temp1_lcrit", "-40000\n");

	machine_link(m, "sys/block/nvme0n1", "../../" NVME "/nvme0n1");
	machine_write(m, NVME "/nvme0n1/size", "8\n");
	machine_link(m, NVME "/nvme0n1/device", "../../nvme0");
	if (old_layout)
		add_chip(m, "hwmon3", "sys/devices/pci1/hwmon/hwmon3", "../..");
	else
		add_chip(m, "hwmon3", NVME "/hwmon3", "../../nvme0");
	machine_write(m, "sys/class/hwmon/hwmon3/temp2_input", "81800\n");
	machine_write(m, "sys/class/hwmon/hwmon3/temp2_label", "Sensor 1\n");
	machine_write(m, "sys/class/hwmon/hwmon3/temp1_input", "43850\n");
	machine_write(m, "sys/class/hwmon/hwmon3/temp1_label", "Composite\n");
	machine_write(m, "sys/class/hwmon/hwmon3/temp1_max", "84850\n");
	machine_write(m, "sys/class/hwmon/hwmon3/temp1_crit", "65261850\n");
	machine_write(m, "sys/class/hwmon/hwmon3/temp2_max", "65261850\n");

	/* A processor's: none of our business. */
	add_chip(m, "hwmon0", "sys/devices/platform/coretemp.0/hwmon/hwmon0", "../..");
	machine_write(m, "sys/class/hwmon/hwmon0/temp1_input", "60000\n");
}

static const struct disk *disk_of(const struct topology *t, const char *name)
{
	int slot = topology_find(t, name);

	assert_int_not_equal(slot, NO_SLOT);
	return &t->devices[slot]->disk;
}

static void both_layouts(void **state)
{
	(void)state;
	for (int old = 0; old < 2; old++) {
		struct machine_files m;
		struct provider *p;
		struct topology t;

		machine_make(&m);
		make_chips(&m, old != 0);
		p = machine_provider(&m);
		machine_survey(p, &t);
		assert_int_equal(disk_of(&t, "sda")->temperature_mc, 31000);
		assert_int_equal(disk_of(&t, "nvme0n1")->temperature_mc, 43850);
		assert_string_equal(disk_of(&t, "sda")->temperature_why, "");
		/* Of the value that counts, not of another sensor of that chip (47). */
		assert_int_equal(disk_of(&t, "nvme0n1")->temperature_max_mc, 84850);
		assert_int_equal(disk_of(&t, "nvme0n1")->temperature_crit_mc, UNKNOWN_I32);
		assert_int_equal(disk_of(&t, "sda")->temperature_max_mc, UNKNOWN_I32);
		topology_release(&t);
		provider_free(p);
		machine_remove(&m);
	}
}

/* What the SATA disk of make_chips says once something has become of its sensor. */
static const struct trouble_case {
	const char *name, *path, *text; /* text NULL: deleted */
	int32_t value_mc;
	const char *why;
} trouble_cases[] = {
	{ "standby: no value (55, sensors 31)", ATA "/hwmon/hwmon7/temp1_input", NULL, UNKNOWN_I32,
	  "the sensor gives no value" },
	{ "no number", ATA "/hwmon/hwmon7/temp1_input", "N/A\n", UNKNOWN_I32,
	  "the sensor gives no value" },
	{ "impossible", ATA "/hwmon/hwmon7/temp1_input", "65261850\n", UNKNOWN_I32,
	  "the sensor gives impossible values" },
	{ "faulty", ATA "/hwmon/hwmon7/temp1_fault", "1\n", UNKNOWN_I32,
	  "the sensor gives no value" },
	{ "asleep (52; WISHES 28)", ATA "/power/runtime_status", "suspended\n", UNKNOWN_I32,
	  "asleep; asking would wake it" },
	{ "awake", ATA "/power/runtime_status", "active\n", 31000, "" },
	{ "no chip (51; WISHES 27)", "sys/class/hwmon/hwmon7", NULL, UNKNOWN_I32,
	  "no sensor; load its module: modprobe drivetemp" },
	{ "a module, but no chip", ATA "/hwmon", NULL, UNKNOWN_I32,
	  "drivetemp finds no sensor in this disk" },
	{ "no hwmon at all", "sys/class/hwmon", NULL, UNKNOWN_I32,
	  "no sensor; load its module: modprobe drivetemp" },
};

static void troubles(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(trouble_cases); i++) {
		const struct trouble_case *c = &trouble_cases[i];
		struct machine_files m;
		struct provider *p;
		struct topology t;

		print_message("  %s\n", c->name);
		machine_make(&m);
		make_chips(&m, false);
		if (c->text)
			machine_write(&m, c->path, c->text);
		else
			machine_delete(&m, c->path);
		if (strcmp(c->name, "a module, but no chip") == 0)
			machine_write(&m, "sys/module/drivetemp/initstate", "live\n");
		p = machine_provider(&m);
		machine_survey(p, &t);
		assert_int_equal(disk_of(&t, "sda")->temperature_mc, c->value_mc);
		assert_string_equal(disk_of(&t, "sda")->temperature_why, c->why);
		assert_int_equal(disk_of(&t, "sda")->asleep, c->value_mc != UNKNOWN_I32 ? TRUTH_NO
							     : strncmp(c->why, "asleep", 6)
								     ? TRUTH_UNKNOWN
								     : TRUTH_YES);
		topology_release(&t);
		provider_free(p);
		machine_remove(&m);
	}
}

/* ---- values and their age ---- */

#define DISK "/sys/devices/ata1/0:0:0:0"
#define START_NS (100 * NS_PER_SEC)

/* Feeds readings as the helper would, through a pipe. */
struct feeder {
	struct temperatures t;
	int write_fd;
	uint64_t now_ns;
};

static void feeder_init(struct feeder *f)
{
	int ends[2];

	temperatures_init(&f->t, "", 0);
	f->t.period_ns = NS_PER_SEC;
	f->now_ns = START_NS;
	assert_int_equal(pipe2(ends, O_CLOEXEC | O_NONBLOCK), 0);
	f->t.fd = ends[0];
	f->write_fd = ends[1];
}

static void feeder_release(struct feeder *f)
{
	if (f->write_fd >= 0)
		close(f->write_fd);
	temperatures_release(&f->t);
}

static void feed(struct feeder *f, const char *path, enum sensor_state state, int32_t value_mc,
		 uint64_t at_ns)
{
	struct sensor_reading r = { .at_ns = at_ns,
				    .state = state,
				    .value_mc = value_mc,
				    .limits = { 60000, UNKNOWN_I32 } };

	text_copy(r.path, sizeof(r.path), path);
	assert_int_equal(file_write_all(f->write_fd, &r, sizeof(r)), 0);
	temperatures_take(&f->t);
}

static void see(const struct feeder *f, uint64_t since_ns, struct disk *disk)
{
	memset(disk, 0, sizeof(*disk));
	text_copy(disk->transport, sizeof(disk->transport), "sata");
	temperatures_apply(&f->t, temperatures_find(&f->t, DISK),
			   &(struct temperature_times){ START_NS, since_ns, f->now_ns }, disk);
}

static void values_keep_their_age(void **state)
{
	struct feeder f;
	struct disk d;

	(void)state;
	feeder_init(&f);
	see(&f, 0, &d);
	assert_string_equal(d.temperature_why, "not read yet");

	feed(&f, DISK, SENSOR_READ, 31000, START_NS + 5 * NS_PER_SEC);
	see(&f, 0, &d);
	assert_int_equal(d.temperature_mc, 31000);
	assert_int_equal(d.temperature_at_us, 5 * US_PER_SEC);
	assert_string_equal(d.temperature_why, "");

	/* Asleep, then failing: the old value stays, with its time. */
	feed(&f, DISK, SENSOR_ASLEEP, 0, START_NS + 15 * NS_PER_SEC);
	see(&f, 0, &d);
	assert_int_equal(d.temperature_mc, 31000);
	assert_int_equal(d.temperature_at_us, 5 * US_PER_SEC);
	assert_string_equal(d.temperature_why, "asleep; asking would wake it");
	feed(&f, DISK, SENSOR_UNREADABLE, 0, START_NS + 25 * NS_PER_SEC);
	see(&f, 0, &d);
	assert_int_equal(d.temperature_mc, 31000);
	assert_string_equal(d.temperature_why, "the sensor gives no value");

	/* Another disk in its place since: the value is not that one's. */
	see(&f, START_NS + 20 * NS_PER_SEC, &d);
	assert_int_equal(d.temperature_mc, UNKNOWN_I32);
	see(&f, START_NS + 30 * NS_PER_SEC, &d);
	assert_int_equal(d.temperature_mc, UNKNOWN_I32);
	assert_string_equal(d.temperature_why, "not read yet");
	feeder_release(&f);
}

/* BUGS 48: 31, 83, 31 within seconds, with an alarm each time. */
static void a_jump_is_doubted_once(void **state)
{
	static const struct {
		int32_t value_mc, shown_mc;
		const char *why;
	} readings[] = {
		{ 31000, 31000, "" },
		{ 83000, 31000, "a sudden jump; not believed until repeated" },
		{ 32000, 32000, "" },
		{ 83000, 32000, "a sudden jump; not believed until repeated" },
		{ 84000, 84000, "" }, /* it really is */
		{ 60000, 60000, "" }, /* flash cools fast */
		{ -20000, 60000, "a sudden jump; not believed until repeated" },
		{ 59000, 59000, "" },
	};
	struct feeder f;
	struct disk d;

	(void)state;
	feeder_init(&f);
	for (size_t i = 0; i < COUNT(readings); i++) {
		f.now_ns += 10 * NS_PER_SEC;
		feed(&f, DISK, SENSOR_READ, readings[i].value_mc, f.now_ns);
		see(&f, 0, &d);
		assert_int_equal(d.temperature_mc, readings[i].shown_mc);
		assert_string_equal(d.temperature_why, readings[i].why);
	}
	/* After a long time without a reading there is nothing to doubt it by. */
	f.now_ns += 600 * NS_PER_SEC;
	feed(&f, DISK, SENSOR_READ, 15000, f.now_ns);
	see(&f, 0, &d);
	assert_int_equal(d.temperature_mc, 15000);
	feeder_release(&f);
}

/* A helper that hangs sends nothing: the value grows old, and that is said. */
static void silence_is_told(void **state)
{
	struct feeder f;
	struct disk d;

	(void)state;
	feeder_init(&f);
	feed(&f, DISK, SENSOR_READ, 31000, START_NS);
	f.now_ns = START_NS + 15 * NS_PER_SEC;
	see(&f, 0, &d);
	assert_string_equal(d.temperature_why, "");
	f.now_ns = START_NS + 60 * NS_PER_SEC;
	see(&f, 0, &d);
	assert_int_equal(d.temperature_mc, 31000);
	assert_int_equal(d.temperature_at_us, 0);
	assert_string_equal(d.temperature_why, "the sensors have not answered for long");
	assert_int_equal(d.asleep, TRUTH_UNKNOWN);
	/* Read once, for a list, it is not expected again. */
	f.t.period_ns = TEMPERATURE_ONCE;
	see(&f, 0, &d);
	assert_string_equal(d.temperature_why, "");
	feeder_release(&f);
}

static void sensors_come_and_go(void **state)
{
	struct feeder f;
	struct disk d;
	uint64_t version;

	(void)state;
	feeder_init(&f);
	feed(&f, "/sys/devices/other", SENSOR_READ, 20000, START_NS);
	feed(&f, DISK, SENSOR_READ, 30000, START_NS);
	feed(&f, "", SENSOR_SCAN_DONE, 0, START_NS);
	assert_int_equal(temperatures_find(&f.t, DISK), 1);
	version = f.t.version;
	feed(&f, DISK, SENSOR_READ, 32000, START_NS);
	assert_int_equal(f.t.version, version);
	feed(&f, "", SENSOR_SCAN_DONE, 0, START_NS);
	/* The other one was not seen in that round. */
	assert_true(f.t.version > version);
	assert_int_equal(temperatures_find(&f.t, DISK), 0);
	feed(&f, "", SENSOR_SCAN_DONE, 0, START_NS);
	assert_int_equal(temperatures_find(&f.t, DISK), -1);
	see(&f, 0, &d);
	assert_int_equal(d.temperature_mc, UNKNOWN_I32);
	assert_string_equal(d.temperature_why, "no sensor; load its module: modprobe drivetemp");
	/* A disk that was put in since that round began may have one. */
	see(&f, START_NS + 1, &d);
	assert_string_equal(d.temperature_why, "not read yet");
	feeder_release(&f);
}

/* WISHES 27, BUGS 51: why a disk has no sensor; others' temperatures are none of its business. */
static const struct why_case {
	const char *transport;
	bool has_drivetemp;
	const char *why;
} why_cases[] = {
	{ "sata", false, "no sensor; load its module: modprobe drivetemp" },
	{ "sata", true, "drivetemp finds no sensor in this disk" },
	{ "ata", false, "no sensor; load its module: modprobe drivetemp" },
	{ "sas", true, "the kernel reads no temperatures of SAS disks" },
	{ "usb", true, "the USB bridge shows no sensor" },
	{ "nvme", false, "the kernel shows no sensor of this drive" },
	{ "virtio", false, "virtual disks have no sensor" },
	{ "", false, "no sensor found" },
	{ "something new", false, "no sensor found" },
};

static void why_there_is_none(void **state)
{
	struct temperature_times times = { START_NS, 0, START_NS };
	struct feeder f;

	(void)state;
	feeder_init(&f);
	feed(&f, DISK, SENSOR_READ, 30000, START_NS);
	feed(&f, "", SENSOR_SCAN_DONE, 0, START_NS);
	for (size_t i = 0; i < COUNT(why_cases); i++) {
		struct disk d = { .temperature_mc = 1 };

		text_copy(d.transport, sizeof(d.transport), why_cases[i].transport);
		f.t.has_drivetemp = why_cases[i].has_drivetemp;
		temperatures_apply(&f.t, temperatures_find(&f.t, "/sys/devices/none"), &times, &d);
		assert_int_equal(d.temperature_mc, UNKNOWN_I32);
		assert_string_equal(d.temperature_why, why_cases[i].why);
	}
	feeder_release(&f);
}

static void nonsense_from_the_pipe(void **state)
{
	struct sensor_reading r;
	struct feeder f;

	(void)state;
	feeder_init(&f);
	memset(&r, 0xff, sizeof(r)); /* a state that is none, a path without end */
	assert_int_equal(file_write_all(f.write_fd, &r, sizeof(r)), 0);
	r.state = SENSOR_READ;
	assert_int_equal(file_write_all(f.write_fd, &r, sizeof(r)), 0);
	temperatures_take(&f.t);
	assert_int_equal(f.t.n_records, 0);
	/* The end of the pipe is the end of the helper; what is known stays. */
	feed(&f, DISK, SENSOR_READ, 31000, START_NS);
	close(f.write_fd);
	f.write_fd = -1;
	temperatures_take(&f.t);
	assert_int_equal(temperatures_fd(&f.t), -1);
	assert_true(f.t.ended);
	assert_int_equal(temperatures_find(&f.t, DISK), 0);
	feeder_release(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(choices),
		cmocka_unit_test(limits),
		cmocka_unit_test(owners),
		cmocka_unit_test(both_layouts),
		cmocka_unit_test(troubles),
		cmocka_unit_test(values_keep_their_age),
		cmocka_unit_test(a_jump_is_doubted_once),
		cmocka_unit_test(silence_is_told),
		cmocka_unit_test(sensors_come_and_go),
		cmocka_unit_test(why_there_is_none),
		cmocka_unit_test(nonsense_from_the_pipe),
	};

	return cmocka_run_group_tests_name("linux sensors", tests, NULL, NULL);
}
