/* lab/bench/peak.h - measured peak performance of the machine. */
#ifndef WEIR_LAB_BENCH_PEAK_H
#define WEIR_LAB_BENCH_PEAK_H

#include <signal.h>

#include "base/cpu.h"

typedef struct bench_peak {
    double gflops[WEIR_ISA_COUNT]; /* per level up to the best one; 0 above it */
    double gbytes;                 /* memory bandwidth per second, reads and writes */
    double trip_ns;                /* round trip of a word between two CPUs; NAN with one thread */
} bench_peak;

/* With |threads| concurrent threads, at most one per CPU; takes seconds. Returns early when |*stop|
 * is set, by a signal handler. */
void bench_measure_peak(int threads, const volatile sig_atomic_t *stop, bench_peak *out);

#endif
