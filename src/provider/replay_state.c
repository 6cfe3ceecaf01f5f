/*
 * The state of a recording at a place: what `session`, `device` and `fact` lines say. A name in
 * a recording belongs to one device, so names are looked up in a table of their own. The file
 * may be hostile: how many devices it can make is bounded, and whatever it says of a device that
 * it has not told of is refused.
 */
#include "replay_state.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "raidtop/fields.h"
#include "raidtop/memory.h"
#include "raidtop/text.h"

enum { DEVICES_MAX = 4096 };

_Static_assert(sizeof(((struct replay_state *)NULL)->text) > FIELD_VALUE_BYTES, "values fit");

void replay_state_init(struct replay_state *s)
{
	memset(s, 0, sizeof(*s));
	topology_init(&s->topology);
	topology_init(&s->blank);
	topology_add_array(&s->blank, "");
	s->tick = 1; /* 0: never */
	s->changed = true;
}

static void release_devices(struct replay_state *s)
{
	for (size_t i = 0; i < s->topology.n_devices; i++) {
		free(s->devices[i].members);
		free(s->devices[i].on);
	}
	free(s->devices);
	free(s->names);
	topology_release(&s->topology);
	s->devices = NULL;
	s->names = NULL;
	s->devices_size = s->names_size = s->n_names = 0;
}

void replay_state_release(struct replay_state *s)
{
	release_devices(s);
	topology_release(&s->blank);
	free(s->streams.views);
	replay_hists_release(&s->hists);
	free(s->events.ring);
	memset(s, 0, sizeof(*s));
}

void replay_state_clear(struct replay_state *s)
{
	release_devices(s);
	s->is_newer = false;
	s->changed = true;
	s->streams.n = 0;
	replay_hists_clear(&s->hists);
	s->events.first = s->events.given = s->events.last;
	s->before = s->tick++;
}

void replay_state_begin_tick(struct replay_state *s)
{
	s->tick++;
	s->samples = 0;
	s->opens_segment = false;
	s->missed_ticks = 0;
	s->was_suspended = false;
	s->streams.n = 0;
	replay_hists_begin(&s->hists);
}

void replay_state_end_tick(struct replay_state *s, bool is_whole)
{
	if (is_whole) {
		s->before = s->tick;
	} else {
		s->events.last = s->events.given;
		replay_hists_begin(&s->hists);
	}
}

/* ---- text from the file ---- */

bool replay_name_of(const struct record_row *row, enum column c, char name[DEVICE_NAME_BYTES])
{
	return record_field_text(&row->field[c], name, DEVICE_NAME_BYTES) &&
	       text_clean(name, DEVICE_NAME_BYTES, name);
}

bool replay_text_of(struct replay_state *s, const struct record_row *row, enum column c)
{
	return record_field_text(&row->field[c], s->text, sizeof(s->text)) &&
	       text_clean(s->text, sizeof(s->text), s->text);
}

static bool is_word(const struct record_field *f, const char *word)
{
	return f->len == strlen(word) && memcmp(f->text, word, f->len) == 0;
}

/* ---- names ---- */

static uint64_t hash(const char *name)
{
	uint64_t h = 0xcbf29ce484222325; /* FNV-1a */

	for (; *name; name++)
		h = (h ^ (unsigned char)*name) * 0x100000001b3;
	return h ^ h >> 32;
}

/* Where the name stands in the table, or would stand. */
static uint32_t *place_of(const struct replay_state *s, const char *name)
{
	size_t i = hash(name) & (s->names_size - 1);

	while (s->names[i] && strcmp(s->topology.devices[s->names[i] - 1]->name, name) != 0)
		i = (i + 1) & (s->names_size - 1);
	return &s->names[i];
}

struct replay_device *replay_state_find(struct replay_state *s, const char *name)
{
	uint32_t index = s->names_size ? *place_of(s, name) : 0;

	return index ? &s->devices[index - 1] : NULL;
}

