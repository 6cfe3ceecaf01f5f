/* Plays recordings in tests, with the same calls in the same order as a session. */
#include "recording_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#include <string.h>

void player_open(struct player *p, const char *path)
{
	char why[256] = "";

	if (player_try(p, path, why, sizeof(why)) < 0)
		fail_msg("%s", why);
}

int player_try(struct player *p, const char *path, char *why, size_t size)
{
	int r;

	memset(p, 0, sizeof(*p));
	r = provider_replay_new(path, &p->provider, why, size);
	if (r < 0)
		return r;
	topology_init(&p->topology);
	snapshot_init(&p->snapshot);
	event_log_init(&p->log);
	p->rates = rates_new();
	return 0;
}

void player_close(struct player *p)
{
	rates_free(p->rates);
	snapshot_release(&p->snapshot);
	topology_release(&p->topology);
	provider_free(p->provider);
}

int player_step(struct player *p)
{
	int r;

	if (p->provider->ops->dirty(p->provider)) {
		struct topology fresh;

		topology_init(&fresh);
		assert_int_equal(p->provider->ops->survey(p->provider, &fresh), 0);
		topology_adopt(&p->topology, &fresh, NULL);
		topology_release(&fresh);
	}
	r = p->provider->ops->sample(p->provider, &p->topology, &p->snapshot);
	replay_where(p->provider, &p->at);
	if (r < 0)
		return r;
	p->tick = rates_step(p->rates, &p->topology, &p->snapshot);
	replay_take_events(p->provider, &p->log);
	return 0;
}

void player_seek(struct player *p, uint64_t axis_us)
{
	assert_int_equal(replay_seek(p->provider, axis_us), 0);
	rates_reset(p->rates);
	assert_int_equal(player_step(p), 0);
}

void player_dump(struct buffer *out, struct player *p, bool totals)
{
	const struct stream_view *streams;
	size_t n = replay_streams(p->provider, &streams);

	buffer_reset(out);
	dump_tick(out, &p->topology, p->tick, totals);
	dump_streams(out, streams, n);
}

void assert_same_text(const struct buffer *live, const struct buffer *replayed, size_t tick)
{
	size_t at = 0, line = 0;

	while (at < live->len && at < replayed->len && live->data[at] == replayed->data[at]) {
		at++;
		if (live->data[at - 1] == '\n')
			line = at;
	}
	if (at != live->len || at != replayed->len)
		fail_msg("tick %zu: live '%.*s' replayed '%.*s' in\n%.*s", tick,
			 (int)strcspn(live->data + line, "\n"), live->data + line,
			 (int)strcspn(replayed->data + line, "\n"), replayed->data + line,
			 (int)line, live->data);
}
