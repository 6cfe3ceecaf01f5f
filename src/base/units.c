/*
 * Quantities as people write and read them. What is typed is a number and a unit, taken apart
 * by a table; what is shown has three significant digits, because nobody reads more of a number
 * that changes every second.
 */
#include "raidtop/units.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "raidtop/clock.h"
#include "raidtop/number.h"
#include "raidtop/text.h"

#define FRACTION_DIGITS 9
#define FRACTION_ONE 1000000000ULL

struct unit {
	const char *name;
	uint64_t worth; /* in what the result counts */
};

static const struct unit durations[] = {
	{ "", NS_PER_SEC },         { "s", NS_PER_SEC },         { "ms", NS_PER_MS },
	{ "us", NS_PER_US },        { "m", 60 * NS_PER_SEC },    { "min", 60 * NS_PER_SEC },
	{ "h", 3600 * NS_PER_SEC }, { "d", 86400 * NS_PER_SEC },
};

static const char size_letters[] = "kMGTPE"; /* 1000^1, 1000^2, ... */
static const char *const rate_names[] = { [UNITS_SI] = "MB/s", [UNITS_IEC] = "MiB/s" };

int units_parse(const char *text, enum units *ret)
{
	if (strcmp(text, "si") != 0 && strcmp(text, "iec") != 0)
		return -EINVAL;
	*ret = text[0] == 's' ? UNITS_SI : UNITS_IEC;
	return 0;
}

const char *units_rate_name(enum units units)
{
	return rate_names[units];
}

double units_rate(enum units units, double bytes_per_sec)
{
	return bytes_per_sec / (units == UNITS_IEC ? 1048576.0 : 1e6);
}

/* The number before a unit (which has no digits and no point in it), and how long it is. */
static int split_number(const char *text, uint64_t *whole, uint64_t *fraction, size_t *len)
{
	size_t n_whole = strspn(text, "0123456789");
	int64_t value = 0;
	int r = number_parse_u64(text, n_whole, whole);

	*len = n_whole;
	if (r == 0 && text[n_whole] == '.') {
		char copy[2 + FRACTION_DIGITS + 1] = "0.";
		size_t n = strspn(text + n_whole + 1, "0123456789");

		/* What lies beyond a billionth is cut off. */
		text_copy_n(copy + 2, sizeof(copy) - 2, text + n_whole + 1, n);
		r = number_parse_fixed(copy, strlen(copy), FRACTION_DIGITS, &value);
		*len += 1 + n;
	}
	*fraction = (uint64_t)value;
	return r;
}

/* (whole + fraction / 10^9) * worth without losing digits on the way. */
static int multiply(uint64_t whole, uint64_t fraction, uint64_t worth, uint64_t *ret)
{
	uint64_t product, part = fraction * (worth / FRACTION_ONE) +
				 fraction * (worth % FRACTION_ONE) / FRACTION_ONE;

	if (__builtin_mul_overflow(whole, worth, &product) ||
	    __builtin_add_overflow(product, part, &product))
		return -ERANGE;
	*ret = product;
	return 0;
}

int units_parse_duration(const char *text, uint64_t *ret_ns)
{
	uint64_t whole, fraction;
	size_t len;
	int r = split_number(text, &whole, &fraction, &len);

	if (r)
		return r;
	for (size_t i = 0; i < sizeof(durations) / sizeof(durations[0]); i++)
		if (strcmp(text + len, durations[i].name) == 0)
			return multiply(whole, fraction, durations[i].worth, ret_ns);
	return -EINVAL;
}

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* "", "B", "k", "kB", "KiB": what one of them is worth in bytes, 0 where it is no such unit. */
static uint64_t size_unit_worth(const char *unit)
{
	uint64_t worth = 1, step = 1024;
	unsigned int power = 0;

	if (unit[0] == '\0' || strcmp(unit, "B") == 0)
		return 1;
	while (size_letters[power] && lower(size_letters[power]) != lower(unit[0]))
		power++;
	if (!size_letters[power])
		return 0;
	if (strcmp(unit + 1, "B") == 0)
		step = 1000;
	else if (unit[1] != '\0' && strcmp(unit + 1, "iB") != 0)
		return 0;
	for (power++; power > 0; power--)
		worth *= step;
	return worth;
}

