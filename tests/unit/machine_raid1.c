/*
 * The smallest machine with an array. Its block devices hang on nothing, so that no test here
 * depends on how a disk is attached.
 */
#include "machine_raid1.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "raidtop/text.h"

void raid1_add_block(const struct machine_files *m, const char *name, const char *number)
{
	char path[128], target[128];

	text_format(path, sizeof(path), "sys/block/%s", name);
	text_format(target, sizeof(target), "../devices/virtual/block/%s", name);
	machine_link(m, path, target);
	text_format(path, sizeof(path), VIRTUAL "/%s/dev", name);
	machine_write(m, path, number);
	text_format(path, sizeof(path), VIRTUAL "/%s/size", name);
	machine_write(m, path, "131072\n");
}

static void add_member(const struct machine_files *m, const char *name, const char *slot,
		       const char *state)
{
	char path[128], target[128];

	text_format(path, sizeof(path), MD "/dev-%s/slot", name);
	machine_write(m, path, slot);
	text_format(path, sizeof(path), MD "/dev-%s/state", name);
	machine_write(m, path, state);
	text_format(path, sizeof(path), MD "/dev-%s/block", name);
	text_format(target, sizeof(target), "../../../%s", name);
	machine_link(m, path, target);
	text_format(path, sizeof(path), VIRTUAL "/%s/holders/md0", name);
	machine_link(m, path, "../../md0");
}

static void make_machine(const struct machine_files *m)
{
	raid1_add_block(m, "vda", "254:0\n");
	raid1_add_block(m, "vdb", "254:16\n");
	raid1_add_block(m, "md0", "9:0\n");
	add_member(m, "vda", "0\n", "in_sync\n");
	add_member(m, "vdb", "1\n", "in_sync\n");
	machine_write(m, MD "/level", "raid1\n");
	machine_write(m, MD "/raid_disks", "2\n");
	machine_write(m, MD "/degraded", "0\n");
	machine_write(m, MD "/array_state", "clean\n");
	machine_write(m, MD "/sync_action", "idle\n");
	machine_write(m, MD "/sync_completed", "none\n");
	machine_write(m, MD "/sync_speed", "none\n");
	machine_write(m, "proc/mdstat", HEAD ARRAY TAIL);
	machine_write(m, "proc/diskstats", LINE_VDA LINE_VDB LINE_MD0);
}

void raid1_survey(struct raid1_machine *b)
{
	struct topology fresh;

	machine_survey(b->provider, &fresh);
	topology_adopt(&b->held, &fresh, NULL);
	topology_release(&fresh);
}

void raid1_tick(struct raid1_machine *b)
{
	assert_int_equal(b->provider->ops->sample(b->provider, &b->held, &b->snapshot), 0);
}

bool raid1_is_dirty(const struct raid1_machine *b)
{
	return b->provider->ops->dirty(b->provider);
}

void raid1_init(struct raid1_machine *b, void (*change)(const struct machine_files *m))
{
	machine_make(&b->files);
	make_machine(&b->files);
	if (change)
		change(&b->files);
	b->provider = machine_provider(&b->files);
	topology_init(&b->held);
	snapshot_init(&b->snapshot);
	raid1_survey(b);
}

void raid1_release(struct raid1_machine *b)
{
	snapshot_release(&b->snapshot);
	topology_release(&b->held);
	provider_free(b->provider);
	machine_remove(&b->files);
}

struct array *raid1_array(const struct raid1_machine *b)
{
	int slot = topology_find(&b->held, "md0");

	assert_int_not_equal(slot, NO_SLOT);
	assert_non_null(b->held.devices[slot]->array);
	return b->held.devices[slot]->array;
}

const struct counters *raid1_counters(const struct raid1_machine *b, const char *name)
{
	int slot = topology_find(&b->held, name);

	assert_int_not_equal(slot, NO_SLOT);
	return &b->snapshot.devices[slot];
}
