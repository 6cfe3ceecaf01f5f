/*
 * The table of named fields, and the few ways in which a value of each type becomes text and
 * back. Its order is that of --list --json: where arrays and disks share a field, it stands in
 * the one place that is right for both.
 */
#include "raidtop/fields.h"

#include <errno.h>
#include <string.h>

#include "raidtop/number.h"
#include "raidtop/text.h"

/* ---- words, by number ---- */

static const char *device_kind_word(int value)
{
	static const char *const words[] = { "disk", "partition", "array", "path" };

	return value >= 0 && value < 4 ? words[value] : NULL;
}

static const char *array_state_word(int value)
{
	return array_state_name((enum array_state)value);
}

static const char *readonly_word(int value)
{
	return array_readonly_name((enum array_readonly)value);
}

static const char *action_word(int value)
{
	return action_kind_name((enum action_kind)value);
}

/* Running goes without saying, and an idle array has no state of its action at all. */
static const char *action_state_word(int value)
{
	return value == ACTION_RUNNING ? NULL : action_state_name((enum action_state)value);
}

static const char *member_state_word(int value)
{
	return member_state_name((enum member_state)value);
}

/* ---- the table ---- */

#define AT(holder, place) .offset = offsetof(struct holder, place)
#define TEXT(holder, place) \
	.type = FIELD_TEXT, AT(holder, place), .size = sizeof(((struct holder *)NULL)->place)
#define U64(holder, place) .type = FIELD_U64, AT(holder, place)
#define WORDS(function, n) .type = FIELD_WORD, .word = function, .words = n
#define OF_DEVICE .owner = FIELD_OF_DEVICE
#define OF_DISK .owner = FIELD_OF_DISK
#define OF_ARRAY .owner = FIELD_OF_ARRAY
#define OF_MEMBER .owner = FIELD_OF_MEMBER

