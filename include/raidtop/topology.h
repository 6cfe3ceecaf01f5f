/*
 * The topology: which disks, partitions and arrays there are, and how they hang together.
 *
 * A device keeps its slot for the life of the program: slots index snapshots, rates and
 * history, and are never used again for something else. A device that goes away stays in its
 * slot with `present` false; one that comes back with the same identity finds it again; another
 * one under the same kernel name gets a new slot and the name "sda#2".
 *
 * Unknown is a value of its own: UNKNOWN_* below, "" for text, -1 for an index.
 */
#ifndef RAIDTOP_TOPOLOGY_H
#define RAIDTOP_TOPOLOGY_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UNKNOWN_U64 UINT64_MAX
#define UNKNOWN_I32 INT32_MIN
#define NO_SLOT (-1)

#define DEVICE_NAME_BYTES 64
#define DEVICE_TEXT_BYTES 96

/* Yes, no, or not known. */
enum truth { TRUTH_UNKNOWN = -1, TRUTH_NO = 0, TRUTH_YES = 1 };

/* A path is one way to a disk that has several (native NVMe multipath); it is not shown. */
enum device_kind { DEVICE_DISK, DEVICE_PARTITION, DEVICE_ARRAY, DEVICE_PATH };

/* The words of --list --json; index 0 is unknown. */
enum array_state { ARRAY_STATE_UNKNOWN, ARRAY_ACTIVE, ARRAY_INACTIVE, ARRAY_BROKEN };
enum array_readonly { ARRAY_READ_WRITE, ARRAY_READ_ONLY, ARRAY_AUTO_READ_ONLY };
enum action_kind {
	ACTION_NONE,
	ACTION_RESYNC,
	ACTION_RECOVERY,
	ACTION_CHECK,
	ACTION_REPAIR,
	ACTION_RESHAPE,
};
enum action_state {
	ACTION_RUNNING,
	ACTION_DELAYED,
	ACTION_PENDING,
	ACTION_REMOTE,
	ACTION_STALLED,
};
enum member_state {
	MEMBER_STATE_UNKNOWN,
	MEMBER_IN_SYNC,
	MEMBER_SPARE,
	MEMBER_FAULTY,
	MEMBER_REBUILDING,
	MEMBER_JOURNAL,
	MEMBER_MISSING,
	MEMBER_HELD,   /* by a container, for the volumes on it */
	MEMBER_UNUSED, /* of a container, no volume on it: whether it waits or failed is not told */
};
enum member_flag { /* the letters that mdstat prints in brackets */
		   MEMBER_FLAG_WRITE_MOSTLY = 1 << 0, /* W */
		   MEMBER_FLAG_JOURNAL = 1 << 1,      /* J */
		   MEMBER_FLAG_FAULTY = 1 << 2,       /* F */
		   MEMBER_FLAG_SPARE = 1 << 3,        /* S */
		   MEMBER_FLAG_REPLACEMENT = 1 << 4,  /* R */
};

/* What runs on an array, with its progress. */
struct action {
	enum action_kind kind;
	enum action_state state;
	int32_t percent_tenths; /* 0..1000, UNKNOWN_I32 */
	uint64_t done_bytes;    /* of one member */
	uint64_t total_bytes;
	uint64_t finish_s;            /* the kernel's estimate, whole seconds */
	uint64_t speed_bytes_per_sec; /* the kernel's */
};

/* A device in an array. A slot that nothing fills is a member of state missing with name "". */
struct member {
	char name[DEVICE_NAME_BYTES]; /* sda1: the member device itself */
	int device;                   /* its slot in the topology, or NO_SLOT */
	int32_t slot;                 /* the number in mdstat's brackets, or UNKNOWN_I32 */
	int32_t role;                 /* its place in the array, from sysfs, or UNKNOWN_I32 */
	uint32_t flags;               /* enum member_flag */
	enum member_state state;
};

/* What only an array has. */
struct array {
	char kind[16];     /* "md", "dm", "btrfs": who makes it */
	char level[24];    /* raid5, linear, container, ...; "" */
	char layout[48];   /* left-symmetric, n2, ...; "" */
	char metadata[48]; /* as printed: 1.2, 0.90, external:imsm */
	char uuid[64];
	char alias[DEVICE_TEXT_BYTES]; /* the name of /dev/md/NAME, "" */
	char consistency_policy[24];
	char container[DEVICE_NAME_BYTES]; /* of a volume: the kernel's name of what it lies in */
	char bitmap_location[256];         /* "internal", "file" or the file's name; "" */
	char journal_mode[24];             /* write-through, write-back; "" without a journal */
	enum array_state state;
	enum array_readonly readonly;
	uint64_t chunk_bytes;
	uint64_t raid_disks;
	uint64_t raid_disks_before; /* during a reshape, else UNKNOWN_U64 */
	uint64_t working;
	uint64_t degraded;
	uint64_t mismatch_count;
	uint64_t stripe_cache_size;
	/* Stripes in use, maybe more than its size; with n arrays at work up to n / 2 ticks old. */
	uint64_t stripe_cache_active;
	uint64_t spares;
	uint64_t container_volume; /* the volume's number in its container */
	uint64_t bitmap_chunk_bytes;
	uint64_t sync_min_bytes_per_sec; /* limits of a sync's speed, for each member */
	uint64_t sync_max_bytes_per_sec;
	enum truth sync_min_is_local; /* set for this array, not for all of the machine */
	enum truth sync_max_is_local;
	uint64_t reshape_position_bytes; /* of the array: up to here it has its new shape */
	char slots[4097];                /* "UU_", "" where the level has no such map */
	enum truth bitmap;
	enum truth frozen;
	struct action action;
	struct member *members; /* owned by the array */
	size_t n_members;
};

