/* lab/bench/cost.h - a cost as a sum of terms that are never negative, fitted to measurements.
 *
 * For null steps the terms are what there is of each thing: see cost_terms.
 */
#ifndef WEIR_LAB_BENCH_COST_H
#define WEIR_LAB_BENCH_COST_H

#include <stddef.h>

enum { COST_TERMS = 7 };

typedef struct cost_point {
    double terms[COST_TERMS];
    double value; /* measured; above 0 */
} cost_point;

typedef struct cost_model {
    double of[COST_TERMS]; /* what one of each costs */
} cost_model;

/* A null step's: itself, servers, workers, messages (servers times workers), megabytes of
 * parameters, megabytes that workers fetch, and those of them that no cache holds from one task to
 * the next. */
cost_point cost_of_step(int ps, int workers, double bytes, double value);

/* The model with the smallest sum of squared relative errors over the points. */
cost_model cost_fit(const cost_point *points, size_t count);
double cost_predict(const cost_model *model, const cost_point *point);

#endif
