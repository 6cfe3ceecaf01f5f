/*
 * A storm of hotplug. A made-up machine, whose every device knows who it is, is shaken between
 * surveys: disks are pulled, plugged in again under any name, exchanged for others; arrays are
 * stopped and assembled. After each survey the topology must agree with the machine about who is
 * who, for thousands of surveys and from many seeds.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "raidtop/events.h"
#include "raidtop/text.h"
#include "raidtop/topology.h"

#define DISKS 9
#define PARTITIONS 3 /* on each of the first few disks */
#define PARTITIONED 4
#define ARRAYS 4
#define THINGS (DISKS + PARTITIONS * PARTITIONED + ARRAYS)
#define SEQUENCES 120
#define SURVEYS 60
#define MAX_SLOTS 512
#define MAX_NAMES 48

struct thing {
	enum device_kind kind;
	char id[16]; /* serial or UUID; "": none, so each plugging makes it another */
	bool by_wwn; /* the id is told as WWN */
	int number;  /* of a partition */
	int disk;    /* of a partition: the thing that it lies on */
	bool there;
	char name[16];
	uint64_t diskseq;
	int slot;              /* that this incarnation has, NO_SLOT before its first survey */
	uint64_t seen_diskseq; /* at the last survey */
	char seen_name[16];
	int seen_slot;  /* NO_SLOT: it was not there */
	int members[3]; /* of an array: things */
	int n_members;
};

struct machine {
	struct thing things[THINGS];
	uint64_t last_diskseq;
	bool numbers_disks; /* the kernel is new enough to have diskseq */
	uint64_t random;
	int owner[MAX_SLOTS]; /* by slot: which incarnation it belongs to */
	char names[MAX_SLOTS][MAX_NAMES][DEVICE_NAME_BYTES]; /* by slot: names that it has had */
	struct topology held;
	struct event_log log;
};

static struct machine machine;

static unsigned int chance(struct machine *m, unsigned int below)
{
	m->random ^= m->random << 13;
	m->random ^= m->random >> 7;
	m->random ^= m->random << 17;
	return (unsigned int)(m->random >> 33) % below;
}

/* ---- the machine ---- */

static bool name_is_used(const struct machine *m, const char *name)
{
	for (size_t i = 0; i < THINGS; i++)
		if (m->things[i].there && strcmp(m->things[i].name, name) == 0)
			return true;
	return false;
}

/* As kernels do it mostly the lowest free name, but not always. */
static void give_name(struct machine *m, struct thing *thing)
{
	unsigned int n = chance(m, 4) ? 0 : chance(m, 12);

	do {
		if (thing->kind == DEVICE_ARRAY)
			text_format(thing->name, sizeof(thing->name), "md%u", n);
		else
			text_format(thing->name, sizeof(thing->name), "sd%c", (char)('a' + n));
		n = (n + 1) % 26;
	} while (name_is_used(m, thing->name));
}

static void plug(struct machine *m, struct thing *thing)
{
	if (thing->there)
		return;
	if (thing->kind == DEVICE_PARTITION) {
		struct thing *disk = &m->things[thing->disk];

		if (!disk->there)
			return;
		text_format(thing->name, sizeof(thing->name), "%s%d", disk->name, thing->number);
		thing->diskseq = disk->diskseq;
		thing->there = true;
		return;
	}
	give_name(m, thing);
	thing->there = true;
	thing->diskseq = ++m->last_diskseq;
	if (!thing->id[0])
		thing->slot = NO_SLOT; /* nobody could know that it is the same */
	thing->n_members = 0;
	while (thing->kind == DEVICE_ARRAY && thing->n_members < 3)
		thing->members[thing->n_members++] =
			(int)chance(m, DISKS + PARTITIONS * PARTITIONED);
}

static void unplug(struct machine *m, struct thing *thing)
{
	for (size_t i = 0; i < THINGS; i++) {
		struct thing *part = &m->things[i];

		if (part->kind == DEVICE_PARTITION && &m->things[part->disk] == thing) {
			part->there = false;
			if (!thing->id[0])
				part->slot = NO_SLOT;
		}
	}
	thing->there = false;
}

static void shake(struct machine *m)
{
	for (unsigned int n = chance(m, 5); n > 0; n--) {
		struct thing *thing = &m->things[chance(m, THINGS)];

		if (thing->there)
			unplug(m, thing);
		/* Sometimes back before anybody looks. */
		if (thing->seen_slot == NO_SLOT || chance(m, 3) == 0)
			plug(m, thing);
	}
}

