/* lab/bench/cost.h - a cost model: a sum of non-negative terms, fitted to measurements.
 *
 * For null steps the terms are resource counts: see cost_terms.
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
    double of[COST_TERMS]; /* cost per unit of each term */
} cost_model;

/* A null step's terms: 1, servers, workers, messages (servers times workers), megabytes of
 * parameters, megabytes that workers fetch, and those of them that do not fit in a shared
 * cache. */
cost_point cost_of_step(int ps, int workers, double bytes, double value);

/* The least-squares fit of the relative errors over the points. */
cost_model cost_fit(const cost_point *points, size_t count);
double cost_predict(const cost_model *model, const cost_point *point);

#endif
