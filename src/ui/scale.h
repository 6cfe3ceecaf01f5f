/* Scales of graphs: round, steady, and in the units that are shown. */
#ifndef RAIDTOP_SCALE_H
#define RAIDTOP_SCALE_H

#include <stddef.h>

#include "raidtop/units.h"

/*
 * The top of a scale for values up to `largest` (bytes per second): a round number (1, 1.5, 2,
 * 2.5, 3, 4, 5, 6, 8 times a power of ten) of the units shown, at least 5; 0 where nothing
 * moves. `before` is the top so far, 0 for none: it grows at once
 * but shrinks only where the values stay well below the smaller step, so that it does not flicker.
 */
double scale_top(double largest, double before, enum units units);
/* "250" of that top, without a unit. */
size_t scale_format(char *buf, size_t size, double top, enum units units);

#endif
