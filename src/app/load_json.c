/*
 * The results as one JSON object, for programs. Rates are whole bytes (or files) a second, times
 * seconds or nanoseconds as their names say; unknown is null.
 */
#include "load_tell.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "raidtop/clock.h"
#include "raidtop/json.h"
#include "raidtop/memory.h"
#include "raidtop/number.h"

#define LOAD_FORMAT_VERSION 1

static void add_fixed(struct json *j, const char *key, double value, unsigned int digits)
{
	static const double units[] = { 1, 10, 100, 1000 };

	if (isnan(value) || fabs(value) > 1e15)
		json_add_null(j, key);
	else
		json_add_fixed(j, key, (int64_t)llround(value * units[digits]), digits);
}

static void add_seconds(struct json *j, const char *key, uint64_t ns)
{
	add_fixed(j, key, (double)ns / 1e9, 3);
}

static void add_rate(struct json *j, const char *key, double per_sec)
{
	if (isnan(per_sec) || per_sec < 0)
		json_add_null(j, key);
	else
		json_add_u64(j, key, (uint64_t)llround(per_sec));
}

static void add_known(struct json *j, const char *key, uint64_t value)
{
	if (value == UNKNOWN_U64)
		json_add_null(j, key);
	else
		json_add_u64(j, key, value);
}

static void add_text_or_null(struct json *j, const char *key, const char *text)
{
	json_add_text(j, key, text[0] ? text : NULL);
}

/* ---- summaries ---- */

static void add_latency(struct json *j, const char *key, const struct latency *l)
{
	struct latency_summary sum;

	latency_summarize(&sum, l);
	if (sum.count == 0) {
		json_add_null(j, key);
		return;
	}
	json_open_object(j, key);
	json_add_u64(j, "count", sum.count);
	json_add_u64(j, "min", l->min_ns);
	json_add_u64(j, "p50", sum.p50_ns);
	json_add_u64(j, "p95", sum.p95_ns);
	json_add_u64(j, "p99", sum.p99_ns);
	json_add_u64(j, "p99_9", sum.p999_ns);
	json_add_u64(j, "max", sum.max_ns);
	json_close_object(j);
}

static void add_dips(struct json *j, const struct dips *dips)
{
	json_open_object(j, "dips");
	json_add_u64(j, "count", dips->count);
	add_fixed(j, "seconds", dips->seconds, 3);
	add_rate(j, "deepest_per_sec", dips->count ? dips->deepest : (double)NAN);
	json_close_object(j);
}

static void add_warmup(struct json *j, const struct stream_summary *sum)
{
	bool known = sum->warmup.state != WARMUP_UNKNOWN;

	json_open_object(j, "warmup");
	if (known)
		json_add_bool(j, "settled", sum->warmup.state == WARMUP_SETTLED);
	else
		json_add_null(j, "settled");
	add_fixed(j, "seconds", known ? (double)sum->warmup.n_values * sum->slot_s : (double)NAN,
		  3);
	add_rate(j, "mean_after_per_sec", sum->settled_mean);
	json_close_object(j);
}

static void add_confidence(struct json *j, const struct stream_summary *sum)
{
	const struct confidence *c = &sum->confidence;

	if (c->state == CONFIDENCE_UNKNOWN) {
		json_add_null(j, "confidence");
		return;
	}
	json_open_object(j, "confidence");
	json_add_bool(j, "reliable", c->state == CONFIDENCE_RELIABLE);
	add_rate(j, "mean_per_sec", c->mean);
	add_rate(j, "half_width_per_sec", c->half_width);
	json_add_u64(j, "batches", c->n_batches);
	json_close_object(j);
}

static void add_steady(struct json *j, const struct stream_summary *sum)
{
	if (!sum->has_steady) {
		json_add_null(j, "steady_state");
		return;
	}
	json_open_object(j, "steady_state");
	json_add_bool(j, "steady", sum->steady.steady);
	add_fixed(j, "range_pct", sum->steady.range_pct, 1);
	add_fixed(j, "line_pct", sum->steady.line_pct, 1);
	json_close_object(j);
}

