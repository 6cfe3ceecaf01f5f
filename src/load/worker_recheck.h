/* Reads again, after a run with verify, all blocks that the stream has written. */
#ifndef LOAD_WORKER_RECHECK_H
#define LOAD_WORKER_RECHECK_H

struct worker;

/* Does nothing where verify was not asked for. What it finds is told by worker_fail(). */
void worker_recheck(struct worker *w);

#endif
