/* The one JSON writer: exact numbers, escaped bytes, no locale. */
#ifndef RAIDTOP_JSON_H
#define RAIDTOP_JSON_H

#include <stdbool.h>
#include <stdint.h>

#include "raidtop/text.h"

#define JSON_DEPTH 16

/*
 * Appends to a buffer of the caller's. `key` is NULL in an array and at the top. Each call
 * writes commas and (where `pretty`) new lines and tabs itself.
 */
struct json {
	struct buffer *out;
	bool pretty;
	int depth;
	bool has_items[JSON_DEPTH];
};

void json_init(struct json *j, struct buffer *out, bool pretty);
void json_open_object(struct json *j, const char *key);
void json_close_object(struct json *j);
void json_open_array(struct json *j, const char *key);
void json_close_array(struct json *j);
/* NULL text is null. Bytes that are not UTF-8 become U+FFFD. */
void json_add_text(struct json *j, const char *key, const char *text);
void json_add_u64(struct json *j, const char *key, uint64_t value);
void json_add_i64(struct json *j, const char *key, int64_t value);
/* An integer in units of 10^-digits: (431, 1) is 43.1. */
void json_add_fixed(struct json *j, const char *key, int64_t value, unsigned int digits);
void json_add_bool(struct json *j, const char *key, bool value);
void json_add_null(struct json *j, const char *key);

#endif
