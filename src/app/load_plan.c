/*
 * The sentence that stands before any load: what will be read, written and left behind, and where.
 * And the line of a stream while it runs.
 */
#include "load_tell.h"

#include <inttypes.h>
#include <string.h>

#include "raidtop/clock.h"
#include "raidtop/outlook.h"

#define SIZE_TEXT_BYTES 32

/* ---- before ---- */

static const struct device *find_device(const struct topology *t, const char *name)
{
	for (size_t i = 0; i < t->n_devices; i++) {
		if (t->devices[i]->present && strcmp(t->devices[i]->name, name) == 0)
			return t->devices[i];
	}
	return NULL;
}

/* "3 times sequential read for 60 s"; of a fraction of a second as it was asked for. */
static void tell_what(struct buffer *out, const struct stream_spec *spec)
{
	const struct stream_kind *kind = stream_kind_find(spec->workload);
	unsigned int copies = spec->copies ? spec->copies : 1;
	char time[SIZE_TEXT_BYTES];

	if (copies > 1)
		buffer_format(out, "%u times ", copies);
	buffer_add_text(out, kind ? kind->for_people : spec->workload);
	units_format_left(time, sizeof(time), spec->time_ns);
	if (spec->time_ns == 0)
		buffer_add_text(out, " until stopped");
	else if (spec->time_ns < 10 * NS_PER_SEC)
		buffer_format(out, " for %.3g s", (double)spec->time_ns / (double)NS_PER_SEC);
	else
		buffer_format(out, " for %s", time);
}

void load_tell_plan(struct buffer *out, const struct stream_spec *spec, enum units units)
{
	struct outlook outlook;
	char why[256];

	if (outlook_find(spec, units, &outlook, why, sizeof(why)) < 0)
		return; /* starting it refuses it in the same words */
	tell_what(out, spec);
	buffer_format(out, ": %s.", outlook.effect);
	/* Of a bare device its name is all there is to say, and that was said. */
	if (strchr(outlook.place, ' '))
		buffer_format(out, " %s.", outlook.place);
	buffer_add_char(out, '\n');
}

bool load_tell_background(struct buffer *out, const struct stream_spec *spec,
			  const struct topology *t)
{
	const struct device *d = find_device(t, spec->device);

	if (!d || !d->array || d->array->action.kind == ACTION_NONE)
		return false;
	buffer_format(out, "a %s runs on %s: the figures will not be of the streams alone\n",
		      action_kind_name(d->array->action.kind), d->name);
	return true;
}

/* ---- while ---- */

static void tell_preparing(struct buffer *out, const struct stream_view *v, uint64_t prepared_ns)
{
	uint64_t done = v->prepared_bytes, all = v->prepare_bytes;
	char left[SIZE_TEXT_BYTES];

	buffer_add_text(out, "preparing its file");
	if (all == 0)
		return;
	buffer_format(out, " %3u %%", (unsigned int)(100 * (double)done / (double)all));
	if (done == 0 || done > all)
		return;
	units_format_left(left, sizeof(left),
			  (uint64_t)((double)prepared_ns * (double)(all - done) / (double)done));
	buffer_format(out, ", %s left", left);
}

static void add_figure(struct buffer *out, const struct stream_view *v, enum units units,
		       double per_sec)
{
	bool files = stream_kind_counts_files(v->spec.workload);
	char text[SIZE_TEXT_BYTES] = "-";

	if (per_sec >= 0)
		units_format_three(text, sizeof(text),
				   files ? per_sec : units_rate(units, per_sec));
	buffer_format(out, "%7s %s", text, files ? "files/s" : units_rate_name(units));
}

static void tell_times(struct buffer *out, const struct stream_view *v)
{
	char text[SIZE_TEXT_BYTES];

	units_format_clock(text, sizeof(text), v->running_ns);
	buffer_format(out, "  %s", text);
	if (v->spec.time_ns > v->running_ns) {
		units_format_left(text, sizeof(text), v->spec.time_ns - v->running_ns);
		buffer_format(out, ", %s left", text);
	}
	if (v->oldest_io_ns >= NS_PER_SEC) {
		units_format_left(text, sizeof(text), v->oldest_io_ns);
		buffer_format(out, "  no answer for %s", text);
	}
}

static void tell_running(struct buffer *out, const struct stream_view *v, enum units units)
{
	double now = v->read_bytes_per_sec;
	double mean = v->running_ns ? (double)stream_amount(v) * (double)NS_PER_SEC /
					      (double)v->running_ns
				    : -1;

	if (v->write_bytes_per_sec > 0)
		now = (now > 0 ? now : 0) + v->write_bytes_per_sec;
	if (!stream_kind_counts_files(v->spec.workload))
		add_figure(out, v, units, now);
	buffer_add_text(out, "  mean");
	add_figure(out, v, units, mean);
	tell_times(out, v);
	if (v->state != STREAM_RUNNING)
		buffer_format(out, "  %s", stream_state_name(v->state));
}

void load_tell_progress(struct buffer *out, const struct stream_view *v, enum units units,
			uint64_t prepared_ns)
{
	buffer_format(out, "%3u %-10s %-8s ", v->number, v->spec.workload, v->spec.device);
	if (v->state == STREAM_PREPARING)
		tell_preparing(out, v, prepared_ns);
	else if (v->began_ns == 0)
		buffer_add_text(out, stream_state_name(v->state));
	else
		tell_running(out, v, units);
	if (stream_is_finished(v->state) && v->why[0])
		buffer_format(out, ": %s", v->why);
}
