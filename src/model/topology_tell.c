/*
 * What happened between two surveys, in sentences. Both states are at hand, and only what people
 * would want to be told is: what came and went, what became of arrays and their members, what
 * runs on them. One cause gives one sentence where that can be had: a disk's partitions come and
 * go with it unsaid, and a new array's members are no news.
 */
#include "topology_adopt.h"

#include <stdio.h>
#include <string.h>

#include "raidtop/events.h"
#include "raidtop/text.h"
#include "raidtop/units.h"

#define LINE 160

struct telling {
	const struct topology *t;
	const struct adoption *slots;
	struct event_log *log;
};

static bool was_seen(const struct telling *g, size_t slot)
{
	const struct device *before = g->slots[slot].before;

	return g->slots[slot].was_present &&
	       !(before ? before : g->t->devices[slot])->minor_interest;
}

static bool is_seen(const struct telling *g, size_t slot)
{
	return g->t->devices[slot]->present && !g->t->devices[slot]->minor_interest;
}

/* A partition or path whose disk came or went with it is not worth a sentence. */
static bool goes_without_saying(const struct telling *g, size_t slot)
{
	const struct device *d = g->t->devices[slot];

	if ((d->kind != DEVICE_PARTITION && d->kind != DEVICE_PATH) || d->parent == NO_SLOT)
		return false;
	return was_seen(g, (size_t)d->parent) != is_seen(g, (size_t)d->parent);
}

/* ---- devices ---- */

static void describe(const struct device *d, char *text)
{
	char size[32], slots[40] = "";

	units_format_size(size, sizeof(size), UNITS_SI, d->size_bytes);
	if (d->array && d->array->slots[0] && strlen(d->array->slots) < 32)
		text_format(slots, sizeof(slots), ", [%s]", d->array->slots);
	if (d->array)
		text_format(text, LINE, "%s, %s%s", d->array->level[0] ? d->array->level : "-",
			    size, slots);
	else if (d->kind == DEVICE_DISK && d->disk.model[0])
		text_format(text, LINE, "%s, %s", d->disk.model, size);
	else
		text_copy(text, LINE, size);
}

static void tell_appeared(const struct telling *g, size_t slot)
{
	const struct device *d = g->t->devices[slot], *before = g->slots[slot].before;
	char what[LINE];

	describe(d, what);
	if (before->name[0] && strcmp(before->name, d->name) != 0)
		event_log_add(g->log, EVENT_APPEARED, d->name, "", "%s is back, it was %s before",
			      d->name, before->name);
	else if (before->name[0] && !before->minor_interest)
		event_log_add(g->log, EVENT_APPEARED, d->name, "", "%s is back", d->name);
	else
		event_log_add(g->log, EVENT_APPEARED, d->name, "", "%s appeared (%s)", d->name,
			      what);
}

/* It was there in both surveys, but the kernel made it anew between them. */
static bool was_away(const struct device *before, const struct device *d)
{
	if (strcmp(before->name, d->name) != 0)
		return true;
	return before->diskseq != d->diskseq && before->diskseq != UNKNOWN_U64 &&
	       d->diskseq != UNKNOWN_U64;
}

static void tell_gone(const struct telling *g)
{
	for (size_t slot = 0; slot < g->t->n_devices; slot++) {
		const char *name = g->t->devices[slot]->name;

		if (was_seen(g, slot) && !is_seen(g, slot) && !goes_without_saying(g, slot))
			event_log_add(g->log, EVENT_GONE, name, "", "%s is gone", name);
	}
}

static void tell_come(const struct telling *g)
{
	for (size_t slot = 0; slot < g->t->n_devices; slot++) {
		const struct device *d = g->t->devices[slot], *before = g->slots[slot].before;

		if (!is_seen(g, slot) || !before || goes_without_saying(g, slot))
			continue;
		if (!was_seen(g, slot) || (d->kind != DEVICE_PARTITION && was_away(before, d)))
			tell_appeared(g, slot);
	}
}

/* ---- members ---- */

static const struct member *find_member(const struct array *a, const struct member *like)
{
	for (size_t i = 0; i < a->n_members; i++) {
		const struct member *m = &a->members[i];

		if (m->device != NO_SLOT && like->device != NO_SLOT
			    ? m->device == like->device
			    : strcmp(m->name, like->name) == 0)
			return m;
	}
	return NULL;
}

