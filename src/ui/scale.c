/*
 * Scales of graphs. A scale is a promise about what a height means, so it moves as seldom as it
 * can: its top is a round number, and it becomes smaller only when the values have left the upper
 * part of the next smaller one too.
 */
#include "scale.h"

#include <string.h>

/* The share of a smaller scale that values may fill before it is taken. */
#define SHRINK_BELOW 0.9
/* In the units shown: a trickle stays small on the screen too. */
#define LEAST_TOP 5

static double round_up(double value)
{
	static const double steps[] = { 1, 1.5, 2, 2.5, 3, 4, 5, 6, 8 };
	double power = 1;

	while (power < 1e15) {
		for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++)
			if (value <= steps[i] * power)
				return steps[i] * power;
		power *= 10;
	}
	return power;
}

double scale_top(double largest, double before, enum units units)
{
	double one = 1 / units_rate(units, 1), top;

	if (!(largest > 0))
		return 0;
	if (largest < LEAST_TOP * one)
		largest = LEAST_TOP * one;
	top = round_up(largest / one) * one;
	if (top >= before)
		return top;
	return round_up(largest / SHRINK_BELOW / one) * one < before ? top : before;
}

size_t scale_format(char *buf, size_t size, double top, enum units units)
{
	size_t len = units_format_three(buf, size, units_rate(units, top));

	/* 50 and not 50.0: the tops are round. */
	while (len > 0 && strchr(buf, '.') && (buf[len - 1] == '0' || buf[len - 1] == '.'))
		buf[--len] = '\0';
	return len;
}
