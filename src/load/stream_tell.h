/* What is said to people about a stream: how its figures must be taken, and how it ended. */
#ifndef LOAD_STREAM_TELL_H
#define LOAD_STREAM_TELL_H

#include <stdbool.h>
#include <stddef.h>

#include "shared.h"

/* What the figures must be taken for while nothing worse is to be told; "" where as asked. */
void stream_tell_note(const struct shared *s, bool in_memory, char *why, size_t size);
/* Why it failed, from what the worker has written (its phase is PHASE_FAILED). */
void stream_tell_failure(const struct shared *s, int exit_status, char *why, size_t size);
/* Why it ended, where it did not fail. */
void stream_tell_ending(const struct shared *s, char *why, size_t size);
/* A worker that ended without a word of its own. */
void stream_tell_exit(int exit_status, char *why, size_t size);

#endif
