/* Durations and sizes as they are typed; figures as they are shown. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <math.h>
#include <string.h>
#include <cmocka.h>

#include "raidtop/units.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))
#define UNTOUCHED 99
#define SECOND 1000000000ULL

static const struct parse_case {
	const char *text;
	int r;
	uint64_t value;
} durations[] = {
	{ "1", 0, SECOND },
	{ "0.5", 0, SECOND / 2 },
	{ "5s", 0, 5 * SECOND },
	{ "200ms", 0, SECOND / 5 },
	{ "1.5ms", 0, 1500000 },
	{ "250us", 0, 250000 },
	{ "2m", 0, 120 * SECOND },
	{ "2min", 0, 120 * SECOND },
	{ "0.1m", 0, 6 * SECOND },
	{ "1h", 0, 3600 * SECOND },
	{ "1.0000000000001h", 0, 3600 * SECOND },
	{ "2d", 0, 172800 * SECOND },
	{ "0", 0, 0 },
	{ "", -EINVAL, UNTOUCHED },
	{ "s", -EINVAL, UNTOUCHED },
	{ "-1", -EINVAL, UNTOUCHED },
	{ "+1", -EINVAL, UNTOUCHED },
	{ ".5", -EINVAL, UNTOUCHED },
	{ "5.", -EINVAL, UNTOUCHED },
	{ "5.s", -EINVAL, UNTOUCHED },
	{ "1.2.3", -EINVAL, UNTOUCHED },
	{ "1 s", -EINVAL, UNTOUCHED },
	{ " 1s", -EINVAL, UNTOUCHED },
	{ "5S", -EINVAL, UNTOUCHED },
	{ "5k", -EINVAL, UNTOUCHED },
	{ "1e3", -EINVAL, UNTOUCHED },
	{ "nan", -EINVAL, UNTOUCHED },
	{ "inf", -EINVAL, UNTOUCHED },
	{ "18446744073.709551615", 0, UINT64_MAX },
	{ "18446744073.709551616", -ERANGE, UNTOUCHED },
	{ "18446744074", -ERANGE, UNTOUCHED },
	{ "99999999999999999999h", -ERANGE, UNTOUCHED },
	{ "300000d", -ERANGE, UNTOUCHED },
}, sizes[] = {
	{ "0", 0, 0 },
	{ "512", 0, 512 },
	{ "512B", 0, 512 },
	{ "64k", 0, 65536 },
	{ "64K", 0, 65536 },
	{ "64KiB", 0, 65536 },
	{ "64kiB", 0, 65536 },
	{ "64kB", 0, 64000 },
	{ "32M", 0, 33554432 },
	{ "1MB", 0, 1000000 },
	{ "1MiB", 0, 1048576 },
	{ "3.1G", 0, 3328599654 }, /* 3328599654.4 */
	{ "3.1GB", 0, 3100000000 },
	{ "2t", 0, 2199023255552 },
	{ "0.5k", 0, 512 },
	{ "15E", 0, 17293822569102704640u },
	{ "15.999999999E", 0, 18446744072556630111u },
	{ "18446744073709551615", 0, UINT64_MAX },
	{ "18446744073709551616", -ERANGE, UNTOUCHED },
	{ "16E", -ERANGE, UNTOUCHED },
	{ "", -EINVAL, UNTOUCHED },
	{ "k", -EINVAL, UNTOUCHED },
	{ "-1k", -EINVAL, UNTOUCHED },
	{ "1b", -EINVAL, UNTOUCHED },
	{ "1kb", -EINVAL, UNTOUCHED },
	{ "1kBx", -EINVAL, UNTOUCHED },
	{ "1KiBB", -EINVAL, UNTOUCHED },
	{ "1 k", -EINVAL, UNTOUCHED },
	{ "1i", -EINVAL, UNTOUCHED },
	{ "1Z", -EINVAL, UNTOUCHED },
	{ "0x10", -EINVAL, UNTOUCHED },
	{ "1.k", -EINVAL, UNTOUCHED },
	{ "1,5k", -EINVAL, UNTOUCHED },
};

static void check_parser(const struct parse_case *cases, size_t n,
			 int (*parse)(const char *, uint64_t *))
{
	for (size_t i = 0; i < n; i++) {
		uint64_t value = UNTOUCHED;

		print_message("  '%s'\n", cases[i].text);
		assert_int_equal(parse(cases[i].text, &value), cases[i].r);
		assert_true(value == cases[i].value);
	}
}

static void durations_are_read(void **state)
{
	(void)state;
	check_parser(durations, COUNT(durations), units_parse_duration);
}

static void sizes_are_read(void **state)
{
	(void)state;
	check_parser(sizes, COUNT(sizes), units_parse_size);
}

static void rate_units(void **state)
{
	enum units units = UNITS_IEC;

	(void)state;
	assert_int_equal(units_parse("si", &units), 0);
	assert_int_equal(units, UNITS_SI);
	assert_string_equal(units_rate_name(units), "MB/s");
	assert_true(units_rate(units, 3e6) == 3);
	assert_int_equal(units_parse("iec", &units), 0);
	assert_int_equal(units, UNITS_IEC);
	assert_string_equal(units_rate_name(units), "MiB/s");
	assert_true(units_rate(units, 3 * 1048576.0) == 3);
	assert_int_equal(units_parse("SI", &units), -EINVAL);
	assert_int_equal(units_parse("", &units), -EINVAL);
	assert_int_equal(units_parse("sip", &units), -EINVAL);
	assert_int_equal(units, UNITS_IEC);
}

