/* lab/bench/peak.h - what the machine could do at best, measured. */
#ifndef WEIR_LAB_BENCH_PEAK_H
#define WEIR_LAB_BENCH_PEAK_H

#include "base/cpu.h"

typedef struct bench_peak {
    double gflops[WEIR_ISA_COUNT]; /* of each level up to the best one; 0 above it */
    double gbytes;                 /* of memory, a second, read and written */
    double trip_ns; /* from one processor to another and back, by a word; NAN with one thread */
} bench_peak;

/* With |threads| at once, at most one for each processor; takes about a second. */
void bench_measure_peak(int threads, bench_peak *out);

#endif
