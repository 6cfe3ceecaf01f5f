/*
 * What may be removed is what the manifest names and is found to be the very thing; then the
 * manifest and the folder, if nothing else is in it. What anybody else put there stays, and is
 * told. --clean holds the folder alone, so that no stream can be at work; the end of a raidtop
 * holds it as a stream does, since other ones may work on.
 */
#include "raidtop/files_clean.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "files_folder.h"
#include "files_remove.h"
#include "manifest.h"
#include "raidtop/clock.h"
#include "raidtop/memory.h"
#include "raidtop/units.h"
#include "sentence.h"

#define SENTENCE_BYTES 320
/* A stream that was killed a moment ago still holds its file, as its memory is given back first. */
#define BUSY_TRIES 100
#define BUSY_WAIT_NS (20 * NS_PER_MS)

struct cleaning {
	const char *target;
	const char *session; /* only what was made for that one; NULL: all */
	struct files_folder folder;
	struct files_report *report;
};

static void say(struct cleaning *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(struct cleaning *c, const char *format, ...)
{
	char sentence[SENTENCE_BYTES], raw[SENTENCE_BYTES];
	va_list arguments;

	if (!c->report->say)
		return;
	va_start(arguments, format);
	vsnprintf(raw, sizeof(raw), format, arguments);
	va_end(arguments);
	text_clean(sentence, sizeof(sentence), raw);
	c->report->say(c->report->data, sentence);
}

static void say_left(struct cleaning *c, const char *name, const char *why)
{
	char buf[SENTENCE_NAME_BYTES];

	c->report->left++;
	say(c, "left: %s/.raidtop/%.64s, %s", sentence_name(buf, c->target), name, why);
}

static bool is_wanted(const struct cleaning *c, const struct manifest_entry *e)
{
	return !c->session || (strcmp(e->session, c->session) == 0 && !e->keep);
}

static int remove_patiently(struct cleaning *c, struct manifest *m, const struct manifest_entry *e,
			    char *why, size_t size)
{
	int r = -EBUSY;

	for (int i = 0; r == -EBUSY && i < (c->session ? BUSY_TRIES : 1); i++) {
		if (i > 0)
			nanosleep(&(struct timespec){ .tv_nsec = BUSY_WAIT_NS }, NULL);
		r = files_remove_entry(m, &c->folder, e, c->report, why, size);
	}
	return r;
}

static void say_kept(struct cleaning *c, const struct manifest_entry *e)
{
	char buf[SENTENCE_NAME_BYTES], name[MANIFEST_FILE_BYTES], size[24];

	if (!c->session || strcmp(e->session, c->session) != 0)
		return;
	c->report->kept++;
	manifest_file_name(name, e);
	units_format_size(size, sizeof(size), UNITS_IEC, e->size_bytes);
	say(c, "kept: %s/.raidtop/%s%s%s", sentence_name(buf, c->target), name,
	    e->is_tree ? "" : ", ", e->is_tree ? "" : size);
}

/* One after the other, so that a shared folder's manifest is not locked for long. */
static void remove_entries(struct cleaning *c, struct manifest *m)
{
	for (size_t i = 0; i < m->n; i++) {
		const struct manifest_entry *e = &m->entries[i];
		char why[128], name[MANIFEST_FILE_BYTES];

		if (!is_wanted(c, e)) {
			say_kept(c, e);
			continue;
		}
		if (remove_patiently(c, m, e, why, sizeof(why)) == 0)
			continue;
		manifest_file_name(name, e);
		say_left(c, name, why);
	}
	if (m->bad_lines > 0 && !c->session)
		say(c,
		    "%s/.raidtop/manifest: %zu lines are damaged and were passed over, the first "
		    "is line %zu%s%s",
		    c->target, m->bad_lines, m->first_bad_line,
		    m->bad_name[0] ? ", which names " : "", m->bad_name);
}

/* What a manifest names has been told already. */
static bool is_named(const struct manifest *m, const char *name)
{
	char known[MANIFEST_FILE_BYTES];
	size_t len;

	for (size_t i = 0; i < m->n; i++) {
		manifest_file_name(known, &m->entries[i]);
		len = strlen(known);
		if (strncmp(name, known, len) == 0 &&
		    (name[len] == '\0' || strcmp(name + len, ".removing") == 0))
			return true;
	}
	return false;
}

/* A crash while the manifest was written anew; the folder is ours alone, and so is the name. */
static bool is_half_a_manifest(const struct cleaning *c, const char *name)
{
	struct stat st;

	return strcmp(name, MANIFEST_NEW_NAME) == 0 &&
	       fstatat(c->folder.fd, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode) &&
	       st.st_nlink == 1 && st.st_uid == geteuid();
}

static void look_for_others(struct cleaning *c, const struct manifest *m)
{
	int fd = openat(c->folder.fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *d;

	while (dir && (d = readdir(dir))) {
		const char *name = d->d_name;

		if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 ||
		    strcmp(name, MANIFEST_NAME) == 0 || is_named(m, name))
			continue;
		if (is_half_a_manifest(c, name) && unlinkat(c->folder.fd, name, 0) == 0)
			continue;
		say_left(c, name, "which raidtop did not make");
	}
	if (dir)
		closedir(dir);
}

static void say_done(struct cleaning *c)
{
	char buf[SENTENCE_NAME_BYTES], size[24];

	units_format_size(size, sizeof(size), UNITS_IEC, c->report->removed_bytes);
	say(c, "removed: %" PRIu64 " file%s of %s in %s/.raidtop", c->report->removed_files,
	    c->report->removed_files == 1 ? "" : "s", size, sentence_name(buf, c->target));
}

static void say_manifest(struct cleaning *c, int r)
{
	if (r == -EPERM)
		say_left(c, MANIFEST_NAME,
			 "which is no plain file of this user's own: nothing is "
			 "removed on its word");
	else if (r == -ENOENT)
		say(c, "%s/.raidtop has no manifest: what is in it is left", c->target);
	else
		say_left(c, MANIFEST_NAME, "which cannot be read: nothing is removed");
}

static int clean_folder(struct cleaning *c)
{
	struct manifest m;
	int r = manifest_open(&m, &c->folder, false);

	if (r == 0) {
		remove_entries(c, &m);
	} else {
		m = (struct manifest)MANIFEST_INIT;
		say_manifest(c, r);
	}
	if (!c->session)
		look_for_others(c, &m);
	manifest_release(&m);
	if (r == 0 || r == -ENOENT) {
		r = c->session ? files_folder_take_alone(&c->folder) : 0;
		/* Others may have come in between: then they will remove it. */
		if (r == 0 && c->session && c->report->kept > 0)
			r = -ENOTEMPTY;
		if (r == 0)
			r = files_remove_folder(&c->folder);
	}
	if (c->session && (r == -EWOULDBLOCK || r == -ENOTEMPTY))
		r = 0;
	if (r < 0 && c->report->left == 0)
		say_left(c, "", strerror(-r)); /* the folder itself */
	return c->report->left > 0 || r == -ENOTEMPTY ? -EBUSY : r;
}

static int clean_directory(struct cleaning *c, int directory)
{
	char why[SENTENCE_BYTES];
	int r = files_folder_open(&c->folder, directory,
				  c->session ? FILES_HOLD_EXISTING : FILES_HOLD_ALONE, c->target,
				  why, sizeof(why));

	if (r < 0) {
		if (!(c->session && r == -ENOENT))
			say(c, "%s", why);
		return c->session && r == -ENOENT ? 0 : r;
	}
	r = clean_folder(c);
	files_folder_release(&c->folder);
	if (!c->session)
		say_done(c);
	return r;
}

int files_clean_session(int directory, const char *target, const char *session,
			struct files_report *report)
{
	struct cleaning c = { .target = target, .session = session, .report = report };

	return clean_directory(&c, directory);
}

/* Where the path's last part is .raidtop, what it lies in; owned by the caller. */
static char *find_target(const char *path)
{
	static const char name[] = FILES_FOLDER_NAME;
	char *target = memory_copy_text(path);
	size_t len = strlen(target), n = sizeof(name) - 1;

	while (len > 1 && target[len - 1] == '/')
		target[--len] = '\0';
	if (len < n || strcmp(target + len - n, name) != 0 ||
	    (len > n && target[len - n - 1] != '/'))
		return target;
	len -= n;
	while (len > 1 && target[len - 1] == '/')
		len--;
	if (len == 0) { /* ".raidtop" alone */
		free(target);
		return memory_copy_text(".");
	}
	target[len] = '\0';
	return target;
}

int files_clean(const char *path, struct files_report *report)
{
	char *target = find_target(path);
	struct cleaning c = { .target = target, .report = report };
	int directory = open(target, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int r;

	if (directory < 0) {
		r = -errno;
		say(&c, "%s cannot be opened: %s", target, strerror(-r));
		if (r == -ENOENT) /* a wrong name is no success */
			r = -ENOTDIR;
	} else {
		r = clean_directory(&c, directory);
		close(directory);
	}
	free(target);
	return r;
}
