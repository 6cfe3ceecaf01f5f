/* /proc/mdstat in the shapes that the kernel prints, and what becomes of them in the topology. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "provider/linux/mdstat.h"
#include "raidtop/memory.h"
#include "raidtop/text.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))
#define NONE UNKNOWN_U64
#define HEAD "Personalities : [raid1] [raid6] [raid5] [raid4] \n"
#define TAIL "unused devices: <none>\n"

static void parse(struct mdstat *m, const char *text)
{
	size_t len = strlen(text);
	char *exact = memory_new(len ? len : 1, 1); /* a read beyond its end is found */

	memcpy(exact, text, len);
	mdstat_parse(m, exact, len);
	free(exact);
}

/* ---- one array in all its shapes ---- */

static const struct shape {
	const char *name, *text;
	const char *members; /* "sda1:0: sdb1:1:F" */
	enum array_state state;
	enum array_readonly readonly;
	const char *level, *super, *layout, *map;
	uint64_t size_kib, chunk_kib, raid_disks, working;
	enum truth bitmap;
} shapes[] = {
	{ "raid1",
	  "md0 : active raid1 vdb[1] vda[0]\n      523264 blocks super 1.2 [2/2] [UU]\n      \n",
	  "vdb:1: vda:0:", ARRAY_ACTIVE, ARRAY_READ_WRITE, "raid1", "1.2", "", "UU", 523264, NONE,
	  2, 2, TRUTH_NO },
	{ "degraded, 0.90, bitmap",
	  "md0 : active raid1 vdb1[1](W) vda1[2](F)\n      523264 blocks [2/1] [_U]\n"
	  "      bitmap: 1/1 pages [4KB], 65536KB chunk\n\n",
	  "vdb1:1:W vda1:2:F", ARRAY_ACTIVE, ARRAY_READ_WRITE, "raid1", "", "", "_U", 523264, NONE,
	  2, 1, TRUTH_YES },
	{ "raid5 with spare and journal, read-only",
	  "md5 : active (read-only) raid5 vdf[5](J) vde[4](S) vdd[3] vdc[1] vdb[0]\n"
	  "      1046528 blocks super 1.2 level 5, 64k chunk, algorithm 2 [3/3] [UUU]\n      \n",
	  "vdf:5:J vde:4:S vdd:3: vdc:1: vdb:0:", ARRAY_ACTIVE, ARRAY_READ_ONLY, "raid5", "1.2",
	  "algorithm 2", "UUU", 1046528, 64, 3, 3, TRUTH_NO },
	{ "raid6, auto-read-only",
	  "md6 : active (auto-read-only) raid6 vde[3] vdd[2] vdc[1] vdb[0]\n"
	  "      1046528 blocks super 1.1 level 6, 512k chunk, algorithm 18 [4/4] [UUUU]\n"
	  "      \tresync=PENDING\n      \n",
	  "vde:3: vdd:2: vdc:1: vdb:0:", ARRAY_ACTIVE, ARRAY_AUTO_READ_ONLY, "raid6", "1.1",
	  "algorithm 18", "UUUU", 1046528, 512, 4, 4, TRUTH_NO },
	{ "raid10, near",
	  "md10 : active raid10 vdd[2] vdc[1] vdb[0]\n"
	  "      784896 blocks super 1.2 512K chunks 2 near-copies [3/3] [UUU]\n      \n",
	  "vdd:2: vdc:1: vdb:0:", ARRAY_ACTIVE, ARRAY_READ_WRITE, "raid10", "1.2", "2 near-copies",
	  "UUU", 784896, 512, 3, 3, TRUTH_NO },
	{ "raid10 of mirrors only: no chunk",
	  "md10 : active raid10 vdc[1] vdb[0]\n"
	  "      523264 blocks super 1.2 2 near-copies [2/2] [UU]\n"
	  "      \n",
	  "vdc:1: vdb:0:", ARRAY_ACTIVE, ARRAY_READ_WRITE, "raid10", "1.2", "2 near-copies", "UU",
	  523264, NONE, 2, 2, TRUTH_NO },
	{ "raid10, offset, in sets",
	  "md10 : active raid10 vde[3] vdd[2] vdc[1] vdb[0]\n"
	  "      1046528 blocks super 1.2 64K chunks 2 offset-copies 2 devices per set"
	  " [4/4] [UUUU]\n",
	  "vde:3: vdd:2: vdc:1: vdb:0:", ARRAY_ACTIVE, ARRAY_READ_WRITE, "raid10", "1.2",
	  "2 offset-copies 2 devices per set", "UUUU", 1046528, 64, 4, 4, TRUTH_NO },
	{ "raid0: no map (BUGS 1, 15, 18)",
	  "md0 : active raid0 vdc[1] vdb[0]\n"
	  "      1046528 blocks super 1.2 512k chunks\n      \n",
	  "vdc:1: vdb:0:", ARRAY_ACTIVE, ARRAY_READ_WRITE, "raid0", "1.2", "", "", 1046528, 512,
	  NONE, NONE, TRUTH_NO },
	{ "linear",
	  "md1 : active linear vdc[1] vdb[0]\n"
	  "      1046528 blocks super 1.2 64k rounding\n      \n",
	  "vdc:1: vdb:0:", ARRAY_ACTIVE, ARRAY_READ_WRITE, "linear", "1.2", "64k rounding", "",
	  1046528, NONE, NONE, NONE, TRUTH_NO },
	{ "broken raid0", "md0 : broken raid0 vdb[0]\n      1046528 blocks super 1.2 512k chunks\n",
	  "vdb:0:", ARRAY_BROKEN, ARRAY_READ_WRITE, "raid0", "1.2", "", "", 1046528, 512, NONE,
	  NONE, TRUTH_NO },
	{ "inactive: no level, all spares (BUGS 17)",
	  "md127 : inactive vdc[1](S) vdb[0](S)\n      6320 blocks super external:imsm\n       \n",
	  "vdc:1:S vdb:0:S", ARRAY_INACTIVE, ARRAY_READ_WRITE, "", "external:imsm", "", "", 6320,
	  NONE, NONE, NONE, TRUTH_NO },
	{ "no disks at all", "md127 : inactive super non-persistent\n       \n", "", ARRAY_INACTIVE,
	  ARRAY_READ_WRITE, "", "non-persistent", "", "", NONE, NONE, NONE, NONE, TRUTH_NO },
	{ "two flags (BUGS 8, 9), working above count",
	  "md0 : active raid1 vdc[3](W)(R) vdb[0](W)(F)\n"
	  "      9 blocks super 1.0 [2/3] [UU]\n",
	  "vdc:3:WR vdb:0:WF", ARRAY_ACTIVE, ARRAY_READ_WRITE, "raid1", "1.0", "", "UU", 9, NONE, 2,
	  3, TRUTH_NO },
	{ "names with '/', '-' and '.'; a number not given",
	  "md_d0 : active raid1 cciss/c0d0p1[-1](S) dm-0[0] etherd/e1.0[1]\n"
	  "      9 blocks [2/2] [UU]\n",
	  "cciss/c0d0p1:-1:S dm-0:0: etherd/e1.0:1:", ARRAY_ACTIVE, ARRAY_READ_WRITE, "raid1", "",
	  "", "UU", 9, NONE, 2, 2, TRUTH_NO },
	{ "lines broken by a mail program",
	  "md5 : active raid5 vdd[3]\nvdc[1] vdb[0]\n"
	  "  9 blocks super 1.2 level 5, 64k chunk, algorithm\n"
	  "2 [3/2]\n[UU_]\n",
	  "vdd:3: vdc:1: vdb:0:", ARRAY_ACTIVE, ARRAY_READ_WRITE, "raid5", "1.2", "algorithm 2",
	  "UU_", 9, 64, 3, 2, TRUTH_NO },
	{ "a word broken in two is not guessed",
	  "md5 : active raid5 vdb[0]\n  9 blocks super 1.2 level 5, 1\n"
	  "28k chunk, algorithm 2 [3/2]\n",
	  "vdb:0:", ARRAY_ACTIVE, ARRAY_READ_WRITE, "raid5", "1.2", "", "", 9, NONE, NONE, NONE,
	  TRUTH_NO },
	{ "a word that is not known, but the brackets are",
	  "md5 : active raid5 vdb[0]\n  9 blocks super 1.2 level 5, new 64k chunk [3/2] [UU_]\n",
	  "vdb:0:", ARRAY_ACTIVE, ARRAY_READ_WRITE, "raid5", "1.2", "", "UU_", 9, NONE, 3, 2,
	  TRUTH_NO },
	{ "a level that is not known", "md5 : active raid7 vdb[0]\n  9 blocks super 1.2\n",
	  "vdb:0:", ARRAY_ACTIVE, ARRAY_READ_WRITE, "", "1.2", "", "", 9, NONE, NONE, NONE,
	  TRUTH_NO },
	{ "a line that is not known",
	  "md0 : active raid1 vdb[0]\n      9 blocks [2/1] [U_]\n"
	  "      dust: vdc[7] [9/9] [UUU]\n",
	  "vdb:0:", ARRAY_ACTIVE, ARRAY_READ_WRITE, "raid1", "", "", "U_", 9, NONE, 2, 1,
	  TRUTH_NO },
};

