/* --list: what the machine has, once, for people and for programs. */
#ifndef RAIDTOP_LIST_H
#define RAIDTOP_LIST_H

#include <stdbool.h>

#include "raidtop/text.h"
#include "raidtop/topology.h"
#include "raidtop/units.h"

/*
 * Both append to `out` all present arrays with their members and all present disks; disks of
 * minor interest only where an array has them.
 */

/* One JSON object and a new line; raidtop.1 describes it. Unknown is null. */
void list_print_json(const struct topology *t, struct buffer *out);
/* A tree; unknown is "-". Names are made harmless; without `utf8` all of it is ASCII. */
void list_print_tree(const struct topology *t, enum units units, bool utf8, struct buffer *out);

/* Whether the list shows a device as a disk, and as an array. */
bool list_has_disk(const struct topology *t, size_t slot);
bool list_has_array(const struct topology *t, size_t slot);

#endif
