/* What a survey tells: pictures of a machine before and after, and the sentences between them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "raidtop/events.h"
#include "raidtop/text.h"
#include "raidtop/topology.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))
#define U UNKNOWN_U64

/*
 * A machine in short. Disks and members are letters: `disks` "abc" are sda, sdb, sdc, a capital is
 * one of minor interest; `parts` "a" is sda1. `members` is pairs of a letter and a state: + in
 * sync, S spare, F faulty, R rebuilding, J journal, ? unknown. NULL members: there is no array.
 */
struct picture {
	const char *disks, *parts, *members, *level;
	uint64_t raid_disks, working, degraded, mismatches;
	enum array_state state;
	enum array_readonly readonly;
	enum action_kind action;
	enum action_state action_state;
	uint64_t diskseq; /* of all; 0: unknown */
};

#define RAID5(n)                                                                                   \
	.level = "raid5", .raid_disks = 3, .working = 3 - n, .degraded = n, .state = ARRAY_ACTIVE, \
	.mismatches = U
#define RAID0                                                                                  \
	.level = "raid0", .raid_disks = U, .working = U, .degraded = U, .state = ARRAY_ACTIVE, \
	.mismatches = U

static const struct tell_case {
	const char *what;
	struct picture before, after;
	const char *events[5]; /* "kind name parent: sentence" */
} cases[] = {
	{ "nothing happened",
	  { .disks = "abc", .members = "a+b+c+", RAID5(0) },
	  { .disks = "abc", .members = "a+b+c+", RAID5(0) },
	  { NULL } },
	{ "a disk is plugged in",
	  { .disks = "a" },
	  { .disks = "ab" },
	  { "appeared sdb : sdb appeared (ST500, 500 GB)" } },
	{ "the first disk of all",
	  { .disks = "" },
	  { .disks = "a" },
	  { "appeared sda : sda appeared (ST500, 500 GB)" } },
	{ "a free disk is pulled",
	  { .disks = "ab" },
	  { .disks = "a" },
	  { "gone sdb : sdb is gone" } },
	{ "partitions come and go with their disk",
	  { .disks = "ab", .parts = "b" },
	  { .disks = "ac", .parts = "c" },
	  { "gone sdb : sdb is gone", "appeared sdc : sdc appeared (ST500, 500 GB)" } },
	{ "a partition is made",
	  { .disks = "ab" },
	  { .disks = "ab", .parts = "b" },
	  { "appeared sdb1 : sdb1 appeared (250 GB)" } },
	{ "a partition is deleted",
	  { .disks = "ab", .parts = "ab" },
	  { .disks = "ab", .parts = "b" },
	  { "gone sda1 : sda1 is gone" } },
	{ "nobody asks about ram disks", { .disks = "aB" }, { .disks = "aC" }, { NULL } },
	{ "a loop device gets its file",
	  { .disks = "aB" },
	  { .disks = "ab" },
	  { "appeared sdb : sdb appeared (ST500, 500 GB)" } },
	{ "a loop device loses its file",
	  { .disks = "ab" },
	  { .disks = "aB" },
	  { "gone sdb : sdb is gone" } },
	{ "a disk was away between two looks",
	  { .disks = "a", .diskseq = 1 },
	  { .disks = "a", .diskseq = 2 },
	  { "appeared sda : sda is back" } },

	{ "an array is assembled: its members are no news",
	  { .disks = "abc" },
	  { .disks = "abc", .members = "a+b+c+", RAID5(0) },
	  { "appeared md0 : md0 appeared (raid5, 1.00 TB)" } },
	{ "an array is assembled and rebuilds",
	  { .disks = "abc" },
	  { .disks = "abc", .members = "a+b+cR", RAID5(1), .action = ACTION_RECOVERY },
	  { "appeared md0 : md0 appeared (raid5, 1.00 TB)",
	    "rebuild_start md0 : md0 is being rebuilt onto sdc" } },
	{ "an array is stopped",
	  { .disks = "abc", .members = "a+b+c+", RAID5(0) },
	  { .disks = "abc" },
	  { "gone md0 : md0 is gone" } },

	{ "a member fails",
	  { .disks = "abc", .members = "a+b+c+", RAID5(0) },
	  { .disks = "abc", .members = "a+b+cF", RAID5(1) },
	  { "member_failed sdc md0: sdc failed in md0 (2 of 3 left)" } },
	{ "a member fails where nothing is counted",
	  { .disks = "ab", .members = "a?b?", RAID0 },
	  { .disks = "ab", .members = "a?bF", RAID0 },
	  { "member_failed sdb md0: sdb failed in md0" } },
	{ "a member's disk is pulled, and md notices",
	  { .disks = "abc", .members = "a+b+c+", RAID5(0) },
	  { .disks = "ab", .members = "a+b+", RAID5(1) },
	  { "gone sdc : sdc is gone",
	    "member_failed sdc md0: sdc dropped out of md0 (2 of 3 left)" } },
	{ "a member's disk is pulled, and md does not notice yet",
	  { .disks = "abc", .members = "a+b+c+", RAID5(0) },
	  { .disks = "ab", .members = "a+b+c+", RAID5(0) },
	  { "gone sdc : sdc is gone" } },
	{ "a failed member is taken out",
	  { .disks = "abc", .members = "a+b+cF", RAID5(1) },
	  { .disks = "abc", .members = "a+b+", RAID5(1) },
	  { "gone sdc md0: sdc was taken out of md0" } },
	{ "a spare is taken out",
	  { .disks = "abcd", .members = "a+b+c+dS", RAID5(0) },
	  { .disks = "abcd", .members = "a+b+c+", RAID5(0) },
	  { "gone sdd md0: sdd was taken out of md0" } },
	{ "a spare is added",
	  { .disks = "abcd", .members = "a+b+c+", RAID5(0) },
	  { .disks = "abcd", .members = "a+b+c+dS", RAID5(0) },
	  { "member_added sdd md0: sdd was added to md0 as a spare" } },
	{ "a journal is added",
	  { .disks = "abcd", .members = "a+b+c+", RAID5(0) },
	  { .disks = "abcd", .members = "a+b+c+dJ", RAID5(0) },
	  { "member_added sdd md0: sdd was added to md0 as its journal" } },
	{ "a failed member is replaced, all between two looks",
	  { .disks = "abc", .members = "a+b+cF", RAID5(1) },
	  { .disks = "abd", .members = "a+b+dR", RAID5(1), .action = ACTION_RECOVERY },
	  { "gone sdc : sdc is gone", "appeared sdd : sdd appeared (ST500, 500 GB)",
	    "gone sdc md0: sdc was taken out of md0", "member_added sdd md0: sdd was added to md0",
	    "rebuild_start md0 : md0 is being rebuilt onto sdd" } },
	{ "a spare takes over",
	  { .disks = "abcd", .members = "a+b+c+dS", RAID5(0) },
	  { .disks = "abcd", .members = "a+b+cFdR", RAID5(1), .action = ACTION_RECOVERY },
	  { "member_failed sdc md0: sdc failed in md0 (2 of 3 left)",
	    "rebuild_start md0 : md0 is being rebuilt onto sdd" } },
	{ "a failed member is added again",
	  { .disks = "abc", .members = "a+b+cF", RAID5(1) },
	  { .disks = "abc", .members = "a+b+cR", RAID5(1), .action = ACTION_RECOVERY },
	  { "member_added sdc md0: sdc was added to md0",
	    "rebuild_start md0 : md0 is being rebuilt onto sdc" } },
	{ "an array shrinks in good order",
	  { .disks = "abcd", .members = "a+b+c+d+", RAID5(0) },
	  { .disks = "abcd", .members = "a+b+c+", RAID5(0) },
	  { "gone sdd md0: sdd was taken out of md0" } },

	{ "two are rebuilt",
	  { .disks = "abc", .members = "a+bScS", RAID5(2) },
	  { .disks = "abc", .members = "a+bRcR", RAID5(2), .action = ACTION_RECOVERY },
	  { "rebuild_start md0 : md0 is being rebuilt onto sdb and sdc" } },
	{ "a rebuild ends well",
	  { .disks = "abc", .members = "a+b+cR", RAID5(1), .action = ACTION_RECOVERY },
	  { .disks = "abc", .members = "a+b+c+", RAID5(0) },
	  { "rebuild_end md0 : md0 is rebuilt" } },
	{ "a rebuild ends too early",
	  { .disks = "abc", .members = "a+b+cR", RAID5(1), .action = ACTION_RECOVERY },
	  { .disks = "abc", .members = "a+b+cS", RAID5(1) },
	  { "rebuild_end md0 : the rebuild of md0 ended, it still lacks 1" } },
	{ "a rebuild waits for another",
	  { .disks = "abc", .members = "a+b+cS", RAID5(1) },
	  { .disks = "abc",
	    .members = "a+b+cR",
	    RAID5(1),
	    .action = ACTION_RECOVERY,
	    .action_state = ACTION_DELAYED },
	  { "action_change md0 : the recovery of md0 is delayed" } },
	{ "and then begins",
	  { .disks = "abc",
	    .members = "a+b+cR",
	    RAID5(1),
	    .action = ACTION_RECOVERY,
	    .action_state = ACTION_DELAYED },
	  { .disks = "abc", .members = "a+b+cR", RAID5(1), .action = ACTION_RECOVERY },
	  { "rebuild_start md0 : md0 is being rebuilt onto sdc" } },
	{ "a rebuild is followed by a check at once",
	  { .disks = "abc", .members = "a+b+cR", RAID5(1), .action = ACTION_RECOVERY },
	  { .disks = "abc", .members = "a+b+c+", RAID5(0), .action = ACTION_CHECK },
	  { "rebuild_end md0 : md0 is rebuilt", "action_change md0 : the check of md0 runs" } },
	{ "a speed of 0 is no news",
	  { .disks = "abc", .members = "a+b+cR", RAID5(1), .action = ACTION_RECOVERY },
	  { .disks = "abc",
	    .members = "a+b+cR",
	    RAID5(1),
	    .action = ACTION_RECOVERY,
	    .action_state = ACTION_STALLED },
	  { NULL } },
	{ "a check begins",
	  { .disks = "abc", .members = "a+b+c+", RAID5(0) },
	  { .disks = "abc", .members = "a+b+c+", RAID5(0), .action = ACTION_CHECK },
	  { "action_change md0 : the check of md0 runs" } },
	{ "a check ends",
	  { .disks = "abc", .members = "a+b+c+", RAID5(0), .action = ACTION_CHECK },
	  { .disks = "abc",
	    .members = "a+b+c+",
	    .level = "raid5",
	    .raid_disks = 3,
	    .working = 3,
	    .state = ARRAY_ACTIVE,
	    .mismatches = 128 },
	  { "action_change md0 : the check of md0 ended, mismatches: 128" } },
	{ "a resync waits for the first write",
	  { .disks = "abc", .members = "a+b+c+", RAID5(0) },
	  { .disks = "abc",
	    .members = "a+b+c+",
	    RAID5(0),
	    .action = ACTION_RESYNC,
	    .action_state = ACTION_PENDING },
	  { "action_change md0 : the resync of md0 is pending" } },
	{ "one action after the other",
	  { .disks = "abc", .members = "a+b+c+", RAID5(0), .action = ACTION_CHECK },
	  { .disks = "abc", .members = "a+b+c+", RAID5(0), .action = ACTION_REPAIR },
	  { "action_change md0 : the repair of md0 runs" } },

	{ "an array breaks",
	  { .disks = "ab", .members = "a?b?", RAID0 },
	  { .disks = "a",
	    .members = "a?b?",
	    .level = "raid0",
	    .raid_disks = U,
	    .working = U,
	    .degraded = U,
	    .mismatches = U,
	    .state = ARRAY_BROKEN },
	  { "gone sdb : sdb is gone", "array_state md0 : md0 is broken, it was active" } },
	{ "an array is halted: its members are let go",
	  { .disks = "abc", .members = "a+b+c+", RAID5(0) },
	  { .disks = "abc",
	    .members = "",
	    .level = "raid5",
	    .raid_disks = U,
	    .working = U,
	    .degraded = U,
	    .mismatches = U,
	    .state = ARRAY_INACTIVE },
	  { "array_state md0 : md0 is inactive, it was active" } },
	{ "an array is made read-only",
	  { .disks = "abc", .members = "a+b+c+", RAID5(0) },
	  { .disks = "abc", .members = "a+b+c+", RAID5(0), .readonly = ARRAY_READ_ONLY },
	  { "array_state md0 : md0 is read-only" } },
	{ "the first write to an array",
	  { .disks = "abc", .members = "a+b+c+", RAID5(0), .readonly = ARRAY_AUTO_READ_ONLY },
	  { .disks = "abc", .members = "a+b+c+", RAID5(0) },
	  { "array_state md0 : md0 is read-write" } },
	{ "an array becomes another level",
	  { .disks = "ab", .members = "a+b+", RAID0 },
	  { .disks = "ab",
	    .members = "a+b+",
	    .level = "raid5",
	    .raid_disks = 3,
	    .working = 2,
	    .degraded = 1,
	    .mismatches = U,
	    .state = ARRAY_ACTIVE },
	  { "array_state md0 : md0 is raid5, it was raid0" } },
	{ "it lacks one, and nothing says why",
	  { .disks = "abc", .members = "a?b?c?", RAID5(0) },
	  { .disks = "abc", .members = "a?b?c?", RAID5(1) },
	  { "array_state md0 : md0 lacks 1 (2 of 3 left)" } },
	{ "it is whole, and nothing says why",
	  { .disks = "abc", .members = "a?b?c?", RAID5(1) },
	  { .disks = "abc", .members = "a?b?c?", RAID5(0) },
	  { "array_state md0 : md0 is whole again" } },
};