static void format_members(char *text, size_t size, const struct mdstat_array *a)
{
	text[0] = '\0';
	for (size_t i = 0; i < a->n_members; i++) {
		size_t len = strlen(text);

		assert_true(text_format(text + len, size - len, "%s%s:%d:%s", i ? " " : "",
					a->members[i].name, a->members[i].number,
					a->members[i].flags));
	}
}

static void assert_shape(const struct shape *s, const struct mdstat_array *a)
{
	char members[512];

	format_members(members, sizeof(members), a);
	assert_string_equal(members, s->members);
	assert_int_equal(a->state, s->state);
	assert_int_equal(a->readonly, s->readonly);
	assert_string_equal(a->level, s->level);
	assert_string_equal(a->super, s->super);
	assert_string_equal(a->layout, s->layout);
	assert_string_equal(a->map, s->map);
	assert_int_equal(a->size_kib, s->size_kib);
	assert_int_equal(a->chunk_kib, s->chunk_kib);
	assert_int_equal(a->raid_disks, s->raid_disks);
	assert_int_equal(a->working, s->working);
	assert_int_equal(a->bitmap.present, s->bitmap);
}

static void arrays_are_read_in_all_shapes(void **state)
{
	struct mdstat m;

	(void)state;
	mdstat_init(&m);
	for (size_t i = 0; i < COUNT(shapes); i++) {
		char text[1024];

		print_message("  %s\n", shapes[i].name);
		assert_true(text_format(text, sizeof(text), HEAD "%s" TAIL, shapes[i].text));
		parse(&m, text);
		assert_int_equal(m.n_arrays, 1);
		assert_int_equal(m.n_personalities, 4);
		assert_true(m.has_unused);
		assert_shape(&shapes[i], &m.arrays[0]);
	}
	mdstat_release(&m);
}

