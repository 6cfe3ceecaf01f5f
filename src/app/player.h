/* The playhead of a replay: where it stands on the recording's axis, playing or not, how fast. */
#ifndef RAIDTOP_PLAYER_H
#define RAIDTOP_PLAYER_H

#include <stdbool.h>
#include <stdint.h>

struct player {
	bool playing;
	unsigned int speed; /* index into the table of speeds */
	uint64_t head_us;   /* the playhead when the clock showed anchor_ns */
	uint64_t anchor_ns;
};

void player_init(struct player *p, uint64_t now_ns);
/* Recorded time per real time: 0.25 to 64. */
double player_speed(const struct player *p);
/* One step slower (-1) or faster (+1); false at the end of the range. */
bool player_change_speed(struct player *p, int by, uint64_t now_ns);
void player_set_playing(struct player *p, bool playing, uint64_t now_ns);
void player_set_head(struct player *p, uint64_t head_us, uint64_t now_ns);
uint64_t player_head_us(const struct player *p, uint64_t now_ns);
/* Real time until the playhead reaches `axis_us`; UINT64_MAX while it stands. */
uint64_t player_wait_ns(const struct player *p, uint64_t axis_us, uint64_t now_ns);

#endif
