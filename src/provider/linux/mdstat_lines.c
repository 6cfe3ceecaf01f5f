/*
 * The lines of an array below its head: its size and geometry, what runs on it, its bitmap. The
 * print formats are those of drivers/md/md.c md_seq_show(), status_resync(), md-bitmap.c
 * md_bitmap_status() and the status() of each level.
 */
#include "mdstat_parser.h"

#include <string.h>

#include "raidtop/text.h"

/* ---- "N blocks super 1.2 level 5, 512k chunk, algorithm 2 [3/2] [UU_]" ---- */

bool mdstat_start_status(struct parser *p, const struct word *w)
{
	struct word blocks;
	uint64_t kib;

	if (!p->array || p->array->size_kib != UNKNOWN_U64 || !word_number(w, &kib))
		return false;
	blocks = word_after(&p->text, w);
	if (!word_is(&blocks, "blocks"))
		return false;
	parser_take(p, &blocks);
	p->array->size_kib = kib;
	p->section = SECTION_STATUS;
	return true;
}

bool mdstat_take_super(struct parser *p)
{
	struct word value = word_at(&p->text, p->at);
	struct mdstat_array *a = p->array;

	if (a->super[0] || value.first || !word_copy(a->super, sizeof(a->super), &value))
		return false;
	parser_take(p, &value);
	return true;
}

static bool take_counts(struct mdstat_array *a, const struct word *w)
{
	struct word inside = word_inside(w, "[", "]");

	return a->raid_disks == UNKNOWN_U64 && word_pair(&inside, &a->raid_disks, &a->working);
}

/* U in sync, _ not, E on Synology: with errors. */
static bool take_map(struct mdstat_array *a, const struct word *w)
{
	struct word inside = word_inside(w, "[", "]");

	if (a->map[0] || inside.len >= sizeof(a->map) || !word_consists_of(&inside, "U_E"))
		return false;
	return text_copy_n(a->map, sizeof(a->map), inside.text, inside.len);
}

static bool add_layout(struct mdstat_array *a, const struct word *w)
{
	size_t len = strlen(a->layout), gap = len > 0;

	if (w->cut || w->garbled || len + gap + w->len >= sizeof(a->layout))
		return false;
	if (gap)
		a->layout[len] = ' ';
	return text_copy_n(a->layout + len + gap, sizeof(a->layout) - len - gap, w->text, w->len);
}

/* "512k chunk," and "512K chunks", or "64k rounding" of a linear array */
static bool take_kib(struct parser *p, const struct word *w, const struct word *what)
{
	struct word kib = word_inside(w, "", "k");
	struct mdstat_array *a = p->array;

	if (kib.len == 0)
		kib = word_inside(w, "", "K");
	if (a->chunk_kib != UNKNOWN_U64 || a->layout[0])
		return false;
	if (word_is(what, "rounding"))
		return word_number(&kib, &(uint64_t){ 0 }) && add_layout(a, w) &&
		       add_layout(a, what);
	return (word_is(what, "chunk,") || word_is(what, "chunks")) &&
	       word_number(&kib, &a->chunk_kib);
}

/* "2 near-copies", "2 far-copies", "2 offset-copies" and "4 devices per set" of a raid10 */
static bool take_copies(struct parser *p, const struct word *w, const struct word *what)
{
	struct mdstat_array *a = p->array;
	uint64_t *const where = word_is(what, "near-copies")     ? &a->near_copies
				: word_is(what, "far-copies")    ? &a->far_copies
				: word_is(what, "offset-copies") ? &a->offset_copies
								 : NULL;
	struct word per, set;

	if (where)
		return *where == UNKNOWN_U64 && word_number(w, where) && add_layout(a, w) &&
		       add_layout(a, what);
	per = word_after(&p->text, what);
	set = word_after(&p->text, &per);
	if (!word_number(w, &(uint64_t){ 0 }) || !word_is(what, "devices") ||
	    !word_is(&per, "per") || !word_is(&set, "set"))
		return false;
	parser_take(p, &set);
	return add_layout(a, w) && add_layout(a, what) && add_layout(a, &per) &&
	       add_layout(a, &set);
}

static bool take_algorithm(struct parser *p, const struct word *w, const struct word *number)
{
	struct mdstat_array *a = p->array;

	return word_is(w, "algorithm") && !number->cut && !a->layout[0] &&
	       word_number(number, &a->algorithm) && add_layout(a, w) && add_layout(a, number);
}

static bool take_status_words(struct parser *p, const struct word *w)
{
	struct mdstat_array *a = p->array;
	struct word next = word_after(&p->text, w), level = word_inside(&next, "", ",");

	if (word_is(w, "super"))
		return mdstat_take_super(p);
	if (strcmp(a->level, "faulty") == 0) /* "WriteTransient=3(10)": counters of the faults */
		return memchr(w->text, '=', w->len) && add_layout(a, w);
	p->at = next.text + next.len;
	if (word_is(w, "level") && word_number(&level, &(uint64_t){ 0 }))
		return true;
	if (take_algorithm(p, w, &next) || take_kib(p, w, &next) || take_copies(p, w, &next))
		return true;
	p->at = w->text + w->len;
	return false;
}

