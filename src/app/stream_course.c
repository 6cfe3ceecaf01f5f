/*
 * Whether a stream's reads came from the disk is judged by what its device moved while it ran. The
 * device's counters are read at a tick and the stream's a moment later, and it begins somewhere
 * within a tick; so the window is of whole ticks, from the last one before its first transfer, and
 * what other streams on the same device read in it counts as well.
 */
#include "stream_course.h"

#include <math.h>
#include <string.h>

#include "raidtop/memory.h"
#include "raidtop/proof.h"
#include "raidtop/text.h"

/* ---- words ---- */

/* Files a second are written as they are, where bytes would be divided to MB. */
static void scale_note(struct note *note)
{
	note->band.low *= 1e6;
	note->band.peak *= 1e6;
	note->dips.deepest *= 1e6;
	note->mean *= 1e6;
}

static void take_note(struct stream_course *c, const struct stream_view *v, float *scratch)
{
	bool files = stream_kind_counts_files(v->spec.workload);
	struct note_style style = { UNITS_SI, !files, "-" };
	struct note note;

	stream_series_note(&c->series, scratch, &note);
	c->low = note.band.n > 0 ? floor(note.band.low) : -1;
	c->high = note.band.n > 0 ? floor(note.band.peak) : -1;
	if (files)
		scale_note(&note);
	note_format(c->note, sizeof(c->note), &note, &style);
}

/* Of bytes only: what is small beside 1 MB/s is of no weight (level_change.h). */
static void take_level(struct stream_course *c)
{
	float newest = c->series.values[c->series.n - 1];

	c->level_changed = level_watch_add(&c->level, newest, &c->change);
}

/* ---- what the device moved ---- */

static uint64_t device_total(const struct topology *t, const struct tick *tick, const char *name)
{
	for (size_t i = 0; t && tick && i < t->n_devices && i < tick->n_devices; i++) {
		const struct counters *c = &tick->devices[i].totals;

		if (t->devices[i]->present && strcmp(t->devices[i]->name, name) == 0)
			return counters_has(c, COUNTER_READ_BYTES) && !tick->devices[i].derived
				       ? c->value[COUNTER_READ_BYTES]
				       : UNKNOWN_U64;
	}
	return UNKNOWN_U64;
}

static uint64_t read_on_device(struct stream_course *const *courses,
			       const struct stream_view *views, size_t n, const char *device)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < n; i++) {
		if (strcmp(views[i].spec.device, device) == 0)
			sum += courses[i]->more_bytes;
	}
	return sum;
}

static void take_device(struct stream_course *c, uint64_t total, uint64_t window_bytes)
{
	uint64_t before = c->device_total;

	c->device_total = total;
	if (!c->has_begun)
		return;
	c->window_bytes += window_bytes;
	if (before == UNKNOWN_U64 || total == UNKNOWN_U64 || total < before)
		c->device_bytes = UNKNOWN_U64;
	else if (c->device_bytes != UNKNOWN_U64)
		c->device_bytes += total - before;
}

static void judge(const struct stream_course *c, struct stream_view *v)
{
	struct proof_facts facts = {
		.read_bytes = v->read_bytes,
		.disk_read_bytes = v->disk_read_bytes,
		.disk_read_of_bytes = v->disk_read_of_bytes,
		.window_bytes = c->window_bytes,
		.device_bytes = c->device_bytes,
		.source = v->source,
		.cached_bytes = v->cached_bytes,
	};
	struct proof_verdict verdict = proof_judge(&facts);

	v->proof = verdict.proof;
	v->disk_pct = verdict.disk_pct;
	v->low_bytes_per_sec = c->low;
	v->high_bytes_per_sec = c->high;
	text_copy(v->note, sizeof(v->note), c->note);
}

struct stream_course *stream_course_new(uint64_t interval_us, const char *device,
					const struct topology *t, const struct tick *tick)
{
	struct stream_course *c = memory_new(1, sizeof(*c));

	stream_series_init(&c->series, interval_us);
	c->device_total = device_total(t, tick, device);
	c->low = c->high = -1;
	return c;
}

void stream_courses_step(struct stream_course *const *courses, struct stream_view *views, size_t n,
			 const struct topology *t, const struct tick *tick, float *scratch)
{
	for (size_t i = 0; i < n; i++) {
		struct stream_course *c = courses[i];

		c->has_begun = c->has_begun || views[i].began_ns > 0;
		c->more_bytes = views[i].read_bytes - c->read_bytes;
		c->read_bytes = views[i].read_bytes;
		c->level_changed = false;
		if (!stream_series_add(&c->series, &views[i]))
			continue;
		take_note(c, &views[i], scratch);
		take_level(c);
	}
	for (size_t i = 0; i < n; i++) {
		const char *device = views[i].spec.device;

		take_device(courses[i], device_total(t, tick, device),
			    read_on_device(courses, views, n, device));
		judge(courses[i], &views[i]);
	}
}
