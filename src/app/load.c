/*
 * Load without a screen. The session ticks as it does for a recording; the streams are started
 * after its first tick, so that there is a figure of each device from before, and the last tick is
 * the one that sees the last stream over. ^C asks the streams to end, and what they did is told;
 * a second one ends everything at once. On a terminal the streams' lines are rewritten in place,
 * on standard error: what goes to standard output is the result alone.
 */
#include "load.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "ask.h"
#include "load_progress.h"
#include "load_tell.h"
#include "machine.h"
#include "raidtop/clock.h"
#include "raidtop/consent.h"
#include "raidtop/file.h"
#include "raidtop/memory.h"
#include "raidtop/files_clean.h"
#include "say.h"
#include "schedule.h"
#include "session.h"
#include "signals.h"

/* Where nobody can stop it. */
static const uint64_t default_time_ns = 60 * NS_PER_SEC;
/* Two ticks are at least so far apart. */
static const uint64_t tick_apart_ns = 50 * NS_PER_MS;

/* So long test files may take to go after a second ^C: their removal goes on without raidtop. */
static const uint64_t in_haste_ns = NS_PER_SEC / 2;

struct load {
	const struct options *options;
	struct session session;
	struct schedule schedule;
	struct load_tally tally;
	struct load_progress progress;
	struct stream_spec *specs;
	size_t n_specs;
	uint64_t end_ns;  /* UINT64_MAX: none */
	uint64_t last_ns; /* the last tick */
	uint64_t due_ns;  /* a tick out of turn, because a stream has ended; 0: none */
	int64_t start_realtime_ms;
	sigset_t wait_mask, end_mask;
	unsigned int interrupts;
	bool has_stopped; /* the streams were asked to end */
	int status;
};

/* ---- before ---- */

static void take_specs(struct load *l)
{
	const struct options *o = l->options;
	char why[512];

	l->n_specs = o->n_streams;
	l->specs = memory_new(l->n_specs, sizeof(*l->specs));
	for (size_t i = 0; i < l->n_specs; i++) {
		struct stream_spec *spec = &l->specs[i];

		/* The option was parsed once already, to be refused at once. */
		if (stream_spec_parse(o->streams[i], spec, why, sizeof(why)) < 0)
			continue;
		if (spec->time_ns == 0 && o->duration_ns == 0 && !isatty(STDERR_FILENO))
			spec->time_ns = default_time_ns;
		spec->allow_degraded = o->allow_degraded;
		text_copy(spec->allow_raw_write, sizeof(spec->allow_raw_write),
			  o->allow_raw_write ? o->allow_raw_write : "");
		text_copy(spec->allow_raw_overwrite, sizeof(spec->allow_raw_overwrite),
			  o->allow_raw_overwrite ? o->allow_raw_overwrite : "");
		text_copy(spec->allow_thin_write, sizeof(spec->allow_thin_write),
			  o->allow_thin_write ? o->allow_thin_write : "");
	}
}

static void load_tick(struct load *l, uint32_t missed)
{
	struct session *s = &l->session;
	char why[512];
	int r = session_tick(s, missed, why, sizeof(why));

	l->last_ns = clock_monotonic_ns();
	l->due_ns = 0;
	if (r < 0) {
		say("the counters cannot be read: %s", strerror(-r));
		l->status = STATUS_FAILURE;
	} else if (why[0]) {
		say("%s", why);
		l->status = STATUS_FAILURE;
	}
}

static int load_open(struct load *l)
{
	const struct options *o = l->options;
	struct provider *provider;
	char why[512];

	if (machine_open(o, o->temperature_ns, &provider) < 0)
		return -1;
	session_init(&l->session, provider, false, o->interval_ns, 0);
	l->session.is_elsewhere = machine_is_elsewhere(o);
	l->session.recording_wait_mask = &l->end_mask;
	if (o->record &&
	    session_record_start(&l->session, o->record, o->force, why, sizeof(why)) < 0) {
		say("%s", why);
		return -1;
	}
	load_tick(l, 0);
	return l->status == STATUS_FINE ? 0 : -1;
}

