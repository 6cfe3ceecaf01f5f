/*
 * One table, a row for each level and layout in each state that somebody has measured, with one
 * small formula a pattern. What has no row has no ceiling: a figure that is a guess is not shown.
 */
#include "raidtop/efficiency.h"

#include <math.h>
#include <string.h>

#include "raidtop/geometry.h"

#define SATURATED_PCT 90
#define DEEP_READ_AHEAD 1.4 /* what one stream gets from two mirrors, at most */

struct shape {
	double n; /* disks; at raid1 the mirrors in sync */
	double parity;
	double streams;
	bool deep;
	enum truth rotational;
};

/* ---- formulas ---- */

static double all(const struct shape *s)
{
	return s->n;
}

static double one(const struct shape *s)
{
	(void)s;
	return 1;
}

static double half(const struct shape *s)
{
	return s->n / 2;
}

static double all_but_parity(const struct shape *s)
{
	return s->n - s->parity;
}

/* Heads pass over the parity between the data; without heads it costs nothing. */
static double parity_passed_over(const struct shape *s)
{
	if (s->rotational == TRUTH_UNKNOWN)
		return (double)NAN;
	return s->rotational == TRUTH_YES ? all_but_parity(s) : s->n;
}

static double mirror_a_stream(const struct shape *s)
{
	return fmin(s->streams, s->n);
}

static double mirrors_sequential(const struct shape *s)
{
	if (s->streams == 1 && s->deep)
		return fmin(DEEP_READ_AHEAD, s->n);
	return mirror_a_stream(s);
}

static double mirrors_random(const struct shape *s)
{
	return s->deep ? s->n : mirror_a_stream(s);
}

/* One reader waits for one half after the other. */
static double near_copies(const struct shape *s)
{
	return s->streams == 1 && !s->deep ? s->n / 2 : s->n;
}

/* The kernel takes what reads less: the old data and parity, or the rest of the stripe. */
static double parts_of_stripes(const struct shape *s)
{
	double written = s->parity + 1;
	double read = fmin(s->parity + 1, s->n - s->parity - 1);

	return s->n / (read + written);
}

/* Of N requests, one is for the lost disk, and reads all N - 1 others. */
static double rebuilt_reads(const struct shape *s)
{
	return (s->n - 1) / (1 + (s->n - 2) / s->n);
}

/* ---- rows ---- */

#define ANY_LOST UINT64_MAX

static const struct row {
	enum raid_level level;
	const char *layouts[3]; /* none: any */
	uint64_t lost;
	double (*ceiling[ACCESS_PATTERN_COUNT])(const struct shape *s); /* as enum access_pattern */
} rows[] = {
	{ RAID_LEVEL_0, { 0 }, 0, { all, all, all, all } },
	{ RAID_LEVEL_1, { 0 }, ANY_LOST, { mirrors_sequential, one, mirrors_random, one } },
	{ RAID_LEVEL_10, { "n2" }, 0, { near_copies, half, all, half } },
	{ RAID_LEVEL_10, { "f2", "o2" }, 0, { all, half, all, half } },
	{ RAID_LEVEL_10, { "n2", "f2", "o2" }, 1, { half, half, half, half } },
	{ RAID_LEVEL_5, { 0 }, 0, { parity_passed_over, all_but_parity, all, parts_of_stripes } },
	{ RAID_LEVEL_5, { 0 }, 1, { all_but_parity, all_but_parity, rebuilt_reads, one } },
	{ RAID_LEVEL_6, { 0 }, 0, { parity_passed_over, all_but_parity, all, parts_of_stripes } },
};

static bool has_layout(const struct row *row, const char *layout)
{
	if (!row->layouts[0])
		return true;
	for (size_t i = 0; i < sizeof(row->layouts) / sizeof(row->layouts[0]); i++)
		if (row->layouts[i] && strcmp(row->layouts[i], layout) == 0)
			return true;
	return false;
}

static const struct row *find_row(const struct geometry *g, const char *layout)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].level == g->level && has_layout(&rows[i], layout) &&
		    (rows[i].lost == ANY_LOST || rows[i].lost == g->n_lost))
			return &rows[i];
	return NULL;
}

double efficiency_ceiling(const struct array *array, const struct load_shape *load)
{
	const struct row *row;
	struct geometry g;
	struct shape s;

	geometry_of(&g, array);
	row = geometry_is_whole(&g) ? find_row(&g, array->layout) : NULL;
	if (!row)
		return (double)NAN;
	s = (struct shape){
		.n = (double)(g.level == RAID_LEVEL_1 ? g.n_copies : g.n_disks),
		.parity = (double)g.n_parity,
		.streams = load->streams ? load->streams : 1,
		.deep = load->deep_queue,
		.rotational = load->rotational,
	};
	return row->ceiling[load->pattern](&s);
}

double efficiency_pct(const struct array *array, const struct load_shape *load,
		      const struct efficiency_inputs *in)
{
	bool saturated = in->own_stream || in->busiest_pct >= SATURATED_PCT;

	if (!saturated || !(in->member_bytes_per_sec > 0) || array_is_syncing(array))
		return (double)NAN;
	return 100 * in->array_bytes_per_sec /
	       (efficiency_ceiling(array, load) * in->member_bytes_per_sec);
}
