/*
 * Invented machines: what they are made of, what they do and what has happened to them, each by a
 * recipe of its own. scene_time.c lets time go on.
 */
#include "scene.h"

#include <string.h>

#include "raidtop/clock.h"
#include "raidtop/text.h"

#define MB 1e6
#define GB 1000000000ULL

static const struct key_hint hints[] = {
	{ "q", "quit", "end the program" },
	{ "?", "help", "this page" },
	{ "arrows hjkl", NULL, "move the selection" },
	{ "PgUp PgDn Home End", NULL, "move it further" },
	{ "s", "stream", "start a sequential read of the selected device" },
	{ "x", "stop", "stop the streams on the selected device" },
	{ "r", "record", "start and stop a recording" },
	{ "space", "pause", "hold the screen still, and go on" },
	{ "Ctrl-L", NULL, "draw the screen anew" },
};

/* ---- building ---- */

static int slot_of(const struct scene *s)
{
	return (int)s->topology.n_devices - 1;
}

static int add_disk(struct scene *s, const char *name, const char *model, uint64_t size_bytes,
		    int celsius)
{
	struct device *d = topology_add_device(&s->topology, DEVICE_DISK, name);

	text_copy(d->disk.model, sizeof(d->disk.model), model);
	text_format(d->disk.serial, sizeof(d->disk.serial), "WD-%04zX",
		    s->topology.n_devices * 4099);
	d->size_bytes = size_bytes;
	d->counts_io = TRUTH_YES;
	d->disk.rotational = TRUTH_YES;
	text_copy(d->disk.transport, sizeof(d->disk.transport), "sata");
	if (celsius > 0) {
		d->disk.temperature_mc = celsius * 1000;
		d->disk.temperature_at_us = 0;
	}
	return slot_of(s);
}

static void set_load(struct scene *s, int slot, double read_mb, double write_mb, double await_ms,
		     double waver_pct)
{
	s->loads[slot] =
		(struct scene_load){ read_mb * MB, write_mb * MB, await_ms, waver_pct, 0, 0 };
}

static struct array *add_array(struct scene *s, const char *name, const char *level,
			       uint64_t raid_disks, uint64_t size_bytes, const char *slots)
{
	struct device *d = topology_add_array(&s->topology, name);
	struct array *a = d->array;

	d->size_bytes = size_bytes;
	d->counts_io = TRUTH_YES;
	text_copy(a->kind, sizeof(a->kind), "md");
	text_copy(a->level, sizeof(a->level), level);
	text_copy(a->slots, sizeof(a->slots), slots);
	a->state = ARRAY_ACTIVE;
	a->raid_disks = raid_disks;
	a->degraded = 0;
	for (size_t i = 0; slots[i]; i++)
		a->degraded += slots[i] == '_';
	return a;
}

static struct member *add_member(struct array *a, const char *name, int device,
				 enum member_state state)
{
	struct member *m = array_add_member(a, name);

	m->device = device;
	m->role = (int32_t)a->n_members - 1;
	m->slot = m->role;
	m->state = state;
	return m;
}

static void stamp(struct scene *s, uint64_t seconds)
{
	event_log_stamp(&s->events, seconds * US_PER_SEC, SCENE_START_MS + (int64_t)seconds * 1000);
}

/* A raid5 of five disks that is read from: md0 on sda to sde. */
static struct array *build_raid5(struct scene *s)
{
	static const char *const names[] = { "sda", "sdb", "sdc", "sdd", "sde" };
	struct array *a;
	int slots[5], md0;

