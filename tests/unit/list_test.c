/* --list as text, to the byte: one machine with everything, and the empty ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "app/list.h"
#include "raidtop/text.h"
#include "raidtop/topology.h"

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

static void set_up(struct topology *t)
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

static const char tree_utf8[] =
	"testbox, Linux 6.1\n"
	"\n"
	"md0 (backup)  raid5 left-symmetric  500 GB  [UU_]  active, degraded                "
	"chunk 512K  recovery 43.1 %, 4 min left\n"
	"├ sda1  in sync     [0]  WDC WD5000AAKS-00V1A0  WD-WCAWF1234567  250 GB  38 °C\n"
	"├ sdb1  in sync W   [1]  ST3500418AS            6VM0XYZ          250 GB  40 °C\n"
	"└ sdc1  rebuilding  [3]  ?[2JEvil?              ?\"x\\             250 GB      -\n"
	"md127         raid1                      -  -      active, auto-read-only, frozen  "
	"chunk -     resync pending\n"
	"├ sda2  in sync     [0]  WDC WD5000AAKS-00V1A0  WD-WCAWF1234567  250 GB  38 °C\n"
	"├ ram0  - W F         -  -                      -                     -      -\n"
	"└ -     missing       -  -                      -                     -      -\n"
	"\n"
	"free disks\n"
	"  nvme0n1  Café 980  -  500 GB  -2 °C\n";

static const char tree_ascii[] =
	"testbox, Linux 6.1\n"
	"\n"
	"md0 (backup)  raid5 left-symmetric  466 GiB  [UU_]  active, degraded                "
	"chunk 512K  recovery 43.1 %, 4 min left\n"
	"|- sda1  in sync     [0]  WDC WD5000AAKS-00V1A0  WD-WCAWF1234567  233 GiB  38 C\n"
	"|- sdb1  in sync W   [1]  ST3500418AS            6VM0XYZ          233 GiB  40 C\n"
	"`- sdc1  rebuilding  [3]  ?[2JEvil?              ?\"x\\             233 GiB     -\n"
	"md127         raid1                       -  -      active, auto-read-only, frozen  "
	"chunk -     resync pending\n"
	"|- sda2  in sync     [0]  WDC WD5000AAKS-00V1A0  WD-WCAWF1234567  233 GiB  38 C\n"
	"|- ram0  - W F         -  -                      -                      -     -\n"
	"`- -     missing       -  -                      -                      -     -\n"
	"\n"
	"free disks\n"
	"  nvme0n1  Caf? 980  -  466 GiB  -2 C\n";

static void a_tree_for_people(void **state)
{
	struct buffer out = BUFFER_INIT;
	struct topology t;

	(void)state;
	set_up(&t);
	list_print_tree(&t, UNITS_SI, true, &out);
	assert_string_equal(buffer_text(&out), tree_utf8);
	buffer_reset(&out);
	list_print_tree(&t, UNITS_IEC, false, &out);
	assert_string_equal(buffer_text(&out), tree_ascii);
	buffer_release(&out);
	topology_release(&t);
}

static const struct action_case {
	const char *name;
	struct action action;
	const char *text;
} actions[] = {
	{ "at its start, nothing is known yet",
	  { ACTION_CHECK, ACTION_RUNNING, UNKNOWN_I32, UNKNOWN_U64, UNKNOWN_U64, UNKNOWN_U64,
	    UNKNOWN_U64 },
	  "check - %" },
	{ "stalled: no time left can be told",
	  { ACTION_CHECK, ACTION_STALLED, 7, 0, 0, UNKNOWN_U64, 0 },
	  "check 0.7 %, stalled" },
	{ "delayed", { ACTION_RESYNC, ACTION_DELAYED, UNKNOWN_I32, 0, 0, 0, 0 }, "resync delayed" },
	{ "remote", { ACTION_RESYNC, ACTION_REMOTE, UNKNOWN_I32, 0, 0, 0, 0 }, "resync remote" },
	{ "nearly done",
	  { ACTION_RESHAPE, ACTION_RUNNING, 1000, 0, 0, 0, 0 },
	  "reshape 100.0 %, 0 s left" },
	{ "an absurd estimate",
	  { ACTION_REPAIR, ACTION_RUNNING, 0, 0, 0, UINT64_MAX - 1, 0 },
	  "repair 0.0 %" },
};

static void what_runs_in_words(void **state)
{
	struct buffer out = BUFFER_INIT;

	(void)state;
	for (size_t i = 0; i < sizeof(actions) / sizeof(actions[0]); i++) {
		struct topology t;
		char expected[256];

		print_message("  %s\n", actions[i].name);
		topology_init(&t);
		topology_add_array(&t, "md0")->array->action = actions[i].action;
		topology_add_device(&t, DEVICE_DISK, "sda");
		buffer_reset(&out);
		list_print_tree(&t, UNITS_SI, false, &out);
		text_format(expected, sizeof(expected),
			    "md0  -  -  -  -  chunk -  %s\n\nfree disks\n  sda  -  -  -  -\n",
			    actions[i].text);
		assert_string_equal(buffer_text(&out), expected);
		topology_release(&t);
	}
	buffer_release(&out);
}

static const struct state_case {
	enum member_state state;
	uint32_t flags;
	const char *text;
} member_states[] = {
	{ MEMBER_IN_SYNC, MEMBER_FLAG_WRITE_MOSTLY, "in sync W" },
	{ MEMBER_SPARE, MEMBER_FLAG_SPARE, "spare" },
	{ MEMBER_SPARE, MEMBER_FLAG_SPARE | MEMBER_FLAG_REPLACEMENT, "spare R" },
	{ MEMBER_FAULTY, MEMBER_FLAG_FAULTY | MEMBER_FLAG_WRITE_MOSTLY, "faulty W" },
	{ MEMBER_JOURNAL, MEMBER_FLAG_JOURNAL, "journal" },
	{ MEMBER_MISSING, 0, "missing" },
	{ MEMBER_STATE_UNKNOWN, MEMBER_FLAG_SPARE, "- S" },
	{ MEMBER_REBUILDING, MEMBER_FLAG_SPARE, "rebuilding S" },
};

static void members_in_words(void **state)
{
	struct buffer out = BUFFER_INIT;

	(void)state;
	for (size_t i = 0; i < sizeof(member_states) / sizeof(member_states[0]); i++) {
		struct topology t;
		struct member *m;
		char expected[256];

		print_message("  %s\n", member_states[i].text);
		topology_init(&t);
		m = array_add_member(topology_add_array(&t, "md0")->array, "sda");
		m->state = member_states[i].state;
		m->flags = member_states[i].flags;
		topology_add_device(&t, DEVICE_DISK, "sdb");
		buffer_reset(&out);
		list_print_tree(&t, UNITS_SI, false, &out);
		text_format(expected, sizeof(expected), "\n`- sda  %s  -  -  -  -  -\n",
			    member_states[i].text);
		assert_non_null(strstr(buffer_text(&out), expected));
		topology_release(&t);
	}
	buffer_release(&out);
}

static void nothing_there_is_explained(void **state)
{
	struct buffer out = BUFFER_INIT;
	struct topology t;

	(void)state;
	topology_init(&t);
	list_print_tree(&t, UNITS_SI, true, &out);
	assert_string_equal(
		buffer_text(&out),
		"No RAID array is assembled on this machine.\n"
		"No disk is to be seen here; a container, for one, often shows none.\n");
	buffer_reset(&out);
	topology_add_device(&t, DEVICE_DISK, "ram0")->minor_interest = true;
	topology_add_device(&t, DEVICE_DISK, "sda");
	list_print_tree(&t, UNITS_SI, true, &out);
	assert_string_equal(buffer_text(&out), "No RAID array is assembled on this machine.\n"
					       "\n"
					       "disks\n"
					       "  sda  -  -  -  -\n");
	buffer_reset(&out);
	list_print_json(&t, &out);
	assert_non_null(strstr(buffer_text(&out), "\t\"host\": null,\n\t\"arrays\": [],\n"));
	assert_null(strstr(buffer_text(&out), "ram0"));
	buffer_release(&out);
	topology_release(&t);
}

/* A machine may have a thousand members in one array. */
static void a_wide_array(void **state)
{
	struct buffer out = BUFFER_INIT;
	struct topology t;
	struct array *a;

	(void)state;
	topology_init(&t);
	a = topology_add_array(&t, "md0")->array;
	memset(a->slots, 'U', sizeof(a->slots) - 1);
	for (int i = 0; i < 1000; i++)
		array_add_member(a, "x")->device = i % 3 - 1; /* one of them is out of range */
	list_print_tree(&t, UNITS_SI, false, &out);
	assert_ptr_equal(
		strstr(out.data,
		       "md0  -  -  [UUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUU...]  -  chunk -\n"),
		out.data);
	buffer_reset(&out);
	list_print_json(&t, &out);
	assert_true(out.len > sizeof(a->slots) + 1000 * 50);
	buffer_release(&out);
	topology_release(&t);
}

