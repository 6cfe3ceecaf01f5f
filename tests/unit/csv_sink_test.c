/* The CSV sink: the exact text of small recordings, line by line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "raidtop/clock.h"
#include "raidtop/recording.h"
#include "raidtop/version.h"
#include "recording_support.h"

static void a_recording_begins_with_all_that_is_known(void **state)
{
	const char *path = scratch_path("small.csv");
	struct sink *sink = sink_to(path);
	struct small s;

	(void)state;
	small_init(&s);
	counters_set(&s.figures[SMALL_SDA].totals, COUNTER_READ_BYTES, 500);
	assert_int_equal(small_tick(&s, sink), 0);
	small_assert_text(sink, path,
			  "1 0.001000 session key=format value=1\n"
			  "1 0.001000 session key=version value=" RAIDTOP_VERSION "\n"
			  "1 0.001000 session key=interval_s value=1.000\n"
			  "1 0.001000 session key=kernel value=6.1\n"
			  "1 0.001000 session key=boot_id value=5c1d-test\n"
			  "1 0.001000 session key=clock value=monotonic\n"
			  "1 0.001000 session key=start value=2026-11-30T14:52:07.000Z\n"
			  "1 0.001000 device name=sda state=present key=device_kind value=disk\n"
			  "1 0.001000 device name=sda state=present key=serial value=S1,\"x\"\n"
			  "1 0.001000 device name=sda1 parent=sda state=present key=device_kind "
			  "value=partition\n"
			  "1 0.001000 device name=sdb state=present key=device_kind value=disk\n"
			  "1 0.001000 fact name=sdb key=size_bytes value=4000\n"
			  "1 0.001000 device name=md0 state=present key=device_kind value=array\n"
			  "1 0.001000 fact name=md0 key=level value=raid1\n"
			  "1 0.001000 link parent=md0 key=members value=2\n"
			  "1 0.001000 link name=sda1 parent=md0 state=in_sync key=slot value=0\n"
			  "1 0.001000 link name=sda1 parent=md0 state=in_sync key=disk value=sda\n"
			  "1 0.001000 link name=sdb parent=md0 state=faulty key=slot\n"
			  "1 0.001000 link name=sdb parent=md0 state=faulty key=flags value=F\n"
			  "1 0.001000 link name=sdb parent=md0 state=faulty key=disk value=sdb\n"
			  "1 0.001000 sample name=sda parent=md0 state=in_sync read_bytes=500\n"
			  "1 0.001000 sample name=sda1 parent=md0 state=in_sync\n"
			  "1 0.001000 sample name=sdb parent=md0 state=faulty\n"
			  "1 0.001000 sample name=md0 state=active\n");
	small_release(&s);
}

static void the_bytes_are_as_documented(void **state)
{
	static const char header[] =
		"time,segment,elapsed_s,host,kind,name,parent,state,read_mb_s,write_mb_s,read_iops,"
		"write_iops,read_await_ms,write_await_ms,queue,util_pct,temp_c,sync_pct,read_bytes,"
		"write_bytes,read_ios,write_ios,read_us,write_us,busy_us,queue_us,inflight,"
		"read_merges,write_merges,discard_ios,discard_bytes,flush_ios,sync_done_bytes,"
		"sync_total_bytes,temp_age_s,key,value\n";
	const char *path = scratch_path("bytes.csv");
	struct sink *sink = sink_to(path);
	struct small s;
	size_t len;
	char *text, *line;

	(void)state;
	small_init(&s);
	assert_int_equal(small_tick(&s, sink), 0);
	assert_int_equal(sink->ops->close(sink), 0);
	text = read_whole(path, &len);
	assert_int_equal(strncmp(text, header, strlen(header)), 0);
	line = strstr(text, ",serial,");
	assert_non_null(line);
	while (line[-1] != '\n')
		line--;
	line[strcspn(line, "\n")] = '\0';
	assert_string_equal(line,
			    "2026-11-30T14:52:07.123Z,1,0.001000,h,device,sda,,present,,,,,,,,"
			    ",,,,,,,,,,,,,,,,,,,,serial,\"S1,\"\"x\"\"\"");
	free(text);
	unlink(path);
	small_release(&s);
}

static void only_what_changes_is_told_again(void **state)
{
	const char *path = scratch_path("changes.csv");
	struct sink *sink = sink_to(path);
	struct small s;
	struct array *a;

	(void)state;
	small_init(&s);
	a = s.topology.devices[SMALL_MD0]->array;
	assert_int_equal(small_tick(&s, sink), 0);
	small_go_on(&s); /* nothing else */
	assert_int_equal(small_tick(&s, sink), 0);
	small_go_on(&s); /* a fact, a link, a device */
	a->degraded = 1;
	a->members[1].state = MEMBER_REBUILDING;
	a->members[1].flags = 0;
	s.topology.devices[SMALL_SDA]->present = false;
	s.topology.generation++;
	assert_int_equal(small_tick(&s, sink), 0);
	small_go_on(&s); /* what moves by itself; the disk comes back */
	a->action.kind = ACTION_RECOVERY;
	a->action.speed_bytes_per_sec = 77;
	a->action.percent_tenths = 125;
	a->action.done_bytes = 10;
	a->action.total_bytes = 80;
	s.topology.devices[SMALL_SDA]->present = true;
	s.topology.generation++;
	assert_int_equal(small_tick(&s, sink), 0);
	small_go_on(&s);
	a->action.speed_bytes_per_sec = UNKNOWN_U64;
	a->action.percent_tenths = 130;
	s.topology.devices[SMALL_SDB]->disk.temperature_mc = 31449;
	s.topology.devices[SMALL_SDB]->disk.temperature_at_us = s.tick.elapsed_us - 2300000;
	assert_int_equal(small_tick(&s, sink), 0);
	small_assert_text(
		sink, path,
		"1 1.001000 sample name=sda parent=md0 state=in_sync read_mb_s=1.000 "
		"read_bytes=1000000\n"
		"1 1.001000 sample name=sda1 parent=md0 state=in_sync\n"
		"1 1.001000 sample name=sdb parent=md0 state=faulty\n"
		"1 1.001000 sample name=md0 state=active\n"
		"1 2.001000 device name=sda state=gone\n"
		"1 2.001000 fact name=md0 key=degraded value=1\n"
		"1 2.001000 link parent=md0 key=members value=2\n"
		"1 2.001000 link name=sda1 parent=md0 state=in_sync key=slot value=0\n"
		"1 2.001000 link name=sda1 parent=md0 state=in_sync key=disk value=sda\n"
		"1 2.001000 link name=sdb parent=md0 state=rebuilding key=slot\n"
		"1 2.001000 link name=sdb parent=md0 state=rebuilding key=disk value=sdb\n"
		"1 2.001000 sample name=sda1 parent=md0 state=in_sync\n"
		"1 2.001000 sample name=sdb parent=md0 state=rebuilding\n"
		"1 2.001000 sample name=md0 state=active\n"
		"1 3.001000 device name=sda state=present key=device_kind value=disk\n"
		"1 3.001000 device name=sda state=present key=serial value=S1,\"x\"\n"
		"1 3.001000 fact name=md0 key=action value=recovery\n"
		"1 3.001000 fact name=md0 key=action_speed_bytes_per_sec value=77\n"
		"1 3.001000 sample name=sda parent=md0 state=in_sync read_bytes=3000000\n"
		"1 3.001000 sample name=sda1 parent=md0 state=in_sync\n"
		"1 3.001000 sample name=sdb parent=md0 state=rebuilding\n"
		"1 3.001000 sample name=md0 state=active sync_pct=12.500 sync_done_bytes=10 "
		"sync_total_bytes=80\n"
		"1 4.001000 fact name=md0 key=action_speed_bytes_per_sec\n"
		"1 4.001000 sample name=sda parent=md0 state=in_sync read_mb_s=1.000 "
		"read_bytes=4000000\n"
		"1 4.001000 sample name=sda1 parent=md0 state=in_sync\n"
		"1 4.001000 sample name=sdb parent=md0 state=rebuilding temp_c=31.4 "
		"temp_age_s=2.3\n"
		"1 4.001000 sample name=md0 state=active sync_pct=13.000 sync_done_bytes=10 "
		"sync_total_bytes=80\n");
	small_release(&s);
}

