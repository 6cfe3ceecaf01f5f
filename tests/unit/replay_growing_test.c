/* The replay of a recording that is still being written: tick for tick, and never half a one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <cmocka.h>

#include <stdlib.h>
#include <unistd.h>

#include "recording_support.h"

static void a_growing_recording_is_followed(void **state)
{
	const char *path = scratch_path("growing.csv");
	struct sink *sink = sink_to(path);
	struct machine m;
	struct player p;

	(void)state;
	machine_init(&m, 31);
	for (size_t i = 0; i < 200; i++) {
		struct buffer live = BUFFER_INIT, now = BUFFER_INIT;

		machine_step(&m);
		assert_int_equal(
			sink->ops->tick(sink, &m.topology, m.tick, &m.log, m.streams, m.n_streams),
			0);
		if (i == 0)
			player_open(&p, path);
		assert_int_equal(player_step(&p), 0);
		dump_tick(&live, &m.topology, m.tick, true);
		dump_streams(&live, m.streams, m.n_streams);
		player_dump(&now, &p, true);
		assert_same_text(&live, &now, i);
		assert_int_equal(player_step(&p), -ENODATA);
		assert_int_equal(p.at.damaged_lines, 0);
		assert_int_equal(p.at.end_us, p.at.now_us);
		buffer_release(&live);
		buffer_release(&now);
	}
	player_close(&p);
	machine_release(&m);
	assert_int_equal(sink->ops->close(sink), 0);
	unlink(path);
}

/* A reader may see any part of what the writer is just writing. */
static void half_a_tick_is_no_tick(void **state)
{
	const char *whole = scratch_path("whole.csv"), *part = scratch_path("part.csv");
	struct sink *sink = sink_to(whole);
	struct machine m;
	struct player p;
	uint64_t before, after;
	size_t len;
	char *text;

	(void)state;
	machine_init(&m, 41);
	for (int i = 0; i < 3; i++) {
		machine_step(&m);
		before = sink_csv_bytes(sink);
		assert_int_equal(sink->ops->tick(sink, &m.topology, m.tick, &m.log, NULL, 0), 0);
	}
	after = sink_csv_bytes(sink);
	assert_int_equal(sink->ops->close(sink), 0);
	text = read_whole(whole, &len);
	assert_int_equal(len, after);
	write_whole(part, text, before);
	player_open(&p, part);
	assert_int_equal(player_step(&p), 0);
	assert_int_equal(player_step(&p), 0);
	for (uint64_t at = before; at < after; at++) {
		assert_int_equal(player_step(&p), -ENODATA);
		assert_int_equal(p.at.damaged_lines, at > before);
		write_whole(part, text, at + 1);
	}
	assert_int_equal(player_step(&p), 0);
	assert_int_equal(p.at.damaged_lines, 0);
	assert_int_equal(p.tick->gap, GAP_NONE);
	assert_int_equal(player_step(&p), -ENODATA);
	player_close(&p);
	machine_release(&m);
	free(text);
	unlink(whole);
	unlink(part);
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
		cmocka_unit_test(a_growing_recording_is_followed),
		cmocka_unit_test(half_a_tick_is_no_tick),
	};

	return cmocka_run_group_tests_name("replay of a growing file", tests, make, clean);
}
