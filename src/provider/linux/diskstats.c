/*
 * A scanner in one pass. A line is a head (numbers and name), which is compared with what stood
 * there in the tick before, and columns of digits. Most of the time of a tick with a thousand
 * disks goes into those digits, so a line is bounded once, by a byte that is no digit, and not
 * looked at again digit by digit.
 */
#include "diskstats.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "raidtop/memory.h"

#define SECTOR_BYTES 512
#define US_PER_MS 1000
#define MAX_COLUMNS 17 /* behind the name: more are of a kernel to come */
#define PARTITION_COLUMNS 4
#define BASIC_COLUMNS 11
#define SHIFTED_COLUMNS 12 /* 15 with the three before: Linux 2.4, block count before the name */
#define DISCARD_COLUMNS 15
#define FLUSH_COLUMNS 17

#define HEAD_BYTES 96

enum unit { UNIT_NONE, UNIT_COUNT, UNIT_SECTORS, UNIT_MS, UNIT_LEVEL };

struct column {
	enum counter counter;
	enum unit unit;
};

static const struct column columns[MAX_COLUMNS] = {
	{ COUNTER_READ_IOS, UNIT_COUNT },
	{ COUNTER_READ_MERGES, UNIT_COUNT },
	{ COUNTER_READ_BYTES, UNIT_SECTORS },
	{ COUNTER_READ_US, UNIT_MS },
	{ COUNTER_WRITE_IOS, UNIT_COUNT },
	{ COUNTER_WRITE_MERGES, UNIT_COUNT },
	{ COUNTER_WRITE_BYTES, UNIT_SECTORS },
	{ COUNTER_WRITE_US, UNIT_MS },
	{ COUNTER_INFLIGHT, UNIT_LEVEL },
	{ COUNTER_BUSY_US, UNIT_MS },
	{ COUNTER_QUEUE_US, UNIT_MS },
	{ COUNTER_DISCARD_IOS, UNIT_COUNT },
	{ COUNTER_COUNT, UNIT_NONE }, /* discard merges */
	{ COUNTER_DISCARD_BYTES, UNIT_SECTORS },
	{ COUNTER_COUNT, UNIT_NONE }, /* discard ms */
	{ COUNTER_FLUSH_IOS, UNIT_COUNT },
	{ COUNTER_COUNT, UNIT_NONE }, /* flush ms */
};

static const struct column partition_columns[PARTITION_COLUMNS] = {
	{ COUNTER_READ_IOS, UNIT_COUNT },
	{ COUNTER_READ_BYTES, UNIT_SECTORS },
	{ COUNTER_WRITE_IOS, UNIT_COUNT },
	{ COUNTER_WRITE_BYTES, UNIT_SECTORS },
};

/* ---- scanning: `end` is within the text and holds no digit, so numbers end there ---- */

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static const char *skip_blanks(const char *at, const char *end)
{
	while (at < end && is_blank(*at))
		at++;
	return at;
}

/* The digits at `at`: where they end, or NULL where there are none or they do not fit. */
static const char *scan_digits(const char *at, uint64_t *ret)
{
	const char *begin = at;
	uint64_t value = 0;
	unsigned int digit;

	while ((digit = (unsigned int)(unsigned char)*at - '0') < 10) {
		if (at - begin < 19)
			value = value * 10 + digit;
		else if (__builtin_mul_overflow(value, 10, &value) ||
			 __builtin_add_overflow(value, digit, &value))
			return NULL;
		at++;
	}
	*ret = value;
	return at > begin ? at : NULL;
}

static const char *scan_u32(const char *at, const char *end, uint32_t *ret)
{
	uint64_t value;

	at = skip_blanks(at, end);
	if (at == end || !(at = scan_digits(at, &value)) || !is_blank(*at) || value > UINT32_MAX)
		return NULL;
	*ret = (uint32_t)value;
	return at;
}

/* "   8       0 sda": where it ends, or NULL. The name lies in the text. */
static const char *scan_head(const char *at, const char *end, uint32_t *major, uint32_t *minor,
			     const char **name)
{
	at = scan_u32(at, end, major);
	if (!at || !(at = scan_u32(at, end, minor)))
		return NULL;
	*name = at = skip_blanks(at, end);
	while (at < end && !is_blank(*at)) {
		if ((unsigned char)*at < 0x20 || *at == 0x7f)
			return NULL;
		at++;
	}
	return at > *name && at - *name < DEVICE_NAME_BYTES && at < end ? at : NULL;
}

