/*
 * A line of the manifest:
 *	{"name":"3.data","state":"written","device":65024,"filesystem":...,"inode":...,"uid":1000,
 *	 "bytes":1073741824,"seed":0,"session":"...","group":1,"keep":false}
 * A tree has "folders", "files" and "kind" as well. What is read back is taken for hostile: a
 * name is rebuilt from its number and must come out the same, so that no path can hide in it.
 */
#include "manifest.h"

#include <errno.h>
#include <json-c/json.h>
#include <string.h>

#include "raidtop/json.h"
#include "raidtop/number.h"

#define DEPTH_MAX 4
#define NUMBER_MAX 999999999U

static const char *const state_names[] = {
	[MANIFEST_INTENT] = "intent",
	[MANIFEST_MADE] = "made",
	[MANIFEST_WRITTEN] = "written",
	[MANIFEST_REMOVED] = "removed",
};

static const char *const kind_names[] = {
	[TREE_FLAT] = "flat",
	[TREE_SOURCES] = "sources",
};

void manifest_file_name(char name[MANIFEST_FILE_BYTES], const struct manifest_entry *e)
{
	char number[NUMBER_BYTES];

	number_format_u64(number, e->number);
	text_format(name, MANIFEST_FILE_BYTES, "%s.%s", number, e->is_tree ? "tree" : "data");
}

bool manifest_entry_matches(const struct manifest_entry *e, const struct files_folder *f,
			    const struct stat *st)
{
	bool same_place =
		e->device == f->device || (e->filesystem != 0 && e->filesystem == f->filesystem);

	if (!same_place || st->st_dev != f->device || st->st_uid != e->uid)
		return false;
	if (e->state == MANIFEST_INTENT) /* an empty file, or folder, and nothing can be lost */
		return e->is_tree ? S_ISDIR(st->st_mode)
				  : S_ISREG(st->st_mode) && st->st_nlink == 1 && st->st_size == 0;
	if (st->st_ino != e->inode)
		return false;
	if (e->is_tree)
		return S_ISDIR(st->st_mode);
	return S_ISREG(st->st_mode) && st->st_nlink == 1 &&
	       ((uint64_t)st->st_size == e->size_bytes ||
		(e->state == MANIFEST_MADE && st->st_size == 0));
}

static void format_tree(struct json *j, const struct tree_names *names)
{
	json_add_text(j, "kind", kind_names[names->kind]);
	json_add_u64(j, "folders", names->folders);
	json_add_u64(j, "files", names->files);
}

void manifest_format(struct buffer *b, const struct manifest_entry *e)
{
	char name[MANIFEST_FILE_BYTES];
	struct json j;

	manifest_file_name(name, e);
	json_init(&j, b, false);
	json_open_object(&j, NULL);
	json_add_text(&j, "name", name);
	json_add_text(&j, "state", state_names[e->state]);
	json_add_u64(&j, "device", e->device);
	json_add_u64(&j, "filesystem", e->filesystem);
	json_add_u64(&j, "inode", e->inode);
	json_add_u64(&j, "uid", e->uid);
	json_add_u64(&j, "bytes", e->size_bytes);
	json_add_u64(&j, "seed", e->seed);
	if (e->is_tree)
		format_tree(&j, &e->names);
	json_add_text(&j, "session", e->session);
	json_add_u64(&j, "group", e->group);
	json_add_bool(&j, "keep", e->keep);
	json_close_object(&j);
	buffer_add_char(b, '\n');
}

static bool get_u64(const struct json_object *o, const char *key, uint64_t *ret)
{
	struct json_object *value;

	if (!json_object_object_get_ex(o, key, &value) ||
	    !json_object_is_type(value, json_type_int) || json_object_get_int64(value) < 0)
		return false;
	*ret = json_object_get_uint64(value);
	return true;
}

