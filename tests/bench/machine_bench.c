/*
 * What a machine costs: `machine_bench ROOT` surveys it, adopts that twice, and takes many ticks as
 * the program does (counters, rates, history, recording). ROOT "" is this machine, whose kernel's
 * time to print its files is the measure: the aim is half of it at most in user time, no
 * allocation, and one read for each 4 KiB and the end. Nothing is asserted.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "app/session.h"
#include "raidtop/clock.h"
#include "raidtop/memory.h"
#include "raidtop/number.h"

#define TICKS 1000
#define PIECE 4096

struct usage {
	double user_us, system_us, wall_us;
	uint64_t reads;
};

static uint64_t count_reads(void)
{
	char text[512];
	FILE *f = fopen("/proc/self/io", "re");
	uint64_t reads = 0;

	while (f && fgets(text, sizeof(text), f))
		if (strncmp(text, "syscr: ", 7) == 0)
			(void)number_parse_u64(text + 7, strcspn(text + 7, "\n"), &reads);
	if (f)
		fclose(f);
	return reads;
}

static double us_of(const struct timeval *t)
{
	return (double)t->tv_sec * 1e6 + (double)t->tv_usec;
}

static struct usage usage_now(void)
{
	struct rusage r;

	getrusage(RUSAGE_SELF, &r);
	return (struct usage){ us_of(&r.ru_utime), us_of(&r.ru_stime),
			       (double)clock_monotonic_ns() / 1e3, count_reads() };
}

static struct usage usage_since(const struct usage *before)
{
	struct usage u = usage_now();

	u.user_us -= before->user_us;
	u.system_us -= before->system_us;
	u.wall_us -= before->wall_us;
	u.reads -= before->reads;
	return u;
}

static void print_usage_of(const char *name, const struct usage *u, double n)
{
	printf("%-28s user %8.1f us, system %8.1f us, %8.1f us in all\n", name, u->user_us / n,
	       u->system_us / n, u->wall_us / n);
}

static void survey(struct provider *p, struct topology *held, const char *name)
{
	struct usage before = usage_now(), took;
	struct topology fresh;

	topology_init(&fresh);
	if (p->ops->survey(p, &fresh) < 0)
		exit(EXIT_FAILURE);
	took = usage_since(&before);
	print_usage_of(name, &took, 1);
	before = usage_now();
	topology_adopt(held, &fresh, NULL);
	took = usage_since(&before);
	print_usage_of("  its adoption", &took, 1);
	topology_release(&fresh);
}

/* What the kernel (or the file system of a --root) takes to hand out the counters alone. */
static double measure_reading(const char *root, size_t *ret_bytes)
{
	static char buf[65536];
	char path[4096];
	struct usage before = usage_now(), took;

	snprintf(path, sizeof(path), "%s/proc/diskstats", root);
	for (int i = 0; i < TICKS; i++) {
		FILE *f = fopen(path, "re");
		size_t n;

		*ret_bytes = 0;
		if (!f)
			return 0;
		setvbuf(f, NULL, _IONBF, 0);
		while ((n = fread(buf, 1, sizeof(buf), f)) > 0)
			*ret_bytes += n;
		fclose(f);
	}
	took = usage_since(&before);
	return took.system_us / TICKS;
}

static void take_ticks(struct session *s, unsigned int n)
{
	char why[256];

	for (unsigned int i = 0; i < n; i++)
		if (session_tick(s, 0, why, sizeof(why)) < 0)
			exit(EXIT_FAILURE);
}

static void measure_ticks(struct session *s, const char *name, double kernel_us, size_t bytes)
{
	struct usage before, took;
	size_t allocations;

	/* Warm: two seconds have been closed after the survey, and all rooms are there. */
	take_ticks(s, 2);
	for (uint64_t end = clock_monotonic_ns() + 2 * NS_PER_SEC; clock_monotonic_ns() < end;)
		take_ticks(s, 1);
	before = usage_now();
	allocations = memory_allocations();
	take_ticks(s, TICKS);
	took = usage_since(&before);
	print_usage_of(name, &took, TICKS);
	printf("  user time / kernel's %.0f us: %.2f; allocations of a tick: %.2f; "
	       "reads: %.1f, pieces of 4 KiB and the end: %zu\n",
	       kernel_us, took.user_us / TICKS / kernel_us,
	       (double)(memory_allocations() - allocations) / TICKS, (double)took.reads / TICKS,
	       (bytes + PIECE - 1) / PIECE + 1);
}

int main(int argc, char **argv)
{
	struct provider_options options = { .root = argc > 1 ? argv[1] : "" };
	struct provider *p;
	struct topology held;
	struct session s;
	char why[256];
	size_t bytes;
	double kernel_us;

	if (provider_system_new(&options, &p, why, sizeof(why)) < 0)
		return EXIT_FAILURE;
	topology_init(&held);
	survey(p, &held, "first survey");
	survey(p, &held, "second survey");
	printf("%zu devices\n", held.n_devices);
	topology_release(&held);
	provider_free(p); /* a session's provider begins with a survey that is due */
	if (provider_system_new(&options, &p, why, sizeof(why)) < 0)
		return EXIT_FAILURE;
	kernel_us = measure_reading(options.root, &bytes);
	session_init(&s, p, false, NS_PER_SEC, 3600);
	measure_ticks(&s, "a tick", kernel_us, bytes);
	if (session_record_start(&s, "/dev/null", false, why, sizeof(why)) < 0)
		return EXIT_FAILURE;
	measure_ticks(&s, "a tick, recorded", kernel_us, bytes);
	printf("history: %zu bytes of %zu devices\n", history_memory_bytes(s.history),
	       s.topology.n_devices);
	session_record_stop(&s, why, sizeof(why));
	session_release(&s);
	return EXIT_SUCCESS;
}
