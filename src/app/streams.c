/*
 * The table of running streams. A stream that has ended stays in the table until the refresh
 * after the one that told its end, so that the screen and the recording both see its last
 * figures and its sentence.
 */
#include "streams.h"

#include <errno.h>
#include <string.h>

#include "raidtop/text.h"

void streams_init(struct streams *s)
{
	memset(s, 0, sizeof(*s));
}

void streams_release(struct streams *s)
{
	for (size_t i = 0; i < s->n; i++)
		stream_free(s->stream[i]);
	s->n = 0;
}

int streams_start_read(struct streams *s, const char *name, const char *kernel_name,
		       struct event_log *log, char *why, size_t size)
{
	struct stream_spec spec = { .workload = "seq-read" };
	struct stream_view *view;
	int r;

	if (s->n == STREAMS_MAX) {
		text_format(why, size, "%d streams run already; stop one with x first",
			    STREAMS_MAX);
		return -EBUSY;
	}
	text_copy(spec.device, sizeof(spec.device), name);
	if (!text_format(spec.target, sizeof(spec.target), "/dev/%s", kernel_name))
		return -ENAMETOOLONG;
	r = stream_start(&(struct stream_order){ .number = s->last_number + 1, .spec = &spec },
			 &s->stream[s->n], why, size);
	if (r < 0)
		return r;
	s->last_number++;
	view = &s->view[s->n];
	*view = (struct stream_view){ .number = s->last_number, .spec = spec };
	view->read_bytes_per_sec = view->write_bytes_per_sec = -1;
	s->n++;
	event_log_add(log, EVENT_STREAM_START, name, "", "stream %u started: %s of %s",
		      s->last_number, spec.workload, spec.target);
	return 0;
}

unsigned int streams_stop_on(struct streams *s, const char *name)
{
	for (size_t i = s->n; i > 0; i--) {
		struct stream_view *view = &s->view[i - 1];

		if (strcmp(view->spec.device, name) == 0 && view->state != STREAM_STOPPING &&
		    !stream_is_finished(view->state)) {
			stream_stop(s->stream[i - 1]);
			view->state = STREAM_STOPPING;
			return view->number;
		}
	}
	return 0;
}

static void drop(struct streams *s, size_t i)
{
	stream_free(s->stream[i]);
	s->n--;
	memmove(&s->stream[i], &s->stream[i + 1], (s->n - i) * sizeof(s->stream[0]));
	memmove(&s->view[i], &s->view[i + 1], (s->n - i) * sizeof(s->view[0]));
}

void streams_refresh(struct streams *s, uint64_t now_ns, struct event_log *log)
{
	for (size_t i = 0; i < s->n;) {
		struct stream_view *view = &s->view[i];

		if (stream_is_finished(view->state)) { /* told by the last refresh */
			drop(s, i);
			continue;
		}
		stream_refresh(s->stream[i], now_ns, view);
		if (stream_is_finished(view->state))
			event_log_add(log, EVENT_STREAM_STOP, view->spec.device, "",
				      "stream %u on %s ended%s%s", view->number, view->spec.device,
				      view->why[0] ? ": " : "", view->why);
		i++;
	}
}