static void grow_names(struct replay_state *s)
{
	uint32_t *old = s->names;
	size_t old_size = s->names_size;

	s->names_size = old_size ? old_size * 2 : 64;
	s->names = memory_new(s->names_size, sizeof(*s->names));
	for (size_t i = 0; i < old_size; i++) {
		if (old[i])
			*place_of(s, s->topology.devices[old[i] - 1]->name) = old[i];
	}
	free(old);
}

/* ---- devices ---- */

/*
 * All devices lie in memory as arrays, for a name may be a disk in one segment and an array in
 * the next; what only an array has is used where it is one.
 */
static struct replay_device *add_device(struct replay_state *s, const char *name)
{
	struct topology *t = &s->topology;
	struct replay_device *d;

	if (t->n_devices == DEVICES_MAX)
		return NULL;
	if (!s->devices || t->n_devices == s->devices_size) {
		s->devices_size = s->devices_size ? 2 * s->devices_size : 16;
		s->devices = memory_resize(s->devices, s->devices_size, sizeof(*s->devices));
	}
	if (2 * s->n_names >= s->names_size)
		grow_names(s);
	d = &s->devices[t->n_devices];
	*d = (struct replay_device){ .slot = NO_SLOT };
	d->device = topology_add_array(t, name);
	*place_of(s, name) = (uint32_t)t->n_devices;
	s->n_names++;
	return d;
}

/* Nothing is known of it any more but its name. */
static void forget_device(const struct replay_state *s, struct replay_device *d)
{
	struct device *device = d->device, *blank = s->blank.devices[0];
	struct array *array = device->array;
	char name[DEVICE_NAME_BYTES];

	text_copy(name, sizeof(name), device->name);
	*array = *blank->array;
	*device = *blank;
	device->array = array;
	text_copy(device->name, sizeof(device->name), name);
	text_copy(device->kernel_name, sizeof(device->kernel_name), name);
	d->n_members = 0;
	d->n_on = 0;
	d->parent[0] = '\0';
}

static int parse_kind(const struct record_row *row, enum device_kind *ret)
{
	static const char key[] = "device_kind";
	const struct field *f = field_find(FIELD_OF_DEVICE, key, sizeof(key) - 1);
	const struct record_field *value = &row->field[COLUMN_VALUE];
	struct device d;

	if (value->len == 0 || field_parse(f, &d, value->text, value->len) < 0)
		return -EBADMSG;
	*ret = d.kind;
	return 0;
}

/* The line `device_kind` begins what is told of a device; nothing of before holds any more. */
static int begin_device(struct replay_state *s, const struct record_row *row, const char *name)
{
	struct replay_device *d = replay_state_find(s, name);
	char parent[DEVICE_NAME_BYTES];
	enum device_kind kind;

	if (!name[0] || parse_kind(row, &kind) < 0 || !replay_name_of(row, COLUMN_PARENT, parent))
		return -EBADMSG;
	if (!d)
		d = add_device(s, name);
	if (!d)
		return -EBADMSG;
	forget_device(s, d);
	d->device->kind = kind;
	d->told_at = s->tick;
	text_copy(d->parent, sizeof(d->parent), parent);
	return 0;
}

static int apply_field(struct replay_state *s, struct replay_device *d, const struct field *f,
		       const struct record_row *row)
{
	if (!replay_text_of(s, row, COLUMN_VALUE) ||
	    field_parse(f, field_owner_of(f->owner, d->device), s->text, strlen(s->text)) < 0)
		return -EBADMSG;
	if (!f->moves)
		s->changed = true;
	return 0;
}

/* A field by its key. One that is not known is of a newer program and means nothing here. */
static int apply_key(struct replay_state *s, struct replay_device *d, const struct record_row *row)
{
	static const enum field_owner owners[] = { FIELD_OF_DEVICE, FIELD_OF_DISK, FIELD_OF_ARRAY };
	const struct record_field *key = &row->field[COLUMN_KEY];

	for (size_t i = 0; i < sizeof(owners) / sizeof(owners[0]); i++) {
		const struct field *f = field_find(owners[i], key->text, key->len);

		if (!f)
			continue;
		if (f->is_state || is_word(key, "device_kind") ||
		    (owners[i] == FIELD_OF_ARRAY && d->device->kind != DEVICE_ARRAY))
			return -EBADMSG;
		return apply_field(s, d, f, row);
	}
	return 0;
}