static const char json[] = "{\n\
	\"format\": \"raidtop-list\",\n\
	\"version\": 1,\n\
	\"host\": \"testbox\",\n\
	\"arrays\": [\n\
		{\n\
			\"name\": \"md0\",\n\
			\"kind\": \"md\",\n\
			\"level\": \"raid5\",\n\
			\"layout\": \"left-symmetric\",\n\
			\"state\": \"active\",\n\
			\"readonly\": null,\n\
			\"size_bytes\": 499999834112,\n\
			\"chunk_bytes\": 524288,\n\
			\"metadata\": \"1.2\",\n\
			\"raid_disks\": 3,\n\
			\"working\": 2,\n\
			\"degraded\": 1,\n\
			\"slots\": \"UU_\",\n\
			\"bitmap\": true,\n\
			\"action\": {\n\
				\"kind\": \"recovery\",\n\
				\"state\": \"running\",\n\
				\"percent\": 43.1,\n\
				\"finish_s\": 251,\n\
				\"speed_bytes_per_sec\": 184320000\n\
			},\n\
			\"members\": [\n\
				{\n\
					\"name\": \"sda1\",\n\
					\"disk\": \"sda\",\n\
					\"slot\": 0,\n\
					\"role\": 0,\n\
					\"flags\": [],\n\
					\"state\": \"in_sync\"\n\
				},\n\
				{\n\
					\"name\": \"sdb1\",\n\
					\"disk\": \"sdb\",\n\
					\"slot\": 1,\n\
					\"role\": 1,\n\
					\"flags\": [\n\
						\"W\"\n\
					],\n\
					\"state\": \"in_sync\"\n\
				},\n\
				{\n\
					\"name\": \"sdc1\",\n\
					\"disk\": \"sdc\",\n\
					\"slot\": 3,\n\
					\"role\": null,\n\
					\"flags\": [],\n\
					\"state\": \"rebuilding\"\n\
				}\n\
			],\n\
			\"uuid\": \"7d1b4cf2:0a1b2c3d:4e5f6071:8293a4b5\",\n\
			\"alias\": \"backup\",\n\
			\"consistency_policy\": null,\n\
			\"frozen\": null,\n\
			\"raid_disks_before\": null,\n\
			\"mismatch_count\": null,\n\
			\"stripe_cache_size\": null\n\
		},\n\
		{\n\
			\"name\": \"md127\",\n\
			\"kind\": \"md\",\n\
			\"level\": \"raid1\",\n\
			\"layout\": null,\n\
			\"state\": \"active\",\n\
			\"readonly\": \"auto-read-only\",\n\
			\"size_bytes\": null,\n\
			\"chunk_bytes\": null,\n\
			\"metadata\": null,\n\
			\"raid_disks\": null,\n\
			\"working\": null,\n\
			\"degraded\": null,\n\
			\"slots\": null,\n\
			\"bitmap\": false,\n\
			\"action\": {\n\
				\"kind\": \"resync\",\n\
				\"state\": \"pending\",\n\
				\"percent\": null,\n\
				\"finish_s\": null,\n\
				\"speed_bytes_per_sec\": null\n\
			},\n\
			\"members\": [\n\
				{\n\
					\"name\": \"sda2\",\n\
					\"disk\": \"sda\",\n\
					\"slot\": 0,\n\
					\"role\": 0,\n\
					\"flags\": [],\n\
					\"state\": \"in_sync\"\n\
				},\n\
				{\n\
					\"name\": \"ram0\",\n\
					\"disk\": \"ram0\",\n\
					\"slot\": null,\n\
					\"role\": null,\n\
					\"flags\": [\n\
						\"W\",\n\
						\"F\"\n\
					],\n\
					\"state\": null\n\
				},\n\
				{\n\
					\"name\": null,\n\
					\"disk\": null,\n\
					\"slot\": null,\n\
					\"role\": null,\n\
					\"flags\": [],\n\
					\"state\": \"missing\"\n\
				}\n\
			],\n\
			\"uuid\": null,\n\
			\"alias\": null,\n\
			\"consistency_policy\": null,\n\
			\"frozen\": true,\n\
			\"raid_disks_before\": null,\n\
			\"mismatch_count\": null,\n\
			\"stripe_cache_size\": null\n\
		}\n\
	],\n\
	\"disks\": [\n\
		{\n\
			\"name\": \"sda\",\n\
			\"model\": \"WDC WD5000AAKS-00V1A0\",\n\
			\"serial\": \"WD-WCAWF1234567\",\n\
			\"firmware\": \"05.01D05\",\n\
			\"size_bytes\": 500107862016,\n\
			\"rotational\": true,\n\
			\"transport\": \"sata\",\n\
			\"temperature_c\": 38.4,\n\
			\"arrays\": [\n\
				\"md0\",\n\
				\"md127\"\n\
			]\n\
		},\n\
		{\n\
			\"name\": \"sdb\",\n\
			\"model\": \"ST3500418AS\",\n\
			\"serial\": \"6VM0XYZ\",\n\
			\"firmware\": null,\n\
			\"size_bytes\": 500107862016,\n\
			\"rotational\": null,\n\
			\"transport\": null,\n\
			\"temperature_c\": 39.5,\n\
			\"arrays\": [\n\
				\"md0\"\n\
			]\n\
		},\n\
		{\n\
			\"name\": \"sdc\",\n\
			\"model\": \"\\u001b[2JEvil\\u202e\",\n\
			\"serial\": \"\xef\xbf\xbd\\\"x\\\\\",\n\
			\"firmware\": null,\n\
			\"size_bytes\": 500107862016,\n\
			\"rotational\": null,\n\
			\"transport\": null,\n\
			\"temperature_c\": null,\n\
			\"arrays\": [\n\
				\"md0\"\n\
			]\n\
		},\n\
		{\n\
			\"name\": \"nvme0n1\",\n\
			\"model\": \"Caf\xc3\xa9 980\",\n\
			\"serial\": null,\n\
			\"firmware\": null,\n\
			\"size_bytes\": 500107862016,\n\
			\"rotational\": false,\n\
			\"transport\": null,\n\
			\"temperature_c\": -1.5,\n\
			\"arrays\": []\n\
		},\n\
		{\n\
			\"name\": \"ram0\",\n\
			\"model\": null,\n\
			\"serial\": null,\n\
			\"firmware\": null,\n\
			\"size_bytes\": null,\n\
			\"rotational\": null,\n\
			\"transport\": null,\n\
			\"temperature_c\": null,\n\
			\"arrays\": [\n\
				\"md127\"\n\
			]\n\
		}\n\
	]\n\
}\n";

static void an_object_for_programs(void **state)
{
	struct buffer out = BUFFER_INIT;
	struct topology t;

	(void)state;
	set_up(&t);
	list_print_json(&t, &out);
	assert_string_equal(buffer_text(&out), json);
	buffer_release(&out);
	topology_release(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_tree_for_people),          cmocka_unit_test(what_runs_in_words),
		cmocka_unit_test(nothing_there_is_explained), cmocka_unit_test(a_wide_array),
		cmocka_unit_test(an_object_for_programs),
	};

	return cmocka_run_group_tests_name("list", tests, NULL, NULL);
}
