/*
 * How the text is read. An array is a head ("md0 : active raid1 sdb1[1] sda1[0]"), then lines
 * that each begin with a word of their own: "N blocks", a progress bar, "resync=DELAYED",
 * "bitmap:". Words are taken one by one, and white space is all alike, because reports that
 * people post have lost their indentation or had lines broken; where a line begins only says
 * where to go on after something unknown. What may follow is known for each kind of line, and
 * after the first word that does not fit, only what cannot be mistaken is taken from it.
 * (The lines below the head are in mdstat_lines.c.)
 *
 * The last word of a text that does not end in white space may be cut short, so it counts only
 * where its end marks it as whole.
 */
#include "mdstat.h"

#include <stdlib.h>
#include <string.h>

#include "mdstat_parser.h"
#include "raidtop/memory.h"
#include "raidtop/number.h"
#include "raidtop/text.h"

/* ---- the head: state, level, members ---- */

static void array_forget(struct mdstat_array *a)
{
	struct mdstat_member *members = a->members;
	size_t room = a->members_room;

	memset(a, 0, offsetof(struct mdstat_array, map));
	a->members = members;
	a->members_room = room;
	a->map[0] = '\0';
	a->size_kib = a->chunk_kib = a->algorithm = a->raid_disks = a->working = UNKNOWN_U64;
	a->near_copies = a->far_copies = a->offset_copies = UNKNOWN_U64;
	a->bitmap = (struct mdstat_bitmap){
		.present = TRUTH_UNKNOWN,
		.pages = UNKNOWN_U64,
		.pages_total = UNKNOWN_U64,
		.kib = UNKNOWN_U64,
		.chunk_bytes = UNKNOWN_U64,
	};
	a->action = (struct mdstat_action){
		.percent_tenths = UNKNOWN_U64,
		.done_kib = UNKNOWN_U64,
		.total_kib = UNKNOWN_U64,
		.finish_tenths_min = UNKNOWN_U64,
		.speed_kib_per_sec = UNKNOWN_U64,
	};
}

static struct mdstat_array *add_array(struct mdstat *m)
{
	if (m->n_arrays == MDSTAT_MAX_ARRAYS)
		return NULL;
	if (m->n_arrays == m->arrays_room) {
		size_t room = m->arrays_room ? 2 * m->arrays_room : 4;

		m->arrays = memory_resize(m->arrays, room, sizeof(*m->arrays));
		memset(m->arrays + m->arrays_room, 0, (room - m->arrays_room) * sizeof(*m->arrays));
		m->arrays_room = room;
	}
	array_forget(&m->arrays[m->n_arrays]);
	return &m->arrays[m->n_arrays++];
}

/* What follows the last array says whether it has a bitmap: it would stand before that. */
static void end_array(struct parser *p)
{
	struct mdstat_array *a = p->array;

	if (a && !p->cut && a->bitmap.present == TRUTH_UNKNOWN &&
	    (a->size_kib != UNKNOWN_U64 || a->super[0]))
		a->bitmap.present = TRUTH_NO;
	p->array = NULL;
}

static enum array_state state_of(const struct word *w)
{
	static const struct {
		const char *word;
		enum array_state state;
	} states[] = {
		{ "active", ARRAY_ACTIVE },
		{ "inactive", ARRAY_INACTIVE },
		{ "broken", ARRAY_BROKEN },
	};

	for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++)
		if (word_is(w, states[i].word))
			return states[i].state;
	return ARRAY_STATE_UNKNOWN;
}