	for (int i = 0; i < 5; i++) {
		slots[i] = add_disk(s, names[i], i < 3 ? "WD2500JS" : "WD5000AAKS", 500 * GB,
				    i == 2 ? 49 : 36 + i);
		set_load(s, slots[i], 42.6, 0, i == 2 ? 11.8 : 4.1, 12);
	}
	a = add_array(s, "md0", "raid5", 5, 2000 * GB, "UUUUU");
	md0 = slot_of(s);
	text_copy(a->layout, sizeof(a->layout), "left-symmetric");
	text_copy(a->alias, sizeof(a->alias), "home");
	a->chunk_bytes = 512 * 1024;
	set_load(s, md0, 213, 0, 4.8, 12);
	for (int i = 0; i < 5; i++)
		add_member(a, names[i], slots[i], MEMBER_IN_SYNC);
	return a;
}

/* One disk of an array hangs, which stops them all; and one that is in no array does, too. */
static void build_no_answer(struct scene *s)
{
	int free_disk;

	build_raid5(s);
	for (size_t i = 0; i < s->topology.n_devices; i++) {
		s->loads[i].await_ms = 4.1;
		s->loads[i].stops_at = 88;
	}
	s->loads[1].keeps = 7; /* sdb */
	free_disk = add_disk(s, "sdz", "ST3500418AS", 500 * GB, 41);
	set_load(s, free_disk, 0, 53.1, 9.4, 20);
	s->loads[free_disk].stops_at = 30;
	s->loads[free_disk].keeps = 1;
}

static void build_nothing(struct scene *s)
{
	s->model.demo = "To see what it would look like: raidtop --demo";
}

static void build_one_disk(struct scene *s)
{
	int sda = add_disk(s, "sda", "ST3500418AS", 500 * GB, 38);

	set_load(s, sda, 0, 53.1, 9.4, 20);
}

static void build_one_array(struct scene *s)
{
	build_raid5(s);
	stamp(s, 12);
	event_log_add(&s->events, EVENT_STREAM_START, "1", "", "stream 1 started: seq-read on md0");
}

/* WISHES.md 1: a mirror whose first disk is being rebuilt: percent, rate, time left, places. */
static void build_degraded(struct scene *s)
{
	static const char *const names[] = { "sdb1", "sdc1", "sdd1" };
	struct array *a;
	int slots[3];

	for (int i = 0; i < 3; i++) {
		slots[i] = add_disk(s, names[i], "Maxtor 6Y080L0", 80 * GB, 40 + i);
		set_load(s, slots[i], i == 1 ? 180 : 0.4, i == 0 ? 180 : 0, 1.2, 6);
	}
	a = add_array(s, "md1", "raid1", 3, 80 * GB, "_UU");
	set_load(s, slot_of(s), 0.3, 0, 0.9, 5);
	for (int i = 0; i < 3; i++)
		add_member(a, names[i], slots[i], i == 0 ? MEMBER_REBUILDING : MEMBER_IN_SYNC);
	a->members[2].flags = MEMBER_FLAG_WRITE_MOSTLY;
	a->action = (struct action){ .kind = ACTION_RECOVERY,
				     .state = ACTION_RUNNING,
				     .percent_tenths = 431,
				     .finish_s = 252,
				     .speed_bytes_per_sec = 180000000 };
	stamp(s, 30);
	event_log_add(&s->events, EVENT_MEMBER_FAILED, "sda1", "md1",
		      "sda1 failed in md1 (2 of 3 left)");
	stamp(s, 95);
	event_log_add(&s->events, EVENT_REBUILD_START, "md1", "", "md1: recovery onto sdb1 began");
	s->model.recording = "/tmp/run42.csv";
	s->model.recording_ns = 751 * NS_PER_SEC;
}

