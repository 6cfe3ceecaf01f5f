/*
 * Fake machines in temporary directories. A capture's sysfs is one text: `d PATH` an empty folder,
 * `l PATH -> TARGET` a link, `f PATH` a file whose lines follow after a tab each; a line of one
 * backslash says that the last line of a file has no end.
 */
#include "machine_files.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "raidtop/file.h"
#include "raidtop/memory.h"
#include "raidtop/text.h"

#define LIMIT_BYTES (16 * 1024 * 1024)

/* Where thousands of small files are made fast; but all of /dev is another one under umockdev. */
static const char *folder(void)
{
	const char *preload = getenv("LD_PRELOAD");
	bool is_mocked = preload && strstr(preload, "umockdev");

	return !is_mocked && access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
}

void machine_make(struct machine_files *m)
{
	text_format(m->dir, sizeof(m->dir), "%s/raidtop-machine-XXXXXX", folder());
	assert_non_null(mkdtemp(m->dir));
}

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static void remove_tree(const char *path)
{
	nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

void machine_remove(struct machine_files *m)
{
	remove_tree(m->dir);
	m->dir[0] = '\0';
}

static void full_path(char *full, const struct machine_files *m, const char *path)
{
	assert_true(text_format(full, PATH_MAX, "%s/%s", m->dir, path));
}

/* All folders of the path but its last component. */
static void make_folders(char *full)
{
	for (char *slash = strchr(full + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		assert_true(mkdir(full, 0755) == 0 || errno == EEXIST);
		*slash = '/';
	}
}

void machine_write_bytes(const struct machine_files *m, const char *path, const void *bytes,
			 size_t len)
{
	char full[PATH_MAX];
	int fd;

	full_path(full, m, path);
	make_folders(full);
	/* In place, as procfs is: a descriptor that is open sees it. */
	fd = open(full, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	assert_true(fd >= 0);
	assert_int_equal(file_write_all(fd, bytes, len), 0);
	close(fd);
}

void machine_write(const struct machine_files *m, const char *path, const char *text)
{
	machine_write_bytes(m, path, text, strlen(text));
}

void machine_link(const struct machine_files *m, const char *path, const char *target)
{
	char full[PATH_MAX];

	full_path(full, m, path);
	make_folders(full);
	unlink(full);
	assert_int_equal(symlink(target, full), 0);
}

void machine_move(const struct machine_files *m, const char *path, const char *to)
{
	char full[PATH_MAX], target[PATH_MAX];

	full_path(full, m, path);
	full_path(target, m, to);
	assert_int_equal(rename(full, target), 0);
}

void machine_delete(const struct machine_files *m, const char *path)
{
	char full[PATH_MAX];

	full_path(full, m, path);
	remove_tree(full);
}

/* ---- captures ---- */

/* Most files are what nobody asks a queue for. */
static bool is_of_use(const char *path)
{
	return !strstr(path, "/queue/") || strstr(path, "/queue/iostats") ||
	       strstr(path, "/queue/rotational");
}

/* The file's text begins at `*at`, each line after a tab; moves `*at` behind it. */
static void unpack_file(const struct machine_files *m, const char *path, char **at)
{
	struct buffer text = BUFFER_INIT;

	while (**at == '\t' || **at == '\\') {
		size_t n = strcspn(*at, "\n");

		if (**at == '\t')
			buffer_add(&text, *at + 1, n - 1);
		if (**at == '\t')
			buffer_add_char(&text, '\n');
		else if (text.len > 0)
			text.len--;
		*at += n + ((*at)[n] == '\n');
	}
	if (is_of_use(path))
		machine_write_bytes(m, path, buffer_text(&text), text.len);
	buffer_release(&text);
}

static void unpack_line(const struct machine_files *m, char *line, char **at)
{
	char *arrow = strstr(line, " -> ");
	char path[PATH_MAX];

	if (line[0] == 'f') {
		unpack_file(m, line + 2, at);
	} else if (line[0] == 'l') {
		assert_non_null(arrow);
		*arrow = '\0';
		machine_link(m, line + 2, arrow + 4);
	} else {
		full_path(path, m, line + 2);
		make_folders(path);
		assert_true(mkdir(path, 0755) == 0 || errno == EEXIST);
	}
}

static void unpack_sysfs(const struct machine_files *m, char *at)
{
	while (*at) {
		char *line = at;
		size_t n = strcspn(at, "\n");

		at += n + (at[n] == '\n');
		line[n] = '\0';
		unpack_line(m, line, &at);
	}
}

void machine_capture_path(char *path, size_t size, const char *capture, const char *file)
{
	bool is_ours = strncmp(capture, ROOTS "/", strlen(ROOTS "/")) == 0;

	assert_true(text_format(path, size, "%s%s/%s", is_ours ? "" : CAPTURES "/", capture, file));
}

static void copy_file(const struct machine_files *m, const char *capture, const char *name)
{
	struct buffer text = BUFFER_INIT;
	char from[PATH_MAX], to[PATH_MAX];

	machine_capture_path(from, sizeof(from), capture, name);
	text_format(to, sizeof(to), "proc/%s", name);
	if (file_read(from, LIMIT_BYTES, &text) == 0)
		machine_write_bytes(m, to, buffer_text(&text), text.len);
	buffer_release(&text);
}

bool machine_unpack(struct machine_files *m, const char *capture)
{
	struct buffer text = BUFFER_INIT;
	char path[PATH_MAX];
	bool found;

	machine_capture_path(path, sizeof(path), capture, "sys.txt");
	found = file_read(path, LIMIT_BYTES, &text) == 0;
	if (found) {
		machine_make(m);
		unpack_sysfs(m, text.data);
		copy_file(m, capture, "mdstat");
		copy_file(m, capture, "diskstats");
	}
	buffer_release(&text);
	return found;
}

static int is_capture(const struct dirent *entry)
{
	char path[PATH_MAX];

	machine_capture_path(path, sizeof(path), entry->d_name, "sys.txt");
	return access(path, R_OK) == 0;
}

size_t machine_captures(char ***ret_names)
{
	struct dirent **entries = NULL;
	int n = scandir(CAPTURES, &entries, is_capture, alphasort);

	*ret_names = NULL;
	if (n <= 0) {
		print_message("no captures at " CAPTURES "\n");
		free(entries);
		return 0;
	}
	*ret_names = memory_new((size_t)n, sizeof(char *));
	for (int i = 0; i < n; i++) {
		(*ret_names)[i] = memory_copy_text(entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
	return (size_t)n;
}

void machine_captures_free(char **names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(names[i]);
	free(names);
}

/* ---- the provider ---- */

struct provider *machine_provider(const struct machine_files *m)
{
	struct provider_options options = { .root = m->dir, .temperature_ns = UINT64_MAX };
	struct provider *p = NULL;
	char why[256] = "";

	assert_int_equal(provider_system_new(&options, &p, why, sizeof(why)), 0);
	assert_non_null(p);
	return p;
}

void machine_survey(struct provider *p, struct topology *t)
{
	topology_init(t);
	assert_int_equal(p->ops->survey(p, t), 0);
}
