/*
 * raidtop's side of a stream. It opens the target, writes the plan into shared memory, starts the
 * worker and then only looks: nothing here waits for the worker, which may hang in the kernel for
 * as long as the disk does. A worker is over when it has been reaped, and what it wrote into the
 * shared memory before that says how it went.
 */
#include "raidtop/stream.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine.h"
#include "raidtop/clock.h"
#include "raidtop/memory.h"
#include "raidtop/text.h"
#include "sentence.h"
#include "shared.h"
#include "spawn.h"
#include "target.h"
#include "workload.h"

#define BLOCK_BYTES_MIN 512
#define BLOCK_BYTES_MAX (64 << 20)

/* Of two refreshes closer than this (one for SIGCHLD, say) no rate is made: it would be noise. */
#define RATE_INTERVAL_MIN_NS (50 * NS_PER_MS)

struct rate_base {
	uint64_t at_ns; /* the last refresh, or the first transfer; 0: none yet */
	uint64_t read_bytes, write_bytes;
};

struct stream {
	unsigned int number;
	struct stream_spec spec;
	struct shared *shared;
	pid_t pid;       /* 0: reaped */
	int exit_status; /* as waitpid gives it; 0 where it could not be had */
	bool stop_asked;
	bool in_memory;
	uint64_t over_ns; /* when it was seen to be over */
	struct rate_base base;
	double read_bytes_per_sec, write_bytes_per_sec;
	char why[160]; /* once it is over */
};

/*
 * Workers that were killed but did not end at once: each stays a zombie until it is reaped, which
 * is tried whenever a stream is started, refreshed or freed. What is left at exit goes to init.
 */
static struct {
	pid_t *pids;
	size_t n, size;
} orphans;

static bool try_reap(pid_t pid, int *ret_status)
{
	pid_t r = waitpid(pid, ret_status, WNOHANG);

	if (r < 0 && errno == ECHILD) { /* reaped by someone else, or SIGCHLD is ignored */
		*ret_status = 0;
		return true;
	}
	return r == pid;
}

static void orphans_reap(void)
{
	int status;

	for (size_t i = 0; i < orphans.n;) {
		if (try_reap(orphans.pids[i], &status))
			orphans.pids[i] = orphans.pids[--orphans.n];
		else
			i++;
	}
}

static void orphans_add(pid_t pid)
{
	if (orphans.n == orphans.size) {
		orphans.size = orphans.size ? 2 * orphans.size : 8;
		orphans.pids = memory_resize(orphans.pids, orphans.size, sizeof(*orphans.pids));
	}
	orphans.pids[orphans.n++] = pid;
}

/* The workload that is asked for, or NULL with a sentence. */
static const struct workload *check_spec(const struct stream_spec *spec, char *why, size_t size)
{
	const struct workload *w = workload_find(spec->workload);
	uint64_t block_bytes = spec->block_bytes;

	if (!w) {
		sentence_set(0, why, size, "there is no workload \"%s\"", spec->workload);
		return NULL;
	}
	if (block_bytes > 0 && (block_bytes < BLOCK_BYTES_MIN || block_bytes > BLOCK_BYTES_MAX)) {
		sentence_set(0, why, size,
			     "a block of %" PRIu64 " bytes cannot be: take 512 bytes to 64 MiB",
			     block_bytes);
		return NULL;
	}
	return w;
}

static int check_block(const struct stream_spec *spec, const struct target *t, char *why,
		       size_t size)
{
	char buf[SENTENCE_NAME_BYTES];

	if (spec->block_bytes % t->align_bytes == 0)
		return 0;
	return sentence_set(-EINVAL, why, size,
			    "a block of %" PRIu64
			    " bytes does not go with %s: take a multiple of %" PRIu64,
			    spec->block_bytes, sentence_name(buf, spec->target), t->align_bytes);
}

