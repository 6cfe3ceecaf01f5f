/*
 * How many reads a tick costs on a machine of many arrays and disks from which no events come:
 * those of the counters and a few more, whatever happens on how many of them. And for that few,
 * each has its turn within the time that is promised.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "machine_raid1.h"
#include "raidtop/number.h"
#include "raidtop/text.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

enum {
	ARRAYS = 20,
	MEMBERS = 5,
	PIECE = 4096,
	TURN = 2,               /* arrays and caches of a tick */
	TURNS = ARRAYS / TURN,  /* ticks until each had its turn... */
	TICKS = 3 * TURNS,      /* ...and some more */
	LOOKS = 2,              /* diskseq */
	FILES_AT_REST = 4,      /* of an array that moves: its state and what runs... */
	FILES_OF_AN_ACTION = 8, /* ...how far, how fast, and the limits */
};

static size_t counter_bytes, mdstat_bytes;

/* ---- the machine ---- */

static void put_attribute(const struct machine_files *m, int array, const char *attribute,
			  const char *text)
{
	char path[128];

	text_format(path, sizeof(path), VIRTUAL "/md%d/md/%s", array, attribute);
	machine_write(m, path, text);
}

/* In all arrays, numbered from 1. */
static void put_all(const struct machine_files *m, const char *attribute, const char *text)
{
	for (int i = 1; i <= ARRAYS; i++)
		put_attribute(m, i, attribute, text);
}

static void put_member(const struct machine_files *m, int array, int member)
{
	char disk[16], path[128], text[64];
	int i = array * MEMBERS + member;

	text_format(disk, sizeof(disk), "disk%d", i);
	text_format(text, sizeof(text), "250:%d\n", i);
	raid1_add_block(m, disk, text);
	text_format(path, sizeof(path), VIRTUAL "/%s/diskseq", disk);
	machine_write(m, path, "5\n");
	text_format(path, sizeof(path), "dev-%s/state", disk);
	put_attribute(m, array, path, "in_sync\n");
	text_format(path, sizeof(path), "dev-%s/slot", disk);
	text_format(text, sizeof(text), "%d\n", member);
	put_attribute(m, array, path, text);
	text_format(path, sizeof(path), VIRTUAL "/md%d/md/dev-%s/block", array, disk);
	text_format(text, sizeof(text), "../../../%s", disk);
	machine_link(m, path, text);
}

static void put_counters(const struct machine_files *m, unsigned int requests)
{
	struct buffer text = BUFFER_INIT;

	buffer_add_text(&text, LINE_VDA LINE_VDB LINE_MD0);
	for (int i = MEMBERS; i < (ARRAYS + 1) * MEMBERS; i++)
		buffer_format(&text, " 250 %d disk%d %u 0 96 6 40 0 512 40 0 96 136 0 0 0 0 0 0\n",
			      i, i, requests);
	for (int i = 1; i <= ARRAYS; i++)
		buffer_format(&text, "   9 %d md%d %u 0 96 6 40 0 512 40 0 96 136 0 0 0 0 0 0\n", i,
			      i, requests);
	counter_bytes = text.len;
	machine_write(m, "proc/diskstats", text.data);
	buffer_release(&text);
}

static void put_mdstat(const struct machine_files *m, const char *progress)
{
	struct buffer text = BUFFER_INIT;

	buffer_add_text(&text, HEAD ARRAY "\n");
	for (int i = 1; i <= ARRAYS; i++) {
		buffer_format(&text, "md%d : active raid6", i);
		for (int k = 0; k < MEMBERS; k++)
			buffer_format(&text, " disk%d[%d]", i * MEMBERS + k, k);
		buffer_format(&text,
			      "\n      193536 blocks super 1.2 level 6, 512k chunk, algorithm 2 "
			      "[5/5] [UUUUU]\n%s\n",
			      progress);
	}
	buffer_add_text(&text, "unused devices: <none>\n");
	mdstat_bytes = text.len;
	machine_write(m, "proc/mdstat", text.data);
	buffer_release(&text);
}

