/* What happened, in the order it happened: for the status line, the time line and recordings. */
#ifndef RAIDTOP_EVENTS_H
#define RAIDTOP_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "raidtop/topology.h"

enum event_kind {
	EVENT_STREAM_START,
	EVENT_STREAM_STOP,
	EVENT_MEMBER_FAILED,
	EVENT_MEMBER_ADDED,
	EVENT_REBUILD_START,
	EVENT_REBUILD_END,
	EVENT_ACTION_CHANGE,
	EVENT_ARRAY_STATE,
	EVENT_GAP,
	EVENT_APPEARED,
	EVENT_GONE,
	EVENT_NO_ANSWER, /* a device completes nothing of what it was asked; EVENT_ANSWER ends it */
	EVENT_ANSWER,
	EVENT_STRAGGLER, /* a member stands apart from its peers */
	EVENT_STRAGGLER_END,
	EVENT_RMW, /* an array does read-modify-write */
	EVENT_RMW_END,
	EVENT_LEVEL_CHANGE, /* an array's reads or writes went to another level and stay there */
	EVENT_MARK,         /* set by the user; `text` is what they wrote */
	EVENT_KIND_COUNT,
};
/* The key in a recording ("member_failed"); parse: 0 or -EINVAL. */
const char *event_kind_name(enum event_kind kind);
int event_kind_parse(const char *text, size_t len, enum event_kind *ret);

struct event {
	uint64_t number; /* 1, 2, ... */
	enum event_kind kind;
	uint64_t elapsed_us;
	int64_t realtime_ms;
	char name[DEVICE_NAME_BYTES];   /* device, array or stream; "" for the host */
	char parent[DEVICE_NAME_BYTES]; /* a member's array; "" */
	char text[160];                 /* for people: "sdc failed in md0 (2 of 3 left)" */
};

/* A ring of the newest events. */
#define EVENT_LOG_SIZE 512
struct event_log {
	struct event ring[EVENT_LOG_SIZE];
	uint64_t last;           /* number of the newest; 0: none yet */
	uint64_t now_elapsed_us; /* stamped on what is added; set before each survey and tick */
	int64_t now_realtime_ms;
};

void event_log_init(struct event_log *log);
void event_log_stamp(struct event_log *log, uint64_t elapsed_us, int64_t realtime_ms);
void event_log_add(struct event_log *log, enum event_kind kind, const char *name,
		   const char *parent, const char *format, ...)
	__attribute__((format(printf, 5, 6)));
/* The event of that number, or NULL where it is not (or no longer) held. */
const struct event *event_log_get(const struct event_log *log, uint64_t number);

#endif