static void add_streams(struct scene *s)
{
	for (unsigned int i = 0; i < SCENE_STREAMS; i++) {
		struct stream_view *v = &s->streams[i];

		v->number = i + 1;
		text_copy(v->spec.workload, sizeof(v->spec.workload), "seq-read");
		text_copy(v->spec.device, sizeof(v->spec.device), i < 3 ? "md0" : "nvme0n1");
		v->state = i < 3 ? STREAM_RUNNING : STREAM_FAILED;
		v->read_bytes = i < 3 ? 6390 * 1000000ULL : 0;
		v->running_ns = i < 3 ? 90 * NS_PER_SEC : 0;
		v->oldest_io_ns = i < 3 ? (3 + i) * NS_PER_MS : 0;
		v->read_bytes_per_sec = i < 3 ? 71 * MB : -1;
		v->write_bytes_per_sec = i < 3 ? 0 : -1;
		v->low_bytes_per_sec = i < 3 ? 52 * MB : -1;
		v->high_bytes_per_sec = i < 3 ? 77 * MB : -1;
		v->proof = i == 0 ? PROOF_DISK : i == 1 ? PROOF_CACHE : PROOF_UNKNOWN;
		v->disk_pct = i == 0 ? 100 : -1;
	}
	text_copy(s->streams[0].note, sizeof(s->streams[0].note), "(dips down to 49)");
	s->streams[2].state = STREAM_PAUSED;
	text_copy(s->streams[3].why, sizeof(s->streams[3].why),
		  "/dev/nvme0n1: permission denied; run it as root or as a member of group disk");
	s->model.streams = s->streams;
	s->model.n_streams = SCENE_STREAMS;
}

/* Three arrays on twelve disks: a raid5, a raid1 with a missing member and a spare, a raid10. */
static void build_three_arrays(struct scene *s)
{
	static const char *const names[] = { "sdf", "sdg", "sdh", "sdi", "sdj", "sdk" };
	struct array *a;
	int slots[6], nvme;

	build_raid5(s);
	for (int i = 0; i < 6; i++) {
		slots[i] = add_disk(s, names[i], "Hitachi HDS721010CLA332", 1000 * GB,
				    i == 5 ? 0 : 33 + i);
		set_load(s, slots[i], 0, i < 2 ? 0 : 38, 2.3, 25);
	}
	a = add_array(s, "md1", "raid1", 3, 1000 * GB, "U_U");
	add_member(a, "sdf", slots[0], MEMBER_IN_SYNC);
	add_member(a, "", NO_SLOT, MEMBER_MISSING);
	add_member(a, "sdg", slots[1], MEMBER_IN_SYNC);
	a = add_array(s, "md127", "raid10", 4, 2000 * GB, "UUUU");
	set_load(s, slot_of(s), 0, 76, 3.1, 25);
	text_copy(a->layout, sizeof(a->layout), "near=2");
	a->chunk_bytes = 512 * 1024;
	a->bitmap = TRUTH_YES;
	a->action = (struct action){ .kind = ACTION_CHECK,
				     .state = ACTION_DELAYED,
				     .percent_tenths = UNKNOWN_I32,
				     .finish_s = UNKNOWN_U64,
				     .speed_bytes_per_sec = UNKNOWN_U64 };
	for (int i = 2; i < 6; i++)
		add_member(a, names[i], slots[i], MEMBER_IN_SYNC);
	nvme = add_disk(s, "nvme0n1", "Samsung SSD 970 PRO", 512 * GB, 52);
	s->topology.devices[nvme]->disk.rotational = TRUTH_NO;
	text_copy(s->topology.devices[nvme]->disk.transport,
		  sizeof(s->topology.devices[nvme]->disk.transport), "nvme");
	set_load(s, nvme, 12, 38.1, 0.21, 60);
	add_streams(s);
	s->model.late_ticks = 2;
}