static void put_arrays(const struct machine_files *m)
{
	char name[16], number[16];

	for (int i = 1; i <= ARRAYS; i++) {
		text_format(name, sizeof(name), "md%d", i);
		text_format(number, sizeof(number), "9:%d\n", i);
		raid1_add_block(m, name, number);
		for (int k = 0; k < MEMBERS; k++)
			put_member(m, i, k);
	}
	put_all(m, "level", "raid6\n");
	put_all(m, "raid_disks", "5\n");
	put_all(m, "degraded", "0\n");
	put_all(m, "array_state", "clean\n");
	put_all(m, "sync_action", "idle\n");
	put_all(m, "mismatch_cnt", "0\n");
	put_all(m, "stripe_cache_size", "256\n");
	put_all(m, "stripe_cache_active", "0\n");
	put_mdstat(m, "");
	put_counters(m, 1);
}

static void fill_caches(const struct machine_files *m)
{
	put_arrays(m);
	put_all(m, "stripe_cache_active", "7\n");
}

static void lock_arrays(const struct machine_files *m)
{
	put_arrays(m);
	put_all(m, "array_state", "read-auto\n");
}

#define CHECK_AT(percent, done) \
	"      [>....]  check = " percent "% (" done "/64512) finish=8.1min speed=2000K/sec\n"

static void check_all(const struct machine_files *m)
{
	fill_caches(m);
	put_all(m, "sync_action", "check\n");
	put_all(m, "sync_completed", "4096 / 129024\n");
	put_all(m, "sync_speed", "2000\n");
	put_all(m, "sync_speed_min", "1000 (system)\n");
	put_all(m, "sync_speed_max", "200000 (system)\n");
	put_mdstat(m, CHECK_AT("3.1", "2048"));
}

/* ---- how many ---- */

/* So far, by this process; -1 where the kernel does not count them. */
static int64_t reads_so_far(void)
{
	FILE *f = fopen("/proc/self/io", "re");
	int64_t reads = -1;
	char text[64];

	while (f && fgets(text, sizeof(text), f))
		if (strncmp(text, "syscr: ", 7) == 0)
			(void)number_parse_i64(text + 7, strcspn(text + 7, "\n"), &reads);
	if (f)
		fclose(f);
	return reads;
}

/* The reads of looking at how many there were. */
static int64_t reads_of_looking(void)
{
	int64_t before = reads_so_far();

	return reads_so_far() - before;
}

static int64_t pieces_of(size_t bytes)
{
	return (int64_t)((bytes + PIECE - 1) / PIECE) + 1; /* and the end */
}

static const struct reads_case {
	const char *name;
	void (*make)(const struct machine_files *m);
	bool moves; /* with each tick requests are done */
	bool reads_mdstat;
	int64_t most; /* beside the pieces of the files */
} reads_cases[] = {
	{ "at rest", put_arrays, false, false, LOOKS },
	{ "requests", put_arrays, true, false, LOOKS + TURN },
	{ "caches in use", fill_caches, false, false, LOOKS + TURN },
	{ "nobody has written yet", lock_arrays, false, false, LOOKS + TURN *FILES_AT_REST },
	{ "a check on each", check_all, true, true, LOOKS + TURN + TURN *FILES_OF_AN_ACTION },
};

static void a_tick_reads_little(void **state)
{
	(void)state;
	if (reads_so_far() < 0) {
		print_message("  this kernel does not count reads (/proc/self/io)\n");
		skip();
	}
	for (size_t i = 0; i < COUNT(reads_cases); i++) {
		const struct reads_case *c = &reads_cases[i];
		int64_t looking = reads_of_looking(), most = 0;
		struct raid1_machine b;

		print_message("  %s\n", c->name);
		raid1_init(&b, c->make);
		/* What is read once is behind us. */
		for (int tick = 0; tick < TURNS + 1; tick++)
			raid1_tick(&b);
		for (unsigned int tick = 0; tick < TICKS; tick++) {
			int64_t before, reads;

			put_counters(&b.files, c->moves ? tick + 2 : 1);
			before = reads_so_far();
			raid1_tick(&b);
			reads = reads_so_far() - before - looking;
			most = reads > most ? reads : most;
			assert_false(raid1_is_dirty(&b));
		}
		print_message("    %d reads\n", (int)most);
		assert_true(most >= 2); /* they are counted at all */
		assert_true(most <= pieces_of(counter_bytes) + c->most +
					    (c->reads_mdstat ? pieces_of(mdstat_bytes) : 0));
		raid1_release(&b);
	}
}

