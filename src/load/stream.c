/*
 * raidtop's side of a stream. It opens the target, writes the plan into shared memory, starts the
 * worker and then only looks: nothing here waits for the worker, which may hang in the kernel for
 * as long as the disk does. A worker is over when it has been reaped, and what it wrote into the
 * shared memory before that says how it went.
 */
#include "raidtop/stream.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "futex.h"
#include "plan.h"
#include "raidtop/barrier.h"
#include "raidtop/clock.h"
#include "raidtop/memory.h"
#include "raidtop/remover.h"
#include "raidtop/text.h"
#include "reaper.h"
#include "sentence.h"
#include "shared.h"
#include "spawn.h"
#include "stream_tell.h"
#include "target.h"
#include "workload.h"

/* Of two refreshes closer than this (one for SIGCHLD, say) no rate is made: it would be noise. */
#define RATE_INTERVAL_MIN_NS (50 * NS_PER_MS)

struct rate_base {
	uint64_t at_ns; /* the last refresh, or the first transfer; 0: none yet */
	uint64_t read_bytes, write_bytes;
};

/* A histogram as it was when that many transfers had ended. */
struct seen {
	uint64_t ios;
	struct latency latency;
};

struct stream {
	unsigned int number, group;
	struct stream_spec spec;
	struct shared *shared;
	struct barrier *barrier; /* NULL: none, or it is known that the worker has arrived */
	unsigned int place;
	pid_t pid;       /* 0: reaped */
	int exit_status; /* as waitpid gives it; 0 where it could not be had */
	bool stop_asked;
	bool in_memory;
	uint64_t over_ns;    /* when it was seen to be over */
	uint64_t running_ns; /* as last told: it never goes back */
	struct rate_base base;
	double read_bytes_per_sec, write_bytes_per_sec;
	struct seen read, write, scheduled;
	char why[160]; /* once it is over */
};

static void leave_barrier(struct stream *s)
{
	if (s->barrier)
		barrier_arrive(s->barrier, s->place);
	barrier_free(s->barrier);
	s->barrier = NULL;
}

static int start_worker(struct stream *s, unsigned int copy, const struct workload *w,
			const struct target *t, char *why, size_t size)
{
	int fd;
	int r = shared_create(&s->shared, &fd);

	if (r < 0)
		return sentence_set(r, why, size, "no shared memory for a stream: %s",
				    strerror(-r));
	r = plan_write(&s->shared->plan, &s->spec, copy, w, t, why, size);
	if (r == 0) {
		s->shared->plan.place = s->place;
		s->shared->plan.group = s->group;
		s->spec = s->shared->plan.spec;
		s->spec.access = s->shared->plan.asked_access;
		atomic_store_explicit(&s->shared->access, s->shared->plan.spec.access,
				      memory_order_relaxed);
		shared_set(&s->shared->rate_per_sec, s->spec.rate_per_sec);
		shared_set(&s->shared->disk_read_bytes, UNKNOWN_U64);
		r = spawn_worker(fd, t->fd, s->barrier ? barrier_fd(s->barrier) : -1, s->shared,
				 &s->pid);
		if (r < 0)
			sentence_set(r, why, size, "no process for a stream: %s", strerror(-r));
	}
	close(fd);
	return r;
}

static struct stream *stream_new(const struct stream_order *order)
{
	struct stream *s = memory_new(1, sizeof(*s));

	s->number = order->number;
	s->group = order->group ? order->group : order->number;
	s->spec = *order->spec;
	s->barrier = barrier_hold(order->barrier);
	s->place = order->place;
	s->read_bytes_per_sec = s->write_bytes_per_sec = -1;
	return s;
}

static unsigned int copies_to_come(const struct stream_spec *spec, unsigned int copy)
{
	return spec->copies > copy ? spec->copies - copy : 1;
}

int stream_start(const struct stream_order *order, struct stream **ret, char *why, size_t size)
{
	struct target target = TARGET_INIT;
	struct place place = PLACE_INIT;
	struct stream *s = stream_new(order);
	const struct workload *w;
	int r = -EINVAL;

	reaper_sweep();
	text_copy(why, size, "");
	w = plan_check_spec(&s->spec, why, size);
	if (w) {
		plan_fill_defaults(&s->spec, w);
		/* Those that were started before this one have taken theirs. */
		r = plan_check_memory(&s->spec, w, copies_to_come(&s->spec, order->copy), why,
				      size);
	}
	if (r == 0)
		r = target_open(&target, &s->spec, w, &place, why, size);
	if (r == 0 && target.kind == SHARED_TARGET_DIRECTORY)
		r = remover_note(target.fd, s->spec.target);
	if (r == 0) {
		s->in_memory = target.in_memory;
		r = start_worker(s, order->copy, w, &target, why, size);
	}
	target_release(&target);
	place_release(&place);
	if (r < 0) {
		stream_free(s);
		return r;
	}
	*ret = s;
	return 0;
}

