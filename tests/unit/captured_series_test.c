/*
 * Real series of a real kernel, from counters to verdicts: three mirrors that are written to, one
 * of which is throttled to half the others' speed; and a mirror being rebuilt. Read where they lie,
 * beside the repository, and skipped where they are not there.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "provider/linux/diskstats.h"
#include "provider/linux/mdstat.h"
#include "raidtop/amplification.h"
#include "raidtop/balance.h"
#include "raidtop/file.h"
#include "raidtop/no_answer.h"
#include "raidtop/number.h"
#include "raidtop/seconds.h"
#include "raidtop/straggler.h"
#include "raidtop/sync_left.h"
#include "rates_bench.h"

#define CAPTURES "../shared/captures/"
#define HEAD "# uptime "
#define INTERVAL_US 600000

/* ---- a series is moments with a head each ---- */

struct moment {
	uint64_t us;
	const char *text, *end;
};

static void open_series(struct buffer *b, const char *path)
{
	buffer_init(b);
	if (file_read(path, 1 << 20, b) == 0)
		return;
	print_message("  %s is not there\n", path);
	buffer_release(b);
	skip();
}

/* From `at` on; false where there is no more. */
static bool next_moment(const char **at, struct moment *m)
{
	const char *head = strstr(*at, HEAD), *line, *next;
	int64_t us;

	if (!head)
		return false;
	head += strlen(HEAD);
	line = strchr(head, '\n');
	assert_non_null(line);
	assert_int_equal(number_parse_fixed(head, (size_t)(line - head), 6, &us), 0);
	next = strstr(line, HEAD);
	m->us = (uint64_t)us;
	m->text = line + 1;
	m->end = next ? next : line + strlen(line);
	*at = m->end;
	return true;
}

/* ---- three mirrors ---- */

enum { ARRAY, SLOW = 2, DEVICES = 4 }; /* md0, vda, vdb, vdc */
#define MEMBERS 3

struct machine {
	struct bench bench;
	struct traffic_window windows[DEVICES];
	struct straggler_trail trails[MEMBERS];
	struct answer_watch answers[DEVICES];
	struct seconds_fold clock;
	size_t seconds_named[MEMBERS], ratios;
};

static void set_up(struct machine *m)
{
	static const char *const names[DEVICES] = { "md0", "vda", "vdb", "vdc" };
	struct topology *t = &m->bench.t;
	struct array *a;

	memset(m, 0, sizeof(*m));
	bench_init(&m->bench);
	a = topology_add_array(t, names[ARRAY])->array;
	text_copy(a->level, sizeof(a->level), "raid1");
	a->state = ARRAY_ACTIVE;
	a->raid_disks = a->working = MEMBERS;
	a->degraded = 0;
	for (int i = 1; i < DEVICES; i++) {
		topology_add_device(t, DEVICE_DISK, names[i]);
		bench_add_member(a, names[i], i, MEMBER_IN_SYNC);
	}
	seconds_fold_init(&m->clock, INTERVAL_US);
}

static void read_counters(struct machine *m, const struct moment *moment)
{
	struct snapshot *s = &m->bench.s;
	const char *at = moment->text;

	snapshot_reset(s, DEVICES);
	while (at < moment->end) {
		struct diskstats_line line;
		int slot;

		if (diskstats_read_line(at, moment->end, &line, &at))
			continue;
		slot = topology_find(&m->bench.t, line.name);
		if (slot != NO_SLOT)
			s->devices[slot] = line.counters;
	}
	s->elapsed_us = moment->us;
	s->boottime_us = moment->us;
}

static void judge_second(struct machine *m)
{
	const struct array *a = m->bench.t.devices[ARRAY]->array;
	struct traffic seconds[DEVICES], sums[DEVICES];
	double read_pct[MEMBERS], write_pct[MEMBERS];
	struct amplification amplification;
	struct balance balance;
	float scratch[MEMBERS];

	for (int i = 0; i < DEVICES; i++) {
		traffic_window_close(&m->windows[i]);
		traffic_window_last(&m->windows[i], &seconds[i]);
		traffic_window_sum(&m->windows[i], &sums[i]);
	}
	straggler_step(m->trails, a, seconds + 1, scratch);
	for (int i = 0; i < MEMBERS; i++)
		m->seconds_named[i] += straggler_is_named(&m->trails[i]);
	amplification_compute(&amplification, a, &sums[ARRAY], sums + 1);
	balance_compute(&balance, a, &sums[ARRAY], sums + 1, read_pct, write_pct);
	if (isnan(amplification.writes))
		return;
	print_message("  w %.3f of %.0f, shares %.1f %.1f %.1f %%\n", amplification.writes,
		      amplification_expected_writes(a, amplification.rmw), write_pct[0],
		      write_pct[1], write_pct[2]);
	assert_true(fabs(amplification.writes / amplification_expected_writes(a, RMW_UNKNOWN) - 1) <
		    0.02);
	for (int i = 0; i < MEMBERS; i++)
		assert_true(fabs(write_pct[i] - 100.0 / MEMBERS) < 1);
	m->ratios++;
}

