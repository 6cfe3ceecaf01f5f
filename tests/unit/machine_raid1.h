/* A made-up machine: a raid1 of two disks at rest, whose files the tests change. */
#ifndef RAIDTOP_TESTS_MACHINE_RAID1_H
#define RAIDTOP_TESTS_MACHINE_RAID1_H

#include "machine_files.h"

#define VIRTUAL "sys/devices/virtual/block"
#define MD VIRTUAL "/md0/md"

struct raid1_machine {
	struct machine_files files;
	struct provider *provider;
	struct topology held;
	struct snapshot snapshot;
};

/* What its files in /proc say. */
#define HEAD "Personalities : [raid1] \n"
#define ARRAY "md0 : active raid1 vdb[1] vda[0]\n      64512 blocks super 1.2 [2/2] [UU]\n"
#define TAIL "      \nunused devices: <none>\n"
#define LINE_VDA " 254       0 vda 303 16211 136008 411 48 390 3356 29 0 244 453 0 0 0 0 41 12\n"
#define LINE_VDB " 254      16 vdb 280 16212 135854 375 49 405 3484 25 0 244 411 0 0 0 0 41 10\n"
#define LINE_MD0 "   9       0 md0 198 0 11432 96 40 0 5120 40 0 96 136 0 0 0 0 0 0\n"

/* Makes it, lets `change` (NULL: nothing) change its files, and surveys it. */
void raid1_init(struct raid1_machine *b, void (*change)(const struct machine_files *m));
void raid1_release(struct raid1_machine *b);

/* Survey and adoption, as the event loop does them; a tick. */
void raid1_survey(struct raid1_machine *b);
void raid1_tick(struct raid1_machine *b);
bool raid1_is_dirty(const struct raid1_machine *b);

/* A block device of 64 MiB with that number ("254:0\n"), hanging on nothing. */
void raid1_add_block(const struct machine_files *m, const char *name, const char *number);

struct array *raid1_array(const struct raid1_machine *b);
const struct counters *raid1_counters(const struct raid1_machine *b, const char *name);

#endif