static void stream_wake(struct stream *s)
{
	atomic_fetch_add(&s->shared->wake, 1);
	futex_wake(&s->shared->wake);
}

void stream_stop(struct stream *s)
{
	s->stop_asked = true;
	atomic_fetch_add(&s->shared->stop, 1);
	stream_wake(s);
}

void stream_pause(struct stream *s)
{
	atomic_store(&s->shared->pause, 1);
	stream_wake(s);
}

void stream_resume(struct stream *s)
{
	atomic_store(&s->shared->pause, 0);
	stream_wake(s);
}

void stream_set_rate(struct stream *s, uint64_t rate_per_sec)
{
	s->spec.rate_per_sec = rate_per_sec;
	shared_set(&s->shared->rate_per_sec, rate_per_sec);
	stream_wake(s);
}

bool stream_is_over(const struct stream *s)
{
	return s->pid == 0;
}

static enum phase stream_phase(const struct stream *s)
{
	return (enum phase)atomic_load_explicit(&s->shared->phase, memory_order_acquire);
}

static enum stream_state stream_state(const struct stream *s)
{
	enum phase phase = stream_phase(s);

	if (stream_is_over(s))
		return phase == PHASE_DONE && s->exit_status == 0 ? STREAM_ENDED : STREAM_FAILED;
	if (s->stop_asked || phase >= PHASE_SYNC)
		return STREAM_STOPPING;
	if (phase == PHASE_PREPARE)
		return STREAM_PREPARING;
	if (phase == PHASE_READY)
		return STREAM_WAITING;
	if (phase != PHASE_RUNNING)
		return STREAM_STARTING;
	return shared_get(&s->shared->pause_began_ns) > 0 ? STREAM_PAUSED : STREAM_RUNNING;
}

static void stream_take_end(struct stream *s, uint64_t now_ns)
{
	s->pid = 0;
	s->over_ns = shared_get(&s->shared->ended_ns);
	if (s->over_ns == 0)
		s->over_ns = now_ns;
	leave_barrier(s);
	if (stream_state(s) == STREAM_FAILED) {
		if (stream_phase(s) == PHASE_FAILED)
			stream_tell_failure(s->shared, s->exit_status, s->why, sizeof(s->why));
		else
			stream_tell_exit(s->exit_status, s->why, sizeof(s->why));
		return;
	}
	stream_tell_note(s->shared, s->in_memory, s->why, sizeof(s->why));
	if (s->why[0] == '\0')
		stream_tell_ending(s->shared, s->why, sizeof(s->why));
}

static double rate_of(uint64_t before, uint64_t after, uint64_t ns)
{
	return (double)(after - before) * (double)NS_PER_SEC / (double)ns;
}

/* The first interval begins with the first transfer: starting up is not counted. */
static void stream_take_rates(struct stream *s, uint64_t now_ns, const struct stream_view *v)
{
	struct rate_base *b = &s->base;

	if (b->at_ns == 0)
		b->at_ns = v->began_ns;
	if (b->at_ns == 0 || now_ns < b->at_ns + RATE_INTERVAL_MIN_NS)
		return;
	s->read_bytes_per_sec = rate_of(b->read_bytes, v->read_bytes, now_ns - b->at_ns);
	s->write_bytes_per_sec = rate_of(b->write_bytes, v->write_bytes, now_ns - b->at_ns);
	*b = (struct rate_base){ now_ns, v->read_bytes, v->write_bytes };
}

static uint64_t oldest_io_ns(const struct stream *s, uint64_t now_ns)
{
	uint64_t oldest = UINT64_MAX;

	if (stream_is_over(s))
		return 0;
	for (uint32_t i = 0; i < s->shared->plan.spec.depth && i < STREAM_DEPTH_MAX; i++) {
		uint64_t begun = shared_get(&s->shared->flight_ns[i]);

		if (begun > 0 && begun < oldest)
			oldest = begun;
	}
	if (oldest == UINT64_MAX)
		return 0;
	return now_ns > oldest ? now_ns - oldest
			       : 1; /* begun after the caller looked at the clock */
}

