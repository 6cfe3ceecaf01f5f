/*
 * What the screen keeps between frames. Every room grows to the largest size that was needed and
 * stays, so that a frame of a size seen before allocates nothing.
 */
#include "view.h"

#include "raidtop/memory.h"

struct history_cell *scratch_cells(struct screen_scratch *c, size_t n)
{
	if (n > c->cells_capacity) {
		c->cells = memory_resize(c->cells, n, sizeof(*c->cells));
		c->cells_capacity = n;
	}
	return c->cells;
}

struct history_cell *scratch_graph(struct screen_scratch *c, size_t n)
{
	if (n > c->graph_capacity) {
		c->graph = memory_resize(c->graph, n, sizeof(*c->graph));
		c->graph_capacity = n;
	}
	return c->graph;
}

float *scratch_floats(struct screen_scratch *c, size_t n)
{
	if (n > c->floats_capacity) {
		c->floats = memory_resize(c->floats, n, sizeof(*c->floats));
		c->floats_capacity = n;
	}
	return c->floats;
}

double *scratch_scales(struct screen_scratch *c, size_t n_devices)
{
	size_t n = 1 + 2 * n_devices;

	if (n > c->scales_capacity) {
		c->scales = memory_resize(c->scales, n, sizeof(*c->scales));
		for (size_t i = c->scales_capacity; i < n; i++)
			c->scales[i] = 0;
		c->scales_capacity = n;
	}
	return c->scales;
}

struct row_curve *scratch_curves(struct screen_scratch *c, size_t n)
{
	if (n > c->curves_capacity) {
		c->curves = memory_resize(c->curves, n, sizeof(*c->curves));
		c->curves_capacity = n;
	}
	return c->curves;
}
