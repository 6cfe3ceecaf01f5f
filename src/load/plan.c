/*
 * A plan says everything that the worker must know, so that it decides nothing by itself. Copies
 * that share a device or a file of the user's each get a part of their own: streams that read the
 * same blocks would measure the cache of each other.
 */
#include "plan.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "engine.h"
#include "raidtop/file.h"
#include "raidtop/number.h"
#include "raidtop/text.h"
#include "raidtop/units.h"
#include "sentence.h"
#include "verify.h"

#define BLOCK_BYTES_MIN 512
#define BLOCK_BYTES_MAX (64 << 20)
#define FILE_BYTES (1ULL << 30)

static int check_engine(const struct stream_spec *spec, char *why, size_t size)
{
	const struct engine_ops *ops = engine_choose(spec->engine, spec->depth);

	if (!ops)
		return sentence_set(-EINVAL, why, size,
				    "there is no engine \"%s\": take psync, uring or mmap",
				    spec->engine);
	if (spec->depth > ops->max_depth)
		return sentence_set(-EINVAL, why, size,
				    "depth %u is too much for engine %s: take at most %u",
				    spec->depth, ops->name, ops->max_depth);
	return 0;
}

const struct workload *plan_check_spec(const struct stream_spec *spec, char *why, size_t size)
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
	if (spec->copies > STREAM_COPIES_MAX) {
		sentence_set(0, why, size, "%u copies are too many: take at most %d", spec->copies,
			     STREAM_COPIES_MAX);
		return NULL;
	}
	return check_engine(spec, why, size) < 0 ? NULL : w;
}

void plan_fill_defaults(struct stream_spec *spec, const struct workload *w)
{
	if (spec->block_bytes == 0)
		spec->block_bytes = w->block_bytes;
	if (spec->depth == 0)
		spec->depth = 1;
	if (spec->copies == 0)
		spec->copies = 1;
	if (spec->align_bytes == 0)
		spec->align_bytes = spec->block_bytes;
	/* A mapping cannot but go through it. */
	if ((w->through_cache || strcmp(spec->engine, engine_mmap.name) == 0) &&
	    spec->access == STREAM_DIRECT)
		spec->access = STREAM_BUFFERED;
}

/* What programs may take without others having to give way; UNKNOWN_U64 before Linux 3.14. */
static uint64_t available_bytes(void)
{
	static const char key[] = "\nMemAvailable:";
	struct buffer b = BUFFER_INIT;
	uint64_t kib = UNKNOWN_U64;
	const char *at;

	if (file_read("/proc/meminfo", 1 << 16, &b) == 0 && (at = strstr(buffer_text(&b), key))) {
		at += sizeof(key) - 1;
		at += strspn(at, " ");
		if (number_parse_u64(at, strspn(at, "0123456789"), &kib) < 0)
			kib = UNKNOWN_U64;
	}
	buffer_release(&b);
	return kib > UINT64_MAX / 1024 ? UNKNOWN_U64 : kib * 1024;
}

int plan_check_memory(const struct stream_spec *spec, const struct workload *w, unsigned int copies,
		      char *why, size_t size)
{
	uint64_t wanted = spec->block_bytes * spec->depth * (w->writes ? 2 : 1) * copies;
	uint64_t available = available_bytes();
	char text[24], has[24];

	/* Half of it: the page cache and all others want some, too. */
	if (w->tree || available == UNKNOWN_U64 || wanted <= available / 2)
		return 0;
	units_format_size(text, sizeof(text), UNITS_IEC, wanted);
	units_format_size(has, sizeof(has), UNITS_IEC, available);
	return sentence_set(-ENOMEM, why, size,
			    "the blocks in flight would take %s of memory, more than half of the "
			    "%s there are: take smaller blocks, less depth or fewer copies",
			    text, has);
}

/* What a block, an offset and an alignment must be multiples of. */
static int check_alignment(const struct stream_spec *spec, const struct target *t, char *why,
			   size_t size)
{
	const struct {
		const char *what;
		uint64_t bytes;
	} table[] = {
		{ "a block", spec->block_bytes },
		{ "an offset", spec->offset_bytes },
		{ "an alignment", spec->align_bytes },
	};
	char buf[SENTENCE_NAME_BYTES];

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		if (table[i].bytes % t->align_bytes != 0)
			return sentence_set(-EINVAL, why, size,
					    "%s of %" PRIu64 " bytes does not go with %s: take a "
					    "multiple of %" PRIu64,
					    table[i].what, table[i].bytes,
					    sentence_name(buf, spec->target), t->align_bytes);
	}
	return 0;
}