/* ---- columns ---- */

/*
 * Times and the number in flight are printed with a sign by some kernels. A time below zero is a
 * counter of 32 bits past its half. Returns whether the column may be negative.
 */
static bool undo_sign(const struct column *column, uint64_t *value)
{
	if (column->unit == UNIT_MS && *value <= UINT32_C(1) << 31) {
		*value = (uint32_t)(0 - (uint32_t)*value);
		return true;
	}
	*value = UINT64_MAX;
	return column->unit == UNIT_LEVEL || column->unit == UNIT_NONE;
}

/*
 * At most MAX_COLUMNS numbers: how many there are, or -1 where something else stands there. Only
 * the columns of whole devices have ones that may be negative.
 */
static int scan_columns(const char *at, const char *end, uint64_t *values)
{
	bool any_negative = false;
	int n = 0;

	for (; n < MAX_COLUMNS; n++) {
		bool negative;

		at = skip_blanks(at, end);
		if (at == end)
			break;
		negative = *at == '-';
		at = scan_digits(at + negative, &values[n]);
		if (!at || !(at == end || is_blank(*at)))
			return -1;
		if (negative && !undo_sign(&columns[n], &values[n]))
			return -1;
		any_negative |= negative;
	}
	return any_negative && n < BASIC_COLUMNS ? -1 : n;
}

static void set_scaled(struct counters *c, enum counter which, uint64_t value, uint64_t unit)
{
	if (value <= UINT64_MAX / unit)
		counters_set(c, which, value * unit);
}

static void set_counter(struct counters *c, const struct column *column, uint64_t value)
{
	switch (column->unit) {
	case UNIT_NONE:
		break;
	case UNIT_COUNT:
		counters_set(c, column->counter, value);
		break;
	case UNIT_SECTORS:
		set_scaled(c, column->counter, value, SECTOR_BYTES);
		break;
	case UNIT_MS:
		set_scaled(c, column->counter, value, US_PER_MS);
		break;
	case UNIT_LEVEL:
		if (value <= INT32_MAX)
			counters_set(c, column->counter, value);
		break;
	}
}

/* How many of the columns are used: whole groups only. 0 where they are not those of a line. */
static int columns_of_use(int n)
{
	if (n == PARTITION_COLUMNS)
		return n;
	if (n < BASIC_COLUMNS || n == SHIFTED_COLUMNS)
		return 0;
	if (n < DISCARD_COLUMNS)
		return BASIC_COLUMNS;
	return n < FLUSH_COLUMNS ? DISCARD_COLUMNS : FLUSH_COLUMNS;
}

static int read_columns(const char *at, const char *end, struct counters *c)
{
	uint64_t values[MAX_COLUMNS];
	int n = columns_of_use(scan_columns(at, end, values));
	const struct column *which = n == PARTITION_COLUMNS ? partition_columns : columns;

	if (n == 0 || (n == PARTITION_COLUMNS && *end != '\n')) /* the rest of a cut line */
		return -EINVAL;
	c->valid = 0;
	for (int i = 0; i < n; i++)
		set_counter(c, &which[i], values[i]);
	return 0;
}

/* ---- lines ---- */

/*
 * The end of the line at `text`, a byte that is no digit; where the next one begins goes to
 * *ret_next. A last line without an end is shortened to the blank before its last word.
 */
static const char *line_end(const char *text, const char *end, const char **ret_next)
{
	const char *newline = memchr(text, '\n', (size_t)(end - text));

	if (newline) {
		*ret_next = newline + 1;
		return newline;
	}
	*ret_next = end;
	do
		end--;
	while (end > text && !is_blank(*end));
	return end;
}

int diskstats_read_line(const char *text, const char *end, struct diskstats_line *line,
			const char **ret_next)
{
	const char *name, *at;

	if (text == end) {
		*ret_next = end;
		return -ENODATA;
	}
	end = line_end(text, end, ret_next);
	text = skip_blanks(text, end);
	if (text == end)
		return *end == '\n' ? -ENODATA : -EINVAL;
	at = scan_head(text, end, &line->major, &line->minor, &name);
	if (!at)
		return -EINVAL;
	memcpy(line->name, name, (size_t)(at - name));
	line->name[at - name] = '\0';
	return read_columns(at, end, &line->counters);
}