/* A disk's identity and equipment. A partition has its disk's. */
struct disk {
	char model[DEVICE_TEXT_BYTES];
	char serial[DEVICE_TEXT_BYTES];
	char wwn[DEVICE_TEXT_BYTES];
	char firmware[32];
	char transport[16]; /* sata, nvme, usb, sas, virtio, ...; "" */
	enum truth rotational;
	int32_t temperature_mc;      /* thousandths of a degree Celsius, or UNKNOWN_I32 */
	uint64_t temperature_at_us;  /* when it was read, on the snapshots' clock; UNKNOWN_U64 */
	char temperature_why[64];    /* why there is none, or no newer one, for people; "" */
	int32_t temperature_max_mc;  /* too warm by the drive's own word, or UNKNOWN_I32 */
	int32_t temperature_crit_mc; /* harmful by the drive's own word, or UNKNOWN_I32 */
	enum truth asleep;           /* spun down, or suspended by the kernel */
};

struct device {
	char name[DEVICE_NAME_BYTES];        /* unique in this run and in its recording */
	char kernel_name[DEVICE_NAME_BYTES]; /* as in /proc/diskstats, with '/' */
	enum device_kind kind;
	bool present;
	bool minor_interest; /* ram, zram, empty loop, optical: hidden unless it carries an array */
	uint32_t major, minor;
	uint64_t diskseq; /* Linux 5.15 and newer; UNKNOWN_U64 */
	uint64_t size_bytes;
	enum truth counts_io;    /* TRUTH_NO: queue/iostats is 0 */
	enum truth busy_is_load; /* TRUTH_NO: its busy time runs while it is idle (old blk-mq) */
	int parent;              /* a partition's disk, the disk that a path leads to; NO_SLOT */
	struct disk disk;
	struct array *array; /* owned; NULL unless kind is DEVICE_ARRAY */
};

/*
 * One device rests on another, so that its bytes pass there too: a device-mapper map on its disks,
 * a loop device on the disk that its file lies on. What arrays rest on are their members.
 */
struct stand {
	int device, on; /* slots */
};

/* A name that a slot had before it was renamed: no other slot gets it any more. */
struct name_claim {
	char name[DEVICE_NAME_BYTES];
	int slot;
};

struct topology {
	char host[DEVICE_TEXT_BYTES];
	char kernel[DEVICE_TEXT_BYTES];
	uint64_t generation;     /* grows with each adopted change */
	struct device **devices; /* by slot; each owned */
	size_t n_devices;
	struct stand *stands; /* owned; sorted in an adopted topology */
	size_t n_stands;
	struct name_claim *claims; /* owned */
	size_t n_claims;
	/*
	 * Of a survey: it comes from a recording, where names are unique already, so that they
	 * alone tell devices apart; it may hold devices that are gone.
	 */
	bool names_hold;
};

struct event_log;

void topology_init(struct topology *t);
void topology_release(struct topology *t);

/*
 * A new device at the end, all unknown, present; owned by the topology and valid until it is
 * released. topology_add_array gives it its array as well.
 */
struct device *topology_add_device(struct topology *t, enum device_kind kind, const char *name);
struct device *topology_add_array(struct topology *t, const char *name);
/* A new member, all unknown, at the end; valid until the next one is added. */
struct member *array_add_member(struct array *a, const char *name);

/* Tells that a device rests on another; nothing where one of them is none, or both are one. */
void topology_add_stand(struct topology *t, int device, int on);

/* The slot of the present device of that name (kernel name), or NO_SLOT. */
int topology_find(const struct topology *t, const char *kernel_name);
/* The slot of the present device with that number, or NO_SLOT. */
int topology_find_number(const struct topology *t, uint32_t major, uint32_t minor);
/* The slot of the disk that a device lives on: itself, or the parent of a partition or path. */
int topology_disk_of(const struct topology *t, int slot);
/* An array of this kind holds disks for others, its volumes, and moves no bytes itself. */
bool array_is_container(const struct array *a);
/*
 * What mismatches tell: a fault where there is parity; nothing on mirrors, where a page that is
 * written while it changes in memory (swap, mapped files) makes copies differ; unknown elsewhere.
 */
enum truth array_mismatches_are_faults(const struct array *a);
/* Whether a present array has the device, or a partition of it, as a member. */
bool topology_is_member(const struct topology *t, int slot);

/*
 * Takes over what a fresh survey found: devices of `fresh` are matched to slots of `held` by
 * identity (kernel name and diskseq, else serial, WWN or UUID, else major:minor and name),
 * fields are copied, what is missing becomes not present, new ones get new slots. Member and
 * parent indices are translated. Tells what happened to `log` (NULL: nobody listens; the first
 * survey tells nothing). Returns whether anything changed. `fresh` is left valid but unspecified.
 */
bool topology_adopt(struct topology *held, struct topology *fresh, struct event_log *log);

/* Words for the enums, as in --list --json; NULL for unknown, none and read-write. */
const char *array_state_name(enum array_state state);
const char *array_readonly_name(enum array_readonly readonly);
const char *action_kind_name(enum action_kind kind);
const char *action_state_name(enum action_state state);
const char *member_state_name(enum member_state state);
/* "W,F" into buf (at least 16 bytes); the order is W J F S R. Returns the length. */
size_t member_flags_format(char *buf, uint32_t flags, char between);

#endif
