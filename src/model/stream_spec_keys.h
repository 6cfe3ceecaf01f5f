/* The keys of a specification, for its parser and its printer. */
#ifndef MODEL_STREAM_SPEC_KEYS_H
#define MODEL_STREAM_SPEC_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "raidtop/stream_spec.h"

enum value_type {
	VALUE_TEXT,   /* a char array */
	VALUE_NAME,   /* a char array that holds one of `words` */
	VALUE_WORD,   /* an enum: the index in `words` */
	VALUE_COUNT,  /* an unsigned int */
	VALUE_NUMBER, /* a uint64_t */
	VALUE_SIZE,   /* a uint64_t of bytes */
	VALUE_TIME,   /* a uint64_t of nanoseconds */
	VALUE_FLAG,   /* a bool: 0 or 1 */
	VALUE_MIX,    /* percent of reads, kept as percent of writes */
};

struct spec_key {
	const char *name;
	enum value_type type;
	size_t offset, size; /* of the value in struct stream_spec */
	uint64_t min, max;   /* of numbers */
	const char *const *words;
	unsigned int needs; /* traits, of which the workload must have one; 0: none */
	const char *give;   /* "give ..." */
};

#define SPEC_KEYS 20
extern const struct spec_key spec_keys[SPEC_KEYS];

bool spec_key_is_text(const struct spec_key *key);
/* Where its value lies. */
const void *spec_key_place(const struct stream_spec *spec, const struct spec_key *key);
/* The value as it is kept; 0 is the default of each. Not of texts. */
uint64_t spec_key_number(const struct stream_spec *spec, const struct spec_key *key);
bool spec_key_is_default(const struct stream_spec *spec, const struct spec_key *key);

#endif
