/*
 * Counters only grow. Kernels break that in two ways: a narrow counter wraps, and a device that
 * goes away and comes back starts again from zero. Both look the same in the numbers, and only
 * the counter's width tells them apart. Times are `unsigned int` milliseconds in the kernel since
 * 2.6, whatever they are printed as; here they are in microseconds.
 */
#include "raidtop/rates.h"

#include <errno.h>

#define MS32_US (UINT64_C(1000) << 32) /* where such a time wraps */

int counter_growth(enum counter_kind kind, uint64_t before, uint64_t after, uint64_t *ret_growth)
{
	if (after >= before) {
		*ret_growth = after - before;
		return 0;
	}
	if (kind != COUNTER_KIND_MS32 || before >= MS32_US) /* that one is wider than it was said */
		return -ESTALE;
	*ret_growth = MS32_US - before + after;
	return 0;
}