/* A stream is about to be started: the dialog lies over the rest. */
static void build_dialog(struct scene *s)
{
	static const char *const accesses[] = { "direct", "buffered", "dontcache" };
	static const char *const blocks[] = { "64k", "1M" };
	static const struct {
		const char *label, *text;
	} fields[] = {
		{ "workload", "seq-read" }, { "copies", "3" },        { "target", "/mnt/md0" },
		{ "block", "64k" },         { "access", "buffered" },
	};
	struct dialog *d = &s->dialog;

	build_three_arrays(s);
	d->title = "New stream";
	d->enter = "start";
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		dialog_set(dialog_add(d, fields[i].label), fields[i].text);
	d->fields[1].beside = d->fields[4].beside = true;
	d->fields[3].values = blocks;
	d->fields[3].n_values = sizeof(blocks) / sizeof(blocks[0]);
	d->fields[4].values = accesses;
	d->fields[4].n_values = sizeof(accesses) / sizeof(accesses[0]);
	d->fields[4].only_values = true;
	d->focus = 3;
	text_copy(d->sentence, sizeof(d->sentence),
		  "3 files of 3.1 GB will be written to /mnt/md0/.raidtop first (about 1 min); "
		  "then only reading.");
	s->model.dialog = d;
}

/*
 * A container with two volumes on three of its four disks, the raid5 reshaped from two disks; its
 * mismatches are a fault, those of the raid1 are not.
 */
static void build_container(struct scene *s)
{
	static const char *const names[] = { "sda", "sdb", "sdc", "sdd" };
	struct array *raid5, *raid1, *container;
	int slots[4];

	for (int i = 0; i < 4; i++) {
		slots[i] = add_disk(s, names[i], "ST3500418AS", 500 * GB, 36 + i);
		set_load(s, slots[i], i < 3 ? 2.05 : 0, i < 3 ? 2.05 : 0, 3.2, 8);
	}
	raid5 = add_array(s, "md126", "raid5", 3, 400 * GB, "UUU");
	raid5->raid_disks_before = 2;
	raid5->container_volume = 0;
	raid5->mismatch_count = 8;
	raid5->stripe_cache_size = 256;
	raid5->stripe_cache_active = 96;
	raid5->sync_min_bytes_per_sec = 1024000;
	raid5->sync_max_bytes_per_sec = 2048000;
	raid5->sync_min_is_local = TRUTH_NO;
	raid5->sync_max_is_local = TRUTH_YES;
	raid5->reshape_position_bytes = 91 * GB;
	raid5->action = (struct action){ .kind = ACTION_RESHAPE,
					 .state = ACTION_RUNNING,
					 .percent_tenths = 228,
					 .finish_s = 9000,
					 .speed_bytes_per_sec = 2048000 };
	raid1 = add_array(s, "md125", "raid1", 2, 100 * GB, "UU");
	raid1->container_volume = 1;
	raid1->mismatch_count = 256;
	raid1->spares = 0;
	container = add_array(s, "md127", "container", UNKNOWN_U64, UNKNOWN_U64, "");
	container->state = ARRAY_INACTIVE;
	text_copy(container->metadata, sizeof(container->metadata), "external:imsm");
	text_copy(raid5->container, sizeof(raid5->container), "md127");
	text_copy(raid1->container, sizeof(raid1->container), "md127");
	for (int i = 0; i < 4; i++) {
		if (i < 3)
			add_member(raid5, names[i], slots[i], MEMBER_IN_SYNC);
		if (i < 2)
			add_member(raid1, names[i], slots[i], MEMBER_IN_SYNC);
		add_member(container, names[i], slots[i], i < 3 ? MEMBER_HELD : MEMBER_UNUSED);
	}
}

static void build_many(struct scene *s)
{
	char name[16];

	for (int i = 0; i < 200; i++) {
		int slot;

		if (i < 26)
			text_format(name, sizeof(name), "sd%c", 'a' + i);
		else
			text_format(name, sizeof(name), "sd%c%c", 'a' + i / 26 - 1, 'a' + i % 26);
		slot = add_disk(s, name, "ST4000NM0033", 4000 * GB, 30 + i % 12);
		if (i % 7 == 3)
			set_load(s, slot, 90 + i % 40, 0, 5.5, 15);
		if (i % 31 == 8)
			set_load(s, slot, 0, 60, 22.4, 30);
	}
}

