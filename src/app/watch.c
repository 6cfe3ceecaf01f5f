/*
 * The event loop of the screen: one ppoll over the terminal, the provider's descriptors and
 * signals, with the next deadline as its time-out. A tick is taken when it is due, a frame is
 * drawn when something changed; keys are answered in between.
 */
#include "watch.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "demo.h"
#include "machine.h"
#include "raidtop/clock.h"
#include "raidtop/memory.h"
#include "raidtop/replay.h"
#include "say.h"
#include "signals.h"
#include "watch_state.h"

static const unsigned int history_seconds = 3600;
/* How long an answer to a key stays before the newest event takes the status line. */
static const uint64_t answer_ns = 8 * NS_PER_SEC;
/* Surveys between ticks (a disk was plugged in) come no closer than this. */
static const uint64_t survey_pause_ns = 200 * NS_PER_MS;
/* A fast replay is drawn no more often than this. */
static const uint64_t frame_pause_ns = 40 * NS_PER_MS;
/* So much history is filled in before the place that a seek goes to. */
static const uint64_t seek_history_us = 600 * US_PER_SEC;

static void set_answer(struct watch *w, bool is_error, const char *format, va_list args)
	__attribute__((format(printf, 3, 0)));

static void set_answer(struct watch *w, bool is_error, const char *format, va_list args)
{
	char raw[sizeof(w->answer)];

	if (vsnprintf(raw, sizeof(raw), format, args) < 0)
		raw[0] = '\0';
	text_clean(w->answer, sizeof(w->answer), raw);
	w->answer_is_error = is_error;
	w->answered_ns = clock_monotonic_ns();
	w->must_draw = true;
}

void watch_answer(struct watch *w, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	set_answer(w, false, format, args);
	va_end(args);
}

void watch_answer_error(struct watch *w, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	set_answer(w, true, format, args);
	va_end(args);
}

/* ---- the model that a frame shows ---- */

static void update_transport(struct watch *w)
{
	struct replay_position at;

	replay_where(w->session.provider, &at);
	w->transport = (struct transport){
		.playing = w->player.playing,
		.speed = player_speed(&w->player),
		.now_us = at.now_us,
		.end_us = at.end_us,
		.at_end = at.next_us == UNKNOWN_U64,
		.damaged_lines = at.damaged_lines,
	};
}

static void update_model(struct watch *w, uint64_t now_ns)
{
	struct session *s = &w->session;
	struct screen_model *m = &w->model;

	if (w->answer[0] && now_ns - w->answered_ns > answer_ns)
		w->answer[0] = '\0';
	m->tick = w->paused ? &w->paused_tick : s->tick;
	m->streams = s->views;
	m->n_streams = s->n_views;
	m->clock_ms = s->is_replay && s->tick ? s->tick->realtime_ms : clock_realtime_ms();
	m->recording = s->recording ? s->recording_path : NULL;
	m->recording_ns = s->recording ? now_ns - s->recording_since_ns : 0;
	m->paused = w->paused;
	m->missed_ticks = w->schedule.missed;
	m->late_ticks = w->schedule.late;
	m->status = w->answer;
	m->status_is_error = w->answer_is_error;
	if (s->is_replay)
		update_transport(w);
}

static void draw(struct watch *w)
{
	uint64_t now_ns = clock_monotonic_ns();
	int width, height;

	terminal_measure(w->terminal, &width, &height);
	surface_resize(&w->surface, width, height);
	update_model(w, now_ns);
	screen_draw(&w->screen, &w->model, &w->surface);
	if (terminal_draw(w->terminal, &w->surface) < 0)
		w->quit = true; /* the terminal is gone; there is nobody to tell */
	w->must_draw = false;
	w->drawn_ns = now_ns;
}

/* ---- live ---- */

void watch_set_paused(struct watch *w, bool paused)
{
	const struct tick *tick = w->session.tick;

	if (paused && !tick)
		return;
	if (paused) {
		struct figures *kept = w->paused_tick.devices;

		kept = memory_resize(kept, tick->n_devices, sizeof(*kept));
		memcpy(kept, tick->devices, tick->n_devices * sizeof(*kept));
		w->paused_tick = *tick;
		w->paused_tick.devices = kept;
		w->screen.freeze_end_us = history_end_us(w->session.history);
	} else {
		w->screen.freeze_end_us = 0;
	}
	w->paused = paused;
	w->must_draw = true;
}

