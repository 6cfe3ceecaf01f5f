/*
 * The machine: sda to sdf, sda1 and sdb1 on the first two, a loop device that nobody asks for,
 * md0 (raid5 of sda1, sdb1, sdc, sdd) and md1 (linear of sde and sdf, which counts nothing).
 */
#include "recording_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#include <string.h>

#include "raidtop/clock.h"

enum { SDA, SDB, SDC, SDD, SDE, SDF, SDA1, SDB1, LOOP, MD0, MD1, N_DEVICES };
_Static_assert(N_DEVICES <= MACHINE_DEVICES, "there is room");

static const char *const kernel_names[N_DEVICES] = { "sda",  "sdb",  "sdc",   "sdd", "sde", "sdf",
						     "sda1", "sdb1", "loop7", "md0", "md1" };
static const int places_of_md0[] = { SDA1, SDB1, SDC, SDD };
enum { N_PLACES = 4 };

uint64_t dice_roll(struct dice *d, uint64_t n)
{
	d->state ^= d->state << 13;
	d->state ^= d->state >> 7;
	d->state ^= d->state << 17;
	return d->state % n;
}

bool dice_says(struct dice *d, double probability)
{
	return (double)dice_roll(d, 1000000) < probability * 1e6;
}

/* ---- what the kernel says ---- */

static void begin_counters(struct machine *m, struct machine_device *d)
{
	d->valid = (1u << COUNTER_COUNT) - 1;
	if (dice_says(&m->dice, 0.3)) /* an older kernel */
		d->valid &= ~(1u << COUNTER_DISCARD_IOS | 1u << COUNTER_DISCARD_BYTES |
			      1u << COUNTER_FLUSH_IOS);
	for (enum counter c = 0; c < COUNTER_COUNT; c++)
		d->raw[c] = 0;
}

void machine_init(struct machine *m, uint64_t seed)
{
	memset(m, 0, sizeof(*m));
	m->dice.state = seed * 0x9e3779b97f4a7c15 + 1;
	for (int i = 0; i < N_DEVICES; i++) {
		struct machine_device *d = &m->devices[i];

		d->present = true;
		d->incarnation = 1;
		d->counts_nothing = i == MD1;
		d->temperature_mc = UNKNOWN_I32;
		begin_counters(m, d);
		/* Some times are close to where they wrap. */
		for (enum counter c = 0; i != MD1 && c < COUNTER_COUNT; c++) {
			if (counter_descriptions[c].kind == COUNTER_KIND_MS32)
				d->raw[c] =
					(UINT64_C(1000) << 32) - 1000 * dice_roll(&m->dice, 90000);
			else
				d->raw[c] = dice_roll(&m->dice, 1000000);
		}
	}
	m->dirty = true;
	m->members_of_md0 = 15;
	m->rebuilding = -1;
	m->elapsed_us = 3012;
	m->realtime_ms = 1796050327123;
	topology_init(&m->topology);
	event_log_init(&m->log);
	snapshot_init(&m->snapshot);
	m->rates = rates_new();
}

void machine_release(struct machine *m)
{
	rates_free(m->rates);
	snapshot_release(&m->snapshot);
	topology_release(&m->topology);
}

static void describe_disk(struct machine *m, int i, struct device *d)
{
	char serial[32];

	text_format(serial, sizeof(serial), "S,%s\"%u", kernel_names[i], m->devices[i].incarnation);
	text_copy(d->disk.serial, sizeof(d->disk.serial), serial);
	text_copy(d->disk.model, sizeof(d->disk.model),
		  "WDC \\ \xc3\x9c"
		  "ber-Disk");
	d->disk.rotational = i % 2 ? TRUTH_YES : TRUTH_NO;
	d->size_bytes = 4000787030016;
	d->diskseq = (uint64_t)i + 100 * m->devices[i].incarnation;
	d->minor_interest = i == LOOP;
	d->major = 8;
	d->minor = (uint32_t)i + 1;
}

/* A partition that is there stays a member, or it would not be recorded. */
static bool may_be_missing(const struct machine *m, int place)
{
	int device = places_of_md0[place];

	if (m->members_of_md0 >> place & 1 || place == m->rebuilding)
		return false;
	return !m->devices[device].present || (device != SDA1 && device != SDB1);
}

