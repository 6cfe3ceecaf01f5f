/*
 * Scales of graphs. A scale is a promise about what a height means, so it moves as seldom as it
 * can: its top is a round number, and it becomes smaller only when the values have left the upper
 * part of the next smaller one too.
 */
#include "scale.h"

/* The share of a smaller scale that values may fill before it is taken. */
#define SHRINK_BELOW 0.9

static double round_up(double value)
{
	static const double steps[] = { 1, 2, 5 };
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
	double one = 1 / units_rate(units, 1);
	double top = round_up(largest / one) * one;

	if (top >= before)
		return top;
	return round_up(largest / SHRINK_BELOW / one) * one < before ? top : before;
}

size_t scale_format(char *buf, size_t size, double top, enum units units)
{
	return units_format_three(buf, size, units_rate(units, top));
}
