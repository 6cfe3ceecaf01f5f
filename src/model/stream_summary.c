/*
 * A stream's view has what it has done since its first I/O and how long it ran without pauses; the
 * growth of both between two samples is what counts, so preparation, pauses and a late sample
 * change nothing. Of several streams the clock is the union of their times: those that begin later
 * or end earlier neither stretch it nor are added up as if they had run side by side.
 */
#include "raidtop/stream_summary.h"

#include <math.h>
#include <string.h>

#include "raidtop/clock.h"

uint64_t stream_amount(const struct stream_view *v)
{
	if (stream_kind_counts_files(v->spec.workload))
		return v->read_ios + v->write_ios;
	return v->read_bytes + v->write_bytes;
}

/* ---- series ---- */

void stream_series_init(struct stream_series *s, uint64_t interval_us)
{
	s->n = s->n_dropped = 0;
	s->amount = s->running_ns = 0;
	seconds_fold_init(&s->fold, interval_us);
}

static void add_value(struct stream_series *s, float value)
{
	if (s->n == STREAM_VALUES_MAX) {
		memmove(&s->values[0], &s->values[1], (s->n - 1) * sizeof(s->values[0]));
		s->n--;
		s->n_dropped++;
	}
	s->values[s->n++] = value;
}

static bool end_stretch(struct stream_series *s)
{
	float value;

	if (!seconds_fold_end(&s->fold, &value))
		return false;
	add_value(s, value);
	return true;
}

/* One gap, however long it lasts, and none before the first value. */
static bool add_gap(struct stream_series *s)
{
	bool added = end_stretch(s);

	if (s->n == 0 || isnan(s->values[s->n - 1]))
		return added;
	add_value(s, NAN);
	return true;
}

static bool add_sample(struct stream_series *s, uint64_t amount, uint64_t running_ns)
{
	uint64_t more = amount - s->amount, time_us = (running_ns - s->running_ns) / NS_PER_US;
	float value;

	if (amount < s->amount || running_ns < s->running_ns || time_us == 0)
		return false;
	s->amount = amount;
	s->running_ns += time_us * NS_PER_US;
	if (!seconds_fold_add(&s->fold, (double)more, time_us, true, &value))
		return false;
	add_value(s, value);
	return true;
}

bool stream_series_add(struct stream_series *s, const struct stream_view *v)
{
	bool added = add_sample(s, stream_amount(v), v->running_ns);

	return v->state == STREAM_PAUSED ? add_gap(s) || added : added;
}

bool stream_series_add_sum(struct stream_series *s, const struct stream_view *views, size_t n)
{
	uint64_t amount = 0;
	bool runs = false, has_begun = false, added;

	for (size_t i = 0; i < n; i++) {
		amount += stream_amount(&views[i]);
		has_begun = has_begun || views[i].began_ns > 0;
		runs = runs || (views[i].began_ns > 0 && !stream_is_finished(views[i].state) &&
				views[i].state != STREAM_PAUSED);
	}
	added = add_sample(s, amount, stream_union_ns(views, n));
	return has_begun && !runs ? add_gap(s) || added : added;
}

void stream_series_end(struct stream_series *s)
{
	end_stretch(s);
	while (s->n > 0 && isnan(s->values[s->n - 1]))
		s->n--;
}

/* ---- times of several ---- */

static uint64_t finish_of(const struct stream_view *v)
{
	return v->began_ns + v->running_ns + v->paused_ns;
}

/* The one that begins first of those that last beyond `from_ns`, or NULL. */
static const struct stream_view *first_after(const struct stream_view *views, size_t n,
					     uint64_t from_ns)
{
	const struct stream_view *first = NULL;

	for (size_t i = 0; i < n; i++) {
		if (views[i].began_ns > 0 && finish_of(&views[i]) > from_ns &&
		    (!first || views[i].began_ns < first->began_ns))
			first = &views[i];
	}
	return first;
}

