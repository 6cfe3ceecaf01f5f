/*
 * A line of a recording, field by field, and which column holds which figure: shared by the
 * files that write and read recordings.
 */
#ifndef RAIDTOP_MODEL_RECORDING_FIELDS_H
#define RAIDTOP_MODEL_RECORDING_FIELDS_H

#include <stdbool.h>

#include "raidtop/rates.h"
#include "raidtop/recording.h"
#include "raidtop/snapshot.h"

extern const enum column counter_columns[COUNTER_COUNT];
extern const enum column rate_columns[RATE_COUNT];

/* Where the taking apart of a line has got to. */
struct record_cursor {
	char *at, *end;
	bool done;
};

/* A line without its LF; a CR before that is taken off. */
void record_cursor_init(struct record_cursor *c, char *line, size_t len);
/*
 * The next field, quotes undone in place: 1, 0 after the last one, or -EINVAL for stray quotes
 * and control characters outside of quotes, neither of which any writer of CSV leaves.
 */
int record_cursor_next(struct record_cursor *c, struct record_field *f);

/* The value of a hexadecimal digit, or -1. */
int record_hex_digit(char c);

#endif
