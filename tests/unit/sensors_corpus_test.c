/*
 * The corpus' sensor listings, each made into the files of sysfs again that the tool had read, and
 * looked at as another machine's. What SOURCES.tsv and BUGS.md say of each file is asserted here;
 * numbers in brackets are rows of BUGS.md. Chips get their hwmon numbers backwards, so that nothing
 * can depend on those.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "corpus.h"
#include "machine_files.h"
#include "raidtop/text.h"
#include "sensor_listing.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))
#define FOLDER "sensors"
#define NONE UNKNOWN_I32

/* What a disk of a file must say. */
struct fact {
	const char *disk;
	int32_t value_mc, max_mc, crit_mc;
	const char *why;
};

/* ---- trees ---- */

static void write_number(const struct machine_files *m, const char *dir, int number,
			 const char *what, const struct listing_value *v)
{
	char path[256], text[32];

	text_format(path, sizeof(path), "%s/temp%d_%s", dir, number, what);
	if (v->presence == LISTING_THERE) {
		text_format(text, sizeof(text), "%lld\n", (long long)v->milli);
		machine_write(m, path, text);
	} else if (v->presence == LISTING_UNREADABLE) {
		/* A folder in its place: to be opened, but any read of it fails. */
		text_format(path, sizeof(path), "%s/temp%d_%s/x", dir, number, what);
		machine_write(m, path, "");
	}
}

static void write_chip(const struct machine_files *m, const struct listing_chip *c,
		       const char *hwmon, size_t number, const char *device)
{
	char path[256], target[256];

	for (size_t i = 0; i < c->n_features; i++) {
		const struct listing_feature *f = &c->features[i];

		write_number(m, hwmon, f->number, "input", &f->input);
		write_number(m, hwmon, f->number, "max", &f->max);
		write_number(m, hwmon, f->number, "crit", &f->crit);
		text_format(path, sizeof(path), "%s/temp%d_label", hwmon, f->number);
		if (strncmp(f->label, "temp", 4) != 0) {
			text_format(target, sizeof(target), "%s\n", f->label);
			machine_write(m, path, target);
		}
	}
	text_format(path, sizeof(path), "%s/device", hwmon);
	machine_link(m, path, device);
	text_format(path, sizeof(path), "sys/class/hwmon/hwmon%zu", number);
	text_format(target, sizeof(target), "../../../%s", hwmon);
	machine_link(m, path, target);
}

static void write_disk(const struct machine_files *m, const char *disk, const char *dir,
		       const char *device)
{
	char path[256], target[256];

	text_format(path, sizeof(path), "%s/size", dir);
	machine_write(m, path, "8\n");
	text_format(path, sizeof(path), "%s/device", dir);
	machine_link(m, path, device);
	text_format(path, sizeof(path), "sys/block/%s", disk);
	text_format(target, sizeof(target), "../../%s", dir);
	machine_link(m, path, target);
}

/* The directory of the n-th SATA disk; all have the path of a real one. */
static void ata_dir(char *dir, size_t size, size_t n)
{
	text_format(dir, size, "sys/devices/pci0000:00/ata%zu/host%zu/target%zu:0:0/%zu:0:0:0",
		    n + 1, n, n, n);
}

static void write_ata(const struct machine_files *m, const struct listing_chip *c, size_t n,
		      size_t number)
{
	char dir[128], disk[8], path[256];

	ata_dir(dir, sizeof(dir), n);
	text_format(disk, sizeof(disk), "sd%c", (char)('a' + (int)n));
	text_format(path, sizeof(path), "%s/block/%s", dir, disk);
	write_disk(m, disk, path, "../..");
	text_format(path, sizeof(path), "%s/hwmon/hwmon%zu", dir, number);
	if (c)
		write_chip(m, c, path, number, "../..");
}

