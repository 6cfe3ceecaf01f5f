/*
 * What a stream is beside the columns that it shares with devices. Each key is a row of a table
 * that tells where its value lies in a view and what it is, so that what is written is what is
 * read.
 */
#include "raidtop/recording_stream.h"

#include <errno.h>
#include <string.h>

#include "raidtop/number.h"
#include "raidtop/recording.h"
#include "raidtop/topology.h"

enum list_type {
	LIST_NUMBER,  /* a uint64_t, left out where it is 0 */
	LIST_KNOWN,   /* a uint64_t, left out where it is UNKNOWN_U64 */
	LIST_COUNT,   /* an unsigned int, left out where it is 0 */
	LIST_RATE,    /* a double of whole bytes, left out where it is < 0 */
	LIST_PERCENT, /* a double with three decimals, left out where it is < 0 */
	LIST_TEXT,    /* a char array */
	LIST_FLAG,    /* a bool, left out where it is false */
	LIST_WORD,    /* an enum by its words, left out where it is 0 */
};

#define AT(member) offsetof(struct stream_view, member), sizeof(((struct stream_view *)0)->member)

static const char *access_word(unsigned int value)
{
	return stream_access_name((enum stream_access)value);
}

static const char *sync_word(unsigned int value)
{
	return stream_sync_name((enum stream_sync)value);
}

static const char *order_word(unsigned int value)
{
	return stream_order_name((enum stream_order_of_names)value);
}

static const char *source_word(unsigned int value)
{
	return stream_source_name((enum stream_source)value);
}

static const char *proof_word(unsigned int value)
{
	return proof_name((enum proof)value);
}

static const struct list_key {
	const char *key;
	enum list_type type;
	size_t offset, size;
	const char *(*word)(unsigned int value); /* NULL behind the last one */
} list_keys[] = {
	{ "workload", LIST_TEXT, AT(spec.workload), NULL },
	{ "target", LIST_TEXT, AT(spec.target), NULL },
	{ "block_bytes", LIST_NUMBER, AT(spec.block_bytes), NULL },
	{ "time_ns", LIST_NUMBER, AT(spec.time_ns), NULL },
	{ "on", LIST_TEXT, AT(spec.on), NULL },
	{ "copies", LIST_COUNT, AT(spec.copies), NULL },
	{ "depth", LIST_COUNT, AT(spec.depth), NULL },
	{ "engine", LIST_TEXT, AT(spec.engine), NULL },
	{ "access", LIST_WORD, AT(spec.access), access_word },
	{ "sync", LIST_WORD, AT(spec.sync), sync_word },
	{ "rate_per_sec", LIST_NUMBER, AT(spec.rate_per_sec), NULL },
	{ "ramp_ns", LIST_NUMBER, AT(spec.ramp_ns), NULL },
	{ "size_bytes", LIST_NUMBER, AT(spec.size_bytes), NULL },
	{ "limit_bytes", LIST_NUMBER, AT(spec.limit_bytes), NULL },
	{ "offset_bytes", LIST_NUMBER, AT(spec.offset_bytes), NULL },
	{ "align_bytes", LIST_NUMBER, AT(spec.align_bytes), NULL },
	{ "seed", LIST_NUMBER, AT(spec.seed), NULL },
	{ "write_pct", LIST_COUNT, AT(spec.write_pct), NULL },
	{ "verify", LIST_FLAG, AT(spec.verify), NULL },
	{ "keep", LIST_FLAG, AT(spec.keep), NULL },
	{ "order", LIST_WORD, AT(spec.order), order_word },
	{ "group", LIST_COUNT, AT(group), NULL },
	{ "read_bytes_per_sec", LIST_RATE, AT(read_bytes_per_sec), NULL },
	{ "write_bytes_per_sec", LIST_RATE, AT(write_bytes_per_sec), NULL },
	{ "low_bytes_per_sec", LIST_RATE, AT(low_bytes_per_sec), NULL },
	{ "high_bytes_per_sec", LIST_RATE, AT(high_bytes_per_sec), NULL },
	{ "first_ns", LIST_NUMBER, AT(first_ns), NULL },
	{ "read_ns", LIST_NUMBER, AT(read_ns), NULL },
	{ "write_ns", LIST_NUMBER, AT(write_ns), NULL },
	{ "errors", LIST_NUMBER, AT(errors), NULL },
	{ "began_ns", LIST_NUMBER, AT(began_ns), NULL },
	{ "running_ns", LIST_NUMBER, AT(running_ns), NULL },
	{ "paused_ns", LIST_NUMBER, AT(paused_ns), NULL },
	{ "sync_ns", LIST_NUMBER, AT(sync_ns), NULL },
	{ "oldest_io_ns", LIST_NUMBER, AT(oldest_io_ns), NULL },
	{ "prepared_bytes", LIST_NUMBER, AT(prepared_bytes), NULL },
	{ "prepare_bytes", LIST_NUMBER, AT(prepare_bytes), NULL },
	{ "cpu_user_ns", LIST_NUMBER, AT(cpu_user_ns), NULL },
	{ "cpu_system_ns", LIST_NUMBER, AT(cpu_system_ns), NULL },
	{ "disk_read_bytes", LIST_KNOWN, AT(disk_read_bytes), NULL },
	{ "disk_read_of_bytes", LIST_NUMBER, AT(disk_read_of_bytes), NULL },
	{ "cached_bytes", LIST_NUMBER, AT(cached_bytes), NULL },
	{ "source", LIST_WORD, AT(source), source_word },
	{ "proof", LIST_WORD, AT(proof), proof_word },
	{ "disk_pct", LIST_PERCENT, AT(disk_pct), NULL },
	{ "file", LIST_TEXT, AT(file), NULL },
	{ "note", LIST_TEXT, AT(note), NULL },
	{ "why", LIST_TEXT, AT(why), NULL },
};
#define N_LIST_KEYS (sizeof(list_keys) / sizeof(list_keys[0]))

