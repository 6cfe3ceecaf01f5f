/*
 * The fields of the stream dialog are the keys of a stream's specification: what they hold is put
 * together to its text, which the one parser takes apart, so that the dialog, the command line and
 * a plan have the same words, the same limits and the same sentences.
 */
#include "stream_dialog.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "raidtop/memory.h"
#include "raidtop/text.h"

/* What stands for "as the workload has it" in a field. */
static const char automatic[] = "auto";

#define TARGETS_MAX 16
#define WORKLOADS_MAX 32

static const char *const copies[] = { "1", "2", "3", "4", "5", "8", "16" };
static const char *const blocks[] = { automatic, "512", "4k", "16k", "64k", "128k", "512k", "1M" };
static const char *const depths[] = { "1", "2", "4", "8", "16", "32", "64" };
static const char *const accesses[] = { "direct", "buffered", "dontcache" };
static const char *const syncs[] = { "end", "none", "each" };
static const char *const sizes[] = { automatic, "256M", "1G", "4G", "16G", "64G" };
static const char *const times[] = { "until stopped", "10s", "30s", "60s", "5m", "1h" };
static const char *const rates[] = { "no limit", "1MB", "10MB", "50MB", "100MB", "500MB" };

#define VALUES(a) (a), sizeof(a) / sizeof((a)[0])

/* Each field: the key that it is for, and which of its texts means that the key is left out. */
static const struct field_kind {
	const char *label; /* the key, but for "more" */
	const char *const *values;
	size_t n_values;
	const char *left_out;
	bool only_values, beside;
} kinds[] = {
	{ "workload", NULL, 0, NULL, true, false }, /* of the table of workloads */
	{ "copies", VALUES(copies), "1", false, true },
	{ "target", NULL, 0, NULL, false, false },
	{ "block", VALUES(blocks), automatic, false, false },
	{ "depth", VALUES(depths), "1", false, true },
	{ "access", VALUES(accesses), "direct", true, false },
	{ "sync", VALUES(syncs), "end", true, true },
	{ "size", VALUES(sizes), automatic, false, false },
	{ "time", VALUES(times), "until stopped", false, true },
	{ "rate", VALUES(rates), "no limit", false, false },
	{ "more", NULL, 0, "", false, true },
};
#define N_KINDS (sizeof(kinds) / sizeof(kinds[0]))

static const char *workload_names[WORKLOADS_MAX];

/* Of the device that the dialog was opened for; one dialog is open at a time. */
static struct {
	char *names[TARGETS_MAX];
	size_t n;
} targets;

static void targets_clear(void)
{
	while (targets.n > 0)
		free(targets.names[--targets.n]);
}

static void targets_add(const char *name)
{
	if (targets.n < TARGETS_MAX)
		targets.names[targets.n++] = memory_copy_text(name);
}

/* ---- where a device is mounted ---- */

static bool is_octal(char c)
{
	return c >= '0' && c <= '7';
}

/* "\040": a byte that could not stand in a list. */
static bool is_escape(const char *at)
{
	return at[0] == '\\' && at[1] >= '0' && at[1] <= '3' && is_octal(at[2]) && is_octal(at[3]);
}

/* The `n`th blank-separated word of a line, "\040" and the like undone. */
static bool mount_word(const char *line, unsigned int n, char *buf, size_t size)
{
	const char *end = line + strcspn(line, "\n");
	size_t len = 0;

	for (; n > 0 && line < end; n--) {
		line += strcspn(line, " \n");
		line += *line == ' ';
	}
	while (line < end && *line != ' ' && len + 1 < size) {
		if (is_escape(line)) {
			buf[len++] = (char)((line[1] - '0') * 64 + (line[2] - '0') * 8 +
					    (line[3] - '0'));
			line += 4;
		} else {
			buf[len++] = *line++;
		}
	}
	buf[len] = '\0';
	return len > 0;
}

