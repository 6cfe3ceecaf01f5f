/* The worker process: how raidtop starts it, and how it makes sure not to outlive raidtop. */
#ifndef LOAD_SPAWN_H
#define LOAD_SPAWN_H

#include <sys/types.h>

#include "shared.h"

/* Where the worker finds what it was handed; 0, 1 and 2 are /dev/null, all others are closed. */
#define SPAWN_SHARED_FD 3
#define SPAWN_TARGET_FD 4
#define SPAWN_BARRIER_FD 5

/*
 * Starts this program (/proc/self/exe) as a worker, in a process group of its own, with signals
 * as at first. `barrier_fd` is -1 where it waits for nobody. Where the exec fails, `shared` tells
 * it later. 0 or -errno.
 */
int spawn_worker(int shared_fd, int target_fd, int barrier_fd, struct shared *shared,
		 pid_t *ret_pid);

/* Where a remover finds the directory, and where to what it says goes. */
#define SPAWN_REMOVER_FD 3
#define SPAWN_REMOVER_OUTPUT_FD 4

/* Starts this program as a remover (raidtop/remover.h). As above. */
int spawn_remover(int directory, int output, const char *session, const char *target,
		  pid_t *ret_pid);

/* The worker's side: to be killed when `parent` ends. 0, or -ESRCH where it has ended already. */
int spawn_bind_to_parent(pid_t parent);

#endif
