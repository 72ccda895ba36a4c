/* cli/bench/flops.h - what a step must do at least. */
#ifndef WEIR_CLI_BENCH_FLOPS_H
#define WEIR_CLI_BENCH_FLOPS_H

#include "tensorflow/c/c_api.h"

typedef struct bench_work {
    double flops; /* of products and convolutions; a product and a sum are two */
    double bytes; /* of all variables of the step, read once and written once */
    int unknown;  /* products whose shape is not known or that are in a loop: not counted */
} bench_work;

/* Over everything that |step| needs. */
void bench_count_work(TF_Graph *graph, TF_Operation *step, bench_work *out);

#endif