static void write_nvme(const struct machine_files *m, const struct listing_chip *c, size_t n,
		       size_t number)
{
	char dir[128], disk[16], path[256], up[32];

	text_format(dir, sizeof(dir), "sys/devices/pci0000:00/0000:0%zu:00.0/nvme/nvme%zu", n + 1,
		    n);
	text_format(disk, sizeof(disk), "nvme%zun1", n);
	text_format(up, sizeof(up), "../../nvme%zu", n);
	text_format(path, sizeof(path), "%s/%s", dir, disk);
	write_disk(m, disk, path, up);
	text_format(path, sizeof(path), "%s/hwmon%zu", dir, number);
	write_chip(m, c, path, number, up);
}

static void write_listing(const struct machine_files *m, const struct listing *l)
{
	size_t ata = 0, nvme = 0;

	for (size_t i = 0; i < l->n_chips; i++) {
		const struct listing_chip *c = &l->chips[i];
		size_t number = l->n_chips - i;
		char path[256];

		text_format(path, sizeof(path), "sys/devices/virtual/thermal/%zu/hwmon%zu", i,
			    number);
		if (strncmp(c->name, "drivetemp", 9) == 0)
			write_ata(m, c, ata++, number);
		else if (strncmp(c->name, "nvme", 4) == 0)
			write_nvme(m, c, nvme++, number);
		else
			write_chip(m, c, path, number, "..");
	}
}

/* ---- what is said of it ---- */

static void check_fact(const struct topology *t, const struct fact *f)
{
	int slot = topology_find(t, f->disk);
	const struct disk *d;

	print_message("    %s\n", f->disk);
	assert_int_not_equal(slot, NO_SLOT);
	d = &t->devices[slot]->disk;
	assert_int_equal(d->temperature_mc, f->value_mc);
	assert_int_equal(d->temperature_max_mc, f->max_mc);
	assert_int_equal(d->temperature_crit_mc, f->crit_mc);
	assert_string_equal(d->temperature_why, f->why ? f->why : "");
	assert_int_equal(d->asleep, f->why && strncmp(f->why, "asleep", 6) == 0 ? TRUTH_YES
				    : f->why                                    ? TRUTH_UNKNOWN
										: TRUTH_NO);
}

static void check_machine(const struct machine_files *m, const struct fact *facts, size_t n)
{
	struct provider *p = machine_provider(m);
	struct topology t;

	machine_survey(p, &t);
	assert_int_equal(t.n_devices, n);
	for (size_t i = 0; i < n; i++)
		check_fact(&t, &facts[i]);
	topology_release(&t);
	provider_free(p);
}

/* The text of a file; NULL where there is no corpus. The caller frees it. */
static char *read_file(const char *name)
{
	struct corpus c;
	char *text = NULL;
	size_t len = 0;

	print_message("  %s\n", name);
	/* All but its number is a suffix. */
	if (!corpus_open(&c, FOLDER, name + 2))
		return NULL;
	assert_int_equal(c.n, 1);
	text = corpus_read(&c, 0, name + 2, &len);
	corpus_close(&c);
	text = realloc(text, len + 1);
	assert_non_null(text);
	text[len] = '\0';
	return text;
}

/* ---- listings of tools ---- */

