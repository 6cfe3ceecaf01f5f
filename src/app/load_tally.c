/*
 * The views that a tick shows are gone with the next one, and streams leave the table when they are
 * over; what is to be told of them at the end is kept here. Devices are counted over whole ticks
 * from the first in which a stream ran; where files were being made until then, from the next one
 * on, so that making them is not taken for load.
 */
#include "load_tally.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "raidtop/clock.h"
#include "raidtop/memory.h"

static unsigned int copies_of(const struct stream_spec *spec)
{
	return spec->copies ? spec->copies : 1;
}

static void note_asked(struct load_tally *t, const struct stream_spec *specs, size_t n_specs)
{
	size_t at = 0;

	t->asked = memory_new(t->n, sizeof(struct stream_spec *));
	for (size_t i = 0; i < n_specs; i++) {
		for (unsigned int copy = 0; copy < copies_of(&specs[i]); copy++)
			t->asked[at++] = &specs[i];
	}
}

void load_tally_init(struct load_tally *t, unsigned int first, const struct stream_spec *specs,
		     size_t n_specs, uint64_t interval_us)
{
	memset(t, 0, sizeof(*t));
	t->first = first;
	for (size_t i = 0; i < n_specs; i++)
		t->n += copies_of(&specs[i]);
	note_asked(t, specs, n_specs);
	t->views = memory_new(t->n, sizeof(*t->views));
	t->series = memory_new(t->n, sizeof(*t->series));
	t->latencies = memory_new(t->n * STREAM_HIST_COUNT, sizeof(*t->latencies));
	t->scratch = memory_new(STREAM_VALUES_MAX, sizeof(float));
	stream_series_init(&t->sum, interval_us);
	for (size_t i = 0; i < t->n; i++) {
		t->views[i].number = first + (unsigned int)i;
		t->views[i].spec = *t->asked[i];
		t->views[i].disk_pct = -1;
		stream_series_init(&t->series[i], interval_us);
	}
}

void load_tally_release(struct load_tally *t)
{
	free(t->views);
	free(t->asked);
	free(t->series);
	free(t->latencies);
	free(t->scratch);
	free(t->devices);
	memset(t, 0, sizeof(*t));
}

/* ---- streams ---- */

/* What it points at goes with the stream. */
static void keep_latencies(struct load_tally *t, size_t i)
{
	for (enum stream_hist h = 0; h < STREAM_HIST_COUNT; h++) {
		struct latency *kept = &t->latencies[i * STREAM_HIST_COUNT + h];
		const struct latency *l = record_hist_of(&t->views[i], h);

		if (!l)
			continue;
		*kept = *l;
		record_hist_set(&t->views[i], h, kept);
	}
}

static void take_view(struct load_tally *t, const struct stream_view *v)
{
	size_t i = v->number - t->first;

	if (v->number < t->first || i >= t->n || stream_is_finished(t->views[i].state))
		return;
	t->views[i] = *v;
	stream_series_add(&t->series[i], v);
	if (stream_is_finished(v->state))
		keep_latencies(t, i);
}

/* ---- devices ---- */

static void grow_devices(struct load_tally *t, size_t n)
{
	if (n <= t->n_devices)
		return;
	t->devices = memory_resize(t->devices, n, sizeof(*t->devices));
	memset(&t->devices[t->n_devices], 0, (n - t->n_devices) * sizeof(*t->devices));
	for (size_t i = t->n_devices; i < n; i++)
		t->devices[i].traffic.known = !t->is_open; /* one that came later is not known */
	t->n_devices = n;
}

static bool is_target(const struct load_tally *t, const char *name)
{
	for (size_t i = 0; i < t->n; i++) {
		if (t->views[i].spec.device[0] && strcmp(t->views[i].spec.device, name) == 0)
			return true;
	}
	return false;
}

static void take_device(struct load_device *d, const struct device *device,
			const struct figures *figures, uint64_t interval_us)
{
	struct traffic more;

	traffic_from_figures(&more, figures, interval_us);
	traffic_add(&d->traffic, &more);
	if (device->array && device->array->action.kind != ACTION_NONE &&
	    device->array->action.state == ACTION_RUNNING)
		d->action = device->array->action.kind;
}

