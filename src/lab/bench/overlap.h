/* lab/bench/overlap.h - how much of a step's transfers is hidden behind its computation.
 *
 * A step is bound by the busiest link and by the busiest processors. What both need together beyond
 * the step's time was done at the same time: that part of the transfers is hidden.
 */
#ifndef WEIR_LAB_BENCH_OVERLAP_H
#define WEIR_LAB_BENCH_OVERLAP_H

#include "lab/bench/trial.h"

typedef struct overlap {
    double wire_ms;  /* of a global step, on the busiest link */
    double work_ms;  /* of it, on the busiest processors */
    double hidden;   /* part of wire_ms, 0 to 1 */
    double of_bound; /* the larger of both, as part of the step's time */
} overlap;

overlap overlap_of_step(double step_ms, double wire_ms, double work_ms);
/* Of a trial on simulated machines with links of |mbit|; NaNs without. */
overlap overlap_of_trial(const trial *trial, double mbit);

#endif
