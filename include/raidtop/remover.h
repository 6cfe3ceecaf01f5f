/*
 * The end of raidtop: the test files that its streams have made are taken away by a process for
 * each directory, so that raidtop itself does no I/O there and ends although a disk hangs.
 */
#ifndef RAIDTOP_REMOVER_H
#define RAIDTOP_REMOVER_H

#include <stdint.h>

#include "raidtop/files_clean.h"

/*
 * Remembers a directory that a stream is started on, by a descriptor of its own; `target` is its
 * name for people. Once for each directory. 0 or -errno.
 */
int remover_note(int directory, const char *target);

/*
 * Takes away what this raidtop made in the directories noted, and forgets them; waits at most that
 * long in all. Tells what is kept and what had to be left, and where it takes longer: it goes on
 * by itself then. Call it once the streams have ended, from the thread that started them. 0, or
 * -EBUSY where something is left.
 */
int remover_run(uint64_t patience_ns, struct files_report *report);

/*
 * What main() calls when the program was started as a remover; returns its exit status: 0, 1 where
 * something is left, 2 where a person typed it.
 */
#define REMOVER_ARGUMENT "--stream-remover"
int remover_main(int argc, char **argv);

#endif
