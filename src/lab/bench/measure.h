/* lab/bench/measure.h - workloads on peers: measure, show, save and compare. */
#ifndef WEIR_LAB_BENCH_MEASURE_H
#define WEIR_LAB_BENCH_MEASURE_H

#include "lab/bench/peak.h"
#include "lab/bench/peer.h"

enum { MEASURE_ROUNDS = 7 }; /* rounds of each workload on each peer */

typedef struct measurement {
    char workload[PEER_NAME], peer[PEER_NAME];
    int threads;
    peer_result r;
    double step_ms, low_ms, high_ms;                       /* the median and its quartiles */
    double examples_per_s, gflops, fma_share, limit_share; /* shares in percent */
    double times_first; /* step time over the first peer's, same workload and threads */
    /* Compared with a baseline: */
    double base_ms, change; /* in percent; NaN: not in the baseline */
    bool differs;           /* the difference is statistically significant */
} measurement;

typedef WEIR_VEC(measurement) measurements;

typedef struct machine_peak {
    int threads;
    bench_peak peak;
    double device_gflops, device_gbytes; /* 0: no device was measured */
} machine_peak;

typedef WEIR_VEC(machine_peak) machine_peaks;

/* Computes the derived values from the times. */
void measurement_sum_up(measurement *result_row, const bench_peak *peak, const measurement *first);
void measurements_fini(measurements *all);

/* The file is JSON: what `weir bench --save` writes. */
WEIR_CHECKED weir_status measurements_save(const measurements *all, const char *path);
/* Adds the comparison with the measurements in |path|. */
WEIR_CHECKED weir_status measurements_compare(measurements *all, const char *path);

/* Prints to standard output. */
void measurements_show(const measurements *all, const machine_peaks *peaks, int format,
                       bool compared);
/* Writes a report to |folder|. */
WEIR_CHECKED weir_status measurements_report(const measurements *all, const machine_peaks *peaks,
                                             const char *command, const char *folder,
                                             bool compared);

#endif