/* ---- from pictures to topologies ---- */

static enum member_state state_of(char c)
{
	static const char letters[] = "?+SFRJ";
	static const enum member_state states[] = { MEMBER_STATE_UNKNOWN, MEMBER_IN_SYNC,
						    MEMBER_SPARE,         MEMBER_FAULTY,
						    MEMBER_REBUILDING,    MEMBER_JOURNAL };
	const char *at = strchr(letters, c);

	assert_true(c && at);
	return states[at - letters];
}

static void add_array(struct topology *t, const struct picture *p)
{
	struct device *md = topology_add_array(t, "md0");
	struct array *a = md->array;

	text_copy(a->level, sizeof(a->level), p->level);
	md->size_bytes = 1000000000000;
	a->raid_disks = p->raid_disks;
	a->working = p->working;
	a->degraded = p->degraded;
	a->mismatch_count = p->mismatches;
	a->state = p->state;
	a->readonly = p->readonly;
	a->action.kind = p->action;
	a->action.state = p->action_state;
	for (const char *at = p->members; *at; at += 2) {
		char name[] = { 's', 'd', at[0], '\0' };
		struct member *m = array_add_member(a, name);

		m->device = topology_find(t, name);
		m->state = state_of(at[1]);
	}
}

static void draw(struct topology *t, const struct picture *p)
{
	topology_init(t);
	for (const char *at = p->disks; *at; at++) {
		char name[] = { 's', 'd', (char)(*at | 0x20), '\0' };
		struct device *d = topology_add_device(t, DEVICE_DISK, name);

		text_copy(d->disk.model, sizeof(d->disk.model), "ST500");
		text_copy(d->disk.serial, sizeof(d->disk.serial), name);
		d->minor_interest = *at < 'a';
		d->size_bytes = 500107862016;
		d->diskseq = p->diskseq ? p->diskseq : UNKNOWN_U64;
	}
	for (const char *at = p->parts ? p->parts : ""; *at; at++) {
		char disk[] = { 's', 'd', *at, '\0' }, name[] = { 's', 'd', *at, '1', '\0' };
		struct device *d = topology_add_device(t, DEVICE_PARTITION, name);

		d->parent = topology_find(t, disk);
		d->size_bytes = 250000000000;
	}
	if (p->members)
		add_array(t, p);
}

