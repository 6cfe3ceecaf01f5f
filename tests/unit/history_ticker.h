/* Ticks for a history, made by hand, and what its cells ought to say. */
#ifndef RAIDTOP_TESTS_HISTORY_TICKER_H
#define RAIDTOP_TESTS_HISTORY_TICKER_H

#include <stddef.h>
#include <stdint.h>

#include "raidtop/history.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))
#define SECOND UINT64_C(1000000)
#define TENTH (SECOND / 10)
#define MAX_DEVICES 64

struct ticker {
	struct history *h;
	struct figures devices[MAX_DEVICES];
	struct tick tick;
};

/* With a history of so many seconds, which the test frees. */
void ticker_init(struct ticker *m, unsigned int seconds, size_t n_devices);

void ticker_set(struct figures *f, double read, double write);
void ticker_tick(struct ticker *m, uint64_t elapsed_us, uint64_t interval_us, enum gap gap);
/* The first tick, at a time. */
void ticker_begin(struct ticker *m, uint64_t elapsed_us);
/* A sample of all devices and the total, writing twice what they read. */
void ticker_sample(struct ticker *m, uint64_t interval_us, double read);
void ticker_gap(struct ticker *m, uint64_t interval_us, enum gap why);

void assert_near(double value, double wanted);
void assert_cell(const struct history_cell *c, double mean, double min, double max);
/* Compares the means that device 0 read in the newest cells; a negative one is a gap. */
void assert_means(const struct ticker *m, uint64_t cell_us, const double *wanted, size_t n);

#define MEANS(m, cell_us, ...)                                    \
	assert_means(m, cell_us, (const double[]){ __VA_ARGS__ }, \
		     COUNT(((const double[]){ __VA_ARGS__ })))

#endif
