/* How load is told: before, while and after it ran. Each appends to a buffer or says sentences. */
#ifndef RAIDTOP_LOAD_TELL_H
#define RAIDTOP_LOAD_TELL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "load_tally.h"
#include "raidtop/amplification.h"
#include "raidtop/balance.h"
#include "raidtop/stream_spec.h"
#include "raidtop/text.h"
#include "raidtop/topology.h"
#include "raidtop/units.h"

/* Before: one line a specification, where its target lies and what will be read and written. */
void load_tell_plan(struct buffer *out, const struct stream_spec *spec, enum units units);
/* What runs on the target's array by itself; false, nothing appended, where nothing does. */
bool load_tell_background(struct buffer *out, const struct stream_spec *spec,
			  const struct topology *t);

/* While: the line of one stream, without a new line. `prepared_ns`: since it makes its file. */
void load_tell_progress(struct buffer *out, const struct stream_view *v, enum units units,
			uint64_t prepared_ns);

/* After. */
struct load_result {
	const struct load_tally *tally;
	const struct topology *topology;
	enum units units;
	int width; /* of a terminal, in cells, for the table; 0: no limit */
	bool interrupted;
	bool has_failed;
	int64_t start_realtime_ms;
};
void load_print_table(const struct load_result *r, struct buffer *out);
/* One JSON object and a new line; raidtop.1 describes it. Unknown is null. */
void load_print_json(const struct load_result *r, struct buffer *out);

/* What an array and its members moved while the streams ran. */
struct load_member {
	const char *name;                       /* "" where its slot is empty */
	double read_bytes, write_bytes;         /* NAN: not known */
	double read_share_pct, write_share_pct; /* NAN: nothing moved, or not known */
};
struct load_array {
	const struct device *device;
	double seconds;
	double read_bytes, write_bytes; /* its own; NAN */
	enum action_kind action;
	struct amplification amplification;
	double expected_writes; /* NAN */
	struct balance balance;
	struct load_member *members; /* n_members of device->array; owned */
};
/* Of the device at that slot; false where it is no array that a stream ran on, or not known. */
bool load_array_judge(const struct load_tally *t, const struct topology *topology, size_t slot,
		      struct load_array *ret);
void load_array_release(struct load_array *a);

#endif
