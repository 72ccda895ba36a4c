/* lab/sample/stats.h - statistics of samples. */
#ifndef WEIR_SAMPLE_STATS_H
#define WEIR_SAMPLE_STATS_H

#include <stdbool.h>
#include <stddef.h>

/* The |part| quantile (0.5: the median) of the values, which it sorts; NaN if there are none. */
double weir_quantile(double *values, size_t count, double part);

/* Whether two samples differ in speed: a rank test (Mann and Whitney), robust against outliers, at
 * a significance level of 1 %. */
bool weir_samples_differ(const double *a, size_t a_count, const double *b, size_t b_count);

#endif