static const struct listing_case {
	const char *file;
	void (*parse)(struct listing *l, const char *text);
	struct fact facts[5];
	size_t n; /* disks; 0: none of these chips is a disk's */
} listing_cases[] = {
	{ "01-drivetemp-two-hdd.json", /* two of one name are two (BUGS 49) */
	  listing_parse_json,
	  { { "sda", 41000, 60000, 70000, NULL }, { "sdb", 42000, 60000, 70000, NULL } },
	  2 },
	{ "02-nvme-unset-limits-one-line.json", /* (47) */
	  listing_parse_json,
	  { { "nvme0n1", 39850, 82850, 87850, NULL } },
	  1 },
	{ "03-missing-input-mixed-stderr.txt", /* nothing readable, and no disk's (44) */
	  listing_parse_json,
	  { { 0 } },
	  0 },
	{ "04-thinkpad-na.txt", /* N/A and slots that do not exist (44) */
	  listing_parse_plain,
	  { { 0 } },
	  0 },
	{ "06-nvme-impossible-negative.txt", /* 57 and 39 kelvins (46) */
	  listing_parse_plain,
	  { { "nvme0n1", 38900, 74800, 79800, NULL } },
	  1 },
	{ "07-nvme-limit-io-error.txt", /* 71.8 is not above +0.0 (44) */
	  listing_parse_plain,
	  { { "nvme0n1", 54900, 69800, 84800, NULL } },
	  1 },
	{ "09-drivetemp-raw.txt",
	  listing_parse_plain,
	  { { "sda", 35000, 60000, 70000, NULL } },
	  1 },
	{ "11-drivetemp-three-limit-sets.txt", /* each has its own */
	  listing_parse_plain,
	  { { "sda", 26000, 40000, 60000, NULL },
	    { "sdb", 29000, 40000, 60000, NULL },
	    { "sdc", 29000, 65000, 70000, NULL } },
	  3 },
	{ "12-drivetemp-many-no-limits.txt", /* a label of its own, and one without limits (57) */
	  listing_parse_plain,
	  { { "sda", 37000, 60000, 85000, NULL },
	    { "sdb", 32000, 60000, 85000, NULL },
	    { "sdc", 35000, NONE, NONE, NULL },
	    { "sdd", 31000, 60000, 85000, NULL },
	    { "sde", 33000, 60000, 85000, NULL } },
	  5 },
	{ "15-empty-temp-object.json", /* an object left empty (44) */
	  listing_parse_json,
	  { { "nvme0n1", 44850, 77850, 81850, NULL } },
	  1 },
	{ "17-two-nvme-psutil.txt", /* four values of two drives (49) */
	  listing_parse_psutil,
	  { { "nvme0n1", 34850, 84850, 84850, NULL }, { "nvme1n1", 36850, 74850, 79850, NULL } },
	  2 },
	{ "18-drivetemp-and-nvme-flat.txt", /* max is crit; lcrit 0 is none of our business */
	  listing_parse_json,
	  { { "sda", 43000, 70000, 70000, NULL }, { "nvme0n1", 45850, 85850, 86850, NULL } },
	  2 },
	{ "20-nvme-three-way.json", /* Composite, not the hotter sensor (48) */
	  listing_parse_json,
	  { { "nvme0n1", 47850, 76850, 78850, NULL } },
	  1 },
};

static bool check_listing(const struct listing_case *c)
{
	struct listing l = { .n_chips = 0 };
	char *text = read_file(c->file);
	struct machine_files m;

	if (!text)
		return false;
	c->parse(&l, text);
	free(text);
	assert_true(l.n_chips > 0);
	machine_make(&m);
	write_listing(&m, &l);
	machine_write(&m, "proc/diskstats", "");
	check_machine(&m, c->facts, c->n);
	machine_remove(&m);
	return true;
}

static void listings(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(listing_cases); i++)
		if (!check_listing(&listing_cases[i]))
			skip();
}

/* The thinkpad's and the laptop's values, were they a disk's: what is there counts (44). */
static void values_that_are_missing(void **state)
{
	static const struct fact facts[] = { { "sda", 45000, NONE, NONE, NULL },
					     { "sdb", NONE, NONE, NONE,
					       "the sensor gives no value" } };
	struct listing l = { .n_chips = 0 };
	char *plain = read_file("04-thinkpad-na.txt"), *json;
	struct machine_files m;

	(void)state;
	if (!plain)
		skip();
	json = read_file("03-missing-input-mixed-stderr.txt");
	listing_parse_plain(&l, plain);
	assert_int_equal(l.n_chips, 1);
	assert_int_equal(l.chips[0].n_features, 8);
	assert_int_equal(l.chips[0].features[1].input.presence, LISTING_ABSENT);
	listing_parse_json(&l, json);
	machine_make(&m);
	write_ata(&m, &l.chips[0], 0, 1);
	write_ata(&m, &l.chips[1], 1, 2);
	check_machine(&m, facts, COUNT(facts));
	machine_remove(&m);
	free(plain);
	free(json);
}

/* ---- listings of sysfs ---- */

