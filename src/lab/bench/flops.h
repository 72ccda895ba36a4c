/* lab/bench/flops.h - what a step must do at least. */
#ifndef WEIR_LAB_BENCH_FLOPS_H
#define WEIR_LAB_BENCH_FLOPS_H

#include "base/status.h"
#include "lab/bench/workload.h"

typedef struct bench_work {
    /* Of products and convolutions as they are defined, however they are computed; a product and a
     * sum are two. */
    double flops;
    double bytes; /* of all variables of the step, read once and written once */
    int unknown;  /* products whose shape is not known or that are in a loop: not counted */
} bench_work;

/* Over everything that the step needs, with the shapes that follow from what is fed. */
WEIR_CHECKED weir_status bench_count_work(const workload *workload, bench_work *out);

#endif
