/*
 * The named fields of devices, arrays and members: one table that --list --json, the recording's
 * fact, device and link lines and the replay all walk, so that a name means the same everywhere.
 */
#ifndef RAIDTOP_FIELDS_H
#define RAIDTOP_FIELDS_H

#include <stdbool.h>
#include <stddef.h>

#include "raidtop/topology.h"

enum field_owner {
	FIELD_OF_DEVICE, /* struct device; shared by disks, partitions and arrays */
	FIELD_OF_DISK,   /* struct disk, inside the device */
	FIELD_OF_ARRAY,  /* struct array */
	FIELD_OF_MEMBER, /* struct member */
};

enum field_type {
	FIELD_TEXT,  /* char[size] */
	FIELD_U64,   /* UNKNOWN_U64 */
	FIELD_I32,   /* UNKNOWN_I32 */
	FIELD_TRUTH, /* enum truth: true, false */
	FIELD_BOOL,  /* bool: true, false; never unknown */
	FIELD_MILLI, /* int32_t thousandths, one decimal is printed */
	FIELD_WORD,  /* an enum with words; unknown where it has none */
	FIELD_FLAGS, /* uint32_t of member flags: "W,F"; never unknown */
};

struct field {
	const char *key; /* "chunk_bytes" */
	enum field_owner owner;
	enum field_type type;
	size_t offset;                  /* in the owner's struct */
	size_t size;                    /* FIELD_TEXT: of the array */
	const char *(*word)(int value); /* FIELD_WORD */
	int words;                      /* FIELD_WORD: values are 0 .. words - 1 */
	bool in_list;                   /* printed by --list --json */
	bool is_state; /* kept in the recording's state column or elsewhere, not as a fact */
	bool moves;    /* goes from tick to tick: no change of the topology by itself */
};

extern const struct field fields[];
extern const size_t n_fields;

/* The longest value as text. */
#define FIELD_VALUE_BYTES 4224

const struct field *field_find(enum field_owner owner, const char *key, size_t len);
/* The struct that a field of that owner lies in, NULL where the device has none. */
void *field_owner_of(enum field_owner owner, struct device *device);
/* The value as text without locale; false (and "") where unknown. */
bool field_format(const struct field *f, const void *owner, char *buf, size_t size);
/* Sets it from that text; "" makes it unknown. 0 or -EINVAL (value untouched). */
int field_parse(const struct field *f, void *owner, const char *text, size_t len);
bool field_equal(const struct field *f, const void *a, const void *b);

#endif
