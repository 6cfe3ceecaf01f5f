/*
 * What only an array has: how reads and writes were spread over its members while the streams ran,
 * and what a byte cost them. Shares are of bytes, always told; what they mean is judged by the same
 * rules as on the screen, on one window that is the whole run.
 */
#include "load_tell.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "raidtop/memory.h"

static double known_or_nan(const struct traffic *t, double value)
{
	return t->known && t->time_us > 0 ? value : (double)NAN;
}

static void take_members(struct load_array *a, const struct array *array,
			 const struct traffic *traffic)
{
	double read = 0, write = 0;

	for (size_t i = 0; i < array->n_members; i++) {
		struct load_member *m = &a->members[i];

		m->name = array->members[i].name;
		m->read_bytes = known_or_nan(&traffic[i], traffic[i].read_bytes);
		m->write_bytes = known_or_nan(&traffic[i], traffic[i].write_bytes);
		read += isnan(m->read_bytes) ? 0 : m->read_bytes;
		write += isnan(m->write_bytes) ? 0 : m->write_bytes;
	}
	for (size_t i = 0; i < array->n_members; i++) {
		struct load_member *m = &a->members[i];

		m->read_share_pct = read > 0 ? 100 * m->read_bytes / read : (double)NAN;
		m->write_share_pct = write > 0 ? 100 * m->write_bytes / write : (double)NAN;
	}
}

static void judge(struct load_array *a, const struct array *array, const struct traffic *self,
		  const struct traffic *members)
{
	double *shares = memory_new(2 * array->n_members + 1, sizeof(*shares));

	balance_compute(&a->balance, array, self, members, shares, shares + array->n_members);
	amplification_compute(&a->amplification, array, self, members);
	a->expected_writes = amplification_expected_writes(array, a->amplification.rmw);
	free(shares);
}

bool load_array_judge(const struct load_tally *t, const struct topology *topology, size_t slot,
		      struct load_array *ret)
{
	const struct device *d = topology->devices[slot];
	const struct array *array = d->array;
	const struct load_device *own = slot < t->n_devices ? &t->devices[slot] : NULL;
	struct traffic *members;

	if (!array || !own || !own->is_target || own->traffic.time_us == 0)
		return false;
	members = memory_new(array->n_members + 1, sizeof(*members));
	for (size_t i = 0; i < array->n_members; i++) {
		int at = array->members[i].device;

		if (at >= 0 && (size_t)at < t->n_devices)
			members[i] = t->devices[at].traffic;
	}
	*ret = (struct load_array){
		.device = d,
		.seconds = (double)own->traffic.time_us / 1e6,
		.read_bytes = known_or_nan(&own->traffic, own->traffic.read_bytes),
		.write_bytes = known_or_nan(&own->traffic, own->traffic.write_bytes),
		.action = own->action,
		.members = memory_new(array->n_members + 1, sizeof(struct load_member)),
	};
	take_members(ret, array, members);
	judge(ret, array, &own->traffic, members);
	free(members);
	return true;
}

void load_array_release(struct load_array *a)
{
	free(a->members);
	a->members = NULL;
}