/* "md0 : active": taken wherever it stands, even on a line of something else. */
static bool start_array(struct parser *p, const struct word *w)
{
	struct word colon, state;

	if (w->len < 3 || !word_begins(w, "md") ||
	    !(w->text[2] == '_' || (w->text[2] >= '0' && w->text[2] <= '9')))
		return false;
	colon = word_after(&p->text, w);
	state = word_after(&p->text, &colon);
	if (!word_is(&colon, ":") || state_of(&state) == ARRAY_STATE_UNKNOWN)
		return false;
	end_array(p);
	p->section = SECTION_NONE;
	if (w->len >= DEVICE_NAME_BYTES || !(p->array = add_array(p->m)))
		return true;
	text_copy_n(p->array->name, sizeof(p->array->name), w->text, w->len);
	p->array->state = state_of(&state);
	p->section = SECTION_HEAD;
	p->confused = false;
	parser_take(p, &state);
	return true;
}

static struct mdstat_member *add_member(struct mdstat_array *a)
{
	if (a->n_members == a->members_room) {
		a->members_room = a->members_room ? 2 * a->members_room : 4;
		a->members = memory_resize(a->members, a->members_room, sizeof(*a->members));
	}
	return &a->members[a->n_members++];
}

/* "(W)(F)": any letters, kernels of vendors have their own. */
static bool read_flags(char *flags, size_t size, const char *at, const char *end)
{
	size_t n = 0;

	for (; at < end; at += 3) {
		if (end - at < 3 || at[0] != '(' || at[1] < 'A' || at[1] > 'Z' || at[2] != ')' ||
		    n + 1 == size)
			return false;
		flags[n++] = at[1];
	}
	flags[n] = '\0';
	return true;
}

/* "sda1[0](W)(F)"; of a cut one it is not known which flags would follow. */
static bool take_member(struct mdstat_array *a, const struct word *w)
{
	const char *open = memchr(w->text, '[', w->len), *end = w->text + w->len, *shut;
	struct mdstat_member new;
	int64_t number;

	if (!open || w->cut || a->n_members == MDSTAT_MAX_MEMBERS)
		return false;
	shut = memchr(open, ']', (size_t)(end - open));
	if (!shut || open == w->text || open - w->text >= DEVICE_NAME_BYTES ||
	    number_parse_i64(open + 1, (size_t)(shut - open - 1), &number) ||
	    number < INT32_MIN + 1 || number > INT32_MAX ||
	    !read_flags(new.flags, sizeof(new.flags), shut + 1, end))
		return false;
	text_copy_n(new.name, sizeof(new.name), w->text, (size_t)(open - w->text));
	new.number = (int32_t)number;
	*add_member(a) = new;
	return true;
}

static bool take_level(struct mdstat_array *a, const struct word *w)
{
	static const char *const levels[] = {
		"raid0",  "raid1",  "raid4",     "raid5",  "raid6",
		"raid10", "linear", "multipath", "faulty",
	};

	if (a->level[0] || a->n_members > 0)
		return false;
	for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++)
		if (word_is(w, levels[i]))
			return word_copy(a->level, sizeof(a->level), w);
	return false;
}

static bool take_readonly(struct mdstat_array *a, const struct word *w)
{
	if (word_is(w, "(read-only)"))
		a->readonly = ARRAY_READ_ONLY;
	else if (word_is(w, "(auto-read-only)"))
		a->readonly = ARRAY_AUTO_READ_ONLY;
	else
		return false;
	return true;
}

static bool continue_head(struct parser *p, const struct word *w)
{
	if (word_is(w, "super")) { /* no disks: the line of blocks is not printed */
		p->section = SECTION_STATUS;
		return mdstat_take_super(p);
	}
	return take_member(p->array, w) || take_readonly(p->array, w) || take_level(p->array, w);
}

/* ---- lines that are of no array ---- */

static bool start_other(struct parser *p, const struct word *w)
{
	struct word next = word_after(&p->text, w);

	if (word_is(w, "Personalities") && word_is(&next, ":")) {
		p->section = SECTION_PERSONALITIES;
	} else if (word_is(w, "unused") && word_is(&next, "devices:")) {
		p->section = SECTION_UNUSED;
		p->m->has_unused = true;
	} else {
		return false;
	}
	end_array(p);
	parser_take(p, &next);
	return true;
}

