/*
 * Taking test files away: all that a manifest of ours names (--clean), or those that one raidtop
 * made and need not stay (at its end). Both look at nothing but TARGET/.raidtop.
 */
#ifndef RAIDTOP_FILES_CLEAN_H
#define RAIDTOP_FILES_CLEAN_H

#include <stdint.h>

/* Whom a removal tells what it did, and what it left and why: one sentence a thing. */
struct files_report {
	void (*say)(void *data, const char *sentence); /* NULL: nobody listens */
	void *data;
	uint64_t removed_files, removed_bytes; /* counted by the removal */
	unsigned int left; /* things that it would have removed, or does not know */
	unsigned int kept; /* files of the manifest that are to stay */
};

/*
 * `raidtop --clean PATH`: PATH is the target directory, or its .raidtop. 0 where nothing of raidtop
 * is left; -ENOENT where there was nothing, -ENOTDIR where there is no such directory, -EBUSY where
 * something is left, or another -errno.
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
