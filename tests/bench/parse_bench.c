/*
 * What turning the kernel's text into figures costs: diskstats of 1,000 disks, mdstat of 100
 * arrays of ten members, then the rates and the history of a tick with all of them. CPU time of
 * one thread, the median of many rounds. Beside it what this kernel takes to print a line of
 * /proc/diskstats, times a thousand: the aim is half of that at most. Nothing is asserted.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "provider/linux/diskstats.h"
#include "provider/linux/mdstat.h"
#include "raidtop/clock.h"
#include "raidtop/history.h"
#include "raidtop/rates.h"
#include "raidtop/text.h"

#define DISKS 1000
#define ARRAYS 100
#define MEMBERS 10
#define ROUNDS 301

struct bench {
	struct buffer diskstats, mdstat;
	struct diskstats_index index;
	struct mdstat parsed;
	struct topology topology;
	struct snapshot snapshot;
	struct rates *rates;
	const struct tick *tick;
	struct history *history;
};

static uint64_t cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * NS_PER_SEC + (uint64_t)t.tv_nsec;
}

static int compare(const void *a, const void *b)
{
	uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;

	return left < right ? -1 : left > right;
}

static void measure(const char *name, void (*step)(struct bench *b), struct bench *b, size_t bytes)
{
	uint64_t ns[ROUNDS];

	for (int i = 0; i < ROUNDS; i++) {
		uint64_t begin = cpu_ns();

		step(b);
		ns[i] = cpu_ns() - begin;
	}
	qsort(ns, ROUNDS, sizeof(ns[0]), compare);
	printf("%-34s %8.1f us", name, (double)ns[ROUNDS / 2] / 1e3);
	if (bytes)
		printf("   %6zu bytes, %4.0f MB/s", bytes,
		       (double)bytes * 1e3 / (double)ns[ROUNDS / 2]);
	putchar('\n');
}

/* ---- the texts ---- */

static void write_diskstats(struct buffer *text, uint64_t round)
{
	buffer_reset(text);
	for (uint64_t i = 0; i < DISKS; i++) {
		uint64_t ios = 104019 + i * 977 + round * 131;

		buffer_format(text,
			      "%4u %7u vd%" PRIu64 " %" PRIu64 " 78482 %" PRIu64 " 29796 %" PRIu64
			      " 15625 %" PRIu64 " 8927 0 35594 12302 0 0 0 0 2303 1625\n",
			      253u, (unsigned int)i * 16, i, ios, ios * 42, ios / 3, ios * 74);
	}
}

static void write_mdstat(struct buffer *text)
{
	buffer_add_text(text, "Personalities : [raid6] [raid5] [raid4] \n");
	for (int i = 0; i < ARRAYS; i++) {
		buffer_format(text, "md%d : active raid6", i);
		for (int k = MEMBERS; k-- > 0;)
			buffer_format(text, " vd%d[%d]", i * MEMBERS + k, k);
		buffer_add_text(text,
				"\n      8370176 blocks super 1.2 level 6, 512k chunk, algorithm 2"
				" [10/10] [UUUUUUUUUU]\n"
				"      [==>..................]  check = 12.6% (132096/1046272)"
				" finish=0.2min speed=66048K/sec\n"
				"      bitmap: 0/8 pages [0KB], 65536KB chunk\n\n");
	}
	buffer_add_text(text, "unused devices: <none>\n");
}

/* ---- what is measured ---- */

static int slot_of(void *context, uint32_t major, uint32_t minor, const char *name)
{
	(void)context;
	(void)major;
	(void)name;
	return (int)(minor / 16);
}

static void parse_diskstats(struct bench *b)
{
	struct diskstats_summary summary;

	diskstats_read(&b->index, buffer_text(&b->diskstats), b->diskstats.len, b->snapshot.devices,
		       b->snapshot.n_devices, &summary);
	if (summary.lines != DISKS || summary.refused)
		exit(EXIT_FAILURE);
}

static void parse_mdstat(struct bench *b)
{
	mdstat_parse(&b->parsed, buffer_text(&b->mdstat), b->mdstat.len);
	if (b->parsed.n_arrays != ARRAYS)
		exit(EXIT_FAILURE);
}

static void step_rates(struct bench *b)
{
	b->snapshot.elapsed_us += US_PER_SEC;
	b->tick = rates_step(b->rates, &b->topology, &b->snapshot);
}

static void add_history(struct bench *b)
{
	struct tick tick = *b->tick;

	tick.elapsed_us = history_end_us(b->history) + US_PER_SEC;
	history_add(b->history, &tick);
}

/* User and system time of reading this machine's own /proc/diskstats, for a thousand lines. */
static void measure_kernel(void)
{
	char buf[65536];
	struct rusage before, after;
	size_t lines = 0;
	int fd = open("/proc/diskstats", O_RDONLY | O_CLOEXEC);
	double ns;

	if (fd < 0)
		return;
	getrusage(RUSAGE_THREAD, &before);
	for (int i = 0; i < 5000; i++) {
		ssize_t n;
		off_t at = 0;

		while ((n = pread(fd, buf, sizeof(buf), at)) > 0) {
			at += n;
			for (ssize_t k = 0; i == 0 && k < n; k++)
				lines += buf[k] == '\n';
		}
	}
	getrusage(RUSAGE_THREAD, &after);
	close(fd);
	ns = (double)(after.ru_stime.tv_sec - before.ru_stime.tv_sec) * 1e9 +
	     (double)(after.ru_stime.tv_usec - before.ru_stime.tv_usec) * 1e3;
	if (lines)
		printf("%-34s %8.1f us   system time, from %zu lines here\n",
		       "this kernel prints 1,000 lines", ns / 5000 / (double)lines * DISKS / 1e3,
		       lines);
}

static void set_up(struct bench *b)
{
	memset(b, 0, sizeof(*b));
	write_diskstats(&b->diskstats, 0);
	write_mdstat(&b->mdstat);
	diskstats_index_init(&b->index, slot_of, NULL);
	for (int i = 0; i < DISKS; i++) {
		char name[32];

		text_format(name, sizeof(name), "vd%d", i);
		topology_add_device(&b->topology, DEVICE_DISK, name);
	}
	snapshot_init(&b->snapshot);
	snapshot_reset(&b->snapshot, DISKS);
	b->rates = rates_new();
	b->history = history_new(3600);
	mdstat_parse(&b->parsed, buffer_text(&b->mdstat), b->mdstat.len);
	for (size_t i = 0; i < b->parsed.n_arrays; i++)
		mdstat_fill_array(&b->parsed.arrays[i], &b->topology,
				  topology_add_array(&b->topology, b->parsed.arrays[i].name));
}

static void tear_down(struct bench *b)
{
	history_free(b->history);
	rates_free(b->rates);
	snapshot_release(&b->snapshot);
	topology_release(&b->topology);
	mdstat_release(&b->parsed);
	diskstats_index_release(&b->index);
	buffer_release(&b->diskstats);
	buffer_release(&b->mdstat);
}

int main(void)
{
	struct bench b;

	set_up(&b);
	measure("diskstats of 1,000 disks", parse_diskstats, &b, b.diskstats.len);
	measure("mdstat of 100 arrays", parse_mdstat, &b, b.mdstat.len);
	measure("rates of 1,000 disks", step_rates, &b, 0);
	measure("history of 1,000 disks", add_history, &b, 0);
	measure_kernel();
	tear_down(&b);
	return 0;
}