static void fail(struct watch *w, const char *what, int r)
{
	terminal_close(w->terminal);
	w->terminal = NULL;
	say("%s: %s", what, strerror(-r));
	w->status = STATUS_FAILURE;
	w->quit = true;
}

static void live_tick(struct watch *w, uint32_t missed)
{
	char why[512];
	int r = session_tick(&w->session, missed, why, sizeof(why));

	if (r < 0)
		fail(w, "the counters cannot be read", r);
	else if (why[0])
		watch_answer_error(w, "%s", why);
	w->must_draw = true;
}

static uint64_t live_step(struct watch *w)
{
	uint64_t now_ns = clock_monotonic_ns();
	uint32_t missed;

	if (schedule_take(&w->schedule, now_ns, &missed)) {
		live_tick(w, missed);
		w->surveyed_ns = now_ns;
	} else if (now_ns - w->surveyed_ns >= survey_pause_ns &&
		   w->session.provider->ops->dirty(w->session.provider)) {
		event_log_stamp(w->session.events, w->session.snapshot.elapsed_us,
				clock_realtime_ms());
		session_survey(&w->session);
		w->surveyed_ns = now_ns;
		w->must_draw = true;
	}
	return schedule_wait_ns(&w->schedule, clock_monotonic_ns());
}

/* ---- replay ---- */

bool watch_step(struct watch *w)
{
	char why[512];
	int r = session_tick(&w->session, 0, why, sizeof(why));
	struct replay_position at;

	if (r < 0 && r != -ENODATA)
		fail(w, "the recording cannot be read", r);
	if (r < 0)
		return false;
	replay_where(w->session.provider, &at);
	player_set_head(&w->player, at.now_us, clock_monotonic_ns());
	w->must_draw = true;
	return true;
}

void watch_seek(struct watch *w, uint64_t axis_us)
{
	struct provider *p = w->session.provider;
	struct replay_position at;
	char why[512];
	int r;

	session_forget(&w->session);
	r = replay_seek(p, axis_us > seek_history_us ? axis_us - seek_history_us : 0);
	while (r >= 0) {
		r = session_tick(&w->session, 0, why, sizeof(why));
		replay_where(p, &at);
		if (at.next_us == UNKNOWN_U64 || at.next_us > axis_us)
			break;
	}
	if (r < 0 && r != -ENODATA) {
		fail(w, "the recording cannot be read", r);
		return;
	}
	replay_where(p, &at);
	player_set_head(&w->player, at.now_us, clock_monotonic_ns());
	w->must_draw = true;
}

/* Takes all ticks that the playhead has passed; the wait until the next one is due. */
static uint64_t replay_step(struct watch *w)
{
	struct provider *p = w->session.provider;
	struct replay_position at;
	char why[512];

	for (;;) {
		uint64_t wait_ns;
		int r;

		replay_where(p, &at);
		if (at.next_us == UNKNOWN_U64) {
			if (w->player.playing) {
				player_set_head(&w->player, at.now_us, clock_monotonic_ns());
				player_set_playing(&w->player, false, clock_monotonic_ns());
				w->must_draw = true;
			}
			return UINT64_MAX;
		}
		wait_ns = player_wait_ns(&w->player, at.next_us, clock_monotonic_ns());
		if (wait_ns > 0)
			return wait_ns;
		r = session_tick(&w->session, 0, why, sizeof(why));
		if (r < 0 && r != -ENODATA) {
			fail(w, "the recording cannot be read", r);
			return 0;
		}
		w->must_draw = true;
	}
}

/* ---- the loop ---- */

static void suspend(struct watch *w)
{
	terminal_suspend(w->terminal);
	signals_stop_here();
	if (terminal_resume(w->terminal) < 0)
		w->quit = true;
	w->must_draw = true;
}

static void take_signals(struct watch *w)
{
	unsigned int bits = signals_take();

	if (bits & SIGNAL_END)
		w->quit = true;
	if (bits & SIGNAL_RESIZE)
		w->must_draw = true;
	if (bits & SIGNAL_STOP)
		suspend(w);
}

static void take_keys(struct watch *w)
{
	int key;

	while (!w->quit && (key = terminal_read_key(w->terminal)) != KEY_NONE_YET)
		keys_press(w, key);
}