/* clang-format off */
const struct field fields[] = {
	{ "name", OF_DEVICE, TEXT(device, name), .in_list = true, .is_state = true },
	{ "kernel_name", OF_DEVICE, TEXT(device, kernel_name) },
	{ "device_kind", OF_DEVICE, AT(device, kind), WORDS(device_kind_word, 4) },
	{ "minor_interest", OF_DEVICE, .type = FIELD_BOOL, AT(device, minor_interest) },
	{ "counts_io", OF_DEVICE, .type = FIELD_TRUTH, AT(device, counts_io) },
	{ "busy_is_load", OF_DEVICE, .type = FIELD_TRUTH, AT(device, busy_is_load) },

	{ "kind", OF_ARRAY, TEXT(array, kind), .in_list = true },
	{ "level", OF_ARRAY, TEXT(array, level), .in_list = true },
	{ "layout", OF_ARRAY, TEXT(array, layout), .in_list = true },
	{ "state", OF_ARRAY, AT(array, state), WORDS(array_state_word, 4), .in_list = true,
	  .is_state = true },
	{ "readonly", OF_ARRAY, AT(array, readonly), WORDS(readonly_word, 3), .in_list = true },

	{ "model", OF_DISK, TEXT(disk, model), .in_list = true },
	{ "serial", OF_DISK, TEXT(disk, serial), .in_list = true },
	{ "firmware", OF_DISK, TEXT(disk, firmware), .in_list = true },

	{ "size_bytes", OF_DEVICE, U64(device, size_bytes), .in_list = true },

	{ "chunk_bytes", OF_ARRAY, U64(array, chunk_bytes), .in_list = true },
	{ "metadata", OF_ARRAY, TEXT(array, metadata), .in_list = true },
	{ "raid_disks", OF_ARRAY, U64(array, raid_disks), .in_list = true },
	{ "working", OF_ARRAY, U64(array, working), .in_list = true },
	{ "degraded", OF_ARRAY, U64(array, degraded), .in_list = true },
	{ "slots", OF_ARRAY, TEXT(array, slots), .in_list = true },
	{ "bitmap", OF_ARRAY, .type = FIELD_TRUTH, AT(array, bitmap), .in_list = true },
	{ "uuid", OF_ARRAY, TEXT(array, uuid), .in_list = true },
	{ "alias", OF_ARRAY, TEXT(array, alias), .in_list = true },
	{ "consistency_policy", OF_ARRAY, TEXT(array, consistency_policy), .in_list = true },
	{ "frozen", OF_ARRAY, .type = FIELD_TRUTH, AT(array, frozen), .in_list = true },
	{ "raid_disks_before", OF_ARRAY, U64(array, raid_disks_before), .in_list = true },
	{ "mismatch_count", OF_ARRAY, U64(array, mismatch_count), .in_list = true,
	  .moves = true },
	{ "stripe_cache_size", OF_ARRAY, U64(array, stripe_cache_size), .in_list = true },
	{ "stripe_cache_active", OF_ARRAY, U64(array, stripe_cache_active), .in_list = true,
	  .moves = true },
	{ "spares", OF_ARRAY, U64(array, spares), .in_list = true },
	{ "container", OF_ARRAY, TEXT(array, container), .in_list = true },
	{ "container_volume", OF_ARRAY, U64(array, container_volume), .in_list = true },
	{ "bitmap_location", OF_ARRAY, TEXT(array, bitmap_location), .in_list = true },
	{ "bitmap_chunk_bytes", OF_ARRAY, U64(array, bitmap_chunk_bytes), .in_list = true },
	{ "journal_mode", OF_ARRAY, TEXT(array, journal_mode), .in_list = true },
	{ "sync_min_bytes_per_sec", OF_ARRAY, U64(array, sync_min_bytes_per_sec),
	  .in_list = true, .moves = true },
	{ "sync_max_bytes_per_sec", OF_ARRAY, U64(array, sync_max_bytes_per_sec),
	  .in_list = true, .moves = true },
	{ "sync_min_is_local", OF_ARRAY, .type = FIELD_TRUTH, AT(array, sync_min_is_local),
	  .in_list = true, .moves = true },
	{ "sync_max_is_local", OF_ARRAY, .type = FIELD_TRUTH, AT(array, sync_max_is_local),
	  .in_list = true, .moves = true },
	{ "reshape_position_bytes", OF_ARRAY, U64(array, reshape_position_bytes),
	  .in_list = true, .moves = true },
	{ "action", OF_ARRAY, AT(array, action.kind), WORDS(action_word, 6) },
	{ "action_state", OF_ARRAY, AT(array, action.state), WORDS(action_state_word, 5) },
	{ "action_finish_s", OF_ARRAY, U64(array, action.finish_s), .moves = true },
	{ "action_speed_bytes_per_sec", OF_ARRAY, U64(array, action.speed_bytes_per_sec),
	  .moves = true },

	{ "rotational", OF_DISK, .type = FIELD_TRUTH, AT(disk, rotational), .in_list = true },
	{ "transport", OF_DISK, TEXT(disk, transport), .in_list = true },
	{ "temperature_c", OF_DISK, .type = FIELD_MILLI, AT(disk, temperature_mc), .in_list = true,
	  .is_state = true, .moves = true },
	{ "temperature_max_c", OF_DISK, .type = FIELD_MILLI, AT(disk, temperature_max_mc),
	  .in_list = true, .moves = true },
	{ "temperature_crit_c", OF_DISK, .type = FIELD_MILLI, AT(disk, temperature_crit_mc),
	  .in_list = true, .moves = true },
	{ "temperature_why", OF_DISK, TEXT(disk, temperature_why), .in_list = true, .moves = true },
	{ "asleep", OF_DISK, .type = FIELD_TRUTH, AT(disk, asleep), .in_list = true,
	  .moves = true },
	{ "wwn", OF_DISK, TEXT(disk, wwn) },

	{ "name", OF_MEMBER, TEXT(member, name), .in_list = true, .is_state = true },
	{ "slot", OF_MEMBER, .type = FIELD_I32, AT(member, slot), .in_list = true },
	{ "role", OF_MEMBER, .type = FIELD_I32, AT(member, role), .in_list = true },
	{ "flags", OF_MEMBER, .type = FIELD_FLAGS, AT(member, flags), .in_list = true },
	{ "state", OF_MEMBER, AT(member, state), WORDS(member_state_word, 9), .in_list = true,
	  .is_state = true },
};
/* clang-format on */