/* ---- how fresh ---- */

static struct array *array_at(const struct raid1_machine *b, int i)
{
	char name[16];
	int slot;

	text_format(name, sizeof(name), "md%d", i);
	slot = topology_find(&b->held, name);
	assert_int_not_equal(slot, NO_SLOT);
	return b->held.devices[slot]->array;
}

static void each_cache_has_its_turn(void **state)
{
	struct raid1_machine b;

	(void)state;
	raid1_init(&b, fill_caches);
	raid1_tick(&b);
	put_all(&b.files, "stripe_cache_active", "9\n");
	for (int tick = 0; tick < TURNS; tick++)
		raid1_tick(&b);
	for (int i = 1; i <= ARRAYS; i++)
		assert_int_equal(array_at(&b, i)->stripe_cache_active, 9);
	/* An empty one is left alone until a request comes. */
	put_all(&b.files, "stripe_cache_active", "0\n");
	for (int tick = 0; tick < TURNS; tick++)
		raid1_tick(&b);
	put_all(&b.files, "stripe_cache_active", "8\n");
	for (int tick = 0; tick < TURNS; tick++)
		raid1_tick(&b);
	assert_int_equal(array_at(&b, 1)->stripe_cache_active, 0);
	put_counters(&b.files, 2);
	for (int tick = 0; tick < TURNS; tick++)
		raid1_tick(&b);
	for (int i = 1; i <= ARRAYS; i++)
		assert_int_equal(array_at(&b, i)->stripe_cache_active, 8);
	raid1_release(&b);
}

/* One busy array among many at rest waits for none of them. */
static void a_busy_cache_is_as_fresh_as_the_tick(void **state)
{
	struct raid1_machine b;
	char text[16];

	(void)state;
	raid1_init(&b, put_arrays);
	for (int tick = 0; tick < TURNS; tick++)
		raid1_tick(&b);
	put_attribute(&b.files, ARRAYS, "stripe_cache_active", "100\n");
	put_counters(&b.files, 2);
	for (int tick = 0; tick < TURNS; tick++)
		raid1_tick(&b);
	for (int n = 101; n < 110; n++) {
		text_format(text, sizeof(text), "%d\n", n);
		put_attribute(&b.files, ARRAYS, "stripe_cache_active", text);
		raid1_tick(&b);
		assert_int_equal(array_at(&b, ARRAYS)->stripe_cache_active, n);
	}
	raid1_release(&b);
}

static void each_action_moves_on(void **state)
{
	struct raid1_machine b;

	(void)state;
	raid1_init(&b, check_all);
	raid1_tick(&b);
	assert_int_equal(array_at(&b, 1)->action.percent_tenths, 31);
	put_mdstat(&b.files, CHECK_AT("6.3", "4096"));
	put_all(&b.files, "sync_speed", "4000\n");
	raid1_tick(&b);
	for (int i = 1; i <= ARRAYS; i++) { /* in the same tick... */
		assert_int_equal(array_at(&b, i)->action.kind, ACTION_CHECK);
		assert_int_equal(array_at(&b, i)->action.percent_tenths, 63);
		assert_int_equal(array_at(&b, i)->action.done_bytes, 4096 * 1024);
	}
	for (int tick = 0; tick < TURNS; tick++)
		raid1_tick(&b);
	for (int i = 1; i <= ARRAYS; i++) /* ...and in its turn */
		assert_int_equal(array_at(&b, i)->action.speed_bytes_per_sec, 4000 * 1024);
	put_attribute(&b.files, ARRAYS, "sync_action", "idle\n");
	for (int tick = 0; tick < TURNS && !raid1_is_dirty(&b); tick++)
		raid1_tick(&b);
	assert_true(raid1_is_dirty(&b));
	raid1_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_tick_reads_little),
		cmocka_unit_test(each_cache_has_its_turn),
		cmocka_unit_test(a_busy_cache_is_as_fresh_as_the_tick),
		cmocka_unit_test(each_action_moves_on),
	};

	return cmocka_run_group_tests_name("linux reads", tests, NULL, NULL);
}
