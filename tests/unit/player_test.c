#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "app/player.h"

#define SECOND 1000000000ULL

static void the_head_follows_the_clock(void **state)
{
	struct player p;

	(void)state;
	player_init(&p, 5 * SECOND);
	assert_int_equal(player_head_us(&p, 5 * SECOND), 0);
	assert_int_equal(player_head_us(&p, 7 * SECOND), 2000000);
	assert_int_equal(player_head_us(&p, 4 * SECOND), 0);
}

static void a_pause_holds_it(void **state)
{
	struct player p;

	(void)state;
	player_init(&p, 0);
	player_set_playing(&p, false, 3 * SECOND);
	assert_int_equal(player_head_us(&p, 100 * SECOND), 3000000);
	assert_true(player_wait_ns(&p, 4000000, 100 * SECOND) == UINT64_MAX);
	player_set_playing(&p, true, 100 * SECOND);
	assert_int_equal(player_head_us(&p, 101 * SECOND), 4000000);
}

static void speed_goes_from_a_quarter_to_64(void **state)
{
	static const double speeds[] = { 0.25, 0.5, 1, 2, 4, 8, 16, 32, 64 };
	struct player p;

	(void)state;
	player_init(&p, 0);
	assert_true(player_speed(&p) == 1);
	while (player_change_speed(&p, -1, 0))
		;
	for (size_t i = 0; i < sizeof(speeds) / sizeof(speeds[0]); i++) {
		assert_true(player_speed(&p) == speeds[i]);
		assert_int_equal(player_change_speed(&p, 1, 0), i < 8);
	}
}

static void a_change_of_speed_does_not_jump(void **state)
{
	struct player p;

	(void)state;
	player_init(&p, 0);
	player_change_speed(&p, 1, 10 * SECOND);
	assert_int_equal(player_head_us(&p, 10 * SECOND), 10000000);
	assert_int_equal(player_head_us(&p, 11 * SECOND), 12000000);
}

static void the_wait_ends_when_the_tick_is_due(void **state)
{
	struct player p;

	(void)state;
	player_init(&p, 0);
	while (player_change_speed(&p, 1, 0))
		;
	for (uint64_t due_us = 1; due_us < 100000000; due_us = due_us * 3 + 1) {
		uint64_t wait_ns = player_wait_ns(&p, due_us, 0);

		assert_true(player_head_us(&p, wait_ns) >= due_us);
		assert_true(player_head_us(&p, wait_ns) <= due_us + 128);
	}
	assert_int_equal(player_wait_ns(&p, 0, SECOND), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_head_follows_the_clock),
		cmocka_unit_test(a_pause_holds_it),
		cmocka_unit_test(speed_goes_from_a_quarter_to_64),
		cmocka_unit_test(a_change_of_speed_does_not_jump),
		cmocka_unit_test(the_wait_ends_when_the_tick_is_due),
	};

	return cmocka_run_group_tests_name("player", tests, NULL, NULL);
}
