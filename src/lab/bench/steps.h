/* lab/bench/steps.h - weir bench without a subcommand: step times of workloads on peers. */
#ifndef WEIR_LAB_BENCH_STEPS_H
#define WEIR_LAB_BENCH_STEPS_H

#include "command/command.h"

typedef struct bench_args {
    bool list, fed;
    const char *graphs, *export_to, *threads, *save, *baseline, *out, *device;
    int precision;
    weir_words peers;
    double seconds;
    long batch;
    int format;
} bench_args;

int bench_steps(void *args, int argc, char **argv);

#endif
