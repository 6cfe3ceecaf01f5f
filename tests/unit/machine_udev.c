/*
 * umockdev's form: `P: ` and a path open a device, then come its node (N:), links (S:),
 * properties (E:), attributes (A:) and links of sysfs (L:). A directory with a uevent file and a
 * subsystem is a device; what lies in a directory that is none belongs to the device above it.
 */
#include "machine_udev.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "raidtop/file.h"

#define LIMIT_BYTES (16 * 1024 * 1024)

struct description {
	const struct machine_files *machine;
	struct buffer database; /* udevadm's export: records parted by empty lines */
	struct buffer *out;
};

static bool is_device(const char *dir)
{
	char path[PATH_MAX], target[NAME_MAX + 1];

	text_format(path, sizeof(path), "%s/uevent", dir);
	if (access(path, F_OK) != 0)
		return false;
	text_format(path, sizeof(path), "%s/subsystem", dir);
	return file_read_link_name(path, target, sizeof(target)) == 0;
}

static void add_escaped(struct buffer *out, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (text[i] == '\n')
			buffer_add_text(out, "\\n");
		else if (text[i] == '\\')
			buffer_add_text(out, "\\\\");
		else
			buffer_add_char(out, text[i]);
	}
}

static void add_attribute(struct description *d, const char *path, const char *relative)
{
	struct buffer text = BUFFER_INIT;

	/* uevent is made from the properties. */
	if (strcmp(relative, "uevent") != 0 && file_read(path, LIMIT_BYTES, &text) == 0) {
		buffer_format(d->out, "A: %s=", relative);
		add_escaped(d->out, buffer_text(&text), text.len);
		buffer_add_char(d->out, '\n');
	}
	buffer_release(&text);
}

static void add_link(struct description *d, const char *path, const char *relative)
{
	char target[PATH_MAX];
	ssize_t n = readlink(path, target, sizeof(target) - 1);

	assert_true(n > 0);
	target[n] = '\0';
	if (strcmp(relative, "subsystem") != 0)
		buffer_format(d->out, "L: %s=%s\n", relative, target);
}

/* ---- properties ---- */

static bool is_for_umockdev(const char *line)
{
	static const char *const made_by_itself[] = { "E: DEVPATH=", "E: DEVLINKS=",
						      "E: TAGS=",    "E: CURRENT_TAGS=",
						      "E: USEC_",    "E: SUBSYSTEM=" };

	if (strncmp(line, "N: ", 3) == 0 || strncmp(line, "S: ", 3) == 0)
		return true;
	for (size_t i = 0; i < sizeof(made_by_itself) / sizeof(made_by_itself[0]); i++)
		if (strncmp(line, made_by_itself[i], strlen(made_by_itself[i])) == 0)
			return false;
	return strncmp(line, "E: ", 3) == 0;
}

static void add_database(struct description *d, const char *devpath)
{
	char mark[PATH_MAX];
	const char *at;

	text_format(mark, sizeof(mark), "P: %s\n", devpath);
	for (at = strstr(buffer_text(&d->database), mark); at && *at && *at != '\n';) {
		size_t n = strcspn(at, "\n") + 1;

		if (is_for_umockdev(at))
			buffer_add(d->out, at, n);
		at += n;
	}
}

static void add_subsystem(struct description *d, const char *dir)
{
	char path[PATH_MAX], name[NAME_MAX + 1];

	text_format(path, sizeof(path), "%s/subsystem", dir);
	assert_int_equal(file_read_link_name(path, name, sizeof(name)), 0);
	buffer_format(d->out, "E: SUBSYSTEM=%s\n", name);
}

/* ---- the tree ---- */

enum pass { OWN_CONTENTS, DEVICES_BELOW };

static void walk(struct description *d, const char *dir, const char *relative, enum pass pass);

static void describe_device(struct description *d, const char *dir)
{
	const char *devpath = dir + strlen(d->machine->dir) + strlen("/sys");

	buffer_format(d->out, "P: %s\n", devpath);
	add_database(d, devpath);
	add_subsystem(d, dir);
	walk(d, dir, "", OWN_CONTENTS);
	buffer_add_char(d->out, '\n');
	walk(d, dir, "", DEVICES_BELOW);
}

static void visit_directory(struct description *d, const char *path, const char *relative,
			    enum pass pass)
{
	if (!is_device(path))
		walk(d, path, relative, pass);
	else if (pass == DEVICES_BELOW)
		describe_device(d, path);
}

static void visit(struct description *d, const char *path, const char *relative, enum pass pass)
{
	struct stat st;

	assert_int_equal(lstat(path, &st), 0);
	if (S_ISDIR(st.st_mode))
		visit_directory(d, path, relative, pass);
	else if (pass == OWN_CONTENTS && S_ISLNK(st.st_mode))
		add_link(d, path, relative);
	else if (pass == OWN_CONTENTS)
		add_attribute(d, path, relative);
}

static void walk(struct description *d, const char *dir, const char *relative, enum pass pass)
{
	struct dirent **entries;
	int n = scandir(dir, &entries, NULL, alphasort);

	assert_true(n >= 0);
	for (int i = 0; i < n; i++) {
		const char *name = entries[i]->d_name;
		char path[PATH_MAX], below[PATH_MAX];

		if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0) {
			text_format(path, sizeof(path), "%s/%s", dir, name);
			text_format(below, sizeof(below), "%s%s%s", relative,
				    relative[0] ? "/" : "", name);
			visit(d, path, below, pass);
		}
		free(entries[i]);
	}
	free(entries);
}

void machine_describe(const struct machine_files *m, const char *capture, struct buffer *out)
{
	struct description d = { m, BUFFER_INIT, out };
	char path[PATH_MAX];

	machine_capture_path(path, sizeof(path), capture, "udev-db");
	file_read(path, LIMIT_BYTES, &d.database);
	text_format(path, sizeof(path), "%s/sys/devices", m->dir);
	walk(&d, path, "", DEVICES_BELOW);
	buffer_release(&d.database);
}
