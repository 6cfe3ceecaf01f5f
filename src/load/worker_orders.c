/*
 * What raidtop orders, and what the clock brings: to end, to pause, another rate, the end of ramp
 * and time. While transfers are in flight the worker looks at it after each of them; otherwise it
 * sleeps on the futex word that every order counts up. A pause begins when the last transfer in
 * flight is over and takes no time of the stream: neither of its run, nor of its rate.
 */
#include "worker.h"

#include <unistd.h>

#include "futex.h"
#include "raidtop/clock.h"

/* Longest sleep: then it looks whether its parent is still there. */
#define SLEEP_NS_MAX (NS_PER_SEC / 2)

bool worker_is_paused(const struct worker *w)
{
	return atomic_load_explicit(&w->shared->pause, memory_order_relaxed) != 0;
}

/*
 * The kernel kills it when raidtop ends; that can be lost (a change of user clears it), so it
 * looks for itself at times.
 */
static void look_for_parent(struct worker *w)
{
	if (getppid() != w->plan->parent)
		_exit(1);
}

void worker_obey(struct worker *w, uint64_t now_ns)
{
	uint64_t rate = shared_get(&w->shared->rate_per_sec);

	if (atomic_load_explicit(&w->shared->stop, memory_order_relaxed))
		worker_end(w, ENDING_STOPPED);
	if (rate != w->pace.rate_per_sec)
		pace_set(&w->pace, rate, now_ns);
	if (w->ramp_end_ns > 0 && now_ns >= w->ramp_end_ns)
		worker_start_figures(w, now_ns);
	if (w->end_ns > 0 && now_ns >= w->end_ns)
		worker_end(w, ENDING_TIME);
	if (now_ns >= w->usage_due_ns && w->counting) {
		look_for_parent(w);
		worker_publish_usage(w);
	}
}

void worker_mark_begin(struct worker *w, uint64_t now_ns)
{
	w->has_begun = true;
	pace_set(&w->pace, shared_get(&w->shared->rate_per_sec), now_ns);
	if (w->plan->spec.ramp_ns > 0)
		w->ramp_end_ns = now_ns + w->plan->spec.ramp_ns;
	else
		worker_start_figures(w, now_ns);
	worker_set_phase(w, PHASE_RUNNING);
}

/* `wake` was read before the order was, so one that comes in between ends the sleep at once. */
static void sleep_at_most(struct worker *w, uint32_t wake, uint64_t ns)
{
	futex_wait(&w->shared->wake, wake, ns < SLEEP_NS_MAX ? ns : SLEEP_NS_MAX);
	look_for_parent(w);
}

void worker_leave_out(struct worker *w, uint64_t lasted_ns)
{
	pace_shift(&w->pace, lasted_ns);
	if (w->end_ns > 0)
		w->end_ns += lasted_ns;
	if (w->ramp_end_ns > 0)
		w->ramp_end_ns += lasted_ns;
	if (w->counting)
		shared_add(&w->shared->paused_ns, lasted_ns);
	atomic_store_explicit(&w->shared->pause_began_ns, 0, memory_order_release);
}

static void worker_pause(struct worker *w)
{
	uint64_t began_ns = clock_monotonic_ns();

	if (w->counting)
		worker_publish_usage(w);
	shared_set(&w->shared->pause_began_ns, began_ns);
	for (;;) {
		uint32_t wake = atomic_load(&w->shared->wake);

		if (!worker_is_paused(w) ||
		    atomic_load_explicit(&w->shared->stop, memory_order_relaxed))
			break;
		sleep_at_most(w, wake, SLEEP_NS_MAX);
	}
	worker_leave_out(w, clock_monotonic_ns() - began_ns);
}

void worker_sleep(struct worker *w)
{
	uint32_t wake = atomic_load(&w->shared->wake);
	uint64_t now_ns = clock_monotonic_ns();

	worker_obey(w, now_ns);
	if (w->ending)
		return;
	if (worker_is_paused(w)) {
		worker_pause(w);
		return;
	}
	if (w->pace.rate_per_sec > 0 && w->pace.due_ns > now_ns) {
		uint64_t until_ns = w->pace.due_ns;

		if (w->end_ns > 0 && w->end_ns < until_ns)
			until_ns = w->end_ns;
		sleep_at_most(w, wake, until_ns - now_ns);
	}
}

bool worker_go_on(struct worker *w, uint64_t cost, uint64_t *ret_due_ns)
{
	for (;;) {
		uint64_t now_ns = clock_monotonic_ns();

		if (w->has_begun)
			worker_obey(w, now_ns);
		else if (!worker_is_paused(w))
			worker_mark_begin(w, now_ns);
		if (w->ending)
			return false;
		if (!worker_is_paused(w) &&
		    (w->pace.rate_per_sec == 0 || now_ns >= w->pace.due_ns)) {
			*ret_due_ns = pace_take(&w->pace, cost, now_ns);
			return true;
		}
		worker_sleep(w);
	}
}