static void build_replay(struct scene *s)
{
	build_raid5(s);
	s->transport = (struct transport){ .playing = true,
					   .speed = 4,
					   .now_us = 192 * US_PER_SEC,
					   .end_us = 751 * US_PER_SEC,
					   .damaged_lines = 1 };
	s->model.transport = &s->transport;
	stamp(s, 60);
	event_log_add(&s->events, EVENT_MARK, "", "", "read-ahead 4M");
	stamp(s, 150);
	event_log_add(&s->events, EVENT_GAP, "", "", "20 s are missing: the machine slept");
}

/* Names that want to steer the terminal, and conditions that are rare. */
static void build_hostile(struct scene *s)
{
	struct array *a;
	int bad, wide, off;

	bad = add_disk(s, "sd\033[2Jx\a", "evil\033]0;title\a model\r\n", 1000 * GB, 120);
	wide = add_disk(s, "漢字のディスクの長い名前", "\xe2\x80\xaetxt.exe \xff\xfe", 5 * GB, -3);
	off = add_disk(s, "sdoff", "no statistics", 1 * GB, 0);
	s->topology.devices[off]->counts_io = TRUTH_NO;
	set_load(s, bad, 12345678, 0.001, 99999, 3);
	set_load(s, wide, 0.02, 0.03, 0.001, 90);
	a = add_array(s, "md_d0", "", UNKNOWN_U64, UNKNOWN_U64, "");
	a->state = ARRAY_INACTIVE;
	a->readonly = ARRAY_AUTO_READ_ONLY;
	a->frozen = TRUTH_YES;
	a->mismatch_count = 128;
	add_member(a, "sd\033[2Jx\a", bad, MEMBER_FAULTY);
	add_member(a, "gone", NO_SLOT, MEMBER_STATE_UNKNOWN);
	s->model.status = "/dev/sd?: permission denied; run it as root";
	s->model.status_is_error = true;
	s->model.missed_ticks = 3;
}

const struct scene_recipe scene_recipes[] = {
	{ "no-disks", build_nothing, 5 },
	{ "one-disk", build_one_disk, 45 },
	{ "one-array", build_one_array, 200 },
	{ "degraded", build_degraded, 150 },
	{ "three-arrays", build_three_arrays, 120 },
	{ "dialog", build_dialog, 120 },
	{ "container", build_container, 60 },
	{ "many-disks", build_many, 20 },
	{ "replay", build_replay, 192 },
	{ "hostile", build_hostile, 70 },
	{ "no-answer", build_no_answer, 100 },
};
const size_t n_scene_recipes = sizeof(scene_recipes) / sizeof(scene_recipes[0]);

void scene_init(struct scene *s, const struct scene_recipe *recipe)
{
	memset(s, 0, sizeof(*s));
	topology_init(&s->topology);
	text_copy(s->topology.host, sizeof(s->topology.host), "testbox");
	text_copy(s->topology.kernel, sizeof(s->topology.kernel), "Linux 6.1.0-18-amd64");
	event_log_init(&s->events);
	s->history = history_new(3600);
	s->insights = insights_new(US_PER_SEC);
	s->noise = 42;
	s->model = (struct screen_model){
		.topology = &s->topology,
		.tick = &s->tick,
		.history = s->history,
		.insights = s->insights,
		.events = &s->events,
		.interval_ns = NS_PER_SEC,
		.hints = hints,
		.n_hints = sizeof(hints) / sizeof(hints[0]),
		.status = "",
		.utf8 = true,
	};
	recipe->build(s);
	for (unsigned int i = 0; i < recipe->seconds; i++)
		scene_step(s);
	/* Temperatures are fresh but for one disk's, which has fallen asleep. */
	for (size_t i = 0; i < s->topology.n_devices; i++)
		if (i != 1)
			s->topology.devices[i]->disk.temperature_at_us = s->tick.elapsed_us;
}

void scene_release(struct scene *s)
{
	insights_free(s->insights);
	history_free(s->history);
	topology_release(&s->topology);
}