static void wait_for_something(struct watch *w, uint64_t wait_ns)
{
	struct provider *p = w->session.provider;
	struct pollfd fds[1 + PROVIDER_MAX_FDS] = { { terminal_input_fd(w->terminal), POLLIN, 0 } };
	size_t n = 1 + p->ops->poll_fds(p, fds + 1);
	struct timespec timeout = { (time_t)(wait_ns / NS_PER_SEC), (long)(wait_ns % NS_PER_SEC) };
	int r = ppoll(fds, n, wait_ns == UINT64_MAX ? NULL : &timeout, &w->wait_mask);

	if (r > 0)
		p->ops->dispatch(p, fds + 1, n - 1);
	if (r > 0 && fds[0].revents & (POLLHUP | POLLERR | POLLNVAL))
		w->quit = true;
	if (r > 0 && fds[0].revents & POLLIN)
		take_keys(w);
	take_signals(w);
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Draws where something changed, a fast replay not more often than the eye sees. */
static uint64_t draw_when_due(struct watch *w)
{
	uint64_t since_ns = clock_monotonic_ns() - w->drawn_ns;

	if (!w->must_draw)
		return w->answer[0] ? answer_ns : UINT64_MAX;
	if (w->session.is_replay && w->player.playing && w->drawn_ns && since_ns < frame_pause_ns)
		return frame_pause_ns - since_ns;
	draw(w);
	return UINT64_MAX;
}

static void loop(struct watch *w)
{
	while (!w->quit) {
		uint64_t wait_ns = w->session.is_replay ? replay_step(w) : live_step(w);

		if (w->quit)
			break;
		wait_ns = smaller(wait_ns, draw_when_due(w));
		if (!w->quit)
			wait_for_something(w, wait_ns);
	}
}

static int open_terminal(struct watch *w, const struct options *o)
{
	struct terminal_options options = { .colours = o->colours, .ascii = o->ascii };
	char why[512];

	signals_before_death(terminal_emergency_restore);
	if (terminal_open(&options, &w->terminal, why, sizeof(why)) < 0) {
		say("%s", why);
		return -1;
	}
	return 0;
}

static void init_model(struct watch *w, const struct options *o)
{
	w->model = (struct screen_model){
		.topology = &w->session.topology,
		.history = w->session.history,
		.insights = w->session.insights,
		.events = w->session.events,
		.interval_ns = w->session.interval_ns,
		.transport = w->session.is_replay ? &w->transport : NULL,
		.status = w->answer,
		.demo = w->session.is_replay ? NULL : demo_offer(),
		.units = o->units,
		.utf8 = terminal_is_utf8(w->terminal),
	};
	w->model.hints = keys_hints(w->session.is_replay, &w->model.n_hints);
}

/* Runs with the session made; releases everything. */
static int run(struct watch *w, const struct options *o)
{
	if (open_terminal(w, o) < 0) {
		session_release(&w->session);
		return STATUS_FAILURE;
	}
	screen_init(&w->screen);
	surface_init(&w->surface);
	init_model(w, o);
	loop(w);
	terminal_close(w->terminal);
	surface_release(&w->surface);
	screen_release(&w->screen);
	free(w->paused_tick.devices);
	session_release(&w->session);
	return w->status;
}

int watch_run(const struct options *o)
{
	static struct watch w;
	struct provider *provider;

	signals_install(&w.wait_mask);
	if (machine_open(o, o->temperature_ns, &provider) < 0)
		return STATUS_FAILURE;
	session_init(&w.session, provider, false, o->interval_ns, history_seconds);
	w.session.is_elsewhere = machine_is_elsewhere(o);
	session_survey(&w.session); /* the first takes its time: no deadline is to pass meanwhile */
	schedule_start(&w.schedule, o->interval_ns, clock_monotonic_ns());
	return run(&w, o);
}

int watch_replay(const struct options *o, const char *path)
{
	static struct watch w;
	struct provider *provider;
	char why[512];

	signals_install(&w.wait_mask);
	if (provider_replay_new(path, &provider, why, sizeof(why)) < 0) {
		say("%s", why);
		return STATUS_FAILURE;
	}
	session_init(&w.session, provider, true, replay_interval_ns(provider), history_seconds);
	player_init(&w.player, clock_monotonic_ns());
	return run(&w, o);
}