static void what_no_array_rests_on_is_left_out(void **state)
{
	const char *path = scratch_path("minor.csv");
	struct sink *sink = sink_to(path);
	struct small s;
	struct array *a;

	(void)state;
	small_init(&s);
	a = s.topology.devices[SMALL_MD0]->array;
	assert_int_equal(small_tick(&s, sink), 0); /* sda2 and loop1 are not in the first test */
	small_go_on(&s);
	text_copy(a->members[1].name, DEVICE_NAME_BYTES, "loop1");
	a->members[1].device = SMALL_LOOP1;
	s.figures[SMALL_LOOP1] =
		s.figures[SMALL_SDA]; /* it has rates, but a reader would have none */
	s.topology.generation++;
	assert_int_equal(small_tick(&s, sink), 0);
	small_assert_text(
		sink, path,
		"1 1.001000 device name=loop1 state=present key=device_kind value=disk\n"
		"1 1.001000 fact name=loop1 key=minor_interest value=true\n"
		"1 1.001000 link parent=md0 key=members value=2\n"
		"1 1.001000 link name=sda1 parent=md0 state=in_sync key=slot value=0\n"
		"1 1.001000 link name=sda1 parent=md0 state=in_sync key=disk value=sda\n"
		"1 1.001000 link name=loop1 parent=md0 state=faulty key=slot\n"
		"1 1.001000 link name=loop1 parent=md0 state=faulty key=flags value=F\n"
		"1 1.001000 link name=loop1 parent=md0 state=faulty key=disk value=loop1\n"
		"1 1.001000 sample name=sda parent=md0 state=in_sync read_mb_s=1.000 "
		"read_bytes=1000000\n"
		"1 1.001000 sample name=sda1 parent=md0 state=in_sync\n"
		"1 1.001000 sample name=sdb\n"
		"1 1.001000 sample name=loop1 parent=md0 state=faulty read_bytes=1000000\n"
		"1 1.001000 sample name=md0 state=active\n");
	small_release(&s);
}