/* With JSON, or a recording on standard output, that is for nothing else. */
static int words_fd(const struct load *l)
{
	bool taken =
		l->options->json || (l->options->record && strcmp(l->options->record, "-") == 0);

	return taken ? STDERR_FILENO : STDOUT_FILENO;
}

static void tell_plan(const struct load *l)
{
	struct buffer out = BUFFER_INIT;

	for (size_t i = 0; i < l->n_specs; i++) {
		struct stream_spec placed = l->specs[i];

		streams_find_place(&placed, &l->session.topology);
		load_tell_plan(&out, &placed, l->options->units);
		load_tell_background(&out, &placed, &l->session.topology);
	}
	if (words_fd(l) == STDOUT_FILENO || isatty(STDERR_FILENO))
		file_write_all(words_fd(l), buffer_text(&out), out.len);
	buffer_release(&out);
}

static int start_streams(struct load *l)
{
	struct session *s = &l->session;
	unsigned int first;
	char why[512];
	int r = streams_start(&s->streams, l->specs, l->n_specs, &s->topology, s->tick, s->events,
			      &first, why, sizeof(why));

	if (r < 0) {
		say("%s", why);
		return r;
	}
	l->start_realtime_ms = clock_realtime_ms();
	load_tally_init(&l->tally, first, l->specs, l->n_specs, s->interval_ns / NS_PER_US);
	return 0;
}

/* ---- while ---- */

static bool has_begun(const struct load *l)
{
	for (size_t i = 0; i < l->tally.n; i++) {
		if (l->tally.views[i].began_ns > 0)
			return true;
	}
	return false;
}

static void stop_when_due(struct load *l)
{
	uint64_t now_ns = clock_monotonic_ns();

	if (l->end_ns == UINT64_MAX && l->options->duration_ns > 0 && has_begun(l) &&
	    l->options->duration_ns < UINT64_MAX - now_ns)
		l->end_ns = now_ns + l->options->duration_ns;
	if (!l->has_stopped && (l->interrupts > 0 || now_ns >= l->end_ns)) {
		l->has_stopped = true;
		streams_stop_all(&l->session.streams);
	}
}

static void load_wait(struct load *l)
{
	struct provider *p = l->session.provider;
	struct pollfd fds[PROVIDER_MAX_FDS];
	uint64_t now_ns = clock_monotonic_ns(), until_ns = l->schedule.next_ns, wait_ns;
	struct timespec timeout;
	size_t n = p->ops->poll_fds(p, fds);

	if (l->due_ns > 0 && l->due_ns < until_ns)
		until_ns = l->due_ns;
	if (!l->has_stopped && l->end_ns < until_ns)
		until_ns = l->end_ns;
	wait_ns = until_ns > now_ns ? until_ns - now_ns : 0;
	timeout = (struct timespec){ (time_t)(wait_ns / NS_PER_SEC), (long)(wait_ns % NS_PER_SEC) };
	if (ppoll(fds, n, &timeout, &l->wait_mask) > 0)
		p->ops->dispatch(p, fds, n);
}

static void take_signals(struct load *l)
{
	unsigned int bits = signals_take();

	if (bits & SIGNAL_END)
		l->interrupts++;
	if (bits & SIGNAL_STOP)
		signals_stop_here();
	if (bits & SIGNAL_CHILD)
		l->due_ns = l->last_ns + tick_apart_ns;
	if (bits & SIGNAL_RESIZE)
		load_progress_resize(&l->progress);
}

