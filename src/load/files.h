/*
 * Test files: TARGET/.raidtop/N.data, each one stream's own while it runs, and N.tree for
 * workloads on many files. Whatever is there is named in TARGET/.raidtop/manifest (manifest.h).
 * All of it is the worker's business: raidtop itself does no I/O on a target.
 */
#ifndef LOAD_FILES_H
#define LOAD_FILES_H

#include <stdbool.h>
#include <stdint.h>

#include "files_folder.h"
#include "manifest.h"
#include "shared.h"
#include "tree.h"

struct files_request {
	int directory;     /* the target directory's descriptor, as raidtop checked it */
	bool writes;       /* what the stream does to it; else it is opened for reading only */
	struct tree *tree; /* of workloads on many files: what to make (tree.h); else NULL */
};

struct files_handle {
	int fd;               /* of N.data, for the transfers, or of N.tree; owned; -1: none */
	int lock;             /* holds it against other streams; owned; -1 */
	uint64_t size_bytes;  /* of N.data: less than was planned where the default does not fit */
	uint64_t align_bytes; /* of direct transfers; 1: any */
	enum stream_access access;  /* DONTCACHE where DIRECT was asked for and is not to be had */
	struct files_folder folder; /* TARGET/.raidtop, held against --clean */
	struct manifest_entry entry;
};

#define FILES_HANDLE_INIT                                         \
	{                                                         \
		.fd = -1, .lock = -1, .folder = FILES_FOLDER_INIT \
	}

/*
 * Makes the file of a stream, or takes one that fits, written in full; sees that its extents are
 * its own and that nothing of it is cached. Fills in shared->file, source, cached_bytes, and
 * prepared_bytes while it goes on. It has plan.size_bytes, or less where plan.default_size and
 * the free space ask for that.
 * 0; -ECANCELED where it was told to stop; -ESTALE where the target moved (FAILURE_MOVED); else
 * -errno (FAILURE_FILE). shared->sentence says the rest, for people.
 */
int files_prepare(const struct files_request *request, struct shared *shared,
		  struct files_handle *ret);
/*
 * Gives up the locks. N.data stays until raidtop ends (files_clean.h); N.tree is taken away, unless
 * it is to be kept. Takes a half-made handle, too.
 */
void files_release(struct files_handle *h);

/*
 * Before a run on a device or a user's own file (plan.target READ): tells shared->source and
 * cached_bytes without dropping or reading anything.
 */
void files_look_at_source(int fd, struct shared *shared);

/* Whether the descriptor still lies where it was checked: 0, -ESTALE, or another -errno. */
int files_check_place(const struct shared_plan *plan, int directory);

#endif
