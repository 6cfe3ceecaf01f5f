/*
 * The kernel makes mdstat's text at each read, and tells a poll on an open descriptor of changes:
 * members that fail or come, actions that begin or end. So it is read when that happens and while
 * an action runs, and left alone otherwise. A machine where md is not loaded has no such file.
 */
#include "mdstat_source.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "raidtop/file.h"
#include "sysfs.h"

#define LIMIT_BYTES (64 * 1024 * 1024)

void mdstat_source_init(struct mdstat_source *m)
{
	memset(m, 0, sizeof(*m));
	m->fd = -1;
	buffer_init(&m->text);
	mdstat_init(&m->parsed);
}

static void close_file(struct mdstat_source *m)
{
	if (m->fd >= 0)
		close(m->fd);
	m->fd = -1;
}

void mdstat_source_release(struct mdstat_source *m)
{
	close_file(m);
	buffer_release(&m->text);
	mdstat_release(&m->parsed);
}

void mdstat_source_read(struct mdstat_source *m, const char *root)
{
	char path[SYSFS_PATH_BYTES];

	if (m->fd < 0 && sysfs_path(path, sizeof(path), root, "proc/mdstat"))
		m->fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	/* The descriptor of an unloaded module fails for ever; the next survey opens it anew. */
	if (m->fd >= 0 && file_read_fd(m->fd, LIMIT_BYTES, &m->text) < 0)
		close_file(m);
	if (m->fd < 0)
		buffer_reset(&m->text);
	mdstat_parse(&m->parsed, buffer_text(&m->text), m->text.len);
}