static void a_disk_that_serves_two_arrays_has_no_parent(void **state)
{
	const char *path = scratch_path("two.csv");
	struct sink *sink = sink_to(path);
	struct small s;
	struct array *b;

	(void)state;
	small_init(&s);
	b = topology_add_array(&s.topology, "md1")->array;
	array_add_member(b, "sda2")->device = SMALL_SDA2;
	b->members[0].state = MEMBER_SPARE;
	s.tick.n_devices = SMALL_SLOTS + 1;
	assert_int_equal(small_tick(&s, sink), 0);
	small_assert_text(sink, path,
			  "1 0.001000 sample name=sda\n"
			  "1 0.001000 sample name=sda1 parent=md0 state=in_sync\n"
			  "1 0.001000 sample name=sda2 parent=md1 state=spare\n"
			  "1 0.001000 sample name=sdb parent=md0 state=faulty\n"
			  "1 0.001000 sample name=md0 state=active\n"
			  "1 0.001000 sample name=md1\n");
	small_release(&s);
}

static void events_and_gaps_are_told_once(void **state)
{
	const char *path = scratch_path("events.csv");
	struct sink *sink = sink_to(path);
	struct small s;

	(void)state;
	small_init(&s);
	s.topology.n_devices = 0; /* events alone */
	s.tick.n_devices = 0;
	event_log_add(&s.log, EVENT_GONE, "sdz", "", "before the recording");
	event_log_stamp(&s.log, s.tick.elapsed_us, 0);
	event_log_add(&s.log, EVENT_ACTION_CHANGE, "md0", "", "at its beginning");
	assert_int_equal(small_tick(&s, sink), 0);
	small_go_on(&s);
	event_log_add(&s.log, EVENT_MEMBER_FAILED, "sdb", "md0", "sdb failed in md0, 1 left");
	event_log_add(&s.log, EVENT_GAP, "", "", "which the tick tells itself");
	event_log_add(&s.log, EVENT_MARK, "", "", "dd begins");
	s.tick.gap = GAP_MISSED;
	s.tick.missed_ticks = 3;
	assert_int_equal(small_tick(&s, sink), 0);
	small_go_on(&s); /* WISHES 29 */
	s.tick.gap = GAP_SUSPEND;
	s.tick.missed_ticks = 0;
	assert_int_equal(small_tick(&s, sink), 0);
	small_go_on(&s);
	assert_int_equal(small_tick(&s, sink), 0);
	s.topology.n_devices = SMALL_SLOTS;
	small_assert_text(sink, path,
			  "1 0.001000 session key=start value=2026-11-30T14:52:07.000Z\n"
			  "1 0.001000 event name=md0 key=action_change value=at its beginning\n"
			  "1 1.001000 event state=missed key=gap value=3\n"
			  "1 1.001000 event name=sdb parent=md0 key=member_failed "
			  "value=sdb failed in md0, 1 left\n"
			  "1 1.001000 mark value=dd begins\n"
			  "1 2.001000 event state=suspend key=gap value=0\n");
	small_release(&s);
}

