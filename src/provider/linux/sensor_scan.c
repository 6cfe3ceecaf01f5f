/*
 * Reading the sensors, in either of two ways that give the same readings: through libsensors, which
 * knows what its configuration says of a chip, and plainly from files, for another machine's. No
 * more is asked of a drive than is needed, since each answer costs it something: nothing after the
 * value that counts, and its limits once in a while.
 */
#include "sensor.h"

#include <dirent.h>
#include <sensors/sensors.h>
#include <stdlib.h>
#include <string.h>

#include "raidtop/clock.h"
#include "raidtop/file.h"
#include "raidtop/text.h"
#include "raidtop/topology.h"
#include "sensor_rest.h"
#include "sysfs.h"

#define MOST_INPUTS 32

/* One chip that is being read. */
struct chip {
	const char *path; /* of its device, without the prefix of --root */
	const char *dir;  /* the same with it */
	struct sensor_past *past;
	struct sensor_choice choice;
	bool limits_due;
};

static bool give(const struct sensor_sink *sink, const char *path, enum sensor_state state,
		 const struct chip *chip, uint64_t at_ns)
{
	struct sensor_reading r;

	memset(&r, 0, sizeof(r)); /* it leaves the process: no padding with old contents */
	text_copy(r.path, sizeof(r.path), path);
	r.at_ns = at_ns;
	r.state = state;
	r.limits = (struct sensor_limits){ UNKNOWN_I32, UNKNOWN_I32 };
	if (chip) {
		r.value_mc = chip->choice.value_mc;
		r.limits = chip->past->limits;
	}
	return sink->take(sink->context, &r);
}

/*
 * Whether the chip may be read; where not, `*ret_state` says why, SENSOR_SCAN_DONE that it is none
 * of ours. A path that does not fit would be another device's.
 */
static bool chip_begin(struct chip *chip, const char *dir, size_t prefix,
		       struct sensor_memory *memory, enum sensor_state *ret_state)
{
	uint64_t now_ns = clock_monotonic_ns();

	memset(chip, 0, sizeof(*chip));
	*ret_state = SENSOR_SCAN_DONE;
	if (!sensor_is_disks(dir) || strlen(dir + prefix) >= SENSOR_PATH_BYTES)
		return false;
	chip->dir = dir;
	chip->path = dir + prefix;
	chip->past = sensor_memory_of(memory, chip->path);
	*ret_state = sensor_may_be_read(memory, chip->past, dir, now_ns);
	chip->limits_due =
		chip->past->limits_ns == 0 || now_ns - chip->past->limits_ns >= SENSOR_LIMITS_NS;
	return *ret_state == SENSOR_READ;
}

static bool chip_end(struct chip *chip, const struct sensor_sink *sink)
{
	uint64_t now_ns = clock_monotonic_ns();

	if (chip->limits_due && chip->choice.chosen)
		chip->past->limits_ns = now_ns;
	sensor_was_read(chip->past, chip->dir);
	return give(sink, chip->path, sensor_choice_state(&chip->choice), chip, now_ns);
}

/* ---- libsensors ---- */

static int64_t in_thousandths(double degrees)
{
	if (!(degrees > -1e6 && degrees < 1e6))
		return INT32_MAX;
	return (int64_t)(degrees * 1000 + (degrees < 0 ? -0.5 : 0.5));
}

static int32_t read_limit(const sensors_chip_name *name, const sensors_feature *feature,
			  sensors_subfeature_type type)
{
	const sensors_subfeature *limit = sensors_get_subfeature(name, feature, type);
	double degrees;

	if (!limit || sensors_get_value(name, limit->number, &degrees) < 0)
		return UNKNOWN_I32;
	return sensor_limit(in_thousandths(degrees));
}

static void offer_feature(struct chip *chip, const sensors_chip_name *name,
			  const sensors_feature *feature)
{
	const sensors_subfeature *input =
		sensors_get_subfeature(name, feature, SENSORS_SUBFEATURE_TEMP_INPUT);
	const sensors_subfeature *fault =
		sensors_get_subfeature(name, feature, SENSORS_SUBFEATURE_TEMP_FAULT);
	double degrees, broken = 0;
	char *label;

	if (!input || sensors_get_value(name, input->number, &degrees) < 0)
		return;
	if (fault && sensors_get_value(name, fault->number, &broken) == 0 && broken > 0)
		return;
	label = sensors_get_label(name, feature);
	if (sensor_offer(&chip->choice, label ? label : "", in_thousandths(degrees)) &&
	    chip->limits_due) {
		chip->past->limits = (struct sensor_limits){
			read_limit(name, feature, SENSORS_SUBFEATURE_TEMP_MAX),
			read_limit(name, feature, SENSORS_SUBFEATURE_TEMP_CRIT),
		};
	}
	free(label);
}

