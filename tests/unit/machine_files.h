/* Files that stand for a machine: the root of a --root, made up or unpacked from a capture. */
#ifndef RAIDTOP_TESTS_MACHINE_FILES_H
#define RAIDTOP_TESTS_MACHINE_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "raidtop/provider.h"

/* Captures of real machines, beside the repository or nowhere. */
#define CAPTURES "../shared/captures"
/* Our own: ROOTS "/CASE/MOMENT" is a capture as well. */
#define ROOTS "tests/roots"

struct machine_files {
	char dir[64];
};

/* An empty directory; to be removed with all that is in it. */
void machine_make(struct machine_files *m);
void machine_remove(struct machine_files *m);

/* Paths are relative: "sys/block/sda/size". Folders are made as needed; old files replaced. */
void machine_write(const struct machine_files *m, const char *path, const char *text);
void machine_write_bytes(const struct machine_files *m, const char *path, const void *bytes,
			 size_t len);
void machine_link(const struct machine_files *m, const char *path, const char *target);
void machine_move(const struct machine_files *m, const char *path, const char *to);
/* A file, link or folder with all in it; need not be there. */
void machine_delete(const struct machine_files *m, const char *path);

/* The path of a file of a capture: `capture` is a name below CAPTURES, or a path below ROOTS. */
void machine_capture_path(char *path, size_t size, const char *capture, const char *file);
/*
 * Makes a machine from it (sysfs, mdstat, diskstats). False, with nothing made, if there is
 * none.
 */
bool machine_unpack(struct machine_files *m, const char *capture);
/* The names of all captures, sorted; 0 and a message where they are not there. */
size_t machine_captures(char ***ret_names);
void machine_captures_free(char **names, size_t n);

/* A provider of those files, and a survey by it. End the test where they fail. */
struct provider *machine_provider(const struct machine_files *m);
void machine_survey(struct provider *p, struct topology *t);

#endif