static void add_members(const struct machine *m, const int *slots, struct array *a)
{
	size_t working = 0;

	for (int place = 0; place < N_PLACES; place++) {
		bool in_sync = m->members_of_md0 >> place & 1;
		int device = places_of_md0[place];
		struct member *member;

		a->slots[place] = in_sync ? 'U' : '_';
		working += in_sync;
		if (may_be_missing(m, place) && m->dice.state % 3 == 0) {
			array_add_member(a, "")->state = MEMBER_MISSING;
			a->members[a->n_members - 1].slot = place;
			continue;
		}
		member = array_add_member(a, kernel_names[device]);
		member->device = slots[device];
		member->slot = member->role = place;
		member->state = in_sync                  ? MEMBER_IN_SYNC
				: place == m->rebuilding ? MEMBER_REBUILDING
							 : MEMBER_FAULTY;
		member->flags = in_sync ? 0 : MEMBER_FLAG_FAULTY | MEMBER_FLAG_WRITE_MOSTLY;
	}
	a->working = working;
	a->degraded = N_PLACES - working;
}

static void describe_array(const struct machine *m, int i, const int *slots, struct array *a)
{
	text_copy(a->kind, sizeof(a->kind), "md");
	text_copy(a->level, sizeof(a->level), i == MD0 ? "raid5" : "linear");
	text_copy(a->uuid, sizeof(a->uuid), i == MD0 ? "1111-aa" : "2222-bb");
	a->state = ARRAY_ACTIVE;
	if (i == MD0) {
		a->raid_disks = N_PLACES;
		a->chunk_bytes = 524288;
		a->bitmap = TRUTH_YES;
		a->readonly = m->members_of_md0 == 7 ? ARRAY_AUTO_READ_ONLY : ARRAY_READ_WRITE;
		a->state = m->members_of_md0 ? ARRAY_ACTIVE : ARRAY_BROKEN;
		add_members(m, slots, a);
		a->action = m->action;
		return;
	}
	for (int k = SDE; k <= SDF; k++)
		array_add_member(a, kernel_names[k])->device = slots[k];
}

static void survey(struct machine *m, struct topology *fresh)
{
	int slots[N_DEVICES];

	topology_init(fresh);
	text_copy(fresh->host, sizeof(fresh->host), "test, host");
	text_copy(fresh->kernel, sizeof(fresh->kernel), "6.1.0-test");
	for (int i = 0; i < N_DEVICES; i++) {
		struct device *d;

		slots[i] = NO_SLOT;
		if (!m->devices[i].present)
			continue;
		d = i >= MD0 ? topology_add_array(fresh, kernel_names[i])
		    : i >= SDA1 && i < LOOP
			    ? topology_add_device(fresh, DEVICE_PARTITION, kernel_names[i])
			    : topology_add_device(fresh, DEVICE_DISK, kernel_names[i]);
		slots[i] = (int)fresh->n_devices - 1;
		if (d->kind == DEVICE_DISK)
			describe_disk(m, i, d);
		if (d->kind == DEVICE_PARTITION)
			d->parent = slots[i == SDA1 ? SDA : SDB];
		if (d->array)
			describe_array(m, i, slots, d->array);
	}
}

/* ---- what happens ---- */

static void set_present(struct machine *m, int i, bool present, bool is_new)
{
	struct machine_device *d = &m->devices[i];

	if (d->present == present)
		return;
	d->present = present;
	d->incarnation += present && is_new;
	if (present)
		begin_counters(m, d);
	d->temperature_mc = UNKNOWN_I32;
	m->dirty = true;
}

static void plug(struct machine *m)
{
	int i = (int)dice_roll(&m->dice, 6);
	bool present = !m->devices[i].present, is_new = dice_says(&m->dice, 0.4);

	set_present(m, i, present, is_new);
	if (i <= SDB)
		set_present(m, i == SDA ? SDA1 : SDB1, present, is_new);
	for (int place = 0; place < N_PLACES && !present; place++) {
		if (!m->devices[places_of_md0[place]].present)
			m->members_of_md0 &= ~(1u << place);
	}
}

static void rebuild(struct machine *m)
{
	int place = (int)dice_roll(&m->dice, N_PLACES);

	m->dirty = true;
	if (m->rebuilding >= 0) {
		m->members_of_md0 |= 1u << m->rebuilding;
		m->rebuilding = -1;
		m->action.kind = ACTION_NONE;
		m->action.percent_tenths = UNKNOWN_I32;
		m->action.done_bytes = m->action.total_bytes = UNKNOWN_U64;
		m->action.finish_s = m->action.speed_bytes_per_sec = UNKNOWN_U64;
	} else if (!(m->members_of_md0 >> place & 1) && m->devices[places_of_md0[place]].present) {
		m->rebuilding = place;
		m->action.kind = ACTION_RECOVERY;
		m->action.state = dice_says(&m->dice, 0.2) ? ACTION_DELAYED : ACTION_RUNNING;
		m->action.total_bytes = 1000000000;
		m->action.done_bytes = 0;
	} else {
		m->members_of_md0 ^= 1u << place;
	}
}