static bool scan_chip(const sensors_chip_name *name, const struct sensor_sink *sink,
		      struct sensor_memory *memory)
{
	const sensors_feature *feature;
	char dir[SYSFS_PATH_BYTES];
	enum sensor_state state;
	struct chip chip;
	int number = 0;

	if (!name->path || !sysfs_real(name->path, "device", dir, sizeof(dir)))
		return true;
	if (!chip_begin(&chip, dir, 0, memory, &state))
		return state == SENSOR_SCAN_DONE ||
		       give(sink, chip.path, state, &chip, clock_monotonic_ns());
	while (!chip.choice.is_composite && (feature = sensors_get_features(name, &number)))
		if (feature->type == SENSORS_FEATURE_TEMP)
			offer_feature(&chip, name, feature);
	return chip_end(&chip, sink);
}

void sensor_scan(const struct sensor_sink *sink, struct sensor_memory *memory)
{
	const uint64_t begin_ns = clock_monotonic_ns();
	const sensors_chip_name *name;
	bool go_on = true;
	int number = 0;

	sensor_memory_begin(memory);
	/* Anew each time: chips come and go with their disks. */
	if (sensors_init(NULL) == 0)
		while (go_on && (name = sensors_get_detected_chips(NULL, &number)))
			go_on = scan_chip(name, sink, memory);
	sensors_cleanup();
	sensor_memory_end(memory);
	if (go_on)
		give(sink, "", SENSOR_SCAN_DONE, NULL, begin_ns);
}

/* ---- files ---- */

/* A number of the chip's directory: "temp1_max". */
static bool read_number(const char *dir, int number, const char *what, int64_t *ret)
{
	char name[32], path[SYSFS_PATH_BYTES];

	text_format(name, sizeof(name), "temp%d_%s", number, what);
	return sysfs_path(path, sizeof(path), dir, name) && file_read_i64(path, ret) == 0;
}

static int32_t read_limit_file(const char *dir, int number, const char *what)
{
	int64_t limit_mc;

	return read_number(dir, number, what, &limit_mc) ? sensor_limit(limit_mc) : UNKNOWN_I32;
}

static void offer_input(struct chip *chip, const char *dir, int number)
{
	char name[32], label[64];
	int64_t value_mc;

	if (!read_number(dir, number, "input", &value_mc))
		return;
	text_format(name, sizeof(name), "temp%d_fault", number);
	if (sysfs_truth(dir, name) == TRUTH_YES)
		return;
	text_format(name, sizeof(name), "temp%d_label", number);
	sysfs_text(dir, name, label, sizeof(label));
	if (sensor_offer(&chip->choice, label, value_mc) && chip->limits_due)
		chip->past->limits = (struct sensor_limits){ read_limit_file(dir, number, "max"),
							     read_limit_file(dir, number, "crit") };
}

static bool scan_directory(const char *dir, const char *root, const struct sensor_sink *sink,
			   struct sensor_memory *memory)
{
	char device[SYSFS_PATH_BYTES];
	size_t prefix = strlen(root);
	enum sensor_state state;
	struct chip chip;

	if (!sysfs_real(dir, "device", device, sizeof(device)) ||
	    strncmp(device, root, prefix) != 0)
		return true;
	if (!chip_begin(&chip, device, prefix, memory, &state))
		return state == SENSOR_SCAN_DONE ||
		       give(sink, chip.path, state, &chip, clock_monotonic_ns());
	for (int i = 1; i <= MOST_INPUTS && !chip.choice.is_composite; i++)
		offer_input(&chip, dir, i);
	return chip_end(&chip, sink);
}

void sensor_scan_files(const char *root, const struct sensor_sink *sink,
		       struct sensor_memory *memory)
{
	const uint64_t begin_ns = clock_monotonic_ns();
	char top[SYSFS_PATH_BYTES], dir[SYSFS_PATH_BYTES];
	struct dirent *entry;
	bool go_on = true;
	DIR *d = NULL;

	sensor_memory_begin(memory);
	if (sysfs_path(top, sizeof(top), root, "sys/class/hwmon"))
		d = opendir(top);
	while (d && go_on && (entry = readdir(d)))
		if (strncmp(entry->d_name, "hwmon", 5) == 0 &&
		    sysfs_path(dir, sizeof(dir), top, entry->d_name))
			go_on = scan_directory(dir, root, sink, memory);
	if (d)
		closedir(d);
	sensor_memory_end(memory);
	if (go_on)
		give(sink, "", SENSOR_SCAN_DONE, NULL, begin_ns);
}
