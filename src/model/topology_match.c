/*
 * Which device is which: identity over surveys. Kernel names go round (the next disk plugged in
 * is sda again), so a name proves nothing by itself. The proofs, from strong to weak, each tried
 * for all devices before the next:
 *
 *   name and diskseq     Linux numbers each block device that it makes, and no number twice
 *                        before the next boot; but a loop or md device set up anew gets another
 *   name and id          a disk's serial or WWN, an array's UUID: it came back
 *   id alone             it came back under another name; a disk of another size did not: there
 *                        are USB bridges that all have one serial
 *   diskseq alone        there is no id, but the kernel says so
 *   name and number      there is neither: it never went away, or has no id to be told by
 *
 * Nothing matches where ids are known on both sides and differ. Two paths to one disk have the
 * same id, and each slot is given once: names first keeps them apart. A partition is the one of
 * that number on its disk.
 */
#include "topology_adopt.h"

#include <stdlib.h>
#include <string.h>

#include "raidtop/memory.h"

struct matching {
	const struct topology *held;
	const struct topology *fresh;
	int *slot_of;
	bool *taken; /* by slot */
};

static bool differ(const char *a, const char *b)
{
	return a[0] && b[0] && strcmp(a, b) != 0;
}

static bool same(const char *a, const char *b)
{
	return a[0] && strcmp(a, b) == 0;
}

/* What only one device in the world should have; "" for a partition: its disk's is not its own. */
static const char *uuid_of(const struct device *d)
{
	return d->array ? d->array->uuid : "";
}

static bool has_id(const struct device *d)
{
	return d->disk.serial[0] || d->disk.wwn[0] || uuid_of(d)[0];
}

static bool ids_differ(const struct device *a, const struct device *b)
{
	return differ(a->disk.serial, b->disk.serial) || differ(a->disk.wwn, b->disk.wwn) ||
	       differ(a->disk.model, b->disk.model) || differ(uuid_of(a), uuid_of(b));
}

static bool ids_same(const struct device *a, const struct device *b)
{
	return !ids_differ(a, b) &&
	       (same(a->disk.serial, b->disk.serial) || same(a->disk.wwn, b->disk.wwn) ||
		same(uuid_of(a), uuid_of(b)));
}

static bool names_same(const struct device *a, const struct device *b)
{
	return strcmp(a->kernel_name, b->kernel_name) == 0;
}

static bool diskseqs_same(const struct device *a, const struct device *b)
{
	return a->diskseq != UNKNOWN_U64 && a->diskseq == b->diskseq;
}

static bool sizes_differ(const struct device *a, const struct device *b)
{
	return a->size_bytes != b->size_bytes && a->size_bytes != UNKNOWN_U64 &&
	       b->size_bytes != UNKNOWN_U64;
}

static bool numbers_differ(const struct device *a, const struct device *b)
{
	if ((a->major == 0 && a->minor == 0) || (b->major == 0 && b->minor == 0))
		return false; /* not known */
	return a->major != b->major || a->minor != b->minor;
}

/* ---- the proofs ---- */

static bool by_name_and_diskseq(const struct device *was, const struct device *is)
{
	/* A disk's id may be known better by now, but an md device may serve another array. */
	return names_same(was, is) && diskseqs_same(was, is) &&
	       (was->kind == DEVICE_PARTITION) == (is->kind == DEVICE_PARTITION) &&
	       !differ(uuid_of(was), uuid_of(is));
}

static bool by_name_and_id(const struct device *was, const struct device *is)
{
	return was->kind == is->kind && names_same(was, is) && ids_same(was, is);
}

static bool by_id(const struct device *was, const struct device *is)
{
	return was->kind == is->kind && is->kind != DEVICE_PARTITION && ids_same(was, is) &&
	       (is->kind == DEVICE_ARRAY || !sizes_differ(was, is));
}

static bool by_diskseq(const struct device *was, const struct device *is)
{
	return was->kind == is->kind && is->kind != DEVICE_PARTITION && diskseqs_same(was, is) &&
	       !ids_differ(was, is);
}

/* An id that is known on one side only proves nothing over a time when the device was away. */
static bool by_name_and_number(const struct device *was, const struct device *is)
{
	return was->kind == is->kind && names_same(was, is) && !numbers_differ(was, is) &&
	       (was->diskseq == UNKNOWN_U64 || is->diskseq == UNKNOWN_U64) &&
	       !ids_differ(was, is) && (was->present || has_id(was) == has_id(is));
}

static bool (*const proofs[])(const struct device *was, const struct device *is) = {
	by_name_and_diskseq, by_name_and_id, by_id, by_diskseq, by_name_and_number,
};

/* ---- the search ---- */

