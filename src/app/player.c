/*
 * The playhead is an anchor, a place on the axis and the clock's reading there, so that it never
 * drifts: where it is now follows from the two and the speed. Whatever changes the speed or the
 * state sets a new anchor first.
 */
#include "player.h"

static const double speeds[] = { 0.25, 0.5, 1, 2, 4, 8, 16, 32, 64 };
enum { N_SPEEDS = sizeof(speeds) / sizeof(speeds[0]), SPEED_ONE = 2 };

void player_init(struct player *p, uint64_t now_ns)
{
	*p = (struct player){ .playing = true, .speed = SPEED_ONE, .anchor_ns = now_ns };
}

double player_speed(const struct player *p)
{
	return speeds[p->speed];
}

uint64_t player_head_us(const struct player *p, uint64_t now_ns)
{
	if (!p->playing || now_ns <= p->anchor_ns)
		return p->head_us;
	return p->head_us + (uint64_t)((double)(now_ns - p->anchor_ns) / 1000 * speeds[p->speed]);
}

void player_set_head(struct player *p, uint64_t head_us, uint64_t now_ns)
{
	p->head_us = head_us;
	p->anchor_ns = now_ns;
}

bool player_change_speed(struct player *p, int by, uint64_t now_ns)
{
	int speed = (int)p->speed + by;

	if (speed < 0 || speed >= N_SPEEDS)
		return false;
	player_set_head(p, player_head_us(p, now_ns), now_ns);
	p->speed = (unsigned int)speed;
	return true;
}

void player_set_playing(struct player *p, bool playing, uint64_t now_ns)
{
	player_set_head(p, player_head_us(p, now_ns), now_ns);
	p->playing = playing;
}

uint64_t player_wait_ns(const struct player *p, uint64_t axis_us, uint64_t now_ns)
{
	uint64_t head_us = player_head_us(p, now_ns);

	if (!p->playing)
		return UINT64_MAX;
	if (axis_us <= head_us)
		return 0;
	/* Rounded up, or the wait would end just before the tick is due. */
	return (uint64_t)((double)(axis_us - head_us) * 1000 / speeds[p->speed]) + 1000;
}
