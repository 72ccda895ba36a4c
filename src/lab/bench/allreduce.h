/* lab/bench/allreduce.h - weir bench allreduce: the time of a collective sum over processes. */
#ifndef WEIR_LAB_BENCH_ALLREDUCE_H
#define WEIR_LAB_BENCH_ALLREDUCE_H

#include "command/command.h"

extern const weir_command bench_command_allreduce;

/* Times for one size. */
typedef struct allreduce_times {
    int64_t members, bytes;
    const char *transports;
    double *ms; /* sorted by allreduce_print */
    size_t rounds;
} allreduce_times;

/* |format| is one of command/output.h. */
void allreduce_print(int format, const allreduce_times *times, int count);

#endif
