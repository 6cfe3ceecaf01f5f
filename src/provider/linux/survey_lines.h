/* Devices of which there is nothing but their lines in /proc/diskstats. */
#ifndef RAIDTOP_PROVIDER_LINUX_SURVEY_LINES_H
#define RAIDTOP_PROVIDER_LINUX_SURVEY_LINES_H

#include "mdstat.h"
#include "raidtop/topology.h"

/*
 * Adds what ROOT/proc/diskstats has, for where there is no sysfs; those that mdstat prints as
 * arrays, empty still.
 */
void survey_lines(struct topology *t, const struct mdstat *printed, const char *root);

#endif