/*
 * Busy for longer than the time that went by (WISHES 16, BUGS 38): a recording has what was
 * counted; what the screen makes of it is in tests/golden/busy_test.c.
 */
static void busy_beyond_the_clock_is_told_raw(void **state)
{
	const char *path = scratch_path("busy.csv");
	struct sink *sink = sink_to(path);
	struct small s;

	(void)state;
	small_init(&s);
	assert_int_equal(small_tick(&s, sink), 0);
	small_go_on(&s);
	s.figures[SMALL_SDA].value[RATE_UTIL] = 2260.4;
	s.figures[SMALL_SDA].valid = 1u << RATE_UTIL;
	assert_int_equal(small_tick(&s, sink), 0);
	small_assert_text(sink, path,
			  "1 1.001000 sample name=sda parent=md0 state=in_sync util_pct=2260.400 "
			  "read_bytes=1000000\n"
			  "1 1.001000 sample name=sda1 parent=md0 state=in_sync\n"
			  "1 1.001000 sample name=sdb parent=md0 state=faulty\n"
			  "1 1.001000 sample name=md0 state=active\n");
	small_release(&s);
}

static void streams_are_told_in_full(void **state)
{
	const char *path = scratch_path("streams.csv");
	struct sink *sink = sink_to(path);
	struct stream_view v = { .number = 7, .state = STREAM_FAILED };
	static struct latency l;
	struct small s;

	(void)state;
	small_init(&s);
	s.topology.n_devices = 0;
	text_copy(v.spec.workload, sizeof(v.spec.workload), "seq-read");
	text_copy(v.spec.target, sizeof(v.spec.target), "/dev/a b");
	text_copy(v.spec.device, sizeof(v.spec.device), "md0");
	text_copy(v.why, sizeof(v.why), "EIO at 5%");
	v.read_bytes = 4096;
	v.read_ios = 1;
	v.read_ns = 1999;
	v.read_bytes_per_sec = 4096.4;
	v.write_bytes_per_sec = v.disk_pct = -1;
	v.low_bytes_per_sec = v.high_bytes_per_sec = -1;
	v.disk_read_bytes = UNKNOWN_U64;
	v.proof = PROOF_CACHE;
	latency_add(&l, 5);
	latency_add(&l, 1999);
	latency_add(&l, 5);
	v.read_latency = &l;
	assert_int_equal(sink->ops->tick(sink, &s.topology, &s.tick, &s.log, &v, 1), 0);
	s.topology.n_devices = SMALL_SLOTS;
	small_assert_text(
		sink, path,
		"1 0.001000 stream name=stream7 parent=md0 state=failed read_mb_s=0.004 "
		"read_bytes=4096 write_bytes=0 read_ios=1 write_ios=0 read_us=1 write_us=0 "
		"value=workload=seq-read target=/dev/a%20b read_bytes_per_sec=4096 read_ns=1999 "
		"proof=CACHE why=EIO%20at%205%25 read_min_ns=5 read_max_ns=1999\n"
		"1 0.001000 hist name=stream7 parent=md0 key=read value=5=2 380=1\n");
	small_release(&s);
}

