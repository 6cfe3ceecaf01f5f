/*
 * What people reported of other tools that read arrays (corpus/BUGS.md, rows 1 to 26, and the rows
 * of WISHES.md on md), each given to the whole provider, as a machine whose mdstat says that. Where
 * the text is in the corpus it is read there, else a text of the same shape stands here.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "corpus.h"
#include "machine_files.h"
#include "raidtop/array_facts.h"
#include "raidtop/fields.h"
#include "raidtop/text.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))
#define MD0 "sys/devices/virtual/block/md0"
#define MAX_SAID 6

struct report {
	const char *row;
	const char *file; /* the number of a text of the corpus, or NULL */
	const char *text; /* else this mdstat; NULL: there is none */
	const char *array;
	/* "key value" each: a field, or "percent", "action_state", "members" */
	const char *said[MAX_SAID];
};

#define BLOCKS "      1046528 blocks super 1.2 "
#define END "\nunused devices: <none>\n"

static const struct report reports[] = {
	{ "BUGS.md 1, 15: raid0 without a map",
	  "184",
	  NULL,
	  "md0",
	  { "level raid0", "size_bytes 4287102976", "chunk_bytes 262144", "slots ", "degraded ",
	    "members xvdb" } },
	{ "BUGS.md 2, WISHES.md 20: resync=PENDING",
	  "060",
	  NULL,
	  "md127",
	  { "level raid10", "slots UUUUUUUUUU", "action resync", "action_state pending",
	    "percent -", "readonly auto-read-only" } },
	{ "BUGS.md 2: the array beside it", "060", NULL, "md1", { "slots UUUU", "action " } },
	{ "BUGS.md 6: percent of one member, not of the array",
	  NULL,
	  "md2 : active raid5 sdd3[3] sdc3[1] sdb3[0]\n"
	  "      3281959800 blocks level 5, 64k chunk, algorithm 2 [8/7] [UU_UUUUU]\n"
	  "      [=====>...............]  recovery = 26.4% (124074752/468851400) "
	  "finish=105.7min speed=54292K/sec\n" END,
	  "md2",
	  { "percent 26.4", "size_bytes 3360726835200", "action recovery" } },
	{ "BUGS.md 8: several flags in any order",
	  "220",
	  NULL,
	  "md0",
	  { "members sdf1(W,R) sde1(S,R) sdd1(W,S) sdc1(W,F) sdb1(W) sda1", "spares 2" } },
	{ "BUGS.md 8: a failed journal",
	  "220",
	  NULL,
	  "md1",
	  { "members sdk1(J,F) sdj1 sdi1 sdh1", "readonly read-only" } },
	{ "BUGS.md 9: a flag pair, and three that work of two",
	  "163",
	  NULL,
	  "md0",
	  { "members sda3 sdc3(W,R) sdb3", "raid_disks 2", "working 3", "degraded 0",
	    "percent 15.6" } },
	{ "BUGS.md 10, WISHES.md 20: one is checked, the other one waits",
	  "176",
	  NULL,
	  "md1",
	  { "action resync", "action_state delayed", "percent -", "slots UU" } },
	{ "BUGS.md 10: the one that is checked",
	  "176",
	  NULL,
	  "md0",
	  { "action check", "percent 45.5", "action_state ", "action_finish_s 3336" } },
	{ "BUGS.md 13: a bitmap is no progress",
	  NULL,
	  "md3 : active raid1 sdb3[1] sda3[0]\n" BLOCKS "[2/2] [UU]\n"
	  "      bitmap: 2/2 pages [8KB], 65536KB chunk\n" END,
	  "md3",
	  { "action ", "percent -", "bitmap true", "bitmap_chunk_bytes 67108864" } },
	{ "BUGS.md 17, WISHES.md 22: inactive",
	  "012",
	  NULL,
	  "md127",
	  { "state inactive", "level ", "working ", "degraded ", "spares 1" } },
	{ "BUGS.md 18, WISHES.md 22: the chunk is no count",
	  "011",
	  NULL,
	  "md125",
	  { "level raid0", "chunk_bytes 131072", "raid_disks ", "working ", "degraded ",
	    "members sdg sdc sdf sdh sde sdb" } },
	{ "BUGS.md 19, WISHES.md 12: a spare beyond the map",
	  NULL,
	  "md0 : active raid1 loop7[2](S) loop1[1] loop0[0]\n" BLOCKS "[2/2] [UU]\n" END,
	  "md0",
	  { "members loop7(S) loop1 loop0", "slots UU", "spares 1", "degraded 0" } },
	{ "BUGS.md 20: degraded while it recovers",
	  "025",
	  NULL,
	  "md0",
	  { "degraded 2", "slots UUUU__", "action recovery", "percent 19.6", "working 4" } },
	{ "BUGS.md 20: degraded while it is reshaped",
	  "026",
	  NULL,
	  "md0",
	  { "degraded 2", "slots UUUU__", "action reshape", "percent 48.4" } },
	{ "BUGS.md 21: two blanks before the percent",
	  NULL,
	  "md0 : active raid1 sdb1[2] sda1[0]\n" BLOCKS "[2/1] [_U]\n"
	  "      [>....................]  recovery =  0.4% (10168/2097024) finish=23.8min "
	  "speed=1452K/sec\n" END,
	  "md0",
	  { "degraded 1", "action recovery", "percent 0.4", "action_finish_s 1428" } },
	{ "BUGS.md 24: degraded, and never had a spare", "024", NULL, "md0", { "spares 0" } },
	{ "BUGS.md 26: an estimate of 47,900 years",
	  "052",
	  NULL,
	  "md127",
	  { "percent 0.0", "action_state stalled", "action_finish_s ",
	    "action_speed_bytes_per_sec 0" } },
	{ "BUGS.md 26: the next one", "051", NULL, NULL, { "action_finish_s " } },
	{ "BUGS.md 26: finish=3e11min", "088", NULL, NULL, { "action_finish_s " } },
	{ "WISHES.md 23: auto-read-only",
	  NULL,
	  "md1 : active (auto-read-only) raid1 sdb1[1] sda1[0]\n" BLOCKS "[2/2] [UU]\n" END,
	  "md1",
	  { "readonly auto-read-only", "state active" } },
	{ "a volume and its container, of which there is mdstat alone",
	  NULL,
	  "md126 : active raid5 sdc[2] sdb[1] sda[0]\n"
	  "      118784 blocks super external:-md127/3 level 5, 64k chunk, algorithm 0 [3/3] "
	  "[UUU]\n"
	  "md127 : inactive sdd[3](S) sdc[2](S) sdb[1](S) sda[0](S)\n"
	  "      3315 blocks super external:imsm\n" END,
	  "md126",
	  { "container md127", "container_volume 3", "level raid5", "spares 0" } },
	{ "a container of which there is mdstat alone",
	  NULL,
	  "md127 : inactive sdb[1](S) sda[0](S)\n"
	  "      3315 blocks super external:imsm\n" END,
	  "md127",
	  { "level container", "size_bytes ", "spares ", "container ", "state inactive" } },
	{ "names that are no container's",
	  NULL,
	  "md126 : active raid1 sdb[1] sda[0]\n"
	  "      9 blocks super external:/md127 [2/2] [UU]\n" END,
	  "md126",
	  { "container ", "container_volume ", "metadata external:/md127" } },
	{ "a volume that has no number",
	  NULL,
	  "md126 : active raid1 sdb[1] sda[0]\n"
	  "      9 blocks super external:/md127/x [2/2] [UU]\n" END,
	  "md126",
	  { "container ", "container_volume " } },
};

