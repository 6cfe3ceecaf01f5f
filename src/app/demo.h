/* The demonstration recording that is shipped with the program. */
#ifndef RAIDTOP_DEMO_H
#define RAIDTOP_DEMO_H

#include <stddef.h>

/* Where it lies: beside the program, in a source tree or installed, or in PREFIX. 0 or -ENOENT. */
int demo_find(char *path, size_t size);
/* A sentence that offers it, or NULL where it is not there. */
const char *demo_offer(void);

#endif
