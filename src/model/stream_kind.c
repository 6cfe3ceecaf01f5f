/*
 * What the workloads are called and like, for those who know nothing of how they are done: the
 * parser of specifications, screens and recordings. The words of other choices, too.
 */
#include "raidtop/stream_spec.h"

#include <string.h>

static const struct stream_kind kinds[] = {
	{ "seq-read", "sequential read", STREAM_READS | STREAM_DEEP | STREAM_BLOCKS },
	{ "seq-write", "sequential write", STREAM_WRITES | STREAM_DEEP | STREAM_BLOCKS },
	{ "rewrite", "rewrite", STREAM_READS | STREAM_WRITES | STREAM_DEEP | STREAM_BLOCKS },
	{ "rand-read", "random read", STREAM_READS | STREAM_RANDOM | STREAM_DEEP | STREAM_BLOCKS },
	{ "rand-write", "random write",
	  STREAM_WRITES | STREAM_RANDOM | STREAM_DEEP | STREAM_BLOCKS },
	{ "mix", "random read and write",
	  STREAM_READS | STREAM_WRITES | STREAM_RANDOM | STREAM_DEEP | STREAM_BLOCKS |
		  STREAM_MIXES },
	{ "seeks", "seeks",
	  STREAM_READS | STREAM_WRITES | STREAM_RANDOM | STREAM_DEEP | STREAM_BLOCKS },
	{ "char-read", "read by characters", STREAM_READS | STREAM_BLOCKS },
	{ "char-write", "write by characters", STREAM_WRITES | STREAM_BLOCKS },
	{ "create", "create files", STREAM_WRITES | STREAM_FILES },
	{ "stat", "look up files", STREAM_READS | STREAM_FILES },
	{ "delete", "delete files", STREAM_WRITES | STREAM_FILES },
	{ "untar", "unpack a source tree", STREAM_WRITES },
	{ "copy", "read as cp does", STREAM_READS | STREAM_BLOCKS },
};

const struct stream_kind *stream_kind_get(size_t i)
{
	return i < sizeof(kinds) / sizeof(kinds[0]) ? &kinds[i] : NULL;
}

const struct stream_kind *stream_kind_find(const char *name)
{
	const struct stream_kind *k;

	for (size_t i = 0; (k = stream_kind_get(i)); i++) {
		if (strcmp(k->name, name) == 0)
			return k;
	}
	return NULL;
}

bool stream_kind_counts_files(const char *name)
{
	const struct stream_kind *k = stream_kind_find(name);

	return k && !(k->traits & STREAM_BLOCKS);
}

const char *stream_access_name(enum stream_access access)
{
	switch (access) {
	case STREAM_DIRECT:
		return "direct";
	case STREAM_BUFFERED:
		return "buffered";
	case STREAM_DONTCACHE:
		return "dontcache";
	}
	return NULL;
}

const char *stream_sync_name(enum stream_sync sync)
{
	switch (sync) {
	case STREAM_SYNC_END:
		return "end";
	case STREAM_SYNC_NONE:
		return "none";
	case STREAM_SYNC_EACH:
		return "each";
	}
	return NULL;
}

const char *stream_order_name(enum stream_order_of_names order)
{
	switch (order) {
	case STREAM_BY_NAME:
		return "name";
	case STREAM_IN_ANY_ORDER:
		return "random";
	}
	return NULL;
}
