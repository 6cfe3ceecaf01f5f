/* The part of a recording's file that is in memory. */
#ifndef RAIDTOP_PROVIDER_REPLAY_WINDOW_H
#define RAIDTOP_PROVIDER_REPLAY_WINDOW_H

#include "replay_file.h"

enum {
	WINDOW_BYTES = 256 * 1024,
	WINDOW_BACK_BYTES = 64 * 1024, /* read at once on the way back, and of what follows: */
	WINDOW_AHEAD_BYTES = 4 * 1024,
};

/*
 * The bytes from `at` on that the window holds; where it does not reach there, `piece` bytes (at
 * most WINDOW_BYTES) are read first. *ret_len is 0 at the end of the file. 0 or -errno.
 */
int replay_window_need(struct replay_file *f, uint64_t at, size_t piece, char **ret,
		       size_t *ret_len);
/*
 * The bytes before `to` down to *ret_begin, which is at least `from`, and up to `extra` bytes
 * from `to` on. 0 or -errno.
 */
int replay_window_back(struct replay_file *f, uint64_t from, uint64_t to, size_t extra,
		       uint64_t *ret_begin, char **ret, size_t *ret_len);

#endif