static void set_up(struct machine *m, uint64_t seed)
{
	memset(m, 0, sizeof(*m));
	m->random = seed * 0x9e3779b97f4a7c15 + 1;
	m->numbers_disks = seed % 4 != 0;
	topology_init(&m->held);
	event_log_init(&m->log);
	for (int i = 0; i < THINGS; i++) {
		struct thing *t = &m->things[i];

		t->slot = t->seen_slot = NO_SLOT;
		t->kind = i < DISKS                              ? DEVICE_DISK
			  : i < DISKS + PARTITIONS * PARTITIONED ? DEVICE_PARTITION
								 : DEVICE_ARRAY;
		if (t->kind == DEVICE_PARTITION) {
			t->disk = (i - DISKS) / PARTITIONS;
			t->number = (i - DISKS) % PARTITIONS + 1;
		} else if (!m->numbers_disks || i % 3 != 2) {
			text_format(t->id, sizeof(t->id), "ID%d", i);
			t->by_wwn = i % 2;
		}
	}
	for (int slot = 0; slot < MAX_SLOTS; slot++)
		m->owner[slot] = -1;
}

/* ---- the survey ---- */

static void describe(struct machine *m, struct device *d, const struct thing *thing)
{
	/* udev may not have read the id yet, of one that has not been away since. */
	bool unread = m->numbers_disks && thing->seen_slot != NO_SLOT &&
		      thing->diskseq == thing->seen_diskseq && chance(m, 8) == 0;
	const struct thing *disk =
		thing->kind == DEVICE_PARTITION ? &m->things[thing->disk] : thing;
	char *place = d->array ? d->array->uuid : disk->by_wwn ? d->disk.wwn : d->disk.serial;

	d->major = 8;
	d->minor = (uint32_t)(disk - m->things) * 16 + (uint32_t)thing->number;
	if (m->numbers_disks && thing->kind != DEVICE_PARTITION)
		d->diskseq = thing->diskseq;
	if (!unread)
		text_copy(place, 16, disk->id);
	d->size_bytes = 500000000000;
}

static void add_members(const struct machine *m, struct array *a, const struct thing *thing,
			const int *index)
{
	for (int k = 0; k < thing->n_members; k++) {
		const struct thing *member = &m->things[thing->members[k]];

		array_add_member(a, member->name)->device = index[thing->members[k]];
	}
}

/* What a provider would find, in any order. */
static void take_survey(struct machine *m, struct topology *fresh)
{
	int order[THINGS], index[THINGS];

	topology_init(fresh);
	for (int i = 0; i < THINGS; i++) {
		int k = (int)chance(m, (unsigned int)i + 1);

		order[i] = order[k];
		order[k] = i;
		index[i] = NO_SLOT;
	}
	for (int i = 0; i < THINGS; i++) {
		const struct thing *thing = &m->things[order[i]];

		if (!thing->there)
			continue;
		index[order[i]] = (int)fresh->n_devices;
		describe(m,
			 thing->kind == DEVICE_ARRAY
				 ? topology_add_array(fresh, thing->name)
				 : topology_add_device(fresh, thing->kind, thing->name),
			 thing);
	}
	for (int i = 0; i < THINGS; i++) {
		const struct thing *thing = &m->things[i];

		if (!thing->there)
			continue;
		if (thing->kind == DEVICE_PARTITION)
			fresh->devices[index[i]]->parent = index[thing->disk];
		if (thing->kind == DEVICE_ARRAY)
			add_members(m, fresh->devices[index[i]]->array, thing, index);
	}
}

/* ---- what must hold ---- */

/* An incarnation is a thing, or for one without an id a thing and the diskseq of its disk. */
static int incarnation(const struct machine *m, int i)
{
	const struct thing *thing = &m->things[i];
	const struct thing *disk =
		thing->kind == DEVICE_PARTITION ? &m->things[thing->disk] : thing;

	return disk->id[0] ? i : i + THINGS * (int)disk->diskseq;
}

static void check_names(struct machine *m)
{
	for (size_t a = 0; a < m->held.n_devices; a++) {
		const char *name = m->held.devices[a]->name;
		size_t k = 0;

		assert_true(name[0] != '\0');
		while (k < MAX_NAMES - 1 && m->names[a][k][0] && strcmp(m->names[a][k], name) != 0)
			k++;
		text_copy(m->names[a][k], DEVICE_NAME_BYTES, name);
		for (size_t b = 0; b < m->held.n_devices; b++)
			for (k = 0; k < MAX_NAMES && b != a && m->names[b][k][0]; k++)
				assert_string_not_equal(m->names[b][k], name);
	}
}

static void check_thing(struct machine *m, int i)
{
	struct thing *thing = &m->things[i];
	int slot = topology_find(&m->held, thing->name);
	const struct device *d;

	assert_int_not_equal(slot, NO_SLOT);
	assert_true(slot < MAX_SLOTS);
	d = m->held.devices[slot];
	assert_int_equal(d->kind, thing->kind);
	if (thing->slot != NO_SLOT)
		assert_int_equal(slot, thing->slot); /* it came back to its own */
	if (m->owner[slot] < 0)
		m->owner[slot] = incarnation(m, i);
	assert_int_equal(m->owner[slot], incarnation(m, i)); /* and nobody else's */
	thing->slot = slot;
}

