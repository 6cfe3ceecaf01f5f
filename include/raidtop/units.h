/* Quantities for people: what is typed on a command line, what is shown on the screen. */
#ifndef RAIDTOP_UNITS_H
#define RAIDTOP_UNITS_H

#include <stddef.h>
#include <stdint.h>

enum units {
	UNITS_SI,  /* MB/s: 10^6 bytes per second */
	UNITS_IEC, /* MiB/s: 2^20 */
};

/* "si" or "iec"; 0 or -EINVAL. */
int units_parse(const char *text, enum units *ret);
/* "MB/s" or "MiB/s". */
const char *units_rate_name(enum units units);
double units_rate(enum units units, double bytes_per_sec);

/* "0.5", "5s", "200ms", "2m", "1h": nanoseconds. 0, -EINVAL or -ERANGE. */
int units_parse_duration(const char *text, uint64_t *ret_ns);
/* "64k", "32M", "3.1G" (powers of 1024), "64kB", "1MB" (of 1000), "64KiB". As above. */
int units_parse_size(const char *text, uint64_t *ret_bytes);

/* Each writes at most `size` bytes and returns the length. */
/* At most three significant digits: 9.41, 53.1, 213, 1840; 0 is "0", below 0.005 "0.00"; "-" for
 * what is negative, too large or no number. */
size_t units_format_three(char *buf, size_t size, double value);
/* "500 GB", "3.10 TB" (or GiB...), three significant digits; "-" for UINT64_MAX, unknown. */
size_t units_format_size(char *buf, size_t size, enum units units, uint64_t bytes);
/* "00:12:31", from a day on "2d 03:04:05". */
size_t units_format_clock(char *buf, size_t size, uint64_t ns);
/* "12 s", "4 min", "3 h 20 min", "2 d 4 h": what is left, rounded. */
size_t units_format_left(char *buf, size_t size, uint64_t ns);

#endif