uint64_t stream_union_ns(const struct stream_view *views, size_t n)
{
	const struct stream_view *v;
	uint64_t sum = 0, until = 0;

	while ((v = first_after(views, n, until))) {
		uint64_t from = v->began_ns > until ? v->began_ns : until;

		until = finish_of(v);
		sum += until - from;
	}
	return sum;
}

bool stream_group_times(struct stream_group_times *ret, const struct stream_view *views, size_t n)
{
	uint64_t began = UINT64_MAX, first = UINT64_MAX, last = 0;

	for (size_t i = 0; i < n; i++) {
		uint64_t finish = finish_of(&views[i]);

		if (views[i].began_ns == 0)
			continue;
		began = views[i].began_ns < began ? views[i].began_ns : began;
		first = finish < first ? finish : first;
		last = finish > last ? finish : last;
	}
	if (began == UINT64_MAX)
		return false;
	ret->union_ns = stream_union_ns(views, n);
	ret->first_finish_ns = first - began;
	ret->last_finish_ns = last - began;
	return true;
}

/* ---- summaries ---- */

static struct seconds seconds_of(const struct stream_series *s)
{
	return (struct seconds){ s->values, s->n, s->fold.slot_us, seconds_fold_mean(&s->fold),
				 true };
}

static double mean_of(const float *values, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += (double)values[i];
	return n ? sum / (double)n : (double)NAN;
}

/* Five rounds of equal length, the last of them the newest values. */
static bool judge_steady(struct steady_state *ret, const float *values, size_t n)
{
	double rounds[STEADY_STATE_ROUNDS];
	size_t length = n / STEADY_STATE_ROUNDS;

	if (length == 0)
		return false;
	values += n - length * STEADY_STATE_ROUNDS;
	for (size_t i = 0; i < STEADY_STATE_ROUNDS; i++)
		rounds[i] = mean_of(values + i * length, length);
	return steady_state_judge(ret, rounds);
}

void stream_summary_compute(struct stream_summary *ret, const struct stream_series *s,
			    float *scratch)
{
	struct seconds series = seconds_of(s);
	size_t first = 0, n = seconds_find_stretch(s->values, s->n, &first);
	const float *settled = s->values + first;

	memset(ret, 0, sizeof(*ret));
	ret->n_values = s->n;
	ret->n_dropped = s->n_dropped;
	ret->slot_s = (double)s->fold.slot_us / 1e6;
	ret->mean = series.mean;
	ret->mean_to_disk = (double)NAN;
	note_compute(&ret->note, &series, scratch);
	warmup_find(&ret->warmup, settled, n);
	if (ret->warmup.state == WARMUP_SETTLED) {
		settled += ret->warmup.n_values;
		n -= ret->warmup.n_values;
	}
	ret->settled_mean = mean_of(settled, n);
	confidence_compute(&ret->confidence, settled, n);
	ret->has_steady = judge_steady(&ret->steady, settled, n);
}

void stream_summary_take_sync(struct stream_summary *ret, const struct stream_view *v)
{
	uint64_t ns = v->running_ns + v->sync_ns;

	if (v->write_bytes > 0 && ns > 0)
		ret->mean_to_disk = (double)stream_amount(v) * (double)NS_PER_SEC / (double)ns;
}

void stream_series_note(const struct stream_series *s, float *scratch, struct note *ret)
{
	struct seconds series = seconds_of(s);

	note_compute(ret, &series, scratch);
}

void latency_summarize(struct latency_summary *ret, const struct latency *l)
{
	memset(ret, 0, sizeof(*ret));
	if (!l || l->total == 0)
		return;
	ret->count = l->total;
	latency_quantile(l, 500, &ret->p50_ns);
	latency_quantile(l, 950, &ret->p95_ns);
	latency_quantile(l, 990, &ret->p99_ns);
	latency_quantile(l, 999, &ret->p999_ns);
	ret->max_ns = l->max_ns;
}
