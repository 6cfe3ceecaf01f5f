/*
 * The files that streams leave below TARGET/.raidtop: taken away when raidtop ends (remover.h), or
 * after a crash by `raidtop --clean`. Nothing is removed that a manifest of raidtop's does not
 * name.
 */
#ifndef RAIDTOP_STREAM_FILES_H
#define RAIDTOP_STREAM_FILES_H

#include <stdbool.h>

/* Gets one clean sentence for each thing that was removed, kept or left. */
struct stream_files_listener {
	void (*say)(void *data, const char *sentence);
	void *data;
};

/*
 * All that is below PATH, the target directory or its .raidtop. 0 where nothing of raidtop is left,
 * -ENOENT where there was nothing, -EBUSY where something is left, or another -errno.
 */
int stream_files_clean(const char *path, const struct stream_files_listener *listener);

#endif