#define HISTOGRAM(kind, member)                                                            \
	{                                                                                  \
		.key = kind, .sum_key = kind "_sum",                                       \
		.offset = offsetof(struct stream_view, member), .min_key = kind "_min_ns", \
		.max_key = kind "_max_ns",                                                 \
	}

const struct record_hist record_hists[STREAM_HIST_COUNT] = {
	[STREAM_HIST_READ] = HISTOGRAM("read", read_latency),
	[STREAM_HIST_WRITE] = HISTOGRAM("write", write_latency),
	[STREAM_HIST_SCHEDULED] = HISTOGRAM("scheduled", scheduled_latency),
};

/* ---- numbers in a view ---- */

_Static_assert(sizeof(enum stream_access) == sizeof(unsigned int) &&
		       sizeof(enum stream_sync) == sizeof(unsigned int) &&
		       sizeof(enum stream_source) == sizeof(unsigned int) &&
		       sizeof(enum proof) == sizeof(unsigned int),
	       "enums are kept as whole numbers");

static uint64_t get_number(const struct stream_view *v, const struct list_key *k)
{
	const char *at = (const char *)v + k->offset;
	unsigned int small;
	uint64_t large;

	if (k->type == LIST_FLAG)
		return *(const bool *)at;
	if (k->size == sizeof(small)) {
		memcpy(&small, at, sizeof(small));
		return small;
	}
	memcpy(&large, at, sizeof(large));
	return large;
}

static int set_number(struct stream_view *v, const struct list_key *k, uint64_t value)
{
	char *at = (char *)v + k->offset;
	unsigned int small = (unsigned int)value;

	if (k->type == LIST_FLAG) {
		*(bool *)at = value != 0;
	} else if (k->size == sizeof(small)) {
		if (value > UINT32_MAX)
			return -EBADMSG;
		memcpy(at, &small, sizeof(small));
	} else {
		memcpy(at, &value, sizeof(value));
	}
	return 0;
}

static double get_double(const struct stream_view *v, const struct list_key *k)
{
	double value;

	memcpy(&value, (const char *)v + k->offset, sizeof(value));
	return value;
}

static void set_double(struct stream_view *v, const struct list_key *k, double value)
{
	memcpy((char *)v + k->offset, &value, sizeof(value));
}

/* ---- writing ---- */

static void add_known(struct buffer *list, const char *key, uint64_t value, uint64_t none)
{
	if (value != none)
		record_list_add_u64(list, key, value);
}

static void add_double(struct buffer *list, const struct list_key *k, double value)
{
	char text[NUMBER_BYTES];

	if (!(value >= 0 && value < 1e18))
		return;
	if (k->type == LIST_RATE) {
		record_list_add_u64(list, k->key, (uint64_t)(value + 0.5));
	} else if (number_format_double(text, value, 3) > 0) {
		record_list_add(list, k->key, text);
	}
}

static void add_key(struct buffer *list, const struct stream_view *v, const struct list_key *k)
{
	const char *text = (const char *)v + k->offset;

	switch (k->type) {
	case LIST_NUMBER:
	case LIST_COUNT:
	case LIST_FLAG:
		add_known(list, k->key, get_number(v, k), 0);
		break;
	case LIST_KNOWN:
		add_known(list, k->key, get_number(v, k), UNKNOWN_U64);
		break;
	case LIST_RATE:
	case LIST_PERCENT:
		add_double(list, k, get_double(v, k));
		break;
	case LIST_TEXT:
		if (*text || strcmp(k->key, "workload") == 0 || strcmp(k->key, "target") == 0)
			record_list_add(list, k->key, text);
		break;
	case LIST_WORD:
		if (get_number(v, k) != 0)
			record_list_add(list, k->key, k->word((unsigned int)get_number(v, k)));
		break;
	}
}

static void add_ends(struct buffer *list, const struct stream_view *v)
{
	for (enum stream_hist h = 0; h < STREAM_HIST_COUNT; h++) {
		const struct latency *l = record_hist_of(v, h);

		if (!l || l->total == 0)
			continue;
		record_list_add_u64(list, record_hists[h].min_key, l->min_ns);
		record_list_add_u64(list, record_hists[h].max_key, l->max_ns);
	}
}

