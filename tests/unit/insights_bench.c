/* Counters are moved as a kernel would; rates and insights are the real ones. */
#include "insights_bench.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "raidtop/text.h"

#define REQUEST_BYTES 65536

static void build_topology(struct topology *t)
{
	static const char *const names[] = { "sda", "sdb", "sdc", "sdc1", "sdd" };
	struct array *a;

	for (size_t i = 0; i < COUNT(names); i++)
		topology_add_device(t, i == SLOT_SDC1 ? DEVICE_PARTITION : DEVICE_DISK, names[i]);
	t->devices[SLOT_SDC1]->parent = SLOT_SDC;
	a = topology_add_array(t, "md0")->array;
	text_copy(a->kind, sizeof(a->kind), "md");
	text_copy(a->level, sizeof(a->level), "raid5");
	text_copy(a->slots, sizeof(a->slots), "UUU");
	a->state = ARRAY_ACTIVE;
	a->raid_disks = 3;
	a->working = 3;
	a->degraded = 0;
	bench_add_member(a, "sda", SLOT_SDA, MEMBER_IN_SYNC);
	bench_add_member(a, "sdb", SLOT_SDB, MEMBER_IN_SYNC);
	bench_add_member(a, "sdc1", SLOT_SDC1, MEMBER_IN_SYNC);
}

void insights_bench_init(struct insights_bench *b)
{
	memset(b, 0, sizeof(*b));
	bench_init(&b->machine);
	build_topology(&b->machine.t);
	b->insights = insights_new(SECOND);
	event_log_init(&b->log);
	bench_start(&b->machine, 100000);
	for (int i = 0; i < SLOT_COUNT; i++)
		insights_bench_wait(b, i, 0);
	rates_reset(b->machine.rates); /* the first tick is one with nothing in flight */
	insights_bench_step(b, 0);
}

void insights_bench_release(struct insights_bench *b)
{
	insights_free(b->insights);
	bench_release(&b->machine);
}

struct array *insights_bench_md0(struct insights_bench *b)
{
	return b->machine.t.devices[SLOT_MD0]->array;
}

void insights_bench_move(struct insights_bench *b, int slot, const struct second *s)
{
	uint64_t read_bytes = (uint64_t)(s->read_mb * 1e6);
	uint64_t write_bytes = (uint64_t)(s->write_mb * 1e6);
	uint64_t reads = read_bytes / REQUEST_BYTES, writes = write_bytes / REQUEST_BYTES;
	uint64_t await_us = (uint64_t)(s->await_ms * 1e3);
	struct bench *m = &b->machine;

	bench_add(m, slot, COUNTER_READ_BYTES, read_bytes);
	bench_add(m, slot, COUNTER_WRITE_BYTES, write_bytes);
	bench_add(m, slot, COUNTER_READ_IOS, reads);
	bench_add(m, slot, COUNTER_WRITE_IOS, writes);
	bench_add(m, slot, COUNTER_READ_US, reads * await_us);
	bench_add(m, slot, COUNTER_WRITE_US, writes * await_us);
	bench_add(m, slot, COUNTER_QUEUE_US, (reads + writes) * await_us);
	bench_add(m, slot, COUNTER_BUSY_US, (uint64_t)(s->busy_pct * 1e4));
}

static void move_members(struct insights_bench *b, double read_mb, double write_mb)
{
	const struct second s = { read_mb, write_mb, 2, 60 };

	insights_bench_move(b, SLOT_SDA, &s);
	insights_bench_move(b, SLOT_SDB, &s);
	insights_bench_move(b, SLOT_SDC, &s);
	insights_bench_move(b, SLOT_SDC1, &s);
}

void insights_bench_read(struct insights_bench *b, double mb)
{
	insights_bench_move(b, SLOT_MD0, &(struct second){ .read_mb = mb, .busy_pct = 100 });
	move_members(b, mb / 3, 0);
}

void insights_bench_write(struct insights_bench *b, double mb)
{
	insights_bench_move(b, SLOT_MD0, &(struct second){ .write_mb = mb, .busy_pct = 100 });
	move_members(b, 0, mb / 2);
}

void insights_bench_wait(struct insights_bench *b, int slot, uint64_t inflight)
{
	counters_set(bench_counters(&b->machine, slot), COUNTER_INFLIGHT, inflight);
}

void insights_bench_step(struct insights_bench *b, uint64_t us)
{
	bench_step(&b->machine, us);
	event_log_stamp(&b->log, b->machine.s.elapsed_us, 0);
	insights_step(b->insights, &b->machine.t, b->machine.tick, &b->log);
}

void insights_bench_assert_told(struct insights_bench *b, const char *wanted)
{
	const struct event *e = event_log_get(&b->log, b->told + 1);
	char text[512] = "";

	if (e)
		text_format(text, sizeof(text), "%s %s %s: %s", event_kind_name(e->kind), e->name,
			    e->parent, e->text);
	assert_string_equal(text, wanted);
	b->told += e != NULL;
}

void insights_bench_assert_note(struct insights_bench *b, enum series series, const char *wanted)
{
	const struct note_style style = { .units = UNITS_SI, .with_unit = true, .to = "-" };
	struct note note;
	char text[128];

	insights_note(b->insights, SLOT_MD0, series, &note);
	note_format(text, sizeof(text), &note, &style);
	assert_string_equal(text, wanted);
}