static void tick_when_due(struct load *l)
{
	uint64_t now_ns = clock_monotonic_ns();
	bool out_of_turn = l->due_ns > 0 && now_ns >= l->due_ns;
	uint32_t missed = 0;

	if (!schedule_take(&l->schedule, now_ns, &missed) && !out_of_turn)
		return;
	load_tick(l, missed);
	load_tally_step(&l->tally, &l->session.topology, l->session.tick, l->session.views,
			l->session.n_views);
	load_progress_draw(&l->progress, &l->tally, l->options->units, l->last_ns);
}

static void load_loop(struct load *l)
{
	while (l->status == STATUS_FINE && !load_tally_is_over(&l->tally) && l->interrupts < 2) {
		tick_when_due(l);
		stop_when_due(l);
		if (load_tally_is_over(&l->tally))
			break;
		load_wait(l);
		take_signals(l);
	}
}

/* ---- after ---- */

/* Of a terminal, in cells; 0 where it is none. */
static int width_of(int fd)
{
	struct winsize size;

	return isatty(fd) && ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

static void print_result(struct load *l)
{
	struct buffer out = BUFFER_INIT;
	struct load_result result = {
		.tally = &l->tally,
		.topology = &l->session.topology,
		.units = l->options->units,
		.interrupted = l->interrupts > 0,
		.has_failed = load_tally_has_failed(&l->tally),
		.start_realtime_ms = l->start_realtime_ms,
	};
	int fd = l->options->json ? STDOUT_FILENO : words_fd(l), r;

	result.width = width_of(fd);
	load_tally_end(&l->tally);
	if (l->options->json)
		load_print_json(&result, &out);
	else
		load_print_table(&result, &out);
	r = file_write_all(fd, out.data, out.len);
	if (r < 0) {
		say("the result cannot be written: %s", strerror(-r));
		l->status = STATUS_FAILURE;
	}
	buffer_release(&out);
}

static void load_close(struct load *l)
{
	struct files_report report = { .say = say_sentence };
	uint64_t patience_ns = l->interrupts < 2 ? STREAMS_PATIENCE_NS : in_haste_ns;
	char why[512];

	if (session_record_stop(&l->session, why, sizeof(why)) < 0) {
		say("%s", why);
		l->status = STATUS_FAILURE;
	}
	if (streams_end(&l->session.streams, patience_ns, &report) < 0)
		l->status = STATUS_FAILURE;
	session_release(&l->session);
	free(l->specs);
}

static void load_work(struct load *l)
{
	if (load_open(l) < 0) {
		l->status = STATUS_FAILURE;
		return;
	}
	tell_plan(l);
	if (start_streams(l) < 0) {
		l->status = STATUS_FAILURE;
		return;
	}
	schedule_start(&l->schedule, l->options->interval_ns,
		       clock_monotonic_ns() + l->options->interval_ns);
	load_progress_init(&l->progress, STDERR_FILENO);
	load_loop(l);
	load_progress_end(&l->progress);
	print_result(l);
	if (load_tally_has_failed(&l->tally) || !load_tally_is_over(&l->tally))
		l->status = STATUS_FAILURE;
	load_tally_release(&l->tally);
}

int load_run(const struct options *o)
{
	struct load *l = memory_new(1, sizeof(*l));
	int status;

	if (machine_is_elsewhere(o)) {
		say("streams run on this machine: leave out --root");
		free(l);
		return STATUS_USAGE;
	}
	l->options = o;
	l->end_ns = UINT64_MAX;
	signals_install(&l->wait_mask);
	signals_end_mask(&l->end_mask);
	consent_set_ask(ask_at_terminal, &l->wait_mask);
	take_specs(l);
	load_work(l);
	consent_set_ask(NULL, NULL);
	if (l->session.provider)
		load_close(l);
	status = l->status;
	free(l);
	return status;
}

int clean_run(const struct options *o)
{
	struct files_report report = { .say = say_sentence };
	int r = files_clean(o->clean, &report); /* it tells all there is to tell */

	return r == 0 || r == -ENOENT ? STATUS_FINE : STATUS_FAILURE;
}