static void show(struct topology *held, const struct picture *p, struct event_log *log)
{
	struct topology fresh;

	draw(&fresh, p);
	topology_adopt(held, &fresh, log);
	topology_release(&fresh);
}

static struct event_log event_log;

static void what_happened_is_told(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		const struct tell_case *c = &cases[i];
		struct topology held;
		size_t n = 0;

		print_message("  %s\n", c->what);
		topology_init(&held);
		event_log_init(&event_log);
		show(&held, &c->before, &event_log);
		assert_int_equal(event_log.last, 0); /* the first survey is no news */
		event_log_stamp(&event_log, 5, 6);
		show(&held, &c->after, &event_log);
		for (; n < COUNT(c->events) && c->events[n]; n++) {
			const struct event *e = event_log_get(&event_log, n + 1);
			char line[512];

			assert_non_null(e);
			assert_int_equal(e->elapsed_us, 5);
			assert_int_equal(e->realtime_ms, 6);
			text_format(line, sizeof(line), "%s %s %s: %s", event_kind_name(e->kind),
				    e->name, e->parent, e->text);
			assert_string_equal(line, c->events[n]);
		}
		if (event_log.last > n)
			print_message("  and: %s\n", event_log_get(&event_log, n + 1)->text);
		assert_int_equal(event_log.last, n);
		show(&held, &c->after, &event_log);
		assert_int_equal(event_log.last, n);
		topology_release(&held);
	}
}