static bool continue_personalities(struct parser *p, const struct word *w)
{
	struct word name = word_inside(w, "[", "]");
	struct mdstat *m = p->m;

	if (name.len == 0 || name.len >= sizeof(m->personalities[0]) ||
	    m->n_personalities == MDSTAT_MAX_WORDS)
		return false;
	return text_copy_n(m->personalities[m->n_personalities++], sizeof(m->personalities[0]),
			   name.text, name.len);
}

static bool continue_unused(struct parser *p, const struct word *w)
{
	struct mdstat *m = p->m;

	if (w->first || m->n_unused == MDSTAT_MAX_WORDS)
		return false;
	if (word_is(w, "<none>"))
		return true;
	if (!word_copy(m->unused[m->n_unused], sizeof(m->unused[0]), w))
		return false;
	m->n_unused++;
	return true;
}

static const char *line_end(const struct parser *p, const char *at)
{
	const char *end = memchr(at, '\n', (size_t)(p->text.end - at));

	return end ? end : p->text.end;
}

/* "read_ahead 1024 sectors", "read_ahead not set" */
static bool take_read_ahead(struct parser *p, const struct word *w)
{
	struct word rest = word_after(&p->text, w);
	const char *end = line_end(p, rest.text);

	if (rest.first || !word_is(w, "read_ahead"))
		return false;
	p->at = end;
	while (end > rest.text && word_is_blank(end[-1]))
		end--;
	for (const char *c = rest.text; c < end; c++)
		if (word_is_control(*c))
			return true;
	text_copy_n(p->m->read_ahead, sizeof(p->m->read_ahead), rest.text,
		    (size_t)(end - rest.text));
	return true;
}

/* ---- the whole text ---- */

/* Most words are members; what can only begin a line is not asked of them. */
static bool start_section(struct parser *p, const struct word *w)
{
	char c = w->text[0];

	if (c == 'm' && start_array(p, w))
		return true;
	if (c >= '0' && c <= '9')
		return mdstat_start_status(p, w);
	return w->first &&
	       (mdstat_start_progress(p, w) || mdstat_take_waiting(p, w) ||
		mdstat_start_bitmap(p, w) || start_other(p, w) || take_read_ahead(p, w));
}

static bool continue_section(struct parser *p, const struct word *w)
{
	switch (p->section) {
	case SECTION_NONE:
		return false;
	case SECTION_PERSONALITIES:
		return continue_personalities(p, w);
	case SECTION_UNUSED:
		return continue_unused(p, w);
	case SECTION_HEAD:
		return continue_head(p, w);
	case SECTION_STATUS:
		return mdstat_continue_status(p, w);
	case SECTION_PROGRESS:
		return mdstat_continue_progress(p, w);
	case SECTION_BITMAP:
		return mdstat_continue_bitmap(p, w);
	}
	return false;
}

void mdstat_init(struct mdstat *m)
{
	memset(m, 0, sizeof(*m));
}

void mdstat_release(struct mdstat *m)
{
	for (size_t i = 0; i < m->arrays_room; i++)
		free(m->arrays[i].members);
	free(m->arrays);
	mdstat_init(m);
}

void mdstat_parse(struct mdstat *m, const char *text, size_t len)
{
	struct parser p = { .m = m, .text = { text, text + len }, .at = text };
	struct word w;

	m->n_arrays = m->n_personalities = m->n_unused = 0;
	m->has_unused = false;
	m->read_ahead[0] = '\0';
	while ((w = word_at(&p.text, p.at)).len > 0) {
		parser_take(&p, &w);
		if (!w.garbled && (start_section(&p, &w) || continue_section(&p, &w)))
			continue;
		p.cut = w.cut;
		if (w.first || w.garbled)
			p.at = line_end(&p, p.at);
	}
	end_array(&p);
}

const struct mdstat_array *mdstat_find(const struct mdstat *m, const char *name)
{
	for (size_t i = 0; i < m->n_arrays; i++)
		if (strcmp(m->arrays[i].name, name) == 0)
			return &m->arrays[i];
	return NULL;
}