static void write_plan(struct stream *s, const struct target *t)
{
	struct shared_plan *plan = &s->shared->plan;

	plan->spec = s->spec;
	plan->spec.access = t->access;
	plan->target = SHARED_TARGET_READ;
	plan->size_bytes = t->size_bytes;
	plan->align_bytes = t->align_bytes;
	plan->mount_id = plan->device = UNKNOWN_U64;
	plan->parent = getpid();
	atomic_store_explicit(&s->shared->access, t->access, memory_order_relaxed);
}

static int start_worker(struct stream *s, const struct target *t, char *why, size_t size)
{
	int fd;
	int r = shared_create(&s->shared, &fd);

	if (r < 0)
		return sentence_set(r, why, size, "no shared memory for a stream: %s",
				    strerror(-r));
	write_plan(s, t);
	r = spawn_worker(fd, t->fd, s->shared, &s->pid);
	close(fd);
	if (r < 0)
		return sentence_set(r, why, size, "no process for a stream: %s", strerror(-r));
	return 0;
}

int stream_start(unsigned int number, const struct stream_spec *spec, struct stream **ret,
		 char *why, size_t size)
{
	struct target target = TARGET_INIT;
	const struct workload *w;
	struct stream *s;
	int r;

	orphans_reap();
	text_copy(why, size, "");
	w = check_spec(spec, why, size);
	if (!w)
		return -EINVAL;
	s = memory_new(1, sizeof(*s));
	s->number = number;
	s->spec = *spec;
	if (spec->block_bytes == 0)
		s->spec.block_bytes = w->block_bytes;
	if (spec->depth == 0)
		s->spec.depth = 1;
	s->read_bytes_per_sec = s->write_bytes_per_sec = -1;
	r = target_open(&target, spec->target, w, why, size);
	if (r == 0)
		r = check_block(&s->spec, &target, why, size);
	s->in_memory = target.in_memory;
	if (r == 0)
		r = start_worker(s, &target, why, size);
	target_release(&target);
	if (r < 0) {
		stream_free(s);
		return r;
	}
	*ret = s;
	return 0;
}

void stream_stop(struct stream *s)
{
	s->stop_asked = true;
	atomic_store_explicit(&s->shared->stop, 1, memory_order_relaxed);
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
	return phase == PHASE_RUNNING ? STREAM_RUNNING : STREAM_STARTING;
}

/* What the figures must be taken for, as long as nothing worse is to be told. */
static void tell_note(const struct stream *s, char *why, size_t size)
{
	char buf[SENTENCE_NAME_BYTES];
	const char *name = sentence_name(buf, s->spec.target);

	text_copy(why, size, "");
	if (s->in_memory)
		sentence_set(0, why, size, "%s lies in memory: no disk is measured", name);
	else if (atomic_load_explicit(&s->shared->access, memory_order_relaxed) != STREAM_DIRECT)
		sentence_set(0, why, size, "%s refuses direct access: read through the page cache",
			     name);
}

/* A worker that ended without a word of its own. */
static void tell_exit(struct stream *s)
{
	if (WIFSIGNALED(s->exit_status))
		sentence_set(0, s->why, sizeof(s->why), "its worker was killed by signal %d (%s)",
			     WTERMSIG(s->exit_status), strsignal(WTERMSIG(s->exit_status)));
	else
		sentence_set(0, s->why, sizeof(s->why), "its worker ended with status %d",
			     WEXITSTATUS(s->exit_status));
}

