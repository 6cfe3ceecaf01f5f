/*
 * The one-way flow in one place: provider → snapshot → rates → insights, history → sinks. Nothing
 * here waits; the event loop says when.
 */
#include "session.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "raidtop/clock.h"
#include "raidtop/file.h"
#include "raidtop/memory.h"
#include "raidtop/replay.h"
#include "say.h"

static const uint64_t recording_sync_ns = 5 * NS_PER_SEC;

void session_init(struct session *s, struct provider *provider, bool is_replay,
		  uint64_t interval_ns, unsigned int history_seconds)
{
	memset(s, 0, sizeof(*s));
	s->provider = provider;
	s->is_replay = is_replay;
	s->interval_ns = interval_ns;
	topology_init(&s->topology);
	topology_init(&s->fresh);
	snapshot_init(&s->snapshot);
	s->rates = rates_new();
	s->insights = insights_new(interval_ns / NS_PER_US);
	if (history_seconds)
		s->history = history_new(history_seconds);
	s->events = memory_new(1, sizeof(*s->events));
	event_log_init(s->events);
	streams_init(&s->streams, interval_ns / NS_PER_US);
}

void session_release(struct session *s)
{
	struct files_report report = { .say = say_sentence };
	char why[512];

	session_record_stop(s, why, sizeof(why));
	(void)streams_end(&s->streams, STREAMS_PATIENCE_NS,
			  &report); /* the screen is closed, and it tells */
	free(s->events);
	history_free(s->history);
	insights_free(s->insights);
	rates_free(s->rates);
	snapshot_release(&s->snapshot);
	topology_release(&s->fresh);
	topology_release(&s->topology);
	provider_free(s->provider);
	s->provider = NULL;
}

int session_survey(struct session *s)
{
	int r;

	if (!s->provider->ops->dirty(s->provider))
		return 0;
	topology_release(&s->fresh);
	topology_init(&s->fresh);
	r = s->provider->ops->survey(s->provider, &s->fresh);
	if (r < 0)
		return r;
	/* A recording tells its own events. */
	topology_adopt(&s->topology, &s->fresh, s->is_replay ? NULL : s->events);
	return 0;
}

static void note_gap(struct session *s)
{
	const struct tick *tick = s->tick;

	if (tick->gap == GAP_MISSED)
		event_log_add(s->events, EVENT_GAP, "", "",
			      "%u ticks missed: no figures for that time", tick->missed_ticks);
	else if (tick->gap == GAP_SUSPEND || tick->gap == GAP_CLOCK)
		event_log_add(s->events, EVENT_GAP, "", "", "%s: no figures for that time",
			      gap_name(tick->gap));
}

/* A cached value goes on being shown with its age, but it is no figure of now. */
static void keep_temperatures(struct session *s)
{
	for (size_t i = 0; i < s->topology.n_devices; i++) {
		const struct device *d = s->topology.devices[i];

		if (d->present && d->disk.temperature_mc != UNKNOWN_I32 &&
		    !d->disk.temperature_why[0])
			history_add_temperature(s->history, (int)i, s->tick->elapsed_us,
						d->disk.temperature_mc);
	}
}

static void refresh_streams(struct session *s)
{
	if (s->is_replay) {
		s->n_views = replay_streams(s->provider, &s->views);
		return;
	}
	if (s->streams.n > 0)
		streams_refresh(&s->streams, clock_monotonic_ns(), &s->topology, s->tick,
				s->events);
	s->views = s->streams.view;
	s->n_views = s->streams.n;
}

/* A recording that cannot be written any more is ended with a sentence; the session goes on. */
static void write_recording(struct session *s, char *why, size_t size)
{
	int r = s->recording->ops->tick(s->recording, &s->topology, s->tick, s->events, s->views,
					s->n_views);

	if (r >= 0)
		return;
	text_format(why, size, "the recording %s has ended: %s; all before that is kept",
		    s->recording_path, strerror(-r));
	s->recording->ops->close(s->recording);
	s->recording = NULL;
}

int session_tick(struct session *s, uint32_t missed_ticks, char *why, size_t size)
{
	int r;

	why[0] = '\0';
	r = session_survey(s);
	if (r < 0)
		return r;
	r = s->provider->ops->sample(s->provider, &s->topology, &s->snapshot);
	if (r < 0)
		return r;
	if (!s->is_replay)
		s->snapshot.missed_ticks = missed_ticks;
	event_log_stamp(s->events, s->snapshot.elapsed_us, s->snapshot.realtime_ms);
	s->tick = rates_step(s->rates, &s->topology, &s->snapshot);
	/* A recording tells its own events. */
	insights_step(s->insights, &s->topology, s->tick, s->is_replay ? NULL : s->events);
	if (s->history) {
		history_add(s->history, s->tick);
		keep_temperatures(s);
	}
	if (s->is_replay)
		replay_take_events(s->provider, s->events);
	else
		note_gap(s);
	refresh_streams(s);
	if (s->recording)
		write_recording(s, why, size);
	return 0;
}

void session_forget(struct session *s)
{
	rates_reset(s->rates);
	insights_reset(s->insights);
	if (s->history)
		history_reset(s->history);
	event_log_init(s->events);
	s->tick = NULL;
}

int session_record_start(struct session *s, const char *path, bool force, char *why, size_t size)
{
	char boot_id[64];
	struct csv_options options = {
		.path = path,
		.force = force,
		.interval_ns = s->interval_ns,
		.boot_id = boot_id,
		.start_realtime_ms = clock_realtime_ms(),
		.sync_ns = recording_sync_ns,
		.wait_mask = s->recording_wait_mask,
	};
	int r;

	boot_id[0] = '\0';
	if (!s->is_elsewhere)
		file_read_line("/proc/sys/kernel/random/boot_id", boot_id, sizeof(boot_id));
	r = sink_csv_new(&options, &s->recording, why, size);
	if (r < 0)
		return r;
	text_copy(s->recording_path, sizeof(s->recording_path), sink_csv_name(path));
	s->recording_since_ns = clock_monotonic_ns();
	return 0;
}

int session_record_stop(struct session *s, char *why, size_t size)
{
	int r;

	why[0] = '\0';
	if (!s->recording)
		return 0;
	r = s->recording->ops->close(s->recording);
	s->recording = NULL;
	if (r < 0)
		text_format(why, size, "the recording %s lacks its end: %s", s->recording_path,
			    strerror(-r));
	return r;
}
