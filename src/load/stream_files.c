/*
 * What `raidtop --clean` asks for, in the words of the application; the work is done in
 * files_clean.c, and what the end of a raidtop takes away in remover.c.
 */
#include "raidtop/stream_files.h"

#include "raidtop/files_clean.h"

int stream_files_clean(const char *path, const struct stream_files_listener *listener)
{
	struct files_report report = { .say = listener->say, .data = listener->data };

	return files_clean(path, &report);
}
