/*
 * The key table: which key does what, live and in a replay. The key line and the help page are
 * made from the same rows.
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "keys_streams.h"
#include "raidtop/clock.h"
#include "raidtop/replay.h"
#include "watch_state.h"

static const uint64_t seek_step_us = 10 * US_PER_SEC;
static const uint64_t seek_page_us = 60 * US_PER_SEC;

enum when { LIVE = 1, REPLAY = 2, ALWAYS = LIVE | REPLAY };

struct key_action {
	int keys[4]; /* 0: none */
	enum when when;
	void (*act)(struct watch *w, int argument);
	int argument;
	struct key_hint hint; /* keys NULL: another row's hint covers this one */
};

static void move(struct watch *w, int argument)
{
	if (w->screen.page == PAGE_WATCH && w->screen.stream &&
	    (argument == MOVE_UP || argument == MOVE_DOWN) &&
	    screen_move_stream(&w->screen, &w->model, argument == MOVE_UP ? -1 : 1))
		return;
	w->screen.page = PAGE_WATCH;
	screen_move(&w->screen, &w->model, (enum screen_move)argument);
}

static void quit(struct watch *w, int argument)
{
	(void)argument;
	w->quit = true;
}

static void toggle_help(struct watch *w, int argument)
{
	(void)argument;
	w->screen.page = w->screen.page == PAGE_HELP ? PAGE_WATCH : PAGE_HELP;
	w->screen.help_top = 0;
}

static void leave_help(struct watch *w, int argument)
{
	(void)argument;
	w->screen.page = PAGE_WATCH;
}

static void redraw(struct watch *w, int argument)
{
	(void)argument;
	terminal_forget(w->terminal);
}

static void pause_live(struct watch *w, int argument)
{
	(void)argument;
	watch_set_paused(w, !w->paused);
}

/* raidtop-HOST-YYYYMMDD-HHMMSS.csv in the current directory; -2 and so on where one is there. */
static void recording_name(const struct watch *w, unsigned int number, char *buf, size_t size)
{
	char host[DEVICE_TEXT_BYTES], when[32], suffix[16] = "";
	time_t now = (time_t)(clock_realtime_ms() / 1000);
	struct tm tm;

	text_copy(host, sizeof(host), w->session.topology.host);
	for (char *c = host; *c; c++) {
		if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-",
			    *c))
			*c = '_';
	}
	localtime_r(&now, &tm);
	strftime(when, sizeof(when), "%Y%m%d-%H%M%S", &tm);
	if (number > 1)
		text_format(suffix, sizeof(suffix), "-%u", number);
	text_format(buf, size, "raidtop-%s-%s%s.csv", host[0] ? host : "host", when, suffix);
}

static void toggle_recording(struct watch *w, int argument)
{
	char path[256], why[256];
	int r = -EEXIST;

	(void)argument;
	if (w->session.recording) {
		text_copy(path, sizeof(path), w->session.recording_path);
		if (session_record_stop(&w->session, why, sizeof(why)) < 0)
			watch_answer_error(w, "%s", why);
		else
			watch_answer(w, "recorded to %s", path);
		return;
	}
	for (unsigned int number = 1; r == -EEXIST && number < 100; number++) {
		recording_name(w, number, path, sizeof(path));
		r = session_record_start(&w->session, path, false, why, sizeof(why));
	}
	if (r < 0)
		watch_answer_error(w, "%s", why);
	else
		watch_answer(w, "recording to %s; r ends it", path);
}

static void live_only(struct watch *w, int argument)
{
	(void)argument;
	watch_answer_error(w, "this is a replay: streams and recordings are for the live screen");
}

static void pause_replay(struct watch *w, int argument)
{
	struct replay_position at;
	uint64_t now_ns = clock_monotonic_ns();

	(void)argument;
	replay_where(w->session.provider, &at);
	if (!w->player.playing && at.next_us == UNKNOWN_U64) {
		watch_seek(w, 0); /* at its end: play it again */
		now_ns = clock_monotonic_ns();
	}
	player_set_playing(&w->player, !w->player.playing, now_ns);
}

static void seek_by(struct watch *w, int argument)
{
	struct replay_position at;
	uint64_t by = argument == -2 || argument == 2 ? seek_page_us : seek_step_us;

	replay_where(w->session.provider, &at);
	if (argument < 0)
		watch_seek(w, at.now_us > by ? at.now_us - by : 0);
	else
		watch_seek(w, at.end_us - at.now_us > by ? at.now_us + by : at.end_us);
}

static void seek_end(struct watch *w, int argument)
{
	struct replay_position at;

	replay_where(w->session.provider, &at);
	watch_seek(w, argument < 0 ? 0 : at.end_us);
}

static void change_speed(struct watch *w, int argument)
{
	if (!player_change_speed(&w->player, argument, clock_monotonic_ns()))
		watch_answer(w, "the speed goes from 0.25 to 64");
}

static void step(struct watch *w, int argument)
{
	(void)argument;
	player_set_playing(&w->player, false, clock_monotonic_ns());
	if (!watch_step(w))
		watch_answer(w, "this is the end of the recording");
}

