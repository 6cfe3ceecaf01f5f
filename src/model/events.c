/*
 * The log of what happened: a ring that each reader goes through by numbers of its own, so that
 * screen and recording need not know of each other. Sentences are made harmless when they are
 * put in, because they are full of names from outside.
 */
#include "raidtop/events.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "raidtop/text.h"

static const char *const names[EVENT_KIND_COUNT] = {
	[EVENT_STREAM_START] = "stream_start",
	[EVENT_STREAM_STOP] = "stream_stop",
	[EVENT_MEMBER_FAILED] = "member_failed",
	[EVENT_MEMBER_ADDED] = "member_added",
	[EVENT_REBUILD_START] = "rebuild_start",
	[EVENT_REBUILD_END] = "rebuild_end",
	[EVENT_ACTION_CHANGE] = "action_change",
	[EVENT_ARRAY_STATE] = "array_state",
	[EVENT_GAP] = "gap",
	[EVENT_APPEARED] = "appeared",
	[EVENT_GONE] = "gone",
	[EVENT_NO_ANSWER] = "no_answer",
	[EVENT_ANSWER] = "answer",
	[EVENT_STRAGGLER] = "straggler",
	[EVENT_STRAGGLER_END] = "straggler_end",
	[EVENT_RMW] = "rmw",
	[EVENT_RMW_END] = "rmw_end",
	[EVENT_LEVEL_CHANGE] = "level_change",
	[EVENT_MARK] = "mark",
};

const char *event_kind_name(enum event_kind kind)
{
	return (unsigned int)kind < EVENT_KIND_COUNT ? names[kind] : NULL;
}

int event_kind_parse(const char *text, size_t len, enum event_kind *ret)
{
	for (unsigned int kind = 0; kind < EVENT_KIND_COUNT; kind++) {
		if (strlen(names[kind]) == len && memcmp(names[kind], text, len) == 0) {
			*ret = (enum event_kind)kind;
			return 0;
		}
	}
	return -EINVAL;
}

void event_log_init(struct event_log *log)
{
	memset(log, 0, sizeof(*log));
}

void event_log_stamp(struct event_log *log, uint64_t elapsed_us, int64_t realtime_ms)
{
	log->now_elapsed_us = elapsed_us;
	log->now_realtime_ms = realtime_ms;
}

void event_log_add(struct event_log *log, enum event_kind kind, const char *name,
		   const char *parent, const char *format, ...)
{
	struct event *e = &log->ring[log->last % EVENT_LOG_SIZE];
	char text[2 * sizeof(e->text)];
	va_list arguments;
	int n;

	va_start(arguments, format);
	n = vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	if (n < 0)
		text[0] = '\0';
	e->number = ++log->last;
	e->kind = kind;
	e->elapsed_us = log->now_elapsed_us;
	e->realtime_ms = log->now_realtime_ms;
	text_copy(e->name, sizeof(e->name), name);
	text_copy(e->parent, sizeof(e->parent), parent);
	text_clean(e->text, sizeof(e->text), text);
}

const struct event *event_log_get(const struct event_log *log, uint64_t number)
{
	if (number == 0 || number > log->last || log->last - number >= EVENT_LOG_SIZE)
		return NULL;
	return &log->ring[(number - 1) % EVENT_LOG_SIZE];
}