/* All of them in one text: none takes from its neighbours. */
static void arrays_do_not_mix(void **state)
{
	struct buffer text = BUFFER_INIT;
	struct mdstat m;

	(void)state;
	mdstat_init(&m);
	buffer_add_text(&text, HEAD);
	for (size_t i = 0; i < COUNT(shapes); i++)
		buffer_add_text(&text, shapes[i].text);
	for (int round = 0; round < 2; round++) { /* the second time in used memory */
		parse(&m, buffer_text(&text));
		assert_int_equal(m.n_arrays, COUNT(shapes));
		for (size_t i = 0; i < COUNT(shapes); i++)
			assert_shape(&shapes[i], &m.arrays[i]);
	}
	buffer_release(&text);
	mdstat_release(&m);
}

/* ---- what runs ---- */

#define MD0 "md0 : active raid1 vdb[1] vda[0]\n      4096 blocks super 1.2 [2/1] [U_]\n"
#define BAR "      [=>...................]  "

static const struct action_case {
	const char *name, *text;
	enum action_kind kind;
	enum action_state state;
	int32_t percent_tenths;
	uint64_t done, total, finish_s, speed; /* bytes, seconds, bytes per second */
} action_cases[] = {
	{ "none", MD0, ACTION_NONE, ACTION_RUNNING, UNKNOWN_I32, NONE, NONE, NONE, NONE },
	{ "recovery", MD0 BAR "recovery =  8.5% (348/4096) finish=17.1min speed=25000K/sec\n",
	  ACTION_RECOVERY, ACTION_RUNNING, 85, 348 * 1024, 4096 * 1024, 1026, 25000 * 1024 },
	{ "check at its end", MD0 BAR "check =100.0% (4096/4096) finish=0.0min speed=25000K/sec\n",
	  ACTION_CHECK, ACTION_RUNNING, 1000, 4096 * 1024, 4096 * 1024, 0, 25000 * 1024 },
	{ "more than all", MD0 BAR "resync =292.8% (8192/4096) finish=1.0min speed=1K/sec\n",
	  ACTION_RESYNC, ACTION_RUNNING, 1000, 8192 * 1024, 4096 * 1024, 60, 1024 },
	{ "reshape that stands (BUGS 26)",
	  MD0 BAR "reshape =  0.0% (1/4096) finish=25176161501.3min speed=0K/sec\n", ACTION_RESHAPE,
	  ACTION_STALLED, 0, 1024, 4096 * 1024, NONE, 0 },
	{ "slow, but it moves",
	  MD0 BAR "resync =  1.0% (41/4096) finish=10844512.0min speed=1K/sec\n", ACTION_RESYNC,
	  ACTION_RUNNING, 10, 41 * 1024, 4096 * 1024, 650670720, 1024 },
	{ "delayed", MD0 "      \tresync=DELAYED\n", ACTION_RESYNC, ACTION_DELAYED, UNKNOWN_I32,
	  NONE, NONE, NONE, NONE },
	{ "pending (BUGS 2)", MD0 "      \tresync=PENDING\n", ACTION_RESYNC, ACTION_PENDING,
	  UNKNOWN_I32, NONE, NONE, NONE, NONE },
	{ "remote", MD0 "\trecover=REMOTE\n", ACTION_RECOVERY, ACTION_REMOTE, UNKNOWN_I32, NONE,
	  NONE, NONE, NONE },
	{ "remote reshape", MD0 "\treshape=REMOTE\n", ACTION_RESHAPE, ACTION_REMOTE, UNKNOWN_I32,
	  NONE, NONE, NONE, NONE },
	{ "a bitmap is no progress (BUGS 13)", MD0 "      bitmap: 2/2 pages [8KB], 65536KB chunk\n",
	  ACTION_NONE, ACTION_RUNNING, UNKNOWN_I32, NONE, NONE, NONE, NONE },
	{ "a word that no kernel prints", MD0 BAR "polish =  8.5% (348/4096) finish=1.0min\n",
	  ACTION_NONE, ACTION_RUNNING, UNKNOWN_I32, NONE, NONE, NONE, NONE },
	{ "cut within the number", MD0 BAR "check =  8.5% (34", ACTION_CHECK, ACTION_RUNNING, 85,
	  NONE, NONE, NONE, NONE },
	{ "numbers that do not fit",
	  MD0 BAR "check =  8.5% (18446744073709551615/99999999999999999999) finish=-1.0min "
		  "speed=18446744073709551615K/sec\n",
	  ACTION_CHECK, ACTION_RUNNING, 85, NONE, NONE, NONE, NONE },
};

