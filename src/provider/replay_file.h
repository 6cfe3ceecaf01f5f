/*
 * The file of a recording, row by row, from any place in it, forward and back. Read in windows
 * (a file that somebody cuts short under a mapping would kill the program), so that memory and
 * the time to open are the same for a small and for a huge recording. It may still be growing.
 */
#ifndef RAIDTOP_PROVIDER_REPLAY_FILE_H
#define RAIDTOP_PROVIDER_REPLAY_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "raidtop/recording.h"
#include "raidtop/text.h"

struct replay_file {
	int fd;
	uint64_t size; /* as last looked at */
	struct record_header header;
	struct buffer header_line; /* as it stands in the file: joined recordings repeat it */
	uint64_t body_at;          /* where the line after it begins */
	char *window;              /* a part of the file */
	uint64_t window_at;
	size_t window_len;
	char *joined;           /* a row with quotes, to be unquoted in place */
	uint64_t damaged_lines; /* passed over so far, each counted once */
	uint64_t counted_to;
};

/* A row and where it lies; its fields are valid until the next call. */
struct replay_row {
	struct record_row row;
	uint64_t at, next; /* its first byte, and that of what follows */
};

/* Opens and reads the header line; `why` gets a sentence. 0 or -errno; close it in any case. */
int replay_file_open(struct replay_file *f, const char *path, char *why, size_t size);
void replay_file_close(struct replay_file *f);
/* Looks whether there is more of it by now. */
bool replay_file_grew(struct replay_file *f);

/*
 * The first whole row at or after `at`, which is the beginning of a line; damaged lines on the
 * way are counted. 0, -ENODATA at the end (ret->at is where a torn line begins, or the size),
 * or -errno.
 */
int replay_file_row(struct replay_file *f, uint64_t at, struct replay_row *ret);
/*
 * As above, and rows whose kind is not in the set (bits 1 << enum record_kind) may be passed
 * over, which is much faster; what is wrong with them is not counted.
 */
int replay_file_row_of(struct replay_file *f, uint64_t at, unsigned int kinds,
		       struct replay_row *ret);
/*
 * As above, from anywhere, perhaps the middle of a line; -ENODATA where no row begins ahead of
 * `before`. Counts nothing.
 */
int replay_file_row_near(struct replay_file *f, uint64_t at, uint64_t before,
			 struct replay_row *ret);
/* The last whole row that ends at or before `at`; -ENODATA where there is none. */
int replay_file_row_before(struct replay_file *f, uint64_t at, struct replay_row *ret);
/* The last place in [from, to) where `word` begins; 0, -ENODATA, or -errno. */
int replay_file_find_back(struct replay_file *f, uint64_t from, uint64_t to, const char *word,
			  uint64_t *ret_at);
/* The beginning of the line that the byte at `at` belongs to. 0 or -errno. */
int replay_file_line_begin(struct replay_file *f, uint64_t at, uint64_t *ret_at);

/* The row there turned out to be of no use. */
void replay_file_note_damaged(struct replay_file *f, uint64_t at);

#endif
