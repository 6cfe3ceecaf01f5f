/*
 * The rules about what a stream may touch, refusing by default. Nothing else opens a target, and
 * nothing is opened that a rule forbids.
 */
#ifndef LOAD_SAFETY_H
#define LOAD_SAFETY_H

#include <limits.h>
#include <stddef.h>
#include <sys/stat.h>

#include "raidtop/place.h"
#include "shared.h"
#include "workload.h"

/* What the rules look at: what was asked for, and what lies there. */
struct safety_case {
	const struct stream_spec *spec;
	const struct workload *workload;
	enum shared_target kind;   /* what it would be opened as */
	char resolved[PATH_MAX];   /* where the target leads after all links; "" */
	struct stat st;            /* what lies there */
	const struct place *place; /* where that is */
	uint64_t diskseq;          /* of a device, as looked up; UNKNOWN_U64 */
	int fd;                    /* the device, open for writing; -1 as long as it is not */
	const char *root;          /* "", in tests what stands before /proc, /sys and /etc */
};

/*
 * What a target is to be opened as, by what lies there. Whether that is allowed is not asked yet:
 * neither a device nor a file gives SHARED_TARGET_READ.
 */
enum shared_target safety_kind(const struct workload *w, const struct stat *st);

/*
 * Whether a target of that kind may be looked at more closely: it is no tape, tty or FIFO, and no
 * file where a device was meant. 0, or -errno with a sentence in `why`.
 */
int safety_check_name(const struct safety_case *c, char *why, size_t size);
/*
 * All rules that can be judged: those that need the device open only where it is. 0, or -errno
 * with a sentence in `why` that says what is wrong, where, and what to do.
 */
int safety_check(const struct safety_case *c, char *why, size_t size);

/* The device's number in Linux' count of disks, which no two ever share; UNKNOWN_U64. */
uint64_t safety_diskseq(const char *root, dev_t number);

/*
 * Opens for reading what an O_PATH descriptor stands for, so that it is the very thing that was
 * checked. Without changing its access time where that is allowed; `flags` may add O_DIRECT.
 * Returns a descriptor closed on exec, or -errno.
 */
int safety_open_for_reading(int path_fd, int flags);
/* The directory an O_PATH descriptor stands for. As above. */
int safety_open_directory(int path_fd);
/*
 * Opens the device of the case, for this process alone and for writing, after all rules have been
 * asked, and asks them again with it: those that need it open as well, the person at the terminal
 * last. `c->fd` is then the descriptor, closed on exec, and is to be handed on as it is. 0, or
 * -errno with a sentence, and `c->fd` is -1.
 */
int safety_open_for_writing(struct safety_case *c, char *why, size_t size);

/* 0 where nothing can be written through the descriptor, else -EPERM; or -errno. */
int safety_check_read_only(int fd);
/*
 * The worker's side: whether the descriptor that it was handed is what the plan says. 0, -EPERM
 * where more could be written through it than that, or another -errno.
 */
int safety_check_handed(const struct shared_plan *plan, int fd);

#endif
