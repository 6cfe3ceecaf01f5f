/*
 * The table of engines. An engine is a file of its own, engine_NAME.c, with its operations in a
 * table that is named here; the first is the default.
 */
#include "engine.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

static const struct engine_ops *const engines[] = {
	&engine_psync,
};

const struct engine_ops *engine_find(const char *name)
{
	if (name[0] == '\0')
		return engines[0];
	for (size_t i = 0; i < sizeof(engines) / sizeof(engines[0]); i++) {
		if (strcmp(engines[i]->name, name) == 0)
			return engines[i];
	}
	return NULL;
}

int engine_open(struct engine *e, const struct engine_ops *ops, int fd, unsigned int depth)
{
	*e = (struct engine){ .fd = fd, .depth = depth };
	if (depth == 0 || depth > ops->max_depth)
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
