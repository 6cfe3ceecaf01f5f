/*
 * History: what each device did, second by second, as far back as the memory bound allows.
 * One-second values are built by summing bytes and times of finer samples; the smallest and
 * largest sample of a second are kept beside its mean, so that nothing drawn later hides a dip.
 */
#ifndef RAIDTOP_HISTORY_H
#define RAIDTOP_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "raidtop/rates.h"

enum series { SERIES_READ, SERIES_WRITE, SERIES_COUNT }; /* bytes per second */

/* What one cell of a graph stands for. */
struct history_cell {
	bool known; /* false: a gap, nothing to draw */
	float mean, min, max;
};

struct history;

/*
 * What it holds at most, temperatures aside. Where a machine has so many devices that it would be
 * more, the time that it reaches back is halved until they fit, but not below a minute: an hour at
 * ten samples a second is 110 kB a device.
 */
#define HISTORY_BYTES_MAX (64 * 1024 * 1024)

/* Keeps `seconds` one-second values of each device. */
struct history *history_new(unsigned int seconds);
void history_free(struct history *h);
void history_reset(struct history *h);
/*
 * Adds a tick. Allocates only for devices that were not seen before, and once when samples become
 * finer than a second.
 */
void history_add(struct history *h, const struct tick *tick);

/*
 * The time of the newest tick added; 0 while there is none. Times are elapsed_us of the segment
 * that came first, and run on over others: each is placed behind the end of the one before.
 */
uint64_t history_end_us(const struct history *h);
/* The oldest time still held. */
uint64_t history_begin_us(const struct history *h);

/*
 * Fills `n` cells, each standing for `cell_us`, the last one ending at `end_us`. Cells are
 * aligned to multiples of cell_us, so that a picture moves by whole cells and each cell keeps
 * its value. Slot HISTORY_TOTAL is the sum over disks.
 */
#define HISTORY_TOTAL (-2)
void history_read(const struct history *h, int slot, enum series series, uint64_t end_us,
		  uint64_t cell_us, struct history_cell *cells, size_t n);

/* The newest temperature trend in thousandths of a degree: as above, one value a cell. */
void history_add_temperature(struct history *h, int slot, uint64_t elapsed_us, int32_t temp_mc);
void history_read_temperature(const struct history *h, int slot, uint64_t end_us, uint64_t cell_us,
			      struct history_cell *cells, size_t n);

/* Bytes held, for the screen and for a test of the bound. */
size_t history_memory_bytes(const struct history *h);
/* How far it can reach back at the present interval, of how many devices, whether it was cut. */
uint64_t history_span_us(const struct history *h);
size_t history_devices(const struct history *h);
bool history_is_shortened(const struct history *h);

#endif