static int apply_fact(struct replay_state *s, const struct record_row *row)
{
	char name[DEVICE_NAME_BYTES];
	struct replay_device *d;

	if (!replay_name_of(row, COLUMN_NAME, name))
		return -EBADMSG;
	if (!name[0])
		return 0; /* of the host: none is known yet */
	d = replay_state_find(s, name);
	return d && d->device->present ? apply_key(s, d, row) : -EBADMSG;
}

static int apply_device(struct replay_state *s, const struct record_row *row)
{
	char name[DEVICE_NAME_BYTES];
	struct replay_device *d;

	if (!replay_name_of(row, COLUMN_NAME, name))
		return -EBADMSG;
	s->changed = true;
	if (is_word(&row->field[COLUMN_STATE], "present") &&
	    is_word(&row->field[COLUMN_KEY], "device_kind"))
		return begin_device(s, row, name);
	if (is_word(&row->field[COLUMN_STATE], "present"))
		return apply_fact(s, row);
	if (!is_word(&row->field[COLUMN_STATE], "gone"))
		return -EBADMSG;
	d = replay_state_find(s, name);
	if (d) /* after a jump it may be one that was never met */
		d->device->present = false;
	return 0;
}

/* ---- sessions ---- */

static void begin_segment(struct replay_state *s, const struct record_row *row)
{
	uint64_t format;

	s->is_newer = record_field_u64(&row->field[COLUMN_VALUE], &format) == 0 &&
		      format > RECORDING_VERSION;
	for (size_t i = 0; i < s->topology.n_devices; i++)
		s->topology.devices[i]->present = false;
	s->topology.kernel[0] = '\0';
	replay_hists_forget(&s->hists);
	s->opens_segment = true;
	s->changed = true;
}

static int apply_session(struct replay_state *s, const struct record_row *row)
{
	const struct record_field *key = &row->field[COLUMN_KEY];

	if (is_word(key, "format"))
		begin_segment(s, row);
	if (!is_word(key, "kernel"))
		return 0;
	if (!replay_text_of(s, row, COLUMN_VALUE))
		return -EBADMSG;
	text_copy(s->topology.kernel, sizeof(s->topology.kernel), s->text);
	return 0;
}

/* The host stands in every line; it is looked at where it may be another. */
static void take_host(struct replay_state *s, const struct record_row *row)
{
	if ((row->kind == RECORD_SESSION || !s->topology.host[0]) &&
	    replay_text_of(s, row, COLUMN_HOST))
		text_copy(s->topology.host, sizeof(s->topology.host), s->text);
}

/* ---- rows of all kinds ---- */

static const struct {
	int (*apply)(struct replay_state *s, const struct record_row *row);
	bool lasts; /* longer than its tick */
} kinds[RECORD_KIND_COUNT] = {
	[RECORD_SESSION] = { apply_session, true },
	[RECORD_FACT] = { apply_fact, true },
	[RECORD_DEVICE] = { apply_device, true },
	[RECORD_LINK] = { replay_apply_link, true },
	[RECORD_SAMPLE] = { replay_apply_sample, false },
	[RECORD_STREAM] = { replay_apply_stream, false },
	[RECORD_HIST] = { replay_apply_hist, true },
	[RECORD_EVENT] = { replay_apply_event, false },
	[RECORD_MARK] = { replay_apply_mark, false },
};

int replay_state_apply(struct replay_state *s, const struct record_row *row)
{
	if (row->kind == RECORD_UNKNOWN || (s->is_newer && row->kind != RECORD_SESSION))
		return -ENOTSUP;
	take_host(s, row);
	return kinds[row->kind].apply(s, row);
}

unsigned int replay_state_lasting_kinds(void)
{
	unsigned int set = 0;

	for (unsigned int k = 0; k < RECORD_KIND_COUNT; k++)
		set |= (unsigned int)kinds[k].lasts << k;
	return set;
}

int replay_state_apply_lasting(struct replay_state *s, const struct record_row *row)
{
	return kinds[row->kind].lasts ? replay_state_apply(s, row) : 0;
}