static const struct segment_case {
	const char *name;
	enum gap gap;
	uint32_t segment;
	int64_t later_us;
	uint32_t recorded; /* segment */
} segment_cases[] = {
	{ "time goes on", GAP_NONE, 1, 1000000, 1 },
	{ "ticks were missed", GAP_MISSED, 1, 9000000, 1 },
	{ "no time passed", GAP_CLOCK, 1, 0, 2 },
	{ "rates began anew", GAP_FIRST, 1, 1000000, 2 },
	{ "a replay went on to another segment", GAP_SEGMENT, 2, -500, 2 },
	{ "and back", GAP_NONE, 1, -500, 2 },
};

static void time_that_does_not_go_on_opens_a_segment(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(segment_cases) / sizeof(segment_cases[0]); i++) {
		const struct segment_case *c = &segment_cases[i];
		const char *path = scratch_path("segment.csv");
		struct sink *sink = sink_to(path);
		struct small s;
		char wanted[64];

		print_message("  %s\n", c->name);
		small_init(&s);
		assert_int_equal(small_tick(&s, sink), 0);
		s.tick.elapsed_us = (uint64_t)((int64_t)s.tick.elapsed_us + c->later_us);
		s.tick.gap = c->gap;
		s.tick.segment = c->segment;
		assert_int_equal(small_tick(&s, sink), 0);
		text_format(wanted, sizeof(wanted), "%u %u.%06u sample name=md0 state=active\n",
			    c->recorded, (unsigned int)(s.tick.elapsed_us / US_PER_SEC),
			    (unsigned int)(s.tick.elapsed_us % US_PER_SEC));
		small_assert_text(sink, path, wanted);
		small_release(&s);
	}
}

/* ---- keyframes ---- */

static void all_is_told_again_every_8_mib(void **state)
{
	const char *path = scratch_path("keyframes.csv");
	struct sink *sink = sink_to(path);
	size_t len, keyframes = 0;
	struct small s;
	char *text, *at, *before;

	(void)state;
	small_init(&s);
	for (int i = 0; i < 60000; i++) {
		assert_int_equal(small_tick(&s, sink), 0);
		small_go_on(&s);
	}
	assert_int_equal(sink->ops->close(sink), 0);
	before = text = read_whole(path, &len);
	for (at = text; (at = strstr(at, ",keyframe,")); at++) {
		char *tick = at;

		while (tick[-1] != '\n') /* the first line of its tick */
			tick--;
		assert_memory_not_equal(tick, tick - 60, 30);
		assert_true(at - before <= RECORD_KEYFRAME_BYTES + 65536);
		assert_non_null(strstr(at, "device,sda,,present,"));
		assert_true(strstr(at, "device,sda,,present,") - at < 4096);
		assert_true(strstr(at, "md0,in_sync") - at < 4096);
		before = at;
		keyframes++;
	}
	assert_true(text + len - before <= RECORD_KEYFRAME_BYTES + 65536);
	assert_int_equal(keyframes, (len - 1) / RECORD_KEYFRAME_BYTES);
	assert_true(keyframes >= 2);
	free(text);
	unlink(path);
	small_release(&s);
}

static int make(void **state)
{
	(void)state;
	scratch_make();
	return 0;
}

static int clean(void **state)
{
	(void)state;
	scratch_remove();
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_recording_begins_with_all_that_is_known),
		cmocka_unit_test(the_bytes_are_as_documented),
		cmocka_unit_test(only_what_changes_is_told_again),
		cmocka_unit_test(what_no_array_rests_on_is_left_out),
		cmocka_unit_test(a_disk_that_serves_two_arrays_has_no_parent),
		cmocka_unit_test(events_and_gaps_are_told_once),
		cmocka_unit_test(busy_beyond_the_clock_is_told_raw),
		cmocka_unit_test(streams_are_told_in_full),
		cmocka_unit_test(time_that_does_not_go_on_opens_a_segment),
		cmocka_unit_test(all_is_told_again_every_8_mib),
	};

	return cmocka_run_group_tests_name("csv sink", tests, make, clean);
}