/* A pause that is just ending may be seen twice for a moment; the time never goes back. */
static void stream_take_times(struct stream *s, uint64_t now_ns, struct stream_view *ret)
{
	const struct shared *shared = s->shared;
	uint64_t ended = shared_get(&shared->ended_ns);
	uint64_t until = stream_is_over(s) ? s->over_ns : ended > 0 ? ended : now_ns;
	uint64_t pause_began = shared_get(&shared->pause_began_ns);
	uint64_t running;

	ret->began_ns = shared_get(&shared->started_ns);
	ret->paused_ns = shared_get(&shared->paused_ns);
	if (pause_began > 0 && until > pause_began)
		ret->paused_ns += until - pause_began;
	running = ret->began_ns > 0 && until > ret->began_ns ? until - ret->began_ns : 0;
	running = running > ret->paused_ns ? running - ret->paused_ns : 0;
	if (running > s->running_ns)
		s->running_ns = running;
	ret->running_ns = s->running_ns;
	ret->sync_ns = shared_get(&shared->sync_ns);
	ret->first_ns = shared_get(&shared->first_ns);
	ret->oldest_io_ns = oldest_io_ns(s, now_ns);
}

static void stream_take_counters(const struct shared *shared, struct stream_view *ret)
{
	ret->read_bytes = shared_get(&shared->read.bytes);
	ret->read_ios = shared_get(&shared->read.ios);
	ret->read_ns = shared_get(&shared->read.latency_ns);
	ret->write_bytes = shared_get(&shared->write.bytes);
	ret->write_ios = shared_get(&shared->write.ios);
	ret->write_ns = shared_get(&shared->write.latency_ns);
	ret->errors = shared_get(&shared->errors);
	ret->cpu_user_ns = shared_get(&shared->cpu_user_ns);
	ret->cpu_system_ns = shared_get(&shared->cpu_system_ns);
	ret->disk_read_of_bytes = shared_get(&shared->disk_read_of_bytes);
	ret->disk_read_bytes = shared_get(&shared->disk_read_bytes);
	ret->prepared_bytes = shared_get(&shared->prepared_bytes);
	ret->prepare_bytes = shared_get(&shared->prepare_bytes);
	ret->source =
		(enum stream_source)atomic_load_explicit(&shared->source, memory_order_relaxed);
	ret->cached_bytes = shared_get(&shared->cached_bytes);
}

/* The number of transfers tells cheaply whether the histogram has changed. */
static const struct latency *take_latency(struct seen *seen, const struct latency_shared *l,
					  uint64_t ios)
{
	if (ios != seen->ios)
		latency_take(&seen->latency, l);
	seen->ios = ios;
	return seen->latency.total > 0 ? &seen->latency : NULL;
}

void stream_refresh(struct stream *s, uint64_t now_ns, struct stream_view *ret)
{
	const struct shared *shared = s->shared;

	reaper_sweep();
	if (s->pid != 0 && reaper_try(s->pid, &s->exit_status))
		stream_take_end(s, now_ns);
	ret->number = s->number;
	ret->group = s->group;
	ret->spec = s->spec;
	ret->state = stream_state(s);
	stream_take_counters(shared, ret);
	stream_take_times(s, now_ns, ret);
	ret->read_latency = take_latency(&s->read, &shared->read_latency, ret->read_ios);
	ret->write_latency = take_latency(&s->write, &shared->write_latency, ret->write_ios);
	ret->scheduled_latency = take_latency(&s->scheduled, &shared->scheduled_latency,
					      ret->read_ios + ret->write_ios);
	ret->disk_pct = ret->low_bytes_per_sec = ret->high_bytes_per_sec = -1;
	stream_take_rates(s, now_ns, ret);
	ret->read_bytes_per_sec = s->read_bytes_per_sec;
	ret->write_bytes_per_sec = s->write_bytes_per_sec;
	text_copy_n(ret->file, sizeof(ret->file), shared->file,
		    strnlen(shared->file, sizeof(shared->file)));
	if (stream_is_over(s))
		text_copy(ret->why, sizeof(ret->why), s->why);
	else
		stream_tell_note(shared, s->in_memory, ret->why, sizeof(ret->why));
}

void stream_free(struct stream *s)
{
	if (!s)
		return;
	reaper_sweep();
	if (s->pid > 0)
		reaper_kill(s->pid);
	leave_barrier(s);
	shared_detach(s->shared);
	free(s);
}
