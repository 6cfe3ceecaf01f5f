/*
 * A barrier in shared memory: streams that are started together begin together, each in a process
 * of its own. Everyone who takes part has a place, says once that he has arrived, and the gate
 * opens with the last of them. Arriving twice is harmless, so raidtop can say it for a worker that
 * died or failed, whether or not the worker had said it before.
 */
#ifndef RAIDTOP_BARRIER_H
#define RAIDTOP_BARRIER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define BARRIER_PLACES_MAX 256

struct barrier;

/* For 1 to BARRIER_PLACES_MAX places; the caller holds it once. 0 or -errno. */
int barrier_new(struct barrier **ret, unsigned int places);
/* In the worker: the one behind that descriptor, which may be closed then. 0 or -errno. */
int barrier_attach(int fd, struct barrier **ret);
/* One more holder, and one less: the last one frees it. NULL is nobody. */
struct barrier *barrier_hold(struct barrier *b);
void barrier_free(struct barrier *b);
/* What is handed to a worker; closed on exec, and owned by the barrier. */
int barrier_fd(const struct barrier *b);

/* The one at that place (0, 1, ...) has arrived, or will never come. */
void barrier_arrive(struct barrier *b, unsigned int place);
bool barrier_is_open(const struct barrier *b);
/* Waits until it is open or `timeout_ns` is over: whether it is open. */
bool barrier_wait(struct barrier *b, uint64_t timeout_ns);

#endif