/* ---- what is said ---- */

static void describe_members(char *text, size_t size, const struct array *a)
{
	text[0] = '\0';
	for (size_t i = 0; i < a->n_members; i++) {
		size_t len = strlen(text);
		char flags[16];

		member_flags_format(flags, a->members[i].flags, ',');
		text_format(text + len, size - len, "%s%s%s%s%s", i ? " " : "", a->members[i].name,
			    flags[0] ? "(" : "", flags, flags[0] ? ")" : "");
	}
}

static void describe_percent(char *text, size_t size, const struct action *a)
{
	if (a->percent_tenths == UNKNOWN_I32)
		text_copy(text, size, "-");
	else
		text_format(text, size, "%d.%d", (int)a->percent_tenths / 10,
			    (int)a->percent_tenths % 10);
}

static void describe_field(char *text, size_t size, struct device *d, const char *key, size_t len)
{
	static const enum field_owner owners[] = { FIELD_OF_ARRAY, FIELD_OF_DEVICE };

	for (size_t i = 0; i < COUNT(owners); i++) {
		const struct field *f = field_find(owners[i], key, len);

		if (f) {
			field_format(f, field_owner_of(owners[i], d), text, size);
			return;
		}
	}
	fail_msg("no field %s", key);
}

static void check_said(struct device *d, const char *said)
{
	size_t len = strcspn(said, " ");
	char text[FIELD_VALUE_BYTES] = "";

	if (strncmp(said, "members ", 8) == 0)
		describe_members(text, sizeof(text), d->array);
	else if (strncmp(said, "percent ", 8) == 0)
		describe_percent(text, sizeof(text), &d->array->action);
	else
		describe_field(text, sizeof(text), d, said, len);
	if (strcmp(text, said + len + 1) != 0)
		fail_msg("%s: '%s' is said to be '%s'", d->name, said, text);
}

