/*
 * What makes a number a disk's temperature. Chips have several values, some of them nonsense (an
 * unconnected sensor reads as 0 or 65535 kelvin), and two chips of one name belong to two disks:
 * the device that a chip hangs on tells which, never its name or its number.
 */
#include "sensor.h"

#include <string.h>

#include "raidtop/topology.h"
#include "sysfs.h"

#define LOWEST_MC (-40000)
#define HIGHEST_MC 150000

bool sensor_offer(struct sensor_choice *c, const char *label, int64_t value_mc)
{
	bool is_composite = strcmp(label, "Composite") == 0;

	if (value_mc < LOWEST_MC || value_mc > HIGHEST_MC) {
		c->saw_impossible = true;
		return false;
	}
	if (c->chosen && (c->is_composite || !is_composite))
		return false;
	c->chosen = true;
	c->is_composite = is_composite;
	c->value_mc = (int32_t)value_mc;
	return true;
}

int32_t sensor_limit(int64_t limit_mc)
{
	return limit_mc > 0 && limit_mc <= HIGHEST_MC ? (int32_t)limit_mc : UNKNOWN_I32;
}

enum sensor_state sensor_choice_state(const struct sensor_choice *c)
{
	if (c->chosen)
		return SENSOR_READ;
	return c->saw_impossible ? SENSOR_IMPOSSIBLE : SENSOR_UNREADABLE;
}

/* A last component like nvme0, without the namespaces nvme0n1. */
static bool is_nvme_controller(const char *path)
{
	const char *name = strrchr(path, '/');

	if (!name || strncmp(name + 1, "nvme", 4) != 0)
		return false;
	name += 5;
	return *name && !name[strspn(name, "0123456789")];
}

bool sensor_is_disks(const char *dir)
{
	return is_nvme_controller(dir) || sysfs_has(dir, "block") || sysfs_has(dir, "nvme");
}

bool sensor_is_asleep(const char *dir)
{
	char status[32];

	sysfs_text(dir, "power/runtime_status", status, sizeof(status));
	return strcmp(status, "suspended") == 0 && sysfs_has(dir, "block");
}

bool sensor_belongs(const char *chip, const char *disk)
{
	size_t len = strlen(chip);

	if (len == 0 || strncmp(chip, disk, len) != 0)
		return false;
	if (!disk[len])
		return true;
	return strncmp(disk + len, "/nvme/", 6) == 0 && !strchr(disk + len + 6, '/') &&
	       is_nvme_controller(disk);
}