static const struct three_case {
	double value;
	const char *text;
} threes[] = {
	{ 0, "0" },        { 0.001, "0.00" },  { 0.00499, "0.00" }, { 0.006, "0.01" },
	{ 0.5, "0.50" },   { 9.41, "9.41" },   { 9.994, "9.99" },   { 9.996, "10.0" },
	{ 53.14, "53.1" }, { 99.94, "99.9" },  { 99.96, "100" },    { 213.4, "213" },
	{ 999.6, "1000" }, { 1840.2, "1840" }, { 1e300, "-" },      { -1, "-" },
	{ NAN, "-" },      { INFINITY, "-" },
};

static void three_digits_are_shown(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(threes); i++) {
		char buf[32];

		print_message("  %s\n", threes[i].text);
		assert_int_equal(units_format_three(buf, sizeof(buf), threes[i].value),
				 strlen(threes[i].text));
		assert_string_equal(buf, threes[i].text);
	}
}

static const struct size_case {
	uint64_t bytes;
	const char *si, *iec;
} shown_sizes[] = {
	{ 0, "0 B", "0 B" },
	{ 512, "512 B", "512 B" },
	{ 999, "999 B", "999 B" },
	{ 1000, "1.00 kB", "1000 B" },
	{ 1024, "1.02 kB", "1.00 KiB" },
	{ 999499, "999 kB", "976 KiB" },
	{ 999500, "1.00 MB", "976 KiB" },
	{ 500107862016, "500 GB", "466 GiB" },
	{ 3100000000000, "3.10 TB", "2.82 TiB" },
	{ 1098974756864, "1.10 TB", "1.00 TiB" },
	{ UINT64_MAX - 1, "18.4 EB", "16.0 EiB" },
	{ UINT64_MAX, "-", "-" },
};

static void sizes_are_shown(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(shown_sizes); i++) {
		const struct size_case *c = &shown_sizes[i];
		char buf[32];

		print_message("  %s, %s\n", c->si, c->iec);
		assert_int_equal(units_format_size(buf, sizeof(buf), UNITS_SI, c->bytes),
				 strlen(c->si));
		assert_string_equal(buf, c->si);
		assert_int_equal(units_format_size(buf, sizeof(buf), UNITS_IEC, c->bytes),
				 strlen(c->iec));
		assert_string_equal(buf, c->iec);
	}
}

static const struct time_case {
	uint64_t ns;
	const char *clock, *left;
} times[] = {
	{ 0, "00:00:00", "0 s" },
	{ SECOND / 2 - 1, "00:00:00", "0 s" },
	{ SECOND / 2, "00:00:00", "1 s" },
	{ 12 * SECOND, "00:00:12", "12 s" },
	{ 60 * SECOND - 1, "00:00:59", "1 min" },
	{ 89 * SECOND, "00:01:29", "1 min" },
	{ 240 * SECOND, "00:04:00", "4 min" },
	{ 751 * SECOND, "00:12:31", "13 min" },
	{ 3599 * SECOND, "00:59:59", "1 h" },
	{ 12000 * SECOND, "03:20:00", "3 h 20 min" },
	{ 86399 * SECOND, "23:59:59", "1 d" },
	{ 86400 * SECOND, "1d 00:00:00", "1 d" },
	{ 187200 * SECOND, "2d 04:00:00", "2 d 4 h" },
	{ 183845 * SECOND, "2d 03:04:05", "2 d 3 h" },
	{ UINT64_MAX, "213503d 23:34:33", "213504 d" },
};

static void times_are_shown(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(times); i++) {
		char buf[32];

		print_message("  %s, %s\n", times[i].clock, times[i].left);
		assert_int_equal(units_format_clock(buf, sizeof(buf), times[i].ns),
				 strlen(times[i].clock));
		assert_string_equal(buf, times[i].clock);
		assert_int_equal(units_format_left(buf, sizeof(buf), times[i].ns),
				 strlen(times[i].left));
		assert_string_equal(buf, times[i].left);
	}
}

static void nothing_is_written_beyond_the_end(void **state)
{
	char buf[8] = "#######";

	(void)state;
	assert_int_equal(units_format_clock(buf, 4, 751 * SECOND), 3);
	assert_string_equal(buf, "00:");
	assert_string_equal(buf + 4, "###");
	assert_int_equal(units_format_size(buf, 0, UNITS_SI, 1), 0);
	assert_string_equal(buf, "00:");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(durations_are_read),
		cmocka_unit_test(sizes_are_read),
		cmocka_unit_test(rate_units),
		cmocka_unit_test(three_digits_are_shown),
		cmocka_unit_test(sizes_are_shown),
		cmocka_unit_test(times_are_shown),
		cmocka_unit_test(nothing_is_written_beyond_the_end),
	};

	return cmocka_run_group_tests_name("units", tests, NULL, NULL);
}
