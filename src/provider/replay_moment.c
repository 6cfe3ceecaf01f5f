/*
 * What holds for one tick only: samples, streams and events. A sample carries besides counters
 * what moves by itself, temperatures and the progress of a sync action, and an array's state.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "raidtop/clock.h"
#include "raidtop/fields.h"
#include "raidtop/memory.h"
#include "raidtop/number.h"
#include "raidtop/recording_stream.h"
#include "raidtop/text.h"
#include "replay_state.h"

enum {
	STREAMS_MAX = 256,
	AGE_STEP_US = 100000, /* what the recorded age of a temperature is rounded to */
};

/* ---- samples ---- */

/*
 * When the temperature was read, from its age. That is rounded, so while it still fits the
 * reading that is known already, it is that one.
 */
static uint64_t read_at(uint64_t known_us, uint64_t now_us, uint64_t age_us)
{
	uint64_t at_us = age_us < now_us ? now_us - age_us : 0;
	uint64_t apart_us = at_us > known_us ? at_us - known_us : known_us - at_us;

	return known_us != UNKNOWN_U64 && apart_us <= AGE_STEP_US ? known_us : at_us;
}

static int take_temperature(struct disk *disk, const struct record_row *row)
{
	const struct record_field *temperature = &row->field[COLUMN_TEMP_C];
	const struct record_field *age = &row->field[COLUMN_TEMP_AGE_S];
	int64_t milli = UNKNOWN_I32, age_us = -1;

	if (temperature->len > 0 && (record_field_fixed(temperature, 3, &milli) < 0 ||
				     milli <= INT32_MIN || milli > INT32_MAX))
		return -EBADMSG;
	if (age->len > 0 && (record_field_fixed(age, 6, &age_us) < 0 || age_us < 0))
		return -EBADMSG;
	disk->temperature_mc = (int32_t)milli;
	disk->temperature_at_us =
		age_us < 0 ? UNKNOWN_U64
			   : read_at(disk->temperature_at_us, row->elapsed_us, (uint64_t)age_us);
	return 0;
}

static int take_bytes(const struct record_field *f, uint64_t *ret)
{
	*ret = UNKNOWN_U64;
	return f->len == 0 || record_field_u64(f, ret) == 0 ? 0 : -EBADMSG;
}

static int take_progress(struct action *action, const struct record_row *row)
{
	const struct record_field *percent = &row->field[COLUMN_SYNC_PCT];
	int64_t tenths = UNKNOWN_I32;
	uint64_t done, total;

	if (percent->len > 0 &&
	    (record_field_fixed(percent, 1, &tenths) < 0 || tenths < 0 || tenths > 1000))
		return -EBADMSG;
	if (take_bytes(&row->field[COLUMN_SYNC_DONE_BYTES], &done) < 0 ||
	    take_bytes(&row->field[COLUMN_SYNC_TOTAL_BYTES], &total) < 0)
		return -EBADMSG;
	action->percent_tenths = (int32_t)tenths;
	action->done_bytes = done;
	action->total_bytes = total;
	return 0;
}

static int take_array(struct replay_state *s, struct array *array, const struct record_row *row)
{
	static const char key[] = "state";
	const struct field *f = field_find(FIELD_OF_ARRAY, key, sizeof(key) - 1);
	const struct record_field *text = &row->field[COLUMN_STATE];
	enum array_state before = array->state;

	if (field_parse(f, array, text->text, text->len) < 0)
		return -EBADMSG;
	if (array->state != before)
		s->changed = true;
	return take_progress(&array->action, row);
}

int replay_apply_sample(struct replay_state *s, const struct record_row *row)
{
	char name[DEVICE_NAME_BYTES];
	struct replay_device *d;
	struct counters counters;

	if (!replay_name_of(row, COLUMN_NAME, name))
		return -EBADMSG;
	d = replay_state_find(s, name);
	if (!d || !d->device->present || d->sampled_at == s->tick)
		return -EBADMSG;
	if (record_row_counters(row, &counters) < 0 ||
	    take_temperature(&d->device->disk, row) < 0 ||
	    (d->device->kind == DEVICE_ARRAY && take_array(s, d->device->array, row) < 0))
		return -EBADMSG;
	d->counters = counters;
	d->sampled_at = s->tick;
	s->samples++;
	/* What another key says of the figures is not known, but that it says something. */
	return row->field[COLUMN_KEY].len > 0 && !counters.derived ? -ENOTSUP : 0;
}

/* ---- streams ---- */

static int parse_stream_state(const struct record_field *f, enum stream_state *ret)
{
	static const enum stream_state states[] = {
		STREAM_STARTING, STREAM_RUNNING,   STREAM_STOPPING, STREAM_ENDED,
		STREAM_FAILED,   STREAM_PREPARING, STREAM_WAITING,  STREAM_PAUSED,
	};

	for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++) {
		const char *name = stream_state_name(states[i]);

		if (strlen(name) == f->len && memcmp(name, f->text, f->len) == 0) {
			*ret = states[i];
			return 0;
		}
	}
	return -EBADMSG;
}

/* "stream7" */
static int parse_stream_number(const char *name, unsigned int *ret)
{
	static const char prefix[] = "stream";
	size_t len = sizeof(prefix) - 1;
	uint64_t number;

	if (strncmp(name, prefix, len) != 0 ||
	    number_parse_u64(name + len, strlen(name + len), &number) < 0 || number > UINT32_MAX)
		return -EBADMSG;
	*ret = (unsigned int)number;
	return 0;
}

