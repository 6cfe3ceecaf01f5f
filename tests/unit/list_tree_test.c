/* --list as a tree, to the byte: one machine with everything, and the empty ones. */
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

static const char tree_utf8[] =
	"testbox, Linux 6.1\n"
	"\n"
	"md0 (backup)  raid5 left-symmetric  500 GB  [UU_]  active, degraded                "
	"chunk 512K  recovery 43.1 %, 4 min left\n"
	"│ bitmap\n"
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
	"|  bitmap\n"
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
	list_machine(&t);
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
	{ MEMBER_HELD, MEMBER_FLAG_SPARE, "held" },
	{ MEMBER_UNUSED, MEMBER_FLAG_SPARE, "unused" },
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
	buffer_release(&out);
	topology_release(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_tree_for_people), cmocka_unit_test(what_runs_in_words),
		cmocka_unit_test(members_in_words),  cmocka_unit_test(nothing_there_is_explained),
		cmocka_unit_test(a_wide_array),
	};

	return cmocka_run_group_tests_name("list tree", tests, NULL, NULL);
}
