/*
 * How many streams and counts a file can make is bounded; a line of more is damaged.
 */
#include "replay_hist.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "raidtop/memory.h"

enum { HIST_STREAMS_MAX = 256, HIST_STEPS_MAX = 1 << 20 };

/* ---- the lines of a tick ---- */

static int add_step(struct replay_hists *h, const struct replay_hist_step *step)
{
	if (h->n_steps == HIST_STEPS_MAX)
		return -EBADMSG;
	if (h->n_steps == h->steps_size) {
		h->steps_size = h->steps_size ? 2 * h->steps_size : 256;
		h->steps = memory_resize(h->steps, h->steps_size, sizeof(*h->steps));
	}
	h->steps[h->n_steps++] = *step;
	return 0;
}

void replay_hists_begin(struct replay_hists *h)
{
	h->n_steps = 0;
}

void replay_hists_forget(struct replay_hists *h)
{
	add_step(h, &(struct replay_hist_step){ .what = HIST_FORGET });
}

static bool is_word(const struct record_field *f, const char *word)
{
	return f->len == strlen(word) && memcmp(f->text, word, f->len) == 0;
}

static int add_counts(struct replay_hists *h, struct replay_hist_step *step,
		      const struct record_field *value)
{
	const char *text = value->text;
	size_t len = value->len;
	struct record_bucket b;
	int r;

	while ((r = record_hist_next(&text, &len, &b)) > 0) {
		step->what = HIST_ADD;
		step->bucket = b.bucket;
		step->a = b.count;
		r = add_step(h, step);
		if (r < 0)
			break;
	}
	return r;
}

int replay_hists_line(struct replay_hists *h, unsigned int number, const struct record_field *key,
		      const struct record_field *value)
{
	size_t before = h->n_steps;
	int r = -ENOTSUP;

	for (enum stream_hist i = 0; i < STREAM_HIST_COUNT; i++) {
		struct replay_hist_step step = { .number = number, .hist = i };
		bool is_sum = is_word(key, record_hists[i].sum_key);

		if (!is_sum && !is_word(key, record_hists[i].key))
			continue;
		step.what = HIST_CLEAR;
		r = is_sum ? add_step(h, &step) : 0;
		if (r == 0)
			r = add_counts(h, &step, value);
	}
	if (r < 0)
		h->n_steps = before; /* nothing of a damaged line counts */
	return r;
}

int replay_hists_ends(struct replay_hists *h, unsigned int number, const char *list)
{
	for (enum stream_hist i = 0; i < STREAM_HIST_COUNT; i++) {
		struct replay_hist_step step = { HIST_ENDS, number, i, 0, 0, 0 };
		int r = record_hist_ends(list, i, &step.a, &step.b);

		if (r == 0)
			r = add_step(h, &step);
		if (r < 0 && r != -ENOENT)
			return r;
	}
	return 0;
}

/* ---- the sums ---- */

static void free_stream(struct replay_hist_stream *s)
{
	for (enum stream_hist i = 0; i < STREAM_HIST_COUNT; i++)
		free(s->sum[i]);
}

static void forget_all(struct replay_hists *h)
{
	while (h->n_streams > 0)
		free_stream(&h->streams[--h->n_streams]);
}

void replay_hists_clear(struct replay_hists *h)
{
	forget_all(h);
	h->n_steps = 0;
}

void replay_hists_release(struct replay_hists *h)
{
	replay_hists_clear(h);
	free(h->streams);
	free(h->steps);
	*h = (struct replay_hists){ .streams = NULL };
}

static struct replay_hist_stream *find_stream(struct replay_hists *h, unsigned int number)
{
	for (size_t i = 0; i < h->n_streams; i++) {
		if (h->streams[i].number == number)
			return &h->streams[i];
	}
	return NULL;
}

/* Makes what is not there yet; NULL where there are too many streams. */
static struct latency *find_sum(struct replay_hists *h, unsigned int number, enum stream_hist hist)
{
	struct replay_hist_stream *s = find_stream(h, number);

	if (!s) {
		if (h->n_streams == HIST_STREAMS_MAX)
			return NULL;
		if (h->n_streams == h->streams_size) {
			h->streams_size = h->streams_size ? 2 * h->streams_size : 4;
			h->streams =
				memory_resize(h->streams, h->streams_size, sizeof(*h->streams));
		}
		s = &h->streams[h->n_streams++];
		*s = (struct replay_hist_stream){ .number = number };
	}
	if (!s->sum[hist])
		s->sum[hist] = memory_new(1, sizeof(struct latency));
	return s->sum[hist];
}

static void take_step(struct replay_hists *h, const struct replay_hist_step *step)
{
	struct latency *l;

	if (step->what == HIST_FORGET) {
		forget_all(h);
		return;
	}
	l = find_sum(h, step->number, step->hist);
	if (!l)
		return;
	if (step->what == HIST_CLEAR) {
		memset(l->count, 0, sizeof(l->count));
		l->total = 0;
	} else if (step->what == HIST_ADD) {
		l->count[step->bucket] += step->a;
		l->total += step->a;
	} else {
		l->min_ns = step->a;
		l->max_ns = step->b;
	}
}

void replay_hists_commit(struct replay_hists *h)
{
	for (size_t i = 0; i < h->n_steps; i++)
		take_step(h, &h->steps[i]);
	h->n_steps = 0;
}

static bool is_among(const struct stream_view *views, size_t n, unsigned int number)
{
	for (size_t i = 0; i < n; i++) {
		if (views[i].number == number)
			return true;
	}
	return false;
}

void replay_hists_show(struct replay_hists *h, struct stream_view *views, size_t n)
{
	for (size_t i = h->n_streams; i > 0; i--) {
		if (is_among(views, n, h->streams[i - 1].number))
			continue;
		free_stream(&h->streams[i - 1]);
		h->streams[i - 1] = h->streams[--h->n_streams];
	}
	for (size_t i = 0; i < n; i++) {
		struct replay_hist_stream *s = find_stream(h, views[i].number);

		for (enum stream_hist k = 0; k < STREAM_HIST_COUNT; k++)
			record_hist_set(&views[i], k, s ? s->sum[k] : NULL);
	}
}
