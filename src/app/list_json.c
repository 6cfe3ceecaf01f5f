/*
 * The list for programs. Which fields an array, a member and a disk have, and in which order,
 * the table of fields says; what hangs together (members, what runs, whose disk it is) is
 * written here.
 */
#include "list.h"

#include <string.h>

#include "raidtop/fields.h"
#include "raidtop/json.h"
#include "raidtop/number.h"

#define FORMAT "raidtop-list"
#define VERSION 1

bool list_has_disk(const struct topology *t, size_t slot)
{
	const struct device *d = t->devices[slot];

	return d->present && d->kind == DEVICE_DISK &&
	       (!d->minor_interest || topology_is_member(t, (int)slot));
}

bool list_has_array(const struct topology *t, size_t slot)
{
	return t->devices[slot]->present && t->devices[slot]->array;
}

/* ---- fields ---- */

static void add_flags(struct json *j, const char *key, const char *letters)
{
	json_open_array(j, key);
	for (; *letters; letters++) {
		char letter[2] = { *letters, '\0' };

		if (*letters != ',')
			json_add_text(j, NULL, letter);
	}
	json_close_array(j);
}

static void add_number(struct json *j, const struct field *f, const char *text)
{
	uint64_t whole = 0;
	int64_t tenths = 0;

	if (f->type == FIELD_MILLI) {
		number_parse_fixed(text, strlen(text), 1, &tenths);
		json_add_fixed(j, f->key, tenths, 1);
	} else if (f->type == FIELD_I32) {
		number_parse_i64(text, strlen(text), &tenths);
		json_add_i64(j, f->key, tenths);
	} else {
		number_parse_u64(text, strlen(text), &whole);
		json_add_u64(j, f->key, whole);
	}
}

static void add_field(struct json *j, const struct field *f, const void *owner)
{
	char text[FIELD_VALUE_BYTES];

	if (!field_format(f, owner, text, sizeof(text))) {
		json_add_null(j, f->key);
		return;
	}
	switch (f->type) {
	case FIELD_TEXT:
	case FIELD_WORD:
		json_add_text(j, f->key, text);
		break;
	case FIELD_U64:
	case FIELD_I32:
	case FIELD_MILLI:
		add_number(j, f, text);
		break;
	case FIELD_TRUTH:
	case FIELD_BOOL:
		json_add_bool(j, f->key, strcmp(text, "true") == 0);
		break;
	case FIELD_FLAGS:
		add_flags(j, f->key, text);
		break;
	}
}

/* The listed fields from `first` to before `end` that a device has by itself or as `also`. */
static void add_fields(struct json *j, struct device *d, enum field_owner also,
		       const struct field *first, const struct field *end)
{
	for (const struct field *f = first; f < end; f++)
		if (f->in_list && (f->owner == FIELD_OF_DEVICE || f->owner == also))
			add_field(j, f, field_owner_of(f->owner, d));
}

/* ---- arrays ---- */

static void add_known(struct json *j, const char *key, uint64_t value)
{
	if (value == UNKNOWN_U64)
		json_add_null(j, key);
	else
		json_add_u64(j, key, value);
}

static void add_action(struct json *j, const struct action *a)
{
	if (a->kind == ACTION_NONE) {
		json_add_null(j, "action");
		return;
	}
	json_open_object(j, "action");
	json_add_text(j, "kind", action_kind_name(a->kind));
	json_add_text(j, "state", action_state_name(a->state));
	if (a->percent_tenths == UNKNOWN_I32)
		json_add_null(j, "percent");
	else
		json_add_fixed(j, "percent", a->percent_tenths, 1);
	add_known(j, "finish_s", a->finish_s);
	add_known(j, "speed_bytes_per_sec", a->speed_bytes_per_sec);
	json_close_object(j);
}

static void add_member(struct json *j, const struct topology *t, const struct member *m)
{
	int disk = topology_disk_of(t, m->device);

	json_open_object(j, NULL);
	for (size_t i = 0; i < n_fields; i++) {
		if (fields[i].owner != FIELD_OF_MEMBER || !fields[i].in_list)
			continue;
		add_field(j, &fields[i], m);
		if (strcmp(fields[i].key, "name") == 0)
			json_add_text(j, "disk", disk == NO_SLOT ? NULL : t->devices[disk]->name);
	}
	json_close_object(j);
}

static void add_array(struct json *j, const struct topology *t, struct device *d)
{
	static const char last[] = "bitmap"; /* what came later follows after the members */
	const struct field *middle = field_find(FIELD_OF_ARRAY, last, strlen(last)) + 1;

	json_open_object(j, NULL);
	add_fields(j, d, FIELD_OF_ARRAY, fields, middle);
	add_action(j, &d->array->action);
	json_open_array(j, "members");
	for (size_t i = 0; i < d->array->n_members; i++)
		add_member(j, t, &d->array->members[i]);
	json_close_array(j);
	add_fields(j, d, FIELD_OF_ARRAY, middle, fields + n_fields);
	json_close_object(j);
}

/* ---- disks ---- */

static bool serves(const struct topology *t, const struct array *a, size_t slot)
{
	for (size_t i = 0; i < a->n_members; i++)
		if (topology_disk_of(t, a->members[i].device) == (int)slot)
			return true;
	return false;
}

/* Names of what a map, a loop device or a cache lies on; of most disks nothing. */
static void add_stands(struct json *j, const struct topology *t, size_t slot)
{
	bool any = false;

	for (size_t i = 0; i < t->n_stands; i++) {
		int on = t->stands[i].on;

		if ((size_t)t->stands[i].device != slot || !t->devices[on]->present)
			continue;
		if (!any)
			json_open_array(j, "stands_on");
		any = true;
		json_add_text(j, NULL, t->devices[on]->name);
	}
	if (any)
		json_close_array(j);
}

static void add_disk(struct json *j, const struct topology *t, size_t slot)
{
	json_open_object(j, NULL);
	add_fields(j, t->devices[slot], FIELD_OF_DISK, fields, fields + n_fields);
	json_open_array(j, "arrays");
	for (size_t i = 0; i < t->n_devices; i++)
		if (list_has_array(t, i) && serves(t, t->devices[i]->array, slot))
			json_add_text(j, NULL, t->devices[i]->name);
	json_close_array(j);
	add_stands(j, t, slot);
	json_close_object(j);
}

void list_print_json(const struct topology *t, struct buffer *out)
{
	struct json j;

	json_init(&j, out, true);
	json_open_object(&j, NULL);
	json_add_text(&j, "format", FORMAT);
	json_add_u64(&j, "version", VERSION);
	json_add_text(&j, "host", t->host[0] ? t->host : NULL);
	json_open_array(&j, "arrays");
	for (size_t i = 0; i < t->n_devices; i++)
		if (list_has_array(t, i))
			add_array(&j, t, t->devices[i]);
	json_close_array(&j);
	json_open_array(&j, "disks");
	for (size_t i = 0; i < t->n_devices; i++)
		if (list_has_disk(t, i))
			add_disk(&j, t, i);
	json_close_array(&j);
	json_close_object(&j);
	buffer_add_char(out, '\n');
}
