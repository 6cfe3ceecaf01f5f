/*
 * A stream's specification as text. One table has the keys: where the value lies, how it is
 * written, its bounds, what to give, and what a workload must be like for it to mean anything. The
 * parser, the printer and the check of contradictions all go by that table.
 */
#include "raidtop/stream_spec.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "raidtop/number.h"
#include "raidtop/units.h"
#include "stream_spec_keys.h"

#define LIMIT_IN_SIZES 10 /* where none is given */
#define VALUE_BYTES STREAM_TARGET_BYTES
#define SHOWN_BYTES 64 /* of a value in a sentence */
#define MIB (1024ULL * 1024)

static const char *const engine_words[] = { "psync", "uring", "mmap", NULL };
static const char *const access_words[] = { "direct", "buffered", "dontcache", NULL };
static const char *const sync_words[] = { "end", "none", "each", NULL };
static const char *const order_words[] = { "name", "random", NULL };

_Static_assert(STREAM_DIRECT == 0 && STREAM_BUFFERED == 1 && STREAM_DONTCACHE == 2, "words");
_Static_assert(STREAM_SYNC_END == 0 && STREAM_SYNC_NONE == 1 && STREAM_SYNC_EACH == 2, "words");
_Static_assert(STREAM_BY_NAME == 0 && STREAM_IN_ANY_ORDER == 1, "words");
_Static_assert(sizeof(enum stream_access) == sizeof(unsigned int) &&
		       sizeof(enum stream_sync) == sizeof(unsigned int) &&
		       sizeof(enum stream_order_of_names) == sizeof(unsigned int),
	       "enums are kept as whole numbers");

#define AT(member) offsetof(struct stream_spec, member), sizeof(((struct stream_spec *)0)->member)

enum key_row {
	KEY_TARGET,
	KEY_ON,
	KEY_COPIES,
	KEY_BLOCK,
	KEY_DEPTH,
	KEY_ENGINE,
	KEY_ACCESS,
	KEY_SYNC,
	KEY_RATE,
	KEY_RAMP,
	KEY_TIME,
	KEY_SIZE,
	KEY_LIMIT,
	KEY_OFFSET,
	KEY_ALIGN,
	KEY_SEED,
	KEY_VERIFY,
	KEY_MIX,
	KEY_ORDER,
	KEY_KEEP,
	KEY_COUNT, /* SPEC_KEYS */
};

_Static_assert(KEY_COUNT == SPEC_KEYS, "a row for each key");

const struct spec_key spec_keys[SPEC_KEYS] = {
	[KEY_TARGET] = { "target", VALUE_TEXT, AT(target), 0, 0, NULL, 0,
			 "a directory, a file or a device, as in target=/mnt/md0" },
	[KEY_ON] = { "on", VALUE_TEXT, AT(on), 0, 0, NULL, 0,
		     "the device that the target must lie on, as in on=md0" },
	[KEY_COPIES] = { "copies", VALUE_COUNT, AT(copies), 1, STREAM_COPIES_MAX, NULL, 0,
			 "1 to 64" },
	[KEY_BLOCK] = { "block", VALUE_SIZE, AT(block_bytes), 512, 64 * MIB, NULL,
			STREAM_BLOCKS | STREAM_FILES, "512 to 64M, as in block=64k" },
	[KEY_DEPTH] = { "depth", VALUE_COUNT, AT(depth), 1, STREAM_DEPTH_MAX, NULL, STREAM_DEEP,
			"1 to 256" },
	[KEY_ENGINE] = { "engine", VALUE_NAME, AT(engine), 0, 0, engine_words, STREAM_BLOCKS,
			 "psync, uring or mmap" },
	[KEY_ACCESS] = { "access", VALUE_WORD, AT(access), 0, 0, access_words, 0,
			 "direct, buffered or dontcache" },
	[KEY_SYNC] = { "sync", VALUE_WORD, AT(sync), 0, 0, sync_words, STREAM_WRITES,
		       "none, end or each" },
	[KEY_RATE] = { "rate", VALUE_SIZE, AT(rate_per_sec), 1, UINT64_MAX, NULL, 0,
		       "bytes a second (of a workload that counts files: those), as in rate=20M" },
	[KEY_RAMP] = { "ramp", VALUE_TIME, AT(ramp_ns), 1, UINT64_MAX, NULL, 0,
		       "a time, as in ramp=5s" },
	[KEY_TIME] = { "time", VALUE_TIME, AT(time_ns), 1, UINT64_MAX, NULL, 0,
		       "a time, as in time=60s; without it the stream runs until it is stopped" },
	[KEY_SIZE] = { "size", VALUE_SIZE, AT(size_bytes), 1, INT64_MAX, NULL, 0,
		       "the bytes of each file, as in size=1G" },
	[KEY_LIMIT] = { "limit", VALUE_SIZE, AT(limit_bytes), 1, UINT64_MAX, NULL, STREAM_WRITES,
			"the bytes that may be written at most, as in limit=10G" },
	[KEY_OFFSET] = { "offset", VALUE_SIZE, AT(offset_bytes), 0, INT64_MAX, NULL, STREAM_BLOCKS,
			 "where to begin, as in offset=512k" },
	[KEY_ALIGN] = { "align", VALUE_SIZE, AT(align_bytes), 1, INT64_MAX, NULL, STREAM_RANDOM,
			"what offsets are multiples of, as in align=4k" },
	[KEY_SEED] = { "seed", VALUE_NUMBER, AT(seed), 0, UINT64_MAX, NULL, 0, "a whole number" },
	[KEY_VERIFY] = { "verify", VALUE_FLAG, AT(verify), 0, 1, NULL, STREAM_WRITES, "0 or 1" },
	[KEY_MIX] = { "mix", VALUE_MIX, AT(write_pct), 1, 99, NULL, STREAM_MIXES,
		      "the percent of reads, 1 to 99, as in mix=70" },
	[KEY_ORDER] = { "order", VALUE_WORD, AT(order), 0, 0, order_words, STREAM_FILES,
			"name or random" },
	[KEY_KEEP] = { "keep", VALUE_FLAG, AT(keep), 0, 1, NULL, 0, "0 or 1" },
};