/* `unit`: what the rates count. */
static void add_summary(struct json *j, const struct stream_summary *sum, bool files)
{
	static const struct note_style style = { UNITS_SI, true, "-" };
	bool has_band = sum->note.band.n > 0;
	char note[96] = "";

	json_add_text(j, "unit", files ? "files" : "bytes");
	add_rate(j, "mean_per_sec", sum->mean);
	add_rate(j, "low_per_sec", has_band ? sum->note.band.low : (double)NAN);
	add_rate(j, "high_per_sec", has_band ? sum->note.band.peak : (double)NAN);
	add_rate(j, "to_disk_per_sec", sum->mean_to_disk);
	json_add_u64(j, "values", sum->n_values);
	json_add_u64(j, "values_dropped", sum->n_dropped);
	add_fixed(j, "value_s", sum->slot_s, 3);
	add_fixed(j, "variation_pct", has_band ? sum->note.variation_pct : (double)NAN, 1);
	if (!files)
		note_format(note, sizeof(note), &sum->note, &style);
	add_text_or_null(j, "note", note);
	add_dips(j, &sum->note.dips);
	add_warmup(j, sum);
	add_confidence(j, sum);
	add_steady(j, sum);
}

/* ---- streams ---- */

static void add_bytes(struct json *j, uint64_t read_bytes, uint64_t write_bytes)
{
	json_add_u64(j, "read_bytes", read_bytes);
	json_add_u64(j, "write_bytes", write_bytes);
}

static void add_proof(struct json *j, const struct stream_view *v)
{
	add_text_or_null(j, "proof", proof_name(v->proof));
	add_fixed(j, "disk_pct", v->disk_pct < 0 ? (double)NAN : v->disk_pct, 1);
	add_known(j, "disk_read_bytes", v->disk_read_bytes);
	add_text_or_null(j, "source", stream_source_name(v->source));
	json_add_u64(j, "cached_bytes", v->cached_bytes);
}

static void add_identity(struct json *j, const struct stream_view *v,
			 const struct stream_spec *asked)
{
	struct buffer spec = BUFFER_INIT;

	stream_spec_format(asked, &spec);
	json_add_u64(j, "number", v->number);
	json_add_u64(j, "group", v->group);
	json_add_text(j, "spec", buffer_text(&spec));
	json_add_text(j, "workload", v->spec.workload);
	json_add_text(j, "target", v->spec.target);
	add_text_or_null(j, "device", v->spec.device);
	add_text_or_null(j, "file", v->file);
	json_add_text(j, "state", stream_state_name(v->state));
	add_text_or_null(j, "why", v->why);
	buffer_release(&spec);
}

static void add_stream(struct json *j, const struct load_result *r, size_t i)
{
	const struct stream_view *v = &r->tally->views[i];
	struct stream_summary sum;

	load_tally_stream(r->tally, i, &sum);
	json_open_object(j, NULL);
	add_identity(j, v, r->tally->asked[i]);
	add_bytes(j, v->read_bytes, v->write_bytes);
	json_add_u64(j, "read_ios", v->read_ios);
	json_add_u64(j, "write_ios", v->write_ios);
	json_add_u64(j, "errors", v->errors);
	add_seconds(j, "running_s", v->running_ns);
	add_seconds(j, "paused_s", v->paused_ns);
	add_seconds(j, "sync_s", v->sync_ns);
	add_summary(j, &sum, stream_kind_counts_files(v->spec.workload));
	json_open_object(j, "latency_ns");
	add_latency(j, "read", v->read_latency);
	add_latency(j, "write", v->write_latency);
	add_latency(j, "scheduled", v->scheduled_latency);
	json_close_object(j);
	add_known(j, "first_ns", v->first_ns ? v->first_ns : UNKNOWN_U64);
	add_seconds(j, "cpu_user_s", v->cpu_user_ns);
	add_seconds(j, "cpu_system_s", v->cpu_system_ns);
	add_proof(j, v);
	json_close_object(j);
}

