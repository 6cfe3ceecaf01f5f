/*
 * Every byte of a recording changed, and the recording cut at every length: a replay ends, shows
 * nothing that is missing as if it were whole, and no line is lost without being counted.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <cmocka.h>

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "recording_support.h"

enum { TICKS = 3 };

static char *recording;
static size_t recording_len;
static struct buffer shown[TICKS]; /* by tick, of the whole recording */

/* What a replay came to. */
struct outcome {
	int opened;
	size_t ticks;
	size_t samples; /* devices with counters, in all ticks */
	bool times_as_recorded;
	uint64_t told; /* lines */
};

static uint64_t elapsed[TICKS], ends[TICKS]; /* of the ticks in the file */

static void note_tick(struct outcome *o, const struct player *p)
{
	o->times_as_recorded &= o->ticks < TICKS && p->tick->elapsed_us == elapsed[o->ticks];
	for (size_t i = 0; i < p->tick->n_devices; i++)
		o->samples += p->tick->devices[i].totals.valid != 0;
	o->ticks++;
	assert_true(o->ticks < 1000); /* it ends */
}

/* Plays it from the beginning to the end, and again from two other places. */
static struct outcome play(const char *path, struct buffer *show)
{
	struct outcome o = { .times_as_recorded = true };
	struct player p;
	char why[256] = "";

	o.opened = player_try(&p, path, why, sizeof(why));
	if (o.opened < 0) {
		assert_true(strlen(why) > strlen(path));
		return o;
	}
	while (player_step(&p) == 0) {
		if (show)
			dump_tick(&show[o.ticks], &p.topology, p.tick, true);
		note_tick(&o, &p);
	}
	o.told = p.at.damaged_lines + p.at.unknown_lines;
	for (uint64_t us = p.at.end_us / 2; us > 0; us = us == p.at.end_us ? 0 : p.at.end_us) {
		if (replay_seek(p.provider, us) == 0)
			assert_int_equal(player_step(&p), 0);
	}
	player_close(&p);
	return o;
}

static int make_recording(void **state)
{
	const char *path = (scratch_make(), scratch_path("whole.csv"));
	struct sink *sink = sink_to(path);
	struct stream_view stream = { .number = 1, .read_bytes_per_sec = 5 };
	struct small s;
	struct outcome o;

	(void)state;
	small_init(&s);
	for (size_t i = 0; i < TICKS; i++) {
		elapsed[i] = s.tick.elapsed_us;
		for (size_t k = 0; k < SMALL_SLOTS; k++)
			counters_set(&s.figures[k].totals, COUNTER_READ_IOS, 100 * (i + k));
		event_log_add(&s.log, EVENT_MARK, "", "", "mark, \"%zu\"", i);
		assert_int_equal(sink->ops->tick(sink, &s.topology, &s.tick, &s.log, &stream, 1),
				 0);
		ends[i] = sink_csv_bytes(sink);
		small_go_on(&s);
		s.topology.devices[SMALL_MD0]->array->degraded = i;
		s.topology.generation++;
	}
	assert_int_equal(sink->ops->close(sink), 0);
	small_release(&s);
	o = play(path, shown);
	assert_int_equal(o.opened, 0);
	assert_int_equal(o.ticks, TICKS);
	assert_true(o.times_as_recorded);
	assert_int_equal(o.told, 0);
	recording = read_whole(path, &recording_len);
	return 0;
}

static int forget_recording(void **state)
{
	(void)state;
	free(recording);
	for (size_t i = 0; i < TICKS; i++)
		buffer_release(&shown[i]);
	scratch_remove();
	return 0;
}

static void assert_nothing_is_lost_in_silence(const struct outcome *o, size_t at, int value)
{
	if (o->opened < 0 || o->told > 0)
		return;
	if (o->ticks != TICKS || o->samples != 4 * TICKS || !o->times_as_recorded)
		fail_msg("byte %zu as %d: %zu ticks, %zu samples, and not a word", at, value,
			 o->ticks, o->samples);
}

static void any_byte_may_be_another(void **state)
{
	static const int values[] = { '\n', '"', '7', 0x80, -1 }; /* -1: one bit */
	const char *path = scratch_path("changed.csv");
	size_t refused = 0, told = 0;
	int fd;

	(void)state;
	write_whole(path, recording, recording_len);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	for (size_t at = 0; at < recording_len; at++) {
		for (size_t k = 0; k < sizeof(values) / sizeof(values[0]); k++) {
			char byte = (char)(values[k] < 0 ? recording[at] ^ 1 : values[k]);
			struct outcome o;

			if (byte == recording[at])
				continue;
			assert_int_equal(pwrite(fd, &byte, 1, (off_t)at), 1);
			o = play(path, NULL);
			assert_nothing_is_lost_in_silence(&o, at, values[k]);
			refused += o.opened < 0;
			told += o.told > 0;
		}
		assert_int_equal(pwrite(fd, &recording[at], 1, (off_t)at), 1);
	}
	print_message("  %zu bytes; %zu changes told, %zu recordings refused\n", recording_len,
		      told, refused);
	assert_true(told > recording_len);
	close(fd);
	unlink(path);
}

