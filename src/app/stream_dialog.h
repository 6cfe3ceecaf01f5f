/* The dialog that starts a stream: its fields, and the specification that they make. */
#ifndef RAIDTOP_STREAM_DIALOG_H
#define RAIDTOP_STREAM_DIALOG_H

#include <stddef.h>

#include "raidtop/dialog.h"
#include "raidtop/stream_spec.h"
#include "raidtop/topology.h"

/*
 * Makes the dialog for a device, or brings it up with what was entered the last time (where it was
 * made before): the targets offered are then the device itself and where it is mounted. `mountinfo`
 * is the text of /proc/self/mountinfo.
 */
void stream_dialog_open(struct dialog *d, const struct topology *t, int slot,
			const char *mountinfo);
/*
 * What the fields ask for. 0, or -EINVAL with a sentence in `why` that says what is wrong in
 * which field.
 */
int stream_dialog_spec(const struct dialog *d, struct stream_spec *ret, char *why, size_t size);
/* Forgets the targets offered. */
void stream_dialog_release(struct dialog *d);

#endif