const size_t n_fields = sizeof(fields) / sizeof(fields[0]);

const struct field *field_find(enum field_owner owner, const char *key, size_t len)
{
	for (size_t i = 0; i < n_fields; i++)
		if (fields[i].owner == owner && strlen(fields[i].key) == len &&
		    memcmp(fields[i].key, key, len) == 0)
			return &fields[i];
	return NULL;
}

void *field_owner_of(enum field_owner owner, struct device *device)
{
	switch (owner) {
	case FIELD_OF_DEVICE:
		return device;
	case FIELD_OF_DISK:
		return &device->disk;
	case FIELD_OF_ARRAY:
		return device->array;
	case FIELD_OF_MEMBER:
		break;
	}
	return NULL;
}

/* ---- values as they lie in memory ---- */

/* Any value that is not text as one number; enums have the size of an int here. */
static int64_t load(const struct field *f, const void *owner)
{
	const char *at = (const char *)owner + f->offset;
	uint64_t u64;
	uint32_t u32;
	int32_t i32;
	bool yes;

	switch (f->type) {
	case FIELD_TEXT:
		return 0;
	case FIELD_U64:
		memcpy(&u64, at, sizeof(u64));
		return (int64_t)u64;
	case FIELD_FLAGS:
		memcpy(&u32, at, sizeof(u32));
		return u32;
	case FIELD_BOOL:
		memcpy(&yes, at, sizeof(yes));
		return yes;
	case FIELD_I32:
	case FIELD_MILLI:
	case FIELD_TRUTH:
	case FIELD_WORD:
		memcpy(&i32, at, sizeof(i32));
		return i32;
	}
	return 0;
}

static void store(const struct field *f, void *owner, int64_t value)
{
	char *at = (char *)owner + f->offset;
	uint64_t u64 = (uint64_t)value;
	uint32_t u32 = (uint32_t)value;
	int32_t i32 = (int32_t)value;
	bool yes = value != 0;

	switch (f->type) {
	case FIELD_TEXT:
		break;
	case FIELD_U64:
		memcpy(at, &u64, sizeof(u64));
		break;
	case FIELD_FLAGS:
		memcpy(at, &u32, sizeof(u32));
		break;
	case FIELD_BOOL:
		memcpy(at, &yes, sizeof(yes));
		break;
	case FIELD_I32:
	case FIELD_MILLI:
	case FIELD_TRUTH:
	case FIELD_WORD:
		memcpy(at, &i32, sizeof(i32));
		break;
	}
}

_Static_assert(sizeof(enum truth) == sizeof(int32_t), "load() and store() copy enums as int32_t");
_Static_assert(sizeof(enum member_state) == sizeof(int32_t), "the same");

/* ---- to text ---- */

/* A temperature has the one decimal that sensors are good for, rounded half away from zero. */
static size_t format_milli(char *number, int64_t thousandths)
{
	int64_t half = thousandths < 0 ? -50 : 50;

	return number_format_fixed(number, (thousandths + half) / 100, 1);
}

bool field_format(const struct field *f, const void *owner, char *buf, size_t size)
{
	int64_t value = load(f, owner);
	char number[NUMBER_BYTES] = "";
	const char *text = number;
	bool known = true;

	switch (f->type) {
	case FIELD_TEXT:
		text = (const char *)owner + f->offset;
		known = text[0] != '\0';
		break;
	case FIELD_U64:
		known = (uint64_t)value != UNKNOWN_U64;
		number_format_u64(number, (uint64_t)value);
		break;
	case FIELD_I32:
		known = value != UNKNOWN_I32;
		number_format_i64(number, value);
		break;
	case FIELD_MILLI:
		known = value != UNKNOWN_I32;
		format_milli(number, value);
		break;
	case FIELD_TRUTH:
		known = value == TRUTH_NO || value == TRUTH_YES;
		text = value == TRUTH_YES ? "true" : "false";
		break;
	case FIELD_BOOL:
		text = value ? "true" : "false";
		break;
	case FIELD_WORD:
		text = f->word((int)value);
		known = text != NULL;
		break;
	case FIELD_FLAGS:
		member_flags_format(number, (uint32_t)value, ',');
		break;
	}
	text_copy(buf, size, known ? text : "");
	return known;
}