static void count(struct machine *m, struct machine_device *d)
{
	bool idle = dice_says(&m->dice, 0.3);

	for (enum counter c = 0; c < COUNTER_COUNT; c++) {
		enum counter_kind kind = counter_descriptions[c].kind;

		if (kind == COUNTER_KIND_LEVEL)
			d->raw[c] = dice_roll(&m->dice, 32);
		else if (kind == COUNTER_KIND_MS32 && !idle)
			d->raw[c] = (d->raw[c] + 1000 * dice_roll(&m->dice, 900)) %
				    (UINT64_C(1000) << 32);
		else if (kind == COUNTER_KIND_64 && !idle)
			d->raw[c] += dice_roll(&m->dice, 200000000);
	}
	if (dice_says(&m->dice, 0.004))
		begin_counters(m, d);
}

static void move_action(struct machine *m)
{
	if (m->rebuilding < 0)
		return;
	m->action.done_bytes += dice_roll(&m->dice, 1000000);
	m->action.percent_tenths = (int32_t)(m->action.done_bytes % 1001);
	m->action.finish_s = dice_says(&m->dice, 0.1) ? UNKNOWN_U64 : dice_roll(&m->dice, 9999);
	m->action.speed_bytes_per_sec = dice_roll(&m->dice, 500000000);
}

static void take_temperatures(struct machine *m)
{
	for (int i = SDA; i <= SDF; i++) {
		struct machine_device *d = &m->devices[i];

		if (!d->present || !dice_says(&m->dice, 0.1))
			continue;
		d->temperature_mc = 20000 + (int32_t)dice_roll(&m->dice, 40000);
		d->temperature_at_us = m->elapsed_us - dice_roll(&m->dice, 3000);
	}
}

/* Latencies of one kind: some more, now and then none at all so far. */
static void play_latencies(struct machine *m, struct latency *l)
{
	for (uint64_t n = dice_roll(&m->dice, 40); n > 0; n--)
		latency_add(l, 1000 + dice_roll(&m->dice, 20) * dice_roll(&m->dice, 5000000));
}

static void play_spec(struct machine *m, struct stream_spec *spec)
{
	text_copy(spec->workload, sizeof(spec->workload), "seq-read");
	text_copy(spec->target, sizeof(spec->target), "/dev/my disk=50%,\"x\"");
	text_copy(spec->device, sizeof(spec->device), "md0");
	text_copy(spec->engine, sizeof(spec->engine), dice_says(&m->dice, 0.5) ? "uring" : "");
	spec->copies = (unsigned int)dice_roll(&m->dice, 4);
	spec->access = (enum stream_access)dice_roll(&m->dice, 3);
	spec->sync = (enum stream_sync)dice_roll(&m->dice, 3);
	spec->rate_per_sec = dice_roll(&m->dice, 2) * 20000000;
	spec->write_pct = (unsigned int)dice_roll(&m->dice, 100);
	spec->keep = dice_says(&m->dice, 0.5);
}

static void play_proof(struct machine *m, struct stream_view *v)
{
	v->disk_read_bytes = dice_says(&m->dice, 0.3) ? UNKNOWN_U64 : dice_roll(&m->dice, 3);
	v->disk_read_of_bytes = v->read_bytes;
	v->source = (enum stream_source)dice_roll(&m->dice, 5);
	v->proof = (enum proof)dice_roll(&m->dice, 6);
	v->disk_pct = dice_says(&m->dice, 0.3) ? -1 : (double)dice_roll(&m->dice, 100001) / 1000;
}

static void play_stream(struct machine *m, struct stream_view *v, unsigned int number)
{
	v->number = number;
	v->group = 1;
	play_spec(m, &v->spec);
	v->state = (enum stream_state)dice_roll(&m->dice, 8);
	v->read_bytes += dice_roll(&m->dice, 1000000000);
	v->read_ios += dice_roll(&m->dice, 1000);
	v->read_ns += dice_roll(&m->dice, 1000000000);
	v->errors += dice_roll(&m->dice, 2);
	v->began_ns = 12345 + number;
	v->running_ns += NS_PER_SEC;
	v->paused_ns += dice_roll(&m->dice, 2) * 99;
	v->sync_ns = dice_roll(&m->dice, 2) * 77;
	v->prepared_bytes = dice_roll(&m->dice, 100);
	v->prepare_bytes = 100;
	v->cpu_user_ns += dice_roll(&m->dice, 1000000);
	v->oldest_io_ns = dice_roll(&m->dice, 2) * 12345;
	v->read_bytes_per_sec = (double)dice_roll(&m->dice, 1000000000);
	v->write_bytes_per_sec = -1;
	v->low_bytes_per_sec = dice_says(&m->dice, 0.1) ? -1 : (double)dice_roll(&m->dice, 1000);
	v->high_bytes_per_sec = v->low_bytes_per_sec < 0 ? -1 : 2 * v->low_bytes_per_sec;
	v->first_ns = 4321;
	play_proof(m, v);
	text_copy(v->file, sizeof(v->file), "3.data");
	text_copy(v->note, sizeof(v->note), "(dips down to 160 MB/s)");
	text_copy(v->why, sizeof(v->why), v->state == STREAM_FAILED ? "no, \"never\"" : "");
}