/* NULL where it is no text, or one with a zero byte in it. */
static const char *get_text(const struct json_object *o, const char *key)
{
	struct json_object *value;
	const char *text;

	if (!json_object_object_get_ex(o, key, &value) ||
	    !json_object_is_type(value, json_type_string))
		return NULL;
	text = json_object_get_string(value);
	return strlen(text) == (size_t)json_object_get_string_len(value) ? text : NULL;
}

static bool get_bool(const struct json_object *o, const char *key, bool *ret)
{
	struct json_object *value;

	if (!json_object_object_get_ex(o, key, &value) ||
	    !json_object_is_type(value, json_type_boolean))
		return false;
	*ret = json_object_get_boolean(value);
	return true;
}

static bool get_choice(const struct json_object *o, const char *key, const char *const *names,
		       size_t n, unsigned int *ret)
{
	const char *text = get_text(o, key);

	for (unsigned int i = 0; text && i < n; i++) {
		if (strcmp(names[i], text) == 0) {
			*ret = i;
			return true;
		}
	}
	return false;
}

static bool get_name(const struct json_object *o, struct manifest_entry *e,
		     char bad_name[MANIFEST_FILE_BYTES])
{
	const char *name = get_text(o, "name");
	char again[MANIFEST_FILE_BYTES];
	const char *dot = name ? strchr(name, '.') : NULL;

	text_clean(bad_name, MANIFEST_FILE_BYTES, name ? name : "");
	if (!dot || number_parse_u64(name, (size_t)(dot - name), &e->number) < 0)
		return false;
	e->is_tree = strcmp(dot, ".tree") == 0;
	manifest_file_name(again, e);
	return e->number > 0 && e->number <= NUMBER_MAX && strcmp(name, again) == 0;
}

static bool get_tree(const struct json_object *o, struct manifest_entry *e)
{
	uint64_t folders, files;
	unsigned int kind;

	if (!get_choice(o, "kind", kind_names, sizeof(kind_names) / sizeof(kind_names[0]), &kind) ||
	    !get_u64(o, "folders", &folders) || !get_u64(o, "files", &files) ||
	    folders > TREE_FOLDERS_MAX || files > TREE_FILES_MAX)
		return false;
	e->names = (struct tree_names){ .kind = (enum tree_kind)kind,
					.folders = (unsigned int)folders,
					.files = (unsigned int)files,
					.seed = e->seed };
	return true;
}

static bool get_entry(const struct json_object *o, struct manifest_entry *e,
		      char bad_name[MANIFEST_FILE_BYTES])
{
	unsigned int state;
	const char *session = get_text(o, "session");

	if (!get_name(o, e, bad_name) ||
	    !get_choice(o, "state", state_names, sizeof(state_names) / sizeof(state_names[0]),
			&state))
		return false;
	e->state = (enum manifest_state)state;
	return get_u64(o, "device", &e->device) && get_u64(o, "filesystem", &e->filesystem) &&
	       get_u64(o, "inode", &e->inode) && get_u64(o, "uid", &e->uid) &&
	       get_u64(o, "bytes", &e->size_bytes) && get_u64(o, "seed", &e->seed) &&
	       get_u64(o, "group", &e->group) && get_bool(o, "keep", &e->keep) && session &&
	       text_copy(e->session, sizeof(e->session), session) &&
	       (!e->is_tree || get_tree(o, e));
}

int manifest_parse(const char *line, size_t len, struct manifest_entry *ret,
		   char bad_name[MANIFEST_FILE_BYTES])
{
	struct json_tokener *t = json_tokener_new_ex(DEPTH_MAX);
	struct manifest_entry e = { 0 };
	struct json_object *o = NULL;
	bool good;

	text_copy(bad_name, MANIFEST_FILE_BYTES, "");
	if (!t)
		return -ENOMEM;
	json_tokener_set_flags(t, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
	o = json_tokener_parse_ex(t, line, (int)len);
	good = o && json_tokener_get_error(t) == json_tokener_success &&
	       json_object_is_type(o, json_type_object) && get_entry(o, &e, bad_name);
	json_object_put(o);
	json_tokener_free(t);
	if (!good)
		return -EINVAL;
	*ret = e;
	return 0;
}