static bool has_parent(const struct device *d)
{
	return d->kind == DEVICE_PARTITION && d->parent != NO_SLOT;
}

/*
 * The slot that a proof holds for: of those present rather than of those gone, of the newest
 * rather than of older ones.
 */
static int find_slot(const struct matching *m, const struct device *is,
		     bool (*proof)(const struct device *, const struct device *))
{
	int found = NO_SLOT;

	for (size_t slot = 0; slot < m->held->n_devices; slot++) {
		const struct device *was = m->held->devices[slot];

		if (m->taken[slot] || (has_parent(was) && has_parent(is)) || !proof(was, is))
			continue;
		if (found == NO_SLOT || was->present || !m->held->devices[found]->present)
			found = (int)slot;
	}
	return found;
}

/*
 * Mostly nothing has changed, and each device is where it was: with a thousand of them a search for
 * each is not free. Of those present, no two have one name, so a search would find none other.
 */
static bool is_as_before(const struct matching *m, size_t i,
			 bool (*proof)(const struct device *, const struct device *))
{
	const struct device *is = m->fresh->devices[i], *was;

	if (i >= m->held->n_devices || m->taken[i])
		return false;
	was = m->held->devices[i];
	return was->present && names_same(was, is) && !(has_parent(was) && has_parent(is)) &&
	       proof(was, is);
}

static void match_by(struct matching *m,
		     bool (*proof)(const struct device *, const struct device *))
{
	for (size_t i = 0; i < m->fresh->n_devices; i++) {
		int slot = m->slot_of[i];

		if (slot == NO_SLOT && is_as_before(m, i, proof))
			slot = (int)i;
		else if (slot == NO_SLOT)
			slot = find_slot(m, m->fresh->devices[i], proof);
		if (slot == NO_SLOT)
			continue;
		m->slot_of[i] = slot;
		m->taken[slot] = true;
	}
}

/* "1" of sda1 and of nvme0n1p1: it stays when the disk gets another name. */
static const char *partition_number(const struct device *partition)
{
	const char *name = partition->kernel_name, *at = name + strlen(name);

	while (at > name && at[-1] >= '0' && at[-1] <= '9')
		at--;
	return *at ? at : name;
}

static void match_partition(struct matching *m, size_t i)
{
	const struct device *is = m->fresh->devices[i];
	int parent = m->slot_of[is->parent];

	for (size_t slot = 0; parent != NO_SLOT && slot < m->held->n_devices; slot++) {
		const struct device *was = m->held->devices[slot];

		if (m->taken[slot] || !has_parent(was) || was->parent != parent)
			continue;
		if (strcmp(partition_number(was), partition_number(is)) != 0)
			continue;
		m->slot_of[i] = (int)slot;
		m->taken[slot] = true;
		return;
	}
}

static bool may_be_parent(enum device_kind kind, enum device_kind parent)
{
	if (kind == DEVICE_PATH)
		return parent == DEVICE_DISK;
	return kind == DEVICE_PARTITION && (parent == DEVICE_DISK || parent == DEVICE_ARRAY);
}

static void drop_impossible_parents(struct topology *fresh)
{
	for (size_t i = 0; i < fresh->n_devices; i++) {
		struct device *d = fresh->devices[i];

		if (d->parent < 0 || (size_t)d->parent >= fresh->n_devices ||
		    !may_be_parent(d->kind, fresh->devices[d->parent]->kind))
			d->parent = NO_SLOT;
	}
}

/* In a recording a name belongs to one device for ever. */
static void match_names(const struct matching *m)
{
	for (size_t i = 0; i < m->fresh->n_devices; i++) {
		for (size_t slot = 0; slot < m->held->n_devices; slot++) {
			if (strcmp(m->held->devices[slot]->name, m->fresh->devices[i]->name) == 0)
				m->slot_of[i] = (int)slot;
		}
	}
}

void topology_match(const struct topology *held, struct topology *fresh, int *slot_of)
{
	struct matching m = { .held = held, .fresh = fresh, .slot_of = slot_of };

	m.taken = memory_new(held->n_devices, sizeof(m.taken[0]));
	drop_impossible_parents(fresh);
	for (size_t i = 0; i < fresh->n_devices; i++)
		slot_of[i] = NO_SLOT;
	if (fresh->names_hold) {
		match_names(&m);
		free(m.taken);
		return;
	}
	for (size_t k = 0; k < sizeof(proofs) / sizeof(proofs[0]); k++)
		match_by(&m, proofs[k]);
	for (size_t i = 0; i < fresh->n_devices; i++)
		if (slot_of[i] == NO_SLOT && has_parent(fresh->devices[i]))
			match_partition(&m, i);
	free(m.taken);
}