static bool is_of(const struct topology *t, int slot, const char *number)
{
	for (size_t i = 0; i < t->n_devices; i++) {
		const struct device *d = t->devices[i];
		char text[32];

		if (!d->present || ((int)i != slot && d->parent != slot))
			continue;
		text_format(text, sizeof(text), "%u:%u", d->major, d->minor);
		if (strcmp(text, number) == 0)
			return true;
	}
	return false;
}

/* Where the device, or a partition of it, is mounted: what most people mean by "on md0". */
static void add_mounts(const struct topology *t, int slot, const char *mountinfo)
{
	for (const char *line = mountinfo; *line;
	     line += strcspn(line, "\n"), line += *line == '\n') {
		char number[32], path[DIALOG_TEXT_BYTES];

		if (mount_word(line, 2, number, sizeof(number)) && is_of(t, slot, number) &&
		    mount_word(line, 4, path, sizeof(path)))
			targets_add(path);
	}
}

static void offer_targets(struct dialog *d, const struct topology *t, int slot,
			  const char *mountinfo)
{
	struct dialog_field *f = dialog_find(d, "target");
	char path[DEVICE_NAME_BYTES + 8];

	targets_clear();
	text_format(path, sizeof(path), "/dev/%s", t->devices[slot]->kernel_name);
	targets_add(path);
	add_mounts(t, slot, mountinfo);
	f->values = (const char *const *)targets.names;
	f->n_values = targets.n;
	dialog_set(f, path);
}

/* ---- the dialog ---- */

static void add_fields(struct dialog *d)
{
	for (size_t i = 0; i < N_KINDS; i++) {
		struct dialog_field *f = dialog_add(d, kinds[i].label);

		f->values = kinds[i].values;
		f->n_values = kinds[i].n_values;
		f->only_values = kinds[i].only_values;
		f->beside = kinds[i].beside;
		if (kinds[i].left_out)
			dialog_set(f, kinds[i].left_out);
	}
}

static void add_workloads(struct dialog *d)
{
	struct dialog_field *f = dialog_find(d, "workload");
	const struct stream_kind *kind;

	for (f->n_values = 0; f->n_values < WORKLOADS_MAX && (kind = stream_kind_get(f->n_values));
	     f->n_values++)
		workload_names[f->n_values] = kind->name;
	f->values = workload_names;
	dialog_set(f, workload_names[0]);
}

void stream_dialog_open(struct dialog *d, const struct topology *t, int slot, const char *mountinfo)
{
	if (d->n_fields == 0) {
		d->title = "New stream";
		d->enter = "start";
		add_fields(d);
		add_workloads(d);
	}
	d->focus = 0;
	offer_targets(d, t, slot, mountinfo);
}

void stream_dialog_release(struct dialog *d)
{
	targets_clear();
	*d = (struct dialog){ .title = NULL };
}

/* ",key=value" with commas and backslashes of the value kept from the parser. */
static void add_key(struct buffer *out, const char *key, const char *value)
{
	buffer_add_char(out, ',');
	buffer_add_text(out, key);
	buffer_add_char(out, '=');
	for (; *value; value++) {
		if (*value == ',' || *value == '\\')
			buffer_add_char(out, '\\');
		buffer_add_char(out, *value);
	}
}

int stream_dialog_spec(const struct dialog *d, struct stream_spec *ret, char *why, size_t size)
{
	struct buffer text = BUFFER_INIT;
	int r;

	buffer_add_text(&text, d->fields[0].text);
	for (size_t i = 1; i < N_KINDS; i++) {
		const struct dialog_field *f = &d->fields[i];

		if (kinds[i].left_out && strcmp(f->text, kinds[i].left_out) == 0)
			continue;
		if (strcmp(f->label, "more") == 0) {
			buffer_add_char(&text, ',');
			buffer_add_text(&text, f->text);
		} else {
			add_key(&text, f->label, f->text);
		}
	}
	buffer_add_char(&text, '\0');
	r = stream_spec_parse(text.data, ret, why, size);
	buffer_release(&text);
	return r;
}
