/* raidtop --record: no terminal, just the session and its recording. */
#ifndef RAIDTOP_RECORD_H
#define RAIDTOP_RECORD_H

#include "options.h"

/* Returns the exit status. */
int record_run(const struct options *o);

#endif