/* ---- the machines ---- */

static bool write_from_corpus(const struct machine_files *m, const char *number)
{
	struct corpus c;
	bool found = false;

	if (!corpus_open(&c, "mdstat", ".mdstat"))
		return false;
	for (size_t i = 0; i < c.n && !found; i++) {
		size_t len;
		char *text;

		if (strncmp(c.names[i], number, strlen(number)) != 0)
			continue;
		text = corpus_read(&c, i, ".mdstat", &len);
		machine_write_bytes(m, "proc/mdstat", text, len);
		free(text);
		found = true;
	}
	corpus_close(&c);
	assert_true(found);
	return true;
}

static struct device *find_array(const struct topology *t, const char *name)
{
	for (size_t i = 0; i < t->n_devices; i++)
		if (t->devices[i]->array &&
		    (!name || strcmp(t->devices[i]->kernel_name, name) == 0))
			return t->devices[i];
	fail_msg("no array %s", name ? name : "");
	return NULL;
}

static bool check_report(const struct report *r)
{
	struct machine_files m;
	struct provider *p;
	struct topology t;
	bool there = true;

	print_message("  %s\n", r->row);
	machine_make(&m);
	machine_write(&m, "proc/diskstats", "");
	if (r->file)
		there = write_from_corpus(&m, r->file);
	else
		machine_write(&m, "proc/mdstat", r->text);
	p = machine_provider(&m);
	machine_survey(p, &t);
	for (size_t i = 0; there && i < MAX_SAID && r->said[i]; i++)
		check_said(find_array(&t, r->array), r->said[i]);
	topology_release(&t);
	provider_free(p);
	machine_remove(&m);
	return there;
}

static void rows_of_reports(void **state)
{
	size_t checked = 0;

	(void)state;
	for (size_t i = 0; i < COUNT(reports); i++)
		checked += check_report(&reports[i]);
	print_message("  %zu of %zu rows\n", checked, COUNT(reports));
	assert_true(checked > 0);
}

static const struct nothing_case {
	const char *row, *mdstat;
} nothings[] = {
	{ "BUGS.md 4: the text that Unraid has under this name",
	  "sbName=/boot/config/super.dat\nsbVersion=2.9.13\nmdState=STARTED\nmdNumDisks=3\n"
	  "mdResync=0\ndiskNumber.0=0\ndiskName.0=\ndiskSize.0=3907018532\n" },
	{ "BUGS.md 5: md is not loaded", NULL },
	{ "WISHES.md 22: lines that nobody knows", "md : nonsense\n\x1b[2J\nmd0 : later\n" },
};