static void it_may_end_anywhere(void **state)
{
	const char *path = scratch_path("cut.csv");
	int fd;

	(void)state;
	write_whole(path, recording, recording_len);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	for (size_t len = recording_len; len > 0; len--) {
		struct buffer show[TICKS] = { BUFFER_INIT };
		struct outcome o;

		assert_int_equal(ftruncate(fd, (off_t)len), 0);
		o = play(path, show);
		assert_true(o.opened < 0 || (o.ticks > 0 && o.times_as_recorded));
		/* A tick is there as a whole, with a word about what is torn after it, or not. */
		for (size_t i = 0; i < o.ticks; i++)
			assert_string_equal(buffer_text(&show[i]), buffer_text(&shown[i]));
		assert_int_equal(o.opened < 0, len < ends[0]);
		if (o.opened == 0) {
			assert_true(ends[o.ticks - 1] <= len);
			assert_true(o.ticks == TICKS || len < ends[o.ticks]);
			assert_int_equal(o.told, len != ends[o.ticks - 1]);
		}
		for (size_t i = 0; i < TICKS; i++)
			buffer_release(&show[i]);
	}
	close(fd);
	unlink(path);
}

/* ---- large rubbish: it must end soon, and whatever comes after it is found ---- */

static void fill_with(struct buffer *b, const char *text, size_t bytes)
{
	buffer_reserve(b, bytes + 64);
	while (b->len < bytes)
		buffer_add_text(b, text);
}

static const struct rubbish {
	const char *name;
	const char *text;
} rubbish[] = {
	{ "line feeds", "\n" },
	{ "quotes", "\"" },
	{ "lines that open a quote", "\"\n" },
	{ "lines that open and close", "\",\n\"\n" },
	{ "one line without end", "abc" },
	{ "commas", "," },
	{ "keyframes that are none", "keyframe\n" },
	{ "words of keyframes", "keyframe" },
	{ "segments without end", NULL },
};

static void assert_survives(const char *path, const char *text, bool in_the_middle)
{
	size_t header_len = strcspn(recording, "\n") + 1, half = recording_len;
	struct buffer b = BUFFER_INIT, middle = BUFFER_INIT;
	struct outcome o;

	buffer_add(&b, recording, half);
	fill_with(&middle, text, 1 << 20);
	buffer_add(&b, middle.data, middle.len);
	buffer_add_char(&b, '\n');
	if (in_the_middle)
		buffer_add(&b, recording + header_len, recording_len - header_len);
	write_whole(path, b.data, b.len);
	o = play(path, NULL);
	assert_int_equal(o.opened, 0);
	assert_int_equal(o.ticks, in_the_middle ? 2 * TICKS : TICKS);
	assert_true(o.told > 0);
	buffer_release(&b);
	buffer_release(&middle);
}

static void rubbish_is_passed_over(void **state)
{
	const char *path = scratch_path("rubbish.csv");

	(void)state;
	for (size_t i = 0; rubbish[i].text; i++) {
		print_message("  %s\n", rubbish[i].name);
		assert_survives(path, rubbish[i].text, false);
		assert_survives(path, rubbish[i].text, true);
	}
	unlink(path);
}

static void zeros_after_a_crash_are_no_obstacle(void **state)
{
	const char *path = scratch_path("zeros.csv");
	struct outcome o;

	(void)state;
	write_whole(path, recording, recording_len);
	assert_int_equal(truncate(path, (off_t)recording_len + (64 << 20)), 0);
	o = play(path, NULL);
	assert_int_equal(o.opened, 0);
	assert_int_equal(o.ticks, TICKS);
	assert_int_equal(o.told, 1);
	unlink(path);
}

static void it_may_be_cut_while_it_is_played(void **state)
{
	const char *path = scratch_path("shrinks.csv");
	const size_t sizes[] = { recording_len - 5, ends[1], ends[0] + 100, ends[0], 400, 10, 0 };
	struct player p;

	(void)state;
	write_whole(path, recording, recording_len);
	player_open(&p, path);
	assert_int_equal(player_step(&p), 0);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		assert_int_equal(truncate(path, (off_t)sizes[i]), 0);
		for (uint64_t us = 0; us <= 4000000; us += 500000) {
			if (replay_seek(p.provider, us) == 0)
				assert_int_equal(player_step(&p), 0);
			while (player_step(&p) == 0)
				;
		}
	}
	player_close(&p);
	unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_byte_may_be_another),
		cmocka_unit_test(it_may_end_anywhere),
		cmocka_unit_test(rubbish_is_passed_over),
		cmocka_unit_test(zeros_after_a_crash_are_no_obstacle),
		cmocka_unit_test(it_may_be_cut_while_it_is_played),
	};

	return cmocka_run_group_tests_name("replay of any bytes", tests, make_recording,
					   forget_recording);
}
