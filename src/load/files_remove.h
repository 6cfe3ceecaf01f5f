/*
 * The removal of test files: by descriptor below a folder that is ours alone, and only what is
 * the very thing that the manifest tells of.
 */
#ifndef LOAD_FILES_REMOVE_H
#define LOAD_FILES_REMOVE_H

#include <stddef.h>

#include "files_folder.h"
#include "raidtop/files_clean.h"
#include "manifest.h"

/*
 * What stands under an entry's name. 0: nothing (any more) that is the entry's; the line that says
 * so is added. -EBUSY: a stream uses it; -EPERM: another thing stands there; or what else went
 * wrong. `why` gets what comes behind "left: NAME, ".
 */
int files_remove_entry(struct manifest *m, const struct files_folder *f,
		       const struct manifest_entry *e, struct files_report *report, char *why,
		       size_t size);

/* Removes manifest and folder where nothing else is left in it; it must be held alone. */
int files_remove_folder(struct files_folder *f);

#endif
