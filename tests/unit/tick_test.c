/*
 * A whole tick of a machine with 8 disks and 2 arrays, from the provider to history, screen and
 * recording: once warm it allocates nothing. One array's stripe cache is in use, on the other one a
 * check runs.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/session.h"
#include "raidtop/clock.h"
#include "raidtop/screen.h"

/* ---- counting allocations of everything in this process, libraries too ---- */

static size_t allocations;

#ifdef __has_feature /* clang's way to tell */
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__
#endif
#endif

#ifdef __SANITIZE_ADDRESS__
int __sanitizer_install_malloc_and_free_hooks(void (*on_malloc)(const volatile void *, size_t),
					      void (*on_free)(const volatile void *));

static void note_allocation(const volatile void *where, size_t size)
{
	(void)where;
	(void)size;
	allocations++;
}

static void note_release(const volatile void *where)
{
	(void)where;
}

static void count_allocations(void)
{
	__sanitizer_install_malloc_and_free_hooks(note_allocation, note_release);
}
#else
/* glibc's own names for what the following functions stand in front of. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *old, size_t size);
void *malloc(size_t size);
void *calloc(size_t n, size_t size);
void *realloc(void *old, size_t size);

void *malloc(size_t size)
{
	allocations++;
	return __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
	allocations++;
	return __libc_calloc(n, size);
}

void *realloc(void *old, size_t size)
{
	allocations++;
	return __libc_realloc(old, size);
}

static void count_allocations(void)
{
}
#endif

/* ---- a machine made of files ---- */

enum { DISKS = 8, TICKS = 1000 };

struct machine {
	char root[64];
	struct session session;
	uint64_t sectors;
};

