/*
 * The members of arrays, from `link` lines. An array's list is told as a whole: the line
 * `members` empties it, a line `slot` begins a member, further lines say more about it. Members
 * are told apart by name; a missing one has none, and is told apart by its slot. What other
 * devices rest on is such a list as well: lines `stands_on`, of which one without a name empties
 * it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "raidtop/fields.h"
#include "raidtop/memory.h"
#include "raidtop/text.h"
#include "replay_state.h"

enum { MEMBERS_MAX = 4096 }; /* of one array; md has at most 1920 */

static bool is_word(const struct record_field *f, const char *word)
{
	return f->len == strlen(word) && memcmp(f->text, word, f->len) == 0;
}

static struct replay_member *add_member(struct replay_device *d, const char *name)
{
	struct replay_member *m;

	if (d->n_members == MEMBERS_MAX)
		return NULL;
	if (d->n_members == d->members_size) {
		d->members_size = d->members_size ? 2 * d->members_size : 8;
		d->members = memory_resize(d->members, d->members_size, sizeof(*m));
	}
	m = &d->members[d->n_members++];
	memset(m, 0, sizeof(*m));
	text_copy(m->member.name, sizeof(m->member.name), name);
	m->member.device = NO_SLOT;
	m->member.slot = m->member.role = UNKNOWN_I32;
	return m;
}

/* The newest first: lines about a member follow each other. */
static struct replay_member *find_member(struct replay_device *d, const char *name)
{
	for (size_t i = d->n_members; i > 0; i--) {
		if (strcmp(d->members[i - 1].member.name, name) == 0)
			return &d->members[i - 1];
	}
	return NULL;
}

static int parse(struct replay_member *m, const char *key, size_t key_len,
		 const struct record_field *value)
{
	const struct field *f = field_find(FIELD_OF_MEMBER, key, key_len);

	if (!f)
		return 0; /* of a newer program */
	return field_parse(f, &m->member, value->text, value->len) < 0 ? -EBADMSG : 0;
}

/* One whose line `members` was lost may be in the list already. */
static int begin_member(struct replay_device *d, const char *name, const struct record_row *row)
{
	const struct record_field *value = &row->field[COLUMN_VALUE];
	struct replay_member *m = name[0] ? find_member(d, name) : NULL, read;

	memset(&read, 0, sizeof(read));
	if (parse(&read, "slot", strlen("slot"), value) < 0 ||
	    parse(&read, "state", strlen("state"), &row->field[COLUMN_STATE]) < 0)
		return -EBADMSG;
	for (size_t i = 0; !name[0] && i < d->n_members; i++) {
		if (!d->members[i].member.name[0] &&
		    d->members[i].member.slot == read.member.slot &&
		    read.member.slot != UNKNOWN_I32)
			m = &d->members[i];
	}
	if (!m)
		m = add_member(d, name);
	if (!m)
		return -EBADMSG;
	m->member.slot = read.member.slot;
	m->member.state = read.member.state;
	return 0;
}

static int describe_member(struct replay_device *d, const char *name, const struct record_row *row)
{
	const struct record_field *key = &row->field[COLUMN_KEY];
	struct replay_member *m = find_member(d, name);

	if (!m)
		return -EBADMSG;
	if (is_word(key, "device")) {
		char device[DEVICE_NAME_BYTES];

		if (!replay_name_of(row, COLUMN_VALUE, device))
			return -EBADMSG;
		text_copy(m->device, sizeof(m->device), device);
		m->names_device = true;
		return 0;
	}
	if (is_word(key, "name") || is_word(key, "state"))
		return -EBADMSG;
	return parse(m, key->text, key->len, &row->field[COLUMN_VALUE]);
}

/* ---- what rests on what ---- */

static int add_stand(struct replay_device *d, const char *name)
{
	for (size_t i = 0; i < d->n_on; i++)
		if (strcmp(d->on[i], name) == 0)
			return 0;
	if (d->n_on == MEMBERS_MAX)
		return -EBADMSG;
	if (d->n_on == d->on_size) {
		d->on_size = d->on_size ? 2 * d->on_size : 4;
		d->on = memory_resize(d->on, d->on_size, sizeof(d->on[0]));
	}
	text_copy(d->on[d->n_on++], sizeof(d->on[0]), name);
	return 0;
}

static int apply_stand(struct replay_state *s, struct replay_device *d, const char *name)
{
	s->changed = true;
	if (name[0])
		return add_stand(d, name);
	d->n_on = 0;
	return 0;
}

int replay_apply_link(struct replay_state *s, const struct record_row *row)
{
	const struct record_field *key = &row->field[COLUMN_KEY];
	char name[DEVICE_NAME_BYTES], parent[DEVICE_NAME_BYTES];
	struct replay_device *d;

	if (!replay_name_of(row, COLUMN_NAME, name) || !replay_name_of(row, COLUMN_PARENT, parent))
		return -EBADMSG;
	d = replay_state_find(s, parent);
	if (!d || !d->device->present)
		return -EBADMSG;
	if (is_word(key, "stands_on"))
		return apply_stand(s, d, name);
	if (d->device->kind != DEVICE_ARRAY)
		return -EBADMSG;
	s->changed = true;
	if (is_word(key, "members")) {
		d->n_members = 0;
		return 0;
	}
	if (is_word(key, "slot"))
		return begin_member(d, name, row);
	return describe_member(d, name, row);
}
