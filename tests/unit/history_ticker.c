/* Ticks and figures that a test makes up. */
#include "history_ticker.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

void ticker_init(struct ticker *m, unsigned int seconds, size_t n_devices)
{
	memset(m, 0, sizeof(*m));
	m->h = history_new(seconds);
	m->tick.devices = m->devices;
	m->tick.n_devices = n_devices;
	m->tick.segment = 1;
}

void ticker_set(struct figures *f, double read, double write)
{
	f->value[RATE_READ_BYTES] = read;
	f->value[RATE_WRITE_BYTES] = write;
	f->valid = 1u << RATE_READ_BYTES | 1u << RATE_WRITE_BYTES;
	f->gap = GAP_NONE;
}

void ticker_tick(struct ticker *m, uint64_t elapsed_us, uint64_t interval_us, enum gap gap)
{
	m->tick.elapsed_us = elapsed_us;
	m->tick.interval_us = interval_us;
	m->tick.gap = gap;
	history_add(m->h, &m->tick);
}

void ticker_begin(struct ticker *m, uint64_t elapsed_us)
{
	ticker_tick(m, elapsed_us, 0, GAP_FIRST);
}

void ticker_sample(struct ticker *m, uint64_t interval_us, double read)
{
	for (size_t i = 0; i < m->tick.n_devices; i++)
		ticker_set(&m->devices[i], read, 2 * read);
	ticker_set(&m->tick.total, read, 2 * read);
	ticker_tick(m, m->tick.elapsed_us + interval_us, interval_us, GAP_NONE);
}

void ticker_gap(struct ticker *m, uint64_t interval_us, enum gap why)
{
	for (size_t i = 0; i < m->tick.n_devices; i++)
		m->devices[i].valid = 0;
	m->tick.total.valid = 0;
	ticker_tick(m, m->tick.elapsed_us + interval_us, interval_us, why);
}

void assert_near(double value, double wanted)
{
	if (!(fabs(value - wanted) <= 1e-4 * fabs(wanted) + 1e-6))
		fail_msg("%g is not %g", value, wanted);
}

void assert_cell(const struct history_cell *c, double mean, double min, double max)
{
	assert_true(c->known);
	assert_near((double)c->mean, mean);
	assert_near((double)c->min, min);
	assert_near((double)c->max, max);
}

void assert_means(const struct ticker *m, uint64_t cell_us, const double *wanted, size_t n)
{
	struct history_cell cells[64];

	assert_true(n <= COUNT(cells));
	history_read(m->h, 0, SERIES_READ, history_end_us(m->h), cell_us, cells, n);
	for (size_t i = 0; i < n; i++) {
		if (cells[i].known != (wanted[i] >= 0))
			fail_msg("cell %zu is %s", i, cells[i].known ? "known" : "unknown");
		if (cells[i].known)
			assert_near((double)cells[i].mean, wanted[i]);
	}
}
