/*
 * Keys that start and steer streams. They go to the selected stream, or where none is selected to
 * the newest one on the selected device. Only numbers are kept of streams between keys: one may
 * have ended meanwhile.
 */
#include "keys_streams.h"

#include <ctype.h>
#include <string.h>

#include "raidtop/file.h"
#include "raidtop/outlook.h"
#include "raidtop/units.h"
#include "stream_dialog.h"

/* More mounts than any machine is likely to have. */
#define MOUNTS_BYTES (1 << 20)

/* What + and - go by, from no limit down. */
static const double rate_step = 1.25892541179; /* a tenth of a decade: ten steps are ten times */
static const uint64_t rate_least = 100000;     /* bytes per second */
static const uint64_t rate_least_files = 10;   /* files per second */

static const struct device *selected_device(struct watch *w)
{
	int slot = w->screen.selected;
	const struct topology *t = &w->session.topology;

	if (slot < 0 || (size_t)slot >= t->n_devices) {
		watch_answer_error(w, "no device is selected; choose one with the arrow keys");
		return NULL;
	}
	if (!t->devices[slot]->present) {
		watch_answer_error(w, "%s is gone", t->devices[slot]->name);
		return NULL;
	}
	return t->devices[slot];
}

/* ---- starting ---- */

static void say_outlook(struct watch *w)
{
	struct dialog *d = &w->dialog;
	struct stream_spec spec;
	struct outlook outlook;
	size_t size = sizeof(d->sentence);

	d->is_error = stream_dialog_spec(d, &spec, d->sentence, size) < 0 ||
		      outlook_find(&spec, w->model.units, &outlook, d->sentence, size) < 0;
	if (d->is_error)
		return;
	outlook.effect[0] = (char)toupper((unsigned char)outlook.effect[0]);
	/* Of a bare device its name is all there is to say, and that was said. */
	if (strchr(outlook.place, ' '))
		text_format(d->sentence, size, "%s. %s.", outlook.effect, outlook.place);
	else
		text_format(d->sentence, size, "%s.", outlook.effect);
}

static const struct device *device_to_load(struct watch *w)
{
	const struct device *d = selected_device(w);

	if (d && w->session.is_elsewhere) { /* a disk of ours may have the same name */
		watch_answer_error(w,
				   "%s is told of by files (--root), it is no disk of this machine",
				   d->name);
		return NULL;
	}
	return d;
}

void keys_open_stream_dialog(struct watch *w, int argument)
{
	struct buffer mounts = BUFFER_INIT;

	(void)argument;
	if (!device_to_load(w))
		return;
	if (file_read("/proc/self/mountinfo", MOUNTS_BYTES, &mounts) < 0)
		buffer_reset(&mounts);
	buffer_add_char(&mounts, '\0');
	stream_dialog_open(&w->dialog, &w->session.topology, w->screen.selected, mounts.data);
	buffer_release(&mounts);
	w->model.dialog = &w->dialog;
	say_outlook(w);
}

/* Whether it was started; else the dialog says why not. */
static bool start(struct watch *w)
{
	struct dialog *d = &w->dialog;
	struct session *s = &w->session;
	struct stream_spec spec;
	unsigned int first;

	if (stream_dialog_spec(d, &spec, d->sentence, sizeof(d->sentence)) < 0 ||
	    streams_start(&s->streams, &spec, 1, &s->topology, s->tick, s->events, &first,
			  d->sentence, sizeof(d->sentence)) < 0) {
		d->is_error = true;
		return false;
	}
	if (spec.copies > 1)
		watch_answer(w, "streams %u to %u: %s of %s; x stops one", first,
			     first + spec.copies - 1, spec.workload, spec.target);
	else
		watch_answer(w, "stream %u: %s of %s; x stops it, p pauses it", first,
			     spec.workload, spec.target);
	return true;
}

void keys_press_dialog(struct watch *w, int key)
{
	w->must_draw = true;
	switch (dialog_press(&w->dialog, key)) {
	case DIALOG_NOTHING:
		break;
	case DIALOG_CHANGED:
		say_outlook(w);
		break;
	case DIALOG_ENTER:
		if (start(w))
			w->model.dialog = NULL;
		break;
	case DIALOG_CANCEL:
		w->model.dialog = NULL;
		break;
	}
}

void keys_start_again(struct watch *w, int argument)
{
	(void)argument;
	if (!device_to_load(w))
		return;
	keys_open_stream_dialog(w, 0);
	if (start(w))
		w->model.dialog = NULL;
}

/* ---- steering ---- */

void keys_select_streams(struct watch *w, int argument)
{
	(void)argument;
	if (!screen_select_streams(&w->screen, &w->model) && w->model.n_streams == 0)
		watch_answer(w, "no stream runs; s starts one on the selected device");
}

/* The stream that a key is for, 0 after a sentence. */
static unsigned int stream_to_steer(struct watch *w)
{
	const struct device *d;
	unsigned int number;

	if (streams_find(&w->session.streams, w->screen.stream))
		return w->screen.stream;
	w->screen.stream = 0;
	d = selected_device(w);
	if (!d)
		return 0;
	number = streams_newest_on(&w->session.streams, d->name);
	if (!number)
		watch_answer_error(w, "no stream runs on %s; Tab selects among all", d->name);
	return number;
}

void keys_stop_stream(struct watch *w, int argument)
{
	unsigned int number = stream_to_steer(w);

	(void)argument;
	if (number && streams_stop(&w->session.streams, number))
		watch_answer(w, "stream %u is ending", number);
}

void keys_pause_stream(struct watch *w, int argument)
{
	unsigned int number = stream_to_steer(w);

	bool paused;

	(void)argument;
	if (number && streams_toggle_pause(&w->session.streams, number, &paused))
		watch_answer(w, "stream %u %s", number,
			     paused ? "is paused; p lets it go on" : "goes on");
}

/* What it does now is where a limit begins; back above that there is none. */
static uint64_t next_rate(const struct stream_view *v, bool faster)
{
	bool files = stream_kind_counts_files(v->spec.workload);
	uint64_t least = files ? rate_least_files : rate_least;
	double now = (double)v->spec.rate_per_sec;

	if (v->spec.rate_per_sec == 0 && v->running_ns > 0)
		now = files ? (double)stream_amount(v) * 1e9 / (double)v->running_ns
			    : v->read_bytes_per_sec + v->write_bytes_per_sec;

	if (faster && v->spec.rate_per_sec == 0)
		return 0;
	now = faster ? now * rate_step : now / rate_step;
	return now > (double)least ? (uint64_t)now : least;
}

void keys_change_rate(struct watch *w, int argument)
{
	unsigned int number = stream_to_steer(w);
	const struct stream_view *v = number ? streams_find(&w->session.streams, number) : NULL;
	char text[32];
	uint64_t rate;
	bool files;

	if (!v)
		return;
	rate = argument == 0 ? 0 : next_rate(v, argument > 0);
	streams_set_rate(&w->session.streams, number, rate);
	if (rate == 0) {
		watch_answer(w, "stream %u: no limit; - sets one below what it does now", number);
		return;
	}
	files = stream_kind_counts_files(v->spec.workload);
	units_format_three(text, sizeof(text),
			   files ? (double)rate : units_rate(w->model.units, (double)rate));
	watch_answer(w, "stream %u: at most %s %s; + and - change it, = takes it away", number,
		     text, files ? "files/s" : units_rate_name(w->model.units));
}
