/*
 * Batches are cut from the end, so that what does not fill one is left out where a rest of the
 * warm-up may be. Batch means are computed again wherever they are needed: that costs a pass over
 * the values for each length tried, and no memory.
 */
#include "raidtop/confidence.h"

#include <math.h>

#define LAG1_BELOW 0.2

/* `n` batches of `length` values each; `values` begins with the first of them. */
struct batches {
	const float *values;
	size_t n, length;
};

static struct batches cut(const float *values, size_t n_values, size_t n, size_t length)
{
	return (struct batches){ values + (n_values - n * length), n, length };
}

static double batch_mean(const struct batches *b, size_t batch)
{
	double sum = 0;

	for (size_t i = 0; i < b->length; i++)
		sum += (double)b->values[batch * b->length + i];
	return sum / (double)b->length;
}

static double mean_of(const struct batches *b)
{
	double sum = 0;

	for (size_t i = 0; i < b->n; i++)
		sum += batch_mean(b, i);
	return sum / (double)b->n;
}

/* The sum of the batch means' squared distances from the mean, and of products with the next. */
static double sum_squares(const struct batches *b, double mean, double *ret_products)
{
	double squares = 0, products = 0, before = 0;

	for (size_t i = 0; i < b->n; i++) {
		double off = batch_mean(b, i) - mean;

		squares += off * off;
		products += off * before;
		before = off;
	}
	*ret_products = products;
	return squares;
}

static double lag1_of(const struct batches *b)
{
	double products, squares = sum_squares(b, mean_of(b), &products);

	return squares > 0 ? products / squares : 0;
}

/* Student's t, two-sided 95 %, by degrees of freedom. */
static double t_quantile(size_t degrees)
{
	static const double table[CONFIDENCE_BATCHES_MAX - CONFIDENCE_BATCHES_MIN + 1] = {
		2.0930, 2.0860, 2.0796, 2.0739, 2.0687, 2.0639,
		2.0595, 2.0555, 2.0518, 2.0484, 2.0452,
	};

	return table[degrees - (CONFIDENCE_BATCHES_MIN - 1)];
}

static bool has_gap(const float *values, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (isnan(values[i]))
			return true;
	return false;
}

static void compute_interval(struct confidence *ret, const struct batches *b)
{
	double products, squares;

	ret->n_batches = b->n;
	ret->batch_length = b->length;
	ret->mean = mean_of(b);
	squares = sum_squares(b, ret->mean, &products);
	ret->half_width = t_quantile(b->n - 1) * sqrt(squares / (double)(b->n - 1) / (double)b->n);
}

void confidence_compute(struct confidence *ret, const float *values, size_t n)
{
	struct batches b;
	size_t length = 1;

	*ret = (struct confidence){ .state = CONFIDENCE_UNKNOWN };
	if (n < CONFIDENCE_BATCHES_MIN || has_gap(values, n))
		return;
	ret->state = CONFIDENCE_UNRELIABLE;
	for (; n / length >= CONFIDENCE_BATCHES_MIN; length *= 2) {
		b = cut(values, n, n / length, length);
		ret->lag1 = lag1_of(&b);
		if (ret->lag1 < LAG1_BELOW) {
			ret->state = CONFIDENCE_RELIABLE;
			break;
		}
	}
	b.n = CONFIDENCE_BATCHES_MIN;
	if (ret->state == CONFIDENCE_RELIABLE)
		b.n = n / length < CONFIDENCE_BATCHES_MAX ? n / length : CONFIDENCE_BATCHES_MAX;
	b = cut(values, n, b.n, n / b.n);
	compute_interval(ret, &b);
}

double confidence_of_range(size_t n_runs)
{
	return n_runs ? 1 - exp2(1 - (double)n_runs) : 0;
}
