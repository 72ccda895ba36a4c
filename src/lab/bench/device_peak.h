/* lab/bench/device_peak.h - what a device reaches at most, measured. */
#ifndef WEIR_LAB_BENCH_DEVICE_PEAK_H
#define WEIR_LAB_BENCH_DEVICE_PEAK_H

#include <stdbool.h>

#include "base/status.h"

typedef struct device_peak {
    double gflops; /* of a large matrix product */
    double gbytes; /* per second, read and written by a copy within its memory */
    bool enough;   /* the product was large enough */
} device_peak;

struct weir_gpu_unit;
/* With operands in bfloat16 if |narrow|, else in float, by TF32 where the device has it. */
WEIR_CHECKED weir_status device_peak_measure(struct weir_gpu_unit *unit, bool narrow,
                                             device_peak *out);

#endif