/* "PATH:VALUE", "PATH -> TARGET" and "grep: PATH: WHY"; what is before `from` becomes `to`. */
static void write_line(const struct machine_files *m, char *line, const char *from, const char *to)
{
	bool fails = strncmp(line, "grep: ", 6) == 0;
	char *name = line + (fails ? 6 : 0), *arrow = strstr(name, " -> "), path[256], value[64];
	const char *end = arrow ? arrow : strrchr(name, ':'); /* PCI paths have colons, too */
	size_t n;

	assert_non_null(end);
	n = (size_t)(end - name);
	assert_int_equal(strncmp(name, from, strlen(from)), 0);
	text_format(path, sizeof(path), "%s%.*s%s", to, (int)(n - strlen(from)),
		    name + strlen(from), fails ? "/x" : "");
	text_format(value, sizeof(value), "%s\n", name + n + 1);
	if (arrow)
		machine_link(m, path, arrow + 4);
	else
		machine_write(m, path, fails ? "" : value);
}

static void write_lines(const struct machine_files *m, char *text, const char *from, const char *to)
{
	for (char *line; (line = listing_next_line(&text));)
		write_line(m, line, from, to);
}

#define PCI "sys/devices/pci0000:00/0000:00:02.1/0000:01:00.0"
#define ATA "sys/devices/pci0000:00/ata1/host0/target0:0:0/0:0:0:0"

/* Both layouts: the chip below the controller, and below its PCI device. */
static void nvme_layouts(void **state)
{
	static const struct {
		const char *file, *from, *to, *hwmon, *device;
		struct fact fact;
	} cases[] = {
		{ "13-hwmon-nvme-sysfs.lst",
		  "sys/",
		  "sys/",
		  PCI "/nvme/nvme0/hwmon3",
		  NULL,
		  { "nvme0n1", 43850, 84850, 94850, NULL } }, /* (47) */
		{ "14-hwmon-nvme-old-layout.lst",
		  "/sys/class/nvme/nvme0/device/",
		  PCI "/",
		  PCI "/hwmon/hwmon3",
		  "../..",
		  { "nvme0n1", 29850, NONE, NONE, NULL } },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		char *text = read_file(cases[i].file), path[256];
		struct machine_files m;

		if (!text)
			skip();
		machine_make(&m);
		write_lines(&m, text, cases[i].from, cases[i].to);
		free(text);
		write_disk(&m, "nvme0n1", PCI "/nvme/nvme0/nvme0n1", "../../nvme0");
		text_format(path, sizeof(path), "%s/device", cases[i].hwmon);
		if (cases[i].device)
			machine_link(&m, path, cases[i].device);
		text_format(path, sizeof(path), "../../../%s", cases[i].hwmon);
		machine_link(&m, "sys/class/hwmon/hwmon3", path);
		check_machine(&m, &cases[i].fact, 1);
		machine_remove(&m);
	}
}

/* A drive in standby whose chip fails (55, 56): no value, no failure of anything else. */
static void standby(void **state)
{
	static const struct fact fact = { "sda", NONE, NONE, NONE, "the sensor gives no value" };
	char *text = read_file("31-c-drivetemp-standby.lst");
	struct machine_files m;

	(void)state;
	if (!text)
		skip();
	machine_make(&m);
	write_ata(&m, NULL, 0, 5);
	write_lines(&m, text, "/sys/class/hwmon/hwmon5/", ATA "/hwmon/hwmon5/");
	free(text);
	machine_link(&m, ATA "/hwmon/hwmon5/device", "../..");
	machine_link(&m, "sys/class/hwmon/hwmon5", "../../../" ATA "/hwmon/hwmon5");
	check_machine(&m, &fact, 1);
	machine_remove(&m);
}

/*
 * A program's log of what it read, in whole degrees: the values of hwmon7, and that hwmon6 and
 * hwmon4 are other disks' (26 of WISHES.md: by the device's path).
 */