/* " (2 of 3 left)", or nothing where that is not known. */
static void describe_left(const struct array *a, char *text)
{
	text[0] = '\0';
	if (a->working != UNKNOWN_U64 && a->raid_disks != UNKNOWN_U64)
		text_format(text, LINE, " (%llu of %llu left)", (unsigned long long)a->working,
			    (unsigned long long)a->raid_disks);
}

static void tell_failed(const struct telling *g, const struct device *d, const struct member *m,
			const char *what)
{
	char left[LINE];

	describe_left(d->array, left);
	event_log_add(g->log, EVENT_MEMBER_FAILED, m->name, d->name, "%s %s %s%s", m->name, what,
		      d->name, left);
}

/* Whether it is missed: one that was good in an array that lacks more than before. */
static bool is_missed(const struct array *before, const struct array *now, const struct member *m)
{
	if (m->state != MEMBER_IN_SYNC && m->state != MEMBER_STATE_UNKNOWN)
		return false;
	if (before->degraded != UNKNOWN_U64 && now->degraded != UNKNOWN_U64)
		return now->degraded > before->degraded;
	return m->state == MEMBER_IN_SYNC;
}

static void tell_lost_members(const struct telling *g, const struct device *d,
			      const struct array *before)
{
	/* A stopping array lets go of its members: no news beside that it stops. */
	bool stopping = d->array->n_members == 0 ||
			(d->array->state == ARRAY_INACTIVE && !array_is_container(d->array));

	for (size_t i = 0; i < before->n_members; i++) {
		const struct member *was = &before->members[i];
		const struct member *is = find_member(d->array, was);

		if (!was->name[0])
			continue;
		if (is && is->state == MEMBER_FAULTY && was->state != MEMBER_FAULTY)
			tell_failed(g, d, is, "failed in");
		else if (!is && !stopping && is_missed(before, d->array, was))
			tell_failed(g, d, was, "dropped out of");
		else if (!is && !stopping)
			event_log_add(g->log, EVENT_GONE, was->name, d->name,
				      "%s was taken out of %s", was->name, d->name);
	}
}

static void tell_new_members(const struct telling *g, const struct device *d,
			     const struct array *before)
{
	for (size_t i = 0; i < d->array->n_members; i++) {
		const struct member *is = &d->array->members[i];
		const struct member *was = find_member(before, is);
		const char *as = is->state == MEMBER_SPARE     ? " as a spare"
				 : is->state == MEMBER_JOURNAL ? " as its journal"
							       : "";

		if (!is->name[0])
			continue;
		if (!was && is->state == MEMBER_FAULTY)
			tell_failed(g, d, is, "failed in");
		else if (is->state != MEMBER_FAULTY && (!was || was->state == MEMBER_FAULTY))
			event_log_add(g->log, EVENT_MEMBER_ADDED, is->name, d->name,
				      "%s was added to %s%s", is->name, d->name, as);
	}
}

/* ---- what runs ---- */

static bool is_running(const struct action *a)
{
	return a->state == ACTION_RUNNING || a->state == ACTION_STALLED;
}

static bool is_rebuild(const struct action *a)
{
	return a->kind == ACTION_RECOVERY && is_running(a);
}

static void describe_targets(const struct array *a, char *text)
{
	const char *between = " onto ";

	text[0] = '\0';
	for (size_t i = 0; i < a->n_members; i++) {
		size_t len = strlen(text);

		if (a->members[i].state != MEMBER_REBUILDING || !a->members[i].name[0])
			continue;
		text_format(text + len, LINE - len, "%s%s", between, a->members[i].name);
		between = " and ";
	}
}

static void tell_rebuild(const struct telling *g, const struct device *d, bool begins)
{
	uint64_t degraded = d->array->degraded;
	char targets[LINE];

	describe_targets(d->array, targets);
	if (begins)
		event_log_add(g->log, EVENT_REBUILD_START, d->name, "", "%s is being rebuilt%s",
			      d->name, targets);
	else if (degraded == 0)
		event_log_add(g->log, EVENT_REBUILD_END, d->name, "", "%s is rebuilt", d->name);
	else if (degraded != UNKNOWN_U64)
		event_log_add(g->log, EVENT_REBUILD_END, d->name, "",
			      "the rebuild of %s ended, it still lacks %llu", d->name,
			      (unsigned long long)degraded);
	else
		event_log_add(g->log, EVENT_REBUILD_END, d->name, "", "the rebuild of %s ended",
			      d->name);
}