void record_stream_format(struct buffer *list, const struct stream_view *v)
{
	buffer_reset(list);
	for (size_t i = 0; i < N_LIST_KEYS; i++)
		add_key(list, v, &list_keys[i]);
	add_ends(list, v);
}

/* ---- reading ---- */

static int take_double(struct stream_view *v, const struct list_key *k, const char *list)
{
	char text[NUMBER_BYTES];
	int64_t milli;

	set_double(v, k, -1);
	if (!record_list_text(list, k->key, text, sizeof(text)))
		return 0;
	if (number_parse_fixed(text, strlen(text), 3, &milli) < 0 || milli < 0)
		return -EBADMSG;
	set_double(v, k, (double)milli / 1000);
	return 0;
}

static int take_number(struct stream_view *v, const struct list_key *k, const char *list)
{
	uint64_t value = k->type == LIST_KNOWN ? UNKNOWN_U64 : 0;
	int r = record_list_u64(list, k->key, &value);

	if (r < 0 && r != -ENOENT)
		return -EBADMSG;
	return set_number(v, k, value);
}

static void take_text(char *buf, size_t size, const char *list, const char *key)
{
	record_list_text(list, key, buf, size);
	text_clean(buf, size, buf);
}

/* A word that this program does not know is of a newer one: then it is the default. */
static int take_word(struct stream_view *v, const struct list_key *k, const char *list)
{
	char word[32];
	const char *name;
	uint64_t found = 0;

	take_text(word, sizeof(word), list, k->key);
	for (unsigned int i = 0; (name = k->word(i)); i++) {
		if (strcmp(word, name) == 0)
			found = i;
	}
	return set_number(v, k, found);
}

static int take_key(struct stream_view *v, const struct list_key *k, const char *list)
{
	switch (k->type) {
	case LIST_NUMBER:
	case LIST_KNOWN:
	case LIST_COUNT:
	case LIST_FLAG:
		return take_number(v, k, list);
	case LIST_WORD:
		return take_word(v, k, list);
	case LIST_RATE:
	case LIST_PERCENT:
		return take_double(v, k, list);
	case LIST_TEXT:
		take_text((char *)v + k->offset, k->size, list, k->key);
		break;
	}
	return 0;
}

int record_stream_parse(struct stream_view *v, const char *list)
{
	for (enum stream_hist h = 0; h < STREAM_HIST_COUNT; h++)
		record_hist_set(v, h, NULL);
	for (size_t i = 0; i < N_LIST_KEYS; i++) {
		int r = take_key(v, &list_keys[i], list);

		if (r < 0)
			return r;
	}
	if (v->group == 0)
		v->group = v->number;
	return 0;
}

/* ---- histograms ---- */

const struct latency *record_hist_of(const struct stream_view *v, enum stream_hist which)
{
	const struct latency *l;

	memcpy(&l, (const char *)v + record_hists[which].offset, sizeof(l));
	return l;
}

void record_hist_set(struct stream_view *v, enum stream_hist which, const struct latency *l)
{
	memcpy((char *)v + record_hists[which].offset, &l, sizeof(l));
}

bool record_hist_format(struct buffer *list, const struct latency *before,
			const struct latency *now)
{
	char text[NUMBER_BYTES];

	buffer_reset(list);
	for (unsigned int i = 0; i < LATENCY_BUCKETS; i++) {
		uint64_t count = now->count[i] - (before ? before->count[i] : 0);

		if (count == 0)
			continue;
		if (list->len > 0)
			buffer_add_char(list, ' ');
		buffer_add(list, text, number_format_u64(text, i));
		buffer_add_char(list, '=');
		buffer_add(list, text, number_format_u64(text, count));
	}
	return list->len > 0;
}

int record_hist_next(const char **text, size_t *len, struct record_bucket *ret)
{
	const char *at = *text, *end = at + *len, *equals, *stop;
	uint64_t bucket, count;

	if (*len == 0)
		return 0;
	stop = memchr(at, ' ', *len);
	if (!stop)
		stop = end;
	equals = memchr(at, '=', (size_t)(stop - at));
	if (!equals || number_parse_u64(at, (size_t)(equals - at), &bucket) < 0 ||
	    number_parse_u64(equals + 1, (size_t)(stop - equals - 1), &count) < 0 ||
	    bucket >= LATENCY_BUCKETS)
		return -EBADMSG;
	*ret = (struct record_bucket){ (unsigned int)bucket, count };
	*text = stop < end ? stop + 1 : end;
	*len = (size_t)(end - *text);
	return 1;
}

int record_hist_ends(const char *list, enum stream_hist which, uint64_t *ret_min_ns,
		     uint64_t *ret_max_ns)
{
	int r = record_list_u64(list, record_hists[which].min_key, ret_min_ns);

	if (r == 0)
		r = record_list_u64(list, record_hists[which].max_key, ret_max_ns);
	return r == 0 || r == -ENOENT ? r : -EBADMSG;
}