static void actions_are_read_and_judged(void **state)
{
	struct mdstat m;

	(void)state;
	mdstat_init(&m);
	for (size_t i = 0; i < COUNT(action_cases); i++) {
		const struct action_case *c = &action_cases[i];
		struct action a;

		print_message("  %s\n", c->name);
		parse(&m, c->text);
		assert_int_equal(m.n_arrays, 1);
		mdstat_fill_action(&m.arrays[0], &a);
		assert_int_equal(a.kind, c->kind);
		assert_int_equal(a.state, c->state);
		assert_int_equal(a.percent_tenths, c->percent_tenths);
		assert_int_equal(a.done_bytes, c->done);
		assert_int_equal(a.total_bytes, c->total);
		assert_int_equal(a.finish_s, c->finish_s);
		assert_int_equal(a.speed_bytes_per_sec, c->speed);
	}
	mdstat_release(&m);
}

static void bitmaps_are_read(void **state)
{
	static const struct {
		const char *line;
		uint64_t pages, total, kib, chunk_bytes;
		const char *file;
	} cases[] = {
		{ "bitmap: 3/157 pages [12KB], 65536KB chunk\n", 3, 157, 12, 65536 * 1024, "" },
		{ "bitmap: 0/1 pages [0KB], 512B chunk, file: /var/my\\040map\n", 0, 1, 0, 512,
		  "/var/my\\040map" },
		{ "bitmap: 0/1 pages [0KB], 512B chunk, file: /var/my", 0, 1, 0, 512,
		  "" }, /* cut */
		{ "bitmap: x/1 leaves\n", NONE, NONE, NONE, NONE, "" },
	};
	struct mdstat m;

	(void)state;
	mdstat_init(&m);
	for (size_t i = 0; i < COUNT(cases); i++) {
		const struct mdstat_bitmap *b;
		char text[512];

		assert_true(text_format(text, sizeof(text), MD0 "      %s", cases[i].line));
		parse(&m, text);
		b = &m.arrays[0].bitmap;
		assert_int_equal(b->present, TRUTH_YES);
		assert_int_equal(b->pages, cases[i].pages);
		assert_int_equal(b->pages_total, cases[i].total);
		assert_int_equal(b->kib, cases[i].kib);
		assert_int_equal(b->chunk_bytes, cases[i].chunk_bytes);
		assert_string_equal(b->file, cases[i].file);
	}
	mdstat_release(&m);
}

