/* lab/bench/flops.h - the minimum work of a step. */
#ifndef WEIR_LAB_BENCH_FLOPS_H
#define WEIR_LAB_BENCH_FLOPS_H

#include "base/status.h"
#include "lab/bench/workload.h"

typedef struct bench_work {
    /* Of products and convolutions by definition, whatever the algorithm; a multiply-add counts as
     * two. */
    double flops;
    double bytes; /* of all variables of the step, one read and one write each */
    int unknown;  /* products of unknown shape or in a loop: not counted */
} bench_work;

/* Counts everything that the step needs, with shapes inferred from the feeds. */
WEIR_CHECKED weir_status bench_count_work(const workload *workload, bench_work *out);

#endif
