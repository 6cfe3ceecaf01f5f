/*
 * The clocks, and points in time as text. The calendar is computed here rather than asked of the
 * C library, which would look at the environment for it; only local time needs its zone tables.
 */
#include "raidtop/clock.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <time.h>

#define MS_PER_DAY 86400000LL
#define TEXT_BYTES 32

static uint64_t read_ns(clockid_t clock)
{
	struct timespec t = { 0, 0 };

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * NS_PER_SEC + (uint64_t)t.tv_nsec;
}

uint64_t clock_monotonic_ns(void)
{
	return read_ns(CLOCK_MONOTONIC);
}

uint64_t clock_boottime_ns(void)
{
#ifdef CLOCK_BOOTTIME
	return read_ns(CLOCK_BOOTTIME);
#else
	return read_ns(CLOCK_MONOTONIC);
#endif
}

int64_t clock_realtime_ms(void)
{
	struct timespec t = { 0, 0 };

	clock_gettime(CLOCK_REALTIME, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/*
 * Days are counted from 1 March of year 0, so that a leap day is the last of its year and the
 * months before it have a pattern: 153 days in five of them. An era is the 400 years, or 146097
 * days, after which the Gregorian calendar repeats; 719468 days lie between its start and 1970.
 */
struct date {
	int64_t year;
	int64_t month, day;
};

static struct date date_of_day(int64_t day_since_1970)
{
	int64_t day = day_since_1970 + 719468;
	int64_t era = (day >= 0 ? day : day - 146096) / 146097;
	int64_t of_era = day - era * 146097;
	int64_t year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
	int64_t of_year = of_era - (365 * year + year / 4 - year / 100);
	int64_t month = (5 * of_year + 2) / 153; /* 0 is March */
	struct date date = {
		.day = of_year - (153 * month + 2) / 5 + 1,
		.month = month < 10 ? month + 3 : month - 9,
	};

	date.year = era * 400 + year + (date.month <= 2);
	return date;
}

/* Of years 0 to 9999. */
static int64_t day_of_date(const struct date *date)
{
	int64_t year = date->year - (date->month <= 2) + 400; /* never below 0 */
	int64_t era = year / 400, of_era_year = year % 400;
	int64_t month = date->month > 2 ? date->month - 3 : date->month + 9;
	int64_t of_year = (153 * month + 2) / 5 + date->day - 1;
	int64_t of_era = of_era_year * 365 + of_era_year / 4 - of_era_year / 100 + of_year;

	return (era - 1) * 146097 + of_era - 719468;
}

size_t clock_format_utc(char *buf, int64_t realtime_ms)
{
	int64_t day = realtime_ms / MS_PER_DAY, ms = realtime_ms % MS_PER_DAY;
	struct date date;
	int n;

	if (ms < 0) {
		ms += MS_PER_DAY;
		day--;
	}
	date = date_of_day(day);
	n = snprintf(buf, TEXT_BYTES, "%04lld-%02d-%02dT%02d:%02d:%02d.%03dZ", (long long)date.year,
		     (int)date.month, (int)date.day, (int)(ms / 3600000), (int)(ms / 60000 % 60),
		     (int)(ms / 1000 % 60), (int)(ms % 1000));
	return n > 0 ? (size_t)n : 0;
}

/* Whether `text` looks like `form`, where 0 stands for any digit; the numbers go to `value`. */
static bool take_form(const char *text, const char *form, int *value)
{
	int number = -1;

	*value = 0;
	for (; *form; form++, text++) {
		bool digit = *text >= '0' && *text <= '9';

		if (*form == '0' ? !digit : *text != *form)
			return false;
		if (digit && number < 0)
			number = *value = 0;
		if (digit)
			*value = *value * 10 + (*text - '0');
		else if (number >= 0)
			number = -1, *++value = 0;
	}
	return true;
}

static bool is_leap(int year)
{
	return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

int clock_parse_utc(const char *text, size_t len, int64_t *ret_realtime_ms)
{
	static const char with_ms[] = "0000-00-00T00:00:00.000Z",
			  without[] = "0000-00-00T00:00:00Z";
	static const int month_days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	enum { YEAR, MONTH, DAY, HOUR, MINUTE, SECOND, MS, AFTER };
	int v[AFTER + 1] = { 0 };
	struct date date;

	if (len == sizeof(with_ms) - 1 ? !take_form(text, with_ms, v)
				       : len != sizeof(without) - 1 || !take_form(text, without, v))
		return -EINVAL;
	if (len == sizeof(without) - 1)
		v[MS] = 0;
	if (v[MONTH] < 1 || v[MONTH] > 12 || v[DAY] < 1 || v[HOUR] > 23 || v[MINUTE] > 59 ||
	    v[SECOND] > 59 ||
	    v[DAY] > month_days[v[MONTH] - 1] + (v[MONTH] == 2 && is_leap(v[YEAR])))
		return -EINVAL;
	date = (struct date){ .year = v[YEAR], .month = v[MONTH], .day = v[DAY] };
	*ret_realtime_ms = day_of_date(&date) * MS_PER_DAY +
			   ((v[HOUR] * 60LL + v[MINUTE]) * 60 + v[SECOND]) * 1000 + v[MS];
	return 0;
}

size_t clock_format_local(char *buf, int64_t realtime_ms)
{
	static bool zone_read;
	time_t s = (time_t)(realtime_ms / 1000 - (realtime_ms % 1000 < 0));
	struct tm tm = { .tm_sec = 0 };
	int n;

	if (!zone_read) {
		tzset();
		zone_read = true;
	}
	localtime_r(&s, &tm);
	n = snprintf(buf, TEXT_BYTES, "%02d:%02d:%02d", tm.tm_hour, tm.tm_min, tm.tm_sec);
	return n > 0 ? (size_t)n : 0;
}
