/*
 * The headless recording: ticks on absolute deadlines until the duration is over, a signal asks
 * for the end, or the file takes no more. What was late or missed is told at the end.
 */
#include "record.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "machine.h"
#include "raidtop/clock.h"
#include "say.h"
#include "schedule.h"
#include "session.h"
#include "signals.h"

struct recorder {
	struct session session;
	struct schedule schedule;
	uint64_t end_ns; /* UINT64_MAX: none */
	sigset_t wait_mask, end_mask;
	int status;
};

static int recorder_open(struct recorder *rec, const struct options *o)
{
	struct provider *provider;
	char why[512];

	if (machine_open(o, o->temperature_ns, &provider) < 0)
		return -1;
	session_init(&rec->session, provider, false, o->interval_ns, 0);
	rec->session.is_elsewhere = machine_is_elsewhere(o);
	rec->session.recording_wait_mask = &rec->end_mask;
	if (session_record_start(&rec->session, o->record, o->force, why, sizeof(why)) < 0) {
		say("%s", why);
		session_release(&rec->session);
		return -1;
	}
	return 0;
}

static void recorder_tick(struct recorder *rec, uint32_t missed)
{
	char why[512];
	int r = session_tick(&rec->session, missed, why, sizeof(why));

	if (r < 0) {
		say("the counters cannot be read: %s", strerror(-r));
		rec->status = STATUS_FAILURE;
	} else if (why[0]) {
		say("%s", why);
		rec->status = STATUS_FAILURE;
	}
}

static void recorder_wait(struct recorder *rec, uint64_t until_ns)
{
	struct provider *p = rec->session.provider;
	struct pollfd fds[PROVIDER_MAX_FDS];
	uint64_t now_ns = clock_monotonic_ns();
	uint64_t wait_ns = until_ns > now_ns ? until_ns - now_ns : 0;
	struct timespec timeout = { (time_t)(wait_ns / NS_PER_SEC), (long)(wait_ns % NS_PER_SEC) };
	size_t n = p->ops->poll_fds(p, fds);

	if (ppoll(fds, n, &timeout, &rec->wait_mask) > 0)
		p->ops->dispatch(p, fds, n);
}

static void recorder_loop(struct recorder *rec)
{
	while (rec->status == STATUS_FINE) {
		uint64_t now_ns = clock_monotonic_ns();
		unsigned int bits;
		uint32_t missed;

		if (schedule_take(&rec->schedule, now_ns, &missed)) {
			recorder_tick(rec, missed);
			if (rec->status != STATUS_FINE)
				break;
		}
		if (rec->schedule.next_ns > rec->end_ns)
			break; /* the tick at the end itself is the last one */
		recorder_wait(rec, rec->schedule.next_ns);
		bits = signals_take();
		if (bits & SIGNAL_END)
			break;
		if (bits & SIGNAL_STOP)
			signals_stop_here();
	}
}

int record_run(const struct options *o)
{
	struct recorder rec = { .end_ns = UINT64_MAX, .status = STATUS_FINE };
	uint64_t now_ns;
	char why[512];

	signals_install(&rec.wait_mask);
	signals_end_mask(&rec.end_mask);
	if (recorder_open(&rec, o) < 0)
		return STATUS_FAILURE;
	session_survey(
		&rec.session); /* the first takes its time: no deadline is to pass meanwhile */
	now_ns = clock_monotonic_ns();
	schedule_start(&rec.schedule, o->interval_ns, now_ns);
	if (o->duration_ns && o->duration_ns < UINT64_MAX - now_ns)
		rec.end_ns = now_ns + o->duration_ns;
	recorder_loop(&rec);
	if (session_record_stop(&rec.session, why, sizeof(why)) < 0) {
		say("%s", why);
		rec.status = STATUS_FAILURE;
	}
	if (rec.schedule.missed || rec.schedule.late)
		say("late ticks: %" PRIu64 ", missed ticks: %" PRIu64 " (each is a gap)",
		    rec.schedule.late, rec.schedule.missed);
	session_release(&rec.session);
	return rec.status;
}