static void take_devices(struct load_tally *t, const struct topology *topology,
			 const struct tick *tick)
{
	grow_devices(t, topology->n_devices);
	for (size_t i = 0; i < t->n_devices && i < tick->n_devices; i++) {
		struct load_device *d = &t->devices[i];

		d->is_target = d->is_target || is_target(t, topology->devices[i]->name);
		take_device(d, topology->devices[i], &tick->devices[i], tick->interval_us);
	}
}

/* ---- a tick ---- */

void load_tally_step(struct load_tally *t, const struct topology *topology, const struct tick *tick,
		     const struct stream_view *views, size_t n)
{
	bool was_over = load_tally_is_over(t), runs = false, prepares = false;

	for (size_t i = 0; i < n; i++)
		take_view(t, &views[i]);
	for (size_t i = 0; i < t->n; i++) {
		runs = runs || t->views[i].began_ns > 0;
		prepares = prepares || t->views[i].state == STREAM_PREPARING;
	}
	stream_series_add_sum(&t->sum, t->views, t->n);
	if (runs && !was_over && (t->is_open || !t->was_preparing))
		take_devices(t, topology, tick);
	t->is_open = t->is_open || runs;
	t->was_preparing = prepares;
}

void load_tally_end(struct load_tally *t)
{
	for (size_t i = 0; i < t->n; i++) {
		stream_series_end(&t->series[i]);
		if (!stream_is_finished(t->views[i].state))
			text_copy(t->views[i].why, sizeof(t->views[i].why),
				  "it had not ended when raidtop did, and was killed");
	}
	stream_series_end(&t->sum);
}

bool load_tally_is_over(const struct load_tally *t)
{
	for (size_t i = 0; i < t->n; i++) {
		if (!stream_is_finished(t->views[i].state))
			return false;
	}
	return true;
}

bool load_tally_has_failed(const struct load_tally *t)
{
	for (size_t i = 0; i < t->n; i++) {
		if (t->views[i].state == STREAM_FAILED || t->views[i].errors > 0)
			return true;
	}
	return false;
}

/* ---- results ---- */

void load_tally_stream(const struct load_tally *t, size_t i, struct stream_summary *ret)
{
	stream_summary_compute(ret, &t->series[i], t->scratch);
	stream_summary_take_sync(ret, &t->views[i]);
}

/* The time in which one of them ran or synced; a longer fdatasync than the others' counts alone. */
static uint64_t union_with_sync_ns(const struct load_tally *t)
{
	struct stream_view *v = memory_new(t->n, sizeof(*v));
	uint64_t ns;

	memcpy(v, t->views, t->n * sizeof(*v));
	for (size_t i = 0; i < t->n; i++)
		v[i].running_ns += v[i].sync_ns;
	ns = stream_union_ns(v, t->n);
	free(v);
	return ns;
}

void load_tally_sum(const struct load_tally *t, struct load_sum *ret)
{
	uint64_t ns = union_with_sync_ns(t), amount = 0;
	bool all_write = true;

	memset(ret, 0, sizeof(*ret));
	stream_summary_compute(&ret->summary, &t->sum, t->scratch);
	ret->has_times = stream_group_times(&ret->times, t->views, t->n);
	for (size_t i = 0; i < t->n; i++) {
		const struct stream_view *v = &t->views[i];

		amount += stream_amount(v);
		all_write = all_write && v->write_bytes > 0;
		ret->read_bytes += v->read_bytes;
		ret->write_bytes += v->write_bytes;
		ret->ios += v->read_ios + v->write_ios;
	}
	/* All over the union, whenever the ticks came. */
	if (ret->has_times && ret->times.union_ns > 0)
		ret->summary.mean =
			(double)amount * (double)NS_PER_SEC / (double)ret->times.union_ns;
	if (all_write && ns > 0)
		ret->summary.mean_to_disk = (double)amount * (double)NS_PER_SEC / (double)ns;
}

const struct latency *load_tally_latency(const struct load_tally *t, enum stream_hist which,
					 struct latency *sum)
{
	bool any = false;

	memset(sum, 0, sizeof(*sum));
	for (size_t i = 0; i < t->n; i++) {
		const struct latency *l = record_hist_of(&t->views[i], which);

		if (!l)
			continue;
		latency_merge(sum, l);
		any = true;
	}
	return any ? sum : NULL;
}
