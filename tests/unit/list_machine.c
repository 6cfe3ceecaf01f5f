/* The machine of list_machine.h, device by device. */
#include "list_machine.h"

#include "raidtop/text.h"

#define SET(place, text) text_copy(place, sizeof(place), text)

static struct device *add_disk(struct topology *t, const char *name, const char *model,
			       const char *serial, int32_t temp_mc)
{
	struct device *d = topology_add_device(t, DEVICE_DISK, name);

	SET(d->disk.model, model);
	SET(d->disk.serial, serial);
	d->size_bytes = 500107862016;
	d->disk.temperature_mc = temp_mc;
	return d;
}

static void add_partition(struct topology *t, const char *name, int disk)
{
	struct device *d = topology_add_device(t, DEVICE_PARTITION, name);

	d->parent = disk;
	d->size_bytes = 250000000000;
}

static struct member *add_member(struct topology *t, struct device *md, const char *name,
				 int32_t slot, enum member_state state)
{
	struct member *m = array_add_member(md->array, name);

	m->device = topology_find(t, name);
	m->slot = slot;
	m->role = state == MEMBER_IN_SYNC ? slot : UNKNOWN_I32;
	m->state = state;
	return m;
}

static void add_raid5(struct topology *t)
{
	struct device *md = topology_add_array(t, "md0");
	struct array *a = md->array;

	SET(a->kind, "md");
	SET(a->level, "raid5");
	SET(a->layout, "left-symmetric");
	SET(a->metadata, "1.2");
	SET(a->slots, "UU_");
	SET(a->uuid, "7d1b4cf2:0a1b2c3d:4e5f6071:8293a4b5");
	SET(a->alias, "backup");
	md->size_bytes = 499999834112;
	a->state = ARRAY_ACTIVE;
	a->chunk_bytes = 524288;
	a->raid_disks = 3;
	a->working = 2;
	a->degraded = 1;
	a->bitmap = TRUTH_YES;
	a->action = (struct action){ .kind = ACTION_RECOVERY,
				     .state = ACTION_RUNNING,
				     .percent_tenths = 431,
				     .done_bytes = 107750000000,
				     .total_bytes = 249999917056,
				     .finish_s = 251,
				     .speed_bytes_per_sec = 184320000 };
	add_member(t, md, "sda1", 0, MEMBER_IN_SYNC);
	add_member(t, md, "sdb1", 1, MEMBER_IN_SYNC)->flags = MEMBER_FLAG_WRITE_MOSTLY;
	add_member(t, md, "sdc1", 3, MEMBER_REBUILDING);
}

/* The other half of sda, a ram disk that an array has, and a member that is not there. */
static void add_raid1(struct topology *t)
{
	struct device *md = topology_add_array(t, "md127");
	struct array *a = md->array;
	struct member *m;

	SET(a->kind, "md");
	SET(a->level, "raid1");
	a->state = ARRAY_ACTIVE;
	a->readonly = ARRAY_AUTO_READ_ONLY;
	a->frozen = TRUTH_YES;
	a->bitmap = TRUTH_NO;
	a->action.kind = ACTION_RESYNC;
	a->action.state = ACTION_PENDING;
	add_member(t, md, "sda2", 0, MEMBER_IN_SYNC);
	m = add_member(t, md, "ram0", UNKNOWN_I32, MEMBER_STATE_UNKNOWN);
	m->flags = MEMBER_FLAG_FAULTY | MEMBER_FLAG_WRITE_MOSTLY;
	add_member(t, md, "", UNKNOWN_I32, MEMBER_MISSING);
}

void list_machine(struct topology *t)
{
	struct device *d;

	topology_init(t);
	SET(t->host, "testbox");
	SET(t->kernel, "Linux 6.1");
	d = add_disk(t, "sda", "WDC WD5000AAKS-00V1A0", "WD-WCAWF1234567", 38400);
	d->disk.rotational = TRUTH_YES;
	SET(d->disk.transport, "sata");
	SET(d->disk.firmware, "05.01D05");
	add_disk(t, "sdb", "ST3500418AS", "6VM0XYZ", 39500);
	/* A name that would clear the screen, and one that is no text. */
	add_disk(t, "sdc", "\x1b[2JEvil\xe2\x80\xae", "\xff\"x\\", UNKNOWN_I32);
	d = add_disk(t, "nvme0n1", "Caf\xc3\xa9 980", "", -1500);
	d->disk.rotational = TRUTH_NO;
	add_partition(t, "sda1", 0);
	add_partition(t, "sda2", 0);
	add_partition(t, "sdb1", 1);
	add_partition(t, "sdc1", 2);
	topology_add_device(t, DEVICE_DISK, "ram0")->minor_interest = true;
	topology_add_device(t, DEVICE_DISK, "ram1")->minor_interest = true;
	topology_add_device(t, DEVICE_DISK, "sdz")->present = false;
	add_raid5(t);
	add_raid1(t);
}
