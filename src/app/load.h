/* raidtop --stream: load without a screen, and what came of it. */
#ifndef RAIDTOP_LOAD_H
#define RAIDTOP_LOAD_H

#include "options.h"

/* Runs the streams: the exit status, 1 also where one of them failed. */
int load_run(const struct options *o);
/* Removes what streams left behind (--clean): the exit status. */
int clean_run(const struct options *o);

#endif