static void check_links(const struct machine *m, int i)
{
	const struct thing *thing = &m->things[i];
	const struct device *d = m->held.devices[thing->slot];

	if (thing->kind == DEVICE_PARTITION)
		assert_int_equal(d->parent, m->things[thing->disk].slot);
	for (int k = 0; k < thing->n_members && thing->kind == DEVICE_ARRAY; k++) {
		const struct thing *member = &m->things[thing->members[k]];

		assert_int_equal(d->array->n_members, thing->n_members);
		if (!member->there)
			continue;
		assert_int_equal(d->array->members[k].device, member->slot);
		assert_string_equal(d->array->members[k].name, m->held.devices[member->slot]->name);
		assert_true(topology_is_member(&m->held, member->slot));
	}
}

static bool was_told(const struct machine *m, uint64_t since, enum event_kind kind, int slot)
{
	for (uint64_t n = since + 1; n <= m->log.last; n++) {
		const struct event *e = event_log_get(&m->log, n);

		assert_non_null(e);
		assert_true(text_is_clean(e->text) && e->text[0]);
		if (e->kind == kind && !e->parent[0] &&
		    strcmp(e->name, m->held.devices[slot]->name) == 0)
			return true;
	}
	return false;
}

/* How many events of that kind tell of whole devices. */
static int count_told(const struct machine *m, uint64_t since, enum event_kind kind)
{
	int n = 0;

	for (uint64_t k = since + 1; k <= m->log.last; k++) {
		const struct event *e = event_log_get(&m->log, k);
		bool partition = e->name[0] == 's' && e->name[3] >= '0' && e->name[3] <= '9';

		n += e->kind == kind && !e->parent[0] && !partition;
	}
	return n;
}

/* Who came and went is told, and nobody else is said to have. */
static void check_events(const struct machine *m, uint64_t since)
{
	int gone = 0, appeared = 0;

	for (int i = 0; i < THINGS; i++) {
		const struct thing *thing = &m->things[i];
		int slot = thing->there ? thing->slot : NO_SLOT;
		bool moved = slot != thing->seen_slot;
		bool anew = m->numbers_disks && thing->diskseq != thing->seen_diskseq;

		if (thing->kind == DEVICE_PARTITION)
			continue;
		gone += thing->seen_slot != NO_SLOT && moved;
		appeared += slot != NO_SLOT &&
			    (moved || anew || strcmp(thing->name, thing->seen_name) != 0);
		if (thing->seen_slot != NO_SLOT)
			assert_int_equal(was_told(m, since, EVENT_GONE, thing->seen_slot), moved);
		if (slot != NO_SLOT)
			assert_int_equal(was_told(m, since, EVENT_APPEARED, slot),
					 moved || anew ||
						 strcmp(thing->name, thing->seen_name) != 0);
	}
	assert_int_equal(count_told(m, since, EVENT_GONE), gone);
	assert_int_equal(count_told(m, since, EVENT_APPEARED), appeared);
}

static void check(struct machine *m)
{
	size_t there = 0, present = 0;

	for (int i = 0; i < THINGS; i++)
		if (m->things[i].there)
			check_thing(m, i);
	for (int i = 0; i < THINGS; i++) {
		if (m->things[i].there)
			check_links(m, i);
		there += m->things[i].there;
	}
	for (size_t slot = 0; slot < m->held.n_devices; slot++)
		present += m->held.devices[slot]->present;
	assert_int_equal(present, there);
	check_names(m);
}

static void adopt_and_check(struct machine *m, bool first)
{
	uint64_t last = m->log.last, generation = m->held.generation;
	struct topology fresh;
	bool changed;

	take_survey(m, &fresh);
	changed = topology_adopt(&m->held, &fresh, &m->log);
	topology_release(&fresh);
	assert_int_equal(m->held.generation, generation + changed);
	check(m);
	if (first)
		assert_int_equal(m->log.last, 0);
	else
		check_events(m, last);
	for (int i = 0; i < THINGS; i++) {
		struct thing *thing = &m->things[i];

		thing->seen_slot = thing->there ? thing->slot : NO_SLOT;
		thing->seen_diskseq = thing->diskseq;
		text_copy(thing->seen_name, sizeof(thing->seen_name), thing->name);
	}

	/* Nothing happened since: nothing may be seen to have. */
	last = m->log.last;
	take_survey(m, &fresh);
	assert_false(topology_adopt(&m->held, &fresh, &m->log));
	topology_release(&fresh);
	assert_int_equal(m->log.last, last);
	check(m);
}

static void slots_and_names_survive(void **state)
{
	size_t surveys = 0, slots = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= SEQUENCES; seed++) {
		set_up(&machine, seed);
		for (int i = 0; i < SURVEYS; i++, surveys++) {
			shake(&machine);
			adopt_and_check(&machine, i == 0);
		}
		slots += machine.held.n_devices;
		topology_release(&machine.held);
	}
	print_message("  %zu surveys, %zu slots given\n", surveys, slots);
	assert_true(slots > SEQUENCES * THINGS / 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(slots_and_names_survive),
	};

	return cmocka_run_group_tests_name("topology storm", tests, NULL, NULL);
}