bool mdstat_continue_status(struct parser *p, const struct word *w)
{
	if (take_counts(p->array, w) || take_map(p->array, w))
		return true;
	if (!p->confused && take_status_words(p, w))
		return true;
	p->confused = true;
	return false;
}

/* ---- "[=>...]  recovery =  8.5% (16775552/195310144) finish=17.0min speed=259783K/sec" ---- */

bool mdstat_start_progress(struct parser *p, const struct word *w)
{
	struct word bar = word_inside(w, "[", "]");

	if (!p->array || p->array->action.kind != ACTION_NONE || !word_consists_of(&bar, "=>."))
		return false;
	p->section = SECTION_PROGRESS;
	return true;
}

static bool take_kind(struct mdstat_action *action, const struct word *w)
{
	static const struct {
		const char *word;
		enum action_kind kind;
	} kinds[] = {
		{ "resync", ACTION_RESYNC }, /* and a repair */
		{ "recovery", ACTION_RECOVERY },
		{ "check", ACTION_CHECK },
		{ "reshape", ACTION_RESHAPE },
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (!word_is(w, kinds[i].word))
			continue;
		action->kind = kinds[i].kind;
		return true;
	}
	return false;
}

bool mdstat_continue_progress(struct parser *p, const struct word *w)
{
	struct mdstat_action *action = &p->array->action;
	struct word percent = word_inside(w, w->text[0] == '=' ? "=" : "", "%");
	struct word pair = word_inside(w, "(", ")");
	struct word finish = word_inside(w, "finish=", "min");
	struct word speed = word_inside(w, "speed=", "K/sec");

	if (action->kind == ACTION_NONE)
		return take_kind(action, w);
	return word_is(w, "=") || word_tenths(&percent, &action->percent_tenths) ||
	       word_pair(&pair, &action->done_kib, &action->total_kib) ||
	       word_tenths(&finish, &action->finish_tenths_min) ||
	       word_number(&speed, &action->speed_kib_per_sec);
}

/* "resync=DELAYED" and the like stand alone. */
bool mdstat_take_waiting(struct parser *p, const struct word *w)
{
	static const struct {
		const char *word;
		enum action_kind kind;
		enum action_state state;
	} waiting[] = {
		{ "resync=DELAYED", ACTION_RESYNC, ACTION_DELAYED }, /* or another kind */
		{ "resync=PENDING", ACTION_RESYNC, ACTION_PENDING },
		{ "resync=REMOTE", ACTION_RESYNC, ACTION_REMOTE },
		{ "recover=REMOTE", ACTION_RECOVERY, ACTION_REMOTE },
		{ "reshape=REMOTE", ACTION_RESHAPE, ACTION_REMOTE },
	};
	struct mdstat_action *action;

	if (!p->array || p->array->action.kind != ACTION_NONE)
		return false;
	action = &p->array->action;
	for (size_t i = 0; i < sizeof(waiting) / sizeof(waiting[0]); i++) {
		if (!word_is(w, waiting[i].word))
			continue;
		action->kind = waiting[i].kind;
		action->state = waiting[i].state;
		text_copy(action->word, sizeof(action->word), waiting[i].word);
		p->section = SECTION_NONE;
		return true;
	}
	return false;
}

/* ---- "bitmap: 3/157 pages [12KB], 65536KB chunk, file: /var/md0" ---- */

bool mdstat_start_bitmap(struct parser *p, const struct word *w)
{
	if (!p->array || !word_is(w, "bitmap:"))
		return false;
	p->array->bitmap.present = TRUTH_YES;
	p->section = SECTION_BITMAP;
	return true;
}

/* The chunk is printed in KB, or in bytes below that. */
static bool take_bitmap_chunk(struct mdstat_bitmap *bitmap, const struct word *w)
{
	struct word kib = word_inside(w, "", "KB"), bytes = word_inside(w, "", "B");
	uint64_t n;

	if (word_number(&kib, &n)) {
		if (n <= UINT64_MAX / 1024)
			bitmap->chunk_bytes = n * 1024;
		return true;
	}
	return word_number(&bytes, &bitmap->chunk_bytes);
}

bool mdstat_continue_bitmap(struct parser *p, const struct word *w)
{
	struct mdstat_bitmap *bitmap = &p->array->bitmap;
	struct word kib = word_inside(w, "[", "KB],"), next = word_after(&p->text, w);

	if (word_number(&kib, &bitmap->kib))
		return true;
	if (word_is(w, "file:")) {
		if (!word_copy(bitmap->file, sizeof(bitmap->file), &next))
			return false;
	} else if (word_is(&next, "pages")) {
		if (!word_pair(w, &bitmap->pages, &bitmap->pages_total))
			return false;
	} else if (!(word_is(&next, "chunk") || word_is(&next, "chunk,")) ||
		   !take_bitmap_chunk(bitmap, w)) {
		return false;
	}
	parser_take(p, &next);
	return true;
}
