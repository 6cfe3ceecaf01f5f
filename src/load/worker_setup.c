/*
 * What is done before the first transfer and is not timed: the plan is looked at once more (it
 * comes from another process), the descriptor is checked against the workload, memory and engine
 * are got, and those that begin together wait for each other.
 */
#include "worker.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "raidtop/clock.h"
#include "raidtop/memory.h"
#include "raidtop/text.h"
#include "safety.h"
#include "target.h"

#define PAGE_BYTES 4096
#define HUGE_PAGE_BYTES (2UL << 20)
/* What is written comes from at least so much memory in turn: more than any compressor looks at. */
#define CONTENT_BYTES_MIN (2UL << 20)
#define BARRIER_LOOK_NS (NS_PER_SEC / 4)

static bool has_end(const char *text, size_t size)
{
	return memchr(text, 0, size) != NULL;
}

static bool plan_is_sound(const struct shared_plan *p)
{
	const struct stream_spec *s = &p->spec;

	return has_end(s->workload, sizeof(s->workload)) && workload_find(s->workload) &&
	       has_end(s->engine, sizeof(s->engine)) && engine_choose(s->engine, s->depth) &&
	       (s->block_bytes > 0 || workload_find(s->workload)->tree) && p->part_bytes > 0 &&
	       p->align_bytes > 0 && p->part_offset <= p->size_bytes &&
	       p->part_bytes <= p->size_bytes - p->part_offset &&
	       s->block_bytes % p->align_bytes == 0 && s->align_bytes % p->align_bytes == 0 &&
	       p->part_offset % p->align_bytes == 0 && s->depth > 0 &&
	       s->depth <= STREAM_DEPTH_MAX && s->write_pct <= 100 &&
	       s->block_bytes <= SIZE_MAX / 4 / s->depth && s->access <= STREAM_DONTCACHE &&
	       s->sync <= STREAM_SYNC_EACH && (!s->verify || s->align_bytes == s->block_bytes);
}

/*
 * Nothing is written but through what safety.c opened for that, or raidtop made itself; and a
 * target that is only read has no descriptor that could be written to.
 */
static int check_descriptor(const struct worker *w)
{
	if (w->workload->writes && w->plan->target == SHARED_TARGET_READ)
		return -EPERM;
	return safety_check_handed(w->plan, w->target_fd);
}

/* O_DIRECT of the descriptor as the plan has it. */
static int settle_access(struct worker *w)
{
	enum stream_access access = w->plan->spec.access;
	int flags = fcntl(w->fd, F_GETFL);
	int wanted = access == STREAM_DIRECT ? flags | O_DIRECT : flags & ~O_DIRECT;

	if (flags < 0)
		return -errno;
	if (wanted != flags && fcntl(w->fd, F_SETFL, wanted) < 0) {
		if (access != STREAM_DIRECT)
			return -errno;
		access = STREAM_DONTCACHE;
	}
	w->flag_dontcache = access == STREAM_DONTCACHE;
	worker_set_access(w, access);
	if (access == STREAM_DONTCACHE)
		worker_drop_all(w);
	if (w->workload->copies_out) /* as cp does */
		(void)posix_fadvise(w->fd, 0, 0, POSIX_FADV_SEQUENTIAL);
	return 0;
}

