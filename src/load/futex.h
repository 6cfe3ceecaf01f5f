/* Waiting for a word in memory that processes share: it burns no CPU, and can be cut short. */
#ifndef LOAD_FUTEX_H
#define LOAD_FUTEX_H

#include <stdatomic.h>
#include <stdint.h>

/*
 * Sleeps while the word has that value, until it is woken, a signal comes or `timeout_ns` is over
 * (0: not at all). The caller looks again at what he waited for.
 */
void futex_wait(_Atomic uint32_t *word, uint32_t value, uint64_t timeout_ns);
/* Wakes all that sleep on it. */
void futex_wake(_Atomic uint32_t *word);

#endif
