/*
 * The table of running streams. A stream that has ended stays in the table until the refresh
 * after the one that told its end, so that the screen and the recording both see its last
 * figures and its sentence. Streams that are started together, as copies are, meet at a barrier and
 * make a group.
 */
#include "streams.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "raidtop/barrier.h"
#include "raidtop/clock.h"
#include "raidtop/remover.h"
#include "raidtop/place.h"
#include "raidtop/text.h"
#include "raidtop/units.h"
#include "stream_course.h"

void streams_init(struct streams *s, uint64_t interval_us)
{
	memset(s, 0, sizeof(*s));
	s->interval_us = interval_us;
}

static void drop(struct streams *s, size_t i)
{
	stream_free(s->stream[i]);
	free(s->course[i]);
	s->n--;
	memmove(&s->stream[i], &s->stream[i + 1], (s->n - i) * sizeof(s->stream[0]));
	memmove(&s->view[i], &s->view[i + 1], (s->n - i) * sizeof(s->view[0]));
	memmove(&s->course[i], &s->course[i + 1], (s->n - i) * sizeof(struct stream_course *));
}

void streams_release(struct streams *s)
{
	while (s->n > 0)
		drop(s, s->n - 1);
}

int streams_end(struct streams *s, uint64_t patience_ns, struct files_report *report)
{
	streams_release(s);
	return remover_run(patience_ns, report);
}

/* ---- starting ---- */

static const struct device *find_device(const struct topology *t, uint32_t major, uint32_t minor)
{
	for (size_t i = 0; i < t->n_devices; i++) {
		const struct device *d = t->devices[i];

		if (d->present && d->major == major && d->minor == minor)
			return d;
	}
	return NULL;
}

/* The device that its figures are to be compared with: the array, where there is one. */
void streams_find_place(struct stream_spec *spec, const struct topology *t)
{
	struct place place = PLACE_INIT;
	const struct place_device *main_device;
	const struct device *d;
	int fd = open(spec->target, O_PATH | O_CLOEXEC);

	if (fd < 0)
		return; /* stream_start() will say so */
	if (place_find(&place, fd, "") == 0 && (main_device = place_main_device(&place))) {
		d = find_device(t, main_device->major, main_device->minor);
		text_copy(spec->device, sizeof(spec->device), d ? d->name : main_device->name);
	}
	place_release(&place);
	close(fd);
}

/* What one start has in common. */
struct start {
	struct streams *s;
	struct barrier *barrier; /* NULL: it is one stream alone */
	const struct topology *topology;
	const struct tick *tick;
	unsigned int first, place;
	char *why;
	size_t size;
};

static int start_copy(struct start *start, const struct stream_spec *spec, unsigned int copy)
{
	struct streams *s = start->s;
	struct stream_order order = {
		.number = s->last_number + 1,
		.group = start->first,
		.copy = copy,
		.spec = spec,
		.barrier = start->barrier,
		.place = start->place++,
	};
	int r = stream_start(&order, &s->stream[s->n], start->why, start->size);

	if (r < 0)
		return r;
	s->last_number++;
	s->course[s->n] =
		stream_course_new(s->interval_us, spec->device, start->topology, start->tick);
	s->view[s->n] = (struct stream_view){
		.number = order.number,
		.group = order.group,
		.spec = *spec,
		.disk_read_bytes = UNKNOWN_U64,
		.read_bytes_per_sec = -1,
		.write_bytes_per_sec = -1,
		.low_bytes_per_sec = -1,
		.high_bytes_per_sec = -1,
		.disk_pct = -1,
	};
	s->n++;
	return 0;
}

static int start_spec(struct start *start, const struct stream_spec *spec)
{
	struct stream_spec placed = *spec;
	unsigned int copies = spec->copies ? spec->copies : 1;
	int r = 0;

	if (placed.device[0] == '\0')
		streams_find_place(&placed, start->topology);
	for (unsigned int copy = 0; copy < copies && r == 0; copy++)
		r = start_copy(start, &placed, copy);
	return r;
}

static size_t count_copies(const struct stream_spec *specs, size_t n)
{
	size_t sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += specs[i].copies ? specs[i].copies : 1;
	return sum;
}

static void tell_starts(const struct streams *s, size_t from, struct event_log *log)
{
	for (size_t i = from; i < s->n; i++) {
		const struct stream_view *v = &s->view[i];

		event_log_add(log, EVENT_STREAM_START, v->spec.device, "",
			      "stream %u started: %s of %s", v->number, v->spec.workload,
			      v->spec.target);
	}
}

