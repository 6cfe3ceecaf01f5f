/* Invented machines for golden screens: topology, figures and history that are always the same. */
#ifndef RAIDTOP_SCENE_H
#define RAIDTOP_SCENE_H

#include <stddef.h>
#include <stdint.h>

#include "raidtop/screen.h"

#define SCENE_DEVICES 256
#define SCENE_STREAMS 4
#define SCENE_START_MS 1764518400000LL /* 2025-11-30T16:00:00Z */

/* What a device does all the time, give or take `waver_pct`. */
struct scene_load {
	double read_per_sec, write_per_sec; /* bytes */
	double await_ms;
	double waver_pct;
	unsigned int stops_at; /* from this second on it completes nothing; 0: never */
	uint64_t keeps;        /* requests that are in flight then, for ever */
};

struct scene {
	struct topology topology;
	struct tick tick;
	struct figures figures[SCENE_DEVICES];
	struct scene_load loads[SCENE_DEVICES];
	struct counters totals[SCENE_DEVICES];
	struct history *history;
	struct insights *insights;
	struct event_log events;
	struct stream_view streams[SCENE_STREAMS];
	struct transport transport;
	struct dialog dialog;
	struct screen_model model;
	uint64_t noise;
};

/* One for each machine; a table in scene.c. */
struct scene_recipe {
	const char *name; /* "three-arrays" */
	void (*build)(struct scene *s);
	unsigned int seconds; /* how long it has run */
};
extern const struct scene_recipe scene_recipes[];
extern const size_t n_scene_recipes;

void scene_init(struct scene *s, const struct scene_recipe *recipe);
void scene_release(struct scene *s);
/* The next tick, one interval later. */
void scene_step(struct scene *s);

#endif
