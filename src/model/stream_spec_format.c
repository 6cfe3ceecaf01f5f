/*
 * A specification as the shortest text that is parsed to the same: what recordings keep, and what a
 * person can copy from a result to run it again.
 */
#include <inttypes.h>
#include <string.h>

#include "raidtop/clock.h"
#include "raidtop/number.h"
#include "stream_spec_keys.h"

#define MIB (1024ULL * 1024)

static void add_text(struct buffer *out, const char *text)
{
	for (; *text; text++) {
		if (*text == ',' || *text == '\\')
			buffer_add_char(out, '\\');
		buffer_add_char(out, *text);
	}
}

struct unit {
	uint64_t worth;
	const char *name;
};

/* In the largest unit that leaves a whole number; the last unit is worth 1. */
static void add_in_units(struct buffer *out, uint64_t value, const struct unit *unit)
{
	while (value % unit->worth != 0)
		unit++;
	buffer_format(out, "%" PRIu64 "%s", value / unit->worth, unit->name);
}

static void add_size(struct buffer *out, uint64_t bytes)
{
	static const struct unit units[] = {
		{ 1ULL << 40, "T" }, { 1ULL << 30, "G" }, { MIB, "M" }, { 1024, "k" }, { 1, "" },
	};

	if (bytes == 0)
		buffer_add_char(out, '0');
	else
		add_in_units(out, bytes, units);
}

static void add_time(struct buffer *out, uint64_t ns)
{
	static const struct unit units[] = {
		{ 3600 * NS_PER_SEC, "h" }, { 60 * NS_PER_SEC, "m" }, { NS_PER_SEC, "s" },
		{ NS_PER_MS, "ms" },        { NS_PER_US, "us" },
	};
	char text[NUMBER_BYTES];

	if (ns % NS_PER_US == 0) {
		add_in_units(out, ns, units);
	} else { /* there is no shorter unit than that: 0.000000001s */
		buffer_format(out, "%" PRIu64 ".", (uint64_t)(ns / NS_PER_SEC));
		text_format(text, sizeof(text), "%09" PRIu64 "s", (uint64_t)(ns % NS_PER_SEC));
		buffer_add_text(out, text);
	}
}

static void add_value(struct buffer *out, const struct stream_spec *spec,
		      const struct spec_key *key)
{
	uint64_t value = spec_key_is_text(key) ? 0 : spec_key_number(spec, key);

	switch (key->type) {
	case VALUE_TEXT:
	case VALUE_NAME:
		add_text(out, spec_key_place(spec, key));
		break;
	case VALUE_WORD:
		buffer_add_text(out, key->words[value]);
		break;
	case VALUE_SIZE:
		add_size(out, value);
		break;
	case VALUE_TIME:
		add_time(out, value);
		break;
	case VALUE_MIX:
		buffer_format(out, "%" PRIu64, 100 - value);
		break;
	case VALUE_COUNT:
	case VALUE_NUMBER:
	case VALUE_FLAG:
		buffer_format(out, "%" PRIu64, value);
		break;
	}
}

void stream_spec_format(const struct stream_spec *spec, struct buffer *out)
{
	add_text(out, spec->workload);
	for (size_t i = 0; i < SPEC_KEYS; i++) {
		if (spec_key_is_default(spec, &spec_keys[i]))
			continue;
		buffer_format(out, ",%s=", spec_keys[i].name);
		add_value(out, spec, &spec_keys[i]);
	}
}