/* ---- sentences ---- */

static int refuse(char *why, size_t size, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static int refuse(char *why, size_t size, const char *format, ...)
{
	char raw[512];
	va_list args;

	va_start(args, format);
	if (vsnprintf(raw, sizeof(raw), format, args) < 0)
		raw[0] = '\0';
	va_end(args);
	text_clean(why, size, raw);
	return -EINVAL;
}

/* What was typed, cut where it is long. */
static const char *shown(char buf[SHOWN_BYTES], const char *text)
{
	if (!text_copy(buf, SHOWN_BYTES - 3, text))
		memcpy(buf + strlen(buf), "...", 4);
	return buf;
}

static int refuse_value(const struct spec_key *key, const char *value, const char *what, char *why,
			size_t size)
{
	char buf[SHOWN_BYTES];

	return refuse(why, size, "%s=%s %s: give %s", key->name, shown(buf, value), what,
		      key->give);
}

static int refuse_workload(const char *name, char *why, size_t size)
{
	char buf[SHOWN_BYTES], list[256] = "";
	const struct stream_kind *k;

	for (size_t i = 0; (k = stream_kind_get(i)); i++)
		text_format(list + strlen(list), sizeof(list) - strlen(list), "%s%s", i ? " " : "",
			    k->name);
	return refuse(why, size, "there is no workload \"%s\": begin with one of %s",
		      shown(buf, name), list);
}

static int refuse_key(const char *name, char *why, size_t size)
{
	char buf[SHOWN_BYTES], list[256] = "";

	for (size_t i = 0; i < KEY_COUNT; i++)
		text_format(list + strlen(list), sizeof(list) - strlen(list), "%s%s", i ? " " : "",
			    spec_keys[i].name);
	return refuse(why, size, "a stream has no key \"%s\": give one of %s", shown(buf, name),
		      list);
}

/* ---- values, one by one ---- */

static void *place(struct stream_spec *spec, const struct spec_key *key)
{
	return (char *)spec + key->offset;
}

const void *spec_key_place(const struct stream_spec *spec, const struct spec_key *key)
{
	return (const char *)spec + key->offset;
}

bool spec_key_is_text(const struct spec_key *key)
{
	return key->type == VALUE_TEXT || key->type == VALUE_NAME;
}

uint64_t spec_key_number(const struct stream_spec *spec, const struct spec_key *key)
{
	const void *at = spec_key_place(spec, key);
	unsigned int small;
	uint64_t large;

	if (key->type == VALUE_FLAG)
		return *(const bool *)at;
	if (key->size == sizeof(small)) {
		memcpy(&small, at, sizeof(small));
		return small;
	}
	memcpy(&large, at, sizeof(large));
	return large;
}

static void set_number(struct stream_spec *spec, const struct spec_key *key, uint64_t value)
{
	unsigned int small = (unsigned int)value;

	if (key->type == VALUE_FLAG)
		*(bool *)place(spec, key) = value != 0;
	else if (key->size == sizeof(small))
		memcpy(place(spec, key), &small, sizeof(small));
	else
		memcpy(place(spec, key), &value, sizeof(value));
}

bool spec_key_is_default(const struct stream_spec *spec, const struct spec_key *key)
{
	if (spec_key_is_text(key))
		return *(const char *)spec_key_place(spec, key) == '\0';
	return spec_key_number(spec, key) == 0;
}

/* The index of a word, or -EINVAL. */
static int find_word(const char *const *words, const char *text)
{
	for (int i = 0; words[i]; i++) {
		if (strcmp(words[i], text) == 0)
			return i;
	}
	return -EINVAL;
}

static int parse_number(const struct spec_key *key, const char *text, uint64_t *ret)
{
	switch (key->type) {
	case VALUE_SIZE:
		return units_parse_size(text, ret);
	case VALUE_TIME:
		return units_parse_duration(text, ret);
	case VALUE_COUNT:
	case VALUE_NUMBER:
	case VALUE_FLAG:
	case VALUE_MIX:
	case VALUE_TEXT:
	case VALUE_NAME:
	case VALUE_WORD:
		break;
	}
	return number_parse_u64(text, strlen(text), ret);
}

static int take_number(struct stream_spec *spec, const struct spec_key *key, const char *text,
		       char *why, size_t size)
{
	uint64_t value;
	int r = parse_number(key, text, &value);

	if (r == -ERANGE)
		return refuse_value(key, text, "is too large", why, size);
	if (r < 0)
		return refuse_value(key, text, "is not understood", why, size);
	if (value < key->min)
		return refuse_value(key, text, "is too small", why, size);
	if (value > key->max)
		return refuse_value(key, text, "is too large", why, size);
	set_number(spec, key, key->type == VALUE_MIX ? 100 - value : value);
	return 0;
}

static int take_value(struct stream_spec *spec, const struct spec_key *key, const char *text,
		      char *why, size_t size)
{
	int word = 0;

	if (text[0] == '\0')
		return refuse(why, size, "%s= has no value: give %s", key->name, key->give);
	if (key->words)
		word = find_word(key->words, text);
	if (word < 0)
		return refuse_value(key, text, "is not understood", why, size);
	if (spec_key_is_text(key)) {
		if (text_copy(place(spec, key), key->size, text))
			return 0;
		return refuse(why, size, "the value of %s is too long: it has room for %zu bytes",
			      key->name, key->size - 1);
	}
	if (key->type == VALUE_WORD) {
		set_number(spec, key, (uint64_t)word);
		return 0;
	}
	return take_number(spec, key, text, why, size);
}

/* ---- parsing ---- */

/*
 * The next part, up to a comma that no backslash stands before, with backslashes undone; false
 * where it does not fit, and is cut. *at then stands at the comma or at the end.
 */
static bool next_part(const char **at, char *part, size_t size)
{
	size_t len = 0;
	const char *c = *at;

	for (; *c && *c != ','; c++) {
		if (*c == '\\' && (c[1] == ',' || c[1] == '\\'))
			c++;
		if (len + 1 >= size)
			break;
		part[len++] = *c;
	}
	part[len] = '\0';
	*at = c;
	return *c == '\0' || *c == ',';
}

static int take_part(struct stream_spec *spec, char *part, uint32_t *given, char *why, size_t size)
{
	char *value = strchr(part, '=');
	char buf[SHOWN_BYTES];
	size_t i;

	if (!value)
		return refuse(why, size, "\"%s\" is no key=value: put it as in block=64k%s",
			      shown(buf, part), part[0] ? "" : ", with one comma between");
	*value++ = '\0';
	for (i = 0; i < KEY_COUNT && strcmp(spec_keys[i].name, part) != 0; i++)
		;
	if (i == KEY_COUNT)
		return refuse_key(part, why, size);
	if (*given >> i & 1)
		return refuse(why, size, "%s is given twice: give it once", part);
	*given |= 1u << i;
	return take_value(spec, &spec_keys[i], value, why, size);
}

int stream_spec_parse(const char *text, struct stream_spec *ret, char *why, size_t size)
{
	struct stream_spec spec;
	char part[VALUE_BYTES + 32];
	uint32_t given = 0;
	const char *at = text;
	int r;

	memset(&spec, 0, sizeof(spec));
	if (!next_part(&at, part, sizeof(part)) || !stream_kind_find(part))
		return refuse_workload(part, why, size);
	text_copy(spec.workload, sizeof(spec.workload), part);
	while (*at) {
		at++;
		if (!next_part(&at, part, sizeof(part)))
			return refuse(why, size, "a value has more than %d bytes: shorten it",
				      VALUE_BYTES - 1);
		r = take_part(&spec, part, &given, why, size);
		if (r < 0)
			return r;
	}
	r = stream_spec_check(&spec, why, size);
	if (r < 0)
		return r;
	*ret = spec;
	return 0;
}

/* ---- contradictions ---- */

/* Why a workload without any of these traits has no use for a key. */
static const char *reason_of(unsigned int needs)
{
	static const struct {
		unsigned int trait;
		const char *reason;
	} reasons[] = {
		{ STREAM_WRITES, "only reads" },
		{ STREAM_RANDOM, "draws no offsets" },
		{ STREAM_DEEP, "has one transfer in flight" },
		{ STREAM_BLOCKS, "works on whole files" },
		{ STREAM_MIXES, "is no mix of reads and writes" },
		{ STREAM_FILES, "does not go through many files" },
	};

	for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++) {
		if (needs & reasons[i].trait)
			return reasons[i].reason;
	}
	return "has no use for it";
}

