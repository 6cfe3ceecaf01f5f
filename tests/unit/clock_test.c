/* Points in time as text: held against the C library, and refused where they are none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

#include "raidtop/clock.h"
#include "raidtop/text.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))
#define UNTOUCHED 99

static const struct utc_case {
	const char *name, *text;
	int64_t ms;
} utcs[] = {
	{ "the epoch", "1970-01-01T00:00:00.000Z", 0 },
	{ "just before it", "1969-12-31T23:59:59.999Z", -1 },
	{ "a day of this program", "2026-11-30T15:52:07.123Z", 1796053927123 },
	{ "leap day of a fourth year", "2024-02-29T12:00:00.000Z", 1709208000000 },
	{ "leap day of 2000", "2000-02-29T23:59:59.999Z", 951868799999 },
	{ "no leap day in 2100", "2100-03-01T00:00:00.000Z", 4107542400000 },
	{ "32-bit seconds end", "2038-01-19T03:14:08.000Z", 2147483648000 },
	{ "the year 0", "0000-03-01T00:00:00.000Z", -62162035200000 },
	{ "the start of the year 0", "0000-01-01T00:00:00.000Z", -62167219200000 },
	{ "the last of four digits", "9999-12-31T23:59:59.999Z", 253402300799999 },
};

static void utc_there_and_back(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(utcs); i++) {
		const struct utc_case *c = &utcs[i];
		int64_t ms = UNTOUCHED;
		char buf[32];

		print_message("  %s\n", c->name);
		assert_int_equal(clock_format_utc(buf, c->ms), strlen(c->text));
		assert_string_equal(buf, c->text);
		assert_int_equal(clock_parse_utc(buf, strlen(buf), &ms), 0);
		assert_true(ms == c->ms);
	}
}

static void every_day_is_as_in_the_library(void **state)
{
	(void)state;
	for (int64_t day = -719528; day < 2932897; day += 11) {
		int64_t ms = day * 86400000 + (day + 719528) % 86400 * 1000, back = UNTOUCHED;
		time_t s = (time_t)(ms / 1000);
		char buf[32], expected[32];
		struct tm tm;

		assert_non_null(gmtime_r(&s, &tm));
		assert_true(text_format(expected, sizeof(expected),
					"%04d-%02d-%02dT%02d:%02d:%02d.000Z", tm.tm_year + 1900,
					tm.tm_mon + 1, tm.tm_mday, tm.tm_hour, tm.tm_min,
					tm.tm_sec));
		clock_format_utc(buf, ms);
		assert_string_equal(buf, expected);
		assert_int_equal(clock_parse_utc(buf, strlen(buf), &back), 0);
		assert_true(back == ms);
	}
}

static void the_ends_of_time_fit(void **state)
{
	char buf[32];

	(void)state;
	assert_in_range(clock_format_utc(buf, INT64_MAX), 20, 31);
	assert_string_equal(buf, "292278994-08-17T07:12:55.807Z");
	assert_in_range(clock_format_utc(buf, INT64_MIN), 20, 31);
	assert_string_equal(buf, "-292275055-05-16T16:47:04.192Z");
	assert_int_equal(clock_format_local(buf, INT64_MAX), 8);
	assert_int_equal(clock_format_local(buf, INT64_MIN), 8);
}

static const struct refused_case {
	const char *name, *text;
} refused[] = {
	{ "empty", "" },
	{ "no zone", "2026-11-30T15:52:07.123" },
	{ "another zone", "2026-11-30T15:52:07+01:00" },
	{ "a blank for the T", "2026-11-30 15:52:07.123Z" },
	{ "small z", "2026-11-30T15:52:07.123z" },
	{ "month 0", "2026-00-30T15:52:07.123Z" },
	{ "month 13", "2026-13-30T15:52:07.123Z" },
	{ "day 0", "2026-11-00T15:52:07.123Z" },
	{ "day 31 of a short month", "2026-11-31T15:52:07.123Z" },
	{ "no leap year", "2026-02-29T15:52:07.123Z" },
	{ "no leap year, a century", "2100-02-29T15:52:07.123Z" },
	{ "hour 24", "2026-11-30T24:00:00.000Z" },
	{ "minute 60", "2026-11-30T15:60:07.123Z" },
	{ "leap second", "2026-11-30T23:59:60.000Z" },
	{ "microseconds", "2026-11-30T15:52:07.123456Z" },
	{ "comma", "2026-11-30T15:52:07,123Z" },
	{ "letters", "2026-11-3OT15:52:07.123Z" },
	{ "a sign", "-026-11-30T15:52:07.123Z" },
	{ "a fifth digit of the year", "12026-11-30T15:52:07.123Z" },
	{ "trailing blank", "2026-11-30T15:52:07Z " },
};

static void other_forms_are_refused(void **state)
{
	int64_t ms = UNTOUCHED;

	(void)state;
	for (size_t i = 0; i < COUNT(refused); i++) {
		print_message("  %s\n", refused[i].name);
		assert_int_equal(clock_parse_utc(refused[i].text, strlen(refused[i].text), &ms),
				 -EINVAL);
		assert_int_equal(ms, UNTOUCHED);
	}
	assert_int_equal(clock_parse_utc("2026-11-30T15:52:07Z", 20, &ms), 0);
	assert_true(ms == 1796053927000);
}

static void local_time_is_of_the_zone(void **state)
{
	int64_t ms = 1796053927123;
	time_t s = (time_t)(ms / 1000);
	char buf[32], expected[32];
	struct tm tm;

	(void)state;
	assert_non_null(localtime_r(&s, &tm));
	assert_int_equal(strftime(expected, sizeof(expected), "%H:%M:%S", &tm), 8);
	assert_int_equal(clock_format_local(buf, ms), 8);
	assert_string_equal(buf, expected);
}

static void clocks_run(void **state)
{
	uint64_t monotonic = clock_monotonic_ns(), boottime = clock_boottime_ns();
	int64_t realtime = clock_realtime_ms();

	(void)state;
	usleep(3000);
	assert_true(clock_monotonic_ns() - monotonic >= 3 * NS_PER_MS);
	assert_true(clock_boottime_ns() - boottime >= 3 * NS_PER_MS);
	assert_true(boottime >= monotonic);
	assert_true(realtime / 1000 - (int64_t)time(NULL) <= 0);
	assert_true((int64_t)time(NULL) - realtime / 1000 <= 60);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(utc_there_and_back),
		cmocka_unit_test(every_day_is_as_in_the_library),
		cmocka_unit_test(the_ends_of_time_fit),
		cmocka_unit_test(other_forms_are_refused),
		cmocka_unit_test(local_time_is_of_the_zone),
		cmocka_unit_test(clocks_run),
	};

	return cmocka_run_group_tests_name("clock", tests, NULL, NULL);
}