/* ---- the index ---- */

/* A line as it began when it was met, with the blank behind the name. */
struct diskstats_known {
	int slot;
	uint32_t head_len;
	char head[HEAD_BYTES];
};

void diskstats_index_init(struct diskstats_index *index,
			  int (*find)(void *context, uint32_t major, uint32_t minor,
				      const char *name),
			  void *context)
{
	*index = (struct diskstats_index){ .find = find, .context = context };
}

void diskstats_index_release(struct diskstats_index *index)
{
	free(index->lines);
	diskstats_index_init(index, index->find, index->context);
}

void diskstats_index_reset(struct diskstats_index *index)
{
	index->n_lines = 0;
}

static bool is_known(const struct diskstats_known *known, const char *text, const char *end)
{
	return (size_t)(end - text) > known->head_len &&
	       memcmp(text, known->head, known->head_len) == 0;
}

/* Room for one more at `i`. */
static struct diskstats_known *insert_line(struct diskstats_index *index, size_t i)
{
	if (index->n_lines == index->lines_room) {
		index->lines_room = index->lines_room ? 2 * index->lines_room : 64;
		index->lines =
			memory_resize(index->lines, index->lines_room, sizeof(*index->lines));
	}
	memmove(index->lines + i + 1, index->lines + i,
		(index->n_lines - i) * sizeof(*index->lines));
	index->n_lines++;
	return &index->lines[i];
}

/* Drops the lines from `i` up to that which `text` is; whether there is one. */
static bool drop_lines(struct diskstats_index *index, size_t i, const char *text, const char *end)
{
	size_t k = i;

	while (k < index->n_lines && !is_known(&index->lines[k], text, end))
		k++;
	if (k == index->n_lines)
		return false;
	memmove(index->lines + i, index->lines + k, (index->n_lines - k) * sizeof(*index->lines));
	index->n_lines -= k - i;
	return true;
}

/* Makes the line at `text` the one of place `i`; whether it is a line at all. */
static bool learn_line(struct diskstats_index *index, size_t i, const char *text, const char *end)
{
	struct diskstats_known *known;
	char name[DEVICE_NAME_BYTES];
	const char *at, *begin;
	uint32_t major, minor;

	if (drop_lines(index, i, text, end))
		return true;
	at = scan_head(text, end, &major, &minor, &begin);
	if (!at || at - text + 1 > HEAD_BYTES)
		return false;
	memcpy(name, begin, (size_t)(at - begin));
	name[at - begin] = '\0';
	known = insert_line(index, i);
	known->head_len = (uint32_t)(at - text + 1);
	memcpy(known->head, text, known->head_len);
	known->slot = index->find(index->context, major, minor, name);
	return true;
}

/* The columns of a line for its slot, if it has one; whether they are well-formed. */
static bool read_known(const struct diskstats_known *known, const char *text, const char *end,
		       struct counters *devices, size_t n_devices)
{
	if (known->slot < 0 || (size_t)known->slot >= n_devices)
		return true;
	return read_columns(text + known->head_len, end, &devices[known->slot]) == 0;
}

static bool is_empty(const char *text, const char *end)
{
	return *end == '\n' && skip_blanks(text, end) == end;
}

void diskstats_read(struct diskstats_index *index, const char *text, size_t len,
		    struct counters *devices, size_t n_devices, struct diskstats_summary *summary)
{
	const char *text_end = text + len, *end;
	size_t i = 0;

	*summary = (struct diskstats_summary){ 0 };
	for (const char *next; text < text_end; text = next) {
		bool is_line = true;

		end = line_end(text, text_end, &next);
		if (i == index->n_lines || !is_known(&index->lines[i], text, end)) {
			is_line = learn_line(index, i, text, end);
			summary->changed |= is_line;
		}
		is_line = is_line && read_known(&index->lines[i++], text, end, devices, n_devices);
		summary->lines += is_line;
		summary->refused += !is_line && !is_empty(text, end);
	}
	summary->changed |= i < index->n_lines;
	index->n_lines = i;
}