static int check_keys(const struct stream_spec *spec, const struct stream_kind *kind, char *why,
		      size_t size)
{
	for (size_t i = 0; i < KEY_COUNT; i++) {
		const struct spec_key *key = &spec_keys[i];

		if (spec_key_is_default(spec, key) || key->needs == 0 ||
		    (kind->traits & key->needs))
			continue;
		if (i == KEY_DEPTH && spec->depth == 1)
			continue;
		return refuse(why, size, "%s does not go with %s, which %s: leave %s out",
			      key->name, kind->name, reason_of(key->needs), key->name);
	}
	return 0;
}

/* Whole files that are made and deleted have no blocks that could say what they are. */
static int check_verify(const struct stream_spec *spec, const struct stream_kind *kind, char *why,
			size_t size)
{
	if (!spec->verify || (kind->traits & STREAM_BLOCKS))
		return 0;
	return refuse(why, size, "verify does not go with %s, which %s: leave verify out",
		      kind->name, reason_of(STREAM_BLOCKS));
}

static int check_engine(const struct stream_spec *spec, const struct stream_kind *kind, char *why,
			size_t size)
{
	bool is_mmap = strcmp(spec->engine, "mmap") == 0;

	if (is_mmap && (kind->traits & STREAM_WRITES))
		return refuse(why, size,
			      "engine=mmap only reads, and %s writes: take engine=psync or uring",
			      kind->name);
	if (spec->depth > 1 && (is_mmap || strcmp(spec->engine, "psync") == 0))
		return refuse(why, size,
			      "depth=%u needs more than one transfer in flight, and engine=%s has "
			      "one: take engine=uring or leave one of them out",
			      spec->depth, spec->engine);
	return 0;
}

