/* cli/bench/steps.h - weir bench without a word behind it: step times of workloads on peers. */
#ifndef WEIR_CLI_BENCH_STEPS_H
#define WEIR_CLI_BENCH_STEPS_H

#include "cli/cli.h"

typedef struct bench_args {
    bool list;
    const char *graphs, *export_to, *threads, *save, *baseline, *out;
    weir_words peers;
    double seconds;
    long batch;
    int format;
} bench_args;

int bench_steps(void *args, int argc, char **argv);

#endif
