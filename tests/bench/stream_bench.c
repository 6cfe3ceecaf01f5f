/*
 * What a sequential read costs: CPU time (user and system) of a stream's worker against that of
 * `dd iflag=direct bs=1M` on the same file, taking turns, start-up of both included; and how long
 * a stream takes from being asked for to its first transfer. Medians; nothing is asserted.
 *
 *	stream_bench FILE ROUNDS
 */
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "raidtop/clock.h"
#include "raidtop/number.h"
#include "raidtop/stream.h"
#include "raidtop/text.h"

#define ROUNDS_MAX 99

struct figures {
	double cpu_s_per_gb;
	double gb_per_s;
	double first_ms;
};

/* Of all children that have been waited for. */
static double children_cpu_s(void)
{
	struct rusage r;

	getrusage(RUSAGE_CHILDREN, &r);
	return (double)(r.ru_utime.tv_sec + r.ru_stime.tv_sec) +
	       (double)(r.ru_utime.tv_usec + r.ru_stime.tv_usec) / 1e6;
}

static _Noreturn void die(const char *sentence)
{
	fprintf(stderr, "stream_bench: %s\n", sentence);
	exit(1);
}

static void take(struct figures *f, double cpu_s, uint64_t ns, uint64_t bytes)
{
	f->cpu_s_per_gb = (children_cpu_s() - cpu_s) * 1e9 / (double)bytes;
	f->gb_per_s = (double)bytes / (double)ns;
}

static void run_dd(const char *path, uint64_t bytes, struct figures *f)
{
	char input[300];
	char name[] = "dd", output[] = "of=/dev/null", block[] = "bs=1M";
	char direct[] = "iflag=direct", quiet[] = "status=none";
	char *argv[] = { name, input, output, block, direct, quiet, NULL };
	double cpu_s = children_cpu_s();
	uint64_t begun_ns = clock_monotonic_ns();
	int status;
	pid_t pid;

	text_format(input, sizeof(input), "if=%s", path);
	if (posix_spawnp(&pid, name, NULL, NULL, argv, environ) != 0)
		die("dd cannot be started");
	waitpid(pid, &status, 0);
	if (status != 0)
		die("dd has failed");
	take(f, cpu_s, clock_monotonic_ns() - begun_ns, bytes);
}

/* Looks every millisecond, as no screen would, so as to stop near the end of the first pass. */
static void run_stream(const char *path, uint64_t bytes, struct figures *f)
{
	struct stream_spec spec = { .workload = "seq-read" };
	struct stream_view v = { .read_bytes = 0 };
	struct stream *s;
	char why[160];
	double cpu_s = children_cpu_s();
	uint64_t begun_ns = clock_monotonic_ns(), now_ns = begun_ns;

	text_copy(spec.target, sizeof(spec.target), path);
	if (stream_start(&(struct stream_order){ .number = 1, .spec = &spec }, &s, why,
			 sizeof(why)) < 0)
		die(why);
	f->first_ms = 0;
	while (!stream_is_over(s)) {
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
		now_ns = clock_monotonic_ns();
		stream_refresh(s, now_ns, &v);
		if (f->first_ms == 0 && v.running_ns > 0)
			f->first_ms = (double)(now_ns - v.running_ns - begun_ns) / 1e6;
		if (v.read_bytes >= bytes)
			stream_stop(s);
	}
	if (v.state != STREAM_ENDED)
		die(v.why);
	stream_free(s);
	take(f, cpu_s, now_ns - begun_ns, v.read_bytes);
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Of one of the figures, by its offset in the struct. */
static double median(const struct figures *f, size_t n, size_t offset)
{
	double values[ROUNDS_MAX];

	for (size_t i = 0; i < n; i++)
		memcpy(&values[i], (const char *)&f[i] + offset, sizeof(double));
	qsort(values, n, sizeof(double), compare);
	return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

#define MEDIAN(of, n, member) median(of, n, offsetof(struct figures, member))

static int bench(const char *path, size_t rounds)
{
	static struct figures ours[ROUNDS_MAX], peer[ROUNDS_MAX];
	struct stat st;
	double a, b;

	if (stat(path, &st) < 0 || st.st_size == 0)
		die("there is no such file, or it is empty");
	for (size_t i = 0; i < rounds; i++) {
		run_dd(path, (uint64_t)st.st_size, &peer[i]);
		run_stream(path, (uint64_t)st.st_size, &ours[i]);
	}
	a = MEDIAN(ours, rounds, cpu_s_per_gb);
	b = MEDIAN(peer, rounds, cpu_s_per_gb);
	printf("CPU of reading 1 GB: stream %.3f s, dd %.3f s, ratio %.2f\n", a, b, a / b);
	a = MEDIAN(ours, rounds, gb_per_s);
	b = MEDIAN(peer, rounds, gb_per_s);
	printf("GB/s, start-up included: stream %.2f, dd %.2f, ratio %.2f\n", a, b, a / b);
	printf("from asking to the first transfer: %.1f ms\n", MEDIAN(ours, rounds, first_ms));
	return 0;
}

int main(int argc, char **argv)
{
	uint64_t rounds = 0;

	if (argc > 1 && strcmp(argv[1], STREAM_WORKER_ARGUMENT) == 0)
		return stream_worker_main(argc, argv);
	if (argc != 3 || number_parse_u64(argv[2], strlen(argv[2]), &rounds) < 0 || rounds == 0 ||
	    rounds > ROUNDS_MAX)
		die("call it with a file and a number of rounds, at most 99");
	return bench(argv[1], rounds);
}