/* ---- texts that are none ---- */

static void texts_without_arrays(void **state)
{
	static const char *const texts[] = {
		"",
		"\n",
		"Personalities : \nunused devices: <none>\n",
		/* Unraid has its own md driver, and its own text under this name: BUGS 4 */
		"sbName=/boot/config/super.dat\nmdState=STARTED\nmdNumDisks=4\ndiskName.0=md1\n",
		"md0 : sleeping raid1 vda[0]\n      9 blocks [2/1] [U_]\n",
		"md0: active raid1 vda[0]\n",
		"sda : active raid1 vda[0]\n",
		"      9 blocks [2/1] [U_]\n      resync=DELAYED\n      bitmap: 1/1 pages [4KB]\n",
		"md0 : act",
		"\001\002\003 md0\033 : active raid1\n",
	};
	struct mdstat m;

	(void)state;
	mdstat_init(&m);
	for (size_t i = 0; i < COUNT(texts); i++) {
		parse(&m, texts[i]);
		assert_int_equal(m.n_arrays, 0);
		assert_null(mdstat_find(&m, "md0"));
	}
	mdstat_release(&m);
}

static void control_characters_do_not_come_through(void **state)
{
	struct mdstat m;

	(void)state;
	mdstat_init(&m);
	parse(&m,
	      "md0 : active raid1 vd\033[2Ja[0] vdb[1]\n      9 blocks super \033]0;x [2/1] [U_]\n"
	      "md_\177 : active raid1\nmd1 : active raid1 vdc[0]\n");
	assert_int_equal(m.n_arrays, 2);
	assert_int_equal(m.arrays[0].n_members, 0);
	assert_string_equal(m.arrays[0].super, "");
	assert_string_equal(m.arrays[1].name, "md1");
	assert_int_equal(m.arrays[1].n_members, 1);
	mdstat_release(&m);
}

static void names_that_are_too_long_are_left_out(void **state)
{
	char name[DEVICE_NAME_BYTES + 1], text[512];
	struct mdstat m;

	(void)state;
	mdstat_init(&m);
	memset(name, 'n', sizeof(name));
	name[DEVICE_NAME_BYTES] = '\0';
	assert_true(text_format(text, sizeof(text), "md0 : active raid1 %s[0] %s[1]\n", name,
				name + 1));
	parse(&m, text);
	assert_int_equal(m.arrays[0].n_members, 1);
	assert_string_equal(m.arrays[0].members[0].name, name + 1);
	assert_int_equal(m.arrays[0].members[0].number, 1);
	mdstat_release(&m);
}