static void log_of_a_program(void **state)
{
	static const struct fact fact = { "sda", 44000, 60000, NONE, NULL };
	char *text = read_file("22-nwipe-hwmon-log.txt"), *at = text;
	struct listing_chip c = { .name = "drivetemp", .n_features = 1 };
	struct listing_feature *f = &c.features[0];
	struct machine_files m;

	(void)state;
	if (!text)
		skip();
	f->number = 1;
	text_copy(f->label, sizeof(f->label), "temp1");
	for (char *line; (line = listing_next_line(&at));) {
		char *key = strstr(line, "/temp1_"), *degrees = key ? strchr(key, ' ') : NULL;
		struct listing_value *v;

		if (!degrees)
			continue;
		*degrees = '\0';
		v = listing_value_of(f, key + 1);
		if (v)
			*v = (struct listing_value){ LISTING_THERE,
						     listing_number(degrees + 1, NULL) };
	}
	free(text);
	machine_make(&m);
	write_ata(&m, &c, 0, 7);
	check_machine(&m, &fact, 1);
	machine_remove(&m);
}

/* ---- the daemon of hddtemp ---- */

/*
 * It reads disks itself, not hwmon, so its line is no file of sysfs. Its words are of the same
 * kinds, though: a number is a chip with that value, UNK a disk without a chip, SLP one that
 * sleeps (52).
 */
static void hddtemp(void **state)
{
	static const struct fact facts[] = {
		{ "sda", NONE, NONE, NONE, "no sensor; load its module: modprobe drivetemp" },
		{ "sdb", 39000, NONE, NONE, NULL },
		{ "sdc", 48000, NONE, NONE, NULL },
		{ "sdd", NONE, NONE, NONE, "asleep; asking would wake it" },
	};
	char *text = read_file("23-hddtemp-daemon-line.txt"), *at = text, *record;
	struct machine_files m;
	size_t n = 0;

	(void)state;
	if (!text)
		skip();
	machine_make(&m);
	for (; at && (record = strstr(at, "/dev/sd")); at = record + 1, n++) {
		struct listing_chip c = { .name = "drivetemp", .n_features = 1 };
		const char *model = strchr(record, '|'), *value = strchr(model + 1, '|') + 1;
		char dir[128], path[256];

		ata_dir(dir, sizeof(dir), n);
		c.features[0] = (struct listing_feature){ .number = 1, .label = "temp1" };
		c.features[0].input =
			(struct listing_value){ LISTING_THERE, listing_number(value, NULL) };
		write_ata(&m, strncmp(value, "UNK", 3) ? &c : NULL, n, n);
		text_format(path, sizeof(path), "%s/power/runtime_status", dir);
		machine_write(&m, path, strncmp(value, "SLP", 3) ? "active\n" : "suspended\n");
	}
	free(text);
	check_machine(&m, facts, COUNT(facts));
	machine_remove(&m);
}

/* Each file of the corpus is looked at above. */
static void none_is_left_out(void **state)
{
	static const char *const others[] = {
		"13-hwmon-nvme-sysfs.lst",    "14-hwmon-nvme-old-layout.lst",
		"22-nwipe-hwmon-log.txt",     "23-hddtemp-daemon-line.txt",
		"31-c-drivetemp-standby.lst", "SOURCES.tsv",
	};
	struct corpus c;
	size_t n = 0;

	(void)state;
	if (!corpus_open(&c, FOLDER, ""))
		skip();
	for (size_t i = 0; i < c.n; i++) {
		bool found = false;

		for (size_t k = 0; k < COUNT(listing_cases); k++)
			found = found || strcmp(c.names[i], listing_cases[k].file) == 0;
		for (size_t k = 0; k < COUNT(others); k++)
			found = found || strcmp(c.names[i], others[k]) == 0;
		if (c.names[i][0] == '.')
			continue;
		if (!found)
			fail_msg("%s is not looked at", c.names[i]);
		n++;
	}
	assert_int_equal(n, COUNT(listing_cases) + COUNT(others));
	corpus_close(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(listings),         cmocka_unit_test(values_that_are_missing),
		cmocka_unit_test(nvme_layouts),     cmocka_unit_test(standby),
		cmocka_unit_test(hddtemp),          cmocka_unit_test(log_of_a_program),
		cmocka_unit_test(none_is_left_out),
	};

	return cmocka_run_group_tests_name("corpus of sensors", tests, NULL, NULL);
}
