/*
 * Runs the streams of one specification, all copies together, and prints what they came to in one
 * line: bytes, transfers, nanoseconds from the first begin to the last end (the last sync
 * included), user and system CPU time of the workers, and the mean time from asking to the first
 * transfer, a copy. With "once" a copy that reads is stopped when it has read all
 * of its file. stream_bench.py compares that with fio.
 *
 *	stream_bench SPECIFICATION once|timed
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "raidtop/barrier.h"
#include "raidtop/clock.h"
#include "raidtop/stream.h"
#include "raidtop/stream_spec.h"

struct copy {
	struct stream *stream;
	struct stream_view view;
	uint64_t asked_ns;
};

struct sum {
	uint64_t bytes, ios, user_ns, system_ns, first_ns;
	uint64_t begin_ns, end_ns;
};

static _Noreturn void die(const char *sentence)
{
	fprintf(stderr, "stream_bench: %s\n", sentence);
	exit(1);
}

static void start_all(struct copy *copies, const struct stream_spec *spec)
{
	struct barrier *barrier = NULL;
	char why[160];

	if (spec->copies > 1 && barrier_new(&barrier, spec->copies) < 0)
		die("no barrier");
	for (unsigned int i = 0; i < spec->copies; i++) {
		const struct stream_order order = {
			.number = i + 1,
			.copy = i,
			.spec = spec,
			.barrier = barrier,
			.place = i,
		};

		copies[i].asked_ns = clock_monotonic_ns();
		if (stream_start(&order, &copies[i].stream, why, sizeof(why)) < 0)
			die(why);
	}
	barrier_free(barrier);
}

/* Looks each millisecond, as no screen would, so as to stop near the end of the file. */
static void wait_for_all(struct copy *copies, const struct stream_spec *spec, bool once)
{
	unsigned int running = spec->copies;

	while (running > 0) {
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
		running = 0;
		for (unsigned int i = 0; i < spec->copies; i++) {
			struct copy *c = &copies[i];

			stream_refresh(c->stream, clock_monotonic_ns(), &c->view);
			if (once && c->view.read_bytes >= spec->size_bytes &&
			    c->view.state == STREAM_RUNNING)
				stream_stop(c->stream);
			running += !stream_is_over(c->stream);
		}
	}
}

static void add(struct sum *sum, const struct copy *c)
{
	const struct stream_view *v = &c->view;
	uint64_t end_ns = v->began_ns + v->running_ns + v->paused_ns + v->sync_ns;

	if (v->state != STREAM_ENDED)
		die(v->why);
	sum->bytes += v->read_bytes + v->write_bytes;
	sum->ios += v->read_ios + v->write_ios;
	sum->user_ns += v->cpu_user_ns;
	sum->system_ns += v->cpu_system_ns;
	sum->first_ns += v->began_ns - c->asked_ns;
	if (sum->begin_ns == 0 || v->began_ns < sum->begin_ns)
		sum->begin_ns = v->began_ns;
	if (end_ns > sum->end_ns)
		sum->end_ns = end_ns;
}

int main(int argc, char **argv)
{
	static struct copy copies[STREAM_COPIES_MAX];
	struct sum sum = { .bytes = 0 };
	struct stream_spec spec;
	char why[160];

	if (argc > 1 && strcmp(argv[1], STREAM_WORKER_ARGUMENT) == 0)
		return stream_worker_main(argc, argv);
	if (argc != 3 || stream_spec_parse(argv[1], &spec, why, sizeof(why)) < 0)
		die(argc == 3 ? why : "call it with a specification, and once or timed");
	if (spec.copies == 0)
		spec.copies = 1;
	start_all(copies, &spec);
	wait_for_all(copies, &spec, strcmp(argv[2], "once") == 0);
	for (unsigned int i = 0; i < spec.copies; i++) {
		add(&sum, &copies[i]);
		stream_free(copies[i].stream);
	}
	printf("%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
	       sum.bytes, sum.ios, sum.end_ns - sum.begin_ns, sum.user_ns, sum.system_ns,
	       sum.first_ns / spec.copies);
	return 0;
}
