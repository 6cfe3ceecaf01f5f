/*
 * Efficiency: what an array reaches of what its members could give at its level and load.
 */
#ifndef RAIDTOP_EFFICIENCY_H
#define RAIDTOP_EFFICIENCY_H

#include <stdbool.h>
#include <stdint.h>

#include "raidtop/topology.h"

enum access_pattern {
	ACCESS_SEQUENTIAL_READ,
	ACCESS_SEQUENTIAL_WRITE,
	ACCESS_RANDOM_READ,
	ACCESS_RANDOM_WRITE,
	ACCESS_PATTERN_COUNT,
};

/* The load, as far as a ceiling depends on it. */
struct load_shape {
	enum access_pattern pattern;
	unsigned int streams;  /* requests from so many sources at once, k; 0 counts as 1 */
	bool deep_queue;       /* many requests in flight, or deep read-ahead */
	enum truth rotational; /* the members: seeks cost */
};

/*
 * The ceiling, in units of the slowest member; NAN where nothing is known of the level, the layout
 * or the losses. N disks, p of them parity; r and w are the bytes that are read and written for a
 * random byte: p + 1 each, or where fewer other disks than that hold the stripe's data, r is
 * their number.
 *
 *                   sequential read   sequential write  random read    random write
 *  raid0            N                 N                 N              N
 *  raid1            min(k, N); 1.4 with one stream and deep read-ahead
 *                                     1                 min(k, N), N   1
 *                                                       deep
 *  raid10 n2        N/2 for one shallow stream, else N
 *                                     N/2               N              N/2
 *  raid10 f2, o2    N                 N/2               N              N/2
 *  raid10, one lost N/2               N/2               N/2            N/2
 *  raid5            N; N-1 rotating   N-1               N              N/(r+w)
 *  raid5, one lost  N-1               N-1               (N-1)/(1+(N-2)/N)
 *                                                                      1
 *  raid6            N; N-2 rotating   N-2               N              N/(r+w)
 *
 * At raid1, N are the mirrors in sync. Measured on Linux 6.1 without seeks; what is said of
 * rotating members is known, not measured.
 */
double efficiency_ceiling(const struct array *array, const struct load_shape *load);

struct efficiency_inputs {
	double array_bytes_per_sec;
	double member_bytes_per_sec; /* the slowest member alone, same pattern; NAN: not measured */
	double busiest_pct;          /* of the members; NAN: not known */
	bool own_stream;             /* raidtop itself makes the load: it is all that can be had */
};

/*
 * In percent of the ceiling; more than 100 is no error. NAN (shown as "-") where the ceiling or
 * the members' speed is not known, while md itself moves bytes, or where nothing says that the
 * array was asked for all it could give: neither a member at least 90 % busy, nor a stream of
 * raidtop's own.
 */
double efficiency_pct(const struct array *array, const struct load_shape *load,
		      const struct efficiency_inputs *in);

#endif
