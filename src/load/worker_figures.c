/*
 * The figures of a worker. A transfer counts from when it is begun after the ramp, so that bytes,
 * latencies and what the kernel says about the same time belong together. The very first one of a
 * run opens paths that stay open (it wakes a sleeping disk, reads the file's map): its latency is
 * told by itself and lies in no histogram, where it would be the maximum of most runs.
 */
#include "worker.h"

#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "raidtop/clock.h"
#include "raidtop/number.h"

#define USAGE_INTERVAL_NS (NS_PER_SEC / 2)

static uint64_t timeval_ns(struct timeval t)
{
	return (uint64_t)t.tv_sec * NS_PER_SEC + (uint64_t)t.tv_usec * NS_PER_US;
}

/* What the kernel fetched from disks for this process. */
static uint64_t read_disk_bytes(void)
{
	static const char key[] = "\nread_bytes: ";
	char text[512];
	const char *found;
	uint64_t bytes;
	int fd = open("/proc/self/io", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);

	if (fd >= 0)
		close(fd);
	if (n <= 0)
		return UNKNOWN_U64;
	text[n] = '\0';
	found = strstr(text, key);
	if (!found)
		return UNKNOWN_U64;
	found += sizeof(key) - 1;
	return number_parse_u64(found, strcspn(found, "\n"), &bytes) < 0 ? UNKNOWN_U64 : bytes;
}

static void usage_take(struct usage *u)
{
	struct rusage r;

	getrusage(RUSAGE_SELF, &r);
	u->user_ns = timeval_ns(r.ru_utime);
	u->system_ns = timeval_ns(r.ru_stime);
	u->disk_read_bytes = read_disk_bytes();
}

void worker_publish_usage(struct worker *w)
{
	struct shared *s = w->shared;
	struct usage now;

	usage_take(&now);
	shared_set(&s->cpu_user_ns, now.user_ns - w->base.user_ns);
	shared_set(&s->cpu_system_ns, now.system_ns - w->base.system_ns);
	if (now.disk_read_bytes != UNKNOWN_U64 && w->base.disk_read_bytes != UNKNOWN_U64) {
		shared_set(&s->disk_read_of_bytes, shared_get(&s->read.bytes));
		shared_set(&s->disk_read_bytes, now.disk_read_bytes - w->base.disk_read_bytes);
	}
	w->usage_due_ns = clock_monotonic_ns() + USAGE_INTERVAL_NS;
}

void worker_start_figures(struct worker *w, uint64_t now_ns)
{
	w->counting = true;
	w->ramp_end_ns = 0;
	usage_take(&w->base);
	w->usage_due_ns = now_ns + USAGE_INTERVAL_NS;
	if (w->plan->spec.time_ns > 0)
		w->end_ns = now_ns + w->plan->spec.time_ns;
	shared_set(&w->shared->started_ns, now_ns);
}

void worker_count_bytes(struct worker *w, bool writing, uint64_t bytes)
{
	shared_add(writing ? &w->shared->write.bytes : &w->shared->read.bytes, bytes);
}

void worker_count(struct worker *w, bool writing, uint64_t begun_ns, uint64_t due_ns,
		  uint64_t now_ns)
{
	struct shared *s = w->shared;
	struct shared_counters *c = writing ? &s->write : &s->read;
	uint64_t took_ns = now_ns > begun_ns ? now_ns - begun_ns : 0;

	shared_add(&c->latency_ns, took_ns);
	if (shared_get(&s->first_ns) == 0 && w->plan->spec.ramp_ns == 0) {
		shared_set(&s->first_ns, took_ns ? took_ns : 1);
	} else {
		latency_shared_add(writing ? &s->write_latency : &s->read_latency, took_ns);
		if (due_ns > 0)
			latency_shared_add(&s->scheduled_latency,
					   now_ns > due_ns ? now_ns - due_ns : 0);
	}
	shared_add(&c->ios, 1);
}
