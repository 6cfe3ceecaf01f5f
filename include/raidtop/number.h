/* Numbers as text, independent of the locale. The one parser and the one formatter. */
#ifndef RAIDTOP_NUMBER_H
#define RAIDTOP_NUMBER_H

#include <stddef.h>
#include <stdint.h>

/* Room for any number that is formatted here, with its terminator. */
#define NUMBER_BYTES 32

/*
 * Whole decimal numbers that take all of `text` (`len` bytes). 0, -EINVAL where it is none
 * (empty, a sign for u64, blanks, other characters), -ERANGE where it does not fit.
 */
int number_parse_u64(const char *text, size_t len, uint64_t *ret);
int number_parse_i64(const char *text, size_t len, int64_t *ret);

/*
 * A decimal fraction ("12", "-0.5", "43.17") as an integer in units of 10^-digits; further
 * digits are cut off. Errors as above. No exponent.
 */
int number_parse_fixed(const char *text, size_t len, unsigned int digits, int64_t *ret);

/* Write without a locale; return the length. `buf` has at least NUMBER_BYTES. */
size_t number_format_u64(char *buf, uint64_t value);
size_t number_format_i64(char *buf, int64_t value);
/* An integer in units of 10^-digits with that many decimals: (43172, 3) is "43.172". */
size_t number_format_fixed(char *buf, int64_t value, unsigned int digits);
/*
 * A double rounded half away from zero to `digits` decimals (at most 6). Values beyond
 * 9e15 / 10^digits and those that are no number are written as "" (unknown), length 0.
 */
size_t number_format_double(char *buf, double value, unsigned int digits);

#endif
