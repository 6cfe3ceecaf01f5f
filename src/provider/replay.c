/*
 * The replay as a provider. It is always one tick ahead: the tick that sample() will take has
 * been read, so that what it changes in the topology can be surveyed before, as in a live run,
 * and its time is known to whoever waits for it. Counters go through the same rates as live
 * ones; gaps that only the recorder could see are made visible to them.
 */
#include "raidtop/replay.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "raidtop/clock.h"
#include "raidtop/memory.h"
#include "raidtop/text.h"
#include "replay_reader.h"

/* A recorded suspend lasted some time that nobody needs to know; rates see that it was one. */
static const uint64_t suspend_us = 3600 * US_PER_SEC;

struct replay {
	struct provider provider;
	struct replay_reader reader;
	bool is_ahead; /* the next tick has been read */
	int error;     /* of reading it, unless the recording ended */
	uint64_t now_us;
	int64_t realtime_ms;
	uint64_t suspended_us;         /* in all suspends so far */
	struct replay_streams streams; /* of the tick sampled last */
};

static struct replay *replay_of(struct provider *p)
{
	return (struct replay *)p;
}

static void read_ahead(struct replay *r)
{
	int error = replay_reader_next(&r->reader);

	r->is_ahead = error == 0;
	r->error = error == -ENODATA ? 0 : error;
}

static int replay_survey(struct provider *p, struct topology *t)
{
	replay_state_survey(&replay_of(p)->reader.state, t);
	return 0;
}

static size_t replay_poll_fds(struct provider *p, struct pollfd *fds)
{
	(void)p;
	(void)fds;
	return 0;
}

static void replay_dispatch(struct provider *p, const struct pollfd *fds, size_t n)
{
	(void)p;
	(void)fds;
	(void)n;
}

static bool replay_dirty(struct provider *p)
{
	struct replay *r = replay_of(p);

	if (!r->is_ahead)
		read_ahead(r); /* the recording may have grown */
	return r->is_ahead && r->reader.state.changed;
}

static void fill(struct replay *r, struct topology *t, struct snapshot *s)
{
	const struct replay_state *state = &r->reader.state;
	const struct replay_tick *tick = &r->reader.tick;

	replay_state_fill(&r->reader.state, t, s);
	if (state->was_suspended)
		r->suspended_us += suspend_us;
	s->elapsed_us = tick->place.elapsed_us;
	s->boottime_us = s->elapsed_us + r->suspended_us;
	s->realtime_ms = tick->realtime_ms != INT64_MIN ? tick->realtime_ms : r->realtime_ms;
	s->segment = tick->segment;
	s->missed_ticks = state->missed_ticks;
	s->unwrapped = true;
}

static int replay_sample(struct provider *p, struct topology *t, struct snapshot *s)
{
	struct replay *r = replay_of(p);
	struct replay_streams streams = r->streams;

	if (!r->is_ahead)
		read_ahead(r);
	if (!r->is_ahead)
		return r->error ? r->error : -ENODATA;
	fill(r, t, s);
	r->now_us = r->reader.tick.axis_us;
	r->realtime_ms = s->realtime_ms;
	r->streams = r->reader.state.streams;
	r->reader.state.streams = streams;
	replay_hists_commit(&r->reader.state.hists);
	replay_hists_show(&r->reader.state.hists, r->streams.views, r->streams.n);
	r->reader.state.events.given = r->reader.state.events.last;
	read_ahead(r);
	return 0;
}

static void replay_free(struct provider *p)
{
	struct replay *r = replay_of(p);

	replay_reader_close(&r->reader);
	free(r->streams.views);
	free(r);
}

static const struct provider_ops replay_ops = {
	.name = "replay",
	.survey = replay_survey,
	.poll_fds = replay_poll_fds,
	.dispatch = replay_dispatch,
	.dirty = replay_dirty,
	.sample = replay_sample,
	.free = replay_free,
};

int provider_replay_new(const char *path, struct provider **ret, char *why, size_t size)
{
	struct replay *r = memory_new(1, sizeof(*r));
	int error = replay_reader_open(&r->reader, path, why, size);

	r->provider.ops = &replay_ops;
	if (error == 0) {
		read_ahead(r);
		error = r->is_ahead ? 0 : r->error ? r->error : -ENODATA;
		if (error == -ENODATA)
			text_format(why, size, "%s holds no whole tick of a recording (yet)", path);
		else if (error < 0)
			text_format(why, size, "%s cannot be read: %s", path, strerror(-error));
	}
	if (error < 0) {
		replay_free(&r->provider);
		return error;
	}
	*ret = &r->provider;
	return 0;
}

void replay_where(const struct provider *p, struct replay_position *ret)
{
	const struct replay *r = (const struct replay *)p;

	*ret = (struct replay_position){
		.now_us = r->now_us,
		.next_us = r->is_ahead ? r->reader.tick.axis_us : UNKNOWN_U64,
		.end_us = r->reader.index.end_us,
		.realtime_ms = r->realtime_ms,
		.damaged_lines = r->reader.file.damaged_lines + r->reader.is_torn,
		.unknown_lines = r->reader.unknown_lines,
	};
}

int replay_seek(struct provider *p, uint64_t axis_us)
{
	struct replay *r = replay_of(p);
	int error = replay_reader_seek(&r->reader, axis_us);

	r->is_ahead = error == 0;
	r->error = error == -ENODATA ? 0 : error;
	r->streams.n = 0;
	return error;
}

void replay_take_events(struct provider *p, struct event_log *log)
{
	struct replay_events *events = &replay_of(p)->reader.state.events;
	uint64_t now_us = log->now_elapsed_us;
	int64_t now_ms = log->now_realtime_ms;

	for (; events->first < events->given; events->first++) {
		const struct event *e = &events->ring[events->first % EVENT_LOG_SIZE];

		event_log_stamp(log, e->elapsed_us, e->realtime_ms);
		event_log_add(log, e->kind, e->name, e->parent, "%s", e->text);
	}
	event_log_stamp(log, now_us, now_ms);
}

size_t replay_streams(struct provider *p, const struct stream_view **ret)
{
	const struct replay *r = replay_of(p);

	*ret = r->streams.views;
	return r->streams.n;
}

uint64_t replay_interval_ns(const struct provider *p)
{
	return ((const struct replay *)p)->reader.index.interval_us * NS_PER_US;
}