static void add_tick(struct machine *m)
{
	const struct tick *tick = m->bench.tick;
	float value;

	for (int i = 0; i < DEVICES; i++) {
		struct traffic t;

		traffic_from_figures(&t, &tick->devices[i], tick->interval_us);
		traffic_window_add(&m->windows[i], &t);
		answer_watch_step(&m->answers[i], tick->elapsed_us, &m->bench.s.devices[i]);
		assert_false(answer_is_missing(&m->answers[i]));
	}
	if (seconds_fold_add(&m->clock, 0, tick->interval_us, true, &value))
		judge_second(m);
}

static void the_slow_mirror_is_named(void **state)
{
	struct machine m;
	struct buffer text;
	struct moment moment;
	const char *at;

	(void)state;
	open_series(&text, CAPTURES "series-write/diskstats.series");
	set_up(&m);
	at = buffer_text(&text);
	while (next_moment(&at, &moment)) {
		read_counters(&m, &moment);
		bench_step(&m.bench, 0);
		if (m.bench.tick->gap == GAP_NONE)
			add_tick(&m);
	}
	for (int i = 0; i < MEMBERS; i++) {
		print_message("  %s: named in %zu seconds\n", m.bench.t.devices[i + 1]->name,
			      m.seconds_named[i]);
		assert_int_equal(m.seconds_named[i] > 0, i + 1 == SLOW);
	}
	assert_true(m.trails[SLOW - 1].await_times > 10);
	assert_true(m.ratios > 0);
	bench_release(&m.bench);
	buffer_release(&text);
}

/* ---- a rebuild ---- */

struct rebuild {
	struct sync_left left;
	uint64_t told_us[32], end_us[32]; /* when it was asked, and when it should end */
	size_t n;
	uint64_t last_us; /* when it was seen last */
};

static void follow_rebuild(struct rebuild *r, const struct moment *moment, struct mdstat *mdstat)
{
	const struct mdstat_array *from;
	struct action action = { .kind = ACTION_NONE };
	uint64_t ns;

	mdstat_parse(mdstat, moment->text, (size_t)(moment->end - moment->text));
	from = mdstat_find(mdstat, "md0");
	assert_non_null(from);
	mdstat_fill_action(from, &action);
	sync_left_step(&r->left, moment->us, &action);
	if (action.kind == ACTION_NONE) {
		assert_false(sync_left_ns(&r->left, &ns));
		return;
	}
	r->last_us = moment->us;
	if (!sync_left_ns(&r->left, &ns))
		return;
	assert_true(r->n < COUNT(r->told_us));
	r->told_us[r->n] = moment->us;
	r->end_us[r->n++] = moment->us + ns / 1000;
}

/* It ends within 1.3 s after it was seen last; at 2 MiB/s all told ends must be near that. */
static void the_end_of_a_rebuild_is_foretold(void **state)
{
	struct rebuild r = { .n = 0 };
	struct mdstat mdstat = { .n_arrays = 0 };
	struct buffer text;
	struct moment moment;
	const char *at;

	(void)state;
	open_series(&text, CAPTURES "series-rebuild/mdstat.series");
	mdstat_init(&mdstat);
	at = buffer_text(&text);
	while (next_moment(&at, &moment))
		follow_rebuild(&r, &moment, &mdstat);
	assert_true(r.n > 5);
	for (size_t i = 0; i < r.n; i++) {
		double left = (double)(r.last_us + 650000 - r.told_us[i]) / 1e6;
		double off = fabs((double)r.end_us[i] - (double)(r.last_us + 650000)) / 1e6;

		print_message("  %.1f s before the end: %.1f s off\n", left, off);
		assert_true(off < 0.7 + 0.25 * left);
	}
	mdstat_release(&mdstat);
	buffer_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_slow_mirror_is_named),
		cmocka_unit_test(the_end_of_a_rebuild_is_foretold),
	};

	return cmocka_run_group_tests_name("captured series", tests, NULL, NULL);
}
