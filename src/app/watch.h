/* The interactive program: the same screen over a live machine and over a recording. */
#ifndef RAIDTOP_WATCH_H
#define RAIDTOP_WATCH_H

#include "options.h"

/* Both return the exit status. */
int watch_run(const struct options *o);
int watch_replay(const struct options *o, const char *path);

#endif