static void bounds_hold(void **state)
{
	struct buffer text = BUFFER_INIT;
	struct mdstat m;

	(void)state;
	mdstat_init(&m);
	buffer_add_text(&text, "md0 : active raid1");
	for (int i = 0; i < MDSTAT_MAX_MEMBERS + 9; i++)
		buffer_format(&text, " v%d[%d]", i, i);
	buffer_add_text(&text, "\n      9 blocks [2/2] [");
	for (int i = 0; i < 5000; i++)
		buffer_add_char(&text, 'U');
	buffer_add_text(&text, "]\n");
	for (int i = 1; i < MDSTAT_MAX_ARRAYS + 9; i++)
		buffer_format(&text, "md%d : active raid0 a[0]\n", i);
	parse(&m, buffer_text(&text));
	assert_int_equal(m.arrays[0].n_members, MDSTAT_MAX_MEMBERS);
	assert_string_equal(m.arrays[0].map, "");
	assert_int_equal(m.n_arrays, MDSTAT_MAX_ARRAYS);
	assert_int_equal(m.arrays[MDSTAT_MAX_ARRAYS - 1].n_members, 1);
	buffer_release(&text);
	mdstat_release(&m);
}

/* ---- into the topology ---- */

static struct device *fill(struct topology *t, struct mdstat *m, const char *text)
{
	struct device *d;

	topology_init(t);
	topology_add_device(t, DEVICE_DISK, "vda");
	topology_add_device(t, DEVICE_DISK, "vdb");
	mdstat_init(m);
	parse(m, text);
	assert_int_equal(m->n_arrays, 1);
	d = topology_add_array(t, m->arrays[0].name);
	mdstat_fill_array(&m->arrays[0], t, d);
	return d;
}

static void drop(struct topology *t, struct mdstat *m)
{
	topology_release(t);
	mdstat_release(m);
}

static void an_array_is_filled(void **state)
{
	const struct member *member;
	struct topology t;
	struct device *d;
	struct mdstat m;

	(void)state;
	d = fill(&t, &m,
		 "md5 : active (read-only) raid5 vdb[3](F) vda[0](W) vdc[1]\n"
		 "      1046528 blocks super 1.2 level 5, 64k chunk, algorithm 2 [3/2] [UU_]\n"
		 "      \tresync=DELAYED\n      bitmap: 1/1 pages [4KB], 65536KB chunk\n\n");
	assert_int_equal(d->size_bytes, UINT64_C(1046528) * 1024);
	assert_string_equal(d->array->kind, "md");
	assert_string_equal(d->array->level, "raid5");
	assert_string_equal(d->array->layout, "left-symmetric");
	assert_string_equal(d->array->metadata, "1.2");
	assert_string_equal(d->array->slots, "UU_");
	assert_int_equal(d->array->state, ARRAY_ACTIVE);
	assert_int_equal(d->array->readonly, ARRAY_READ_ONLY);
	assert_int_equal(d->array->chunk_bytes, 65536);
	assert_int_equal(d->array->raid_disks, 3);
	assert_int_equal(d->array->working, 2);
	assert_int_equal(d->array->degraded, 1);
	assert_int_equal(d->array->bitmap, TRUTH_YES);
	assert_int_equal(d->array->action.state, ACTION_DELAYED);
	assert_int_equal(d->array->n_members, 3);
	member = &d->array->members[0];
	assert_string_equal(member->name, "vdb");
	assert_int_equal(member->device, 1);
	assert_int_equal(member->slot, 3);
	assert_int_equal(member->role, UNKNOWN_I32);
	assert_int_equal(member->flags, MEMBER_FLAG_FAULTY);
	assert_int_equal(member->state, MEMBER_FAULTY);
	assert_int_equal(d->array->members[1].flags, MEMBER_FLAG_WRITE_MOSTLY);
	assert_int_equal(d->array->members[1].state, MEMBER_IN_SYNC);
	assert_int_equal(d->array->members[2].device, NO_SLOT);
	mdstat_fill_array(&m.arrays[0], &t, d); /* again: no member twice */
	assert_int_equal(d->array->n_members, 3);
	drop(&t, &m);
}

