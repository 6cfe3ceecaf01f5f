/*
 * A worker from inside: what its parts share. Those of the life of a worker lie in worker.c, of
 * its preparation in worker_setup.c, of the transfers in worker_run.c and worker_take.c, of orders
 * and waiting in worker_orders.c, of figures in worker_figures.c, of the check of all that was
 * written in worker_recheck.c.
 */
#ifndef LOAD_WORKER_H
#define LOAD_WORKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine.h"
#include "files.h"
#include "pace.h"
#include "raidtop/barrier.h"
#include "random.h"
#include "shared.h"
#include "verify.h"
#include "workload.h"

/* What the process has used of the machine so far. */
struct usage {
	uint64_t user_ns, system_ns;
	uint64_t disk_read_bytes; /* UNKNOWN_U64 where the kernel does not tell */
};

struct worker {
	struct shared *shared;
	const struct shared_plan *plan;
	struct shared_plan own_plan; /* what `plan` is once a file has been made */
	struct barrier *barrier;     /* NULL: nobody to wait for */
	int target_fd;               /* as it was handed over */
	int fd;                      /* of the blocks: that, or its file below it */

	struct files_handle files; /* of a directory */
	struct tree tree;          /* of workloads on many files */

	const struct workload *workload;
	struct pattern pattern;
	struct random random; /* of contents */
	struct verify verify;
	uint64_t seed; /* of this copy: where it goes */
	uint64_t
		content_seed; /* and of this run: what it writes, which no run before has written */
	uint64_t blocks_begun;   /* writes, each with a number of its own */
	uint64_t bytes_to_write; /* left of its limit */
	uint64_t passes;         /* seen to be over */
	uint64_t char_sum;       /* so that the work with each character is not left out */

	struct engine engine;
	unsigned int depth; /* as it came to be */
	enum stream_access access;
	bool flag_dontcache; /* the kernel drops what was transferred by itself */
	bool moved_any;      /* a first transfer has succeeded */
	struct io *ios;      /* `depth` of them */
	struct io **idle;    /* those not in flight */
	unsigned int n_idle;
	struct io next; /* where has_next: it is settled, but had to wait */
	bool has_next;
	unsigned char *memory; /* for each slot a block to read into, and `turns` to write from */
	size_t memory_bytes;
	size_t stride_bytes; /* from one block in it to the next */
	size_t turns;

	struct pace pace;
	struct usage base;    /* when the figures began */
	uint64_t ramp_end_ns; /* 0: there is none, or it is over */
	uint64_t end_ns;      /* when its time is over; 0: never */
	uint64_t usage_due_ns;
	bool has_begun;
	bool counting; /* the ramp is over */
	bool ending;
	bool failed;
};

/* Life: worker.c */

/* Ends the run; the first failure is told. `writing`: the transfer at `offset` was a write. */
void worker_fail(struct worker *w, enum failure failure, int error, uint64_t offset, bool writing);
void worker_end(struct worker *w, enum ending why);
void worker_set_phase(struct worker *w, enum phase phase);
void worker_set_access(struct worker *w, enum stream_access access);

/* Preparation: worker_setup.c */

/* Up to the barrier. 0, or -errno; what is no failure of set-up has been told then. */
int worker_prepare(struct worker *w);
/* Waits for those that are to begin with it, as long as nobody asks it to end. */
void worker_wait_for_others(struct worker *w);
void worker_release(struct worker *w);

/* Files below a directory: worker_files.c */

/* 0, or -errno, which has been told; -ECANCELED where it was stopped meanwhile. */
int worker_get_files(struct worker *w);
void worker_release_files(struct worker *w);
/* The run of workloads on many files: worker_tree.c */
void worker_run_tree(struct worker *w);

/* The run: worker_run.c, and what came of a transfer: worker_take.c */
void worker_run(struct worker *w);
/* Asks the engine for what is left of a block. */
void worker_submit(struct worker *w, struct io *io);
/* Makes ready what is written next from the block's memory. */
void worker_dress(struct worker *w, struct io *io);
/* Takes what an engine has brought: a block, a part of one, or an error. */
void worker_take(struct worker *w, struct io *io, uint64_t now_ns);
/* Drops the cache of its part before it is read again. */
void worker_drop_all(struct worker *w);

/*
 * Orders and waiting: worker_orders.c. A workload with a `run` of its own calls worker_go_on()
 * before each operation and worker_count() after it, and ends where the first says so.
 */

/*
 * Waits while it is paused and until the rate allows something of that cost (bytes, or 1 for an
 * operation); false: it is to end. `ret_due_ns`: for worker_count().
 */
bool worker_go_on(struct worker *w, uint64_t cost, uint64_t *ret_due_ns);
/* Takes in what has been ordered, and what the clock brings. */
void worker_obey(struct worker *w, uint64_t now_ns);
bool worker_is_paused(const struct worker *w);
/* That time was none of the stream's: neither of its run, nor of its rate. Ends a pause. */
void worker_leave_out(struct worker *w, uint64_t lasted_ns);
/* Nothing is in flight: sleeps while it is paused, or until the rate has something due. */
void worker_sleep(struct worker *w);
/* The first transfer is about to be begun. */
void worker_mark_begin(struct worker *w, uint64_t now_ns);

/* Figures: worker_figures.c */

/* One block or operation, of `bytes` that have been counted already. */
void worker_count(struct worker *w, bool writing, uint64_t begun_ns, uint64_t due_ns,
		  uint64_t now_ns);
void worker_count_bytes(struct worker *w, bool writing, uint64_t bytes);
/* From here on everything counts. */
void worker_start_figures(struct worker *w, uint64_t now_ns);
void worker_publish_usage(struct worker *w);

#endif
