/* What the devices of a survey rest on. */
#ifndef RAIDTOP_PROVIDER_LINUX_SURVEY_STANDS_H
#define RAIDTOP_PROVIDER_LINUX_SURVEY_STANDS_H

#include "block.h"
#include "raidtop/topology.h"

/*
 * Once all devices have their slots: tells what maps and loop devices rest on, gives paths the disk
 * that they lead to, and leaves paths that lead to none as not present.
 */
void survey_stands(struct topology *t, const struct block_list *blocks, const char *root);

/* nvme3n1 of nvme3c33n1: the name that the kernel gives to the head of a path. */
void survey_stands_head_name(const char *path, char *head, size_t size);

#endif
