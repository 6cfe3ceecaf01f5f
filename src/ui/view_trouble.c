/*
 * What is wrong, where it stands: the badges in an array's title, and the words in the row of a
 * device that gives no answer, of one that is slow, and of an array that waits for one. Each is
 * said in as many letters as there is room for, the shortest being a mark.
 */
#include "view.h"

#include <string.h>

#include "raidtop/array_facts.h"
#include "raidtop/clock.h"
#include "raidtop/text.h"

/* "12 s", and from two minutes on "2 min": a figure that nobody reads by the second any more. */
static void format_silence(char *buf, size_t size, uint64_t us)
{
	if (us < 120 * US_PER_SEC)
		text_format(buf, size, "%llu s", (unsigned long long)(us / US_PER_SEC));
	else
		units_format_left(buf, size, us * NS_PER_US);
}

static const char *name_of(const struct view *v, int slot)
{
	return v->m->topology->devices[slot]->name;
}

/* ---- rows ---- */

struct words {
	char text[3][DEVICE_NAME_BYTES + 32]; /* the longest first */
	enum style style;
};

static bool silent_words(const struct view *v, int slot, struct words *w)
{
	const struct device_insights *is = insights_device(v->m->insights, slot);
	char silence[32];

	if (!is->no_answer)
		return false;
	format_silence(silence, sizeof(silence), is->silent_us);
	text_format(w->text[0], sizeof(w->text[0]), "no answer %s", silence);
	text_copy(w->text[1], sizeof(w->text[1]), "no answer");
	w->style = STYLE_BAD;
	return true;
}

static bool blocked_words(const struct view *v, int slot, struct words *w)
{
	int by = insights_array(v->m->insights, slot)->blocked_by;

	if (by == NO_SLOT)
		return false;
	text_format(w->text[0], sizeof(w->text[0]), "blocked by %s", name_of(v, by));
	text_copy(w->text[1], sizeof(w->text[1]), "blocked");
	w->style = STYLE_BAD;
	return true;
}

static bool slow_words(const struct view *v, const struct row *row, struct words *w)
{
	const struct member_insights *is = insights_member(v->m->insights, row->array, row->member);
	char times[32];

	if (row->kind != ROW_MEMBER || !is->is_straggler)
		return false;
	units_format_three(times, sizeof(times), is->await_times);
	text_copy(w->text[0], sizeof(w->text[0]), "slow");
	if (is->await_times > 0)
		text_format(w->text[0], sizeof(w->text[0]), "slow %s%s", v->glyphs->times, times);
	text_copy(w->text[1], sizeof(w->text[1]), "slow");
	w->style = STYLE_WARNING;
	return true;
}

bool trouble_of_row(const struct view *v, const struct row *row, int width, struct trouble *ret)
{
	struct words w = { .text[2] = "!" };

	if (!silent_words(v, row->slot, &w) && !blocked_words(v, row->slot, &w) &&
	    !slow_words(v, row, &w))
		return false;
	for (size_t i = 0; i < 3; i++) {
		ret->text[0] = '\0';
		if (text_width(w.text[i]) > width)
			continue;
		text_copy(ret->text, sizeof(ret->text), w.text[i]);
		break;
	}
	ret->style = w.style;
	return ret->text[0] != '\0';
}

/* ---- badges ---- */

/* One row, worst last, of what the figures of the last seconds say. */
static void add_noticed(struct line *l, const struct view *v, int slot)
{
	const struct array *a = v->m->topology->devices[slot]->array;
	const struct array_insights *is = insights_array(v->m->insights, slot);

	if (is->balance.reads == BALANCE_UNEVEN && is->balance.least < a->n_members)
		line_add_right(l, STYLE_BADGE_WARNING, 5, " UNEVEN %s ",
			       a->members[is->balance.least].name);
	if (is->reads_before_writing)
		line_add_right(l, STYLE_BADGE_WARNING, 4, " RMW ");
	if (is->straggler < a->n_members)
		line_add_right(l, STYLE_BADGE_WARNING, 2, " SLOW %s ",
			       a->members[is->straggler].name);
}

