/*
 * The recording's format: columns, kinds, and one line as text. Version 1; raidtop.1 is its
 * public description. Used by the CSV sink and the replay alike.
 */
#ifndef RAIDTOP_RECORDING_H
#define RAIDTOP_RECORDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "raidtop/rates.h"
#include "raidtop/text.h"

#define RECORDING_VERSION 1

enum column {
	COLUMN_TIME,
	COLUMN_SEGMENT,
	COLUMN_ELAPSED_S,
	COLUMN_HOST,
	COLUMN_KIND,
	COLUMN_NAME,
	COLUMN_PARENT,
	COLUMN_STATE,
	COLUMN_READ_MB_S,
	COLUMN_WRITE_MB_S,
	COLUMN_READ_IOPS,
	COLUMN_WRITE_IOPS,
	COLUMN_READ_AWAIT_MS,
	COLUMN_WRITE_AWAIT_MS,
	COLUMN_QUEUE,
	COLUMN_UTIL_PCT,
	COLUMN_TEMP_C,
	COLUMN_SYNC_PCT,
	COLUMN_READ_BYTES,
	COLUMN_WRITE_BYTES,
	COLUMN_READ_IOS,
	COLUMN_WRITE_IOS,
	COLUMN_READ_US,
	COLUMN_WRITE_US,
	COLUMN_BUSY_US,
	COLUMN_QUEUE_US,
	COLUMN_INFLIGHT,
	COLUMN_READ_MERGES,
	COLUMN_WRITE_MERGES,
	COLUMN_DISCARD_IOS,
	COLUMN_DISCARD_BYTES,
	COLUMN_FLUSH_IOS,
	COLUMN_SYNC_DONE_BYTES,
	COLUMN_SYNC_TOTAL_BYTES,
	COLUMN_TEMP_AGE_S,
	COLUMN_KEY,
	COLUMN_VALUE,
	COLUMN_COUNT,
};
extern const char *const column_names[COLUMN_COUNT];

enum record_kind {
	RECORD_UNKNOWN, /* of a newer program: skipped */
	RECORD_SESSION,
	RECORD_FACT,
	RECORD_DEVICE,
	RECORD_LINK,
	RECORD_SAMPLE,
	RECORD_STREAM,
	RECORD_HIST,
	RECORD_EVENT,
	RECORD_MARK,
	RECORD_KIND_COUNT,
};
extern const char *const record_kind_names[RECORD_KIND_COUNT]; /* [0] is "" */

/*
 * The `state` of an event `gap`, whose value is the number of ticks missed: only those gaps that
 * a reader cannot see by itself have a word, the others NULL.
 */
const char *record_gap_name(enum gap gap);

/* So much text lies at most between two keyframes: session lines followed by all that holds. */
#define RECORD_KEYFRAME_BYTES (8 * 1024 * 1024)

/* ---- writing ---- */

/* A line is begun, gets its fields in any order, and is ended: an empty field is unknown. */
struct record_line {
	struct buffer text;                            /* of the fields, one after another */
	size_t begin[COLUMN_COUNT], len[COLUMN_COUNT]; /* where each lies in it */
	uint64_t filled, quoted; /* bits 1 << enum column: not empty; between quotes */
	/* The columns before the kind as they are written, and of what: they are a tick's. */
	struct buffer stamp;
	int64_t realtime_ms;
	uint32_t segment;
	uint64_t elapsed_us;
	char host[DEVICE_TEXT_BYTES];
};

void record_line_init(struct record_line *l);
void record_line_release(struct record_line *l);
/* Forgets the fields and sets time, segment, elapsed_s, host and kind. */
void record_line_begin(struct record_line *l, enum record_kind kind, int64_t realtime_ms,
		       uint32_t segment, uint64_t elapsed_us, const char *host);
/* Control characters, bytes that are not UTF-8 and the backslash are written as \xNN. */
void record_line_set_text(struct record_line *l, enum column c, const char *text);
void record_line_set_u64(struct record_line *l, enum column c, uint64_t value);
void record_line_set_fixed(struct record_line *l, enum column c, int64_t value,
			   unsigned int digits);
void record_line_set_double(struct record_line *l, enum column c, double value,
			    unsigned int digits);
/*
 * Rates and counters of one device, known ones only. Where the rates are not of these counters
 * but of the members' (or unknown for that reason), the key says RECORD_DERIVED.
 */
#define RECORD_DERIVED "derived"
void record_line_set_figures(struct record_line *l, const struct figures *f);
/* Appends the line, quoted as RFC 4180 asks where it must be, with its LF. */
void record_line_end(const struct record_line *l, struct buffer *out);
/* Appends the header line. */
void record_header_write(struct buffer *out);

/* ---- reading ---- */

/* Which of the file's columns is which of ours. */
struct record_header {
	size_t n_columns; /* of the file */
	int column[256];  /* enum column, or -1 for one that we do not know */
};

struct record_field {
	const char *text; /* not terminated; unquoted, still escaped */
	size_t len;
};

struct record_row {
	enum record_kind kind;
	struct record_field field[COLUMN_COUNT]; /* len 0: unknown */
	uint32_t segment;
	uint64_t elapsed_us;
	int64_t realtime_ms; /* INT64_MIN: unknown */
};

/*
 * Reads the header line (without its LF). 0, -EINVAL where the columns kind, elapsed_s and name
 * are not all there (it is no recording), -E2BIG with more than 256 columns.
 */
int record_header_read(struct record_header *h, char *line, size_t len);
/*
 * Takes a line (without its LF) apart, in place: quotes are undone in `line`, which must stay
 * while the row is used. 0, or -EINVAL where it has another number of fields, stray quotes, or
 * an elapsed time or segment that is no number: the line is torn or damaged.
 */
int record_row_read(struct record_row *row, const struct record_header *h, char *line, size_t len);
/*
 * The kind of a line without taking it apart: for passing over many. RECORD_UNKNOWN where that
 * cannot be told so easily.
 */
enum record_kind record_line_kind(const struct record_header *h, const char *line, size_t len);
/* The value as text with \xNN undone and terminated; cut to size. */
bool record_field_text(const struct record_field *f, char *buf, size_t size);
int record_field_u64(const struct record_field *f, uint64_t *ret);
int record_field_fixed(const struct record_field *f, unsigned int digits, int64_t *ret);
/*
 * The cumulative counters of a sample line, and whether its rates were derived; -EINVAL where
 * one is no number (the line is damaged).
 */
int record_row_counters(const struct record_row *row, struct counters *c);

/* ---- lists in the value of a stream line: `key=text key=text` ---- */

/* Appends one; blanks, '%', '=' and control characters of the text become %NN. */
void record_list_add(struct buffer *list, const char *key, const char *text);
void record_list_add_u64(struct buffer *list, const char *key, uint64_t value);
/* The text of a key, %NN undone, cut to size; false and "" where the list lacks it. */
bool record_list_text(const char *list, const char *key, char *buf, size_t size);
/* 0, -ENOENT, or -EINVAL and -ERANGE as number_parse_u64. */
int record_list_u64(const char *list, const char *key, uint64_t *ret);

#endif