static void add_sum(struct json *j, const struct load_result *r)
{
	struct latency *merged = memory_new(1, sizeof(*merged));
	struct load_sum sum;

	load_tally_sum(r->tally, &sum);
	json_open_object(j, "sum");
	add_bytes(j, sum.read_bytes, sum.write_bytes);
	json_add_u64(j, "ios", sum.ios);
	if (sum.has_times) {
		add_seconds(j, "union_s", sum.times.union_ns);
		add_seconds(j, "first_finish_s", sum.times.first_finish_ns);
		add_seconds(j, "last_finish_s", sum.times.last_finish_ns);
	}
	add_summary(j, &sum.summary, false);
	json_open_object(j, "latency_ns");
	for (enum stream_hist h = 0; h < STREAM_HIST_COUNT; h++)
		add_latency(j, record_hists[h].key, load_tally_latency(r->tally, h, merged));
	json_close_object(j);
	json_close_object(j);
	free(merged);
}

/* ---- arrays ---- */

static void add_bytes_or_null(struct json *j, const char *key, double bytes)
{
	add_rate(j, key, bytes);
}

static void add_members(struct json *j, const struct load_array *a)
{
	json_open_array(j, "members");
	for (size_t i = 0; i < a->device->array->n_members; i++) {
		const struct load_member *m = &a->members[i];

		json_open_object(j, NULL);
		add_text_or_null(j, "name", m->name);
		add_bytes_or_null(j, "read_bytes", m->read_bytes);
		add_bytes_or_null(j, "write_bytes", m->write_bytes);
		add_fixed(j, "read_share_pct", m->read_share_pct, 1);
		add_fixed(j, "write_share_pct", m->write_share_pct, 1);
		json_close_object(j);
	}
	json_close_array(j);
}

static const char *rmw_name(enum rmw rmw)
{
	static const char *const names[] = {
		[RMW_UNKNOWN] = NULL,
		[RMW_NONE] = "none",
		[RMW_PARTLY] = "partly",
		[RMW_FULL] = "read-modify-write",
	};

	return names[rmw];
}

static void add_array(struct json *j, const struct load_array *a)
{
	json_open_object(j, NULL);
	json_add_text(j, "name", a->device->name);
	add_text_or_null(j, "level", a->device->array->level);
	add_text_or_null(j, "slots", a->device->array->slots);
	json_add_text(j, "action", action_kind_name(a->action));
	add_fixed(j, "seconds", a->seconds, 3);
	add_bytes_or_null(j, "read_bytes", a->read_bytes);
	add_bytes_or_null(j, "write_bytes", a->write_bytes);
	add_fixed(j, "members_per_read", a->amplification.reads, 3);
	add_fixed(j, "members_per_write", a->amplification.writes, 3);
	add_fixed(j, "expected_per_write", a->expected_writes, 3);
	add_fixed(j, "extra_reads_per_write", a->amplification.extra_reads, 3);
	json_add_text(j, "read_modify_write", rmw_name(a->amplification.rmw));
	add_members(j, a);
	json_close_object(j);
}

static void add_arrays(struct json *j, const struct load_result *r)
{
	json_open_array(j, "arrays");
	for (size_t i = 0; i < r->topology->n_devices; i++) {
		struct load_array a;

		if (!load_array_judge(r->tally, r->topology, i, &a))
			continue;
		add_array(j, &a);
		load_array_release(&a);
	}
	json_close_array(j);
}

void load_print_json(const struct load_result *r, struct buffer *out)
{
	char start[NUMBER_BYTES];
	struct json j;

	json_init(&j, out, true);
	clock_format_utc(start, r->start_realtime_ms);
	json_open_object(&j, NULL);
	json_add_text(&j, "format", "raidtop-load");
	json_add_u64(&j, "version", LOAD_FORMAT_VERSION);
	json_add_text(&j, "host", r->topology->host);
	json_add_text(&j, "kernel", r->topology->kernel);
	json_add_text(&j, "start", start);
	json_add_bool(&j, "interrupted", r->interrupted);
	json_add_bool(&j, "failed", r->has_failed);
	json_open_array(&j, "streams");
	for (size_t i = 0; i < r->tally->n; i++)
		add_stream(&j, r, i);
	json_close_array(&j);
	add_sum(&j, r);
	add_arrays(&j, r);
	json_close_object(&j);
	buffer_add_char(out, '\n');
}
