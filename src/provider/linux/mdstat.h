/*
 * /proc/mdstat: the text that md prints of its arrays, read into plain structs.
 *
 * Only what is printed is here, each field or nothing: a field that the text lacks, or that
 * cannot be read for certain (a cut line, words that no kernel prints), is unknown. Lines that
 * are none of md's are skipped. Names may hold bytes beyond ASCII, but no control characters.
 */
#ifndef RAIDTOP_PROVIDER_LINUX_MDSTAT_H
#define RAIDTOP_PROVIDER_LINUX_MDSTAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "raidtop/topology.h"

#define MDSTAT_WORD_BYTES 48
#define MDSTAT_MAX_ARRAYS 4096  /* what comes after that is skipped */
#define MDSTAT_MAX_MEMBERS 4096 /* of one array */
#define MDSTAT_MAX_WORDS 64     /* personalities; unused devices */

struct mdstat_member {
	char name[DEVICE_NAME_BYTES]; /* as in /proc/diskstats, with '/' */
	int32_t number; /* in the brackets: the descriptor's, not the place; may be -1 */
	char flags[8];  /* the letters in printed order: "WF", "E" (Synology); "" */
};

struct mdstat_action {
	enum action_kind kind;   /* ACTION_NONE where nothing is printed */
	enum action_state state; /* as printed: never ACTION_STALLED */
	char word[24];           /* "resync=DELAYED" of the forms without progress; "" */
	/* UNKNOWN_U64 each */
	uint64_t percent_tenths; /* not clamped: kernels have printed 292.8% */
	uint64_t done_kib, total_kib;
	uint64_t finish_tenths_min;
	uint64_t speed_kib_per_sec;
};

struct mdstat_bitmap {
	enum truth present; /* unknown where the text ends before it could stand */
	/* UNKNOWN_U64, "" each */
	uint64_t pages, pages_total, kib;
	uint64_t chunk_bytes;
	char file[256]; /* with the kernel's \040 for a blank; "" for an internal one */
};

struct mdstat_array {
	struct mdstat_member *members; /* in printed order */
	size_t n_members, members_room;
	char name[DEVICE_NAME_BYTES];
	enum array_state state;
	enum array_readonly readonly;
	char level[24];                /* "" where not printed */
	char super[MDSTAT_WORD_BYTES]; /* as printed; "" for 0.90, which prints none */
	char layout[128];              /* "algorithm 2", "2 near-copies", "64k rounding"; "" */
	/* UNKNOWN_U64 each */
	uint64_t size_kib;
	uint64_t chunk_kib;
	uint64_t algorithm;
	uint64_t near_copies, far_copies, offset_copies; /* unknown where not printed */
	uint64_t raid_disks, working; /* [N/M]: M can be larger, and the map can disagree */
	struct mdstat_bitmap bitmap;
	struct mdstat_action action;
	char map[4097]; /* "UU_"; "" */
};

struct mdstat {
	struct mdstat_array *arrays; /* in printed order */
	size_t n_arrays, arrays_room;
	char personalities[MDSTAT_MAX_WORDS][24];
	size_t n_personalities;
	bool has_unused; /* whether the line "unused devices" is there */
	char unused[MDSTAT_MAX_WORDS][DEVICE_NAME_BYTES];
	size_t n_unused;
	char read_ahead[32]; /* Linux 2.2 and 2.4: "1024 sectors"; "" */
};

/* Embedded: all zero is a good start too. */
void mdstat_init(struct mdstat *m);
void mdstat_release(struct mdstat *m);

/*
 * Reads a text; what was there before is forgotten, its memory used again, so that a text of the
 * same shape allocates nothing. Cannot fail: any text says something or nothing.
 */
void mdstat_parse(struct mdstat *m, const char *text, size_t len);

/* The array of that name, or NULL; valid until the next parse. */
const struct mdstat_array *mdstat_find(const struct mdstat *m, const char *name);

/*
 * Fills what mdstat is the source of in `dev->array` and `dev->size_bytes`; what is not printed
 * there is left as it was. Call it before sysfs has its say, which knows members' states better.
 * Members are found by name and number and added where they are new; their devices are looked up
 * in `t`. Nothing is derived but `degraded`, which undoes the kernel's own subtraction in [N/M].
 */
void mdstat_fill_array(const struct mdstat_array *from, struct topology *t, struct device *dev);
/*
 * The sync action alone: what changes from tick to tick. A finish time that is printed with speed
 * 0 is what is left divided by next to nothing: unknown, and the action is stalled. No allocation.
 */
void mdstat_fill_action(const struct mdstat_array *from, struct action *action);

#endif