static void put(const struct machine *m, const char *path, const char *text)
{
	char full[256], command[512];
	FILE *f;

	snprintf(full, sizeof(full), "%s/%s", m->root, path);
	snprintf(command, sizeof(command), "%s", full);
	for (char *slash = strchr(command + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(command, 0755);
		*slash = '/';
	}
	f = fopen(full, "we");
	assert_non_null(f);
	fputs(text, f);
	assert_int_equal(fclose(f), 0);
}

static void put_block(const struct machine *m, const char *name, const char *attribute,
		      const char *text)
{
	char path[128];

	snprintf(path, sizeof(path), "sys/block/%s/%s", name, attribute);
	put(m, path, text);
}

static void put_array(const struct machine *m, const char *name, int number, char first_disk)
{
	static const struct {
		const char *attribute, *text;
	} attributes[] = {
		{ "md/level", "raid5\n" },
		{ "md/array_state", "clean\n" },
		{ "md/raid_disks", "4\n" },
		{ "md/degraded", "0\n" },
		{ "md/sync_action", "idle\n" },
		{ "md/chunk_size", "524288\n" },
		{ "md/layout", "2\n" },
		{ "size", "6000000\n" },
		{ "md/stripe_cache_size", "256\n" },
	};
	char text[32], path[64];

	for (size_t i = 0; i < sizeof(attributes) / sizeof(attributes[0]); i++)
		put_block(m, name, attributes[i].attribute, attributes[i].text);
	snprintf(text, sizeof(text), "9:%d\n", number);
	put_block(m, name, "dev", text);
	for (int i = 0; i < DISKS / 2; i++) {
		snprintf(path, sizeof(path), "md/dev-sd%c/slot", first_disk + i);
		snprintf(text, sizeof(text), "%d\n", i);
		put_block(m, name, path, text);
		snprintf(path, sizeof(path), "md/dev-sd%c/state", first_disk + i);
		put_block(m, name, path, "in_sync\n");
	}
}

/* On md1 a check runs, with all that moves then. */
static void put_check(const struct machine *m)
{
	static const struct {
		const char *attribute, *text;
	} attributes[] = {
		{ "md/sync_action", "check\n" },
		{ "md/sync_completed", "4096 / 2000000\n" },
		{ "md/sync_speed", "2000\n" },
		{ "md/sync_speed_min", "1000 (system)\n" },
		{ "md/sync_speed_max", "2000 (local)\n" },
		{ "md/mismatch_cnt", "8\n" },
	};

	for (size_t i = 0; i < sizeof(attributes) / sizeof(attributes[0]); i++)
		put_block(m, "md1", attributes[i].attribute, attributes[i].text);
}

/* The counters after the machine has moved `m->sectors` on each disk. Keeps the file's inode. */
static void put_counters(const struct machine *m)
{
	char text[2048];
	size_t len = 0;

	for (int i = 0; i < DISKS; i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len,
					"   8 %d sd%c %ju 0 %ju 5 0 0 0 0 0 5 5 0 0 0 0 0 0\n",
					i * 16, 'a' + i, (uintmax_t)m->sectors / 8,
					(uintmax_t)m->sectors);
	for (int i = 0; i < 2; i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len,
					"   9 %d md%d %ju 0 %ju 5 0 0 0 0 0 5 5 0 0 0 0 0 0\n", i,
					i, (uintmax_t)m->sectors / 2, (uintmax_t)m->sectors * 4);
	put(m, "proc/diskstats", text);
}

static void put_machine(struct machine *m)
{
	char name[8], dev[16];

	for (int i = 0; i < DISKS; i++) {
		snprintf(name, sizeof(name), "sd%c", 'a' + i);
		snprintf(dev, sizeof(dev), "8:%d\n", i * 16);
		put_block(m, name, "dev", dev);
		put_block(m, name, "size", "2000000\n");
		put_block(m, name, "queue/iostats", "1\n");
	}
	put_array(m, "md0", 0, 'a');
	put_array(m, "md1", 1, 'e');
	put_check(m);
	put(m, "proc/mdstat",
	    "Personalities : [raid6] [raid5] [raid4] \n"
	    "md1 : active raid5 sdh[3] sdg[2] sdf[1] sde[0]\n"
	    "      3000000 blocks super 1.2 level 5, 512k chunk, algorithm 2 [4/4] [UUUU]\n"
	    "      [>....]  check =  0.2% (2048/1000000) finish=8.1min speed=2000K/sec\n      \n"
	    "md0 : active raid5 sdd[3] sdc[2] sdb[1] sda[0]\n"
	    "      3000000 blocks super 1.2 level 5, 512k chunk, algorithm 2 [4/4] [UUUU]\n      \n"
	    "unused devices: <none>\n");
	m->sectors = 8000;
	put_counters(m);
}

static int machine_start(void **state)
{
	static struct machine m;
	struct provider_options options = { .root = m.root };
	struct provider *provider;
	char why[256];

	snprintf(m.root, sizeof(m.root), "/tmp/raidtop-tick.XXXXXX");
	if (!mkdtemp(m.root))
		return -1;
	put_machine(&m);
	if (provider_system_new(&options, &provider, why, sizeof(why)) < 0)
		return -1;
	session_init(&m.session, provider, false, NS_PER_SEC, 3600);
	*state = &m;
	return 0;
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *where)
{
	(void)status;
	(void)kind;
	(void)where;
	return remove(path);
}

static int machine_end(void **state)
{
	struct machine *m = *state;

	session_release(&m->session);
	return nftw(m->root, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static void tick_once(struct machine *m)
{
	char why[256];

	assert_int_equal(session_tick(&m->session, 0, why, sizeof(why)), 0);
	assert_string_equal(why, "");
}

/* One tick and its frame; returns the allocations that they made. */
static size_t draw_a_tick(struct machine *m, struct screen_model *model, struct screen *screen,
			  struct surface *surface)
{
	size_t before;

	char stripes[32];

	m->sectors += 1000;
	snprintf(stripes, sizeof(stripes), "%ju\n", (uintmax_t)(m->sectors / 1000 % 300));
	put_block(m, "md0", "md/stripe_cache_active", stripes);
	put_counters(m); /* the test's own allocations are not counted */
	before = allocations;
	tick_once(m);
	model->tick = m->session.tick;
	surface_clear(surface);
	screen_draw(screen, model, surface);
	return allocations - before;
}

static void a_warm_tick_allocates_nothing(void **state)
{
	struct machine *m = *state;
	struct screen screen;
	struct surface surface;
	struct screen_model model = { .topology = &m->session.topology,
				      .history = m->session.history,
				      .insights = m->session.insights,
				      .events = m->session.events,
				      .interval_ns = NS_PER_SEC,
				      .status = "",
				      .utf8 = true };
	size_t made = 0;
	char why[256];

	assert_int_equal(session_record_start(&m->session, "/dev/null", false, why, sizeof(why)),
			 0);
	screen_init(&screen);
	surface_init(&surface);
	surface_resize(&surface, 160, 45);
	count_allocations();
	do { /* warm: history has closed its first seconds and has what it needs */
		draw_a_tick(m, &model, &screen, &surface);
		usleep(20000);
	} while (m->session.tick->elapsed_us < 2100000);
	for (int i = 0; i < TICKS; i++)
		made += draw_a_tick(m, &model, &screen, &surface);
	assert_true(allocations > 0); /* they are counted at all */
	assert_int_equal(made, 0);
	assert_int_equal(session_record_stop(&m->session, why, sizeof(why)), 0);
	screen_release(&screen);
	surface_release(&surface);
}

static bool is_about(double value, double expected)
{
	return value > expected * (1 - 1e-9) && value < expected * (1 + 1e-9);
}

static void its_figures_are_those_of_the_counters(void **state)
{
	struct machine *m = *state;
	const struct tick *tick;
	double expected;
	int slot;

	tick_once(m);
	m->sectors += 2048;
	put_counters(m);
	tick_once(m);
	tick = m->session.tick;
	slot = topology_find(&m->session.topology, "sdc");
	assert_true(slot >= 0);
	assert_true(figures_has(&tick->devices[slot], RATE_READ_BYTES));
	expected = 2048.0 * 512 / ((double)tick->interval_us / 1e6);
	assert_true(is_about(tick->devices[slot].value[RATE_READ_BYTES], expected));
	/* Each byte once: the disks alone. */
	assert_true(is_about(tick->total.value[RATE_READ_BYTES], DISKS * expected));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_warm_tick_allocates_nothing),
		cmocka_unit_test(its_figures_are_those_of_the_counters),
	};

	return cmocka_run_group_tests_name("tick", tests, machine_start, machine_end);
}