/* Large pages where the kernel has them: a direct transfer pins one instead of 512. */
static int get_pages(struct worker *w)
{
	void *p = mmap(NULL, w->memory_bytes + HUGE_PAGE_BYTES, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uintptr_t start, over;

	if (p == MAP_FAILED)
		return -errno;
	start = (uintptr_t)p;
	over = -start % HUGE_PAGE_BYTES;
	if (over > 0)
		munmap(p, over);
	munmap((unsigned char *)p + over + w->memory_bytes, HUGE_PAGE_BYTES - over);
	w->memory = (unsigned char *)p + over;
	if (w->memory_bytes >= HUGE_PAGE_BYTES / 2)
		(void)madvise(w->memory, w->memory_bytes, MADV_HUGEPAGE);
	return 0;
}

/* By seccomp, by sysctl io_uring_disabled, by an old kernel, by RLIMIT_MEMLOCK before 5.12. */
static bool is_forbidden(int r)
{
	return r == -EPERM || r == -EACCES || r == -ENOSYS || r == -ENOMEM;
}

/* Slots behind that are never used. */
static void set_depth(struct worker *w, unsigned int depth)
{
	w->depth = depth;
	w->n_idle = 0;
	for (unsigned int i = depth; i > 0; i--) { /* the first slot is taken first */
		w->ios[i - 1].slot = i - 1;
		w->idle[w->n_idle++] = &w->ios[i - 1];
	}
}

static int get_memory(struct worker *w)
{
	size_t block = (w->plan->spec.block_bytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
	int r;

	w->stride_bytes = block;
	if (w->workload->writes) {
		w->turns = CONTENT_BYTES_MIN / block / w->depth;
		if (w->turns == 0)
			w->turns = 1;
	}
	w->memory_bytes = block * (w->turns + 1) * w->depth;
	w->memory_bytes =
		(w->memory_bytes + HUGE_PAGE_BYTES - 1) / HUGE_PAGE_BYTES * HUGE_PAGE_BYTES;
	r = get_pages(w);
	if (r < 0)
		return r;
	random_seed(&w->random, w->content_seed);
	if (w->workload->writes)
		random_fill(&w->random, w->memory, w->memory_bytes);
	else if (madvise(w->memory, block * w->depth, MADV_POPULATE_WRITE) < 0)
		memset(w->memory, 0, block * w->depth); /* before Linux 5.14 */
	w->ios = memory_new(w->depth, sizeof(*w->ios));
	w->idle = memory_new(w->depth, sizeof(struct io *));
	set_depth(w, w->depth);
	return 0;
}

static int open_engine(struct worker *w)
{
	const struct stream_spec *spec = &w->plan->spec;
	const struct engine_ops *ops = engine_choose(spec->engine, spec->depth);
	struct engine_setup setup = {
		.fd = w->fd,
		.depth = w->depth,
		.may_write = w->workload->writes,
		.sequential = w->workload->sequential,
		.end_bytes = w->plan->size_bytes,
		.memory = w->memory,
		.memory_bytes = w->memory_bytes,
	};
	int r;

	if (ops->reads_only && w->workload->writes)
		return -EROFS;
	if (!ops->has_direct && w->access == STREAM_DIRECT && target_leave_direct(w->fd) == 0)
		worker_set_access(w, STREAM_BUFFERED);
	r = engine_open(&w->engine, ops, &setup);
	if (ops == &engine_uring && is_forbidden(r)) {
		text_format(w->shared->sentence, sizeof(w->shared->sentence),
			    "io_uring is not to be had here (%s): one transfer at a time%s",
			    strerror(-r), w->depth > 1 ? ", whatever depth was asked for" : "");
		ops = &engine_psync;
		set_depth(w, 1);
		setup.depth = 1;
		r = engine_open(&w->engine, ops, &setup);
	}
	if (r == 0)
		text_copy(w->shared->engine, sizeof(w->shared->engine), ops->name);
	return r;
}

static void start_pattern(struct worker *w)
{
	const struct shared_plan *p = w->plan;

	w->pattern = (struct pattern){
		.first_offset = p->part_offset,
		.size_bytes = p->part_bytes,
		.block_bytes = p->spec.block_bytes,
		.align_bytes = p->spec.align_bytes,
		.write_pct = p->spec.write_pct,
	};
	pattern_start(&w->pattern, w->seed);
}

static int prepare_blocks(struct worker *w)
{
	const struct shared_plan *p = w->plan;
	int r = settle_access(w);

	if (r == 0 && p->spec.verify && w->workload->writes)
		r = verify_init(&w->verify, p->part_offset, p->part_bytes, p->spec.block_bytes,
				w->content_seed);
	if (r == 0)
		r = get_memory(w);
	if (r == 0)
		r = open_engine(w);
	start_pattern(w);
	return r;
}

int worker_prepare(struct worker *w)
{
	const struct shared_plan *p = w->plan;
	int r;

	if (!plan_is_sound(p))
		return -EINVAL;
	w->workload = workload_find(p->spec.workload);
	w->depth = p->spec.depth;
	w->seed = random_mix(p->spec.seed ^ random_mix(p->copy));
	w->content_seed = random_mix(w->seed ^ (uint64_t)clock_realtime_ms());
	w->bytes_to_write = p->spec.limit_bytes ? p->spec.limit_bytes : UINT64_MAX;
	if (w->workload->tree && p->target != SHARED_TARGET_DIRECTORY)
		return -ENOTDIR;
	r = check_descriptor(w);
	if (r < 0)
		return r;
	if (p->target == SHARED_TARGET_DIRECTORY) {
		r = worker_get_files(w); /* from here on the descriptor is its file's */
		if (r == 0 && !w->workload->tree && !w->workload->writes)
			r = safety_check_read_only(w->fd);
		if (r < 0)
			return r;
	} else {
		files_look_at_source(w->fd, w->shared);
	}
	return w->workload->next ? prepare_blocks(w) : 0;
}

void worker_wait_for_others(struct worker *w)
{
	worker_set_phase(w, PHASE_READY);
	if (!w->barrier)
		return;
	barrier_arrive(w->barrier, w->plan->place);
	while (!w->ending && !barrier_wait(w->barrier, BARRIER_LOOK_NS))
		worker_obey(w, clock_monotonic_ns());
}

void worker_release(struct worker *w)
{
	worker_release_files(w);
	engine_close(&w->engine);
	verify_release(&w->verify);
	if (w->memory)
		munmap(w->memory, w->memory_bytes);
	free(w->ios);
	free(w->idle);
}