static const struct key_action actions[] = {
	{ { KEY_IS_UP, 'k' }, ALWAYS, move, MOVE_UP, { "arrows hjkl", NULL, "select a device" } },
	{ { KEY_IS_DOWN, 'j' }, ALWAYS, move, MOVE_DOWN, { 0 } },
	{ { KEY_IS_LEFT, 'h' }, LIVE, move, MOVE_UP, { 0 } },
	{ { KEY_IS_RIGHT, 'l' }, LIVE, move, MOVE_DOWN, { 0 } },
	{ { KEY_IS_PAGE_UP },
	  ALWAYS,
	  move,
	  MOVE_PAGE_UP,
	  { "PgUp PgDn", NULL, "a page up or down" } },
	{ { KEY_IS_PAGE_DOWN }, ALWAYS, move, MOVE_PAGE_DOWN, { 0 } },
	{ { KEY_IS_HOME, 'g' },
	  ALWAYS,
	  move,
	  MOVE_HOME,
	  { "Home End", NULL, "first or last device" } },
	{ { KEY_IS_END, 'G' }, ALWAYS, move, MOVE_END, { 0 } },
	{ { 's' },
	  LIVE,
	  keys_open_stream_dialog,
	  0,
	  { "s", "stream", "start load on the selected device: a dialog asks what" } },
	{ { 'S' },
	  LIVE,
	  keys_start_again,
	  0,
	  { "S", NULL, "start the same on the selected device at once" } },
	{ { KEY_IS_TAB, KEY_IS_BACK_TAB },
	  LIVE,
	  keys_select_streams,
	  0,
	  { "Tab", NULL, "from the devices to the streams and back" } },
	{ { 'x' },
	  LIVE,
	  keys_stop_stream,
	  0,
	  { "x", "stop", "stop the selected stream, or the newest on the selected device" } },
	{ { 'p' },
	  LIVE,
	  keys_pause_stream,
	  0,
	  { "p", NULL, "pause that stream, or let it go on" } },
	{ { '-' },
	  LIVE,
	  keys_change_rate,
	  -1,
	  { "- + =", NULL, "that stream slower, faster, without a limit" } },
	{ { '+' }, LIVE, keys_change_rate, 1, { 0 } },
	{ { '=' }, LIVE, keys_change_rate, 0, { 0 } },
	{ { 'r' },
	  LIVE,
	  toggle_recording,
	  0,
	  { "r", "record", "start or end a recording in the current directory" } },
	{ { 's', 'S', 'x', 'r' }, REPLAY, live_only, 0, { 0 } },
	{ { ' ' },
	  LIVE,
	  pause_live,
	  0,
	  { "space", "pause", "hold the picture; measuring and recording go on" } },
	{ { ' ' }, REPLAY, pause_replay, 0, { "space", "play/pause", "play or pause" } },
	{ { KEY_IS_LEFT, 'h' },
	  REPLAY,
	  seek_by,
	  -1,
	  { "left right", "seek 10 s", "10 seconds back or forward" } },
	{ { KEY_IS_RIGHT, 'l' }, REPLAY, seek_by, 1, { 0 } },
	{ { '<', '[' }, REPLAY, seek_by, -2, { "< >", "1 min", "a minute back or forward" } },
	{ { '>', ']' }, REPLAY, seek_by, 2, { 0 } },
	{ { '0' }, REPLAY, seek_end, -1, { "0 $", NULL, "to the beginning or the end" } },
	{ { '$' }, REPLAY, seek_end, 1, { 0 } },
	{ { '+', '=' },
	  REPLAY,
	  change_speed,
	  1,
	  { "+ -", "speed", "faster or slower, 0.25 to 64" } },
	{ { '-', '_' }, REPLAY, change_speed, -1, { 0 } },
	{ { '.' }, REPLAY, step, 0, { ".", "step", "one recorded tick" } },
	{ { '?' }, ALWAYS, toggle_help, 0, { "?", "help", "this page" } },
	{ { KEY_IS_ESCAPE }, ALWAYS, leave_help, 0, { 0 } },
	{ { 0x0c }, ALWAYS, redraw, 0, { "^L", NULL, "draw the whole screen anew" } },
	{ { 'q', 0x03 }, ALWAYS, quit, 0, { "q", "quit", "end; streams end too" } },
};
enum { N_ACTIONS = sizeof(actions) / sizeof(actions[0]) };

static bool has_key(const struct key_action *action, int key)
{
	for (size_t i = 0; i < sizeof(action->keys) / sizeof(action->keys[0]); i++) {
		if (action->keys[i] == key)
			return true;
	}
	return false;
}

void keys_press(struct watch *w, int key)
{
	enum when now = w->session.is_replay ? REPLAY : LIVE;

	w->must_draw = true;
	if (w->model.dialog) {
		keys_press_dialog(w, key);
		return;
	}
	for (size_t i = 0; i < N_ACTIONS; i++) {
		if ((actions[i].when & now) && has_key(&actions[i], key)) {
			if (!w->answer_is_error)
				w->answer[0] = '\0'; /* it told of the moment before */
			actions[i].act(w, actions[i].argument);
			return;
		}
	}
	if (key > ' ' && key < 0x7f)
		watch_answer_error(w, "'%c' does nothing here; ? lists the keys", key);
}

const struct key_hint *keys_hints(bool is_replay, size_t *ret_n)
{
	static struct key_hint hints[N_ACTIONS];
	size_t n = 0;

	for (size_t i = 0; i < N_ACTIONS; i++) {
		if ((actions[i].when & (is_replay ? REPLAY : LIVE)) && actions[i].hint.keys)
			hints[n++] = actions[i].hint;
	}
	*ret_n = n;
	return hints;
}