static void who_comes_back_is_known(void **state)
{
	static const struct picture there = { .disks = "ab" }, away = { .disks = "a" };
	struct topology held, fresh;

	(void)state;
	topology_init(&held);
	event_log_init(&event_log);
	show(&held, &there, &event_log);
	show(&held, &away, &event_log);
	show(&held, &there, &event_log);
	assert_int_equal(event_log.last, 2);
	assert_string_equal(event_log_get(&event_log, 2)->text, "sdb is back");
	show(&held, &away, &event_log);
	draw(&fresh, &there);
	text_copy(fresh.devices[1]->kernel_name, DEVICE_NAME_BYTES, "sdq");
	text_copy(fresh.devices[1]->name, DEVICE_NAME_BYTES, "sdq");
	topology_adopt(&held, &fresh, &event_log);
	topology_release(&fresh);
	assert_int_equal(event_log.last, 4);
	assert_string_equal(event_log_get(&event_log, 4)->text, "sdq is back, it was sdb before");
	assert_string_equal(event_log_get(&event_log, 4)->name, "sdq");
	topology_release(&held);
}

static void nobody_need_listen(void **state)
{
	struct topology held;

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		uint64_t generation;

		topology_init(&held);
		show(&held, &cases[i].before, NULL);
		generation = held.generation;
		show(&held, &cases[i].after, NULL);
		if (cases[i].events[0])
			assert_int_equal(held.generation, generation + 1);
		topology_release(&held);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_happened_is_told),
		cmocka_unit_test(who_comes_back_is_known),
		cmocka_unit_test(nobody_need_listen),
	};

	return cmocka_run_group_tests_name("topology tell", tests, NULL, NULL);
}