static void tell_failure(struct stream *s)
{
	char *why = s->why;
	size_t size = sizeof(s->why);
	char buf[SENTENCE_NAME_BYTES];
	const char *name = sentence_name(buf, s->spec.target);
	uint64_t offset = shared_get(&s->shared->error_offset);
	const char *error = strerror(atomic_load_explicit(&s->shared->error, memory_order_relaxed));

	switch ((enum failure)atomic_load_explicit(&s->shared->failure, memory_order_relaxed)) {
	case FAILURE_NONE:
		tell_exit(s);
		break;
	case FAILURE_SPAWN:
		sentence_set(0, why, size, "its worker could not be started: %s", error);
		break;
	case FAILURE_FILE:
	case FAILURE_MOVED:
	case FAILURE_VERIFY:
	case FAILURE_SYNC:
	case FAILURE_SETUP:
		sentence_set(0, why, size, "its worker could not begin: %s", error);
		break;
	case FAILURE_IO:
		sentence_set(0, why, size, "reading %s failed at byte %" PRIu64 ": %s", name,
			     offset, error);
		break;
	case FAILURE_SHORT:
		sentence_set(0, why, size,
			     "%s ended at byte %" PRIu64 ", it had %" PRIu64 " before", name,
			     offset, s->shared->plan.size_bytes);
		break;
	case FAILURE_GONE:
		sentence_set(0, why, size, "%s is gone, it was being read at byte %" PRIu64, name,
			     offset);
		break;
	case FAILURE_ENGINE:
		sentence_set(0, why, size, "its engine failed: %s", error);
		break;
	}
}

static void stream_take_end(struct stream *s, uint64_t now_ns)
{
	s->pid = 0;
	s->over_ns = shared_get(&s->shared->ended_ns);
	if (s->over_ns == 0)
		s->over_ns = now_ns;
	if (stream_state(s) == STREAM_FAILED) {
		if (stream_phase(s) == PHASE_FAILED)
			tell_failure(s);
		else
			tell_exit(s);
		return;
	}
	tell_note(s, s->why, sizeof(s->why));
	if (s->why[0] == '\0')
		text_copy(s->why, sizeof(s->why),
			  s->stop_asked ? "stopped as asked" : "its time was over");
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
		b->at_ns = shared_get(&s->shared->started_ns);
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

static uint64_t running_ns(const struct stream *s, uint64_t now_ns)
{
	uint64_t started = shared_get(&s->shared->started_ns);
	uint64_t until = stream_is_over(s) ? s->over_ns : now_ns;

	return started > 0 && until > started ? until - started : 0;
}

void stream_refresh(struct stream *s, uint64_t now_ns, struct stream_view *ret)
{
	const struct shared *shared = s->shared;

	orphans_reap();
	if (s->pid != 0 && try_reap(s->pid, &s->exit_status))
		stream_take_end(s, now_ns);
	ret->number = s->number;
	ret->spec = s->spec;
	ret->state = stream_state(s);
	ret->read_bytes = shared_get(&shared->read.bytes);
	ret->read_ios = shared_get(&shared->read.ios);
	ret->read_ns = shared_get(&shared->read.latency_ns);
	ret->write_bytes = shared_get(&shared->write.bytes);
	ret->write_ios = shared_get(&shared->write.ios);
	ret->write_ns = shared_get(&shared->write.latency_ns);
	ret->running_ns = running_ns(s, now_ns);
	ret->group = s->number;
	ret->began_ns = shared_get(&shared->started_ns);
	ret->disk_read_of_bytes = shared_get(&shared->disk_read_of_bytes);
	ret->source =
		(enum stream_source)atomic_load_explicit(&shared->source, memory_order_relaxed);
	ret->cached_bytes = shared_get(&shared->cached_bytes);
	ret->disk_read_bytes = UNKNOWN_U64;
	ret->disk_pct = ret->low_bytes_per_sec = ret->high_bytes_per_sec = -1;
	ret->oldest_io_ns = oldest_io_ns(s, now_ns);
	stream_take_rates(s, now_ns, ret);
	ret->read_bytes_per_sec = s->read_bytes_per_sec;
	ret->write_bytes_per_sec = s->write_bytes_per_sec;
	if (stream_is_over(s))
		text_copy(ret->why, sizeof(ret->why), s->why);
	else
		tell_note(s, ret->why, sizeof(ret->why));
}

void stream_free(struct stream *s)
{
	int status;

	if (!s)
		return;
	orphans_reap();
	if (s->pid > 0) {
		kill(s->pid, SIGKILL);
		if (!try_reap(s->pid, &status))
			orphans_add(s->pid);
	}
	shared_detach(s->shared);
	free(s);
}
