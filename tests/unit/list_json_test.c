/* --list --json to the byte: the promise of raidtop.1 to other programs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "app/list.h"
#include "list_machine.h"
#include "raidtop/text.h"
#include "raidtop/topology.h"

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
			\"stripe_cache_size\": null,\n\
			\"stripe_cache_active\": null,\n\
			\"spares\": null,\n\
			\"container\": null,\n\
			\"container_volume\": null,\n\
			\"bitmap_location\": null,\n\
			\"bitmap_chunk_bytes\": null,\n\
			\"journal_mode\": null,\n\
			\"sync_min_bytes_per_sec\": null,\n\
			\"sync_max_bytes_per_sec\": null,\n\
			\"sync_min_is_local\": null,\n\
			\"sync_max_is_local\": null,\n\
			\"reshape_position_bytes\": null\n\
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
			\"stripe_cache_size\": null,\n\
			\"stripe_cache_active\": null,\n\
			\"spares\": null,\n\
			\"container\": null,\n\
			\"container_volume\": null,\n\
			\"bitmap_location\": null,\n\
			\"bitmap_chunk_bytes\": null,\n\
			\"journal_mode\": null,\n\
			\"sync_min_bytes_per_sec\": null,\n\
			\"sync_max_bytes_per_sec\": null,\n\
			\"sync_min_is_local\": null,\n\
			\"sync_max_is_local\": null,\n\
			\"reshape_position_bytes\": null\n\
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
			\"temperature_max_c\": null,\n\
			\"temperature_crit_c\": null,\n\
			\"temperature_why\": null,\n\
			\"asleep\": null,\n\
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
			\"temperature_max_c\": null,\n\
			\"temperature_crit_c\": null,\n\
			\"temperature_why\": null,\n\
			\"asleep\": null,\n\
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
			\"temperature_max_c\": null,\n\
			\"temperature_crit_c\": null,\n\
			\"temperature_why\": null,\n\
			\"asleep\": null,\n\
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
			\"temperature_max_c\": null,\n\
			\"temperature_crit_c\": null,\n\
			\"temperature_why\": null,\n\
			\"asleep\": null,\n\
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
			\"temperature_max_c\": null,\n\
			\"temperature_crit_c\": null,\n\
			\"temperature_why\": null,\n\
			\"asleep\": null,\n\
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
	list_machine(&t);
	list_print_json(&t, &out);
	assert_string_equal(buffer_text(&out), json);
	buffer_release(&out);
	topology_release(&t);
}

static void an_empty_machine(void **state)
{
	struct buffer out = BUFFER_INIT;
	struct topology t;

	(void)state;
	topology_init(&t);
	topology_add_device(&t, DEVICE_DISK, "ram0")->minor_interest = true;
	list_print_json(&t, &out);
	assert_string_equal(buffer_text(&out), "{\n"
					       "\t\"format\": \"raidtop-list\",\n"
					       "\t\"version\": 1,\n"
					       "\t\"host\": null,\n"
					       "\t\"arrays\": [],\n"
					       "\t\"disks\": []\n"
					       "}\n");
	buffer_release(&out);
	topology_release(&t);
}

/* Nothing is cut, and members that point nowhere are harmless. */
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
		array_add_member(a, "x")->device = i % 3 - 1;
	list_print_json(&t, &out);
	assert_non_null(strstr(buffer_text(&out), a->slots));
	assert_true(out.len > sizeof(a->slots) + 1000 * 50);
	buffer_release(&out);
	topology_release(&t);
}

/* A map of two disks, of which one went; a disk stands on nothing, and says nothing of it. */
static void what_a_device_stands_on(void **state)
{
	static const char map[] = "\t\t\t\"name\": \"dm-0\"", after[] = "\t\t\t\"arrays\": [],\n";
	static const char stands[] = "\t\t\t\"stands_on\": [\n\t\t\t\t\"sda\",\n"
				     "\t\t\t\t\"sdc\"\n\t\t\t]\n\t\t}";
	static const char *const names[] = { "sda", "sdb", "sdc", "dm-0" };
	struct buffer out = BUFFER_INIT;
	struct topology t;
	const char *at;

	(void)state;
	topology_init(&t);
	for (size_t i = 0; i < 4; i++)
		topology_add_device(&t, DEVICE_DISK, names[i]);
	for (int i = 0; i < 3; i++)
		topology_add_stand(&t, 3, i);
	t.devices[1]->present = false;
	list_print_json(&t, &out);
	at = strstr(buffer_text(&out), "stands_on");
	assert_non_null(at);
	assert_null(strstr(at + 1, "stands_on"));
	at = strstr(buffer_text(&out), map);
	assert_non_null(at);
	at = strstr(at, after);
	assert_non_null(at);
	assert_memory_equal(at + sizeof(after) - 1, stands, sizeof(stands) - 1);
	buffer_release(&out);
	topology_release(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_object_for_programs),
		cmocka_unit_test(an_empty_machine),
		cmocka_unit_test(a_wide_array),
		cmocka_unit_test(what_a_device_stands_on),
	};

	return cmocka_run_group_tests_name("list json", tests, NULL, NULL);
}
