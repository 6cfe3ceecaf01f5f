/* What streams and devices did while load ran: taken in tick by tick, told when it is over. */
#ifndef RAIDTOP_LOAD_TALLY_H
#define RAIDTOP_LOAD_TALLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "raidtop/rates.h"
#include "raidtop/recording_stream.h"
#include "raidtop/stream_summary.h"
#include "raidtop/topology.h"
#include "raidtop/traffic.h"

/* A device while the streams ran. */
struct load_device {
	struct traffic traffic;
	bool is_target;          /* a stream runs on it */
	enum action_kind action; /* what ran on it meanwhile: the figures are not its own */
};

struct load_tally {
	unsigned int first; /* number of the first stream */
	size_t n;
	struct stream_view *views;        /* of all streams, as last seen; by number */
	const struct stream_spec **asked; /* of the same index, without defaults filled in */
	struct stream_series *series;     /* of the same index */
	struct latency *latencies;        /* STREAM_HIST_COUNT of each, once it is over */
	struct stream_series sum;
	float *scratch;              /* room for STREAM_VALUES_MAX */
	struct load_device *devices; /* by slot of the topology */
	size_t n_devices;
	bool is_open;       /* the devices' window has begun */
	bool was_preparing; /* files were made in the tick before */
};

/* `specs` are what was asked for, each with its copies; they must outlast it. */
void load_tally_init(struct load_tally *t, unsigned int first, const struct stream_spec *specs,
		     size_t n_specs, uint64_t interval_us);
void load_tally_release(struct load_tally *t);
/* After each tick, with the streams that are in view. */
void load_tally_step(struct load_tally *t, const struct topology *topology, const struct tick *tick,
		     const struct stream_view *views, size_t n);
/* When all is over: what is left becomes a value where it is long enough. */
void load_tally_end(struct load_tally *t);

bool load_tally_is_over(const struct load_tally *t);
bool load_tally_has_failed(const struct load_tally *t);

/* All streams as one. */
struct load_sum {
	struct stream_summary summary; /* mean_to_disk only where all of them write */
	struct stream_group_times times;
	bool has_times;
	uint64_t read_bytes, write_bytes, ios;
};
void load_tally_sum(const struct load_tally *t, struct load_sum *ret);
/* One of them; the latencies of reads, of writes, or from the scheduled time. */
void load_tally_stream(const struct load_tally *t, size_t i, struct stream_summary *ret);
/* Of all streams, merged; NULL where there is none. The memory is the caller's. */
const struct latency *load_tally_latency(const struct load_tally *t, enum stream_hist which,
					 struct latency *sum);

#endif