static const char *const action_verbs[] = {
	[ACTION_RUNNING] = "runs",       [ACTION_DELAYED] = "is delayed",
	[ACTION_PENDING] = "is pending", [ACTION_REMOTE] = "runs on another node",
	[ACTION_STALLED] = "runs",
};

static void tell_other_action(const struct telling *g, const struct device *d,
			      const struct action *before)
{
	const struct action *now = &d->array->action;
	const char *what = action_kind_name(now->kind ? now->kind : before->kind);
	char mismatches[LINE] = "";

	if ((now->kind == before->kind && is_running(now) == is_running(before) &&
	     (is_running(now) || now->state == before->state)) ||
	    !what)
		return;
	if (before->kind == ACTION_CHECK && d->array->mismatch_count != UNKNOWN_U64)
		text_format(mismatches, sizeof(mismatches), ", mismatches: %llu",
			    (unsigned long long)d->array->mismatch_count);
	if (now->kind == ACTION_NONE)
		event_log_add(g->log, EVENT_ACTION_CHANGE, d->name, "", "the %s of %s ended%s",
			      what, d->name, mismatches);
	else
		event_log_add(g->log, EVENT_ACTION_CHANGE, d->name, "", "the %s of %s %s", what,
			      d->name, action_verbs[now->state]);
}

static void tell_action(const struct telling *g, const struct device *d,
			const struct action *before)
{
	const struct action *now = &d->array->action;
	static const struct action none = { .kind = ACTION_NONE };

	if (is_rebuild(before) && !is_rebuild(now)) {
		tell_rebuild(g, d, false);
		before = &none;
	}
	if (is_rebuild(now) && !is_rebuild(before))
		tell_rebuild(g, d, true);
	else
		tell_other_action(g, d, before);
}

/* ---- arrays ---- */

static void tell_state(const struct telling *g, const struct device *d, const struct array *before)
{
	const struct array *now = d->array;
	const char *readonly = array_readonly_name(now->readonly);

	if (now->state != before->state && array_state_name(now->state) &&
	    array_state_name(before->state))
		event_log_add(g->log, EVENT_ARRAY_STATE, d->name, "", "%s is %s, it was %s",
			      d->name, array_state_name(now->state),
			      array_state_name(before->state));
	if (now->readonly != before->readonly)
		event_log_add(g->log, EVENT_ARRAY_STATE, d->name, "", "%s is %s", d->name,
			      readonly ? readonly : "read-write");
	if (strcmp(now->level, before->level) != 0 && now->level[0] && before->level[0])
		event_log_add(g->log, EVENT_ARRAY_STATE, d->name, "", "%s is %s, it was %s",
			      d->name, now->level, before->level);
}

/* Only where nothing else was said that explains it. */
static void tell_degraded(const struct telling *g, const struct device *d,
			  const struct array *before)
{
	uint64_t now = d->array->degraded, then = before->degraded;
	char left[LINE];

	if (now == then || now == UNKNOWN_U64 || then == UNKNOWN_U64)
		return;
	describe_left(d->array, left);
	if (now > 0)
		event_log_add(g->log, EVENT_ARRAY_STATE, d->name, "", "%s lacks %llu%s", d->name,
			      (unsigned long long)now, left);
	else
		event_log_add(g->log, EVENT_ARRAY_STATE, d->name, "", "%s is whole again", d->name);
}

static void tell_array(const struct telling *g, size_t slot)
{
	const struct device *d = g->t->devices[slot];
	const struct array *before = g->slots[slot].before->array;
	static const struct action idle = { .kind = ACTION_NONE };
	uint64_t last = g->log->last;

	if (!g->slots[slot].was_present || !before) {
		tell_action(g, d, &idle);
		return;
	}
	tell_lost_members(g, d, before);
	tell_new_members(g, d, before);
	tell_state(g, d, before);
	tell_action(g, d, &before->action);
	if (g->log->last == last)
		tell_degraded(g, d, before);
}

void topology_tell(const struct topology *t, const struct adoption *slots, struct event_log *log)
{
	const struct telling g = { .t = t, .slots = slots, .log = log };

	tell_gone(&g);
	tell_come(&g);
	for (size_t slot = 0; slot < t->n_devices; slot++)
		if (t->devices[slot]->present && t->devices[slot]->array && slots[slot].before)
			tell_array(&g, slot);
}