static void no_arrays_and_no_error(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(nothings); i++) {
		struct machine_files m;
		struct provider *p;
		struct topology t;

		print_message("  %s\n", nothings[i].row);
		machine_make(&m);
		machine_write(&m, "proc/diskstats", "");
		if (nothings[i].mdstat)
			machine_write(&m, "proc/mdstat", nothings[i].mdstat);
		p = machine_provider(&m);
		machine_survey(p, &t);
		assert_int_equal(t.n_devices, 0);
		assert_false(p->ops->dirty(p));
		topology_release(&t);
		provider_free(p);
		machine_remove(&m);
	}
}

/* ---- what only sysfs says ---- */

static const struct sysfs_case {
	const char *row, *level, *attribute, *value;
	const char *key, *wanted;
	enum array_fact fact;
	const char *phrase;
} sysfs_cases[] = {
	{ "BUGS.md 10: sync_completed reads 'delayed'", "raid1", "sync_completed", "delayed\n",
	  "action_state", "delayed", ARRAY_FACT_SPARES, "" },
	{ "BUGS.md 11, WISHES.md 21: both numbers", "raid5", "raid_disks", "6 (4)\n",
	  "raid_disks_before", "4", ARRAY_FACT_DISKS, "6 (4) disks" },
	{ "BUGS.md 23: sectors, twice mdstat's kB", "raid5", "sync_completed",
	  "3159583488 / 7813754880\n", "percent", "40.4", ARRAY_FACT_SPARES, "" },
	{ "BUGS.md 25: mismatches of a raid1 are no alarm", "raid1", "mismatch_cnt", "256\n",
	  "mismatch_count", "256", ARRAY_FACT_MISMATCHES, "256 mismatches, no fault on raid1" },
	{ "BUGS.md 25: nor of a raid10", "raid10", "mismatch_cnt", "4519936\n", "mismatch_count",
	  "4519936", ARRAY_FACT_MISMATCHES, "4519936 mismatches, no fault on raid10" },
	{ "BUGS.md 25: of a raid6 they are", "raid6", "mismatch_cnt", "8\n", "mismatch_count", "8",
	  ARRAY_FACT_MISMATCHES, "8 mismatches" },
};

static void write_array(const struct machine_files *m, const struct sysfs_case *c)
{
	char path[128], text[32];

	machine_link(m, "sys/block/md0", "../devices/virtual/block/md0");
	machine_write(m, MD0 "/dev", "9:0\n");
	machine_write(m, MD0 "/size", "4096\n");
	text_format(text, sizeof(text), "%s\n", c->level);
	machine_write(m, MD0 "/md/level", text);
	machine_write(m, MD0 "/md/array_state", "clean\n");
	machine_write(m, MD0 "/md/sync_action", "check\n");
	text_format(path, sizeof(path), MD0 "/md/%s", c->attribute);
	machine_write(m, path, c->value);
}

static void rows_of_sysfs(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(sysfs_cases); i++) {
		const struct sysfs_case *c = &sysfs_cases[i];
		char said[128], phrase[ARRAY_FACT_BYTES];
		struct machine_files m;
		struct provider *p;
		struct topology t;

		print_message("  %s\n", c->row);
		machine_make(&m);
		write_array(&m, c);
		p = machine_provider(&m);
		machine_survey(p, &t);
		text_format(said, sizeof(said), "%s %s", c->key, c->wanted);
		check_said(find_array(&t, "md0"), said);
		array_fact_format(c->fact, &t, find_array(&t, "md0"), UNITS_SI, phrase,
				  sizeof(phrase));
		assert_string_equal(phrase, c->phrase);
		topology_release(&t);
		provider_free(p);
		machine_remove(&m);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_of_reports),
		cmocka_unit_test(no_arrays_and_no_error),
		cmocka_unit_test(rows_of_sysfs),
	};

	return cmocka_run_group_tests_name("md reports", tests, NULL, NULL);
}