static int check_amounts(const struct stream_spec *spec, char *why, size_t size)
{
	if (spec->time_ns > 0 && spec->ramp_ns >= spec->time_ns)
		return refuse(why, size,
			      "ramp leaves nothing of time: make ramp shorter than time");
	if (spec->size_bytes > 0 && spec->size_bytes < spec->block_bytes)
		return refuse(why, size, "size is less than one block: give at least size=%" PRIu64,
			      spec->block_bytes);
	if (spec->limit_bytes > 0 && spec->limit_bytes < spec->block_bytes)
		return refuse(why, size,
			      "limit is less than one block: give at least limit=%" PRIu64,
			      spec->block_bytes);
	/* No file and no device reaches further. */
	if (spec->size_bytes > INT64_MAX || spec->offset_bytes > INT64_MAX - spec->size_bytes)
		return refuse(why, size, "offset and size together are too large: give less");
	return 0;
}

uint64_t stream_spec_limit_bytes(const struct stream_spec *spec, uint64_t size_bytes)
{
	if (spec->limit_bytes > 0)
		return spec->limit_bytes;
	return size_bytes > UINT64_MAX / LIMIT_IN_SIZES ? UINT64_MAX - 1
							: size_bytes * LIMIT_IN_SIZES;
}

int stream_spec_check(const struct stream_spec *spec, char *why, size_t size)
{
	const struct stream_kind *kind = stream_kind_find(spec->workload);
	int r;

	if (!kind)
		return refuse_workload(spec->workload, why, size);
	if (spec->target[0] == '\0')
		return refuse(why, size, "where is %s to run? give target=, %s", kind->name,
			      spec_keys[KEY_TARGET].give);
	if ((kind->traits & STREAM_MIXES) && spec->write_pct == 0)
		return refuse(why, size, "%s needs its share of reads: give mix=, %s", kind->name,
			      spec_keys[KEY_MIX].give);
	r = check_keys(spec, kind, why, size);
	if (r == 0)
		r = check_verify(spec, kind, why, size);
	if (r == 0)
		r = check_engine(spec, kind, why, size);
	return r == 0 ? check_amounts(spec, why, size) : r;
}
