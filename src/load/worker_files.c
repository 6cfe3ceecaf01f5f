/*
 * A worker whose target is a directory: its file, or tree of files, is got before it is timed, and
 * what came of it (a smaller size, another alignment, no direct access) goes into the worker's own
 * copy of the plan, which all of its parts go by. A target that is only read is looked at for what
 * would not come from a disk.
 */
#include "worker.h"

#include <errno.h>
#include <inttypes.h>

#include "sentence.h"

/* The plan as it came to be. */
static int take_file(struct worker *w)
{
	struct shared_plan *p = &w->own_plan;
	char buf[SENTENCE_NAME_BYTES];
	uint64_t align = w->files.align_bytes;

	p->size_bytes = w->files.size_bytes;
	p->align_bytes = align;
	p->spec.access = w->files.access;
	w->fd = w->files.fd;
	if (p->spec.block_bytes % align != 0 || p->spec.align_bytes % align != 0 ||
	    p->part_offset % align != 0 || p->part_offset >= p->size_bytes)
		return sentence_set(-EINVAL, w->shared->sentence, sizeof(w->shared->sentence),
				    "block, offset and alignment do not go with %s: take "
				    "multiples of %" PRIu64 ", and an offset within the file",
				    sentence_name(buf, p->spec.target), align);
	p->part_bytes = p->size_bytes - p->part_offset;
	return 0;
}

static void start_tree(struct worker *w)
{
	struct stream_spec spec = w->plan->spec;

	if (w->plan->default_size)
		spec.size_bytes = 0; /* a tree has a default of its own */
	spec.seed = w->seed;
	tree_init(&w->tree, w->workload->tree, &spec);
}

int worker_get_files(struct worker *w)
{
	struct files_request request = { .directory = w->target_fd, .writes = w->workload->writes };
	int r;

	worker_set_phase(w, PHASE_PREPARE);
	if (w->workload->tree) {
		start_tree(w);
		request.tree = &w->tree;
	}
	r = files_prepare(&request, w->shared, &w->files);
	if (r == -ECANCELED) {
		worker_end(w, ENDING_STOPPED);
		return r;
	}
	w->own_plan = *w->plan;
	w->plan = &w->own_plan;
	if (r == 0 && !w->workload->tree)
		r = take_file(w);
	if (r < 0)
		worker_fail(w, r == -ESTALE ? FAILURE_MOVED : FAILURE_FILE, -r, 0, true);
	return r;
}

void worker_release_files(struct worker *w)
{
	tree_release(&w->tree);
	files_release(&w->files);
}
