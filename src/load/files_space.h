/* What the files of a folder still take of its filesystem, and what the copies of a group have. */
#ifndef LOAD_FILES_SPACE_H
#define LOAD_FILES_SPACE_H

#include <stdint.h>

#include "files_folder.h"
#include "manifest.h"

struct files_group {
	unsigned int made;      /* copies that have their file named already */
	uint64_t size_bytes;    /* of such a one */
	uint64_t pending_bytes; /* of any stream: named, and not yet allocated */
};

/* Of streams that this session started together; `group` 0: of one that belongs to none. */
struct files_group files_survey(const struct files_folder *f, const struct manifest *m,
				const char *session, unsigned int group);

#endif
