/*
 * Numbers as text. The C library's functions skip blanks, take signs where none belong, stop
 * silently at what they do not understand and obey the locale's decimal comma; a recording made
 * in one country must be read in another, and a torn number must not pass for a whole one.
 */
#include "raidtop/number.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#define MAX_DIGITS 18 /* 10^18 is the largest power of ten in an int64_t */

static uint64_t power_of_ten(unsigned int digits)
{
	static const uint64_t powers[MAX_DIGITS + 1] = {
		UINT64_C(1),
		UINT64_C(10),
		UINT64_C(100),
		UINT64_C(1000),
		UINT64_C(10000),
		UINT64_C(100000),
		UINT64_C(1000000),
		UINT64_C(10000000),
		UINT64_C(100000000),
		UINT64_C(1000000000),
		UINT64_C(10000000000),
		UINT64_C(100000000000),
		UINT64_C(1000000000000),
		UINT64_C(10000000000000),
		UINT64_C(100000000000000),
		UINT64_C(1000000000000000),
		UINT64_C(10000000000000000),
		UINT64_C(100000000000000000),
		UINT64_C(1000000000000000000),
	};

	return powers[digits];
}

/* Goes on from *value; -ERANGE only where all of it are digits, so that rubbish stays rubbish. */
static int take_digits(const char *text, size_t len, uint64_t *value)
{
	bool fits = true;

	for (size_t i = 0; i < len; i++) {
		if (text[i] < '0' || text[i] > '9')
			return -EINVAL;
		fits = fits && !__builtin_mul_overflow(*value, 10, value) &&
		       !__builtin_add_overflow(*value, (uint64_t)(text[i] - '0'), value);
	}
	return fits ? 0 : -ERANGE;
}

static int with_sign(uint64_t magnitude, bool negative, int64_t *ret)
{
	if (magnitude > (uint64_t)INT64_MAX + negative)
		return -ERANGE;
	*ret = (int64_t)(negative ? 0 - magnitude : magnitude);
	return 0;
}

int number_parse_u64(const char *text, size_t len, uint64_t *ret)
{
	uint64_t value = 0;
	int r;

	if (len == 0)
		return -EINVAL;
	r = take_digits(text, len, &value);
	if (r == 0)
		*ret = value;
	return r;
}

int number_parse_i64(const char *text, size_t len, int64_t *ret)
{
	bool negative = len > 0 && text[0] == '-';
	uint64_t magnitude;
	int r = number_parse_u64(text + negative, len - negative, &magnitude);

	return r ? r : with_sign(magnitude, negative, ret);
}

int number_parse_fixed(const char *text, size_t len, unsigned int digits, int64_t *ret)
{
	bool negative = len > 0 && text[0] == '-';
	const char *whole = text + negative;
	size_t rest = len - negative, n_whole, n_fraction, kept;
	const char *point = rest ? memchr(whole, '.', rest) : NULL;
	uint64_t value = 0, cut_off = 0;
	int r[3] = { 0, 0, 0 };

	n_whole = point ? (size_t)(point - whole) : rest;
	n_fraction = point ? rest - n_whole - 1 : 0;
	if (digits > MAX_DIGITS || n_whole == 0 || (point && n_fraction == 0))
		return -EINVAL;
	kept = n_fraction < digits ? n_fraction : digits;
	r[0] = take_digits(whole, n_whole, &value);
	if (point) {
		r[1] = take_digits(point + 1, kept, &value);
		r[2] = take_digits(point + 1 + kept, n_fraction - kept, &cut_off);
	}
	if (r[0] == -EINVAL || r[1] == -EINVAL || r[2] == -EINVAL)
		return -EINVAL;
	if (r[0] || r[1] ||
	    __builtin_mul_overflow(value, power_of_ten(digits - (unsigned int)kept), &value))
		return -ERANGE;
	return with_sign(value, negative, ret);
}

static unsigned int count_digits(uint64_t value)
{
	unsigned int n = 1;

	for (; value >= 10000; value /= 10000)
		n += 4;
	return n + (value >= 10) + (value >= 100) + (value >= 1000);
}

/* The last `n` digits, backwards from `end`; two at a time, as a recording is full of numbers. */
static void put_digits(char *end, uint64_t value, unsigned int n)
{
	static const char pairs[] = "00010203040506070809101112131415161718192021222324"
				    "25262728293031323334353637383940414243444546474849"
				    "50515253545556575859606162636465666768697071727374"
				    "75767778798081828384858687888990919293949596979899";

	for (; n >= 2; n -= 2, value /= 100) {
		end -= 2;
		memcpy(end, pairs + value % 100 * 2, 2);
	}
	if (n)
		end[-1] = (char)('0' + value % 10);
}

static size_t put(char *buf, bool negative, uint64_t magnitude, unsigned int digits)
{
	uint64_t whole = digits ? magnitude / power_of_ten(digits) : magnitude;
	unsigned int n = count_digits(whole);
	char *at = buf;

	if (negative)
		*at++ = '-';
	at += n;
	put_digits(at, whole, n);
	if (digits > 0) {
		*at = '.';
		at += digits + 1;
		put_digits(at, magnitude, digits);
	}
	*at = '\0';
	return (size_t)(at - buf);
}

size_t number_format_u64(char *buf, uint64_t value)
{
	return put(buf, false, value, 0);
}

size_t number_format_i64(char *buf, int64_t value)
{
	return number_format_fixed(buf, value, 0);
}

size_t number_format_fixed(char *buf, int64_t value, unsigned int digits)
{
	uint64_t magnitude = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;

	return put(buf, value < 0, magnitude, digits < MAX_DIGITS ? digits : MAX_DIGITS);
}

size_t number_format_double(char *buf, double value, unsigned int digits)
{
	double scaled, rest;
	int64_t whole;

	digits = digits < 6 ? digits : 6;
	scaled = value * (double)power_of_ten(digits);
	if (!(scaled >= -9e15 && scaled <= 9e15)) {
		buf[0] = '\0';
		return 0;
	}
	whole = (int64_t)scaled;
	rest = scaled - (double)whole;
	return number_format_fixed(buf, whole + (rest >= 0.5) - (rest <= -0.5), digits);
}