/* ---- from text ---- */

static bool is_word(const char *word, const char *text, size_t len)
{
	return word && strlen(word) == len && memcmp(word, text, len) == 0;
}

/* The number of a word; of the first without one where the text is empty. */
static int parse_word(const struct field *f, const char *text, size_t len, int64_t *ret)
{
	for (int value = 0; value < f->words; value++) {
		if (len ? is_word(f->word(value), text, len) : !f->word(value)) {
			*ret = value;
			return 0;
		}
	}
	return -EINVAL;
}

static int parse_flags(const char *text, size_t len, int64_t *ret)
{
	uint32_t flags = 0;

	for (size_t i = 0; i < len; i++) {
		uint32_t flag = 1;
		char letter[16];

		while (flag <= MEMBER_FLAG_REPLACEMENT) {
			member_flags_format(letter, flag, ',');
			if (letter[0] == text[i])
				break;
			flag <<= 1;
		}
		if (flag > MEMBER_FLAG_REPLACEMENT || (i + 1 < len && text[++i] != ','))
			return -EINVAL;
		flags |= flag;
	}
	if (len > 0 && text[len - 1] == ',')
		return -EINVAL;
	*ret = flags;
	return 0;
}

static int parse_i32(const char *text, size_t len, unsigned int digits, int64_t *ret)
{
	int r;

	if (len == 0) {
		*ret = UNKNOWN_I32;
		return 0;
	}
	r = number_parse_fixed(text, len, digits, ret);
	if (r < 0 || *ret <= UNKNOWN_I32 || *ret > INT32_MAX ||
	    (digits == 0 && memchr(text, '.', len)))
		return -EINVAL;
	return 0;
}

static int parse_u64(const char *text, size_t len, int64_t *ret)
{
	uint64_t value = UNKNOWN_U64;

	if (len > 0 && (number_parse_u64(text, len, &value) < 0 || value == UNKNOWN_U64))
		return -EINVAL;
	*ret = (int64_t)value;
	return 0;
}

static int parse_truth(const struct field *f, const char *text, size_t len, int64_t *ret)
{
	if (len == 0 && f->type == FIELD_TRUTH)
		*ret = TRUTH_UNKNOWN;
	else if (is_word("true", text, len))
		*ret = TRUTH_YES;
	else if (is_word("false", text, len))
		*ret = TRUTH_NO;
	else
		return -EINVAL;
	return 0;
}

int field_parse(const struct field *f, void *owner, const char *text, size_t len)
{
	int64_t value = 0;
	int r = -EINVAL;

	switch (f->type) {
	case FIELD_TEXT:
		if (len >= f->size || (len > 0 && memchr(text, '\0', len)))
			return -EINVAL;
		text_copy_n((char *)owner + f->offset, f->size, text, len);
		return 0;
	case FIELD_U64:
		r = parse_u64(text, len, &value);
		break;
	case FIELD_I32:
		r = parse_i32(text, len, 0, &value);
		break;
	case FIELD_MILLI:
		r = parse_i32(text, len, 3, &value);
		break;
	case FIELD_TRUTH:
	case FIELD_BOOL:
		r = parse_truth(f, text, len, &value);
		break;
	case FIELD_WORD:
		r = parse_word(f, text, len, &value);
		break;
	case FIELD_FLAGS:
		r = parse_flags(text, len, &value);
		break;
	}
	if (r == 0)
		store(f, owner, value);
	return r;
}

bool field_equal(const struct field *f, const void *a, const void *b)
{
	if (f->type == FIELD_TEXT)
		return strcmp((const char *)a + f->offset, (const char *)b + f->offset) == 0;
	return load(f, a) == load(f, b);
}