int units_parse_size(const char *text, uint64_t *ret_bytes)
{
	uint64_t whole, fraction, worth;
	size_t len;
	int r = split_number(text, &whole, &fraction, &len);

	if (r)
		return r;
	worth = size_unit_worth(text + len);
	return worth ? multiply(whole, fraction, worth, ret_bytes) : -EINVAL;
}

/* Copies what was formatted and says how much of it there is. */
static size_t give(char *buf, size_t size, const char *text)
{
	if (size == 0)
		return 0;
	text_copy(buf, size, text);
	return strlen(buf);
}

size_t units_format_three(char *buf, size_t size, double value)
{
	char text[NUMBER_BYTES];
	unsigned int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;

	if (value == 0)
		return give(buf, size, "0");
	if (!(value > 0) || number_format_double(text, value, decimals) == 0)
		return give(buf, size, "-");
	return give(buf, size, text);
}

size_t units_format_size(char *buf, size_t size, enum units units, uint64_t bytes)
{
	double step = units == UNITS_IEC ? 1024 : 1000, value = (double)bytes;
	char number[NUMBER_BYTES], text[NUMBER_BYTES + 8];
	unsigned int power = 0;

	if (bytes == UINT64_MAX)
		return give(buf, size, "-");
	/* 999.6 MB would be shown as 1000 MB. */
	while (value >= step - 0.5 && size_letters[power]) {
		value /= step;
		power++;
	}
	if (power == 0)
		text_format(text, sizeof(text), "%u B", (unsigned int)bytes);
	else {
		char letter = size_letters[power - 1];

		units_format_three(number, sizeof(number), value);
		if (units == UNITS_IEC && letter == 'k')
			letter = 'K';
		text_format(text, sizeof(text), "%s %c%s", number, letter,
			    units == UNITS_IEC ? "iB" : "B");
	}
	return give(buf, size, text);
}

size_t units_format_clock(char *buf, size_t size, uint64_t ns)
{
	uint64_t s = ns / NS_PER_SEC, days = s / 86400;
	unsigned int left = (unsigned int)(s % 86400);
	char text[64], clock[32];

	text_format(clock, sizeof(clock), "%02u:%02u:%02u", left / 3600, left / 60 % 60, left % 60);
	if (days > 0)
		text_format(text, sizeof(text), "%llud %s", (unsigned long long)days, clock);
	return give(buf, size, days > 0 ? text : clock);
}

static uint64_t rounded(uint64_t value, uint64_t unit)
{
	return value / unit + (value % unit >= unit - value % unit);
}

size_t units_format_left(char *buf, size_t size, uint64_t ns)
{
	uint64_t s = rounded(ns, NS_PER_SEC), min = rounded(ns, 60 * NS_PER_SEC),
		 h = rounded(ns, 3600 * NS_PER_SEC), large, small = 0;
	const char *large_unit, *small_unit = "";
	char text[64];

	if (s < 60)
		large = s, large_unit = "s";
	else if (min < 60)
		large = min, large_unit = "min";
	else if (min < 24 * 60)
		large = min / 60, large_unit = "h", small = min % 60, small_unit = "min";
	else
		large = h / 24, large_unit = "d", small = h % 24, small_unit = "h";
	if (small > 0)
		text_format(text, sizeof(text), "%llu %s %llu %s", (unsigned long long)large,
			    large_unit, (unsigned long long)small, small_unit);
	else
		text_format(text, sizeof(text), "%llu %s", (unsigned long long)large, large_unit);
	return give(buf, size, text);
}