int streams_start(struct streams *s, const struct stream_spec *specs, size_t n,
		  const struct topology *t, const struct tick *tick, struct event_log *log,
		  unsigned int *ret_first, char *why, size_t size)
{
	size_t before = s->n, wanted = count_copies(specs, n);
	struct start start = { s, NULL, t, tick, s->last_number + 1, 0, why, size };
	int r = 0;

	if (wanted > STREAMS_MAX - s->n) {
		text_format(why, size, "%zu streams are more than the %d that can run at once%s",
			    s->n + wanted, STREAMS_MAX, s->n ? ": stop some first" : "");
		return -EBUSY;
	}
	if (wanted > 1)
		r = barrier_new(&start.barrier, (unsigned int)wanted);
	if (r < 0)
		text_format(why, size, "streams cannot be started together: %s", strerror(-r));
	for (size_t i = 0; i < n && r == 0; i++)
		r = start_spec(&start, &specs[i]);
	barrier_free(start.barrier);
	if (r < 0) {
		while (s->n > before)
			drop(s, s->n - 1);
		return r;
	}
	tell_starts(s, before, log);
	if (ret_first)
		*ret_first = start.first;
	return 0;
}

/* ---- running ---- */

static bool can_be_stopped(const struct stream_view *v)
{
	return v->state != STREAM_STOPPING && !stream_is_finished(v->state);
}

static void stop(struct streams *s, size_t i)
{
	stream_stop(s->stream[i]);
	s->view[i].state = STREAM_STOPPING;
}

const struct stream_view *streams_find(const struct streams *s, unsigned int number)
{
	for (size_t i = 0; i < s->n; i++) {
		if (s->view[i].number == number)
			return &s->view[i];
	}
	return NULL;
}

unsigned int streams_newest_on(const struct streams *s, const char *name)
{
	for (size_t i = s->n; i > 0; i--) {
		const struct stream_view *view = &s->view[i - 1];

		if (strcmp(view->spec.device, name) == 0 && can_be_stopped(view))
			return view->number;
	}
	return 0;
}

/* The index of a stream that takes orders, -1 where there is none. */
static int find_steerable(const struct streams *s, unsigned int number)
{
	const struct stream_view *view = streams_find(s, number);

	return view && can_be_stopped(view) ? (int)(view - s->view) : -1;
}

bool streams_stop(struct streams *s, unsigned int number)
{
	int i = find_steerable(s, number);

	if (i >= 0)
		stop(s, (size_t)i);
	return i >= 0;
}

bool streams_toggle_pause(struct streams *s, unsigned int number, bool *ret_paused)
{
	int i = find_steerable(s, number);

	if (i < 0)
		return false;
	*ret_paused = s->view[i].state != STREAM_PAUSED;
	if (*ret_paused)
		stream_pause(s->stream[i]);
	else
		stream_resume(s->stream[i]);
	s->view[i].state = *ret_paused ? STREAM_PAUSED : STREAM_RUNNING; /* until it says so */
	return true;
}

bool streams_set_rate(struct streams *s, unsigned int number, uint64_t rate_per_sec)
{
	int i = find_steerable(s, number);

	if (i < 0)
		return false;
	s->view[i].spec.rate_per_sec = rate_per_sec;
	stream_set_rate(s->stream[i], rate_per_sec);
	return true;
}

void streams_stop_all(struct streams *s)
{
	for (size_t i = 0; i < s->n; i++) {
		if (can_be_stopped(&s->view[i]))
			stop(s, i);
	}
}

static void tell_end(const struct stream_view *v, struct event_log *log)
{
	event_log_add(log, EVENT_STREAM_STOP, v->spec.device, "", "stream %u on %s ended%s%s",
		      v->number, v->spec.device, v->why[0] ? ": " : "", v->why);
}

static void tell_levels(const struct streams *s, struct event_log *log)
{
	for (size_t i = 0; i < s->n; i++) {
		const struct stream_course *c = s->course[i];
		const struct stream_view *v = &s->view[i];
		char before[32], after[32];

		if (!c->level_changed || stream_kind_counts_files(v->spec.workload))
			continue;
		units_format_three(before, sizeof(before), units_rate(UNITS_SI, c->change.before));
		units_format_three(after, sizeof(after), units_rate(UNITS_SI, c->change.after));
		event_log_add(log, EVENT_LEVEL_CHANGE, v->spec.device, "",
			      "stream %u on %s went from %s to %s MB/s", v->number, v->spec.device,
			      before, after);
	}
}

void streams_refresh(struct streams *s, uint64_t now_ns, const struct topology *t,
		     const struct tick *tick, struct event_log *log)
{
	for (size_t i = 0; i < s->n;) {
		if (stream_is_finished(s->view[i].state)) { /* told by the last refresh */
			drop(s, i);
			continue;
		}
		stream_refresh(s->stream[i], now_ns, &s->view[i]);
		if (stream_is_finished(s->view[i].state))
			tell_end(&s->view[i], log);
		i++;
	}
	stream_courses_step(s->course, s->view, s->n, t, tick, s->scratch);
	tell_levels(s, log);
}