static int take_counter(const struct record_field *f, uint64_t *ret)
{
	return f->len == 0 || record_field_u64(f, ret) == 0 ? 0 : -EBADMSG;
}

static int read_stream(struct replay_state *s, const struct record_row *row, struct stream_view *v)
{
	char name[DEVICE_NAME_BYTES];

	memset(v, 0, sizeof(*v));
	v->disk_read_bytes = UNKNOWN_U64;
	v->disk_pct = v->low_bytes_per_sec = v->high_bytes_per_sec = -1;
	if (!replay_name_of(row, COLUMN_NAME, name) ||
	    !replay_name_of(row, COLUMN_PARENT, v->spec.device) ||
	    parse_stream_number(name, &v->number) < 0 ||
	    parse_stream_state(&row->field[COLUMN_STATE], &v->state) < 0)
		return -EBADMSG;
	if (take_counter(&row->field[COLUMN_READ_BYTES], &v->read_bytes) < 0 ||
	    take_counter(&row->field[COLUMN_WRITE_BYTES], &v->write_bytes) < 0 ||
	    take_counter(&row->field[COLUMN_READ_IOS], &v->read_ios) < 0 ||
	    take_counter(&row->field[COLUMN_WRITE_IOS], &v->write_ios) < 0)
		return -EBADMSG;
	if (!replay_text_of(s, row, COLUMN_VALUE))
		return -EBADMSG;
	return record_stream_parse(v, s->text);
}

int replay_apply_stream(struct replay_state *s, const struct record_row *row)
{
	struct replay_streams *streams = &s->streams;
	struct stream_view v;

	if (streams->n == STREAMS_MAX || read_stream(s, row, &v) < 0 ||
	    replay_hists_ends(&s->hists, v.number, s->text) < 0)
		return -EBADMSG;
	if (streams->n == streams->size) {
		streams->size = streams->size ? 2 * streams->size : 4;
		streams->views = memory_resize(streams->views, streams->size, sizeof(v));
	}
	streams->views[streams->n++] = v;
	return 0;
}

int replay_apply_hist(struct replay_state *s, const struct record_row *row)
{
	char name[DEVICE_NAME_BYTES];
	unsigned int number;

	if (!replay_name_of(row, COLUMN_NAME, name) || parse_stream_number(name, &number) < 0)
		return -EBADMSG;
	return replay_hists_line(&s->hists, number, &row->field[COLUMN_KEY],
				 &row->field[COLUMN_VALUE]);
}

/* ---- events ---- */

static struct event *add_event(struct replay_state *s, enum event_kind kind,
			       const struct record_row *row)
{
	struct replay_events *events = &s->events;
	struct event *e;

	if (!events->ring)
		events->ring = memory_new(EVENT_LOG_SIZE, sizeof(*e));
	e = &events->ring[events->last++ % EVENT_LOG_SIZE];
	if (events->last - events->first > EVENT_LOG_SIZE)
		events->first = events->last - EVENT_LOG_SIZE; /* as the log itself forgets */
	if (events->given < events->first)
		events->given = events->first;
	memset(e, 0, sizeof(*e));
	e->kind = kind;
	e->elapsed_us = row->elapsed_us;
	e->realtime_ms = row->realtime_ms;
	return e;
}

/* A gap, told in the words of a live one. */
static int apply_gap(struct replay_state *s, const struct record_row *row)
{
	const struct record_field *state = &row->field[COLUMN_STATE];
	const struct record_field *value = &row->field[COLUMN_VALUE];
	const char *suspend = record_gap_name(GAP_SUSPEND);
	uint64_t missed = 0;
	struct event *e;

	if (value->len > 0 && (record_field_u64(value, &missed) < 0 || missed > UINT32_MAX))
		return -EBADMSG;
	s->missed_ticks = (uint32_t)missed;
	s->was_suspended =
		state->len == strlen(suspend) && memcmp(state->text, suspend, state->len) == 0;
	if (!s->was_suspended && missed == 0)
		return -EBADMSG; /* no gap at all */
	e = add_event(s, EVENT_GAP, row);
	if (s->was_suspended)
		text_format(e->text, sizeof(e->text), "%s: no figures for that time",
			    gap_name(GAP_SUSPEND));
	else
		text_format(e->text, sizeof(e->text), "%u ticks missed: no figures for that time",
			    s->missed_ticks);
	return 0;
}

static int take_event(struct replay_state *s, enum event_kind kind, const struct record_row *row)
{
	char name[DEVICE_NAME_BYTES], parent[DEVICE_NAME_BYTES];
	struct event *e;

	if (!replay_name_of(row, COLUMN_NAME, name) || !replay_name_of(row, COLUMN_PARENT, parent))
		return -EBADMSG;
	replay_text_of(s, row, COLUMN_VALUE); /* a long mark is shown cut */
	e = add_event(s, kind, row);
	text_copy(e->name, sizeof(e->name), name);
	text_copy(e->parent, sizeof(e->parent), parent);
	text_copy(e->text, sizeof(e->text), s->text);
	return 0;
}

int replay_apply_event(struct replay_state *s, const struct record_row *row)
{
	const struct record_field *key = &row->field[COLUMN_KEY];
	enum event_kind kind;

	if (event_kind_parse(key->text, key->len, &kind) < 0 || kind == EVENT_MARK)
		return -ENOTSUP;
	return kind == EVENT_GAP ? apply_gap(s, row) : take_event(s, kind, row);
}

int replay_apply_mark(struct replay_state *s, const struct record_row *row)
{
	return take_event(s, EVENT_MARK, row);
}
