/*
 * The demonstration is looked for beside the program first, so that it works from a source tree
 * that was never installed, and from an installation that was moved or staged with DESTDIR.
 */
#include "demo.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "raidtop/text.h"

#ifndef RAIDTOP_DATA_DIR
#define RAIDTOP_DATA_DIR "/usr/local/share/raidtop"
#endif

static const char file_name[] = "demonstration.csv";

/* The folder of the running program, "" where that cannot be told. */
static void program_folder(char *folder, size_t size)
{
	ssize_t n = readlink("/proc/self/exe", folder, size - 1);
	char *slash;

	folder[n > 0 ? n : 0] = '\0';
	slash = strrchr(folder, '/');
	if (slash)
		*slash = '\0';
}

int demo_find(char *path, size_t size)
{
	static const char *const beside[] = { "/src/data/", "/../share/raidtop/" };
	char folder[PATH_MAX];
	size_t i;

	program_folder(folder, sizeof(folder));
	for (i = 0; i < sizeof(beside) / sizeof(beside[0]); i++)
		if (text_format(path, size, "%s%s%s", folder, beside[i], file_name) &&
		    access(path, R_OK) == 0)
			return 0;
	if (text_format(path, size, "%s/%s", RAIDTOP_DATA_DIR, file_name) &&
	    access(path, R_OK) == 0)
		return 0;
	return -ENOENT;
}

const char *demo_offer(void)
{
	char path[PATH_MAX];

	if (demo_find(path, sizeof(path)) < 0)
		return NULL;
	return "'raidtop --demo' shows a recorded array at work.";
}
