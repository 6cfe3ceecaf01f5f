/*
 * What a stream would do, before it is started: where its target lies, and what it will read,
 * write and leave behind. For the line printed before a run, and for the dialog.
 */
#ifndef RAIDTOP_OUTLOOK_H
#define RAIDTOP_OUTLOOK_H

#include <stddef.h>

#include "raidtop/place.h"
#include "raidtop/stream_spec.h"
#include "raidtop/units.h"

struct outlook {
	/* "/mnt/md0: ext4 on md0 (raid1 of sda1, sdb1), mounted rw, 812 GB free" */
	char place[256];
	char effect[400];               /* one sentence, without a full stop */
	char device[DEVICE_NAME_BYTES]; /* to call it after: md0; "" */
};

/*
 * Looks the target up and asks all rules that can be asked without opening it; no device is opened
 * and nothing is written. 0, or -errno with a sentence in `why` of what would be refused; the place
 * is filled in then too, where it could be found out. What starting the stream refuses on the open
 * device (its content, the serial number that is typed) is not asked here.
 */
int outlook_find(const struct stream_spec *spec, enum units units, struct outlook *ret, char *why,
		 size_t size);

#endif
