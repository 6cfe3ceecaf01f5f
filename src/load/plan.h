/* From what is asked of a stream to the plan that its worker follows. */
#ifndef LOAD_PLAN_H
#define LOAD_PLAN_H

#include <stddef.h>

#include "shared.h"
#include "target.h"
#include "workload.h"

/* The workload that is asked for, or NULL with a sentence about what cannot be. */
const struct workload *plan_check_spec(const struct stream_spec *spec, char *why, size_t size);
/* What is left open there: block, depth, copies, size of a file and limit. */
void plan_fill_defaults(struct stream_spec *spec, const struct workload *w);
/*
 * Whether so many streams of that kind, defaults filled in, have room for what they have in flight:
 * the memory of a machine that must not be driven into its last pages. 0, or -ENOMEM with a
 * sentence.
 */
int plan_check_memory(const struct stream_spec *spec, const struct workload *w, unsigned int copies,
		      char *why, size_t size);
/*
 * The plan of one of the copies, from a spec with all defaults and the target that was opened for
 * it. 0, or -EINVAL with a sentence where the two do not go together.
 */
int plan_write(struct shared_plan *plan, const struct stream_spec *spec, unsigned int copy,
	       const struct workload *w, const struct target *t, char *why, size_t size);

#endif