static void nothing_is_derived_where_nothing_is_printed(void **state)
{
	static const char *const texts[] = {
		"md0 : active raid0 vdb[1] vda[0]\n      1046528 blocks super 1.2 512k chunks\n",
		"md0 : active linear vdb[1] vda[0]\n      1046528 blocks super 1.2 0k rounding\n",
	};

	(void)state;
	for (size_t i = 0; i < COUNT(texts); i++) {
		struct topology t;
		struct mdstat m;
		const struct array *a = fill(&t, &m, texts[i])->array;

		assert_int_equal(a->raid_disks, UNKNOWN_U64);
		assert_int_equal(a->working, UNKNOWN_U64);
		assert_int_equal(a->degraded, UNKNOWN_U64);
		assert_string_equal(a->slots, "");
		assert_string_equal(a->layout, "");
		assert_int_equal(a->chunk_bytes, i == 0 ? 524288 : UNKNOWN_U64);
		assert_int_equal(a->members[0].state, MEMBER_IN_SYNC); /* or nothing would work */
		drop(&t, &m);
	}
}

static void a_size_beyond_64_bits_is_unknown(void **state)
{
	static const struct {
		const char *blocks;
		uint64_t bytes;
	} cases[] = {
		{ "18014398509481983", UINT64_C(18014398509481983) * 1024 },
		{ "18014398509481984", UNKNOWN_U64 },
		{ "18446744073709551615", UNKNOWN_U64 },
		{ "99999999999999999999", UNKNOWN_U64 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		char text[200];
		struct topology t;
		struct mdstat m;

		text_format(text, sizeof(text),
			    "md0 : active raid0 vda[0]\n      %s blocks super 1.2\n",
			    cases[i].blocks);
		assert_int_equal(fill(&t, &m, text)->size_bytes, cases[i].bytes);
		drop(&t, &m);
	}
}

static void layouts_have_names(void **state)
{
	static const struct {
		const char *level, *printed, *name;
	} cases[] = {
		{ "raid5", "level 5, 64k chunk, algorithm 0", "left-asymmetric" },
		{ "raid5", "level 5, 64k chunk, algorithm 1", "right-asymmetric" },
		{ "raid5", "level 5, 64k chunk, algorithm 2", "left-symmetric" },
		{ "raid5", "level 5, 64k chunk, algorithm 3", "right-symmetric" },
		{ "raid5", "level 5, 64k chunk, algorithm 77", "" },
		{ "raid6", "level 6, 64k chunk, algorithm 2", "left-symmetric" },
		{ "raid6", "level 6, 64k chunk, algorithm 8", "ddf-zero-restart" },
		{ "raid6", "level 6, 64k chunk, algorithm 18", "left-symmetric-6" },
		{ "raid4", "level 4, 64k chunk, algorithm 0", "" }, /* its parity has a disk */
		{ "raid10", "64K chunks 2 near-copies", "n2" },
		{ "raid10", "64K chunks 2 far-copies", "f2" },
		{ "raid10", "64K chunks 3 offset-copies", "o3" },
		{ "raid10", "64K chunks 2 near-copies 2 far-copies", "n2,f2" },
		{ "raid10", "64K chunks 999 near-copies", "" },
		{ "raid10", "64K chunks", "" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		char text[300];
		struct topology t;
		struct mdstat m;

		print_message("  %s %s\n", cases[i].level, cases[i].printed);
		text_format(text, sizeof(text),
			    "md0 : active %s vda[0]\n      9 blocks super 1.2 %s [2/1] [U_]\n",
			    cases[i].level, cases[i].printed);
		assert_string_equal(fill(&t, &m, text)->array->layout, cases[i].name);
		drop(&t, &m);
	}
}

/* What a member without flags is depends on how many work. */
static const struct state_case {
	const char *name, *text;
	const char *states; /* of the members in printed order */
} state_cases[] = {
	{ "all work", "active raid1 a[1] b[0]\n      9 blocks [2/2] [UU]\n", "in_sync in_sync" },
	{ "a spare is no member of the map (BUGS 19, 24)",
	  "active raid1 a[2](S) b[1] c[0]\n      9 blocks [2/2] [UU]\n", "spare in_sync in_sync" },
	{ "one is gone", "active raid1 b[0]\n      9 blocks [2/1] [U_]\n", "in_sync" },
	{ "one is rebuilt, and it is not told which",
	  "active raid1 a[2] b[0]\n      9 blocks [2/1] [U_]\n" BAR "recovery = 1.0% (1/9)\n",
	  "? ?" },
	{ "one failed", "active raid1 a[1](F) b[0]\n      9 blocks [2/1] [U_]\n",
	  "faulty in_sync" },
	{ "a journal", "active raid5 a[3](J) b[1] c[0]\n      9 blocks [3/2] [UU_]\n",
	  "journal in_sync in_sync" },
	{ "a failed journal", "active raid5 a[3](J)(F) b[0]\n      9 blocks [3/1] [U__]\n",
	  "faulty in_sync" },
	{ "a replacement", "active raid5 a[3](R) b[1] c[0]\n      9 blocks [3/2] [UU_]\n",
	  "? in_sync in_sync" },
	{ "Synology's E", "active raid1 a[1](E) b[0]\n      9 blocks [2/2] [UE]\n", "? in_sync" },
	{ "inactive", "inactive a[1](S) b[0]\n      9 blocks\n", "spare ?" },
	{ "counts not printed", "active raid1 a[1] b[0]\n", "? ?" },
};

static void states_of_members_are_not_guessed(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(state_cases); i++) {
		char text[300], states[100] = "";
		struct topology t;
		struct mdstat m;
		const struct array *a;

		print_message("  %s\n", state_cases[i].name);
		text_format(text, sizeof(text), "md0 : %s", state_cases[i].text);
		a = fill(&t, &m, text)->array;
		for (size_t k = 0; k < a->n_members; k++) {
			const char *name = member_state_name(a->members[k].state);
			size_t len = strlen(states);

			text_format(states + len, sizeof(states) - len, "%s%s", k ? " " : "",
				    name ? name : "?");
		}
		assert_string_equal(states, state_cases[i].states);
		drop(&t, &m);
	}
}

static void working_above_the_count_is_not_degraded(void **state)
{
	struct topology t;
	struct mdstat m;
	const struct array *a;

	(void)state;
	a = fill(&t, &m, "md0 : active raid1 a[2] c[3](W)(R) b[0]\n      9 blocks [2/3] [UU]\n")
		    ->array;
	assert_int_equal(a->raid_disks, 2);
	assert_int_equal(a->working, 3);
	assert_int_equal(a->degraded, 0);
	assert_int_equal(a->members[1].flags, MEMBER_FLAG_WRITE_MOSTLY | MEMBER_FLAG_REPLACEMENT);
	drop(&t, &m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arrays_are_read_in_all_shapes),
		cmocka_unit_test(arrays_do_not_mix),
		cmocka_unit_test(actions_are_read_and_judged),
		cmocka_unit_test(bitmaps_are_read),
		cmocka_unit_test(texts_without_arrays),
		cmocka_unit_test(control_characters_do_not_come_through),
		cmocka_unit_test(names_that_are_too_long_are_left_out),
		cmocka_unit_test(bounds_hold),
		cmocka_unit_test(an_array_is_filled),
		cmocka_unit_test(nothing_is_derived_where_nothing_is_printed),
		cmocka_unit_test(a_size_beyond_64_bits_is_unknown),
		cmocka_unit_test(layouts_have_names),
		cmocka_unit_test(states_of_members_are_not_guessed),
		cmocka_unit_test(working_above_the_count_is_not_degraded),
	};

	return cmocka_run_group_tests_name("mdstat", tests, NULL, NULL);
}
