/* lab/sample/stats.h - numbers out of many. */
#ifndef WEIR_SAMPLE_STATS_H
#define WEIR_SAMPLE_STATS_H

#include <stdbool.h>
#include <stddef.h>

/* The |part| (0.5: the median) of the values, which are sorted; NaN of none. */
double weir_quantile(double *values, size_t count, double part);

/* Whether two sets of measurements are of different speeds: by rank (Mann and Whitney), so that
 * what disturbs a few of them does not count, with one wrong answer in a hundred. */
bool weir_samples_differ(const double *a, size_t a_count, const double *b, size_t b_count);

#endif
