/* Where the reads of a stream will come from: the check before a run. */
#ifndef LOAD_FILES_SOURCE_H
#define LOAD_FILES_SOURCE_H

#include "files_folder.h"
#include "manifest.h"
#include "shared.h"

/* How the extents of a file of ours are: whether it has to be written anew before it is used. */
bool files_source_is_sound(int fd, const struct manifest *m, const struct files_folder *f,
			   const struct manifest_entry *e);

/* Drops what is cached of a file of ours; tells shared->source and cached_bytes. 0 or -errno. */
int files_source_clear(int fd, uint64_t size_bytes, struct shared *shared);

#endif
