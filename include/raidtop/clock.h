/* The clocks. Rates use CLOCK_MONOTONIC, labels the wall clock, a suspend is their difference. */
#ifndef RAIDTOP_CLOCK_H
#define RAIDTOP_CLOCK_H

#include <stddef.h>
#include <stdint.h>

#define NS_PER_SEC 1000000000ULL
#define NS_PER_US 1000ULL
#define NS_PER_MS 1000000ULL
#define US_PER_SEC 1000000ULL

uint64_t clock_monotonic_ns(void);
uint64_t clock_boottime_ns(void);
/* Since 1970, may go back. */
int64_t clock_realtime_ms(void);

/* "2026-11-30T15:52:07.123Z"; `buf` has at least 32 bytes; returns the length. */
size_t clock_format_utc(char *buf, int64_t realtime_ms);
/* Reads that form (milliseconds optional): 0 or -EINVAL. */
int clock_parse_utc(const char *text, size_t len, int64_t *ret_realtime_ms);
/* "15:52:07" in local time; the zone is read once at the start. */
size_t clock_format_local(char *buf, int64_t realtime_ms);

#endif