static void add_no_answer(struct line *l, const struct view *v, int slot)
{
	const struct array_insights *is = insights_array(v->m->insights, slot);
	const struct device_insights *self = insights_device(v->m->insights, slot);
	char silence[32];

	format_silence(silence, sizeof(silence),
		       self->no_answer ? self->silent_us : is->blocked_us);
	if (is->blocked_by != NO_SLOT)
		line_add_right(l, STYLE_BADGE_BAD, 0, " NO ANSWER %s %s ",
			       name_of(v, is->blocked_by), silence);
	else if (self->no_answer)
		line_add_right(l, STYLE_BADGE_BAD, 0, " NO ANSWER %s ", silence);
}

/* A fault where there is parity; on mirrors a fact like others. */
static void add_mismatches(struct line *l, const struct view *v, const struct device *d)
{
	enum truth are_faults = array_mismatches_are_faults(d->array);
	unsigned long long n = d->array->mismatch_count;
	char fact[ARRAY_FACT_BYTES];

	if (!array_fact_format(ARRAY_FACT_MISMATCHES, v->m->topology, d, v->m->units, fact,
			       sizeof(fact)))
		return;
	if (are_faults == TRUTH_NO)
		line_add_right(l, STYLE_MUTED, 7, "%s", fact);
	else if (are_faults == TRUTH_YES)
		line_add_right(l, STYLE_BADGE_BAD, 2, " MISMATCHES %llu ", n);
	else
		line_add_right(l, STYLE_BADGE_WARNING, 4, " MISMATCHES %llu ", n);
}

static void add_conditions(struct line *l, const struct view *v, int slot)
{
	const struct device *d = v->m->topology->devices[slot];
	const struct array *a = d->array;

	if (figures_of(v, slot)->derived)
		line_add_right(l, STYLE_MUTED, 6, "figures from its members");
	if (d->counts_io == TRUTH_NO)
		line_add_right(l, STYLE_BADGE_WARNING, 4, " STATISTICS OFF ");
	add_mismatches(l, v, d);
	if (a->frozen == TRUTH_YES)
		line_add_right(l, STYLE_BADGE_WARNING, 4, " FROZEN ");
	if (a->readonly == ARRAY_READ_ONLY)
		line_add_right(l, STYLE_BADGE_WARNING, 3, " READ-ONLY ");
	if (a->readonly == ARRAY_AUTO_READ_ONLY)
		line_add_right(l, STYLE_BADGE_WARNING, 3, " AUTO-READ-ONLY ");
}

static void add_losses(struct line *l, const struct array *a)
{
	bool is_degraded = a->degraded != UNKNOWN_U64 && a->degraded > 0;

	if (is_degraded && a->degraded > 1)
		line_add_right(l, STYLE_BADGE_BAD, 1, " DEGRADED BY %llu ",
			       (unsigned long long)a->degraded);
	else if (is_degraded)
		line_add_right(l, STYLE_BADGE_BAD, 1, " DEGRADED ");
	if (a->state == ARRAY_INACTIVE && !array_is_container(a))
		line_add_right(l, STYLE_BADGE_BAD, 1, " INACTIVE ");
	if (a->state == ARRAY_BROKEN)
		line_add_right(l, STYLE_BADGE_BAD, 1, " BROKEN ");
}

void trouble_add_badges(struct line *l, const struct view *v, int slot)
{
	add_conditions(l, v, slot);
	add_noticed(l, v, slot);
	add_losses(l, v->m->topology->devices[slot]->array);
	add_no_answer(l, v, slot);
}

size_t trouble_find_silent(const struct view *v, int *ret_slot)
{
	uint64_t longest = 0;
	size_t n = 0;

	for (size_t i = 0; i < v->m->topology->n_devices; i++) {
		const struct device_insights *is = insights_device(v->m->insights, (int)i);

		if (!is->no_answer)
			continue;
		n++;
		if (is->silent_us <= longest)
			continue;
		longest = is->silent_us;
		*ret_slot = (int)i;
	}
	return n;
}
