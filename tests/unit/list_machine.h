/* A made-up machine for the tests of --list. */
#ifndef RAIDTOP_TESTS_LIST_MACHINE_H
#define RAIDTOP_TESTS_LIST_MACHINE_H

#include "raidtop/topology.h"

/*
 * A degraded raid5 of partitions that is being rebuilt, a frozen raid1 with a ram disk and a
 * member missing, a free disk, hostile names, a disk that is gone. The caller releases it.
 */
void list_machine(struct topology *t);

#endif