/* Now and then they end; those that come then have other numbers. */
static void play_streams(struct machine *m)
{
	if (dice_says(&m->dice, 0.05)) {
		m->n_streams = dice_roll(&m->dice, 3);
		m->first_stream += 2;
		memset(m->latencies, 0, sizeof(m->latencies));
	}
	for (size_t i = 0; i < m->n_streams; i++) {
		struct stream_view *v = &m->streams[i];

		play_stream(m, v, m->first_stream + (unsigned int)i + 1);
		play_latencies(m, &m->latencies[i][0]);
		if (i == 1)
			play_latencies(m, &m->latencies[i][1]);
		v->read_latency = &m->latencies[i][0];
		v->write_latency = i == 1 ? &m->latencies[i][1] : NULL;
		v->scheduled_latency = v->write_latency;
	}
}

/* ---- the program's side ---- */

static struct machine_device *machine_of(struct machine *m, const struct device *d)
{
	for (int i = 0; i < N_DEVICES; i++) {
		if (strcmp(kernel_names[i], d->kernel_name) == 0)
			return &m->devices[i];
	}
	return NULL;
}

static void adopt(struct machine *m)
{
	struct topology fresh;

	if (!m->dirty)
		return;
	survey(m, &fresh);
	topology_adopt(&m->topology, &fresh, &m->log);
	topology_release(&fresh);
	m->dirty = false;
}

static void sample(struct machine *m, uint32_t missed)
{
	struct topology *t = &m->topology;

	snapshot_reset(&m->snapshot, t->n_devices);
	m->snapshot.elapsed_us = m->elapsed_us;
	m->snapshot.boottime_us = m->elapsed_us + m->slept_us;
	m->snapshot.realtime_ms = m->realtime_ms;
	m->snapshot.missed_ticks = missed;
	for (size_t i = 0; i < t->n_devices; i++) {
		struct device *d = t->devices[i];
		struct machine_device *from = machine_of(m, d);

		if (!d->present)
			continue;
		for (enum counter c = 0; c < COUNTER_COUNT; c++) {
			if (from->valid >> c & 1)
				counters_set(&m->snapshot.devices[i], c, from->raw[c]);
		}
		d->disk.temperature_mc = from->temperature_mc;
		d->disk.temperature_at_us =
			from->temperature_mc == UNKNOWN_I32 ? UNKNOWN_U64 : from->temperature_at_us;
		if (d->array && strcmp(d->kernel_name, "md0") == 0)
			d->array->action = m->action;
	}
}

static void finish_step(struct machine *m, uint32_t missed)
{
	event_log_stamp(&m->log, m->elapsed_us, m->realtime_ms);
	adopt(m);
	for (int i = 0; i < N_DEVICES; i++) {
		if (m->devices[i].present && !m->devices[i].counts_nothing)
			count(m, &m->devices[i]);
	}
	sample(m, missed);
	m->tick = rates_step(m->rates, &m->topology, &m->snapshot);
}

static void pass_time(struct machine *m, uint64_t us)
{
	m->elapsed_us += us;
	m->realtime_ms += (int64_t)(us / 1000);
}

void machine_step(struct machine *m)
{
	bool misses = dice_says(&m->dice, 0.01) && m->tick; /* there is none before the first */
	uint32_t missed = misses ? (uint32_t)dice_roll(&m->dice, 5) + 1 : 0;

	pass_time(m, 100000 + dice_roll(&m->dice, 1000000) + missed * US_PER_SEC);
	if (dice_says(&m->dice, 0.005))
		m->slept_us += 5 * US_PER_SEC;
	if (dice_says(&m->dice, 0.005))
		m->realtime_ms -= 3600000;
	if (dice_says(&m->dice, 0.03))
		plug(m);
	if (dice_says(&m->dice, 0.03))
		rebuild(m);
	if (dice_says(&m->dice, 0.01))
		event_log_add(&m->log, EVENT_MARK, "", "", "mark, \"%u\" = 50%%",
			      (unsigned int)dice_roll(&m->dice, 100));
	move_action(m);
	take_temperatures(m);
	play_streams(m);
	finish_step(m, missed);
}

void machine_step_quietly(struct machine *m)
{
	pass_time(m, US_PER_SEC);
	finish_step(m, 0);
}
