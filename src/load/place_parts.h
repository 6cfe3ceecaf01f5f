/* What place.c is put together from: each part fills in what it knows. */
#ifndef LOAD_PLACE_PARTS_H
#define LOAD_PLACE_PARTS_H

#include "raidtop/place.h"

/* The line of mountinfo for that mount. 0, -ENOENT where it has none, or -errno. */
int place_mount_find(struct place *p, const char *root);
/* One line of mountinfo, taken where its first field is the wanted mount. */
bool place_mount_take_line(struct place *p, char *line);

/* What `dir` in sysfs, an md array's, says of its state. */
void place_md_read(struct place_device *d, const char *dir);
/* The same of a device of device-mapper, whose table is asked for where that is allowed. */
void place_dm_read(struct place_device *d, const char *dir);
/*
 * Takes a target's type and status ("raid", "raid1 2 AA 64/64 idle 0 0") into account; one device
 * may have several targets.
 */
void place_dm_take_target(struct place_device *d, const char *type, const char *status);
/* What name and uuid alone say, in both of which LVM tells what a device is for. */
void place_dm_take_uuid(struct place_device *d, const char *uuid);

#endif
