/*
 * Files are named before they have their place on the disk, so that what the filesystem says is
 * free is not all to be had: what was promised to others is taken off.
 */
#include "files_space.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

static uint64_t pending_bytes(const struct files_folder *f, const struct manifest_entry *e)
{
	char name[MANIFEST_FILE_BYTES];
	struct stat st;
	uint64_t allocated;

	manifest_file_name(name, e);
	if (e->state != MANIFEST_MADE || fstatat(f->fd, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return 0;
	allocated = (uint64_t)st.st_blocks * 512;
	return allocated < e->size_bytes ? e->size_bytes - allocated : 0;
}

struct files_group files_survey(const struct files_folder *f, const struct manifest *m,
				const char *session, unsigned int group)
{
	struct files_group g = { 0 };

	for (size_t i = 0; i < m->n; i++) {
		const struct manifest_entry *e = &m->entries[i];

		g.pending_bytes += pending_bytes(f, e);
		if (group == 0 || e->group != group || strcmp(e->session, session) != 0)
			continue;
		g.made++;
		g.size_bytes = e->size_bytes;
	}
	return g;
}
