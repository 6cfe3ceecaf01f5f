/*
 * The table of engines. An engine is a file of its own, engine_NAME.c, with its operations in a
 * table that is named here. Where none is asked for, the first that can have as many transfers in
 * flight is taken: one call for each as long as there is one, a queue for many.
 */
#include "engine.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

static const struct engine_ops *const engines[] = {
	&engine_psync,
	&engine_uring,
	&engine_mmap,
};

const struct engine_ops *engine_get(size_t i)
{
	return i < sizeof(engines) / sizeof(engines[0]) ? engines[i] : NULL;
}

const struct engine_ops *engine_find(const char *name)
{
	const struct engine_ops *ops;

	for (size_t i = 0; (ops = engine_get(i)); i++) {
		if (strcmp(ops->name, name) == 0)
			return ops;
	}
	return NULL;
}

const struct engine_ops *engine_choose(const char *name, unsigned int depth)
{
	const struct engine_ops *ops;

	if (name[0] != '\0')
		return engine_find(name);
	for (size_t i = 0; (ops = engine_get(i)); i++) {
		if (!ops->reads_only && depth <= ops->max_depth)
			return ops;
	}
	return &engine_psync;
}

int engine_open(struct engine *e, const struct engine_ops *ops, const struct engine_setup *setup)
{
	*e = (struct engine){ .setup = *setup };
	if (setup->depth == 0 || setup->depth > ops->max_depth)
		return -EINVAL;
	if (ops->open) {
		int r = ops->open(e);

		if (r < 0)
			return r;
	}
	e->ops = ops;
	return 0;
}

void engine_close(struct engine *e)
{
	if (e->ops && e->ops->close)
		e->ops->close(e);
	e->ops = NULL;
}

int engine_submit(struct engine *e, struct io *io)
{
	if (io->writing && !e->setup.may_write)
		return -EPERM;
	return e->ops->submit(e, io);
}
