/*
 * Neither sign alone proves anything. /proc/self/io counts what the process asked of block devices,
 * but a device-mapper cache or a hypervisor's own may answer; the device's counters say what moved,
 * but not for whom. Together they do: what the page cache gave is missing in the first, what
 * another layer gave is missing in the second. Holes and compressed extents must be known
 * beforehand: a hole reads like a cache, and compression like a hole of another size.
 */
#include "raidtop/proof.h"

#include "raidtop/number.h"
#include "raidtop/text.h"
#include "raidtop/topology.h"

#define ENOUGH_PCT 98

/* Percent of `whole`, at most 100: read-ahead may bring more than was asked for. */
static double share_pct(uint64_t part, uint64_t whole)
{
	return part >= whole ? 100 : 100 * (double)part / (double)whole;
}

/* < 0: it does not say. */
static double process_pct(const struct proof_facts *f)
{
	if (f->disk_read_bytes == UNKNOWN_U64 || f->disk_read_of_bytes == 0)
		return -1;
	return share_pct(f->disk_read_bytes, f->disk_read_of_bytes);
}

static double device_pct(const struct proof_facts *f)
{
	if (f->device_bytes == UNKNOWN_U64 || f->window_bytes == 0)
		return -1;
	return share_pct(f->device_bytes, f->window_bytes);
}

static double smaller_known(double a, double b)
{
	if (a < 0 || b < 0)
		return a < 0 ? b : a;
	return a < b ? a : b;
}

static enum proof judge_counters(const struct proof_facts *f, double process, double device)
{
	if (process >= 0 && process < ENOUGH_PCT)
		return PROOF_CACHE;
	if (process < 0 && f->source == SOURCE_CACHED && f->cached_bytes > 0)
		return PROOF_CACHE;
	if (process < 0 || device < ENOUGH_PCT)
		return PROOF_UNPROVEN;
	return PROOF_DISK;
}

struct proof_verdict proof_judge(const struct proof_facts *f)
{
	struct proof_verdict v = { PROOF_UNKNOWN, -1 };
	double process = process_pct(f), device = device_pct(f);

	if (f->read_bytes == 0)
		return v;
	v.disk_pct = smaller_known(process, device);
	if (f->source == SOURCE_HOLES)
		v.proof = PROOF_HOLE;
	else if (f->source == SOURCE_ENCODED)
		v.proof = PROOF_COMPRESSED;
	else
		v.proof = judge_counters(f, process, device);
	return v;
}

void proof_format(char *buf, size_t size, enum proof proof, double disk_pct)
{
	char number[NUMBER_BYTES];

	text_copy(buf, size, proof_name(proof));
	if (proof != PROOF_DISK || disk_pct < 0)
		return;
	number_format_double(number, disk_pct, 0);
	text_format(buf, size, "%s %s %%", proof_name(proof), number);
}
