/*
 * Reading the sensors, in either of two ways that give the same readings: through libsensors, which
 * knows what its configuration says of a chip, and plainly from files, for another machine's.
 */
#include "sensor.h"

#include <dirent.h>
#include <sensors/sensors.h>
#include <stdlib.h>
#include <string.h>

#include "raidtop/clock.h"
#include "raidtop/file.h"
#include "raidtop/text.h"
#include "sysfs.h"

#define MOST_INPUTS 32

static bool give(const struct sensor_sink *sink, const char *path, enum sensor_state state,
		 int32_t value_mc, uint64_t at_ns)
{
	struct sensor_reading r;

	memset(&r, 0, sizeof(r)); /* it leaves the process: no padding with old contents */
	/* A path that does not fit would be another device's. */
	if (!text_copy(r.path, sizeof(r.path), path))
		return true;
	r.at_ns = at_ns;
	r.state = state;
	r.value_mc = value_mc;
	return sink->take(sink->context, &r);
}

static bool give_choice(const struct sensor_sink *sink, const char *path,
			const struct sensor_choice *c)
{
	return give(sink, path, sensor_choice_state(c), c->value_mc, clock_monotonic_ns());
}

/* ---- libsensors ---- */

static int64_t in_thousandths(double degrees)
{
	if (!(degrees > -1e6 && degrees < 1e6))
		return INT32_MAX;
	return (int64_t)(degrees * 1000 + (degrees < 0 ? -0.5 : 0.5));
}

static void offer_feature(struct sensor_choice *c, const sensors_chip_name *chip,
			  const sensors_feature *feature)
{
	const sensors_subfeature *input =
		sensors_get_subfeature(chip, feature, SENSORS_SUBFEATURE_TEMP_INPUT);
	const sensors_subfeature *fault =
		sensors_get_subfeature(chip, feature, SENSORS_SUBFEATURE_TEMP_FAULT);
	double degrees, broken = 0;
	char *label;

	if (!input || sensors_get_value(chip, input->number, &degrees) < 0)
		return;
	if (fault && sensors_get_value(chip, fault->number, &broken) == 0 && broken > 0)
		return;
	label = sensors_get_label(chip, feature);
	sensor_offer(c, label ? label : "", in_thousandths(degrees));
	free(label);
}

static bool scan_chip(const sensors_chip_name *chip, const struct sensor_sink *sink)
{
	const sensors_feature *feature;
	struct sensor_choice choice = { 0 };
	char dir[SYSFS_PATH_BYTES];
	int number = 0;

	if (!chip->path || !sysfs_real(chip->path, "device", dir, sizeof(dir)) ||
	    !sensor_is_disks(dir))
		return true;
	if (sensor_is_asleep(dir))
		return give(sink, dir, SENSOR_ASLEEP, 0, clock_monotonic_ns());
	while ((feature = sensors_get_features(chip, &number)))
		if (feature->type == SENSORS_FEATURE_TEMP)
			offer_feature(&choice, chip, feature);
	return give_choice(sink, dir, &choice);
}

void sensor_scan(const struct sensor_sink *sink)
{
	const uint64_t begin_ns = clock_monotonic_ns();
	const sensors_chip_name *chip;
	bool go_on = true;
	int number = 0;

	/* Anew each time: chips come and go with their disks. */
	if (sensors_init(NULL) == 0)
		while (go_on && (chip = sensors_get_detected_chips(NULL, &number)))
			go_on = scan_chip(chip, sink);
	sensors_cleanup();
	if (go_on)
		give(sink, "", SENSOR_SCAN_DONE, 0, begin_ns);
}

/* ---- files ---- */

static void offer_input(struct sensor_choice *c, const char *dir, int number)
{
	char name[32], path[SYSFS_PATH_BYTES], label[64];
	int64_t value_mc;

	text_format(name, sizeof(name), "temp%d_input", number);
	if (!sysfs_path(path, sizeof(path), dir, name) || file_read_i64(path, &value_mc))
		return;
	text_format(name, sizeof(name), "temp%d_fault", number);
	if (sysfs_truth(dir, name) == TRUTH_YES)
		return;
	text_format(name, sizeof(name), "temp%d_label", number);
	sysfs_text(dir, name, label, sizeof(label));
	sensor_offer(c, label, value_mc);
}

static bool scan_directory(const char *dir, const char *root, const struct sensor_sink *sink)
{
	struct sensor_choice choice = { 0 };
	char device[SYSFS_PATH_BYTES];
	size_t prefix = strlen(root);

	if (!sysfs_real(dir, "device", device, sizeof(device)) ||
	    strncmp(device, root, prefix) != 0 || !sensor_is_disks(device))
		return true;
	if (sensor_is_asleep(device))
		return give(sink, device + prefix, SENSOR_ASLEEP, 0, clock_monotonic_ns());
	for (int i = 1; i <= MOST_INPUTS; i++)
		offer_input(&choice, dir, i);
	return give_choice(sink, device + prefix, &choice);
}

void sensor_scan_files(const char *root, const struct sensor_sink *sink)
{
	const uint64_t begin_ns = clock_monotonic_ns();
	char top[SYSFS_PATH_BYTES], dir[SYSFS_PATH_BYTES];
	struct dirent *entry;
	bool go_on = true;
	DIR *d = NULL;

	if (sysfs_path(top, sizeof(top), root, "sys/class/hwmon"))
		d = opendir(top);
	while (d && go_on && (entry = readdir(d)))
		if (strncmp(entry->d_name, "hwmon", 5) == 0 &&
		    sysfs_path(dir, sizeof(dir), top, entry->d_name))
			go_on = scan_directory(dir, root, sink);
	if (d)
		closedir(d);
	if (go_on)
		give(sink, "", SENSOR_SCAN_DONE, 0, begin_ns);
}