/* Of what lies behind the offset: the size that is asked for, or an equal share of all. */
static void divide(struct shared_plan *plan)
{
	const struct stream_spec *spec = &plan->spec;
	uint64_t left =
		plan->size_bytes > spec->offset_bytes ? plan->size_bytes - spec->offset_bytes : 0;
	uint64_t part = left / spec->copies, before;

	if (spec->copies > 1)
		part -= part % spec->block_bytes;
	if (spec->size_bytes > 0)
		part = spec->size_bytes;
	if (spec->copies > 1 && spec->size_bytes == 0 && part == 0)
		part = left; /* less than a block for each: they share it */
	before = part <= left / spec->copies ? part * plan->copy : 0;
	plan->part_offset = spec->offset_bytes + before;
	plan->part_bytes = part < left - before ? part : left - before;
}

static int plan_parts(struct shared_plan *plan, const struct workload *w, char *why, size_t size)
{
	char buf[SENTENCE_NAME_BYTES];

	if (plan->target == SHARED_TARGET_DIRECTORY) {
		plan->default_size = plan->spec.size_bytes == 0;
		if (plan->default_size)
			plan->spec.size_bytes = FILE_BYTES;
		plan->size_bytes = plan->spec.size_bytes;
		plan->part_offset = plan->spec.offset_bytes;
		plan->part_bytes = plan->size_bytes > plan->part_offset
					   ? plan->size_bytes - plan->part_offset
					   : 0;
	} else if (w->tree) {
		return sentence_set(-ENOTDIR, why, size,
				    "%s works on files of its own: name a "
				    "directory, not %s",
				    w->name, sentence_name(buf, plan->spec.target));
	} else {
		divide(plan);
	}
	if (w->writes) /* the last block must not make a file longer */
		plan->part_bytes -= plan->part_bytes % plan->align_bytes;
	if (plan->part_bytes == 0)
		return sentence_set(-EINVAL, why, size,
				    "%s has %" PRIu64
				    " bytes, nothing is left behind offset %" PRIu64,
				    sentence_name(buf, plan->spec.target), plan->size_bytes,
				    plan->spec.offset_bytes);
	plan->spec.limit_bytes = stream_spec_limit_bytes(&plan->spec, plan->part_bytes);
	return 0;
}

/* Each block has a generation of its own, in a table of limited size. */
static int check_verify(const struct shared_plan *plan, const struct workload *w, char *why,
			size_t size)
{
	const struct stream_spec *spec = &plan->spec;

	if (!spec->verify)
		return 0;
	if (!w->writes)
		return sentence_set(-EINVAL, why, size,
				    "verify checks what a stream has written, and %s only reads: "
				    "take mix or a workload that writes",
				    w->name);
	if (w->tree)
		return sentence_set(-EINVAL, why, size,
				    "verify checks blocks, and %s works on whole files: leave "
				    "verify out",
				    w->name);
	if (spec->align_bytes != spec->block_bytes)
		return sentence_set(-EINVAL, why, size,
				    "verify needs blocks that do not overlap: leave align away");
	if (plan->part_bytes / spec->block_bytes >= VERIFY_BLOCKS_MAX)
		return sentence_set(
			-EINVAL, why, size,
			"verify keeps track of %llu blocks at most: take a larger block "
			"or a smaller size",
			VERIFY_BLOCKS_MAX);
	return 0;
}

int plan_write(struct shared_plan *plan, const struct stream_spec *spec, unsigned int copy,
	       const struct workload *w, const struct target *t, char *why, size_t size)
{
	/* Whole files are of any size: they are written through the cache. */
	int r = w->tree ? 0 : check_alignment(spec, t, why, size);

	if (r < 0)
		return r;
	plan->spec = *spec;
	if (spec->access == STREAM_DIRECT)
		plan->spec.access = t->access;
	plan->asked_access = spec->access;
	plan->target = t->kind;
	plan->copy = copy;
	plan->size_bytes = t->size_bytes;
	plan->align_bytes = w->tree ? 1 : t->align_bytes;
	plan->mount_id = t->mount_id;
	plan->device = t->device;
	plan->parent = getpid();
	r = plan_parts(plan, w, why, size);
	return r < 0 ? r : check_verify(plan, w, why, size);
}
