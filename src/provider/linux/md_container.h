/* Containers of disks (imsm, ddf) and the volumes in them. */
#ifndef RAIDTOP_PROVIDER_LINUX_MD_CONTAINER_H
#define RAIDTOP_PROVIDER_LINUX_MD_CONTAINER_H

#include "raidtop/topology.h"

/* What an array's metadata say of it: that it is a container, or a volume in one, or neither. */
void md_container_name(struct array *a);

/*
 * Once all arrays have their members: those of containers are held by a volume or not used,
 * and each other array's spares are counted.
 */
void md_container_settle(struct topology *t);

#endif
