/*
 * Taking test files away: all that a manifest of ours names (--clean), or those that one raidtop
 * made and need not stay (at its end). Both look at nothing but TARGET/.raidtop.
 */
#ifndef LOAD_FILES_CLEAN_H
#define LOAD_FILES_CLEAN_H

#include "files_report.h"

/*
 * `raidtop --clean PATH`: PATH is the target directory, or its .raidtop. 0 where nothing of raidtop
 * is left; -ENOENT where there was nothing, -EBUSY where something is left, or another -errno.
 * Each thing that is left is told, and in the end what was done.
 */
int files_clean(const char *path, struct files_report *report);

/*
 * Takes away what that raidtop (files_session.h) made below the target directory and is not to be
 * kept, and tells what is kept. Waits a moment for streams that are just ending. As above.
 */
int files_clean_session(int directory, const char *target, const char *session,
			struct files_report *report);

#endif
